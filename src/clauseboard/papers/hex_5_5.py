"""Table 5.5 of the Hex thesis: wins and losses on the boards of the dual machines."""

from __future__ import annotations

from clauseboard.papers.counting import amount, total
from clauseboard.papers.experiment import Figure, RunSize
from clauseboard.papers.hex_boards import SEARCHED
from clauseboard.papers.hex_dual import half
from clauseboard.papers.hex_tables import COLOURS, MADE, SHARES, class_figures, hex_table
from clauseboard.papers.materials import BoardSource

PUBLISHED = {
    "red": {
        "win": (amount("win"), 99_645),
        "loss": (amount("loss"), 39_017),
        "total": (total, 138_662),
    },
    "blue": {
        # Results are told for red: a win of blue is a loss there.
        "win": (amount("loss"), 71_515),
        "loss": (amount("win"), 59_737),
        "total": (total, 131_252),
    },
}


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Wins and losses of each side on the boards after its moves."""
    boards = source.boards(SEARCHED)
    return [
        figure
        for colour, published in PUBLISHED.items()
        for figure in class_figures(f"machine for {colour}", [half(boards, colour)], published)
    ]


TABLE = hex_table(
    "5.5", "section 5.1.3, table 5.5: class distribution of dual TM on 287k dataset",
    "classes of the dual machines", plan, ("machine for red", "total"), MADE, COLOURS, SHARES,
    "The published totals add up to 269,914: exactly the 287,794 boards of table 4.2 less the "
    "17,880 of table 4.1, and the wins of either side do, too. So these are the searched boards "
    "alone, as they are here.",
)  # fmt: skip
