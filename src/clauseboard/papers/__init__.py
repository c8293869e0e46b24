"""The published tables of five documents, computed again beside the published figures.

Each document is a module of data, such as `checkers_thesis`; `runner` computes a table, `report`
writes it. Here is the model of an experiment: a published table, the tasks that give its figures,
and how to read them.

>>> "checkers_5_6" in experiment_names()
True
>>> load_experiment("checkers_5_6").number
'5.6'

A `PaperTable` plans `Figure`s. Each has the published number, the tasks whose results give ours,
and a function that reads it out of them. A task's identity is what it does (`Task.key`), not the
table that asked for it: a task that two tables need is done once.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from clauseboard.papers.boards import LabelledBoards, Run


# ---- sizes


@dataclass(frozen=True)
class RunSize:
    """How much of an experiment is done."""

    name: str
    boards: int | None
    """Most boards of a data set; None: all."""
    folds: int
    """Most folds that are tested."""
    share: float
    """Of the published numbers of clauses, and of thresholds with them."""
    epochs: int
    """Most epochs of one machine."""
    runs: int = 1
    """Times that a ten-fold is repeated, where the table does so."""
    games: int | None = None
    """Most games of a match; None: as many as published."""

    def games_of(self, published: int) -> int:
        """The number of games to play where so many were published."""
        return published if self.games is None else min(published, self.games)


SIZES = {
    "quick": RunSize("quick", boards=400, folds=2, share=1 / 500, epochs=3),
    "default": RunSize("default", boards=6000, folds=3, share=1 / 20, epochs=60),
    "full": RunSize("full", boards=None, folds=10, share=1.0, epochs=500),
}
"""For tests; for two cores and less than ten minutes; as published."""


Changes = Mapping[str, str | float | None]
"""Fields of a `RunSize` by name."""


def sizes(
    quick: Changes | None = None, default: Changes | None = None, full: Changes | None = None
) -> dict[str, RunSize]:
    """The three sizes with some fields changed.

    >>> sizes(default={"folds": 10})["default"].folds
    10
    """
    changes = {"quick": quick, "default": default, "full": full}
    return {
        name: replace(SIZES[name], **(changes[name] or {}))  # type: ignore[arg-type]
        for name in SIZES
    }


# ---- tasks

JsonObject = Mapping[str, Any]
"""Settings and results: values that JSON can hold, by name."""

Page = dict[str, Any]
"""The JSON of a report, or of a part of it."""


class EpochResult(NamedTuple):
    """An epoch of a task: its number, from 1 on, and the accuracy after it."""

    number: int
    accuracy: float
    seconds: float


@dataclass(frozen=True)
class TaskResult:
    """The outcome of a task."""

    result: JsonObject
    epochs: tuple[EpochResult, ...] = ()
    seconds: float = 0.0
    place: str = ""
    """The processor or GPU that did it; unknown in records of earlier versions."""

    @property
    def accuracies(self) -> list[float]:
        """The accuracy after each epoch."""
        return [epoch.accuracy for epoch in self.epochs]


EpochCallback = Callable[["Task", EpochResult], None]
"""Called after each epoch of a task."""

Work = Callable[[Sequence["Task"], EpochCallback, str], Sequence[JsonObject]]
"""Does some tasks on a device and returns a JSON-ready result of each; a function of a module."""


def recorded_as(name: str) -> Callable[[Work], Work]:
    """Give work the name under which its results are stored.

    The name is part of `Task.key`. It stays when the function moves to another module, so that runs
    recorded by earlier versions, whose modules had these names, can still be resumed.
    """

    def mark(work: Work) -> Work:
        work.recorded_name = f"clauseboard.experiments.{name}"  # type: ignore[attr-defined]
        return work

    return mark


def one_by_one(name: str) -> Callable[[Callable[[Task], JsonObject]], Work]:
    """Make work of a function that does a single task on the CPU."""

    def decorate(function: Callable[[Task], JsonObject]) -> Work:
        @functools.wraps(function)
        def work(tasks: Sequence[Task], epoch_done: EpochCallback, device: str) -> list[JsonObject]:
            return [function(task) for task in tasks]

        return recorded_as(name)(work)

    return decorate


@dataclass(frozen=True)
class Task:
    """A piece of work: the same settings, boards and needs give the same result anywhere."""

    work: Work
    settings: JsonObject
    boards: LabelledBoards | None = None
    on_gpu: bool = False
    """Whether a GPU helps; then several tasks run together on it."""
    needs: tuple[Task, ...] = ()
    """Tasks that have to end first, such as those that train the players of a match."""
    given: tuple[JsonObject, ...] = ()
    """The results of `needs`, in their order; filled in before the task is done."""
    folder: Path | None = None
    """Where work that takes long may leave what it has done, to go on from there."""

    @property
    def work_name(self) -> str:
        """The name under which results of this work are stored."""
        module_name = f"{self.work.__module__}.{self.work.__qualname__}"
        return getattr(self.work, "recorded_name", module_name)

    @cached_property
    def key(self) -> str:
        """A digest that identifies the task."""
        parts = [
            self.work_name,
            self.settings,
            None if self.boards is None else self.boards.digest,
            *(need.key for need in self.needs),
        ]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


# ---- figures and tables

ReadValues = Callable[[Sequence[TaskResult]], Sequence[float]]
"""Reads our numbers out of the results of tasks: one for each fold, or just one."""


def of_each(read: Callable[[JsonObject], float]) -> ReadValues:
    """A number that is read out of the result of each task."""
    return lambda done: [read(task.result) for task in done]


accuracy = of_each(lambda result: 100 * result["accuracy"])
"""The accuracy at the end of each task, in percent."""


@dataclass(frozen=True)
class Figure:
    """A number of a table: as published, and how ours is computed."""

    row: str
    name: str
    published: float | None
    tasks: tuple[Task, ...]
    """Empty where we have nothing to compare, as for a person's games; a note then says why."""
    values: ReadValues = accuracy
    honest: tuple[Task, ...] = ()
    """Tasks that looked at the test boards only at the end; empty where there is no such way."""
    honest_values: ReadValues | None = None
    """As `values`, where it is another function."""
    settings: str = ""
    """A description of the settings of the row."""
    digits: int = 2
    """Decimals in a report."""
    published_spread: float | None = None
    """The standard deviation that was published with the number, if any."""
    published_games: int | None = None
    """The number of games of which the published number is a percentage, if it is one."""
    of_seeds: bool = False
    """Whether it is one number of several trainings that differ by their seeds alone."""


