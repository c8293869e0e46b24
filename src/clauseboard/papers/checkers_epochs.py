"""What tables 5.1 to 5.3 of the checkers thesis share: ten-folds run again and again.

Machines learn for 200 epochs; afterwards it is looked up where a rule of adaptive epochs would have
stopped. The honest way needs two courses of one and the same machine, which is kept from the fold
after the test fold: in one that fold is watched, and says where to stop; in the other the test
fold is, and tells the accuracy there. (Watching does not change what a machine learns.)
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from clauseboard.papers import experiment as table
from clauseboard.papers.checkers_tables import BEST, ENDS
from clauseboard.papers.experiment import Figure, Plot, ResultLookup, RunSize, Task, TaskResult
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.training import TrainingSchedule, fold_tasks

EPOCHS = 200

SIZES = {
    "quick": replace(table.SIZES["quick"], runs=2),
    "default": replace(table.SIZES["default"], boards=None, runs=2),
    "full": replace(table.SIZES["full"], epochs=EPOCHS, runs=10),
}

STATISTICS: dict[str, Callable[[Sequence[float]], float]] = {
    "lowest": min,
    "highest": max,
    "average": statistics.fmean,
    "variance": lambda values: max(values) - min(values),
}
"""Of the table's rows; what it calls variance is the highest less the lowest."""

NOTES = (
    "Variance is the thesis's word for the highest less the lowest.",
    "Ours and the published ones stop by the accuracy on the test boards and report it. Honest: "
    "stopped by a fold that was kept from training, accuracy on the test boards there.",
    "Version 2 of adaptive epochs is the published one. Version 3 is ours: it stops when the "
    "best mean of ten epochs in a row is fifteen epochs old.",
)

Stop = int | None
"""A version of adaptive epochs; None: all epochs."""

Read = Callable[[list[list[float]]], float]
"""Makes one number of the accuracies by run and fold."""


def stop_name(stop: Stop, size: RunSize) -> str:
    """What a column is called."""
    return f"{size.epochs} epochs" if stop is None else f"adaptive {stop}"


def epochs_run(accuracies: Sequence[float], stop: Stop) -> int:
    """After how many of the epochs a rule would have stopped."""
    from clauseboard.tsetlin import AdaptiveEpochs

    if stop is None:
        return len(accuracies)
    return AdaptiveEpochs(stop, max_epochs=EPOCHS).epochs_run(accuracies)


@dataclass(frozen=True)
class RepeatedRuns:
    """The tasks of all runs, and figures read out of them."""

    size: RunSize
    seen: tuple[tuple[Task, ...], ...]
    """By run: tasks that watch the test boards."""
    stopping: tuple[tuple[Task, ...], ...]
    """By run: tasks of kept-out folds that watch those."""
    tested: tuple[tuple[Task, ...], ...]
    """By run: the same tasks, watching the test boards."""

    def figure(
        self,
        row: str,
        name: str,
        published: float | None,
        read: Read,
        stop: Stop,
        less: Stop | str = "nothing",
    ) -> Figure:
        """A number read out of the accuracies by run and fold; `less` the same of another rule."""

        def value(points: Callable[[Stop], list[list[float]]]) -> list[float]:
            found = read(points(stop))
            return [found if isinstance(less, str) else found - read(points(less))]

        def ours(done: Sequence[TaskResult]) -> list[float]:
            return value(lambda rule: self._by_run([_stopped(one, one, rule) for one in done]))

        def honest(done: Sequence[TaskResult]) -> list[float]:
            half = len(done) // 2
            pairs = list(zip(done[:half], done[half:], strict=True))
            return value(lambda rule: self._by_run([_stopped(*pair, rule) for pair in pairs]))

        return Figure(
            row, name, published, _flat(self.seen), ours,
            _flat(self.stopping) + _flat(self.tested), honest, str(BEST.at(self.size)),
        )  # fmt: skip

    def epochs_figure(
        self,
        row: str,
        published: float | None,
        read: Callable[[Sequence[float]], float],
        stop: Stop,
    ) -> Figure:
        """The lowest or highest number of epochs that a rule lets a machine learn."""

        def ours(done: Sequence[TaskResult]) -> list[float]:
            return [read([epochs_run(one.accuracies, stop) for one in done])]

        name = stop_name(stop, self.size)
        return Figure(row, name, published, _flat(self.seen), ours, _flat(self.stopping))

    def _by_run(self, values: list[float]) -> list[list[float]]:
        n_folds = len(self.seen[0])
        return [values[first : first + n_folds] for first in range(0, len(values), n_folds)]


def each_fold(statistic: str) -> Read:
    """A statistic over all folds of all runs."""
    return lambda runs: STATISTICS[statistic]([value for run in runs for value in run])


def each_run(statistic: str) -> Read:
    """A statistic over the means of the runs."""
    return lambda runs: STATISTICS[statistic]([statistics.fmean(run) for run in runs])


def plan_runs(size: RunSize, source: BoardSource) -> RepeatedRuns:
    """The tasks of all runs."""
    boards, machine = source.boards(ENDS), BEST.at(size)
    seen = TrainingSchedule(size.epochs, stop=None)
    kept = seen.honest

    def by_run(course: TrainingSchedule) -> tuple[tuple[Task, ...], ...]:
        return tuple(fold_tasks(boards, size, machine, course, run) for run in range(size.runs))

    return RepeatedRuns(size, by_run(seen), by_run(kept), by_run(replace(kept, watch="test")))


def pictures(size: RunSize, source: BoardSource, look: ResultLookup) -> list[Plot]:
    """Figures 5.2 to 5.4: the accuracy after each epoch, and that at which training would stop."""
    runs = plan_runs(size, source)
    curves = [[100 * a for a in look(task).accuracies] for task in runs.seen[0]]
    mean = [statistics.fmean(values) for values in zip(*curves, strict=True)]
    drawn = [_picture("5_2", "Figure 5.2: mean of the folds", mean, curves)]
    for name, fold in (("5_3", 2), ("5_4", 3)):
        if fold < len(curves):
            title = f"Figure {name.replace('_', '.')}: fold {fold + 1}"
            drawn.append(_picture(name, title, curves[fold], [curves[fold]]))
    return drawn


def _picture(
    name: str, title: str, shown: Sequence[float], curves: Sequence[Sequence[float]]
) -> Plot:
    levels = {
        f"stopped by adaptive epochs, version {version}": statistics.fmean(
            curve[epochs_run(curve, version) - 1] for curve in curves
        )
        for version in (2, 3)
    }
    return Plot(name, title, {"accuracy after each epoch": shown}, levels)


def _stopped(watched: TaskResult, tested: TaskResult, stop: Stop) -> float:
    """The accuracy on the test boards at the epoch where what was watched says to stop."""
    return 100 * tested.accuracies[epochs_run(watched.accuracies, stop) - 1]


def _flat(by_run: Sequence[Sequence[Task]]) -> tuple[Task, ...]:
    return tuple(task for run in by_run for task in run)
