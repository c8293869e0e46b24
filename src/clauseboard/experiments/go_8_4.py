"""Table 8.4 of the Go thesis: the count of the board without komi, by the depth of the search."""

from __future__ import annotations

from clauseboard.experiments.go_searching import COUNTED, NOTES, correct_figures, counted
from clauseboard.experiments.go_tables import SIZES_OF_SEARCH, SOURCE
from clauseboard.experiments.materials import Materials
from clauseboard.experiments.table import Figure, Size, Table

PUBLISHED = {
    "black": (520, 536, 518, 542, 511, 549, 502, 553),
    "white": (328, 191, 343, 273, 352, 270, 359, 269),
}
"""Wins of each that are seen: on the board as it was, and after each of seven moves."""


def plan(size: Size, materials: Materials) -> list[Figure]:
    """Eight figures for each colour."""
    return correct_figures(counted(0), PUBLISHED, size, materials)


TABLE = Table(
    source=SOURCE,
    number="8.4",
    where="section 8.1, table 8.4 and figure 8.5: current board is correct with end result - komi",
    title="board score without komi, by depth",
    plan=plan,
    headline=("Correct B", "Initial 0"),
    notes=(
        "Points on the board by area, without komi; equal ones are nobody's.",
        "The 191 of white at B Move 1 is as printed; after black's other moves it is about 270.",
        COUNTED,
        *NOTES,
    ),
    sizes=SIZES_OF_SEARCH,
)
