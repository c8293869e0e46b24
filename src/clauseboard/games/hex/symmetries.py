"""Hex turned by half a turn: the same goals for both sides."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.hex.rules import Hex


def cells(game: Hex) -> NDArray[np.intp]:
    """The board as it is, and turned; see `games.symmetries`."""
    there = np.arange(game.size**2)
    return np.stack([there, there[::-1]])
