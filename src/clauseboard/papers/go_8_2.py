"""Table 8.2 of the Go thesis: the prediction against how the game ended, by depth."""

from __future__ import annotations

from clauseboard.papers.go_searching import correct_table, predicted

PUBLISHED = {
    "black": (547, 558, 541, 560, 535, 561, 520, 560),
    "white": (372, 356, 383, 350, 392, 333, 397, 324),
}
"""Wins of each that are seen: on the board as it was, and after each of seven moves."""

TABLE = correct_table(
    "8.2",
    "section 8.1, table 8.2 and figure 8.3: current prediction is correct with end result",
    "prediction against the end result, by depth",
    predicted,
    PUBLISHED,
)
