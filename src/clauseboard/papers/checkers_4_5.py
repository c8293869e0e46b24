"""Table 4.5 of the checkers thesis: the last three rounds, duplicates kept."""

from __future__ import annotations

from clauseboard.papers.checkers_compositions import composition_table

TABLE = composition_table(
    "4.5", "4.3.2", "end-second-third", False, (67_745, 11.11, 21.2, 16.0, 62.8)
)
