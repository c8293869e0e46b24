"""Hex turned by half a turn: the same goals for both sides."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.hex import encoding
from clauseboard.games.hex.rules import Hex


def cells(game: Hex) -> NDArray[np.intp]:
    """The board as it is, and turned; see `games.symmetries`."""
    ways = (way for way in encoding.symmetries(game) if not way.exchanges)
    # The bits of the first colour are the cells.
    return np.stack([way.source[: game.size**2] for way in ways])
