"""Table 4.3 of the checkers thesis: the boards at the end of games, duplicates kept."""

from __future__ import annotations

from clauseboard.papers.checkers_compositions import composition_table

TABLE = composition_table("4.3", "4.3.1", "standard-end", False, (22_578, 11.11, 21.2, 16.0, 62.8))
