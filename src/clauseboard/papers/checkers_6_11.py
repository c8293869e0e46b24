"""Table 6.11 of the checkers thesis: the Tsetlin player against a person."""

from __future__ import annotations

from clauseboard.papers.checkers_matches import (
    NEWCOMER,
    NOBODY,
    PLAYER,
    STAND_INS,
    MatchSide,
    match_table,
)

TSETLIN = MatchSide("Tsetlin", PLAYER)

TABLE = match_table(
    "6.11",
    "section 6.3, table 6.11: results of 10 games between the checkers player and the human "
    "player, sides switched half-way",
    "against a person",
    (TSETLIN, MatchSide("Human player", None)),
    (4, 6, 0),
    notes=(NOBODY + STAND_INS,),
    swap=True,
    stand_ins=(("in their place: material, 1 move deep", (TSETLIN, MatchSide(NEWCOMER, NEWCOMER))),),
)
