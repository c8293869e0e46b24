"""Endgames worked out backwards, and looked up.

A table is one byte a board, for the side to move: 0 is a draw; any other
value is one more than the number of moves, of both sides, to the end of the game. Who moves last
wins. So an odd value is a loss, 1 is a side that cannot move, and an even value is a win. A byte is
enough: no win of five pieces takes more than 162 moves.

While a table is made, `unknown` holds, for each board, how many of its moves are not yet known to
lose. A value is final once the levels have come up to it, if it is even or nothing is unknown.
"""

from __future__ import annotations

import itertools
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.checkers.encoding import turned, with_gaps
from clauseboard.games.checkers.kernels import (
    BLACK,
    EVERY,
    MOST_MOVES,
    MOST_WAITING,
    WHITE,
    generate,
    jumpers,
)
from clauseboard.kernels.bits import ONE, ZERO, count_ones
from clauseboard.kernels.compiler import helper, kernel

# ---- a number for every board of a few pieces, so that a table can hold what is known of it
# Boards are seen by the side to move, and sorted by their material: how many men and kings that
# side has, and how many the other. Each of these four groups of pieces gets a number of its own,
# the rank of its squares in colexicographic order; and the four together, like the digits of a
# number, are the number of the board. Kings are ranked among the squares that men, and the kings
# ranked before, leave free. Only two men may claim the same square, so that few numbers are no
# boards (of those of five pieces, one in 27). Each side counts squares from its own end: black's
# first is 1, white's first is 32. A board with white to move then needs not be turned round.

MOST_PIECES = 5
"""Tables of more pieces are not made: those of six would take 2.6 GB."""

BASE = MOST_PIECES + 1
MAN_SQUARES, KING_SQUARES = 28, 32
"""Where men and kings may stand: a man on the last row would be a king."""


class Material(NamedTuple):
    """How many men and kings the side to move has, and how many the other side."""

    men: int
    kings: int
    other_men: int
    other_kings: int

    @property
    def pieces(self) -> int:
        """All of them."""
        return sum(self)

    @property
    def turned(self) -> Material:
        """The same pieces with the other side to move."""
        return Material(self.other_men, self.other_kings, self.men, self.kings)

    @property
    def code(self) -> int:
        """Where the offset of this material is found."""
        return ((self.men * BASE + self.kings) * BASE + self.other_men) * BASE + self.other_kings

    @property
    def size(self) -> int:
        """How many numbers its boards have, those of no board included."""
        free = KING_SQUARES - self.men - self.other_men
        return (
            comb(MAN_SQUARES, self.men)
            * comb(MAN_SQUARES, self.other_men)
            * comb(free, self.kings)
            * comb(free - self.kings, self.other_kings)
        )


def materials(pieces: int) -> list[Material]:
    """All material of so many pieces, some on each side, in an order in which it can be solved.

    Moves lead to fewer pieces, or to more kings among as many, or stay.
    """
    found = [
        Material(*counts)
        for counts in itertools.product(range(pieces + 1), repeat=4)
        if sum(counts) == pieces and 0 < counts[0] + counts[1] < pieces
    ]
    return sorted(found, key=lambda one: (one.men + one.other_men, one))


def table_size(pieces: int) -> int:
    """How many numbers the boards of exactly so many pieces have.

    >>> [table_size(pieces) for pieces in (2, 3, 4)]
    [3512, 198768, 6360312]
    """
    return sum(one.size for one in materials(pieces))


def count_boards(pieces: int) -> int:
    """How many boards of exactly so many pieces there are, some of them on each side.

    The squares 1 to 4, where a black man may stand and a white one not, are told apart from 29 to
    32, where it is the other way round, and from the 24 between.

    >>> count_boards(2)
    3488
    """
    total = 0
    for men, kings, other_men, other_kings in materials(pieces):
        for at_home in range(men + 1):
            between = men - at_home
            placed = comb(4, at_home) * comb(24, between) * comb(28 - between, other_men)
            free = 32 - men - other_men
            total += placed * comb(free, kings) * comb(free - kings, other_kings)
    return total


