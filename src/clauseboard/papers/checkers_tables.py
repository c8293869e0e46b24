"""What the tables of the checkers thesis share: data set compositions, and settings for each.

Martin Bråten, *The Application of the Tsetlin Machine in Checkers*, University of Agder 2020.
"""

from __future__ import annotations

from dataclasses import dataclass

from clauseboard.papers.boards import BoardSet, LabelledBoards
from clauseboard.papers.experiment import Figure, RunSize, Task
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.scores import SCORES, score
from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_task, fold_tasks

SOURCE = "checkers thesis"
BEST = MachineParameters(19_000, 40_000, 9)
"""The best settings found, for the boards at the end of games with duplicates (table 4.12)."""

ENDS = BoardSet("checkers", "standard-end", False)
"""What the thesis calls NoDupeCheck StandardEnd."""

PLAYER_FOLD = 2
"""The fold of its two predictors, which it counts as number three."""

STOPPED = (
    "Ours are stopped, as the published ones were, by the accuracy on the test boards (adaptive "
    "epochs, version 2), which is then reported: it is too good. Honest: stopped by a fold that "
    "was kept from training, tested once."
)


@dataclass(frozen=True)
class Row:
    """A row of tables 5.7 to 5.10: a data set composition with its best settings."""

    name: str
    kind: BoardSet
    machine: MachineParameters
    side: str | None = None
    """The side whose predictor it is, on the third fold; None: all folds, for black."""

    def tasks(
        self, size: RunSize, source: BoardSource
    ) -> tuple[tuple[Task, ...], tuple[Task, ...]]:
        """The tasks as published, and the honest ones."""
        boards, machine = source.boards(self.kind), self.machine.at(size)
        course = TrainingSchedule(size.epochs, side=self.side or "black")
        if self.side is not None:
            return _third(boards, machine, course), _third(boards, machine, course.honest)
        return (
            fold_tasks(boards, size, machine, course),
            fold_tasks(boards, size, machine, course.honest),
        )


def _third(
    boards: LabelledBoards, machine: MachineParameters, course: TrainingSchedule
) -> tuple[Task, ...]:
    return (fold_task(boards, min(PLAYER_FOLD, boards.n_folds - 1), machine, course),)


def _kind(composition: str, unique: bool) -> BoardSet:
    return BoardSet("checkers", composition, unique)


PLAYER_1 = Row("Player 1", ENDS, BEST, "black")
PLAYER_2 = Row("Player 2", ENDS, BEST, "white")

ROWS = (
    Row("StandardEnd", _kind("standard-end", True), MachineParameters(15_000, 40_000, 15)),
    Row("EndSecondThird", _kind("end-second-third", True), MachineParameters(13_000, 80_000, 20)),
    Row("EndToEight", _kind("end-to-eight", True), MachineParameters(15_000, 160_000, 68)),
    Row("StandardPureMetaData", _kind("metadata", True), MachineParameters(20_000, 40_000, 9)),
    Row("NoDupeCheck StandardEnd, 20000", ENDS, MachineParameters(20_000, 40_000, 9)),
    Row("NoDupeCheck StandardEnd, 19000", ENDS, BEST),
    PLAYER_1,
    PLAYER_2,
    Row(
        "NoDupeCheck EndSecondThird",
        _kind("end-second-third", False),
        MachineParameters(15_000, 40_000, 15),
    ),
    Row(
        "NoDupeCheck EndToEight",
        _kind("end-to-eight", False),
        MachineParameters(60_000, 80_000, 40),
    ),
    Row(
        "NoDupeCheck StandardPureMetaData",
        _kind("metadata", False),
        MachineParameters(15_000, 40_000, 15),
    ),
)
"""The rows of tables 5.7 to 5.10, in their order."""


def score_figures(
    row: Row,
    result: str,
    published: tuple[float, float, float],
    size: RunSize,
    source: BoardSource,
    name: str | None = None,
) -> list[Figure]:
    """Precision, recall and F of a result, beside the published ones."""
    tasks, honest = row.tasks(size, source)
    return [
        Figure(
            name or row.name, what, number, tasks, score(result, what), honest,
            settings=str(row.machine.at(size)),
        )
        for what, number in zip(SCORES, published, strict=True)
    ]  # fmt: skip


def accuracy_figure(
    row: Row, published: float, size: RunSize, source: BoardSource, name: str = "accuracy"
) -> Figure:
    """The accuracy of a row, beside the published one."""
    tasks, honest = row.tasks(size, source)
    settings = str(row.machine.at(size))
    return Figure(row.name, name, published, tasks, honest=honest, settings=settings)
