"""The tables of the temporal report.

William Melicher, *The Implementation of Machine Learning in the Game of Checkers*, 2009.
"""

from __future__ import annotations

import itertools
import json
import statistics
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from clauseboard.evaluation import BitEvaluator
from clauseboard.game import load_game
from clauseboard.papers import (
    Computed,
    Figure,
    JsonObject,
    PaperTable,
    Plot,
    ReadValues,
    ResultLookup,
    RunSize,
    Task,
    TaskResult,
    of_each,
    one_by_one,
    sizes,
)
from clauseboard.papers.boards import Run
from clauseboard.papers.matches import against_random, match_figures
from clauseboard.papers.shapes import mean_curve
from clauseboard.papers.training import as_text, loaded

table = partial(PaperTable, "temporal report")

SIZES = sizes({"games": 2, "runs": 1}, {"games": 60, "runs": 3}, {"games": 200, "runs": 10})
"""`runs` is the number of trainings; `games` those of a match."""

GAMES = 20
"""After about so many the report sees little change."""

WEIGHTS = ("piece difference", "kings", "side")
"""The report's weights number 1, 2 and 3."""

START = 1.0
"""The value with which every weight begins."""

# ---- training


REPORT = {"rule": "linear", "undo": False, "check_games": 0}
"""The report's plain rule, with nothing that ends a failure."""


def training_tasks(size: RunSize, changes: Mapping[str, object] | None = None) -> tuple[Task, ...]:
    """Trainings with the report's three features, for twice its games; one for each seed."""
    small = {"games": 4, "depth": 1, "longest": 40, "check_games": 2, "check": 2}
    usual = {"games": 2 * GAMES}
    options = {**(small if size.name == "quick" else usual), **(changes or {})}
    return tuple(
        Task(train, {"options": {**options, "seed": seed}, "seed": seed})
        for seed in range(1, size.runs + 1)
    )


@one_by_one("temporal_tables.train")
def train(task: Task) -> JsonObject:
    """Train with a memory of boards: weights after each change, and sizes on disk."""
    from clauseboard.learners.temporal.memory import Memory
    from clauseboard.learners.temporal.trainer import TemporalOptions, TemporalTrainer

    game = load_game("checkers")
    with tempfile.TemporaryDirectory() as folder:
        memory, listed, path = (Path(folder) / name for name in ("memory", "boards.txt", "weights"))
        options = TemporalOptions(**task.settings["options"], memory=str(memory))
        trainer = TemporalTrainer.begin(game, options)
        notes = [note for progress in trainer.steps() for note in progress.notes]
        trainer.save(path)
        with Memory(memory, game, create=False) as kept:
            kept.export(listed)
            n_boards = len(kept)
        # The report's file has only the weights; ours has also the state to continue from.
        weights = dict(zip(trainer.features.names, trainer.weights.tolist(), strict=True))
        return {
            "names": trainer.features.names,
            "history": trainer.history.tolist(),
            "first_game": trainer.first_game.tolist(),
            "notes": notes,
            "boards": n_boards,
            "memory_bytes": memory.stat().st_size,
            "list_bytes": listed.stat().st_size,
            "weights_bytes": len(json.dumps(weights)),
            "options": {k: v for k, v in asdict(options).items() if k not in ("memory",)},
            "machine": as_text(path),
        }


# ---- section 4: the weights in the course of a game


def plan_game(run: Run) -> list[Figure]:
    """Each weight at the start of the first game, at its highest, and at the end."""
    tasks = training_tasks(run.size)
    moments: tuple[tuple[str, Callable[[Sequence[float]], float], float | None], ...] = (
        ("at the start", lambda values: values[0], START),
        ("at its highest", max, None),
        ("at the end", lambda values: values[-1], None),
    )
    figures = [
        Figure(name, when, published, tasks, in_first_game(place, read), digits=3)
        for place, name in enumerate(WEIGHTS)
        for when, read, published in moments
    ]
    plain = training_tasks(run.size, REPORT)
    return figures + [
        Figure(
            f"{name}, plain rule",
            f"{when}, median",
            None,
            plain,
            median(in_first_game(place, read)),
            of_seeds=True,
        )
        for place, name in enumerate(WEIGHTS)
        for when, read, _ in moments[1:]
    ]


