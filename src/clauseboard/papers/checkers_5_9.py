"""Table 5.9 of the checkers thesis: precision, recall, F for losses, by data set composition."""

from __future__ import annotations

from clauseboard.papers.checkers_tables import ROWS, SOURCE, STOPPED, score_figures
from clauseboard.papers.experiment import Figure, PaperTable, RunSize
from clauseboard.papers.materials import BoardSource

PUBLISHED = (
    (62, 48, 54),
    (61, 40, 48),
    (58, 32, 41),
    (49, 41, 45),
    (62, 52, 56),
    (62, 52, 57),
    (67, 51, 58),
    (62, 49, 55),
    (62, 47, 54),
    (57, 43, 48),
    (55, 32, 40),
)


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Three figures for each row."""
    return [
        figure
        for row, numbers in zip(ROWS, PUBLISHED, strict=True)
        for figure in score_figures(row, "loss", numbers, size, source)
    ]


TABLE = PaperTable(
    source=SOURCE,
    number="5.9",
    where="section 5.4.1, table 5.9: STATS for predicting losses",
    title="precision, recall and F for losses",
    plan=plan,
    headline=("NoDupeCheck StandardEnd, 19000", "F"),
    notes=(STOPPED,),
)