def count_boards_of_one_side(pieces: int) -> int:
    """How many boards of exactly so many pieces there are, all of one side, black's or white's.

    >>> [count_boards(n) + count_boards_of_one_side(n) for n in (1, 2, 3, 4)]
    [120, 6972, 261224, 7092774]
    """
    return 2 * sum(comb(28, men) * comb(32 - men, pieces - men) for men in range(pieces + 1))


def offsets(pieces: int) -> NDArray[np.int64]:
    """Where in one long table each material begins, by its code; -1: it has no place there."""
    found = np.full(BASE**4, -1, np.int64)
    at = 0
    for n in range(2, pieces + 1):
        for one in materials(n):
            found[one.code] = at
            at += one.size
    return found


def groups() -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """All groups of up to four squares, square n on bit n - 1; where each size begins.

    A group of n squares with rank r is `words[starts[n] + r]`.
    """
    words: list[int] = []
    starts = []
    for size in range(MOST_PIECES):
        starts.append(len(words))
        # Colexicographic order: the highest squares count most.
        words += sorted(sum(1 << s for s in one) for one in itertools.combinations(range(32), size))
    return np.array(words, np.uint64), np.array(starts, np.int64)


CHOOSE = np.array([[comb(n, k) for k in range(BASE)] for n in range(33)], np.int64)


LOST = 1
"""The side to move cannot move."""

NO_BOARD = 255
"""The value of a number, and its count of unknown moves, where two pieces are on one square."""

NEVER = 100
"""Added to the count of unknown moves where a draw is at hand; no board has so many moves."""


@helper
def rank(word, free, side: int) -> int:
    """The rank of a group of pieces among all groups as large on `free`, from its side's end."""
    total = 0
    if side == BLACK:
        nth = 0
        while word != ZERO:
            nth += 1
            below = (word & (~word + ONE)) - ONE
            total += CHOOSE[count_ones(free & below), nth]
            word &= word - ONE
    else:
        nth = count_ones(word)
        while word != ZERO:
            up_to = word ^ (word - ONE)
            total += CHOOSE[count_ones(free & ~up_to), nth]
            nth -= 1
            word &= word - ONE
    return total


@helper
def code_of(sizes) -> int:
    """Where the offset of a material is found; `sizes` are its four numbers."""
    return ((sizes[0] * BASE + sizes[1]) * BASE + sizes[2]) * BASE + sizes[3]


@helper
def counts_of_groups(sizes):
    """How many ranks the four groups have: men, the other's men, kings, the other's kings."""
    free = KING_SQUARES - sizes[0] - sizes[2]
    return (
        CHOOSE[MAN_SQUARES, sizes[0]],
        CHOOSE[MAN_SQUARES, sizes[2]],
        CHOOSE[free, sizes[1]],
        CHOOSE[free - sizes[1], sizes[3]],
    )


@helper
def number(ours, theirs, kings, side: int, sizes) -> int:
    """The number of a board of some material."""
    men, other_men = ours & ~kings, theirs & ~kings
    free = EVERY & ~(men | other_men)
    _, n_other_men, n_kings, n_other_kings = counts_of_groups(sizes)
    at = rank(men, EVERY, side) * n_other_men + rank(other_men, EVERY, 1 - side)
    at = at * n_kings + rank(ours & kings, free, side)
    return at * n_other_kings + rank(theirs & kings, free & ~ours, 1 - side)


