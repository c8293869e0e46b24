"""Games that were written down, whatever the game and the file: to be read one after the other.

A game says how in a file `recorded.py` of its folder: `read_games(path, report)` gives a `Recorded`
for each game that can be replayed, and the report counts the others.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clauseboard.game import Game, Outcome, game_names
from clauseboard.games.report import Report


@dataclass(frozen=True)
class Recorded:
    """A game that was played: its rules, its positions from first to last, and its moves.

    `outcome` is None where nobody noted any; `players` has the names by colour.
    """

    game: Game
    positions: tuple[Any, ...]
    moves: tuple[Any, ...]
    outcome: Outcome | None = None
    players: Mapping[str, str] = field(default_factory=dict)


def read_recorded(path: str | Path, number: int = 1, game: str | None = None) -> Recorded:
    """The game of this number, counted from 1, in a file of PDN or SGF.

    Which game it is of is told by the file, unless it is named.
    """
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"There is no file {str(path)!r} to read a game from.")
    if number < 1:
        raise ValueError(f"Games are counted from 1 on; there is no game {number}.")
    if game is not None and game not in game_names():
        listed = ", ".join(map(repr, game_names()))
        raise ValueError(f"There is no game {game!r}; there are {listed}.")
    names = [game] if game is not None else [n for n in game_names() if _takes(n, path)]
    if not names:
        known = sorted({suffix for name in game_names() for suffix in _suffixes(name)})
        raise ValueError(f"{path.name} is no file of games: its name ends in {' or '.join(known)}.")
    why = ""
    for name in names:
        report, last = Report(), 0
        reader = importlib.import_module(f"clauseboard.games.{name}.recorded")
        found: Recorded
        for last, found in enumerate(reader.read_games(path, report), 1):
            if last == number:
                return found
        if last:
            raise ValueError(f"{path.name} has {last} games that can be replayed, not {number}.")
        if report.drops and not why:
            drop = report.drops[0]
            more = f", {drop.detail}" if drop.detail else f" (line {drop.line})"
            why = f": {drop.reason}{more}".rstrip(".")
    raise ValueError(f"{path.name} has no game that can be replayed{why}.")


def _suffixes(game: str) -> tuple[str, ...]:
    suffixes: tuple[str, ...] = importlib.import_module(
        f"clauseboard.games.{game}.keeping"
    ).SUFFIXES
    return suffixes


def _takes(game: str, path: Path) -> bool:
    return path.suffix.lower() in _suffixes(game)
