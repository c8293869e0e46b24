"""Table 4.7 of the checkers thesis: the last nine rounds, duplicates kept."""

from __future__ import annotations

from clauseboard.papers.checkers_compositions import composition_table

TABLE = composition_table("4.7", "4.3.3", "end-to-eight", False, (203_302, 11.11, 21.2, 16.0, 62.8))
