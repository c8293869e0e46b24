"""Figures 8.6 and 8.7 of the Go thesis: a search with captures and without."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from clauseboard.papers.experiment import BoardDrawing, Figure, PaperTable, ResultLookup, RunSize
from clauseboard.papers.go_games import GAME
from clauseboard.papers.go_searching import NO_PASSES, UNSEEN
from clauseboard.papers.go_tables import SEARCHER, SIZES_OF_SEARCH, SOURCE
from clauseboard.papers.go_untaken import ALTERED, UNALTERED, mean_of, untaken_tasks
from clauseboard.papers.matches import games_of
from clauseboard.papers.materials import BoardSource

PUBLISHED = {
    (UNALTERED, "votes"): (423, -330, 1555, 2388, 3264, 4174),
    (UNALTERED, "areas"): (-4, -3, -3, 20, 23, 23),
    (ALTERED, "votes"): (423, 1117, 30305, 35928, 34868, 41667),
    (ALTERED, "areas"): (-4, -3, 20, 20, 8, 13),
}
"""Of one game: votes for what is predicted and area, on the board and after each of five moves."""

ROWS = {
    (UNALTERED, "votes"): "8.6, unaltered board: votes for what is predicted",
    (UNALTERED, "areas"): "8.6, unaltered board: area less komi",
    (ALTERED, "votes"): "8.7, altered board: votes for what is predicted",
    (ALTERED, "areas"): "8.7, altered board: area less komi",
}

COLUMNS = ("Initial", "B Move 1", "W Move 2", "B Move 3", "W Move 4", "B Move 5")


def at(way: str, what: str, move: int) -> Callable[[Mapping[str, Any]], float]:
    """Reads a number of a game."""
    return lambda game: game[way][what][move]


def stronger(game: Mapping[str, Any]) -> float:
    """100 if the machine is surer at the end where stones are taken off, else 0."""
    return 100.0 * (game[ALTERED]["votes"][-1] > game[UNALTERED]["votes"][-1])


def differing(game: Mapping[str, Any]) -> int:
    """Points that differ between the two boards at the end."""
    return sum(a != b for a, b in zip(game[UNALTERED]["last"], game[ALTERED]["last"], strict=True))


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Six figures a row; and how often taking stones makes the machine surer."""
    tasks, settings = untaken_tasks(size, source), str(SEARCHER.at(size))
    figures = [
        Figure(
            ROWS[way, what], column, number, tasks, mean_of(at(way, what, move)),
            settings=settings, digits=0,
        )
        for (way, what), numbers in PUBLISHED.items()
        for move, (column, number) in enumerate(zip(COLUMNS, numbers, strict=True))
    ]  # fmt: skip
    more = Figure("more votes on the altered board", "% of games", None, tasks, mean_of(stronger))
    return [*figures, more]


def drawings(size: RunSize, source: BoardSource, look: ResultLookup) -> list[BoardDrawing]:
    """The two boards at the end of the lines, of the game in which most points lie between them."""
    games = games_of([look(task) for task in untaken_tasks(size, source)])
    chosen = max(games, key=differing)
    drawn = []
    for number, way in (("8.6", UNALTERED), ("8.7", ALTERED)):
        line, position = chosen[way], GAME.position(bytes(chosen[way]["last"]), "white")
        moves = ", ".join(
            f"{move} {votes:,} ({area:+g})"
            for move, votes, area in zip(
                ["initial", *line["moves"]], line["votes"], line["areas"], strict=False
            )
        )
        title = f"Figure {number}: {way} board; moves with votes and area: {moves}"
        drawn.append(BoardDrawing(title, str(position), GAME.draw(position)))
    return drawn


TABLE = PaperTable(
    source=SOURCE,
    number="figure 8.6",
    where="section 8.1, figures 8.6 and 8.7: example of an unaltered board, and of an altered one",
    title="a search with captures and without",
    plan=plan,
    headline=("more votes on the altered board", "% of games"),
    notes=(
        "Published numbers are those of one game, chosen to show something; ours are means over "
        "games.",
        "On the unaltered board stones stay that have no liberty, and may be put anywhere; its "
        "area is counted on the real board, from which they are taken.",
        UNSEEN,
        NO_PASSES,
    ),
    drawings=drawings,
    sizes=SIZES_OF_SEARCH,
)
