"""Table 4.9 of the checkers thesis: seven numbers of a board, duplicates kept."""

from __future__ import annotations

from clauseboard.papers.checkers_compositions import composition_table

TABLE = composition_table("4.9", "4.3.4", "metadata", False, (22_578, 11.11, 21.2, 16.0, 62.8))