@helper
def look_up(black, white, kings, side: int, values, offsets):
    """The value of a board for the side to move; for kernels of any kind.

    The other side must have a piece, and both together no more than the tables have.
    """
    ours = black if side == BLACK else white
    theirs = white if side == BLACK else black
    if ours == ZERO:
        return LOST
    sizes = (
        count_ones(ours & ~kings),
        count_ones(ours & kings),
        count_ones(theirs & ~kings),
        count_ones(theirs & kings),
    )
    at = number(ours, theirs, kings, side, sizes)
    return np.int64(values[offsets[code_of(sizes)] + at])


@helper
def count_numbers(sizes) -> int:
    """How many numbers the boards of a material have."""
    n_men, n_other_men, n_kings, n_other_kings = counts_of_groups(sizes)
    return n_men * n_other_men * n_kings * n_other_kings


@helper
def spread(word, occupied):
    """Move a group up so that the occupied squares are left out; both without gaps."""
    while occupied != ZERO:
        below = word & ((occupied & (~occupied + ONE)) - ONE)
        word = below | ((word ^ below) << ONE)
        occupied &= occupied - ONE
    return word


@helper
def board_of(at: int, sizes, words, starts):
    """The board of a number, with black to move."""
    _, n_other_men, n_kings, n_other_kings = counts_of_groups(sizes)
    other_crowned, at = at % n_other_kings, at // n_other_kings
    crowned, at = at % n_kings, at // n_kings
    men, other_men = at // n_other_men, at % n_other_men
    black = words[starts[sizes[0]] + men]
    white = turned(words[starts[sizes[2]] + other_men])
    black_kings = spread(words[starts[sizes[1]] + crowned], black | white)
    black |= black_kings
    white_kings = turned(spread(words[starts[sizes[3]] + other_crowned], turned(black | white)))
    return with_gaps(black), with_gaps(white | white_kings), with_gaps(black_kings | white_kings)


@helper
def heard(value: int, win: int, draw: bool, loss: int):
    """The soonest win, whether there is a draw, the latest loss: with one more move looked at.

    `value` is that of the board after the move, for the other side. No win yet: `NO_BOARD`.
    """
    if value == 0:
        draw = True
    elif value & 1 == 1:
        win = min(win, value + 1)
    else:
        loss = max(loss, value + 1)
    return win, draw, loss


@helper
def settled(win: int, draw: bool, loss: int) -> int:
    """The value of a board when all that counts has been heard."""
    if win != NO_BOARD:
        return win
    return 0 if draw else loss


@kernel("void(uint8[::1], uint8[::1], int64[::1], uint64[::1], int64[::1], UniTuple(int64, 4))")
def look_out(values, unknown, offsets, words, starts, sizes) -> None:
    """Value the boards of one material by the moves that leave it: jumps, and men crowned.

    Its other moves are counted into `unknown`, which has a place for each of them.
    """
    boards = np.empty((MOST_MOVES, 3), np.uint64)
    waiting = np.empty((MOST_WAITING, 2), np.uint64)
    start = offsets[code_of(sizes)]
    n_pieces = sizes[0] + sizes[1] + sizes[2] + sizes[3]
    for i in range(count_numbers(sizes)):
        black, white, kings = board_of(i, sizes, words, starts)
        if count_ones(black | white) != n_pieces:
            unknown[i] = NO_BOARD
            continue
        n = generate(black, white, kings, BLACK, False, boards, waiting)
        win, draw, loss = NO_BOARD, False, LOST if n == 0 else 0
        staying = 0
        for j in range(n):
            if boards[j, 1] == white and count_ones(boards[j, 2]) == sizes[1] + sizes[3]:
                staying += 1
                continue
            value = look_up(boards[j, 0], boards[j, 1], boards[j, 2], WHITE, values, offsets)
            win, draw, loss = heard(value, win, draw, loss)
        # If it turns out to be a loss, it takes so long at least; if a win, so long at most.
        values[start + i] = settled(win, draw, loss)
        unknown[i] = staying + NEVER if draw else staying


