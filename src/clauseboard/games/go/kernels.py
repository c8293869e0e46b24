"""Go, fast: chains of stones with pseudo-liberties, playouts to the end, and area scores.

A state is one array of small integers, `state[row, place]`, so that copying a state is copying an
array. A place is a point of a board with an edge around it: the edge right of a line is also the
edge left of the next one, and point `b` of the plain board (line by line from the top) lies at
place `b + b // size + size + 2`. The rows, for every place:

- `COLOUR`: empty, black, white or edge;
- `CHAIN`: the head of the chain that the stone belongs to; every stone of a chain knows it. The
  edge and empty places have 0, a corner of the edge, whose liberties are counted and never read;
- `NEXT`: the next stone of the chain; the stones of a chain are a ring;
- `LIBERTIES`, at the head of a chain: its pseudo-liberties, that is, pairs of a stone and an
  empty place beside it. A liberty that touches two stones of the chain counts twice; there are
  none exactly when there are no liberties, which is all that the rules ask;
- `STONES`, at the head of a chain: how many stones it has;
- `EMPTY`: a list of the empty places in any order, and `WHERE`: the index of each in that list;
- `REACH`: the colours that an empty place reaches; filled when points are counted;
- `INFO`: a few numbers, named below.

The kernels trust what they are given: points on the board, moves that are legal. Python calls the
kernels; a search that is a kernel itself copies states, and calls the helpers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.games.squares import reflected
from clauseboard.kernels.bits import ONE, SIX_BITS, STREAM_STEP, ZERO, copy_into, mixed
from clauseboard.kernels.compiler import helper, kernel

NOTHING, BLACK, WHITE, EDGE = 0, 1, 2, 3
"""What is at a place. The two colours are bits, too: 3 - colour is the other one."""

COLOUR, CHAIN, NEXT, LIBERTIES, STONES, EMPTY, WHERE, REACH, INFO = range(9)
"""The rows of a state."""

SIZE, SIDE, KO, PASSES, EMPTIES, CAPTURED = range(6)
"""The numbers in `INFO`: size of the board, side to move, the place that the ko rule forbids (0:
none), passes in a row, empty places, and stones that the last move took."""

_32 = np.uint64(32)


def new_state(size: int) -> Any:
    """An array for a state, to be filled by `set_up`."""
    return np.zeros((9, (size + 2) * (size + 1) + 1), np.int16)


# ---------------------------------------------------------------------------- chains


@helper
def around(state, place: int):
    """The four places beside a place."""
    line = state[INFO, SIZE] + 1
    return place - line, place - 1, place + 1, place + line


@helper
def _new_stone(state, place: int, colour: int) -> None:
    """Put a chain of one stone at an empty place; its liberties are left to be counted."""
    index, last = state[WHERE, place], state[INFO, EMPTIES] - 1
    moved = state[EMPTY, last]
    state[EMPTY, index] = moved
    state[WHERE, moved] = index
    state[INFO, EMPTIES] = last
    state[COLOUR, place] = colour
    state[CHAIN, place] = place
    state[NEXT, place] = place
    state[STONES, place] = 1
    state[LIBERTIES, place] = 0


@helper
def _join(state, head: int, other: int) -> None:
    """Make two chains, named by their heads, one; the smaller one changes its head."""
    if state[STONES, head] < state[STONES, other]:
        head, other = other, head
    place = other
    while True:
        state[CHAIN, place] = head
        place = state[NEXT, place]
        if place == other:
            break
    state[NEXT, head], state[NEXT, other] = state[NEXT, other], state[NEXT, head]
    state[LIBERTIES, head] += state[LIBERTIES, other]
    state[STONES, head] += state[STONES, other]


@helper
def _take(state, head: int) -> None:
    """Take a chain off the board; the chains beside it gain liberties."""
    place = head
    count = state[INFO, EMPTIES]
    while True:
        state[COLOUR, place] = NOTHING
        state[CHAIN, place] = 0
        state[EMPTY, count] = place
        state[WHERE, place] = count
        count += 1
        for beside in around(state, place):
            state[LIBERTIES, state[CHAIN, beside]] += 1
        place = state[NEXT, place]
        if place == head:
            break
    state[INFO, CAPTURED] += count - state[INFO, EMPTIES]
    state[INFO, EMPTIES] = count


@helper
def may_play(state, place: int, side: int) -> bool:
    """Whether a stone at an empty place would live; the ko rule is not asked."""
    for beside in around(state, place):
        if state[COLOUR, beside] == NOTHING:
            return True
    # The stone takes a pseudo-liberty from all its neighbours. It lives if a friend keeps one,
    # or if an enemy has none left.
    for beside in around(state, place):
        state[LIBERTIES, state[CHAIN, beside]] -= 1
    lives = False
    for beside in around(state, place):
        colour = state[COLOUR, beside]
        if colour != EDGE:
            has_some = state[LIBERTIES, state[CHAIN, beside]] > 0
            lives |= has_some == (colour == side)
    for beside in around(state, place):
        state[LIBERTIES, state[CHAIN, beside]] += 1
    return lives


@helper
def is_eye(state, place: int, side: int) -> bool:
    """Whether an empty place is a single-point eye of a side, by the usual rule of playouts.

    All places beside it are the side's stones or the edge, and of the four places diagonal to it
    the other side holds at most one, or none if some of them are off the board.
    """
    for beside in around(state, place):
        colour = state[COLOUR, beside]
        if colour != side and colour != EDGE:
            return False
    line = state[INFO, SIZE] + 1
    lost, off = 0, 0
    for diagonal in (place - line - 1, place - line + 1, place + line - 1, place + line + 1):
        colour = state[COLOUR, diagonal]
        if colour == EDGE:
            off = 1
        elif colour == 3 - side:
            lost += 1
    return lost + off < 2


@helper
def pass_turn(state) -> None:
    """Pass, which also lifts a ko."""
    state[INFO, PASSES] += 1
    state[INFO, KO] = 0
    state[INFO, CAPTURED] = 0
    state[INFO, SIDE] = 3 - state[INFO, SIDE]


@helper
def put_stone(state, place: int) -> None:
    """Play a stone at an empty place: take what it takes, itself if it must."""
    side = state[INFO, SIDE]
    state[INFO, CAPTURED] = 0
    _new_stone(state, place, side)
    liberties = 0
    only_enemies = True
    for beside in around(state, place):
        colour = state[COLOUR, beside]
        if colour == NOTHING:
            liberties += 1
        state[LIBERTIES, state[CHAIN, beside]] -= 1
        only_enemies &= colour == 3 - side or colour == EDGE
    state[LIBERTIES, place] = liberties

    for beside in around(state, place):
        if state[COLOUR, beside] == side and state[CHAIN, beside] != state[CHAIN, place]:
            _join(state, state[CHAIN, place], state[CHAIN, beside])
    taken = 0
    for beside in around(state, place):
        if state[COLOUR, beside] == 3 - side and state[LIBERTIES, state[CHAIN, beside]] == 0:
            _take(state, state[CHAIN, beside])
            taken = beside
    # One stone taken by one that had only enemies around it: to take back would restore the board.
    state[INFO, KO] = taken if only_enemies and state[INFO, CAPTURED] == 1 else 0
    if state[LIBERTIES, state[CHAIN, place]] == 0:
        _take(state, state[CHAIN, place])
    state[INFO, PASSES] = 0
    state[INFO, SIDE] = 3 - side


@helper
def place_of(state, point: int) -> int:
    """The place of a point."""
    return point + point // state[INFO, SIZE] + state[INFO, SIZE] + 2


# ---------------------------------------------------------------------------- states


@kernel("void(int16[:, ::1], uint8[::1], int64, int64, int64)")
def set_up(state, board, side: int, ko: int, passes: int) -> None:
    """Fill a state from a board; `ko` is the forbidden point or -1."""
    size = 1
    while size * size < board.shape[0]:
        size += 1
    state[:] = 0
    state[COLOUR] = EDGE
    state[INFO, SIZE] = size
    for point in range(board.shape[0]):
        place = place_of(state, point)
        state[COLOUR, place] = NOTHING
        state[EMPTY, point] = place
        state[WHERE, place] = point
    state[INFO, EMPTIES] = board.shape[0]
    # All stones are put before liberties are counted, so that none of them takes another.
    for point in range(board.shape[0]):
        if board[point] != NOTHING:
            _new_stone(state, place_of(state, point), board[point])
    for point in range(board.shape[0]):
        place = place_of(state, point)
        colour = state[COLOUR, place]
        if colour == NOTHING:
            continue
        for beside in around(state, place):
            head, other = state[CHAIN, place], state[CHAIN, beside]
            if state[COLOUR, beside] == NOTHING:
                state[LIBERTIES, head] += 1
            elif state[COLOUR, beside] == colour and head != other:
                _join(state, head, other)
    state[INFO, SIDE] = side
    state[INFO, KO] = 0 if ko < 0 else place_of(state, ko)
    state[INFO, PASSES] = passes


@kernel("void(int16[:, ::1], uint8[::1])")
def read_board(state, board) -> None:
    """Copy the stones of a state into a board."""
    for point in range(board.shape[0]):
        board[point] = state[COLOUR, place_of(state, point)]


@kernel("void(int16[:, ::1], int64)")
def play(state, point: int) -> None:
    """Play at a point, or pass with -1."""
    if point < 0:
        pass_turn(state)
    else:
        put_stone(state, place_of(state, point))


@kernel("void(int16[:, ::1], boolean, uint8[::1])")
def legal(state, suicide: bool, mask) -> None:
    """Mark the points at which the side to move may play; superko is not asked."""
    side = state[INFO, SIDE]
    for point in range(mask.shape[0]):
        place = place_of(state, point)
        mask[point] = (
            state[COLOUR, place] == NOTHING
            and place != state[INFO, KO]
            and (suicide or may_play(state, place, side))
        )


@kernel("int64(int16[:, ::1], int16[::1], boolean)")
def replay(state, points, suicide: bool) -> int:
    """Play points (-1 passes) while they are legal and the game goes on; how many were played."""
    for i in range(points.shape[0]):
        if state[INFO, PASSES] >= 2:
            return i
        if points[i] < 0:
            pass_turn(state)
        else:
            place = place_of(state, points[i])
            if state[COLOUR, place] != NOTHING or place == state[INFO, KO]:
                return i
            if not suicide and not may_play(state, place, state[INFO, SIDE]):
                return i
            put_stone(state, place)
    return points.shape[0]


# ---------------------------------------------------------------------------- to the end


@helper
def area_of(state) -> int:
    """Black's area less white's; `REACH` then holds the colours that each empty place reaches."""
    score = 0
    count = state[INFO, EMPTIES]
    for i in range(count):
        state[REACH, state[EMPTY, i]] = 0
    changed = True
    while changed:
        changed = False
        for i in range(count):
            place = state[EMPTY, i]
            reach = state[REACH, place]
            for beside in around(state, place):
                colour = state[COLOUR, beside]
                if colour == NOTHING:
                    reach |= state[REACH, beside]
                elif colour != EDGE:
                    reach |= colour
            if reach != state[REACH, place]:
                state[REACH, place] = reach
                changed = True
    size = state[INFO, SIZE]
    for line in range(1, size + 1):
        first = line * (size + 1) + 1
        for place in range(first, first + size):
            owner = state[COLOUR, place]
            if owner == NOTHING:
                owner = state[REACH, place]
            if owner == BLACK:
                score += 1
            elif owner == WHITE:
                score -= 1
    return score


@helper
def drawn_empty(state, left, counter) -> tuple[Any, Any, Any]:
    """One of the first `left` empty places in the list: its index, the place, and the counter."""
    counter += STREAM_STEP
    index = np.int64(((mixed(counter) >> _32) * np.uint64(left)) >> _32)
    return index, np.int64(state[EMPTY, index]), counter


@helper
def put_behind(state, index, left) -> None:
    """Exchange two empty places in the list, so that the one at `index` is not drawn again."""
    place, last = state[EMPTY, index], state[EMPTY, left]
    state[EMPTY, index] = last
    state[WHERE, last] = index
    state[EMPTY, left] = place
    state[WHERE, place] = left


@helper
def drawn_place(state, counter) -> tuple[Any, Any]:
    """A random place to play at, or 0 if there is none, and the counter.

    Moves are uniform among the legal ones that do not fill an eye of one's own; suicide is not
    among them, nor is superko asked.
    """
    side, ko = state[INFO, SIDE], state[INFO, KO]
    left = np.int64(state[INFO, EMPTIES])
    while left > 0:
        index, place, counter = drawn_empty(state, left, counter)
        if place != ko and not is_eye(state, place, side) and may_play(state, place, side):
            return place, counter
        left -= 1
        put_behind(state, index, left)
    return np.int64(0), counter


@helper
def play_on(state, limit: int, counter):
    """Play random moves until both sides pass or `limit` moves are made; the new counter.

    A side that has no move left (`drawn_place`) passes.
    """
    for _ in range(limit):
        if state[INFO, PASSES] >= 2:
            break
        place, counter = drawn_place(state, counter)
        if place > 0:
            put_stone(state, place)
        else:
            pass_turn(state)
    return counter


@helper
def play_on_noting(state, limit: int, counter, noted):
    """The same; `noted[point]`, where it is -1, becomes the side that plays there first: 0 or 1."""
    size = np.int64(state[INFO, SIZE])
    for _ in range(limit):
        if state[INFO, PASSES] >= 2:
            break
        side = state[INFO, SIDE]
        place, counter = drawn_place(state, counter)
        if place > 0:
            line = place // (size + 1)
            point = place - line - size - 1
            if noted[point] < 0:
                noted[point] = side - 1
            put_stone(state, place)
        else:
            pass_turn(state)
    return counter


@kernel("uint64(int16[:, ::1], int64, uint64)")
def playout(state, limit: int, counter):
    """Play a state to its end in place, at most `limit` moves; the counter of random numbers."""
    return play_on(state, limit, counter)


@kernel("int64(int16[:, ::1], uint8[::1])")
def area(state, owners) -> int:
    """Black's area less white's, and whose each point is: 1 black, 2 white, else nobody's."""
    score = area_of(state)
    for point in range(owners.shape[0]):
        place = place_of(state, point)
        colour = state[COLOUR, place]
        owners[point] = state[REACH, place] if colour == NOTHING else colour
    return score


