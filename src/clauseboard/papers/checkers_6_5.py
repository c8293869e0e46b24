"""Table 6.5 of the checkers thesis: Player 1 against a predictor that always says win."""

from __future__ import annotations

from clauseboard.papers.checkers_matches import PLAYER, SEARCH, MatchSide, match_table

TABLE = match_table(
    "6.5",
    "section 6.2, table 6.5: results of 100 matches between Player 1 and a predictor saying every "
    "move leads to win",
    "against a predictor that always says win",
    (MatchSide("Player 1", PLAYER), MatchSide("Always-win-predictor", f"always-win:{SEARCH}")),
    (99, 0, 1),
)