def median(values: ReadValues) -> ReadValues:
    """The middle one of the values: a weight that runs away would be all that a mean shows."""
    return lambda done: [statistics.median(values(done))]


def in_first_game(place: int, read: Callable[[Sequence[float]], float]) -> ReadValues:
    """A number of a weight's course through the first game."""
    return of_each(lambda result: read([row[place] for row in result["first_game"]]))


def plot_game(run: Run, results: ResultLookup) -> list[Plot]:
    """The report's graph, of the first game of the first training."""
    rows = results(training_tasks(run.size)[0]).result["first_game"]
    curves = {name: [row[place] for row in rows] for place, name in enumerate(WEIGHTS)}
    return [Plot("game", "Weights over a game", curves, {}, "changes", "weight", start=0)]


# ---- section 5: the weights over games, strength and memory

DEPTH = 3
"""Moves that are looked ahead in matches, as in training."""

LITTLE = 0.05
"""A weight that changes by less, from one game to the next, changes little."""

BOARD_KILOBYTES, WEIGHTS_KILOBYTES = 2.5, 0.55
"""The size on disk of each board, and of the weights, in the report."""

SETTLED = "games until weights change little"


def plan_games(run: Run) -> list[Figure]:
    """The report's conclusions, in numbers."""
    tasks = training_tasks(run.size)
    n_games = run.size.games or 200
    figures = [Figure(SETTLED, "games", GAMES, tasks, settled, digits=0)]
    figures += [
        Figure("weights after all games", name, None, tasks, last_weight(place), digits=3)
        for place, name in enumerate(WEIGHTS)
    ]
    figures.append(Figure("games undone", "games", None, tasks, undone, digits=1))
    plain = training_tasks(run.size, REPORT)
    figures += [
        Figure("plain rule", name, None, plain, read, digits=0, of_seeds=True)
        for name, read in (
            ("trainings", lambda done: [len(done)]),
            ("of these, a good weight turned negative", number_that(turned)),
            ("of these, weights grew beyond all bounds", number_that(ran_away)),
        )
    ]
    figures.append(
        Figure("plain rule", "games until the first failure, median", None, plain, first_failure,
               of_seeds=True)
    )  # fmt: skip
    for row, line, machines in (
        ("before learning", f"temporal:depth={DEPTH}", ((),)),
        ("after learning", f"temporal:weights={{0}},depth={DEPTH}", tuple((t,) for t in tasks)),
    ):
        played = against_random("checkers", line, machines, n_games)
        row = f"{row}, against random moves"
        groups = len(machines)
        settings = f"{n_games} games of {line} against random moves"
        settings += f" by each of {groups} trainings" if groups > 1 else ""
        figures += match_figures(row, ("wins", "losses"), None, played, settings, groups)
    # Learned weights are so much alike that from the same openings all would play one game.
    against = tuple(
        Task(
            compare,
            {"games": n_games, "depth": DEPTH, "seed": task.settings["seed"]},
            needs=(task,),
        )
        for task in tasks
    )
    return [
        *figures,
        Figure("after against before learning", "points, %", None, against, points),
        Figure("memory", "boards", None, tasks, boards, digits=0),
        Figure("memory", "kilobytes a board", BOARD_KILOBYTES, tasks, per_board("memory_bytes")),
        Figure("memory", "kilobytes a board, as text", None, tasks, per_board("list_bytes")),
        Figure("memory", "kilobytes for the weights", WEIGHTS_KILOBYTES, tasks, weights_kilobytes),
    ]


@of_each
def settled(result: JsonObject) -> int:
    """The game after which no weight changes by more than a little."""
    moved = [
        game
        for game, (before, after) in enumerate(itertools.pairwise(result["history"]), 1)
        if max(abs(a - b) for a, b in zip(after, before, strict=True)) > LITTLE
    ]
    return moved[-1] if moved else 0


def number_that(holds: Callable[[JsonObject], bool]) -> ReadValues:
    """The number of trainings of which something holds."""
    return lambda done: [sum(holds(task.result) for task in done)]


