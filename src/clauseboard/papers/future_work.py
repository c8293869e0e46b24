"""What the documents leave to future work, measured: tables of our own.

Nothing is published to compare with. Where two ways of playing or learning are compared, both are
in the same table, on the same data.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from clauseboard.papers import (
    Computed,
    Figure,
    PaperTable,
    ReadValues,
    TaskResult,
    accuracy,
    adaptive_epochs,
    sizes,
)
from clauseboard.papers.boards import BoardSet, LabelledBoards, Run
from clauseboard.papers.checkers_thesis import (
    BEST,
    ENDS,
    MATCH_SIZES,
    PLAYER,
    STOPPED,
    machine_text,
    predictors,
    stopped_machines,
)
from clauseboard.papers.go_search import SEARCHER, UNFINISHED
from clauseboard.papers.go_thesis import ALL, OPTIMAL
from clauseboard.papers.go_thesis import SIZES as GO_SIZES
from clauseboard.papers.matches import MatchSide, MatchTable, Pairing, match_figures
from clauseboard.papers.shapes import LAST, Column, MachineRow, MachineTable, last_ten, score
from clauseboard.papers.training import TrainingSchedule, fold_tasks

table = partial(PaperTable, "future work")

NOTHING_PUBLISHED = "A table of our own: the document prints no numbers to compare with."

# ---- 1: checkers without draws


@dataclass(frozen=True)
class Decided:
    """The boards of a set whose games were not drawn."""

    boards: BoardSet

    def take(self, run: Run) -> LabelledBoards:
        """The boards, in their folds."""
        boards = run.boards(self.boards)
        return boards.part(boards.results != 2)


def decided_accuracy(done: Sequence[TaskResult]) -> list[float]:
    """Of the test boards that were won or lost, those predicted rightly, in percent."""
    values = []
    for task in done:
        confusion = np.array(task.result["confusion"])[:2]
        values.append(100 * float(np.trace(confusion) / confusion.sum()))
    return values


def right_side(done: Sequence[TaskResult]) -> list[float]:
    """Of the test boards won or lost that are predicted as such, those predicted rightly."""
    values = []
    for task in done:
        confusion = np.array(task.result["confusion"])[:2, :2]
        values.append(100 * float(np.trace(confusion) / max(confusion.sum(), 1)))
    return values


WITHOUT_DRAWS = stopped_machines(
    MachineRow(
        "learned with draws", BEST, ENDS,
        (
            Column("accuracy on all boards", accuracy, None),
            Column("accuracy on decided boards", decided_accuracy, None),
            Column("the same, where no draw is predicted", right_side, None),
        ),
    ),
    MachineRow(
        "learned without draws", BEST, Decided(ENDS),
        (
            Column("accuracy on decided boards", accuracy, None),
            Column("F for wins", score("win", "F"), None),
            Column("F for losses", score("loss", "F"), None),
        ),
    ),
)  # fmt: skip

# ---- 2: deeper search, weighted scores and Monte-Carlo tree search in checkers

MACHINES = "tsetlin:black={0},white={1},by=player"
GAMES = 10

WAYS = {
    "five moves deep": f"{MACHINES},search=breadth_first,depth=5,sees_last_end=false",
    "scores weighted by votes": f"{PLAYER},confidence=true",
    "Monte-Carlo tree search, 500 simulations": f"{MACHINES},search=mcts,simulations=500",
    "Monte-Carlo tree search, 5,000 simulations": f"{MACHINES},search=mcts,simulations=5000",
}


def plan_ways(run: Run) -> list[Figure]:
    """Each way against the thesis's player with the same machines, half of the games as black."""
    figures = []
    for name, line in WAYS.items():
        sides = MatchSide(name, line), MatchSide("three moves", PLAYER)
        match = MatchTable(
            "checkers", sides, (0, 0, 0), predictors, machine_text, swap=True, games=GAMES
        )
        pairs, tasks, settings = match.played(run, (line, PLAYER), match.rules[0])
        figures += match_figures(name, ("wins", "losses"), None, tasks, settings, pairs)
    return figures


# ---- 3: when to stop, with constants chosen on other folds

WINDOWS, PATIENCES = (5, 10, 20), (5, 10, 15, 25, 40)


def stopped_after(accuracies: Sequence[float], window: int, patience: int) -> int:
    """Epochs run if training stops when the best mean of a window is so many epochs old.

    >>> stopped_after([0.1, 0.5, 0.4, 0.3, 0.9], window=1, patience=2)
    4
    """
    means = np.convolve(accuracies, np.ones(window) / window, "valid")
    best = 0
    for place, mean in enumerate(means):
        if mean >= means[best]:
            best = place
        if place - best >= patience:
            return window + place
    return len(accuracies)


