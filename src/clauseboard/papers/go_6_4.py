"""Table 6.4 of the Go thesis: the convolutional machine by the size of its window."""

from __future__ import annotations

from dataclasses import replace

from clauseboard.papers.go_tables import FIFTH_EPOCHS, OPTIMAL, SIZES, Row, epochs_table

PUBLISHED = {
    5: ((92.74, 0.27), (94.13, 0.48), (94.14, 0.60), (93.84, 0.71), (94.11, None)),
    6: ((92.98, 0.19), (94.15, 0.48), (94.73, 0.73), (94.51, 0.48), (94.62, None)),
    7: ((93.07, 0.35), (95.02, 0.29), (94.78, 0.47), (94.81, 0.60), (94.91, None)),
    8: ((93.12, 0.37), (94.70, 0.63), (95.37, 0.38), (95.58, 0.54), (95.36, None)),
    9: ((92.91, 0.36), (95.08, 0.66), (95.44, 0.67), (95.52, 0.72), (95.46, None)),
}
"""Accuracy and standard deviation after epochs 1, 5, 10, 15 and over the last ten, by window."""

ROWS = [
    Row(f"{lines}x{lines}", replace(OPTIMAL, window=lines), published)
    for lines, published in PUBLISHED.items()
]

TABLE = epochs_table(
    "6.4",
    "section 6.5, table 6.4 and figure 6.4: convolutional machine, 32,000 clauses, 8,000 "
    "threshold, s 40, different window sizes",
    "accuracy of the convolutional machine by its window",
    ROWS,
    FIFTH_EPOCHS,
    figure="6.4",
    best="9x9",
    notes=("A window of 9x9 has one place only: it is the machine without windows.",),
    sizes={**SIZES, "default": replace(SIZES["default"], boards=3000, folds=2, share=1 / 160)},
)
