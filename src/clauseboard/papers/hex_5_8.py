"""Table 5.8 of the Hex thesis: the players of the tournament that have machines."""

from __future__ import annotations

from collections.abc import Sequence

from clauseboard.papers.experiment import Figure, PaperTable, ReadValues, RunSize, TaskResult
from clauseboard.papers.hex_players import DATA_NAMES, MACHINE_PLAYERS, sizes
from clauseboard.papers.hex_tables import COLOURS, MADE, SOURCE
from clauseboard.papers.materials import BoardSource


def plan(size: RunSize, source: BoardSource) -> list[Figure]:
    """Their settings, and how well their machines judge boards that they have not seen."""
    figures = []
    for player in MACHINE_PLAYERS:
        tasks = player.tasks(size, source)
        whole, machine = player.machine, player.machine.at(size)
        row = f"{player.name}: {player.search} on {DATA_NAMES[player.kind]}"
        for name, published, ours in (
            ("clauses", whole.clauses, machine.clauses),
            ("threshold", whole.T, machine.T),
            ("s", whole.s, machine.s),
        ):
            figures.append(Figure(row, name, published, tasks, _constant(ours), digits=0))
        for colour, task in zip(("red", "blue"), tasks, strict=True):
            figures.append(Figure(row, f"accuracy, {colour}", None, (task,), settings=str(machine)))
    return figures


def _constant(value: float) -> ReadValues:
    """What a setting is at this size."""

    def values(done: Sequence[TaskResult]) -> list[float]:
        return [value]

    return values


TABLE = PaperTable(
    source=SOURCE,
    number="5.8",
    where="section 5.4, table 5.8: Tsetlin Machine players in the Hex tournament",
    title="the players of the tournament",
    plan=plan,
    headline=("TM3: MCTS on 287k", "accuracy, red"),
    notes=(
        "Accuracies are ours only: of the machine for each colour on the first fold of its boards, "
        "which it did not learn.",
        MADE,
        COLOURS,
    ),
    sizes=sizes(),
)
