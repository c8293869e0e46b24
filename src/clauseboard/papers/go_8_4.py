"""Table 8.4 of the Go thesis: the count of the board without komi, by the depth of the search."""

from __future__ import annotations

from clauseboard.papers.go_searching import correct_table, counted

PUBLISHED = {
    "black": (520, 536, 518, 542, 511, 549, 502, 553),
    "white": (328, 191, 343, 273, 352, 270, 359, 269),
}
"""Wins of each that are seen: on the board as it was, and after each of seven moves."""

TABLE = correct_table(
    "8.4",
    "section 8.1, table 8.4 and figure 8.5: current board is correct with end result - komi",
    "board score without komi, by depth",
    counted(0),
    PUBLISHED,
    "Points on the board by area, without komi; equal ones are nobody's.",
    "The 191 of white at B Move 1 is as printed; after black's other moves it is about 270.",
)
