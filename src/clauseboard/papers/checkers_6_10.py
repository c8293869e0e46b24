"""Table 6.10 of the checkers thesis: 247 Checkers against Player 2."""

from __future__ import annotations

from clauseboard.papers.checkers_matches import (
    NOBODY,
    ONLINE,
    PLAYER,
    STAND_INS,
    MatchSide,
    match_table,
)

TSETLIN = MatchSide("Tsetlin", PLAYER)

TABLE = match_table(
    "6.10",
    "section 6.3, table 6.10: results of 10 games between 247 Checkers, difficulty expert, "
    "force-jump on, and Player 2",
    "against 247 Checkers",
    (MatchSide("247 Checkers", None), TSETLIN),
    (6, 3, 1),
    notes=(NOBODY + STAND_INS,),
    stand_ins=(("in its place: material, 3 moves deep", (MatchSide(ONLINE, ONLINE), TSETLIN)),),
)
