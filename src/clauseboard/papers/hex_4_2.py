"""Table 4.2 of the Hex thesis: who wins the boards of perfect games and of searches."""

from __future__ import annotations

from clauseboard.papers.counting import amount, total
from clauseboard.papers.experiment import Figure, RunSize
from clauseboard.papers.hex_boards import PERFECT, SEARCHED
from clauseboard.papers.hex_tables import COLOURS, MADE, SHARES, class_figures, hex_table
from clauseboard.papers.materials import BoardSource

PUBLISHED = {
    "won by red": (amount("win"), 175_968),
    "won by blue": (amount("loss"), 111_826),
    "all": (total, 287_794),
}


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Boards by winner, of both data sets together."""
    both = [source.boards(PERFECT), source.boards(SEARCHED)]
    return class_figures("287k", both, PUBLISHED)


TABLE = hex_table(
    "4.2", "section 4.5.3, table 4.2: class distribution for the 287k dataset",
    "classes of the data set of 287k boards", plan, ("287k", "all"), MADE, COLOURS, SHARES,
)  # fmt: skip
