"""Table 4.1 of the checkers thesis: the boards at the end of games, as table 4.3 has them."""

from __future__ import annotations

from clauseboard.papers.checkers_compositions import composition_table

TABLE = composition_table("4.1", "4.3", "standard-end", False, (22_578, 11.11, 21.2, 16.0, 62.8))
