"""Table 8.5 of the Go thesis: precision, recall and F of the search, by its depth."""

from __future__ import annotations

from clauseboard.papers.experiment import Figure, PaperTable, RunSize
from clauseboard.papers.go_searching import DEPTHS, NOTES, score_of, search_tasks
from clauseboard.papers.go_tables import SEARCHER, SIZES_OF_SEARCH, SOURCE
from clauseboard.papers.materials import BoardSource

PUBLISHED = {
    ("precision", "White"): (96.12, 98.89, 94.80, 99.43, 93.56, 99.70, 90.43, 99.39),
    ("precision", "Black"): (94.15, 91.78, 95.92, 90.91, 97.45, 88.49, 98.30, 87.23),
    ("precision", "Total"): (95.14, 95.33, 95.36, 95.17, 95.50, 94.09, 94.37, 93.31),
    ("recall", "White"): (91.63, 87.68, 94.33, 86.21, 96.55, 82.02, 97.78, 79.80),
    ("recall", "Black"): (97.33, 99.29, 96.26, 99.64, 95.20, 99.82, 92.53, 99.64),
    ("recall", "Total"): (94.48, 93.49, 95.30, 92.93, 95.87, 90.92, 95.15, 89.72),
    ("F", "White"): (93.82, 92.95, 94.57, 92.35, 95.03, 90.00, 93.96, 88.52),
    ("F", "Black"): (95.71, 95.38, 96.09, 95.08, 96.31, 93.81, 95.33, 93.02),
    ("F", "Total"): (94.77, 94.17, 95.33, 93.71, 95.67, 91.91, 94.64, 90.77),
}
"""Of each colour's wins on the board as it was, and after each of seven moves."""

TOTAL = "Total"


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Eight figures for each score of white, of black, and for their mean."""
    tasks, settings = search_tasks(size, source), str(SEARCHER.at(size))
    return [
        Figure(
            f"{name}, {whose}", column, number, tasks,
            score_of(None if whose == TOTAL else whose.lower(), name, depth), settings=settings,
        )
        for (name, whose), numbers in PUBLISHED.items()
        for depth, (column, number) in enumerate(zip(DEPTHS, numbers, strict=True))
    ]  # fmt: skip


TABLE = PaperTable(
    source=SOURCE,
    number="8.5",
    where="section 8.1, table 8.5: precision, recall and F-measure for each depth in the tree "
    "search",
    title="precision, recall and F, by depth",
    plan=plan,
    headline=("F, Total", "Initial 0"),
    notes=("The total is the mean of both colours, as published.", *NOTES),
    sizes=SIZES_OF_SEARCH,
)
