"""Table 5.2 of the Hex thesis: thresholds and values of s, on the boards of perfect games."""

from __future__ import annotations

from clauseboard.papers.hex_boards import PERFECT
from clauseboard.papers.hex_tables import COLOURS, FIXED, MADE, grid_plan, hex_table, learning

PUBLISHED = {
    5000: {10: 97.09, 15: 96.92, 20: 96.74},
    6000: {10: 97.59, 15: 97.09, 20: 96.76},
    7000: {10: 97.28, 15: 97.21, 20: 96.80},
}

TABLE = hex_table(
    "5.2", "section 5.1.1, table 5.2: accuracy with various thresholds and s-values for 500 "
    "clauses trained on 17k dataset",
    "thresholds and s, 17k boards", grid_plan(500, PUBLISHED, learning(PERFECT)),
    ("T 6,000", "s 10"), MADE, COLOURS, FIXED,
)  # fmt: skip
