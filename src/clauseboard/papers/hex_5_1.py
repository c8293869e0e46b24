"""Table 5.1 of the Hex thesis: numbers of clauses, on the boards of perfect games."""

from __future__ import annotations

from clauseboard.papers.hex_boards import PERFECT
from clauseboard.papers.hex_tables import (
    COLOURS,
    FIXED,
    MADE,
    clause_plan,
    clause_row,
    hex_table,
    learning,
)

PUBLISHED = {
    500: (0.98, 1.00, 97.58),
    1000: (0.98, 1.00, 97.52),
    1500: (0.98, 0.99, 97.37),
    1600: (0.98, 1.00, 97.40),
    1700: (0.98, 0.99, 97.55),
    2000: (0.98, 0.99, 97.74),
}
"""Precision, recall and accuracy by clauses."""

TABLE = hex_table(
    "5.1", "section 5.1.1, table 5.1: varying clauses for TM trained on 17k dataset",
    "clauses, 17k boards", clause_plan(PUBLISHED, learning(PERFECT), 6_000, 10),
    (clause_row(2000), "accuracy"), MADE, COLOURS, FIXED,
    "Who always says red is right on 92.8 % of the boards.",
)  # fmt: skip
