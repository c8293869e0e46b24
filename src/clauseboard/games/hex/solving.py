"""The truth about Hex positions on small boards, from the solver."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clauseboard.games.hex.boards import SIDES, boards_of
from clauseboard.games.hex.rules import Hex, HexMove, HexPosition, Swap, cells_of
from clauseboard.games.hex.solver import LARGEST, solver_for
from clauseboard.games.solving import Progress, Solution, Truth


def check(game: Hex) -> None:
    """Refuse boards that are too large for the solver."""
    if game.size > LARGEST:
        raise ValueError(f"The solver takes boards of size 1 to {LARGEST}, not {game.size}.")


def best_move(position: HexPosition, seed: int) -> tuple[HexMove | Swap, str]:
    """A move that wins soonest or loses latest, and the winner; see `Solver.best_move`."""
    check(position.game)
    solver = solver_for(position.game.size)
    return solver.best_move(position, seed), solver.solve(position).winner


def solve(position: HexPosition, progress: Progress | None = None) -> Solution:
    """Who wins, and every move that wins; sizes up to 6 take seconds, 7 and 8 patience."""
    check(position.game)
    solver = solver_for(position.game.size)
    winner = solver.solve(position).winner
    stones = solver.fewest_moves(position)
    plies = None if stones is None else max(0, 2 * stones - (winner == position.to_move))
    line = tuple(solver.principal_line(position))
    return Solution(winner, solver.winning_moves(position), line, plies)


# ---- the truth about many Hex positions, from the solver; see `games.solving`

QUICK = False

LARGEST_LABELLED = 7
"""Larger boards take the solver too long."""


def truths(game: Hex, positions: Sequence[HexPosition]) -> list[Truth | None]:
    """Who wins, and every move that wins; nothing of large boards, nor where one may swap."""
    found: list[Truth | None] = [None] * len(positions)
    if game.size > LARGEST_LABELLED:
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
