"""The truth about Hex positions on small boards, from the solver."""

from __future__ import annotations

from clauseboard.games.hex.rules import HexPosition
from clauseboard.games.hex.solver import LARGEST, solver_for
from clauseboard.games.solution import Progress, Solution


def solve(position: HexPosition, progress: Progress | None = None) -> Solution:
    """Who wins, and every move that wins; sizes up to 6 take seconds, 7 and 8 patience."""
    size = position.game.size
    if size > LARGEST:
        raise ValueError(f"The solver takes boards of size 1 to {LARGEST}, not {size}.")
    solver = solver_for(size)
    winner = solver.solve(position).winner
    good = solver.winning_moves(position) if winner == position.to_move else ()
    return Solution(winner, tuple(good), tuple(solver.principal_line(position)))
