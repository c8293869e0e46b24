"""Table 6.1 of the Go thesis: the accuracy by the number of clauses."""

from __future__ import annotations

from clauseboard.papers.go_tables import ODD_EPOCHS, Row, epochs_table
from clauseboard.papers.training import MachineParameters

PUBLISHED = {
    1_000: ((90.44, 0.24), (90.45, 0.12), (89.77, 0.22), (89.71, 0.35), (89.72, 0.16)),
    2_000: ((91.24, 0.26), (91.58, 0.08), (91.03, 0.09), (90.88, 0.18), (90.93, 0.05)),
    4_000: ((91.66, 0.15), (92.49, 0.23), (92.03, 0.15), (91.85, 0.15), (91.85, 0.12)),
    8_000: ((91.98, 0.16), (93.13, 0.31), (92.97, 0.28), (92.88, 0.34), (92.66, 0.43)),
    16_000: ((92.48, 0.13), (94.28, 0.40), (93.84, 0.60), (93.88, 0.39), (93.62, 0.41)),
    32_000: ((92.91, 0.32), (95.00, 0.61), (95.70, 0.52), (95.43, 0.53), (94.90, 0.49)),
}
"""Accuracy and standard deviation after epochs 1, 5, 9, 13 and 15, by the number of clauses."""

ROWS = [
    Row(f"{clauses:,} clauses", MachineParameters(clauses, 16_000, 27), published)
    for clauses, published in PUBLISHED.items()
]

TABLE = epochs_table(
    "6.1",
    "section 6.2, table 6.1 and figure 6.1: different clauses and 16,000 threshold",
    "accuracy by the number of clauses",
    ROWS,
    ODD_EPOCHS,
    figure="6.1",
    best="32,000 clauses",
    notes=("s is not told with the table; section 6.4 says that it was 27 until then.",),
)