@kernel("void(int16[:, ::1], int64, uint64, int16[::1], int32[:, ::1])")
def playouts(state, limit: int, seed, scores, owned) -> None:
    """Play a state to its end many times over; `state` itself stays.

    `scores[i]` becomes black's area less white's of playout i, which draws from a stream of its
    own; `owned[point]` counts the playouts at whose end a point is black's, and white's (an array
    without rows asks for no such counts).
    """
    copy = np.empty_like(state)
    for i in range(scores.shape[0]):
        copy_into(copy, state)
        play_on(copy, limit, mixed(seed + np.uint64(i) * STREAM_STEP))
        scores[i] = area_of(copy)
        for point in range(owned.shape[0]):
            place = place_of(copy, point)
            owner = copy[COLOUR, place]
            if owner == NOTHING:
                owner = copy[REACH, place]
            owned[point, 0] += owner == BLACK
            owned[point, 1] += owner == WHITE


# ---------------------------------------------------------------------------- packed bits
# 64 points are eight words, a byte for each point: 0, 1 (black) or 2 (white). Shifted by 0 to 7
# bits and laid over each other, they are one word for each colour, in which bit n of byte j tells
# of point 8 * n + j. That word is a square of eight by eight bits, which has to be reflected.

_EVEN, _ODD = np.uint64(0x5555_5555_5555_5555), np.uint64(0xAAAA_AAAA_AAAA_AAAA)
_2, _4, _6 = np.uint64(2), np.uint64(4), np.uint64(6)


