"""Table 4.2 of the Go thesis: the data sets by the moves that were played."""

from __future__ import annotations

from clauseboard.papers.counting import count_task, repeats, share, total
from clauseboard.papers.experiment import Figure, PaperTable, RunSize
from clauseboard.papers.go_tables import COUNTED, SOURCE, kind
from clauseboard.papers.materials import BoardSource

PUBLISHED = {
    "All": (2_340_000, 1, 45.84, 46.59, 7.57),
    "100": (614_871, 0, 55.07, 41.20, 3.73),
    "95": (1_088_475, 1, 52.84, 41.91, 5.25),
    "90": (1_629_693, 6, 50.10, 43.52, 6.38),
    "90_100T": (614_871, 2, 55.07, 41.20, 3.73),
    "85": (2_062_356, 11, 47.95, 44.97, 7.09),
    "80": (2_283_679, 17, 46.36, 46.20, 7.54),
    "80_90T": (1_629_693, 16, 50.1, 43.52, 6.38),
}
"""Size, duplicates, and the percentages of wins, losses and draws."""

BOARDS = ("end", "after 100", "after 95", "after 90", "after 90 of 100", "after 85", "after 80",
          "after 80 of 90")  # fmt: skip

COLUMNS = {
    "size": total,
    "duplicates": repeats,
    "win %": share("win"),
    "loss %": share("loss"),
    "draw %": share("draw"),
}


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Five figures for each data set."""
    figures = []
    for (row, published), composition in zip(PUBLISHED.items(), BOARDS, strict=True):
        tasks = (count_task(source.boards(kind(composition))),)
        for (name, read), number in zip(COLUMNS.items(), published, strict=True):
            digits = 2 if "%" in name else 0
            figures.append(Figure(row, name, number, tasks, read, digits=digits))
    return figures


TABLE = PaperTable(
    source=SOURCE,
    number="4.2",
    where="section 4.2, table 4.2: datasets with their amount of moves played and duplicates",
    title="data sets by moves played, and their duplicates",
    plan=plan,
    headline=("90_100T", "draw %"),
    notes=(
        "A duplicate is a board that is there before, whatever the result. The thesis does not "
        "say whether it counts results, too.",
        "The percentages of row 80 add up to 100.10, as printed.",
    ),
    sizes=COUNTED,
)
