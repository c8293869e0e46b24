"""The truth about a position, where it can be known.

A game that can be solved, wholly or in part, has a file `solving.py` with a function
`solve(position, progress)`; `solve` here finds it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from clauseboard.game import game_names

Progress = Callable[[float], None]
"""Told how much of the work is done, from 0 to 1."""


@dataclass(frozen=True)
class Solution:
    """Who wins with best play, None for a draw; every move that keeps it so; and a best line.

    `good_moves` are the moves of the side to move that win, or draw if none wins; if all lose,
    there are none. `plies` is how many moves, of either side, the game still lasts with best play,
    where that is known.
    """

    winner: str | None
    good_moves: tuple[Any, ...]
    line: tuple[Any, ...]
    plies: int | None = None


def solvable_games() -> tuple[str, ...]:
    """The games that have a solver."""
    return tuple(
        name
        for name in game_names()
        if importlib.util.find_spec(f"clauseboard.games.{name}.solving") is not None
    )


def solve(position: Any, progress: Progress | None = None) -> Solution:
    """The truth about a position; a `ValueError` where it cannot be known."""
    name = position.game.name
    if name not in solvable_games():
        known = " and ".join(solvable_games())
        raise ValueError(f"There is no solver for {name}; there are some for {known}.")
    solver = importlib.import_module(f"clauseboard.games.{name}.solving")
    return solver.solve(position, progress)
