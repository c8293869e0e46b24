"""Hex as blue sees it: the board reflected at its long diagonal, the colours exchanged."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.hex.rules import Hex


def mover_source(game: Hex) -> NDArray[np.intp]:
    """The bit of the board that blue sees as each bit; see `games.views`."""
    bits = np.arange(2 * game.size**2).reshape(2, game.size, game.size)
    return bits[::-1].transpose(0, 2, 1).reshape(-1)
