"""Figure 1 of the swarm thesis: a thousand games of checkers by random moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clauseboard.papers import experiment as table
from clauseboard.papers.experiment import Figure, PaperTable, RunSize, TaskResult
from clauseboard.papers.matches import Pairing, match_figures
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.swarm_tables import SOURCE

GAMES = 1000
PUBLISHED = (425, 393, 182)
"""Games that black wins, that white wins, and draws."""

SECONDS = 22.05

ROWS = {"100 moves in all are a draw": 100, "100 moves of each side are": 200}

NO_OTHER_DRAWS = {"repetitions": None, "quiet_moves": None}
"""The thesis knows no other draws."""


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Who wins, for both meanings of a hundred moves."""
    n_games = size.games_of(GAMES)
    figures = []
    for row, most in ROWS.items():
        pairing = Pairing(
            "checkers", "random", "random", parameters=NO_OTHER_DRAWS, most_moves=most
        )
        tasks = pairing.tasks(n_games)
        figures += match_figures(row, ("black wins", "white wins"), PUBLISHED, tasks)
        figures.append(Figure(row, "seconds", SECONDS, tasks, seconds))
    return figures


def seconds(done: Sequence[TaskResult]) -> list[float]:
    """How long a thousand games take."""
    n_games = sum(len(one.result["games"]) for one in done)
    return [GAMES * sum(one.seconds for one in done) / n_games]


TABLE = PaperTable(
    source=SOURCE,
    number="figure 1",
    where="section 8.1, figure 1: example of output for checkers games played",
    title="random against random",
    plan=plan,
    headline=(next(iter(ROWS)), "draws"),
    notes=(
        "White's wins cannot be read in the figure; they are what is left of a thousand games.",
        "The thesis calls a game a draw after a hundred moves and does not say whether those of "
        "one side or of both; both are there.",
        "Seconds are those of a thousand games on the machine at hand.",
    ),
    sizes={
        "quick": replace(table.SIZES["quick"], games=20),
        "default": replace(table.SIZES["full"], name="default", games=GAMES),
        "full": table.SIZES["full"],
    },
)
