"""Good settings for a machine on a data set: which boards may be looked at, and what came out.

Settings are compared on inner folds: one fold is kept from all of it, and of the others each is
watched by a machine that learns from the rest. Only the best settings meet the boards of the fold
that was kept, once, at the end.

How the next settings are chosen is in `stepping` (one at a time) and `studying` (Optuna).
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from clauseboard.papers.boards import LabelledBoards
from clauseboard.papers.experiment import Task, TaskResult
from clauseboard.papers.recording import TaskStore
from clauseboard.papers.report import surrounding_lines
from clauseboard.papers.runner import ProgressCallback, check_device, finish_tasks
from clauseboard.papers.surroundings import surroundings
from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_task
from clauseboard.tuning.one_at_a_time import (
    ROUNDS,
    WAYS,
    OneAtATimeSearch,
    Parameter,
    Settings,
    Trial,
)

STUDY = "optuna"
CHOICES = (*WAYS, STUDY)
"""How the next settings are chosen."""

FEWEST_FOLDS = 3
MOST_CLAUSES = 20_000
DONE, PRUNED = "done", "pruned"


@dataclass(frozen=True, eq=False)
class TuningProblem:
    """Boards to try settings on, and all about a machine that stays as it is."""

    boards: LabelledBoards
    guess: MachineParameters
    """Settings to begin with; the switches and the window stay."""
    epochs: int = 30
    stop: int | None = 2
    """The version of adaptive epochs; None: all epochs."""
    n_folds: int = 3
    """Inner folds that are watched in turn."""
    test_fold: int = 0
    """The fold that is kept until the end, from 0 on."""
    most_clauses: int = MOST_CLAUSES

    def __post_init__(self) -> None:
        there = self.boards.n_folds
        if there < FEWEST_FOLDS:
            raise ValueError(
                f"{self.boards.source} has {there} folds; tuning needs {FEWEST_FOLDS}: to learn "
                "from, to watch and to test."
            )
        if not 0 <= self.test_fold < there:
            raise ValueError(f"There is no fold {self.test_fold + 1}; there are 1 to {there}.")
        if not 1 <= self.n_folds < there:
            raise ValueError(
                f"{self.n_folds} folds cannot be watched: choose from 1 to {there - 1}, since one "
                "is kept for the test."
            )
        if self.epochs < 1:
            raise ValueError(f"epochs={self.epochs!r} is no whole number from 1 on.")

    @cached_property
    def inner(self) -> LabelledBoards:
        """The boards without those that are kept for the test; the folds behind move up."""
        some = self.boards.take((self.boards.folds != self.test_fold).nonzero()[0])
        moved = some.folds - (some.folds > self.test_fold)
        return replace(some, folds=moved.astype(some.folds.dtype), n_folds=some.n_folds - 1)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What is varied, in the order of the theses."""
        return (
            Parameter("clauses", 2, self.most_clauses, even=True),
            Parameter("T", 1),
            Parameter("s", 1, whole=False),
        )

    @property
    def settings(self) -> Settings:
        """The guess, as far as it is varied."""
        return {
            parameter.name: getattr(self.guess, parameter.name) for parameter in self.parameters
        }

    @property
    def course(self) -> TrainingSchedule:
        """How each machine is trained."""
        return TrainingSchedule(self.epochs, self.stop)

    def machine(self, settings: Settings) -> MachineParameters:
        """The guess with other settings."""
        others: dict[str, Any] = dict(settings)
        return replace(self.guess, **others)

    def tasks(self, settings: Settings) -> tuple[Task, ...]:
        """What tells how good settings are: a machine for each inner fold."""
        machine = self.machine(settings)
        return tuple(
            fold_task(self.inner, fold, machine, self.course) for fold in range(self.n_folds)
        )

    def test(self, settings: Settings) -> Task:
        """The boards that were kept, met once, by a machine that the next fold has stopped."""
        return fold_task(self.boards, self.test_fold, self.machine(settings), self.course.honest)


def tune_by_steps(
    problem: TuningProblem,
    record: str | Path,
    *,
    way: str = "thirds",
    rounds: int = ROUNDS,
    jobs: int = 1,
    cluster: str | None = None,
    device: str = "cpu",
    heard: ProgressCallback | None = None,
) -> dict[str, Any]:
    """Vary one setting at a time, and return the page of all that was tried.

    What has ended is recorded: a run that was stopped goes on, and comes to the same end.
    """
    check_device(device, cluster)
    with TaskStore(record) as kept:
        how: dict[str, Any] = {"jobs": jobs, "cluster": cluster, "device": device, "heard": heard}
        done: dict[str, TaskResult] = {}

        def ask(some: Sequence[Settings]) -> list[float]:
            tasks = [task for settings in some for task in problem.tasks(settings)]
            done.update(finish_tasks(tasks, kept, **how))
            return [statistics.fmean(accuracies(settings)) for settings in some]

        def accuracies(settings: Settings) -> list[float]:
            return [100 * done[task.key].result["accuracy"] for task in problem.tasks(settings)]

        search = OneAtATimeSearch(ask, problem.parameters, way, rounds)
        best = search.run(problem.settings)
        tested = tested_once(problem, best, kept, **how)

    def trial(tried: Trial) -> dict[str, Any]:
        ended = [done[task.key] for task in problem.tasks(tried.settings)]
        return {
            **trial_page(tried.settings, accuracies(tried.settings), DONE, tried.focus),
            "epochs": round(statistics.fmean(len(one.epochs) for one in ended), 1),
            "seconds": round(sum(one.seconds for one in ended), 3),
        }

    return tuning_page(problem, way, [trial(tried) for tried in search.tried], best, tested)


