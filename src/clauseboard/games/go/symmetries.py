"""The eight ways in which a board of Go can lie."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.go import board
from clauseboard.games.go.rules import Go


def cells(game: Go) -> NDArray[np.intp]:
    """The board as it is, turned, and reflected; see `games.symmetries`."""
    return board.symmetries(game.size)
