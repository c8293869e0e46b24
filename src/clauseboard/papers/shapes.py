"""The common shapes of published tables: records that hold the data and plan the figures.

`ReadValues` functions read a figure out of the results of its tasks.

A document's module fills them with rows and published numbers. Tables of matches are in `matches`;
a table of no common shape has code of its own (see `papers.Computed`).
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from clauseboard.papers import (
    Contents,
    Figure,
    JsonObject,
    Plot,
    ReadValues,
    ResultLookup,
    Task,
    TaskResult,
    accuracy,
    of_each,
    one_by_one,
)
from clauseboard.papers.boards import RESULTS, LabelledBoards, Run
from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_task, fold_tasks

# ---- tables


class BoardSelection(Protocol):
    """A set of boards (a `BoardSet`), or a part of one."""

    def take(self, run: Run) -> LabelledBoards:
        """The boards."""


@dataclass(frozen=True)
class Column:
    """A figure of a row: how it is read out of the results, and the published number."""

    name: str
    values: ReadValues
    published: float | None
    spread: float | None = None
    """The published standard deviation, if any."""
    digits: int = 2


def columns(
    readers: Mapping[str, ReadValues], published: Sequence[float | None], digits: int = 2
) -> tuple[Column, ...]:
    """Columns by name, with the published numbers in their order."""
    pairs = zip(readers.items(), published, strict=True)
    return tuple(Column(name, values, number, digits=digits) for (name, values), number in pairs)


# ---- what a data set holds


@dataclass(frozen=True)
class CountRow:
    """Counts of one data set, or of several taken together."""

    name: str
    boards: tuple[BoardSelection, ...]
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class CountTable(Contents):
    """What data sets hold: boards, results, duplicates."""

    rows: tuple[CountRow, ...]

    def figures(self, run: Run) -> list[Figure]:
        """A figure for each column of each row."""
        figures = []
        for row in self.rows:
            counted = [boards.take(run) for boards in row.boards]
            tasks = tuple(map(count_task, counted))
            settings = f"boards: {' and '.join(str(boards.kind) for boards in counted)}"
            figures += [
                Figure(row.name, column.name, column.published, tasks, column.values,
                       settings=settings, digits=column.digits)
                for column in row.columns
            ]  # fmt: skip
        return figures


# ---- how well machines predict


@dataclass(frozen=True)
class MachineRow:
    """A machine that is trained on a data set, and the figures of it."""

    name: str
    machine: MachineParameters
    boards: BoardSelection
    columns: tuple[Column, ...]
    fold: int | None = None
    """The only fold that is tested; None: all of them."""
    side: str = "black"
    """The side whose wins are predicted."""
    epochs: float = 1.0
    """The part of the size's epochs that it learns for."""
    keep: bool = False
    """Whether other tasks need the machine."""

    def tasks(self, run: Run, stop: int | None, honest: bool = False) -> tuple[Task, ...]:
        """A task for each fold."""
        boards, machine = self.boards.take(run), self.machine.at(run.size)
        epochs = max(2, round(run.size.epochs * self.epochs))
        schedule = TrainingSchedule(epochs, stop, side=self.side)
        schedule = schedule.honest if honest else schedule
        if self.fold is None:
            return fold_tasks(boards, run.size, machine, schedule, keep=self.keep)
        fold = min(self.fold, boards.n_folds - 1)
        return (fold_task(boards, fold, machine, schedule, keep=self.keep),)


@dataclass(frozen=True)
class MachineTable(Contents):
    """Machines that differ by their settings or their data, and how well they predict."""

    rows: tuple[MachineRow, ...]
    stop: int | None = None
    """The version of adaptive epochs; None: all epochs."""
    honest: bool = False
    """Whether machines that are stopped by another fold stand beside them."""
    plot: tuple[str, str] | None = None
    """Number and title of the plot of accuracies over epochs, where the document has one."""

    def figures(self, run: Run) -> list[Figure]:
        """A figure for each column of each row."""
        figures = []
        for row in self.rows:
            tasks = row.tasks(run, self.stop)
            honest = row.tasks(run, self.stop, honest=True) if self.honest else ()
            figures += [
                Figure(row.name, column.name, column.published, tasks, column.values, honest,
                       settings=str(row.machine.at(run.size)), digits=column.digits,
                       published_spread=column.spread)
                for column in row.columns
            ]  # fmt: skip
        return figures

    def plots(self, run: Run, results: ResultLookup) -> list[Plot]:
        """The mean accuracy of each row after every epoch."""
        if self.plot is None:
            return []
        number, title = self.plot
        curves = {
            row.name: mean_curve(
                [100 * a for a in results(task).accuracies] for task in row.tasks(run, self.stop)
            )
            for row in self.rows
        }
        title = f"Figure {number}: {title}, mean of the folds"
        return [Plot(number.replace(".", "_"), title, curves)]


