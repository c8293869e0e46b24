"""The work of tables that tell what a data set holds: boards, results, what is tested of it."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clauseboard.papers.boards import RESULTS, LabelledBoards
from clauseboard.papers.experiment import EpochCallback, Figure, ReadValues, Task, TaskResult

TOTAL = "total data"
RATIO = "avg. train/test ratio"


def count_task(boards: LabelledBoards) -> Task:
    """Count the boards of a data set by result and by fold."""
    return Task(count, {"kind": str(boards.kind)}, boards)


def count(tasks: Sequence[Task], told: EpochCallback, device: str) -> list[Mapping[str, Any]]:
    """Do such tasks."""
    return [counts(task.boards) for task in tasks if task.boards is not None]


def counts(boards: LabelledBoards) -> dict[str, Any]:
    """How many boards there are, of each result, in each fold; and how many differ."""
    by_result = np.bincount(boards.results, minlength=len(RESULTS))
    by_fold = np.bincount(boards.folds, minlength=boards.n_folds)
    return {
        "boards": len(boards),
        "distinct": len(np.unique(boards.packed, axis=0)),
        "results": dict(zip(RESULTS, by_result.tolist(), strict=True)),
        "folds": by_fold.tolist(),
    }


def total(done: Sequence[TaskResult]) -> list[float]:
    """The number of boards."""
    return [one.result["boards"] for one in done]


def ratio_of_tested(done: Sequence[TaskResult]) -> list[float]:
    """Boards that are tested to those that are learned, in percent: the mean over all folds."""
    return [
        100 * statistics.fmean(n / (one.result["boards"] - n) for n in one.result["folds"])
        for one in done
    ]


def repeats(done: Sequence[TaskResult]) -> list[float]:
    """The number of boards that are the same as an earlier one."""
    return [one.result["boards"] - one.result["distinct"] for one in done]


def amount(result: str) -> ReadValues:
    """A function that reads off the number of boards of a result."""
    return lambda done: [one.result["results"][result] for one in done]


def share(result: str) -> ReadValues:
    """A function that reads off the share of a result, in percent."""

    def values(done: Sequence[TaskResult]) -> list[float]:
        return [100 * one.result["results"][result] / one.result["boards"] for one in done]

    return values


def composition_figures(
    row: str, boards: LabelledBoards, published: tuple[int, float, float, float, float]
) -> list[Figure]:
    """What a data set holds beside what was published: total, ratio, losses, wins and draws."""
    tasks = (count_task(boards),)
    reads: dict[str, ReadValues] = {
        TOTAL: total,
        RATIO: ratio_of_tested,
        **{f"{result} ratio": share(result) for result in RESULTS},
    }
    return [
        Figure(row, name, number, tasks, read, digits=0 if name == TOTAL else 2)
        for (name, read), number in zip(reads.items(), published, strict=True)
    ]