def tested_once(problem: TuningProblem, best: Settings, kept: TaskStore, **how: Any) -> float:
    """The accuracy of the best settings on the boards that were kept, in percent."""
    task = problem.test(best)
    return 100 * finish_tasks([task], kept, **how)[task.key].result["accuracy"]


def trial_page(
    settings: Settings, accuracies: Sequence[float], state: str, focus: str = ""
) -> dict[str, Any]:
    """What a report says of settings that were tried: accuracies in percent, one a fold."""
    return {
        "settings": dict(settings),
        "focus": focus,
        "state": state,
        "accuracies": [round(value, 4) for value in accuracies],
        "mean": round(statistics.fmean(accuracies), 4) if accuracies else None,
        "spread": round(statistics.stdev(accuracies), 4) if len(accuracies) > 1 else None,
    }


def tuning_page(
    problem: TuningProblem,
    by: str,
    trials: Sequence[Mapping[str, Any]],
    best: Settings,
    tested: float,
) -> dict[str, Any]:
    """All that a report needs."""
    ended = [trial for trial in trials if trial["state"] == DONE]
    return {
        "by": by,
        "data": problem.boards.page(),
        "folds": problem.n_folds,
        "test_fold": problem.test_fold + 1,
        "epochs": problem.epochs,
        "stop": problem.stop,
        "guess": str(problem.guess),
        "trials": list(trials),
        "best": {
            "settings": dict(best),
            "machine": str(problem.machine(best)),
            "mean": max(trial["mean"] for trial in ended),
            "tested": round(tested, 4),
        },
        **surroundings(),
    }


# What a search for good settings found, as text for the terminal and as Markdown.

NAMES = {
    "thirds": "one setting at a time, from a third to three times as much, moving on while it "
    "gets better",
    "doubling": "one setting at a time, halved and doubled, moving on while it gets better",
    STUDY: "Optuna, trials broken off that fall behind",
}


def first_lines(page: Mapping[str, Any]) -> list[str]:
    """What was searched, how, and what was found."""
    best, data = page["best"], page["data"]
    stopped = "" if page["stop"] is None else f", adaptive epochs version {page['stop']}"
    return [
        f"Best of {len(page['trials'])}: {best['machine']}.",
        f"{best['mean']:.2f} % on {page['folds']} inner folds, {best['tested']:.2f} % on fold "
        f"{page['test_fold']}, which was kept from the search and looked at once.",
        f"Found by {NAMES[page['by']]}; guess: {page['guess']}.",
        f"Data: {data['kind']} from {data['source']}, {data['boards']:,} boards; "
        f"{page['epochs']} epochs at the most{stopped}.",
    ]


def trial_rows(page: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """A row of cells for each of the settings tried, below a row of heads."""
    names = list(page["best"]["settings"])
    rows: list[tuple[str, ...]] = [("", *names, "accuracy, %", "epochs", "seconds", "")]
    for number, trial in enumerate(page["trials"], 1):
        spread = "" if trial["spread"] is None else f" ± {trial['spread']:.2f}"
        best = trial["state"] == DONE and trial["settings"] == page["best"]["settings"]
        rows.append(
            (
                str(number),
                *(f"{trial['settings'][name]:,g}" for name in names),
                f"{trial['mean']:.2f}{spread}",
                f"{trial['epochs']:g}",
                f"{trial['seconds']:.1f}",
                "best" if best else "" if trial["state"] == DONE else trial["state"],
            )
        )
    return rows


def as_text(page: Mapping[str, Any]) -> str:
    """The report for the terminal."""
    rows = trial_rows(page)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([*first_lines(page), "", *lines])


def as_markdown(page: Mapping[str, Any], pictures: Sequence[str] = ()) -> str:
    """The report as a document; `pictures` are the names of files beside it."""
    heads, *rows = trial_rows(page)
    return "\n".join(
        [
            "# Settings for a machine",
            "",
            *(f"{line}\n" for line in first_lines(page)),
            *(f"![history]({name})\n" for name in pictures),
            f"| {' | '.join(heads)} |",
            "|---:" * (len(heads) - 1) + "|---|",
            *(f"| {' | '.join(row)} |" for row in rows),
            "",
            f"- SHA-256 of the boards: {page['data']['sha256']}",
            *(f"- {line}" for line in surrounding_lines(page)),
            "",
        ]
    )


def history(page: Mapping[str, Any]) -> dict[str, Any]:
    """The picture of the search, for `pictures.draw`: every trial, and the best so far."""
    means = [trial["mean"] for trial in page["trials"]]
    counted = [trial["mean"] if trial["state"] == DONE else 0.0 for trial in page["trials"]]
    best = [value or None for value in itertools.accumulate(counted, max)]
    return {
        "name": "history",
        "title": f"Settings tried, {page['by']}",
        "x_label": "settings tried",
        "y_label": "accuracy on inner folds, %",
        "curves": {"each": means, "best so far": best},
        "levels": {"on the boards kept for the test": page["best"]["tested"]},
    }
