"""Table 4.8 of the checkers thesis: seven numbers of a board, without duplicates."""

from __future__ import annotations

from clauseboard.papers.checkers_compositions import ONE_MORE, composition_table

TABLE = composition_table(
    "4.8", "4.3.4", "metadata", True, (6_907, 11.11, 29.9, 25.9, 44.3), (ONE_MORE,)
)
