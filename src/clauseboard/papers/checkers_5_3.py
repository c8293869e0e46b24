"""Table 5.3 of the checkers thesis: what adaptive epochs gain over 200 epochs."""

from __future__ import annotations

from clauseboard.papers.checkers_epochs import (
    NOTES,
    SIZES,
    STATISTICS,
    each_fold,
    each_run,
    plan_runs,
    stop_name,
)
from clauseboard.papers.checkers_tables import SOURCE
from clauseboard.papers.experiment import Figure, PaperTable, RunSize
from clauseboard.papers.materials import BoardSource

EACH_FOLD = {"lowest": 1.06, "highest": 0.71, "average": 1.13, "variance": -0.35}
EACH_RUN = {"lowest": 1.25, "highest": 1.08, "average": 1.09, "variance": -0.17}


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """The gain in every statistic, by the published version and by ours."""
    runs = plan_runs(size, source)
    return [
        runs.figure(
            f"{group}: {name}",
            f"gain by {stop_name(stop, runs.size)}",
            published[name] if stop == 2 else None,
            read(name),
            stop,
            less=None,
        )
        for group, published, read in (
            ("each fold", EACH_FOLD, each_fold),
            ("mean of each run", EACH_RUN, each_run),
        )
        for name in STATISTICS
        for stop in (2, 3)
    ]


TABLE = PaperTable(
    source=SOURCE,
    number="5.3",
    where="section 5.2, table 5.3: gain by adaptive epochs",
    title="what adaptive epochs gain over a fixed number",
    plan=plan,
    headline=("each fold: average", "gain by adaptive 2"),
    notes=NOTES,
    sizes=SIZES,
)