def turned(result: JsonObject) -> bool:
    """Whether the weight of pieces or of kings was negative after a game."""
    return any(min(row[:2]) < 0 for row in result["history"])


def ran_away(result: JsonObject) -> bool:
    """Whether a training ended early: the next step would have left all bounds."""
    return len(result["history"]) - 1 < result["options"]["games"]


def first_failure(done: Sequence[TaskResult]) -> list[float]:
    """The game after which a training had failed first, or the last one; the median of all."""
    return [
        statistics.median(
            next(
                (n for n, row in enumerate(result["history"]) if min(row[:2]) < 0),
                len(result["history"]) - 1,
            )
            for result in (task.result for task in done)
        )
    ]


def last_weight(place: int) -> ReadValues:
    """A weight at the end of the training."""
    return of_each(lambda result: result["history"][-1][place])


def per_board(name: str) -> ReadValues:
    """A size on disk, in kilobytes for each board in the memory."""
    return of_each(lambda result: result[name] / result["boards"] / 1000)


boards = of_each(lambda result: result["boards"])
undone = of_each(lambda result: len(result["notes"]))  # each is noted
weights_kilobytes = of_each(lambda result: result["weights_bytes"] / 1000)
points = of_each(lambda result: 100 * result["share"])


@one_by_one("temporal_section_5.compare")
def compare(task: Task) -> JsonObject:
    """The share of points of learned weights against equal ones."""
    from clauseboard.learners.temporal import make_evaluator
    from clauseboard.learners.temporal.trainer import share_of_points

    game, settings = load_game("checkers"), task.settings
    learned = loaded(task.given[0], lambda path: make_evaluator(game, weights=path))
    equal = make_evaluator(game)
    assert isinstance(learned, BitEvaluator)
    assert isinstance(equal, BitEvaluator)
    share = share_of_points(learned, equal, settings["games"], settings["depth"], settings["seed"])
    return {"share": share}


def plot_games(run: Run, results: ResultLookup) -> list[Plot]:
    """The weights before the first game and after each one: the mean of all trainings."""
    histories = [results(task).result["history"] for task in training_tasks(run.size)]
    curves = {
        name: mean_curve([row[place] for row in history] for history in histories)
        for place, name in enumerate(WEIGHTS)
    }
    return [Plot("games", "Weights over the games", curves, {}, "games", "weight", start=0)]


PLAIN_RULE = (
    "The plain rule is the report's: the value of a board is the sum of its weighted features, and "
    "nobody takes back what went wrong. Ours predicts a result between -1 and 1 instead. The "
    "report does not say how features are scaled or what a win is worth; here they are counts, "
    "and 1."
)

TABLES = (
    table(
        "section 4",
        "section 4, results: the value of the terms of the heuristic over the course of a game",
        "weights over a game",
        Computed(plan_game, plot_game),
        headline=("piece difference", "at the end"),
        notes=(
            "The graph has no numbers; the text says that each weight begins with 1.0, rises "
            "faster and faster, is then held to be too high, and is lowered by less and less.",
            PLAIN_RULE,
        ),
        sizes=SIZES,
    ),
    table(
        "section 5",
        "section 5, conclusion: little change after about twenty iterations, harder to beat, 2.5 "
        "kilobytes for each board and .55 for the heuristic",
        "weights over games, strength, memory",
        Computed(plan_games, plot_games),
        headline=("after against before learning", "points, %"),
        notes=(
            f"Ours learn for twice as many games as the report tells of. A change is little below "
            f"{LITTLE:g} from one game to the next. The report says that the player becomes harder "
            "to beat and prints no number of it.",
            "Undone are games after which a weight of something good had turned negative, or the "
            "weights lost to the last good ones: the report tells of such failures, which a person "
            "had to end there.",
            PLAIN_RULE,
            "The memory is an SQLite file with what came of each board; as text it is the report's "
            "list of boards and of those reached from them.",
        ),
        difference="ours learns by another rule (the plain one is beside it) and keeps its boards "
        "and weights in less room",
        sizes=SIZES,
    ),
)
