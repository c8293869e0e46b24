"""Boards of 9×9 Go for experiments that have no file of them.

The composition of a kind says which board of each game it is: "end", "after 80" moves, or "after 80
of 90": after 80 moves of the games that have 90 or more.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clauseboard.datasets import build
from clauseboard.games.datasets import Composition, load_composition
from clauseboard.games.go.encoding import planes as by_points
from clauseboard.papers.boards import Boards, Kind
from clauseboard.papers.go_games import GAME, RANDOM, USUAL, games_file

KEEPS = True
"""Games take a while to play; they are kept for the other tables."""

GAMES = 3_000
"""What two cores play in some minutes; the Go thesis has 2,340,000."""

RANDOM_UP_TO = 400
"""So few games are only to see that a table can be made; then random ones do."""


def made(kind: Kind, found: Mapping[Kind, Boards]) -> Boards | None:
    """Of no boards others can be made: games go on differently."""
    return None


def generated(kind: Kind, n_games: int | None, folder: Path | None = None, jobs: int = 1) -> Boards:
    """The boards of a kind out of games that are played for it, or were for another kind."""
    n_games = GAMES if n_games is None else min(GAMES, n_games)
    style = RANDOM if n_games <= RANDOM_UP_TO else USUAL
    with tempfile.TemporaryDirectory() as passing:
        file = games_file(n_games, style, folder or Path(passing), jobs)
        data = build(composition_of(kind), [file], unique=kind.unique)
    return Boards(
        kind, f"{n_games:,} {style}", True, data.packed, len(data.bits),
        data.results(data.game.colours[0]), data.folds, data.n_folds,
    )  # fmt: skip


def composition_of(kind: Kind) -> Composition:
    """How the boards of a kind are made of games.

    >>> composition_of(Kind("go", "after 80 of 90", False))
    After(size=9, at_least=90, moves=80)
    """
    name, *numbers = kind.composition.replace(" of ", " ").split()
    options = dict(zip(("moves", "at_least"), map(int, numbers), strict=False))
    return load_composition(kind.game, name, **options)


def composition_name(composition: str, options: Mapping[str, Any]) -> str:
    """The other way round, for the data set of a file.

    >>> composition_name("after", {"moves": 80, "at_least": 90}), composition_name("end", {})
    ('after 80 of 90', 'end')
    """
    if "moves" not in options:
        return composition
    moves, at_least = options["moves"], options.get("at_least", 0)
    return f"{composition} {moves}{f' of {at_least}' if at_least > moves else ''}"


def planes(X: Any) -> tuple[Any, tuple[int, int, int]]:
    """Boards with the two colours of a point beside each other, as a window needs them."""
    points = by_points(X, GAME.size)
    return points.reshape(len(X), -1), points.shape[1:]
