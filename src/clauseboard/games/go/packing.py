"""Go boards to packed bits, straight from arrays of boards."""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.compiled import kernel

_NO_COLOUR = 4
"""What the last bits of a row ask for, behind those that have a meaning: no point holds it."""


@kernel("void(uint8[:, ::1], boolean[::1], int64[::1], uint8[:, ::1])")
def pack(boards: Any, swapped: Any, order: Any, rows: Any) -> None:
    """Bit p of a row: is point order[p] black? Bit points + p: is it white? Lowest bits first."""
    points = boards.shape[1]
    source = np.zeros(8 * rows.shape[1], np.int64)
    colour = np.full(8 * rows.shape[1], _NO_COLOUR, np.uint8)
    for k in range(2 * points):
        source[k] = order[k % points]
        colour[k] = 1 if k < points else 2
    for i in range(boards.shape[0]):
        flip = np.uint8(3) if swapped[i] else np.uint8(0)
        for byte in range(rows.shape[1]):
            value = np.uint8(0)
            for bit in range(8):
                k = 8 * byte + bit
                value |= np.uint8(boards[i, source[k]] == colour[k] ^ flip) << np.uint8(bit)
            rows[i, byte] = value
