"""Table 8.6 of the Go thesis: the machines of self-play."""

from __future__ import annotations

from clauseboard.papers.experiment import Figure, PaperTable, RunSize
from clauseboard.papers.go_playing import MACHINES, PLAYING_SIZES, machine_tasks
from clauseboard.papers.go_tables import EPOCHS_NOTE, SOURCE
from clauseboard.papers.materials import BoardSource

PUBLISHED = {"TM1": 95.08, "TM2": 91.98, "TM3": 89.71, "TM4": 94.08}


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """A figure for each machine."""
    return [
        Figure(
            name, "prediction accuracy", number, machine_tasks(name, size, source),
            settings=str(MACHINES[name][0].at(size)),
        )
        for name, number in PUBLISHED.items()
    ]  # fmt: skip


TABLE = PaperTable(
    source=SOURCE,
    number="8.6",
    where="section 8.2, table 8.6: trained Tsetlin Machines used for self-play",
    title="the machines of self-play",
    plan=plan,
    headline=("TM1", "prediction accuracy"),
    notes=(
        "The thesis does not say after how many epochs; ours are those after the fifteenth. TM2 "
        "has learned from 90_100T, the others from the boards at the end of all games.",
        "Section 8.4 has a threshold of 8,000 for TM1 and TM3; the table, which has 16,000, is "
        "followed here.",
        EPOCHS_NOTE,
    ),
    sizes=PLAYING_SIZES,
)
