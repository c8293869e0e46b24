"""What the tables of the Hex thesis share: sizes, notes, and two shapes of table.

Audun Linjord Simonsen and Ole André Haddeland, *Playing the game of Hex with the Tsetlin Machine
and tree search*, University of Agder 2020. Its black, who begins, is our red; its white our blue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from clauseboard.papers import experiment as table
from clauseboard.papers.boards import BoardSet, LabelledBoards
from clauseboard.papers.counting import count_task
from clauseboard.papers.experiment import Figure, PaperTable, ReadValues, RunSize, Task, accuracy
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.scores import score
from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_tasks

SOURCE = "Hex thesis"

EPOCHS = 100
"""As many as the thesis tells of where it tells of any."""

DEFAULT = replace(table.SIZES["default"], boards=45_000, folds=3, share=1 / 2, epochs=15)


def sizes(**changes: object) -> dict[str, RunSize]:
    """The sizes of a table, with another default."""
    return {
        "quick": table.SIZES["quick"],
        "default": replace(DEFAULT, **changes),  # type: ignore[arg-type]
        "full": replace(table.SIZES["full"], epochs=EPOCHS),
    }


MADE = (
    "The boards of the thesis are not published. These are made as it made its own, with our "
    "solver in the place of MoHex."
)
FIXED = (
    "A fixed number of epochs: no machine was stopped by its test boards, and there is no other, "
    "honest figure. But the settings of the best cell were chosen by them."
)
NOT_DOUBLED = (
    "From 1,500 clauses on, precision, recall and accuracy as published in table 5.3 cannot be "
    "those of boards of which red wins half; they fit the 17k boards, of which red wins 92.8 %. So "
    "these rows, and table 5.4 with them, seem to have been made on those: compare tables 5.1 and "
    "5.2."
)
WHOLE_SEARCHES = (
    "The boards that one search found are all in one fold here, so that a machine is tested on "
    "searches from boards that it has not seen. The thesis does not say whether its were; it would "
    "make its accuracies higher if not."
)
COLOURS = "The thesis's black, who begins, is red here, and its white is blue."
NO_NUMBERS = "The document draws this and prints no numbers, so that there are none to compare."


def class_figures(
    row: str, boards: Sequence[LabelledBoards], published: Mapping[str, tuple[ReadValues, float]]
) -> list[Figure]:
    """Numbers of boards beside the published ones, and their shares of the last, which is all.

    Several data sets are taken together.
    """
    tasks = tuple(count_task(one) for one in boards)
    numbers = [
        Figure(row, name, number, tasks, _sum(read), digits=0)
        for name, (read, number) in published.items()
    ]
    *parts, whole = published.items()
    of = whole[1]
    shares = [
        Figure(row, f"{name}, %", round(100 * number / of[1], 2), tasks, _share(read, of[0]))
        for name, (read, number) in parts
    ]
    return [*numbers, *shares]


def _share(part: ReadValues, whole: ReadValues) -> ReadValues:
    return lambda done: [100 * sum(part(done)) / max(sum(whole(done)), 1)]


def _sum(read: ReadValues) -> ReadValues:
    return lambda done: [sum(read(done))]


SHARES = "Shares in percent are worked out from the printed numbers."


def ratio(name: str) -> ReadValues:
    """Precision or recall of red's wins as a part of 1, as the thesis prints it."""
    read = score("win", name)
    return lambda done: [value / 100 for value in read(done)]


Learn = Callable[[RunSize, BoardSource, MachineParameters], tuple[Task, ...]]
"""Gives the tasks that train a machine on the data of a table."""


def learning(kind: BoardSet) -> Learn:
    """Trains on all boards of a kind, for a fixed number of epochs."""

    def tasks(size: RunSize, source: BoardSource, machine: MachineParameters) -> tuple[Task, ...]:
        course = TrainingSchedule(size.epochs, stop=None)
        return fold_tasks(source.boards(kind), size, machine.at(size), course)

    return tasks


def clause_plan(
    rows: Mapping[int, tuple[float, float, float]], learn: Learn, T: int, s: float
) -> Callable[[RunSize, BoardSource], list[Figure]]:
    """Precision, recall and accuracy with several numbers of clauses."""

    def plan(size: RunSize, source: BoardSource) -> list[Figure]:
        figures = []
        for clauses, published in rows.items():
            machine = MachineParameters(clauses, T, s)
            tasks = learn(size, source, machine)
            reads = {
                "precision": ratio("precision"), "recall": ratio("recall"), "accuracy": accuracy
            }  # fmt: skip
            figures += [
                Figure(
                    clause_row(clauses), name, number, tasks, read, settings=str(machine.at(size))
                )
                for (name, read), number in zip(reads.items(), published, strict=True)
            ]
        return figures

    return plan


def clause_row(clauses: int) -> str:
    """What a row of such a table is called."""
    return f"{clauses:,} clauses"


Grid = Mapping[int, Mapping[int, float]]
"""Accuracies by threshold, and then by s."""


def grid_plan(
    clauses: int, published: Grid, learn: Learn
) -> Callable[[RunSize, BoardSource], list[Figure]]:
    """The accuracy with several thresholds and values of s."""

    def plan(size: RunSize, source: BoardSource) -> list[Figure]:
        figures = []
        for T, line in published.items():
            for s, number in line.items():
                machine = MachineParameters(clauses, T, s)
                tasks = learn(size, source, machine)
                figures.append(
                    Figure(f"T {T:,}", f"s {s}", number, tasks, settings=str(machine.at(size)))
                )
        return figures

    return plan


def hex_table(
    number: str,
    where: str,
    title: str,
    plan: Callable[[RunSize, BoardSource], list[Figure]],
    headline: tuple[str, str],
    *notes: str,
    **changes: object,
) -> PaperTable:
    """A table of the thesis; `changes` are those of its default size."""
    return PaperTable(SOURCE, number, where, title, plan, headline, notes, sizes=sizes(**changes))
