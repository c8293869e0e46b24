"""Random games of Go that answer the last move by shapes; what shapes weigh is told from outside.

After a move the other side may answer near it: at one of the eight points around it, at the last
liberty of its chain, or at that of an own chain beside it. Each such point weighs as much as a
table says for its *shape*: what is at the eight points around it, whether a stone there would take
the chain of the last move, and whether it would lengthen an own chain that could be taken. Every
other point weighs the same. One of all these is drawn.

A shape is 18 bits: two for each point around, line by line from the top left (0 empty, 1 black,
2 white, 3 edge), then "takes" and "saves". A table has one half for black to move and one for
white, of `N_SHAPES` weights each, then what a point elsewhere weighs, and whether random games
know *tactics* that have no weights:

- no stone leaves its chain in atari for nothing (`loses_itself`);
- a chain in atari is lengthened only if that gives it two liberties, and it may also be saved by
  taking a chain beside it; a chain that the own last move put into atari may be taken;
- where the last move leaves a small eye space, its vital point is played (`vital_point`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.games.go import move_features
from clauseboard.games.go.kernels import (
    CHAIN,
    COLOUR,
    EDGE,
    EMPTIES,
    INFO,
    KO,
    LIBERTIES,
    NEXT,
    NOTHING,
    PASSES,
    SIDE,
    SIZE,
    STONES,
    around,
    drawn_empty,
    drawn_place,
    is_eye,
    may_play,
    pass_turn,
    put_behind,
    put_stone,
)
from clauseboard.games.go.move_features import LAST_MOVE, MOVE_BEFORE, _place_of, add_liberties
from clauseboard.kernels.bits import STREAM_STEP, mixed
from clauseboard.kernels.compiler import helper, kernel

N_SHAPES = 1 << 18
TAKES, SAVES = 1 << 16, 1 << 17
FAR, TACTICS = 2 * N_SHAPES, 2 * N_SHAPES + 1
N_WEIGHTS = 2 * N_SHAPES + 2

MOST = 24
"""Room for points that may answer a move."""
MOST_EYE = 6
"""Points of the largest eye space that is looked at."""

_32 = np.uint64(32)


@helper
def shape_at(state, place: int) -> int:
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
def last_liberty(state, head):
    """The only liberty of a chain; 0 if it has more, or none."""
    # A liberty counts once for each stone beside it, of which there are at most four.
    left = state[LIBERTIES, head]
    if left > 4:
        return np.int64(0)
    found, stone = np.int64(0), head
    while left > 0:
        for beside in around(state, stone):
            if state[COLOUR, beside] == NOTHING:
                if found != 0 and beside != found:
                    return np.int64(0)
                found = np.int64(beside)
                left -= 1
        stone = np.int64(state[NEXT, stone])
    return found


@helper
def loses_itself(state, place: int, side: int, scratch) -> bool:
    """Whether a stone at an empty place leaves its chain in atari for nothing.

    A single stone may be thrown in. Up to six stones may be lost if they put a chain into atari and
    leave a shape of one eye when they are taken.
    """
    free, joins = 0, False
    for beside in around(state, place):
        free += state[COLOUR, beside] == NOTHING
        joins |= state[COLOUR, beside] == side
    if free >= 2 or not joins:
        return False
    scratch[0] += 1
    liberties, stones = 0, 1
    threatens = False
    for beside in around(state, place):
        colour = state[COLOUR, beside]
        if colour == NOTHING:
            if scratch[1 + beside] != scratch[0]:
                scratch[1 + beside] = scratch[0]
                liberties += 1
        elif colour != EDGE:
            head = state[CHAIN, beside]
            left = state[LIBERTIES, head]
            # The stone takes at most four of them, so that a glance tells most chains.
            if left > (8 if colour == side else 4):
                if colour == side:
                    return False
                continue
            for other in around(state, place):
                left -= state[CHAIN, other] == head
            if (left > 4) if colour == side else (left == 0):
                return False
    for beside in around(state, place):
        if state[COLOUR, beside] == side:
            head = np.int64(state[CHAIN, beside])
            if scratch[1 + head] != scratch[0]:
                scratch[1 + head] = scratch[0]
                stones += state[STONES, head]
                liberties = add_liberties(state, head, place, scratch, liberties, 2)
                if liberties >= 2:
                    return False
    if stones > MOST_EYE:
        return True
    for beside in around(state, place):
        if state[COLOUR, beside] == 3 - side:
            head = np.int64(state[CHAIN, beside])
            if state[LIBERTIES, head] <= 8:
                scratch[0] += 1
                threatens |= add_liberties(state, head, place, scratch, 0, 2) == 1
    if not threatens:
        return True
    if stones <= 3:
        return False
    # What they leave empty when they are taken must be a shape of one eye.
    scratch[0] += 1
    scratch[1 + place] = scratch[0]
    for beside in around(state, place):
        if state[COLOUR, beside] == side and scratch[1 + beside] != scratch[0]:
            stone = np.int64(beside)
            while scratch[1 + stone] != scratch[0]:
                scratch[1 + stone] = scratch[0]
                stone = np.int64(state[NEXT, stone])
    pairs, most = 0, 0
    for beside in around(state, place):
        pairs += scratch[1 + beside] == scratch[0]
    most = pairs
    counter = scratch[0]
    scratch[0] += 1
    for beside in around(state, place):
        if state[COLOUR, beside] == side and scratch[1 + beside] == counter:
            stone = np.int64(beside)
            while scratch[1 + stone] == counter:
                joined = 0
                for near in around(state, stone):
                    joined += scratch[1 + near] >= counter
                most = max(most, joined)
                pairs += joined
                scratch[1 + stone] = scratch[0]
                stone = np.int64(state[NEXT, stone])
    return not makes_one_eye(stones, most, pairs // 2)


@helper
def makes_one_eye(count: int, most: int, pairs: int) -> bool:
    """Whether a region of so many points has one eye if the other side begins in it.

    `most` is the number of neighbours in the region that one of its points has, and `pairs` how
    many of its points are beside each other: these tell small shapes apart. They are three points,
    the pyramid and the square of four, the cross and the bulky five, and the rabbity six.
    """
    if count <= 3:
        return True
    if count == 4:
        return most == 3 or pairs == 4
    if count == 5:
        return most == 4 or pairs == 5
    return count == 6 and most == 4 and pairs == 6


@helper
def vital_point(state, place: int, owner: int, scratch, region):
    """The point that makes one eye of a small empty region around a place; 0 if there is none.

    The region must have stones of its owner alone around it.
    """
    free = 0
    for beside in around(state, place):
        if state[COLOUR, beside] == 3 - owner:
            return np.int64(0)
        free += state[COLOUR, beside] == NOTHING
    if free == 0:
        return np.int64(0)
    scratch[0] += 1
    scratch[1 + place] = scratch[0]
    region[0] = place
    count, n = 1, 0
    while n < count:
        for beside in around(state, region[n]):
            colour = state[COLOUR, beside]
            if colour == NOTHING:
                if scratch[1 + beside] != scratch[0]:
                    if count == MOST_EYE:
                        return np.int64(0)
                    scratch[1 + beside] = scratch[0]
                    region[count] = beside
                    count += 1
            elif colour == 3 - owner:
                return np.int64(0)
        n += 1
    edges, best, degree = 0, np.int64(0), 0
    for n in range(count):
        beside_it = 0
        for beside in around(state, region[n]):
            beside_it += state[COLOUR, beside] == NOTHING
        edges += beside_it
        if beside_it > degree:
            degree, best = beside_it, np.int64(region[n])
    # Two points are an eye anyway, and of a square nothing can be made.
    if degree < 2 or (count == 4 and degree == 2) or not makes_one_eye(count, degree, edges // 2):
        return np.int64(0)
    return best


def _eye_spaces() -> Any:
    """For each shape around a stone, the sides that may find an eye space of the other side there.

    What is empty along the ring of eight points is one region: most are too large, or touch a stone
    of the side, so that `vital_point` need not be asked.
    """
    shapes = np.arange(TAKES)
    ring = [(shapes >> (2 * n)) & 3 for n in (1, 2, 4, 7, 6, 5, 3, 0)]
    sides = np.zeros(TAKES, np.uint8)
    for beside in range(0, 8, 2):
        count = np.zeros(TAKES, np.uint8)
        touched = np.zeros(TAKES, np.uint8)
        for step in (1, -1):
            joined = ring[beside] == NOTHING
            for n in range(1, 8):
                colour = ring[(beside + n * step) % 8]
                touched |= np.where(joined & (colour != EDGE), colour, 0).astype(np.uint8)
                joined &= colour == NOTHING
                count += joined
        small = (ring[beside] == NOTHING) & (count < MOST_EYE)
        sides |= np.where(small, 3 - touched, 0).astype(np.uint8)
    return sides


_EYE_SPACES = _eye_spaces()


@helper
def has_two_liberties(state, place: int, side: int, scratch) -> bool:
    """Whether a stone at a place has two liberties or more with what it joins."""
    scratch[0] += 1
    liberties = 0
    for beside in around(state, place):
        if state[COLOUR, beside] == NOTHING and scratch[1 + beside] != scratch[0]:
            scratch[1 + beside] = scratch[0]
            liberties += 1
    for beside in around(state, place):
        if liberties < 2 and state[COLOUR, beside] == side:
            liberties = add_liberties(
                state, np.int64(state[CHAIN, beside]), place, scratch, liberties, 2
            )
    return liberties >= 2


@helper
def _add(places, shapes, count: int, place: int, deed: int) -> int:
    """Put a place among those that may answer, or add a deed to it; how many there are then."""
    for n in range(count):
        if places[n] == place:
            shapes[n] |= deed
            return count
    if count == MOST:
        return count
    places[count] = place
    shapes[count] = deed
    return count + 1


@helper
def _add_takers(state, head, places, shapes, count: int) -> int:
    """Add the places that save a chain by taking one in atari beside it."""
    enemy = 3 - state[COLOUR, head]
    stone = head
    while True:
        for beside in around(state, stone):
            if state[COLOUR, beside] == enemy:
                place = last_liberty(state, np.int64(state[CHAIN, beside]))
                if place > 0:
                    count = _add(places, shapes, count, place, TAKES | SAVES)
        stone = np.int64(state[NEXT, stone])
        if stone == head:
            return count


@helper
def answer_to(
    state, last: int, own: int, scratch, weights, places, shapes,
    counter,
) -> tuple[Any, Any]:  # fmt: skip
    """A place that answers a stone at another, drawn by weights; 0: play elsewhere."""
    side = np.int64(state[INFO, SIDE])
    tactics = weights[TACTICS] != 0
    if tactics and _EYE_SPACES[shape_at(state, last)] & side:
        scratch[0] += 1
        for beside in around(state, last):
            # Where a region was looked at from another side of the stone, its places are marked.
            if state[COLOUR, beside] == NOTHING and scratch[1 + beside] != scratch[0]:
                place = vital_point(state, np.int64(beside), 3 - side, scratch, places)
                if place > 0 and place != state[INFO, KO] and may_play(state, place, side):
                    return place, counter
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
        place = last_liberty(state, np.int64(state[CHAIN, last]))
        if place > 0:
            count = _add(places, shapes, count, place, TAKES)
    head = np.int64(0)
    for beside in around(state, last):
        if state[COLOUR, beside] == side and state[CHAIN, beside] != head:
            head = np.int64(state[CHAIN, beside])
            place = last_liberty(state, head)
            if place > 0:
                if not tactics or has_two_liberties(state, place, side, scratch):
                    count = _add(places, shapes, count, place, SAVES)
                if tactics:
                    count = _add_takers(state, head, places, shapes, count)
    if tactics and own > 0 and state[COLOUR, own] == side:
        head = np.int64(state[CHAIN, last])
        for beside in around(state, own):
            other = np.int64(state[CHAIN, beside])
            if state[COLOUR, beside] == 3 - side and other != head and other != state[CHAIN, last]:
                head = other
                place = last_liberty(state, other)
                if place > 0:
                    count = _add(places, shapes, count, place, TAKES)
    first = (side - 1) * N_SHAPES
    near: Any = 0
    for n in range(count):
        weight = np.int64(weights[first + (shapes[n] | shape_at(state, places[n]))])
        near += weight
        shapes[n] = near
    if near == 0:
        return 0, counter
    total = near + np.int64(weights[FAR]) * np.int64(state[INFO, EMPTIES])
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
    if tactics and loses_itself(state, place, side, scratch):
        return 0, counter
    return place, counter


@helper
def drawn_carefully(state, counter, scratch) -> tuple[Any, Any]:
    """A random place to play at, or 0; as `drawn_place`, but for stones that lose themselves."""
    side, ko = state[INFO, SIDE], state[INFO, KO]
    left = np.int64(state[INFO, EMPTIES])
    while left > 0:
        index, place, counter = drawn_empty(state, left, counter)
        free = 0
        for beside in around(state, place):
            free += state[COLOUR, beside] == NOTHING
        if place != ko and (
            free >= 2
            or (
                (free == 1 or (not is_eye(state, place, side) and may_play(state, place, side)))
                and not loses_itself(state, place, side, scratch)
            )
        ):
            return place, counter
        left -= 1
        put_behind(state, index, left)
    return np.int64(0), counter


@helper
def play_on_answering(state, limit: int, counter, noted, weights, scratch):
    """Play to the end, at most `limit` moves, with answers by weights; the counter.

    `noted[point]`, where it is -1, becomes the side that plays there first: 0 or 1. Behind the
    marks in the scratch there is room for the places that may answer, and for their shapes.
    """
    size = np.int64(state[INFO, SIZE])
    room = scratch.shape[0] - 2 * MOST
    places, shapes = scratch[room : room + MOST], scratch[room + MOST :]
    last = _place_of(size, np.int64(state[INFO, LAST_MOVE]) - 1)
    own = _place_of(size, np.int64(state[INFO, MOVE_BEFORE]) - 1)
    tactics = weights[TACTICS] != 0
    for _ in range(limit):
        if state[INFO, PASSES] >= 2:
            break
        side = state[INFO, SIDE]
        place = 0
        if last > 0:
            place, counter = answer_to(state, last, own, scratch, weights, places, shapes, counter)
        if place == 0:
            if tactics:
                place, counter = drawn_carefully(state, counter, scratch)
            else:
                place, counter = drawn_place(state, counter)
        if place > 0:
            point = place - place // (size + 1) - size - 1
            if noted[point] < 0:
                noted[point] = side - 1
            put_stone(state, place)
        else:
            pass_turn(state)
        own, last = last, place
    return counter


# ---- for Python


def shape_bits() -> Any:
    """What each shape is in the bits of `around`, for black to move: shapes × bits.

    What a shape does not tell is taken to be usual: nothing further away, the third line unless the
    edge is seen, and two liberties more by an own stone beside it.
    """
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
    return np.concatenate([black, black[exchanged], np.array([ELSEWHERE, 0], np.uint16)])


@kernel("uint64(int16[:,::1], int64, uint64, int8[::1], uint16[::1], int64[::1])")
def playout(state, limit: int, counter, noted, weights, scratch):
    """Play a state to its end in place, with answers; the counter of random numbers."""
    return play_on_answering(state, limit, counter, noted, weights, scratch)
