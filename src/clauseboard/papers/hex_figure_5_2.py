"""Figures 5.2 to 5.9 of the Hex thesis: recall and precision of the top k boards of a search."""

from __future__ import annotations

from collections.abc import Sequence

from clauseboard.papers.experiment import (
    Figure,
    PaperTable,
    Plot,
    ReadValues,
    ResultLookup,
    RunSize,
    Task,
    TaskResult,
)
from clauseboard.papers.hex_boards import PERFECT
from clauseboard.papers.hex_searching import SHOWN, SearchSettings, search_task, searches_at
from clauseboard.papers.hex_tables import MADE, SOURCE, sizes
from clauseboard.papers.materials import BoardSource

PUBLISHED = {
    1: {"recall": 87.5, "precision": 50.0},
    27: {"recall": 97.8, "precision": 94.7},
}
"""Of the first board, R1 and P1, as the text tells them."""

DEPTHS = (1, 10, 100)
"""How many boards of each search count, in the rows of the report."""


def planned(size: RunSize, source: BoardSource) -> tuple[SearchSettings, Task]:
    """What is searched, and the task that does it."""
    plan = searches_at(size.boards)
    return plan, search_task(source.boards(PERFECT), plan)


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Recall and precision of the top boards in the iterations that are shown."""
    searches, task = planned(size, source)
    settings = (
        f"{searches.machine}, {searches.epochs} epochs; of the {searches.top} boards of each of "
        f"{searches.boards} searches {searches.learned} are learned"
    )
    figures = []
    for shown in SHOWN:
        # Where there are fewer iterations, the last one stands for those that are missing.
        done = min(shown, searches.iterations)
        for name in ("recall", "precision"):
            for depth in DEPTHS:
                published = PUBLISHED.get(shown, {}).get(name) if depth == 1 else None
                figures.append(
                    Figure(
                        row(shown),
                        f"{name[0].upper()}{depth}",
                        published,
                        (task,),
                        top(done, name, min(depth, searches.top)),
                        settings=settings,
                    )
                )
    return figures


def row(iteration: int) -> str:
    """What a row is called."""
    return f"iteration {iteration}"


def top(iteration: int, name: str, depth: int) -> ReadValues:
    """A function that reads recall or precision of so many boards; 0 where there are none."""

    def values(done: Sequence[TaskResult]) -> list[float]:
        return [one.result[str(iteration)][name][depth - 1] or 0.0 for one in done]

    return values


def pictures(size: RunSize, source: BoardSource, look: ResultLookup) -> list[Plot]:
    """Recall (figures 5.2 to 5.5) and precision (5.6 to 5.9), the iterations in one picture."""
    _, task = planned(size, source)
    found = look(task).result
    return [
        Plot(
            name,
            f"{title}: {name} of the top k boards",
            {
                f"after iteration {n}": [value or 0.0 for value in scores[name]]
                for n, scores in found.items()
            },
            x_label="boards of each search that count (k)",
            y_label=f"{name}, %",
        )
        for name, title in (("recall", "Figures 5.2 to 5.5"), ("precision", "Figures 5.6 to 5.9"))
    ]


TABLE = PaperTable(
    source=SOURCE,
    number="figure 5.2",
    where="section 5.3, figures 5.2 to 5.9: recall and precision graphs for the 1st, 2nd, 10th and "
    "27th iteration of tree search evaluation; R1 and P1 in section 5.6",
    title="recall and precision of the top k boards, with figures 5.3 to 5.9",
    plan=plan,
    headline=("iteration 27", "P1"),
    notes=(
        MADE,
        "Published are R1 and P1 of the first and the last iteration; the rest is drawn only. Both "
        "are counted against the solver, on boards that no machine has seen.",
        "At less than full size machines learn from fewer boards of each search.",
    ),
    pictures=pictures,
    sizes=sizes(),
)
