"""Table 6.3 of the checkers thesis: Player 1 against random moves."""

from __future__ import annotations

from clauseboard.papers.checkers_matches import PLAYER, MatchSide, match_table

TABLE = match_table(
    "6.3",
    "section 6.2, table 6.3: results of 100 matches against an opponent randomly selecting legal "
    "moves",
    "against random moves",
    (MatchSide("Player 1", PLAYER), MatchSide("Random Player", "random")),
    (100, 0, 0),
)
