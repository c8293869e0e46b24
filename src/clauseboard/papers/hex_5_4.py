"""Table 5.4 of the Hex thesis: thresholds and values of s, on the doubled boards."""

from __future__ import annotations

from clauseboard.papers.hex_boards import EXCHANGED
from clauseboard.papers.hex_tables import (
    COLOURS,
    FIXED,
    MADE,
    NOT_DOUBLED,
    grid_plan,
    hex_table,
    learning,
)

PUBLISHED = {
    5000: {10: 96.54, 15: 96.61, 20: 96.77},
    6000: {10: 97.21, 15: 96.76, 20: 97.10},
    7000: {10: 96.54, 15: 96.74, 20: 96.45},
}

TABLE = hex_table(
    "5.4", "section 5.1.2, table 5.4: accuracy with various thresholds and s-values for 1700 "
    "clauses trained on 35k dataset",
    "thresholds and s, 35k boards", grid_plan(1_700, PUBLISHED, learning(EXCHANGED)),
    ("T 6,000", "s 10"), MADE, COLOURS, FIXED, NOT_DOUBLED, share=1 / 5,
)  # fmt: skip
