"""The eight ways in which a board of Go can lie."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.go.rules import Go


def cells(game: Go) -> NDArray[np.intp]:
    """The board as it is, turned, and reflected; see `games.symmetries`."""
    board = np.arange(game.size**2).reshape(game.size, game.size)
    turned = [np.rot90(side, quarter) for side in (board, board.T) for quarter in range(4)]
    return np.stack([one.reshape(-1) for one in turned])
