"""The truth about Hex positions on small boards, from the solver."""

from __future__ import annotations

from clauseboard.games.hex.rules import Hex, HexMove, HexPosition, Swap
from clauseboard.games.hex.solver import LARGEST, solver_for
from clauseboard.games.solution import Progress, Solution


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
