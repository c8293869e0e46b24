"""Table 8.1 of the Go thesis: the machine that judges in the tree search."""

from __future__ import annotations

from clauseboard.papers.go_tables import (
    FIFTH_EPOCHS,
    SEARCHER,
    SIZES_OF_SEARCH,
    UNFINISHED,
    Row,
    epochs_table,
)

PUBLISHED = ((89.03, 0.13), (91.19, 0.12), (91.86, 0.1), (92.08, 0.09), (91.82, None))
"""Accuracy and standard deviation after epochs 1, 5, 10, 15 and over the last ten."""

ROWS = [Row("1000/8000/80", SEARCHER, PUBLISHED, UNFINISHED)]

TABLE = epochs_table(
    "8.1",
    "section 8.1, table 8.1 and figure 8.1: 90 moves performed from game with 100 moves or more",
    "accuracy of the machine of the tree search",
    ROWS,
    FIFTH_EPOCHS,
    figure="8.1",
    best="1000/8000/80",
    sizes=SIZES_OF_SEARCH,
)
