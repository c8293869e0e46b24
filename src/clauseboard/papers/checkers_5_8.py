"""Table 5.8 of the checkers thesis: precision, recall, F for wins, by data set composition."""

from __future__ import annotations

from clauseboard.papers.checkers_tables import ROWS, SOURCE, STOPPED, score_figures
from clauseboard.papers.experiment import Figure, PaperTable, RunSize
from clauseboard.papers.materials import BoardSource

PUBLISHED = (
    (58, 36, 44),
    (59, 32, 41),
    (54, 23, 32),
    (47, 32, 48),
    (59, 42, 49),
    (59, 41, 48),
    (57, 44, 49),
    (60, 52, 55),
    (60, 38, 46),
    (53, 31, 39),
    (56, 23, 32),
)


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Three figures for each row."""
    return [
        figure
        for row, numbers in zip(ROWS, PUBLISHED, strict=True)
        for figure in score_figures(row, "win", numbers, size, source)
    ]


TABLE = PaperTable(
    source=SOURCE,
    number="5.8",
    where="section 5.4.1, table 5.8: STATS for predicting wins",
    title="precision, recall and F for wins",
    plan=plan,
    headline=("NoDupeCheck StandardEnd, 19000", "F"),
    notes=(
        STOPPED,
        "The published F of StandardPureMetaData, 48, is not that of its precision and recall: 38.",
    ),
)