@dataclass(frozen=True)
class Plot:
    """Curves over epochs, and levels across them; plain numbers, drawn elsewhere."""

    name: str
    title: str
    curves: Mapping[str, Sequence[float]]
    levels: Mapping[str, float] = field(default_factory=dict)
    x_label: str = "epoch"
    y_label: str = "accuracy, %"
    start: int = 1
    """The number of the first point of each curve."""


@dataclass(frozen=True)
class BoardDrawing:
    """A board of the report: as text, and as SVG for the web."""

    title: str
    text: str
    svg: str = ""


ResultLookup = Callable[[Task], TaskResult]
"""Gives the result of a task that is done."""


class Contents(ABC):
    """What a table shows. Each shape of table is a frozen dataclass of its published data."""

    @abstractmethod
    def figures(self, run: Run) -> list[Figure]:
        """The figures in their order, with the tasks they need."""

    def plots(self, run: Run, results: ResultLookup) -> list[Plot]:
        """Curves to draw, where the document has such figures."""
        return []

    def drawings(self, run: Run, results: ResultLookup) -> list[BoardDrawing]:
        """Boards and clauses to show, where the document has such figures."""
        return []


@dataclass(frozen=True)
class Computed(Contents):
    """A table with code of its own: functions in the place of the methods of `Contents`."""

    plan: Callable[[Run], list[Figure]]
    plot: Callable[[Run, ResultLookup], list[Plot]] | None = None
    draw: Callable[[Run, ResultLookup], list[BoardDrawing]] | None = None

    def figures(self, run: Run) -> list[Figure]:
        """As `plan` says."""
        return self.plan(run)

    def plots(self, run: Run, results: ResultLookup) -> list[Plot]:
        """As `plot` says, if there is one."""
        return [] if self.plot is None else self.plot(run, results)

    def drawings(self, run: Run, results: ResultLookup) -> list[BoardDrawing]:
        """As `draw` says, if there is one."""
        return [] if self.draw is None else self.draw(run, results)