@helper
def tell(values, start: int, unknown, at: int, level: int) -> None:
    """Tell a board that one of its moves leads to a board whose value is `level`."""
    value = np.int64(values[start + at])
    if level & 1 == 1:
        if value & 1 == 1 or value == 0 or value > level + 1:
            values[start + at] = level + 1
    else:
        unknown[at] -= 1
        if unknown[at] == 0 and (value & 1 == 1 or value == 0):
            values[start + at] = max(value, level + 1)


@helper
def stepped_back(piece, shift: int):
    """The square, perhaps off the board, that a step to a piece's square came from."""
    return piece << np.uint64(shift) if shift > 0 else piece >> np.uint64(-shift)


@helper
def must_jump(black, white, kings) -> bool:
    """Whether white, to move, can jump."""
    return jumpers(white & kings, white, black, EVERY & ~(black | white)) != ZERO


@kernel(
    "void(uint8[::1], uint8[::1], uint8[::1], int64[::1], uint64[::1], int64[::1],"
    " UniTuple(int64, 4), int64)"
)
def step_back(values, unknown, unknown_before, offsets, words, starts, sizes, level: int) -> None:
    """Tell all boards of a material from which a step leads to one whose value is now final.

    Those told are of the same pieces with the other side, white, to move; only steps lead on from
    them here, and only where no jump had to be made. `unknown_before` is theirs.
    """
    start = offsets[code_of(sizes)]
    turned_sizes = (sizes[2], sizes[3], sizes[0], sizes[1])
    turned_start = offsets[code_of(turned_sizes)]
    for i in range(count_numbers(sizes)):
        if values[start + i] != level or (level & 1 == 1 and unknown[i] > 0):
            continue
        black, white, kings = board_of(i, sizes, words, starts)
        empty = EVERY & ~(black | white)
        for way in range(4):
            shift = 4 if way == 0 else 5 if way == 1 else -4 if way == 2 else -5
            # White's men step to lower numbers, so they come from higher ones.
            movers = (white if way < 2 else white & kings) & stepped_back(empty, -shift)
            while movers != ZERO:
                piece = movers & (~movers + ONE)
                movers ^= piece
                step = piece | stepped_back(piece, shift)
                before = white ^ step
                kings_before = kings ^ step if kings & piece != ZERO else kings
                if not must_jump(black, before, kings_before):
                    at = number(before, black, kings_before, WHITE, turned_sizes)
                    tell(values, turned_start, unknown_before, at, level)


@kernel("int64(uint8[::1], int64[::1], uint64[::1], int64[::1], UniTuple(int64, 4))")
def count_faults(values, offsets, words, starts, sizes) -> int:
    """How many boards of a material have not the value that the boards after their moves give."""
    boards = np.empty((MOST_MOVES, 3), np.uint64)
    waiting = np.empty((MOST_WAITING, 2), np.uint64)
    start = offsets[code_of(sizes)]
    n_pieces = sizes[0] + sizes[1] + sizes[2] + sizes[3]
    faults = 0
    for i in range(count_numbers(sizes)):
        black, white, kings = board_of(i, sizes, words, starts)
        if count_ones(black | white) != n_pieces:
            faults += values[start + i] != NO_BOARD
            continue
        n = generate(black, white, kings, BLACK, False, boards, waiting)
        win, draw, loss = NO_BOARD, False, LOST
        for j in range(n):
            value = look_up(boards[j, 0], boards[j, 1], boards[j, 2], WHITE, values, offsets)
            win, draw, loss = heard(value, win, draw, loss)
        faults += values[start + i] != settled(win, draw, loss)
    return faults


@kernel("void(uint64[:, ::1], int64[::1], uint8[::1], int64[::1], uint8[::1])")
def look_up_each(boards, sides, values, offsets, found) -> None:
    """The values of many boards, n × 3 words, each with its side to move."""
    for i in range(boards.shape[0]):
        found[i] = look_up(boards[i, 0], boards[i, 1], boards[i, 2], sides[i], values, offsets)
