"""What the bits of the view "mover" are, on a board with the second colour to move.

The view shows such a board as if the first colour were to move: the colours are exchanged, and
the board is turned or reflected where the goals of the game want it. A game says how in a file
`views.py` of its folder: `mover_source(game)` is the bit of the board that each bit of the view is.
"""

from __future__ import annotations

import importlib

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Game


def mover_source(game: Game) -> NDArray[np.intp]:
    """For each bit of the view "mover", with the second colour to move, the bit of the board.

    >>> from clauseboard.game import load_game
    >>> mover_source(load_game("go", size=2)).tolist()
    [4, 5, 6, 7, 0, 1, 2, 3]
    """
    return importlib.import_module(f"clauseboard.games.{game.name}.views").mover_source(game)