def mean_curve(curves: Iterable[Sequence[float]]) -> list[float]:
    """The mean of curves, point by point."""
    return [statistics.fmean(values) for values in zip(*curves, strict=True)]


@dataclass(frozen=True)
class FoldTable(Contents):
    """The accuracy of one machine on each fold, and the mean."""

    machine: MachineParameters
    boards: BoardSelection
    published: tuple[float, ...]
    mean: float

    def figures(self, run: Run) -> list[Figure]:
        """A figure for each fold, and their mean."""
        row = MachineRow(
            "mean", self.machine, self.boards, (Column("accuracy", accuracy, self.mean),)
        )
        (mean,) = MachineTable((row,), stop=2, honest=True).figures(run)
        folds = enumerate(zip(self.published, mean.tasks, mean.honest, strict=False), 1)
        return [
            *(Figure(f"fold {n}", "accuracy", published, (task,), honest=(honest,))
              for n, (published, task, honest) in folds),
            mean,
        ]  # fmt: skip


# ---- reading figures: counts of a data set


def count_task(boards: LabelledBoards) -> Task:
    """Count the boards of a data set by result and by fold."""
    return Task(count, {"kind": str(boards.kind)}, boards)


@one_by_one("counting.count")
def count(task: Task) -> JsonObject:
    """Count all boards, those of each result and in each fold, and those that differ."""
    assert task.boards is not None
    boards = task.boards
    by_result = np.bincount(boards.results, minlength=len(RESULTS))
    by_fold = np.bincount(boards.folds, minlength=boards.n_folds)
    return {
        "boards": len(boards),
        "distinct": len(np.unique(boards.packed, axis=0)),
        "results": dict(zip(RESULTS, by_result.tolist(), strict=True)),
        "folds": by_fold.tolist(),
    }


total = of_each(lambda counts: counts["boards"])
"""The number of boards."""

repeats = of_each(lambda counts: counts["boards"] - counts["distinct"])
"""The number of boards that are the same as an earlier one."""


@of_each
def ratio_of_tested(counts: JsonObject) -> float:
    """Test boards as a percentage of training boards: the mean over all folds."""
    return 100 * statistics.fmean(n / (counts["boards"] - n) for n in counts["folds"])


def amount(result: str) -> ReadValues:
    """The number of boards of a result."""
    return of_each(lambda counts: counts["results"][result])


def share(result: str) -> ReadValues:
    """The share of a result, in percent."""
    return of_each(lambda counts: 100 * counts["results"][result] / counts["boards"])


# ---- reading figures: accuracies after epochs

LAST = 10
"""The number of epochs in "last 10 epochs"."""


def after(epoch: int) -> ReadValues:
    """The accuracy after an epoch, in percent."""
    return lambda done: [100 * task.accuracies[epoch - 1] for task in done]


def last_ten(done: Sequence[TaskResult]) -> list[float]:
    """The mean over the last ten epochs of each task, in percent."""
    return [100 * statistics.fmean(task.accuracies[-LAST:]) for task in done]


def halfway(done: Sequence[TaskResult]) -> list[float]:
    """The accuracy after half of the epochs, in percent."""
    return [100 * task.accuracies[len(task.epochs) // 2 - 1] for task in done]


# ---- reading figures: precision, recall and F

SCORES = ("precision", "recall", "F")


def scores(confusion: Sequence[Sequence[int]], result: str) -> dict[str, float]:
    """The three scores of a result, in percent; 0 where there is nothing to divide by.

    >>> scores([[3, 1, 0], [1, 4, 0], [0, 0, 9]], "loss")
    {'precision': 75.0, 'recall': 75.0, 'F': 75.0}
    """
    place = RESULTS.index(result)
    right = confusion[place][place]
    predicted, there = sum(row[place] for row in confusion), sum(confusion[place])
    precision = 100 * right / predicted if predicted else 0.0
    recall = 100 * right / there if there else 0.0
    both = precision + recall
    return {
        "precision": precision,
        "recall": recall,
        "F": 2 * precision * recall / both if both else 0.0,
    }


def score(result: str, name: str, scale: float = 1.0) -> ReadValues:
    """One of the scores of a result, in percent times `scale`."""
    return of_each(lambda tested: scale * scores(tested["confusion"], result)[name])
