"""What the games that see the cells around a move share (`games/<game>/move_features.py`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.kernels.compiler import helper


def step_text(row: int, column: int) -> str:
    """How to get to a cell.

    >>> step_text(-1, 2)
    '1 up 2 right'
    """
    up = f"{abs(row)} {'up' if row < 0 else 'down'}" if row else ""
    side = f"{abs(column)} {'left' if column < 0 else 'right'}" if column else ""
    return " ".join(part for part in (up, side) if part)


@helper
def set_bit(features: Any, bit: int) -> None:
    """Set a bit of what is seen around the first move of the first board."""
    features[0, 0, bit >> 3] |= np.uint8(1 << (bit & 7))
