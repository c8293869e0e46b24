"""Table 5.4 of the checkers thesis: eight configurations of the machine."""

from __future__ import annotations

from clauseboard.papers.checkers_tables import BEST, ENDS, SOURCE, STOPPED
from clauseboard.papers.experiment import Figure, PaperTable, RunSize, sizes
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_tasks

LOW = 8
"""Boards in a block where the threshold is low: with 64, votes would be too old."""

ROWS = (
    ("1: TM", MachineParameters(19_000, 40_000, 9, weighted=False, boost=False), 56.84),
    (
        "2: TM",
        MachineParameters(12_000, 50, 27, weighted=False, boost=False, block_size=LOW),
        67.39,
    ),
    ("3: wght TM", MachineParameters(15_000, 12_000, 27, boost=False), 70.68),
    ("4: TM pos", MachineParameters(12_000, 50, 27, weighted=False, block_size=LOW), 68.16),
    ("5: wght TM pos", BEST, 71.69),
    (
        "6: conv TM",
        MachineParameters(16_000, 30_000, 30, weighted=False, boost=False, window=2),
        64.07,
    ),
    ("7: wght conv TM", MachineParameters(10_000, 30_000, 30, boost=False, window=2), 67.23),
    ("8: conv TM pos", MachineParameters(10_000, 30_000, 30, weighted=False, window=2), 64.53),
    ("9: wght conv TM pos", MachineParameters(10_000, 30_000, 30, window=2), 67.16),
)
"""Row, settings and accuracy, in the order of the table."""


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """A figure for each row."""
    boards = source.boards(ENDS)
    course = TrainingSchedule(size.epochs)
    figures = []
    for name, machine, published in ROWS:
        small = machine.at(size)
        tasks = fold_tasks(boards, size, small, course)
        honest = fold_tasks(boards, size, small, course.honest)
        figures.append(
            Figure(name, "accuracy", published, tasks, honest=honest, settings=str(small))
        )
    return figures


TABLE = PaperTable(
    source=SOURCE,
    number="5.4",
    where="section 5.3.1, table 5.4: configurations of the Tsetlin Machine on NoDupeCheck "
    "StandardEnd",
    title="eight configurations of the machine",
    plan=plan,
    headline=("5: wght TM pos", "accuracy"),
    notes=(
        STOPPED,
        "Row 1 is the plain machine with the settings of the weighted one. Row 7 is printed as "
        "'wght conv TM pos', like row 9; the text below the table shows that it is the one without "
        "boost, which is what is run here.",
        "Blocks of 64 boards (see docs/tsetlin.md) are too long for rows 3, 7 and 9: with blocks "
        "of 8, three folds came to 70.2, 67.7 and 67.8 % after 60 epochs.",
        "Windows of 2 by 2 go over the 32 squares as 8 rows of 4, with four kinds of piece each.",
    ),
    sizes=sizes(boards=None, folds=5),
)