@kernel("void(uint8[:, ::1], boolean[::1], uint64[:, ::1])")
def pack_boards(boards, swapped, rows) -> None:
    """Bit p of a row: is point p black? Bit points + p: is it white? Lowest bits first.

    Where `swapped` is true the colours change places.
    """
    points = boards.shape[1]
    n_words = (points + 63) // 64
    cells = np.zeros(64 * n_words, np.uint8)
    eights = cells.view(np.uint64)
    halves = np.empty((2, n_words), np.uint64)
    shift = np.uint64(points & 63)
    for i in range(boards.shape[0]):
        for p in range(points):
            cells[p] = boards[i, p]
        first = 1 if swapped[i] else 0
        for w in range(n_words):
            n = 8 * w
            # Two bits a point, so that four words fit over each other.
            even = eights[n] | eights[n + 2] << _2 | eights[n + 4] << _4 | eights[n + 6] << _6
            odd = eights[n + 1] | eights[n + 3] << _2 | eights[n + 5] << _4 | eights[n + 7] << _6
            halves[first, w] = reflected((even & _EVEN) | (odd & _EVEN) << ONE)
            halves[1 - first, w] = reflected((even & _ODD) >> ONE | (odd & _ODD))
        for w in range(rows.shape[1]):
            rows[i, w] = halves[0, w] if w < n_words else ZERO
        for w in range(n_words):
            place = (points >> 6) + w
            rows[i, place] |= halves[1, w] << shift
            if place + 1 < rows.shape[1]:
                # Shifting by 64 is not defined, so that the rest is shifted in two steps.
                rows[i, place + 1] |= (halves[1, w] >> ONE) >> (SIX_BITS - shift)
