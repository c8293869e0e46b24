"""Table 5.7 of the checkers thesis: the accuracy on every data set composition."""

from __future__ import annotations

from clauseboard.papers.checkers_tables import ROWS, SOURCE, STOPPED, accuracy_figure
from clauseboard.papers.experiment import Figure, PaperTable, RunSize
from clauseboard.papers.materials import BoardSource

PUBLISHED = (69.79, 69.41, 63.38, 48.39, 71.35, 71.44, 72.21, 72.12, 70.65, 67.73, 66.53)


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """A figure for each row."""
    return [
        accuracy_figure(row, number, size, source)
        for row, number in zip(ROWS, PUBLISHED, strict=True)
    ]


TABLE = PaperTable(
    source=SOURCE,
    number="5.7",
    where="section 5.4.1, table 5.7: best found hyper-parameters and accuracy of the weighted "
    "Tsetlin Machine with positive boost for various dataset compositions",
    title="accuracy on every data set composition",
    plan=plan,
    headline=("NoDupeCheck StandardEnd, 19000", "accuracy"),
    notes=(
        STOPPED,
        "The thesis has 71.44 here and 71.69 in tables 5.4 and 5.6, with the same settings: two "
        "runs.",
    ),
)
