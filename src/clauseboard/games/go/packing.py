"""Go boards to packed bits, straight from arrays of boards, 64 points at a time.

64 points are eight words, a byte for each point: 0, 1 (black) or 2 (white). Shifted by 0 to 7 bits
and laid over each other, they are one word for each colour, in which bit n of byte j tells of point
8 * n + j. So that word is a square of eight by eight bits, which only has to be turned round.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.kernels.bits import ONE, SIX_BITS, ZERO
from clauseboard.kernels.compiler import helper, kernel

_EVEN, _ODD = np.uint64(0x5555_5555_5555_5555), np.uint64(0xAAAA_AAAA_AAAA_AAAA)
_ONES, _TWOS, _FOURS = (
    np.uint64(0x00AA_00AA_00AA_00AA),
    np.uint64(0x0000_CCCC_0000_CCCC),
    np.uint64(0x0000_0000_F0F0_F0F0),
)
_2, _4, _6, _7, _14, _28 = (np.uint64(n) for n in (2, 4, 6, 7, 14, 28))

STEPS = (
    (False, False, False),
    (True, False, True),
    (False, True, True),
    (True, True, False),
    (True, False, False),
    (False, False, True),
    (True, True, True),
    (False, True, False),
)
"""Each way of `board.symmetries` in the steps of `squares.show`: reflect, mirror, upside down."""


@helper
def turned_round(square: Any) -> Any:
    """Eight by eight bits: bit n of byte j becomes bit j of byte n.

    Bits change places across the diagonal, then blocks of two by two, then blocks of four by four.
    """
    swap = (square ^ (square >> _7)) & _ONES
    square ^= swap ^ (swap << _7)
    swap = (square ^ (square >> _14)) & _TWOS
    square ^= swap ^ (swap << _14)
    swap = (square ^ (square >> _28)) & _FOURS
    return square ^ swap ^ (swap << _28)


@kernel("void(uint8[:, ::1], boolean[::1], uint64[:, ::1])")
def pack(boards: Any, swapped: Any, rows: Any) -> None:
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
            halves[first, w] = turned_round((even & _EVEN) | (odd & _EVEN) << ONE)
            halves[1 - first, w] = turned_round((even & _ODD) >> ONE | (odd & _ODD))
        for w in range(rows.shape[1]):
            rows[i, w] = halves[0, w] if w < n_words else ZERO
        for w in range(n_words):
            place = (points >> 6) + w
            rows[i, place] |= halves[1, w] << shift
            if place + 1 < rows.shape[1]:
                # Shifting by 64 is not defined, so that the rest is shifted in two steps.
                rows[i, place + 1] |= (halves[1, w] >> ONE) >> (SIX_BITS - shift)
