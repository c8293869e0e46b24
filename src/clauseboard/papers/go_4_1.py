"""Table 4.1 of the Go thesis: how the games of the archive end."""

from __future__ import annotations

from clauseboard.papers.counting import amount, count_task, share, total
from clauseboard.papers.experiment import Figure, PaperTable, RunSize
from clauseboard.papers.go_tables import ALL, COUNTED, SOURCE
from clauseboard.papers.materials import BoardSource

PUBLISHED = {"win": (1_072_674, 45.84), "loss": (1_090_240, 46.59), "draw": (177_086, 7.57)}
TOTAL = 2_340_000


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Amount and percentage of each result, of black, and the total."""
    tasks = (count_task(source.boards(ALL)),)
    figures = []
    for result, (number, percentage) in PUBLISHED.items():
        figures += [
            Figure(result, "amount", number, tasks, amount(result), digits=0),
            Figure(result, "percentage", percentage, tasks, share(result)),
        ]
    return [*figures, Figure("total", "amount", TOTAL, tasks, total, digits=0)]


TABLE = PaperTable(
    source=SOURCE,
    number="4.1",
    where="section 4.1, table 4.1: end game results when all moves have been completed",
    title="results of the games",
    plan=plan,
    headline=("draw", "percentage"),
    sizes=COUNTED,
)
