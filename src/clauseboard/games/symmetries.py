"""Boards that are the same to a player: turned, reflected, or with the colours exchanged.

`games/<game>/encoding.py` says which symmetries keep the goals of both sides (`cell_symmetries`),
and how the second colour sees the board (`mover_source`); see `games.plugins`.

Where codes of moves (`search.compiled_rules`) are cells and what comes after them, such as a pass,
moves are turned with the board.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Game
from clauseboard.games.plugins import ENCODING, SYMMETRIES


def bit_sources(game: Game) -> NDArray[np.intp]:
    """For each symmetry, the bit of the board that is seen as each bit.

    >>> from clauseboard.game import load_game
    >>> bit_sources(load_game("hex", size=2)).tolist()
    [[0, 1, 2, 3, 4, 5, 6, 7], [3, 2, 1, 0, 7, 6, 5, 4]]
    """
    n_bits = len(game.bits())
    cells = _cells(game)
    if cells is None:
        return np.arange(n_bits)[None]
    planes = np.arange(n_bits).reshape(-1, cells.shape[1])
    return planes[:, cells].transpose(1, 0, 2).reshape(len(cells), -1)


def code_targets(game: Game, n_codes: int) -> NDArray[np.intp]:
    """For each symmetry, the code that each code of a move becomes.

    >>> from clauseboard.game import load_game
    >>> code_targets(load_game("hex", size=2), 5).tolist()
    [[0, 1, 2, 3, 4], [3, 2, 1, 0, 4]]
    """
    cells = _cells(game)
    if cells is None:
        return np.arange(n_codes)[None]
    rest = np.arange(cells.shape[1], n_codes)
    turned = np.argsort(cells, axis=1)
    return np.concatenate([turned, np.tile(rest, (len(cells), 1))], axis=1)


def mover_codes(game: Game, n_codes: int) -> NDArray[np.intp]:
    """The code that each code of the second colour's moves becomes in the view "mover".

    >>> from clauseboard.game import load_game
    >>> mover_codes(load_game("hex", size=2), 5).tolist()
    [0, 2, 1, 3, 4]
    """
    cells = _cells(game)
    if cells is None:
        raise ValueError(f"The moves of {game.name} are no cells, which are what can be turned.")
    n_cells = cells.shape[1]
    seen = np.argsort(mover_source(game)[:n_cells] % n_cells)
    return np.concatenate([seen, np.arange(n_cells, n_codes)])


def _cells(game: Game) -> NDArray[np.intp] | None:
    offered = SYMMETRIES.find(game)
    return None if offered is None else offered.cell_symmetries(game)


def mover_source(game: Game) -> NDArray[np.intp]:
    """For each bit of the view "mover", with the second colour to move, the bit of the board.

    The view shows such a board as if the first colour were to move: the colours are exchanged, and
    the board is turned or reflected where the goals of the game want it.

    >>> from clauseboard.game import load_game
    >>> mover_source(load_game("go", size=2)).tolist()
    [4, 5, 6, 7, 0, 1, 2, 3]
    """
    return ENCODING.of(game).mover_source(game)
