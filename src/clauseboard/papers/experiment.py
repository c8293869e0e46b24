"""What an experiment is: a published table, the tasks that give its figures, and how to read them.

A `Table` plans `Figure`s. Each has the published number, the tasks whose results give ours, and a
function that reads it out of them. Tasks are known by what they do (`Task.key`), not by the table
that asked: a task that two tables need is done once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clauseboard.papers.boards import LabelledBoards
    from clauseboard.papers.materials import BoardSource


@dataclass(frozen=True)
class RunSize:
    """How much of an experiment is done."""

    name: str
    boards: int | None
    """Boards of a data set at the most; None: all."""
    folds: int
    """Folds that are tested, at the most."""
    share: float
    """Of the published numbers of clauses, and of thresholds with them."""
    epochs: int
    """For one machine, at the most."""
    runs: int = 1
    """Times that a ten-fold is repeated, where the table does so."""
    games: int | None = None
    """Games of a match at the most, where the table has matches; None: as many as published."""

    def games_of(self, published: int) -> int:
        """How many games are played of so many that were published."""
        return published if self.games is None else min(published, self.games)


SIZES = {
    "quick": RunSize("quick", boards=400, folds=2, share=1 / 500, epochs=3),
    "default": RunSize("default", boards=6000, folds=3, share=1 / 20, epochs=60),
    "full": RunSize("full", boards=None, folds=10, share=1.0, epochs=500),
}
"""For tests; for two cores and less than ten minutes; as published."""


def sizes(**changes: Any) -> dict[str, RunSize]:
    """The sizes, with another default.

    >>> sizes(folds=10)["default"].folds
    10
    """
    return {**SIZES, "default": replace(SIZES["default"], **changes)}


@dataclass(frozen=True)
class EpochResult:
    """What is known after an epoch of a task."""

    number: int
    accuracy: float
    seconds: float


@dataclass(frozen=True)
class TaskResult:
    """What came out of a task."""

    result: Mapping[str, Any]
    epochs: tuple[EpochResult, ...] = ()
    seconds: float = 0.0

    @property
    def accuracies(self) -> list[float]:
        """The accuracy after each epoch."""
        return [epoch.accuracy for epoch in self.epochs]


EpochCallback = Callable[["Task", EpochResult], None]
"""Told of each epoch as it ends."""

Work = Callable[[Sequence["Task"], EpochCallback, str], Sequence[Mapping[str, Any]]]
"""Does some tasks on a device and returns what JSON can hold of each; a function of a module."""


@dataclass(frozen=True)
class Task:
    """A piece of work: the same settings, boards and needs give the same result anywhere."""

    work: Work
    settings: Mapping[str, Any]
    boards: LabelledBoards | None = None
    on_gpu: bool = False
    """Whether a GPU helps; then several of them are done together there."""
    needs: tuple[Task, ...] = ()
    """Tasks that have to end first, such as those that train the players of a match."""
    given: tuple[Mapping[str, Any], ...] = ()
    """What came out of `needs`, in their order; it is there when the task is done."""

    @cached_property
    def key(self) -> str:
        """What tells this task from all others."""
        parts = [
            f"{self.work.__module__}.{self.work.__qualname__}",
            self.settings,
            None if self.boards is None else self.boards.digest,
            *(need.key for need in self.needs),
        ]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


ReadValues = Callable[[Sequence[TaskResult]], Sequence[float]]


def accuracy(done: Sequence[TaskResult]) -> list[float]:
    """The accuracy at the end of each task, in percent."""
    return [100 * one.result["accuracy"] for one in done]


@dataclass(frozen=True)
class Figure:
    """A number of a table: as published, and how ours is found."""

    row: str
    name: str
    published: float | None
    tasks: tuple[Task, ...]
    """None where there is nothing of ours, as for a person's games; a note then says why."""
    values: ReadValues = accuracy
    """Reads our numbers out of the tasks' results: one a fold, or just one."""
    honest: tuple[Task, ...] = ()
    """Tasks that looked at the test boards at the end only; none where there is no such way."""
    honest_values: ReadValues | None = None
    """As `values`, where it is not the same function."""
    settings: str = ""
    """What the row was made with, in words."""
    digits: int = 2
    """Behind the point, in a report."""
    published_spread: float | None = None
    """The standard deviation that was published with the number, if any."""


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
    """Where curves begin: the number of their first point."""


@dataclass(frozen=True)
class BoardDrawing:
    """A board of the report: in signs for text, and as SVG for the web."""

    title: str
    text: str
    svg: str = ""


ResultLookup = Callable[[Task], TaskResult]
"""Gives what came out of a task."""


def called(number: str) -> str:
    """What a number of a document is called.

    >>> called("5.6"), called("figure 5.1")
    ('table 5.6', 'figure 5.1')
    """
    return f"table {number}" if number[0].isdigit() else number


@dataclass(frozen=True)
class PaperTable:
    """A published table, and how to make it again."""

    source: str
    """The document it stands in."""
    number: str
    """As in "5.6"; or "figure 5.1" or "section 7", where it is no table."""
    where: str
    """Section and title as published, so that it can be found."""
    title: str
    plan: Callable[[RunSize, BoardSource], list[Figure]]
    headline: tuple[str, str]
    """Row and name of the figure that tells most."""
    notes: tuple[str, ...] = ()
    """What a reader must know to compare."""
    pictures: Callable[[RunSize, BoardSource, ResultLookup], list[Plot]] | None = None
    drawings: Callable[[RunSize, BoardSource, ResultLookup], list[BoardDrawing]] | None = None
    """Boards and clauses to show, where the document has such figures."""
    sizes: Mapping[str, RunSize] = field(default_factory=lambda: SIZES)
