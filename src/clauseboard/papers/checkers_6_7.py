"""Table 6.7 of the checkers thesis: Player 1 against Kingsrow, strong."""

from __future__ import annotations

from clauseboard.papers.checkers_matches import (
    NOBODY,
    PLAYER,
    STAND_INS,
    STRONG,
    MatchSide,
    match_table,
)

TSETLIN = MatchSide("Tsetlin", PLAYER)

TABLE = match_table(
    "6.7",
    "section 6.3, table 6.7: results of 10 games between Player 1 and Kingsrow, hashtable 256, "
    "endgame DB 3136, level 10 seconds",
    "against Kingsrow, strong",
    (TSETLIN, MatchSide("Kingsrow Strong", None)),
    (0, 10, 0),
    notes=(
        NOBODY + STAND_INS,
        "The text before the table speaks of 100 games; the table and its caption have ten.",
    ),
    stand_ins=(("in its place: material, 9 moves deep", (TSETLIN, MatchSide(STRONG, STRONG))),),
)
