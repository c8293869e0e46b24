"""Table 7.1 of the Go thesis: the accuracy by the moves that were played."""

from __future__ import annotations

from clauseboard.papers.go_tables import FIFTH_EPOCHS, OPTIMAL, Row, epochs_table, kind

PUBLISHED = {
    "100_9x9Aya": ((94.93, 0.13), (95.49, 0.18), (95.74, 0.08), (95.78, 0.1), (95.67, None)),
    "80_9x9Aya": ((84.81, 0.18), (84.64, 0.15), (84.65, 0.12), (84.69, 0.1), (84.64, None)),
    "80_90T_9x9Aya": ((86.47, 0.1), (86.79, 0.1), (86.64, 0.12), (86.58, 0.19), (86.62, None)),
    "90_9x9Aya": ((90.43, 0.21), (91.12, 0.1), (91.05, 0.07), (90.92, 0.1), (91.01, None)),
    "90_100T_9x9Aya": ((92.43, 0.11), (93.05, 0.1), (93.28, 0.08), (93.22, 0.07), (93.2, None)),
}
"""Accuracy and standard deviation after epochs 1, 5, 10, 15 and over the last ten."""

BOARDS = ("after 100", "after 80", "after 80 of 90", "after 90", "after 90 of 100")

ROWS = [
    Row(name, OPTIMAL, published, kind(boards))
    for (name, published), boards in zip(PUBLISHED.items(), BOARDS, strict=True)
]

TABLE = epochs_table(
    "7.1",
    "section 7.2, table 7.1 and figure 7.1: different moves completed and with move-threshold",
    "accuracy by the moves that were played",
    ROWS,
    FIFTH_EPOCHS,
    figure="7.1",
    best="90_100T_9x9Aya",
    notes=(
        "Rows are named as in the thesis: 80_90T are boards after 80 moves of the games that have "
        "90 or more. Ours are the same of whatever games the first line tells of.",
    ),
)
