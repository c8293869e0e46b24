"""Section 5 of the temporal report: weights over the games, strength, and memory."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from clauseboard.papers.learned import against_random
from clauseboard.papers.machines import loaded
from clauseboard.papers.matches import match_figures
from clauseboard.papers.materials import Materials
from clauseboard.papers.table import (
    Done,
    Figure,
    Look,
    Picture,
    Size,
    Table,
    Task,
    Told,
    Values,
)
from clauseboard.papers.temporal_tables import GAMES, SIZES, SOURCE, WEIGHTS, training_tasks

DEPTH = 3
"""Moves that are looked ahead in matches, as in training."""

LITTLE = 0.05
"""A weight that changes by less, from one game to the next, changes little."""

BOARD_BYTES, WEIGHTS_BYTES = 2.5, 0.55
"""Kilobytes that the report stores for each board, and for the weights."""

SETTLED = "games until weights change little"


def plan(size: Size, materials: Materials) -> list[Figure]:
    """What the report concludes, in numbers."""
    tasks = training_tasks(size)
    n_games = size.games or 200
    figures = [Figure(SETTLED, "games", GAMES, tasks, settled, digits=0)]
    figures += [
        Figure("weights after all games", name, None, tasks, last_weight(place), digits=3)
        for place, name in enumerate(WEIGHTS)
    ]
    figures.append(Figure("games undone", "games", None, tasks, read("notes", len), digits=1))
    for row, line, machines in (
        ("before learning", f"temporal:depth={DEPTH}", ((),)),
        ("after learning", f"temporal:weights={{0}},depth={DEPTH}", tuple((t,) for t in tasks)),
    ):
        played = against_random("checkers", line, machines, n_games)
        figures += match_figures(
            f"{row}, against random moves", ("wins", "losses"), None, played, of=100
        )
    # Weights that are learned are so much alike that from the same openings all play one game.
    against = tuple(
        Task(
            compare,
            {"games": n_games, "depth": DEPTH, "seed": task.settings["seed"]},
            needs=(task,),
        )
        for task in tasks
    )
    figures += [
        Figure("after against before learning", "points, %", None, against, points),
        Figure("memory", "boards", None, tasks, read("boards", float), digits=0),
        Figure("memory", "kilobytes a board", BOARD_BYTES, tasks, a_board("memory_bytes")),
        Figure("memory", "kilobytes a board, as text", None, tasks, a_board("list_bytes")),
        Figure("memory", "kilobytes for the weights", WEIGHTS_BYTES, tasks, kilobytes),
    ]
    return figures


def settled(done: Sequence[Done]) -> list[float]:
    """The game after which no weight changes by more than a little."""
    return [_settled(one.result["history"]) for one in done]


def _settled(history: Sequence[Sequence[float]]) -> float:
    moved = [
        game
        for game, (before, after) in enumerate(itertools.pairwise(history), 1)
        if max(abs(a - b) for a, b in zip(after, before, strict=True)) > LITTLE
    ]
    return float(moved[-1]) if moved else 0.0


def last_weight(place: int) -> Values:
    """A function that reads off a weight at the end of the training."""
    return lambda done: [one.result["history"][-1][place] for one in done]


def read(name: str, how: Callable[[Any], float]) -> Values:
    """A function that reads something of a training's result."""
    return lambda done: [float(how(one.result[name])) for one in done]


def a_board(name: str) -> Values:
    """A function that reads off a size on disk, in kilobytes for each board in the memory."""
    return lambda done: [one.result[name] / one.result["boards"] / 1000 for one in done]


def kilobytes(done: Sequence[Done]) -> list[float]:
    """What the weights take on disk."""
    return [one.result["weights_bytes"] / 1000 for one in done]


def points(done: Sequence[Done]) -> list[float]:
    """The share of points."""
    return [100 * one.result["share"] for one in done]


def compare(tasks: Sequence[Task], told: Told, device: str) -> list[Mapping[str, Any]]:
    """The share of points of learned weights against equal ones."""
    return [_compared(task) for task in tasks]


def _compared(task: Task) -> dict[str, float]:
    from clauseboard.game import load_game
    from clauseboard.learners.temporal import make_evaluator
    from clauseboard.learners.temporal.trainer import share_of_points

    game, settings = load_game("checkers"), task.settings
    learned: Any = loaded(task.given[0], lambda path: make_evaluator(game, weights=path))
    equal: Any = make_evaluator(game)
    share = share_of_points(learned, equal, settings["games"], settings["depth"], settings["seed"])
    return {"share": share}


def pictures(size: Size, materials: Materials, look: Look) -> list[Picture]:
    """The weights before the first game and after each one: the mean of all trainings."""
    histories = [look(task).result["history"] for task in training_tasks(size)]
    curves = {
        name: [
            statistics.fmean(row[place] for row in rows) for rows in zip(*histories, strict=True)
        ]
        for place, name in enumerate(WEIGHTS)
    }
    return [Picture("games", "Weights over the games", curves, {}, "games", "weight", start=0)]


TABLE = Table(
    source=SOURCE,
    number="section 5",
    where="section 5, conclusion: little change after about twenty iterations, harder to beat, 2.5 "
    "kilobytes for each board and .55 for the heuristic",
    title="weights over games, strength, memory",
    plan=plan,
    headline=("after against before learning", "points, %"),
    notes=(
        f"Ours learn for twice as many games as the report tells of. A change is little below "
        f"{LITTLE:g} from one game to the next. The report says that the player becomes harder to "
        "beat and prints no number of it.",
        "Undone are games after which a weight of something good had turned negative, or the "
        "weights lost to the last good ones: the report tells of such failures, which a person had "
        "to end there.",
        "The memory is an SQLite file with what came of each board; as text it is the report's "
        "list of boards and of those reached from them.",
    ),
    pictures=pictures,
    sizes=SIZES,
)
