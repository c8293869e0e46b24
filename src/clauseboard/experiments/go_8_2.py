"""Table 8.2 of the Go thesis: the prediction against how the game ended, by depth."""

from __future__ import annotations

from clauseboard.experiments.go_searching import COUNTED, NOTES, correct_figures, predicted
from clauseboard.experiments.go_tables import SIZES_OF_SEARCH, SOURCE
from clauseboard.experiments.materials import Materials
from clauseboard.experiments.table import Figure, Size, Table

PUBLISHED = {
    "black": (547, 558, 541, 560, 535, 561, 520, 560),
    "white": (372, 356, 383, 350, 392, 333, 397, 324),
}
"""Wins of each that are seen: on the board as it was, and after each of seven moves."""


def plan(size: Size, materials: Materials) -> list[Figure]:
    """Eight figures for each colour."""
    return correct_figures(predicted, PUBLISHED, size, materials)


TABLE = Table(
    source=SOURCE,
    number="8.2",
    where="section 8.1, table 8.2 and figure 8.3: current prediction is correct with end result",
    title="prediction against the end result, by depth",
    plan=plan,
    headline=("Correct B", "Initial 0"),
    notes=(COUNTED, *NOTES),
    sizes=SIZES_OF_SEARCH,
)
