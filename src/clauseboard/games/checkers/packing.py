"""Boards straight from words of bits into packed rows, many at a time.

A packed row has the same bits, in the same order, as `np.packbits(row, bitorder="little")` of a row
of 0 and 1; it is stored in 64-bit words. `turn` says for each board whether it is to be shown from
white's side: turned round, with the colours exchanged, so that white's pieces become black's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.kernels.bits import ONE, ZERO, count_ones, lowest_one
from clauseboard.kernels.compiler import helper, kernel

_1, _2, _3, _4, _8, _16, _24, _32 = (np.uint64(n) for n in (1, 2, 3, 4, 8, 16, 24, 32))
_BYTES = tuple(np.uint64(0xFF << 8 * n) for n in range(4))
_ODD = np.uint64(0x5555_5555)
_PAIRS = np.uint64(0x3333_3333)
_NIBBLES = np.uint64(0x0F0F_0F0F)
_EDGES = np.uint64(sum(1 << (square - 1) for square in (4, 5, 12, 13, 20, 21, 28, 29)))
_ROW = np.uint64(0xF)


@helper
def without_gaps(word: Any) -> Any:
    """A word of a board with square n on bit n - 1."""
    return (
        (word & _BYTES[0])
        | ((word >> _1) & _BYTES[1])
        | ((word >> _2) & _BYTES[2])
        | ((word >> _3) & _BYTES[3])
    )


@helper
def turned(word: Any) -> Any:
    """32 bits the other way round."""
    word = ((word >> _1) & _ODD) | ((word & _ODD) << _1)
    word = ((word >> _2) & _PAIRS) | ((word & _PAIRS) << _2)
    word = ((word >> _4) & _NIBBLES) | ((word & _NIBBLES) << _4)
    return (
        (word >> _24)
        | ((word >> _8) & _BYTES[1])
        | ((word << _8) & _BYTES[2])
        | ((word << _24) & _BYTES[3])
    )


@helper
def seen(boards: Any, turn: Any, n: int) -> Any:
    """The two sides' pieces and the kings of a board, without gaps, black's or white's first."""
    black, white = without_gaps(boards[n, 0]), without_gaps(boards[n, 1])
    kings = without_gaps(boards[n, 2])
    if turn[n]:
        return turned(white), turned(black), turned(kings)
    return black, white, kings


@kernel("void(uint64[:, ::1], boolean[::1], uint64[:, ::1])")
def pack_squares(boards: Any, turn: Any, rows: Any) -> None:
    """32 bits each for own men, own kings, the others' men and their kings: two words a board."""
    for n in range(boards.shape[0]):
        ours, theirs, kings = seen(boards, turn, n)
        rows[n, 0] = (ours & ~kings) | ((ours & kings) << _32)
        rows[n, 1] = (theirs & ~kings) | ((theirs & kings) << _32)


@kernel("void(uint64[:, ::1], boolean[::1], uint64[:, ::1])")
def pack_cells(boards: Any, turn: Any, rows: Any) -> None:
    """Eight by eight cells of four bits, the light ones empty: four words a board."""
    for n in range(boards.shape[0]):
        ours, theirs, kings = seen(boards, turn, n)
        for word in range(4):
            rows[n, word] = ZERO
        pieces = ours | theirs
        while pieces != ZERO:
            square = lowest_one(pieces)
            bit = ONE << np.uint64(square)
            pieces ^= bit
            row = square >> 2
            cell = 8 * row + 2 * (square & 3) + 1 - (row & 1)
            kind = (2 if theirs & bit != ZERO else 0) + (1 if kings & bit != ZERO else 0)
            rows[n, cell >> 4] |= ONE << np.uint64(4 * (cell & 15) + kind)


@helper
def centre(men: Any, kings: Any) -> int:
    """The row, 1 to 8, in which the weight of some pieces lies; a king weighs two. 0: no piece."""
    weight = 0
    moment = 0
    for row in range(8):
        shift = np.uint64(4 * row)
        here = count_ones((men >> shift) & _ROW) + 2 * count_ones((kings >> shift) & _ROW)
        weight += here
        moment += (row + 1) * here
    return moment // weight if weight > 0 else 0


@helper
def measured(ours: Any, theirs: Any, kings: Any) -> Any:
    """Seven numbers that tell of a board as a whole (see `encoding.MEASURES`)."""
    return (
        count_ones(ours & ~kings),
        count_ones(theirs & ~kings),
        count_ones(ours & kings),
        count_ones(theirs & kings),
        count_ones(ours & _EDGES),
        centre(ours & ~kings, ours & kings),
        centre(theirs & ~kings, theirs & kings),
    )


@kernel("void(uint64[:, ::1], boolean[::1], uint8[:, ::1])")
def measure(boards: Any, turn: Any, rows: Any) -> None:
    """The seven numbers of each board."""
    for n in range(boards.shape[0]):
        ours, theirs, kings = seen(boards, turn, n)
        numbers = measured(ours, theirs, kings)
        for i in range(7):
            rows[n, i] = numbers[i]


@kernel("void(uint64[:, ::1], boolean[::1], uint64[:, ::1])")
def pack_digits(boards: Any, turn: Any, rows: Any) -> None:
    """The seven numbers with four binary digits each: one word a board."""
    for n in range(boards.shape[0]):
        ours, theirs, kings = seen(boards, turn, n)
        numbers = measured(ours, theirs, kings)
        word = ZERO
        for i in range(7):
            word |= np.uint64(numbers[i]) << np.uint64(4 * i)
        rows[n, 0] = word


@kernel("void(uint64[:, ::1], boolean[::1], uint64[:, ::1])")
def pack_levels(boards: Any, turn: Any, rows: Any) -> None:
    """As many ones for each of the seven numbers as it is high: two words a board.

    Four numbers have 12 places and three have 8: the first six fill a word.
    """
    for n in range(boards.shape[0]):
        ours, theirs, kings = seen(boards, turn, n)
        numbers = measured(ours, theirs, kings)
        word = ZERO
        for i in range(6):
            ones = (ONE << np.uint64(numbers[i])) - ONE
            word |= ones << np.uint64(12 * i if i < 5 else 56)
        rows[n, 0] = word
        rows[n, 1] = (ONE << np.uint64(numbers[6])) - ONE
