"""Table 5.3 of the Hex thesis: numbers of clauses, on the doubled boards of perfect games."""

from __future__ import annotations

from clauseboard.papers.experiment import Figure, RunSize
from clauseboard.papers.hex_boards import DOUBLED, EXCHANGED
from clauseboard.papers.hex_tables import (
    COLOURS,
    FIXED,
    MADE,
    NOT_DOUBLED,
    clause_plan,
    clause_row,
    hex_table,
    learning,
)
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.training import MachineParameters

PUBLISHED = {
    500: (0.90, 0.85, 87.73),
    1000: (0.89, 0.88, 88.50),
    1500: (0.97, 0.99, 96.83),
    1600: (0.97, 0.99, 97.11),
    1700: (0.98, 0.99, 97.21),
    2000: (0.97, 1.00, 96.78),
}
"""Precision, recall and accuracy by clauses."""

REFLECTED = "accuracy, boards reflected"


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """As published, and the best row once more on boards that have the winner they say."""
    figures = clause_plan(PUBLISHED, learning(EXCHANGED), 6_000, 10)(size, source)
    machine = MachineParameters(1_700, 6_000, 10)
    tasks = learning(DOUBLED)(size, source, machine)
    right = Figure(clause_row(1700), REFLECTED, None, tasks, settings=str(machine.at(size)))
    place = 1 + max(n for n, figure in enumerate(figures) if figure.row == right.row)
    return [*figures[:place], right, *figures[place:]]


TABLE = hex_table(
    "5.3", "section 5.1.2, table 5.3: varying clauses for TM trained on 35k dataset",
    "clauses, 35k boards", plan, (clause_row(1700), "accuracy"), MADE, COLOURS, FIXED,
    "The thesis exchanges the colours and leaves the stones where they are, so that a copy has "
    "often not the winner that it says: each colour has sides of its own. One row is there a "
    "second time on copies that are reflected, too, and have it.",
    NOT_DOUBLED,
    share=1 / 5,
)  # fmt: skip
