"""Table 5.2 of the checkers thesis: adaptive epochs against 200 epochs; with figures 5.2 to 5.4."""

from __future__ import annotations

from clauseboard.papers.checkers_epochs import (
    NOTES,
    SIZES,
    STATISTICS,
    Stop,
    each_fold,
    each_run,
    pictures,
    plan_runs,
    stop_name,
)
from clauseboard.papers.checkers_tables import SOURCE
from clauseboard.papers.experiment import Figure, PaperTable, RunSize
from clauseboard.papers.materials import BoardSource

Published = dict[str, dict[Stop, float]]

EACH_FOLD: Published = {
    "lowest": {None: 68.64, 2: 69.7},
    "highest": {None: 73.22, 2: 73.93},
    "average": {None: 70.46, 2: 71.59},
    "variance": {None: 4.58, 2: 4.23},
}
EACH_RUN: Published = {
    "lowest": {None: 70.13, 2: 71.38},
    "highest": {None: 70.8, 2: 71.88},
    "average": {None: 70.50, 2: 71.59},
    "variance": {None: 0.67, 2: 0.5},
}
FEWEST_EPOCHS, MOST_EPOCHS = 29, 81
"""After which version 2 would have stopped, in the text below the table."""

STOPS: tuple[Stop, ...] = (None, 1, 2, 3)
"""The published two, and versions 1 and 3 for comparison."""


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """All statistics with each way to stop."""
    runs = plan_runs(size, source)
    figures = [
        runs.figure(
            f"{group}: {name}", stop_name(stop, runs.size), published[name].get(stop), read(name),
            stop,
        )
        for group, published, read in (
            ("each fold", EACH_FOLD, each_fold),
            ("mean of each run", EACH_RUN, each_run),
        )
        for name in STATISTICS
        for stop in STOPS
    ]  # fmt: skip
    for name, read, published in (
        ("fewest epochs", min, FEWEST_EPOCHS), ("most epochs", max, MOST_EPOCHS)
    ):  # fmt: skip
        figures += [
            runs.epochs_figure(name, published if stop == 2 else None, read, stop)
            for stop in STOPS[1:]
        ]
    return figures


TABLE = PaperTable(
    source=SOURCE,
    number="5.2",
    where="section 5.2, table 5.2 and figures 5.2 to 5.4: no adaptive epoch vs adaptive epoch",
    title="adaptive epochs against a fixed number",
    plan=plan,
    headline=("each fold: average", "adaptive 2"),
    notes=NOTES,
    pictures=pictures,
    sizes=SIZES,
)
