"""Table 4.10 of the checkers thesis: precision, recall and F of the predictor for black."""

from __future__ import annotations

from clauseboard.papers.checkers_tables import PLAYER_1, SOURCE, STOPPED, score_figures
from clauseboard.papers.experiment import Figure, PaperTable, RunSize, sizes
from clauseboard.papers.materials import BoardSource

PUBLISHED = {"win": (57, 44, 49), "loss": (67, 51, 58), "draw": (76, 87, 81)}


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Three figures for each result."""
    return [
        figure
        for result, numbers in PUBLISHED.items()
        for figure in score_figures(PLAYER_1, result, numbers, size, source, result)
    ]


TABLE = PaperTable(
    source=SOURCE,
    number="4.10",
    where="section 4.4, table 4.10: Player 1 (Black), NoDupeCheck StandardEnd, K-Fold number 3",
    title="precision, recall and F of the predictor for black",
    plan=plan,
    headline=("draw", "F"),
    notes=(STOPPED, "One fold, the third; so there is no spread."),
    sizes=sizes(boards=None, folds=10, share=1 / 5),
)
