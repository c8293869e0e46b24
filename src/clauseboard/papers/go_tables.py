"""What the tables of the Go thesis share: its data sets, its machines, and figures by epochs.

The thesis is on 9×9 Go, University of Agder 2020. Every machine learns for fifteen epochs; the
tables show its accuracy on the test boards after some of them.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from clauseboard.papers import experiment as table
from clauseboard.papers.boards import BoardSet
from clauseboard.papers.experiment import (
    Figure,
    PaperTable,
    Plot,
    ReadValues,
    ResultLookup,
    RunSize,
    Task,
    TaskResult,
)
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_tasks

SOURCE = "Go thesis"
EPOCHS = 15
LAST = 10
"""Of the epochs at the end, over which the column "last 10 epochs" is the mean."""

SIZES = {
    "quick": replace(table.SIZES["quick"], epochs=EPOCHS),
    "default": replace(table.SIZES["default"], boards=3000, epochs=EPOCHS),
    "full": replace(table.SIZES["full"], epochs=EPOCHS),
}

COUNTED = {name: replace(size, boards=None) for name, size in SIZES.items()} | {
    "quick": SIZES["quick"]
}
"""Counting is quick: all but the smallest size count every board."""

SIZES_OF_SEARCH = {
    "quick": replace(SIZES["quick"], share=1 / 50, games=4),
    "default": replace(SIZES["default"], share=1.0, games=200),
    "full": replace(SIZES["full"], games=1000),
}
"""Chapter 8 has few clauses to begin with; `games` are those that are searched."""

EPOCHS_NOTE = (
    "Every machine learns for fifteen epochs, whatever its test boards say, so that no figure is "
    "too good for having been chosen by them. (The settings of later tables were.)"
)


def kind(composition: str) -> BoardSet:
    """Boards of Go, duplicates among them, as the thesis has them."""
    return BoardSet("go", composition, False)


ALL = kind("end")
"""The boards at the end of all games: "All", or "9x9Aya", in the thesis."""

UNFINISHED = kind("after 90 of 100")
"""What the thesis calls 90_100T: after 90 moves, of games that have 100 or more."""

OPTIMAL = MachineParameters(32_000, 8_000, 40)
"""The settings that chapter 6 ends with."""

SEARCHER = MachineParameters(1_000, 8_000, 80)
"""The machine of the tree search, called TM2 from section 8.1.1 on."""


def course(size: RunSize) -> TrainingSchedule:
    """Fifteen epochs, the test boards looked at after each."""
    return TrainingSchedule(size.epochs, stop=None)


@dataclass(frozen=True)
class Row:
    """A row of a table: a machine on a data set, and what was published of it by column."""

    name: str
    machine: MachineParameters
    published: Sequence[tuple[float, float | None]]
    """Accuracy and standard deviation; the last ten epochs have none."""
    boards: BoardSet = ALL

    def tasks(self, size: RunSize, source: BoardSource) -> tuple[Task, ...]:
        """A task a fold."""
        boards = source.boards(self.boards)
        return fold_tasks(boards, size, self.machine.at(size), course(size))

    def figures(
        self, size: RunSize, source: BoardSource, columns: Mapping[str, ReadValues]
    ) -> list[Figure]:
        """A figure a column."""
        tasks, settings = self.tasks(size, source), str(self.machine.at(size))
        return [
            Figure(self.name, name, mean, tasks, read, settings=settings, published_spread=spread)
            for (name, read), (mean, spread) in zip(columns.items(), self.published, strict=True)
        ]


def after(epoch: int) -> ReadValues:
    """A function that reads off the accuracy after an epoch, in percent."""
    return lambda done: [100 * one.accuracies[epoch - 1] for one in done]


def last_ten(done: Sequence[TaskResult]) -> list[float]:
    """The mean over the last ten epochs of each task, in percent."""
    return [100 * statistics.fmean(one.accuracies[-LAST:]) for one in done]


ODD_EPOCHS = {f"epoch {n}": after(n) for n in (1, 5, 9, 13, 15)}
"""The columns of tables 6.1 to 6.3."""

FIFTH_EPOCHS = {**{f"epoch {n}": after(n) for n in (1, 5, 10, 15)}, "last 10 epochs": last_ten}
"""The columns of tables 6.4 to 8.1."""


def plan_rows(
    rows: Sequence[Row], columns: Mapping[str, ReadValues], size: RunSize, source: BoardSource
) -> list[Figure]:
    """The figures of all rows."""
    return [figure for row in rows for figure in row.figures(size, source, columns)]


def curves(
    rows: Sequence[Row],
    name: str,
    title: str,
    size: RunSize,
    source: BoardSource,
    look: ResultLookup,
) -> list[Plot]:
    """The figure that goes with a table: the mean accuracy of each row after every epoch."""
    found = {}
    for row in rows:
        by_fold = [look(task).accuracies for task in row.tasks(size, source)]
        found[row.name] = [100 * statistics.fmean(values) for values in zip(*by_fold, strict=True)]
    return [Plot(name, title, found)]


def epochs_table(
    number: str,
    where: str,
    title: str,
    rows: Sequence[Row],
    columns: Mapping[str, ReadValues],
    figure: str,
    best: str,
    *,
    notes: tuple[str, ...] = (),
    sizes: Mapping[str, RunSize] = SIZES,
) -> PaperTable:
    """A table of accuracies by epochs, with the figure of its curves; `best` is a row's name."""

    def plan(size: RunSize, source: BoardSource) -> list[Figure]:
        return plan_rows(rows, columns, size, source)

    def pictures(size: RunSize, source: BoardSource, look: ResultLookup) -> list[Plot]:
        told = f"Figure {figure}: {title}, mean of the folds"
        return curves(rows, figure.replace(".", "_"), told, size, source, look)

    return PaperTable(
        source=SOURCE,
        number=number,
        where=where,
        title=title,
        plan=plan,
        headline=(best, list(columns)[-1]),
        notes=(EPOCHS_NOTE, *notes),
        pictures=pictures,
        sizes=sizes,
    )
