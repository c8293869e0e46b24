"""Table 5.7 of the Hex thesis: thresholds and values of s of the machine for black."""

from __future__ import annotations

from clauseboard.papers.hex_dual import learning_red
from clauseboard.papers.hex_tables import (
    COLOURS,
    FIXED,
    MADE,
    WHOLE_SEARCHES,
    grid_plan,
    hex_table,
)

PUBLISHED = {
    3000: {10: 81.41, 15: 84.89, 20: 85.46, 40: 88.13},
    6000: {10: 83.01, 15: 85.73, 20: 86.49, 40: 89.30},
    9000: {10: 83.78, 15: 85.75, 20: 86.68, 40: 90.25},
    12000: {10: 83.61, 15: 86.59, 20: 87.67, 40: 91.19},
}

TABLE = hex_table(
    "5.7", "section 5.1.3, table 5.7: accuracy for black TM with various thresholds and s-values "
    "for 9600 clauses trained on 287k dataset up to 50th epoch",
    "thresholds and s, machine for black, 287k boards",
    grid_plan(9_600, PUBLISHED, learning_red(50)), ("T 12,000", "s 40"), MADE, COLOURS, FIXED,
    WHOLE_SEARCHES,
    share=1 / 20, epochs=20, folds=2,
)  # fmt: skip