def chosen_elsewhere(n_folds: int) -> ReadValues:
    """Accuracies on the test boards; each fold's constants are the best of the other folds."""

    def values(done: Sequence[TaskResult]) -> list[float]:
        constants = [(window, patience) for window in WINDOWS for patience in PATIENCES]
        tested = np.array(
            [
                [
                    100 * task.result["tested"][stopped_after(task.accuracies, *pair) - 1]
                    for pair in constants
                ]
                for task in done
            ]
        )
        folds = np.arange(len(done)) % n_folds
        best = [tested[folds != fold].mean(axis=0).argmax() for fold in range(n_folds)]
        return [
            statistics.fmean(
                tested[row, best[row % n_folds]] for row in range(first, first + n_folds)
            )
            for first in range(0, len(done), n_folds)
        ]

    return values


def plan_rules(run: Run) -> list[Figure]:
    """The mean of each run by the rules of table 5.2, and with chosen constants."""
    runs = adaptive_epochs.plan_runs(ENDS, BEST, run)
    tasks = tuple(task for some in runs.held_out for task in some)
    n_folds = len(runs.held_out[0])
    rules: dict[str, ReadValues] = {
        adaptive_epochs.stop_name(stop, run.size): adaptive_epochs.mean_of_runs(stop, n_folds)
        for stop in adaptive_epochs.STOP_RULES
    }
    rules["version 3, constants chosen on the other folds"] = chosen_elsewhere(n_folds)
    return [
        Figure(name, "accuracy", None, tasks, read, settings=str(runs.machine))
        for name, read in rules.items()
    ]


# ---- 4: the convolutional machine on the data of chapter 7 of the Go thesis

WINDOW = 7
GO_SETS = {
    "100": BoardSet("go", "after 100"),
    "90": BoardSet("go", "after 90"),
    "90_100T": UNFINISHED,
    "80": BoardSet("go", "after 80"),
    "80_90T": BoardSet("go", "after 80 of 90"),
}

CONVOLUTION = MachineTable(
    tuple(
        MachineRow(
            f"{name}, {way}",
            machine,
            boards,
            (Column("last 10 epochs", last_ten, None),),
        )
        for name, boards in GO_SETS.items()
        for way, machine in (
            ("whole board", OPTIMAL),
            (f"window {WINDOW}x{WINDOW}", replace(OPTIMAL, window=WINDOW)),
        )
    )
)

# ---- 5: Monte-Carlo tree search against tree search in Go

GO_MACHINES = {
    "1,000 clauses, after 90 moves": MachineRow("", SEARCHER, UNFINISHED, (), keep=True),
    "32,000 clauses, ends of games": MachineRow("", OPTIMAL, ALL, (), keep=True),
}
MONTE_CARLO = "tsetlin:machine={0},search=mcts,simulations=500"
TREE = "tsetlin:machine={0},search=width_depth,width=3,depth=3"
GO_GAMES = 4


def plan_go(run: Run) -> list[Figure]:
    """Games between the two searches with the same machine, and each against random moves."""
    figures = []
    for name, row in GO_MACHINES.items():
        machines = row.tasks(run, stop=None)
        settings = str(row.machine.at(run.size))
        for first, second, words in (
            (MONTE_CARLO, TREE, "Monte-Carlo against tree search"),
            (MONTE_CARLO, "random", "Monte-Carlo search against random moves"),
            (TREE, "random", "tree search against random moves"),
        ):
            tasks = tuple(
                task
                for machine in machines
                for task in Pairing(
                    "go", first, second, (machine,), swap=True, parameters={"size": 9}
                ).tasks(run.size.games_of(GO_GAMES))
            )
            figures += match_figures(
                f"{name}: {words}", ("wins", "losses"), None, tasks, settings, len(machines)
            )
    return figures


# ---- 6: settings for each data set of chapter 7 of the Go thesis

USUAL = replace(OPTIMAL, clauses=8_000, T=2_000)
"""The settings that chapter 6 ends with, at a quarter of the clauses and of the threshold."""

CHOICES = tuple(
    replace(USUAL, T=T, s=s)
    for T, s in ((2_000, 40), (1_000, 40), (4_000, 40), (2_000, 20), (2_000, 80), (4_000, 80))
)
"""The first is `USUAL`."""


def tested_late(task: TaskResult) -> float:
    """The mean accuracy on the test boards over the last ten epochs, in percent."""
    return 100 * statistics.fmean(task.result["tested"][-LAST:])


def chosen_on_the_next(n_folds: int) -> ReadValues:
    """Accuracies on the test boards with the settings that are best on the fold after each.

    Tasks come by settings, `n_folds` of each.
    """

    def values(done: Sequence[TaskResult]) -> list[float]:
        watched = last_ten(done)
        return [
            tested_late(done[max(range(fold, len(done), n_folds), key=watched.__getitem__)])
            for fold in range(n_folds)
        ]

    return values


