"""Table 5.6 of the Hex thesis: numbers of clauses of the machine for black, on searched boards."""

from __future__ import annotations

from collections.abc import Sequence

from clauseboard.papers.experiment import Figure, RunSize, TaskResult
from clauseboard.papers.hex_dual import learning_red, one_by_one
from clauseboard.papers.hex_tables import (
    COLOURS,
    FIXED,
    MADE,
    WHOLE_SEARCHES,
    clause_plan,
    clause_row,
    hex_table,
)
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.training import MachineParameters

PUBLISHED = {
    500: (0.87, 0.92, 84.44),
    1700: (0.90, 0.93, 87.33),
    3200: (0.90, 0.94, 88.48),
    6400: (0.93, 0.92, 88.89),
    9600: (0.93, 0.92, 89.45),
    12800: (0.93, 0.93, 89.95),
}
"""Precision, recall and accuracy by clauses, after the 100th epoch."""

HALFWAY = {500: 85.09, 1700: 88.21, 3200: 89.60, 6400: 90.39, 9600: 91.19, 12800: 91.28}
"""Accuracy after the 50th."""

BEST = 9600
"""Clauses of the machine that the thesis chose for its players."""

HALF = "accuracy, 50th epoch"


def halfway(done: Sequence[TaskResult]) -> list[float]:
    """The accuracy after half of the epochs."""
    return [100 * one.accuracies[len(one.epochs) // 2 - 1] for one in done]


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """All of the epochs, and half of them."""
    whole = clause_plan(PUBLISHED, learning_red(100), 12_000, 40)(size, source)
    by_row = {clause_row(clauses): published for clauses, published in HALFWAY.items()}
    figures = []
    for figure in whole:
        figures.append(figure)
        if figure.name == "accuracy":
            figures.append(Figure(figure.row, HALF, by_row[figure.row], figure.tasks, halfway))
    machine = MachineParameters(BEST, 12_000, 40)
    tasks = learning_red(100, one_by_one)(size, source, machine)
    figures.append(
        Figure(
            f"{clause_row(BEST)}, boards split one by one",
            HALF,
            None,
            tasks,
            halfway,
            settings=str(machine.at(size)),
        )
    )
    return figures


TABLE = hex_table(
    "5.6", "section 5.1.3, table 5.6: varying clauses for black TM trained on 287k dataset",
    "clauses, machine for black, 287k boards", plan, (clause_row(BEST), HALF), MADE, COLOURS, FIXED,
    WHOLE_SEARCHES + " The last row has it so.",
    "Where fewer epochs are run, the 50th stands for half of them; that half of them is better was "
    "seen on the test boards.",
    share=1 / 20, epochs=30,
)  # fmt: skip
