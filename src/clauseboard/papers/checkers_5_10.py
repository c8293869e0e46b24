"""Table 5.10 of the checkers thesis: precision, recall, F for draws, by data set composition."""

from __future__ import annotations

from clauseboard.papers.checkers_tables import ROWS, SOURCE, STOPPED, score_figures
from clauseboard.papers.experiment import Figure, PaperTable, RunSize
from clauseboard.papers.materials import BoardSource

PUBLISHED = (
    (73, 87, 79),
    (72, 89, 80),
    (65, 88, 75),
    (49, 63, 55),
    (76, 86, 80),
    (76, 86, 81),
    (76, 87, 81),
    (77, 85, 81),
    (74, 87, 80),
    (72, 86, 78),
    (69, 90, 78),
)


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Three figures for each row."""
    return [
        figure
        for row, numbers in zip(ROWS, PUBLISHED, strict=True)
        for figure in score_figures(row, "draw", numbers, size, source)
    ]


TABLE = PaperTable(
    source=SOURCE,
    number="5.10",
    where="section 5.4.1, table 5.10: STATS for predicting draws",
    title="precision, recall and F for draws",
    plan=plan,
    headline=("NoDupeCheck StandardEnd, 19000", "F"),
    notes=(STOPPED,),
)
