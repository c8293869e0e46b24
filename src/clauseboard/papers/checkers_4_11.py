"""Table 4.11 of the checkers thesis: precision, recall and F of the predictor for white."""

from __future__ import annotations

from clauseboard.papers.checkers_tables import PLAYER_2, SOURCE, STOPPED, score_figures
from clauseboard.papers.experiment import Figure, PaperTable, RunSize, sizes
from clauseboard.papers.materials import BoardSource

PUBLISHED = {"win": (60, 52, 55), "loss": (62, 49, 55), "draw": (77, 85, 81)}


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Three figures for each result; wins are white's."""
    return [
        figure
        for result, numbers in PUBLISHED.items()
        for figure in score_figures(PLAYER_2, result, numbers, size, source, result)
    ]


TABLE = PaperTable(
    source=SOURCE,
    number="4.11",
    where="section 4.4, table 4.11: Player 2 (White), NoDupeCheck StandardEnd, K-Fold number 3 "
    "with inverted loss and win data results",
    title="precision, recall and F of the predictor for white",
    plan=plan,
    headline=("draw", "F"),
    notes=(STOPPED, "One fold, the third; so there is no spread."),
    sizes=sizes(boards=None, folds=10, share=1 / 5),
)
