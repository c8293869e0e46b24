"""Table 6.8 of the checkers thesis: Player 1 against Kingsrow, weak."""

from __future__ import annotations

from clauseboard.papers.checkers_matches import (
    NOBODY,
    PLAYER,
    STAND_INS,
    WEAK,
    MatchSide,
    match_table,
)

TSETLIN = MatchSide("Tsetlin", PLAYER)

TABLE = match_table(
    "6.8",
    "section 6.3, table 6.8: results of 10 games between Player 1 and Kingsrow, hashtable 8, "
    "endgame DB 64, level 2 seconds",
    "against Kingsrow, weak",
    (TSETLIN, MatchSide("Kingsrow Weak", None)),
    (0, 10, 0),
    notes=(NOBODY + STAND_INS,),
    stand_ins=(("in its place: material, 5 moves deep", (TSETLIN, MatchSide(WEAK, WEAK))),),
)
