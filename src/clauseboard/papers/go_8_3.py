"""Table 8.3 of the Go thesis: the count of the board against the end of the game, by depth."""

from __future__ import annotations

from clauseboard.papers.go_games import GAME
from clauseboard.papers.go_searching import correct_table, counted

PUBLISHED = {
    "black": (435, 472, 416, 494, 409, 510, 398, 528),
    "white": (379, 359, 385, 352, 390, 351, 397, 346),
}
"""Wins of each that are seen: on the board as it was, and after each of seven moves."""

TABLE = correct_table(
    "8.3",
    "section 8.1, table 8.3 and figure 8.4: current board is correct with end result",
    "board score against the end result, by depth",
    counted(GAME.points_for_white),
    PUBLISHED,
    "Points on the board by area, with the komi of 7 for white; equal ones are nobody's.",
)
