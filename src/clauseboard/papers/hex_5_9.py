"""Table 5.9 of the Hex thesis: the tournament."""

from __future__ import annotations

from clauseboard.papers.experiment import Figure, PaperTable, RunSize
from clauseboard.papers.hex_players import GAMES, NOTES, pair_figures, sizes
from clauseboard.papers.hex_tables import COLOURS, MADE, SOURCE
from clauseboard.papers.matches import number_of, won_by
from clauseboard.papers.materials import BoardSource

PUBLISHED = {
    "Rand.": (None, 0, 1, 0, 0, 8, 6),
    "RR": (10, None, 10, 10, 10, 10, 10),
    "TM1": (10, 0, 10, 10, 5, 10, 10),
    "TM2": (10, 0, 10, 10, 10, 10, 10),
    "TM3": (10, 0, 10, 10, 9, 10, 10),
    "TM4": (5, 0, 0, 0, 0, 0, 0),
    "TM5": (5, 0, 0, 0, 0, 10, 10),
}
"""Of ten games, those that the player of the row wins as red against each one as blue."""


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Games won by red, for each pairing."""
    return pair_figures(PUBLISHED, number_of(won_by(0), GAMES), size, source)


TABLE = PaperTable(
    source=SOURCE,
    number="5.9",
    where="section 5.4, table 5.9: tournament results, playing as black in rows and as white in "
    "columns",
    title="the tournament",
    plan=plan,
    headline=("TM3 as red", "against Rand."),
    notes=(
        "Games of ten that red wins; blue wins the others. RR is Monte-Carlo search with random "
        "games at its leaves.",
        *NOTES,
        MADE,
        COLOURS,
    ),
    sizes=sizes(),
)
