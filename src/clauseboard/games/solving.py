"""The truth about a position, where it can be known.

A game that can be solved, wholly or in part, has a file `solving.py` with the functions

- `check(game)`: a `ValueError` if the parameters of the game are not those of its solver;
- `solve(position, progress)`: the `Solution`, or a `ValueError` where it is not known;
- `best_move(position, seed)`: a best move and the winner, or None where it is not known;

which are found by those here.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from clauseboard.game import Game, Outcome, game_names
from clauseboard.games.parts import part_of

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
    # Folders are looked at, not imported: the help of a command lists these games.
    above = importlib.import_module("clauseboard.games").__path__
    return tuple(
        name
        for name in game_names()
        if any(m.name == "solving" for m in pkgutil.iter_modules([f"{a}/{name}" for a in above]))
    )


def solve(position: Any, progress: Progress | None = None) -> Solution:
    """The truth about a position; a `ValueError` where it cannot be known."""
    return _solver_of(position.game).solve(position, progress)


def best_move(position: Any, seed: int = 0) -> tuple[Any, str | None] | None:
    """A move that wins soonest, draws, or loses latest, and who wins; None if it is not known.

    The seed decides between moves that are as good as each other.
    """
    return _solver_of(position.game).best_move(position, seed)


def check_solvable(game: Game) -> None:
    """Refuse a game without a solver, or with parameters that its solver does not take."""
    _solver_of(game).check(game)


def _solver_of(game: Game) -> ModuleType:
    if game.name not in solvable_games():
        known = " and ".join(solvable_games())
        raise ValueError(f"There is no solver for {game.name}; there are some for {known}.")
    return importlib.import_module(f"clauseboard.games.{game.name}.solving")


# The truth about many positions at once, for those who learn from it.
#
# A game that can tell has a file `truths.py` in its folder with a function `truths(game, positions)`,
# which gives a `Truth` for each position, or None where it is not known, and `QUICK`, whether this is
# no more than a look into a table. `games.solution` tells more of single positions.


@dataclass(frozen=True)
class Truth:
    """Who wins with best play, None for a draw, and the moves that win, where these are told."""

    winner: str | None
    good_moves: tuple[Any, ...] = ()


def knows_truths(game: Game) -> bool:
    """Whether anything is known of the game's positions."""
    return part_of(game, "truths") is not None


def truths(game: Game, positions: Sequence[Any]) -> list[Truth | None]:
    """The truth about each position; None where nobody knows it.

    >>> from clauseboard.game import load_game
    >>> game = load_game("hex", size=3)
    >>> [truth] = truths(game, [game.read_position(".../.R./... blue")])
    >>> truth.winner
    'red'
    """
    teller = part_of(game, "truths")
    return [None] * len(positions) if teller is None else teller.truths(game, positions)


def known_end(game: Game, position: Any) -> Outcome | None:
    """How a game ended, or will end with best play where a look into a table tells."""
    ended = position.outcome()
    teller = part_of(game, "truths")
    if ended is not None or teller is None or not teller.QUICK:
        return ended
    [truth] = teller.truths(game, [position])
    return None if truth is None else Outcome(truth.winner, "by the endgame tables")
