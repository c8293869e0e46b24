"""Table 6.3 of the Go thesis: the accuracy by s."""

from __future__ import annotations

from clauseboard.papers.go_tables import ODD_EPOCHS, Row, epochs_table
from clauseboard.papers.training import MachineParameters

PUBLISHED = {
    10: ((93.18, 0.48), (93.25, 0.69), (93.36, 0.49), (93.05, 0.47), (93.15, 0.62)),
    25: ((93.48, 0.69), (94.97, 0.70), (94.88, 0.52), (95.26, 0.72), (94.75, 0.71)),
    27: ((93.08, 0.27), (95.46, 0.49), (95.39, 0.51), (95.25, 0.76), (95.37, 0.68)),
    28: ((93.50, 0.30), (95.33, 0.61), (95.31, 0.75), (95.23, 0.52), (94.79, 0.72)),
    29: ((93.35, 0.47), (95.57, 0.55), (95.37, 0.45), (95.27, 0.58), (95.11, 0.35)),
    35: ((93.33, 0.50), (95.16, 0.68), (95.51, 0.59), (95.14, 0.81), (95.53, 0.48)),
    40: ((92.89, 0.39), (94.89, 0.63), (95.45, 0.57), (95.81, 0.45), (95.47, 0.38)),
    55: ((92.60, 0.37), (94.60, 0.35), (95.29, 0.55), (95.52, 0.47), (95.50, 0.35)),
}
"""Accuracy and standard deviation after epochs 1, 5, 9, 13 and 15, by s."""

ROWS = [
    Row(f"s {s}", MachineParameters(32_000, 8_000, s), published)
    for s, published in PUBLISHED.items()
]

TABLE = epochs_table(
    "6.3",
    "section 6.4, table 6.3 and figure 6.3: 32,000 clauses, 8,000 threshold, different s values",
    "accuracy by s",
    ROWS,
    ODD_EPOCHS,
    figure="6.3",
    best="s 40",
)
