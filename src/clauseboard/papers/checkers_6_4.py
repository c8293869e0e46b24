"""Table 6.4 of the checkers thesis: Player 1 against its own predictions inverted, as white."""

from __future__ import annotations

from clauseboard.papers.checkers_matches import PLAYER, SEARCH, MatchSide, match_table

# Searches ask for votes by colour: black's machine in white's hands needs no inverting.
INVERTED = f"tsetlin:machine={{0}},{SEARCH}"

TABLE = match_table(
    "6.4",
    "section 6.2, table 6.4: results of 100 matches between Player 1 and Player 1 with loss and "
    "win predictions inverted",
    "against the inverted predictor for black",
    (MatchSide("Player 1", PLAYER), MatchSide("Inverted Player 1", INVERTED)),
    (80, 11, 9),
)
