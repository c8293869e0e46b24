"""Table 5.10 of the Hex thesis: how many stones there are at the end of games."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from clauseboard.papers.experiment import Figure, PaperTable, RunSize, TaskResult
from clauseboard.papers.hex_players import NOTES, pair_figures, sizes
from clauseboard.papers.hex_tables import COLOURS, MADE, SOURCE
from clauseboard.papers.matches import games_of
from clauseboard.papers.materials import BoardSource

PUBLISHED = {
    "Rand.": (None, 12.0, 18.5, 16.4, 19.2, 32.4, 34.6),
    "RR": (11.2, None, 11.0, 11.6, 11.6, 11.0, 11.0),
    "TM1": (19.6, 12.6, 21.2, 16.0, 20.9, 25.8, 17.0),
    "TM2": (11.4, 12.4, 14.4, 11.0, 11.0, 20.6, 11.8),
    "TM3": (18.6, 12.2, 17.0, 17.0, 18.1, 23.8, 24.8),
    "TM4": (33.9, 12.2, 16.0, 23.6, 14.0, 36.0, 36.0),
    "TM5": (32.3, 12.6, 17.8, 24.8, 18.4, 35.0, 35.0),
}
"""The player of the row is red."""


def stones(done: Sequence[TaskResult]) -> list[float]:
    """The mean number of stones; every move puts one on the board."""
    return [statistics.fmean(game["moves"] for game in games_of(done))]


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Stones at the end, for each pairing."""
    return pair_figures(PUBLISHED, stones, size, source)


TABLE = PaperTable(
    source=SOURCE,
    number="5.10",
    where="section 5.4, table 5.10: average number of pieces placed between players in all 10 "
    "games",
    title="average number of stones",
    plan=plan,
    headline=("TM3 as red", "against Rand."),
    notes=(*NOTES, MADE, COLOURS),
    sizes=sizes(),
)
