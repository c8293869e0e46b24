"""Table 6.6 of the checkers thesis: Player 1 without 9 and -9 for sure wins and losses."""

from __future__ import annotations

from clauseboard.papers.checkers_matches import PLAYER, MatchSide, match_table

TABLE = match_table(
    "6.6",
    "section 6.2, table 6.6: results of 100 matches between Player 1, guaranteed wins and losses "
    "set to 1 and 0 instead of 9 and -9, and Player 2",
    "without sure wins and losses",
    (
        MatchSide("Player 1 no 9's", f"{PLAYER},forced_score=(1, 0)"),
        MatchSide("Player 2", PLAYER),
    ),
    (69, 14, 17),
)