@dataclass(frozen=True)
class PaperTable:
    """A published table, and how to compute it again."""

    document: str
    number: str
    """As in "5.6"; or "figure 5.1" or "section 7", where it is no table."""
    where: str
    """Section and title as published."""
    title: str
    contents: Contents
    headline: tuple[str, str]
    """Row and name of the most important figure."""
    notes: tuple[str, ...] = ()
    """What a reader must know to compare."""
    sizes: Mapping[str, RunSize] = field(default_factory=lambda: SIZES)
    over: str = ""
    """What means are over, if not folds, or seeds where there are no boards."""
    difference: str = ""
    """Why it differs from what was published, as far as that is known; without a full stop."""
    obstacle: str = "Its full size has not been run yet."
    """Why it is not done, in a sentence; of no matter once it is."""

    @property
    def name(self) -> str:
        """The name of the experiment, such as "checkers_5_6"."""
        first_word = self.document.split()[0].lower()
        return f"{first_word}_{self.number.replace('.', '_').replace(' ', '_')}"


def label(number: str) -> str:
    """The number of a table or figure in words.

    >>> label("5.6"), label("figure 5.1")
    ('table 5.6', 'figure 5.1')
    """
    return f"table {number}" if number[0].isdigit() else number


# ---- all tables by name

FUTURE_WORK = "future_work"
"""The one that is no document: it measures what they leave to future work."""

DOCUMENTS = {
    "checkers": "checkers_thesis",
    "go": "go_thesis",
    "hex": "hex_thesis",
    "swarm": "swarm_thesis",
    "temporal": "temporal_report",
    "future": FUTURE_WORK,
}
"""The modules of the documents, by the first word of the names of their experiments."""


def document_tables(document: str) -> dict[str, PaperTable]:
    """The tables of a document by the names of their experiments, in the document's order."""
    tables = importlib.import_module(f"clauseboard.papers.{document}").TABLES
    return {table.name: table for table in tables}


def experiment_names() -> tuple[str, ...]:
    """The names of all experiments, ordered by game and number."""
    names = [name for document in DOCUMENTS.values() for name in document_tables(document)]
    return tuple(sorted(names, key=_order))


def named_experiments(name: str) -> tuple[str, ...]:
    """The experiments that a name stands for: "all", those of a document, or a single one.

    >>> named_experiments("temporal")
    ('temporal_section_4', 'temporal_section_5')
    """
    names = experiment_names()
    if name == "all":
        return names
    if name in DOCUMENTS:
        return tuple(each for each in names if each.split("_")[0] == name)
    return (load_experiment(name).name,)


def load_experiment(name: str) -> PaperTable:
    """The table with a name; "checkers-5.6" is the same as "checkers_5_6"."""
    full_name = name.replace("-", "_").replace(".", "_")
    document = DOCUMENTS.get(full_name.split("_")[0])
    table = document_tables(document).get(full_name) if document else None
    if table is None:
        listed = ", ".join(experiment_names())
        raise ValueError(f"There is no experiment {name!r}; there are {listed}.")
    return table


def _order(name: str) -> tuple[str, list[int]]:
    """Table 5.10 comes after 5.9."""
    words = name.split("_")
    return " ".join(w for w in words if not w.isdigit()), [int(w) for w in words if w.isdigit()]
