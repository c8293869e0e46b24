"""Table 6.2 of the Go thesis: the accuracy by the threshold."""

from __future__ import annotations

from clauseboard.papers.go_tables import ODD_EPOCHS, Row, epochs_table
from clauseboard.papers.training import MachineParameters

PUBLISHED = {
    2_000: ((92.81, 0.25), (94.20, 0.52), (94.57, 0.28), (94.37, 0.52), (94.37, 0.66)),
    4_000: ((93.21, 0.39), (94.91, 0.69), (94.74, 0.56), (94.49, 0.57), (94.51, 0.51)),
    8_000: ((93.08, 0.27), (95.46, 0.49), (95.39, 0.51), (95.25, 0.76), (95.37, 0.68)),
    16_000: ((92.91, 0.32), (95.00, 0.61), (95.70, 0.52), (95.43, 0.53), (94.90, 0.49)),
    32_000: ((92.52, 0.24), (94.18, 0.53), (94.55, 0.65), (95.07, 0.69), (94.91, 0.56)),
    64_000: ((92.20, 0.21), (93.43, 0.58), (94.24, 0.49), (94.60, 0.77), (94.72, 0.85)),
    128_000: ((92.07, 0.12), (93.17, 0.57), (93.51, 0.52), (93.98, 0.84), (93.95, 0.60)),
    256_000: ((91.66, 0.23), (92.61, 0.17), (92.84, 0.22), (93.00, 0.28), (93.29, 0.40)),
}
"""Accuracy and standard deviation after epochs 1, 5, 9, 13 and 15, by the threshold."""

ROWS = [
    Row(f"threshold {threshold:,}", MachineParameters(32_000, threshold, 27), published)
    for threshold, published in PUBLISHED.items()
]

TABLE = epochs_table(
    "6.2",
    "section 6.3, table 6.2 and figure 6.2: 32,000 clauses and different thresholds",
    "accuracy by the threshold",
    ROWS,
    ODD_EPOCHS,
    figure="6.2",
    best="threshold 8,000",
    notes=("s is not told with the table; section 6.4 says that it was 27 until then.",),
)
