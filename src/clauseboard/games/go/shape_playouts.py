"""Random games of Go that answer the last move by shapes; what shapes weigh is told from outside.

After a move the other side may answer near it: at one of the eight points around it, at the last
liberty of its chain, or at that of an own chain beside it. Each such point weighs as much as a
table says for its *shape*: what is at the eight points around it, whether a stone there would take
the chain of the last move, and whether it would lengthen an own chain that could be taken. Every
other point weighs the same. One of all these is drawn.

A shape is 18 bits: two for each point around, line by line from the top left (0 empty, 1 black,
2 white, 3 edge), then "takes" and "saves". A table has one half for black to move and one for
white, of `N_SHAPES` weights each, and at its end what a point elsewhere weighs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.games.go.kernels import (
    CHAIN,
    COLOUR,
    EMPTIES,
    INFO,
    KO,
    LIBERTIES,
    NEXT,
    NOTHING,
    PASSES,
    SIDE,
    SIZE,
    around,
    drawn_place,
    is_eye,
    may_play,
    pass_turn,
    put_stone,
)
from clauseboard.games.go.move_features import LAST_MOVE, _place_of, add_liberties
from clauseboard.kernels.bits import STREAM_STEP, mixed
from clauseboard.kernels.compiler import helper, kernel

N_SHAPES = 1 << 18
TAKES, SAVES = 1 << 16, 1 << 17
N_WEIGHTS = 2 * N_SHAPES + 1

MOST = 13
"""Points that may answer a move: eight around it, one liberty of its chain, four of own chains."""

_32 = np.uint64(32)


@helper
def shape_at(state: Any, place: int) -> int:
    """What is at the eight points around a place, two bits each."""
    line = np.int64(state[INFO, SIZE]) + 1
    shape: Any = 0
    bits = 0
    for down in range(-1, 2):
        for right in range(-1, 2):
            if down != 0 or right != 0:
                shape |= np.int64(state[COLOUR, place + down * line + right]) << bits
                bits += 2
    return shape


@helper
def last_liberty(state: Any, head: Any, scratch: Any) -> Any:
    """The only liberty of a chain; 0 if it has more, or none."""
    # A liberty counts once for each stone beside it, of which there are at most four.
    if state[LIBERTIES, head] > 4:
        return 0
    scratch[0] += 1
    if add_liberties(state, head, 0, scratch, 0, 2) != 1:
        return 0
    stone = head
    while True:
        for beside in around(state, stone):
            if state[COLOUR, beside] == NOTHING:
                return np.int64(beside)
        stone = np.int64(state[NEXT, stone])


@helper
def _add(places: Any, shapes: Any, count: int, place: int, deed: int) -> int:
    """Put a place among those that may answer, or add a deed to it; how many there are then."""
    for n in range(count):
        if places[n] == place:
            shapes[n] |= deed
            return count
    places[count] = place
    shapes[count] = deed
    return count + 1


@helper
def answer_to(
    state: Any, last: int, scratch: Any, weights: Any, places: Any, shapes: Any, counter: Any
) -> tuple[Any, Any]:
    """A place that answers a stone at another, drawn by weights; 0: play elsewhere."""
    side = np.int64(state[INFO, SIDE])
    line = np.int64(state[INFO, SIZE]) + 1
    count = 0
    for down in range(-1, 2):
        for right in range(-1, 2):
            place = last + down * line + right
            if state[COLOUR, place] == NOTHING:
                places[count] = place
                shapes[count] = 0
                count += 1
    if state[COLOUR, last] == 3 - side:
        place = last_liberty(state, np.int64(state[CHAIN, last]), scratch)
        if place > 0:
            count = _add(places, shapes, count, place, TAKES)
    for beside in around(state, last):
        if state[COLOUR, beside] == side:
            place = last_liberty(state, np.int64(state[CHAIN, beside]), scratch)
            if place > 0:
                count = _add(places, shapes, count, place, SAVES)
    first = (side - 1) * N_SHAPES
    near: Any = 0
    for n in range(count):
        weight = np.int64(weights[first + (shapes[n] | shape_at(state, places[n]))])
        near += weight
        shapes[n] = near
    if near == 0:
        return 0, counter
    total = near + np.int64(weights[2 * N_SHAPES]) * np.int64(state[INFO, EMPTIES])
    counter += STREAM_STEP
    drawn = np.int64(((mixed(counter) >> _32) * np.uint64(total)) >> _32)
    if drawn >= near:
        return 0, counter
    n = 0
    while shapes[n] <= drawn:
        n += 1
    place = np.int64(places[n])
    if place == state[INFO, KO] or is_eye(state, place, side) or not may_play(state, place, side):
        return 0, counter
    return place, counter


@helper
def play_on_answering(
    state: Any, limit: int, counter: Any, noted: Any, weights: Any, scratch: Any
) -> Any:
    """Play to the end, at most `limit` moves, with answers by weights; the counter.

    `noted[point]`, where it is -1, becomes the side that plays there first: 0 or 1. Behind the
    marks in the scratch there is room for the places that may answer, and for their shapes.
    """
    size = np.int64(state[INFO, SIZE])
    room = scratch.shape[0] - 2 * MOST
    places, shapes = scratch[room : room + MOST], scratch[room + MOST :]
    last = _place_of(size, np.int64(state[INFO, LAST_MOVE]) - 1)
    for _ in range(limit):
        if state[INFO, PASSES] >= 2:
            break
        side = state[INFO, SIDE]
        place = 0
        if last > 0:
            place, counter = answer_to(state, last, scratch, weights, places, shapes, counter)
        if place == 0:
            place, counter = drawn_place(state, counter)
        if place > 0:
            point = place - place // (size + 1) - size - 1
            if noted[point] < 0:
                noted[point] = side - 1
            put_stone(state, place)
        else:
            pass_turn(state)
        last = place
    return counter


# ---- for Python


def shape_bits() -> Any:
    """What each shape is in the bits of `around`, for black to move: shapes × bits.

    What a shape does not tell is taken to be usual: nothing further away, the third line unless the
    edge is seen, and two liberties more by an own stone beside it.
    """
    from clauseboard.games.go import move_features

    shapes = np.arange(N_SHAPES)
    bits = np.zeros((N_SHAPES, move_features.N_BITS), np.uint8)
    near = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]
    colours = {step: (shapes >> (2 * n)) & 3 for n, step in enumerate(near)}
    for step, colour in colours.items():
        place = move_features.STEPS.index(step)
        bits[:, place] = colour == 1
        bits[:, move_features.N_CELLS + place] = colour == 2
    straight = ((-1, 0), (0, 1), (1, 0), (0, -1))
    at_edge = np.zeros(N_SHAPES, np.bool_)
    for n, step in enumerate(straight):
        bits[:, move_features.EDGES + n] = colours[step] == 3
        at_edge |= colours[step] == 3
    for n in range(4):
        bits[:, move_features.LINE + n] = at_edge if n < 2 else 1
    takes, saves = shapes & TAKES != 0, shapes & SAVES != 0
    bits[:, move_features.TAKES] = bits[:, move_features.TAKES_LAST] = takes
    bits[:, move_features.SAVES] = saves
    free = sum((colours[step] == 0).astype(int) for step in straight)
    joined = np.logical_or.reduce([colours[step] == 1 for step in straight])
    liberties = free + 2 * joined + takes
    for n in range(3):
        bits[:, move_features.LIBERTIES + n] = liberties >= n + 2
    bits[:, move_features.NEAR_LAST + 1 : move_features.NEAR_LAST + 6] = 1
    return bits


def elsewhere_bits() -> Any:
    """The bits of a usual point that is far from everything: one row."""
    from clauseboard.games.go import move_features

    bits = np.zeros((1, move_features.N_BITS), np.uint8)
    bits[:, move_features.LINE + 2 : move_features.LINE + 4] = 1
    bits[:, move_features.LIBERTIES : move_features.LIBERTIES + 3] = 1
    return bits


ELSEWHERE = 32
"""What a point elsewhere weighs; others weigh more or less than that."""


def weights_of(logs: Any, elsewhere: float) -> Any:
    """A table from the logarithms of what shapes weigh for black, and of a point elsewhere.

    What a shape weighs for white is what it weighs for black with the colours exchanged.
    """
    most = np.iinfo(np.uint16).max
    black = np.exp(np.minimum(logs - elsewhere, np.log(most / ELSEWHERE))) * ELSEWHERE
    black = np.rint(black).astype(np.uint16)
    shapes = np.arange(N_SHAPES)
    low, high = shapes & 0x5555, (shapes >> 1) & 0x5555
    only_one = low ^ high  # black or white, and neither empty nor edge
    exchanged = shapes ^ (only_one | only_one << 1)
    return np.concatenate([black, black[exchanged], np.array([ELSEWHERE], np.uint16)])


@kernel("uint64(int16[:,::1], int64, uint64, int8[::1], uint16[::1], int64[::1])")
def playout(state: Any, limit: int, counter: Any, noted: Any, weights: Any, scratch: Any) -> Any:
    """Play a state to its end in place, with answers; the counter of random numbers."""
    return play_on_answering(state, limit, counter, noted, weights, scratch)
