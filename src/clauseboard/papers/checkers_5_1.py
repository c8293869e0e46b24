"""Table 5.1 of the checkers thesis: how much accuracy varies from fold to fold, run to run."""

from __future__ import annotations

from clauseboard.papers.checkers_epochs import NOTES, SIZES, each_fold, each_run, plan_runs
from clauseboard.papers.checkers_tables import SOURCE
from clauseboard.papers.experiment import Figure, PaperTable, RunSize
from clauseboard.papers.materials import BoardSource

EACH_FOLD, EACH_RUN = 4.23, 0.5


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Two figures, with adaptive epochs as published."""
    runs = plan_runs(size, source)
    return [
        runs.figure("each fold", "variance", EACH_FOLD, each_fold("variance"), 2),
        runs.figure("mean of each run", "variance", EACH_RUN, each_run("variance"), 2),
    ]


TABLE = PaperTable(
    source=SOURCE,
    number="5.1",
    where="section 5.1, table 5.1: how many percent points the resulting accuracy varies",
    title="by how much the accuracy varies",
    plan=plan,
    headline=("mean of each run", "variance"),
    notes=NOTES,
    sizes=SIZES,
)
