"""Table 6.2 of the checkers thesis: its two predictors against each other, a hundred games."""

from __future__ import annotations

from clauseboard.papers.checkers_matches import PLAYER, MatchSide, match_table

TABLE = match_table(
    "6.2",
    "section 6.2, table 6.2: results of 100 matches between two players that differ in their side "
    "and predictor",
    "the two predictors against each other",
    (MatchSide("Player 1", PLAYER), MatchSide("Player 2", PLAYER)),
    (70, 13, 17),
)
