"""Table 4.6 of the checkers thesis: the last nine rounds, without duplicates."""

from __future__ import annotations

from clauseboard.papers.checkers_compositions import TWO_CHECKS, composition_table

TABLE = composition_table(
    "4.6", "4.3.3", "end-to-eight", True, (183_701, 10.61, 23.0, 17.4, 59.7), (TWO_CHECKS,)
)
