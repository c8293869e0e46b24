"""Table 4.2 of the checkers thesis: the boards at the end of games, without duplicates."""

from __future__ import annotations

from clauseboard.papers.checkers_compositions import ONE_MORE, composition_table

TABLE = composition_table(
    "4.2", "4.3.1", "standard-end", True, (21_701, 11.11, 21.9, 16.6, 61.5), (ONE_MORE,)
)
