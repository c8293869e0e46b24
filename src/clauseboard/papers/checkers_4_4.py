"""Table 4.4 of the checkers thesis: the last three rounds, without duplicates."""

from __future__ import annotations

from clauseboard.papers.checkers_compositions import TWO_CHECKS, composition_table

TABLE = composition_table(
    "4.4", "4.3.2", "end-second-third", True, (38_143, 10.8, 20.0, 16.7, 63.3), (TWO_CHECKS,)
)
