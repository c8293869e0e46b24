"""Table 4.1 of the Hex thesis: who wins the boards of perfect games."""

from __future__ import annotations

from clauseboard.papers.counting import amount, total
from clauseboard.papers.experiment import Figure, RunSize
from clauseboard.papers.hex_boards import PERFECT
from clauseboard.papers.hex_tables import COLOURS, MADE, SHARES, class_figures, hex_table
from clauseboard.papers.materials import BoardSource

PUBLISHED = {
    "won by blue": (amount("loss"), 1_294),
    "won by red": (amount("win"), 16_586),
    "all": (total, 17_880),
}


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Boards by winner."""
    return class_figures("17k", [source.boards(PERFECT)], PUBLISHED)


TABLE = hex_table(
    "4.1", "section 4.2, table 4.1: 17k dataset class distribution",
    "classes of the data set of 17k boards", plan, ("17k", "all"), MADE, COLOURS, SHARES,
)  # fmt: skip
