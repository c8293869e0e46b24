"""Section 4 of the temporal report: the weights in the course of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clauseboard.papers.experiment import (
    Figure,
    PaperTable,
    Plot,
    ReadValues,
    ResultLookup,
    RunSize,
    TaskResult,
)
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.temporal_tables import SIZES, SOURCE, WEIGHTS, training_tasks

START = 1.0
"""What every weight begins with."""


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Each weight at the start of the first game, at its highest, and at the end."""
    tasks = training_tasks(size)
    return [
        Figure(name, when, published, tasks, in_first_game(place, read), digits=3)
        for place, name in enumerate(WEIGHTS)
        for when, read, published in (
            ("at the start", _first, START),
            ("at its highest", max, None),
            ("at the end", _last, None),
        )
    ]


def _first(values: Sequence[float]) -> float:
    return values[0]


def _last(values: Sequence[float]) -> float:
    return values[-1]


def in_first_game(place: int, read: Callable[[Sequence[float]], float]) -> ReadValues:
    """A function that reads something off a weight's course through the first game."""

    def values(done: Sequence[TaskResult]) -> list[float]:
        return [read([row[place] for row in one.result["first_game"]]) for one in done]

    return values


def pictures(size: RunSize, source: BoardSource, look: ResultLookup) -> list[Plot]:
    """The report's graph, of the first game of the first training."""
    rows = look(training_tasks(size)[0]).result["first_game"]
    curves = {name: [row[place] for row in rows] for place, name in enumerate(WEIGHTS)}
    return [Plot("game", "Weights over a game", curves, {}, "changes", "weight", start=0)]


TABLE = PaperTable(
    source=SOURCE,
    number="section 4",
    where="section 4, results: the value of the terms of the heuristic over the course of a game",
    title="weights over a game",
    plan=plan,
    headline=("piece difference", "at the end"),
    notes=(
        "The graph has no numbers; the text says that each weight begins with 1.0, rises faster "
        "and faster, is then held to be too high, and is lowered by less and less.",
    ),
    pictures=pictures,
    sizes=SIZES,
)
