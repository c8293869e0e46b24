"""Table 6.1 of the checkers thesis: a thousand games of self-play, and what blocking changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clauseboard.game import Ending
from clauseboard.papers.checkers_matches import NOTES, PLAYER, SIZES, described, match_tasks
from clauseboard.papers.checkers_tables import SOURCE
from clauseboard.papers.matches import Counted, number_of, won_by
from clauseboard.papers.materials import Materials
from clauseboard.papers.table import Figure, Size, Table

GAMES = 1000
COLUMNS: tuple[tuple[str, int | None], ...] = (
    ("Player 1 wins", 0),
    ("Player 2 wins", 1),
    ("Draws", None),
)
ACHIEVED = (717, 137, 146)
CORRECT = (716, 135, 149)
CHANGE = 0.3


def blocked(game: Mapping[str, Any]) -> bool:
    """Whether a game ended because a side that still had pieces could not move."""
    return Ending.noted(game.get("ending"), game["reason"]) == Ending.BLOCKED


def if_blocked_is_drawn(player: int | None) -> Counted:
    """Who has won, if not being able to move is a draw."""
    return lambda game: (None if blocked(game) else game["winner"]) == player


def plan(size: Size, materials: Materials) -> list[Figure]:
    """The games as they ended, and as they would have under the other rule."""
    tasks = match_tasks(size, materials, (PLAYER, PLAYER), GAMES)
    settings = described((PLAYER, PLAYER), GAMES, size)
    figures = [
        Figure(
            row, name, number, tasks, number_of(counts(player), GAMES), settings=settings, digits=0
        )
        for row, published, counts in (
            ("Achieved results", ACHIEVED, won_by),
            ("Correct results", CORRECT, if_blocked_is_drawn),
        )
        for (name, player), number in zip(COLUMNS, published, strict=True)
    ]
    change = Figure(
        "Change in total", "percent of games", CHANGE, tasks, number_of(blocked, 100), digits=1
    )
    return [*figures, change]


TABLE = Table(
    source=SOURCE,
    number="6.1",
    where="section 6.1, table 6.1: 1000 matches of self-play with the predictors of Player 1 and "
    "Player 2",
    title="a thousand games of self-play",
    plan=plan,
    headline=("Achieved results", "Player 1 wins"),
    notes=(
        "The thesis takes it for a mistake that who cannot move has lost, and calls the results "
        "with a draw there the correct ones. By the rules of American checkers it is the other way "
        "round: who cannot move has lost, and the results achieved are right.",
        *NOTES,
    ),
    sizes=SIZES,
)
