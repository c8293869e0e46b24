"""Table 6.9 of the checkers thesis: a person against 247 Checkers."""

from __future__ import annotations

from clauseboard.papers.checkers_matches import (
    NEWCOMER,
    NOBODY,
    ONLINE,
    STAND_INS,
    MatchSide,
    match_table,
)

TABLE = match_table(
    "6.9",
    "section 6.3, table 6.9: results of 10 games between the human player and 247 Checkers, "
    "difficulty expert, force-jump on, sides switched half-way",
    "a person against 247 Checkers",
    (MatchSide("Human player", None), MatchSide("247 Checkers", None)),
    (1, 8, 1),
    notes=(NOBODY + STAND_INS,),
    swap=True,
    stand_ins=(
        (
            "in their places: material, 1 and 3 moves deep",
            (MatchSide(NEWCOMER, NEWCOMER), MatchSide(ONLINE, ONLINE)),
        ),
    ),
)
