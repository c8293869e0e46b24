"""Table 7.2 of the Go thesis: the accuracy on unfinished games by the number of clauses."""

from __future__ import annotations

from dataclasses import replace

from clauseboard.papers.go_tables import FIFTH_EPOCHS, OPTIMAL, UNFINISHED, Row, epochs_table

PUBLISHED = {
    1_000: ((90.37, 0.12), (91.81, 0.1), (91.95, 0.12), (91.86, 0.1), (91.92, None)),
    2_000: ((91.18, 0.11), (92.25, 0.09), (92.4, 0.12), (92.39, 0.09), (92.37, None)),
    4_000: ((91.73, 0.06), (92.44, 0.12), (92.72, 0.07), (92.69, 0.11), (92.68, None)),
    8_000: ((92.08, 0.09), (92.74, 0.09), (92.89, 0.11), (92.95, 0.09), (92.88, None)),
    16_000: ((92.28, 0.08), (92.82, 0.2), (93.06, 0.1), (93.13, 0.11), (93.05, None)),
    32_000: ((92.43, 0.11), (93.05, 0.1), (93.28, 0.08), (93.22, 0.07), (93.2, None)),
}
"""Accuracy and standard deviation after epochs 1, 5, 10, 15 and over the last ten, by clauses."""

ROWS = [
    Row(f"{clauses:,} clauses", replace(OPTIMAL, clauses=clauses), published, UNFINISHED)
    for clauses, published in PUBLISHED.items()
]

TABLE = epochs_table(
    "7.2",
    "section 7.3, table 7.2 and figure 7.2: 90 moves and 100 move threshold with different amount "
    "of clauses",
    "accuracy after 90 of 100 moves by the number of clauses",
    ROWS,
    FIFTH_EPOCHS,
    figure="7.2",
    best="32,000 clauses",
    notes=(
        "Threshold and s are not told with the table. Its last row is that of table 7.1, which was "
        "made with a threshold of 8,000 and s 40; so these are taken for all rows.",
    ),
)