def plan_choices(run: Run) -> list[Figure]:
    """Accuracies with the usual settings, and with those chosen for each set."""
    figures = []
    schedule = TrainingSchedule(run.size.epochs, stop=None, hold_out=True, watch="both")
    for name, boards in GO_SETS.items():
        tasks = [
            fold_tasks(boards.take(run), run.size, machine.at(run.size), schedule)
            for machine in CHOICES
        ]
        usual, *_ = tasks
        every = tuple(task for some in tasks for task in some)
        texts = ", ".join(f"T {m.T:,} and s {m.s}" for m in (m.at(run.size) for m in CHOICES))
        figures += [
            Figure(name, "usual settings", None, usual, lambda done: [*map(tested_late, done)],
                   settings=str(USUAL.at(run.size))),
            Figure(name, "chosen settings", None, every, chosen_on_the_next(len(usual)),
                   settings=f"{USUAL.at(run.size).clauses:,} clauses, one of {texts}"),
        ]  # fmt: skip
    return figures


TABLES = (
    table(
        "1",
        "checkers thesis, section 8.2: test dataset without draw",
        "checkers without drawn games",
        WITHOUT_DRAWS,
        headline=("learned without draws", "accuracy on decided boards"),
        notes=(
            NOTHING_PUBLISHED,
            STOPPED,
            "The author expected that removing six boards of ten would make predictions worse.",
        ),
    ),
    table(
        "2",
        "checkers thesis, section 8.2: deeper tree search, predictor with weighted scores, Monte "
        "Carlo tree search",
        "other searches for the player of the checkers thesis",
        Computed(plan_ways),
        headline=("five moves deep", "wins, %"),
        notes=(
            NOTHING_PUBLISHED,
            "Percent of games against the thesis's player, which looks three moves ahead and "
            "averages; both have the same machines, and begin in half of the games. Games are "
            "drawn by our rule.",
        ),
        sizes=MATCH_SIZES,
        over="pairs of machines",
    ),
    table(
        "3",
        "checkers thesis, section 8.2: further improvement of adaptive epochs",
        "when to stop, with constants chosen on other folds",
        Computed(plan_rules),
        headline=("version 3, constants chosen on the other folds", "accuracy"),
        notes=(
            NOTHING_PUBLISHED,
            "All are honest: stopped by a fold kept from training, accuracy on the test boards "
            "there. Version 3 stops when the best mean of ten epochs is fifteen epochs old. In the "
            f"last row the two numbers are of {', '.join(map(str, WINDOWS))} and of "
            f"{', '.join(map(str, PATIENCES))}: for each fold those that are best on the others.",
        ),
        sizes=adaptive_epochs.SIZES,
        over="runs of ten folds",
    ),
    table(
        "4",
        "Go thesis, section 9.2: the same experiments with the convolutional machine",
        "the convolutional machine on boards of unfinished games of Go",
        CONVOLUTION,
        headline=(f"90_100T, window {WINDOW}x{WINDOW}", "last 10 epochs"),
        notes=(NOTHING_PUBLISHED, "Sets are named as in table 7.1 of the Go thesis."),
        sizes={**GO_SIZES, "default": replace(GO_SIZES["default"], folds=2, share=1 / 160)},
    ),
    table(
        "5",
        "Go thesis, section 9.2: combine Tsetlin Machine with Monte Carlo tree search",
        "Monte-Carlo tree search against tree search in Go",
        Computed(plan_go),
        headline=(
            "32,000 clauses, ends of games: Monte-Carlo against tree search", "wins, %",
        ),
        notes=(
            NOTHING_PUBLISHED,
            "Whole games with a komi of 7, half of them with either colour, by machines trained "
            "without another fold each. Monte-Carlo search makes 500 simulations "
            "a move, tree search looks at the three best moves of each side, three moves deep.",
        ),
        sizes=sizes(
            {"games": 2}, {"boards": 3000, "epochs": 15, "games": 2}, {"epochs": 15, "games": 4}
        ),
    ),
    table(
        "6",
        "Go thesis, section 9.2: hyper-parameters optimized for each version of the data sets",
        "settings for each data set of unfinished games of Go",
        Computed(plan_choices),
        headline=("90_100T", "chosen settings"),
        notes=(
            NOTHING_PUBLISHED,
            "Sets are named as in table 7.1 of the Go thesis. Usual settings are those that "
            "chapter 6 found for boards at the end of games, with a quarter of the clauses and of "
            "the threshold, so that many can be tried. Chosen are, for each fold, those of six "
            "that are best on the fold after it, which is kept from training; figures are of the "
            "test boards, means of the last ten of fifteen epochs.",
        ),
        sizes={**GO_SIZES, "default": replace(GO_SIZES["default"], folds=2, share=1 / 8)},
    ),
)  # fmt: skip
