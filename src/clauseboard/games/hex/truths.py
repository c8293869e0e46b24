"""The truth about many Hex positions, from the solver; see `games.truths`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clauseboard.games.hex.boards import SIDES, boards_of
from clauseboard.games.hex.rules import Hex, HexPosition, cells_of
from clauseboard.games.hex.solver import solver_for
from clauseboard.games.truths import Truth

QUICK = False

LARGEST = 7
"""Larger boards take the solver too long."""


def truths(game: Hex, positions: Sequence[HexPosition]) -> list[Truth | None]:
    """Who wins, and every move that wins; nothing of large boards, nor where one may swap."""
    found: list[Truth | None] = [None] * len(positions)
    if game.size > LARGEST:
        return found
    rows = [n for n, p in enumerate(positions) if p.outcome() is None and not p.may_swap]
    boards = boards_of(game, [positions[n] for n in rows])
    sides = np.array([SIDES.index(positions[n].to_move) for n in rows], np.int8)
    solver = solver_for(game.size)
    cells = cells_of(game.size)
    for n, word in zip(rows, solver.label_moves(game, boards, sides), strict=True):
        good = tuple(cell for k, cell in enumerate(cells) if int(word) >> k & 1)
        mover = positions[n].to_move
        found[n] = Truth(mover if good else game.other(mover), good)
    return found
