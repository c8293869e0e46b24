"""Figures 8.8 to 8.27 of the Go thesis: the clauses that weigh and vote most in the tree search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from clauseboard.papers.go_clauses import AGAINST, FOR, Shown, added, signs_of
from clauseboard.papers.go_searching import NOTES, evaluator_of, machine_task, search_tasks
from clauseboard.papers.go_tables import SEARCHER, SIZES_OF_SEARCH, SOURCE
from clauseboard.papers.materials import Materials
from clauseboard.papers.table import Done, Drawing, Figure, Look, Size, Table, Task, Values

if TYPE_CHECKING:
    from clauseboard.explaining.clause_statistics import ClauseCount

SHOWN = (
    Shown("8.8", "white", FOR, by_weight=True, signs=10, absent=9),
    Shown("8.9", "white", AGAINST, by_weight=True, signs=12, absent=12),
    Shown("8.10", "black", FOR, by_weight=True, signs=7, absent=6),
    Shown("8.11", "black", AGAINST, by_weight=True, signs=8, absent=8),
    Shown("8.12", "white", "TP", 0, signs=9, absent=9),
    Shown("8.13", "white", "TP", 1, signs=6, absent=6),
    Shown("8.14", "white", "FP", 0),
    Shown("8.15", "white", "FP", 1),
    Shown("8.16", "white", "TN", 0),
    Shown("8.17", "white", "TN", 1),
    Shown("8.18", "white", "FN", 0),
    Shown("8.19", "white", "FN", 1),
    Shown("8.20", "black", "TP", 0, signs=7, absent=7),
    Shown("8.21", "black", "TP", 1, signs=6, absent=5),
    Shown("8.22", "black", "FP", 0, signs=2, absent=1),
    Shown("8.23", "black", "FP", 1, signs=6, absent=5),
    Shown("8.24", "black", "TN", 0, signs=8, absent=8),
    Shown("8.25", "black", "TN", 1, signs=8, absent=8),
    Shown("8.26", "black", "FN", 0, signs=9, absent=8),
    Shown("8.27", "black", "FN", 1, signs=6, absent=6),
)
"""In the order of the figures; those without numbers are pictures that our text of it lacks."""


def tasks_of(size: Size, materials: Materials) -> tuple[Task, ...]:
    """The machine first, then the searches."""
    return (machine_task(size, materials), *search_tasks(size, materials))


Added = Callable[[Sequence[Done]], "list[ClauseCount]"]
"""Gives all clauses of the machine, with what they did in the searches."""


def adding() -> Added:
    """A function that adds clauses up, and remembers the last sum: all figures ask for the same."""
    last: tuple[Sequence[Done], list[ClauseCount]] | None = None

    def counts(done: Sequence[Done]) -> list[ClauseCount]:
        nonlocal last
        if last is None or last[0] != done:
            machine, *searches = (one.result for one in done)
            last = done, added(evaluator_of(machine), searches)
        return last[1]

    return counts


def read(shown: Shown, count: Callable[[Sequence[str]], int], counts: Added) -> Values:
    """A function that counts the signs of our clause."""
    return lambda done: [count(signs_of(shown.chosen(counts(done))))]


def absent(signs: Sequence[str]) -> int:
    """How many signs say what must not be there."""
    return sum(sign.startswith("-") for sign in signs)


def plan(size: Size, materials: Materials) -> list[Figure]:
    """Two figures for each clause: its signs, and those of absence."""
    tasks, settings, counts = tasks_of(size, materials), str(SEARCHER.at(size)), adding()
    return [
        Figure(
            shown.row, name, published, tasks, read(shown, count, counts), settings=settings,
            digits=0,
        )
        for shown in SHOWN
        for name, published, count in (
            ("signs", shown.signs, len),
            ("of absence", shown.absent, absent),
        )
    ]  # fmt: skip


def drawings(size: Size, materials: Materials, look: Look) -> list[Drawing]:
    """The clauses of ours that stand in the place of the published ones."""
    counts = adding()([look(task) for task in tasks_of(size, materials)])
    return [drawing for shown in SHOWN for drawing in shown.drawing(counts)]


TABLE = Table(
    source=SOURCE,
    number="figure 8.8",
    where="section 8.1.1, figures 8.8 to 8.27: clauses of TM2, counted during the tree search",
    title="the clauses that weigh and vote most in the tree search",
    plan=plan,
    headline=(SHOWN[4].row, "signs"),
    notes=(
        "A sign is a point that a clause speaks of: +B and +W must be there, -b and -w must not, "
        "at -# there must be nothing. Published numbers are signs that we counted in the figures.",
        "Votes are the boards on which a clause fired while the search judged them, times its "
        "weight; they are right or wrong by how the game of the board ended. Where no clause "
        "voted so, ours is 0 and nothing is drawn.",
        *NOTES,
    ),
    drawings=drawings,
    sizes=SIZES_OF_SEARCH,
)
