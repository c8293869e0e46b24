"""Figure 5.1 of the Hex thesis: a machine for each number of stones on the board."""

from __future__ import annotations

import statistics

import numpy as np

from clauseboard.papers.boards import LabelledBoards
from clauseboard.papers.experiment import Figure, PaperTable, Plot, ResultLookup, RunSize
from clauseboard.papers.hex_boards import PERFECT
from clauseboard.papers.hex_tables import (
    COLOURS,
    EPOCHS,
    FIXED,
    MADE,
    NO_NUMBERS,
    SOURCE,
    sizes,
)
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_tasks

MACHINE = MachineParameters(500, 6_000, 10)
FEWEST, MOST = 2, 26
"""Stones of the boards that the figure shows."""


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """The accuracy with each number of stones, as far as there are boards to learn and to test."""
    boards = source.boards(PERFECT)
    stones = boards.X.sum(axis=1, dtype=np.int64)
    machine = MACHINE.at(size)
    figures = []
    for number in range(FEWEST, MOST + 1):
        part = boards.part(stones == number)
        if number > FEWEST and not _enough(part, size.folds):
            continue
        tasks = fold_tasks(part, size, machine, TrainingSchedule(size.epochs, stop=None))
        settings = f"{machine}; {len(part):,} boards"
        figures.append(Figure(row(number), "accuracy", None, tasks, settings=settings))
    return figures


def row(stones: int) -> str:
    """What a row is called."""
    return f"{stones} stones"


def _enough(boards: LabelledBoards, folds: int) -> bool:
    """Whether every fold has boards to test, and the others boards of both results to learn."""
    for fold in range(min(folds, boards.n_folds)):
        test = boards.folds == fold
        if not test.any() or len(np.unique(boards.results[~test])) < 2:
            return False
    return True


def pictures(size: RunSize, source: BoardSource, look: ResultLookup) -> list[Plot]:
    """The figure."""
    curve = [
        statistics.fmean(figure.values([look(task) for task in figure.tasks]))
        for figure in plan(size, source)
    ]
    title = "Figure 5.1: accuracy by the number of stones"
    curves = {"a machine for each number": curve}
    return [Plot("stones", title, curves, x_label="stones on the board", start=FEWEST)]


TABLE = PaperTable(
    source=SOURCE,
    number="figure 5.1",
    where="section 5.2, figure 5.1: accuracy of TM based on training with separated moves",
    title="accuracy by the number of stones",
    plan=plan,
    headline=(row(FEWEST), "accuracy"),
    notes=(
        NO_NUMBERS,
        "The text says: low with two stones, higher with more, lower again where boards are few.",
        MADE, COLOURS, FIXED,
    ),
    pictures=pictures,
    sizes=sizes(share=1.0, epochs=EPOCHS),
)  # fmt: skip
