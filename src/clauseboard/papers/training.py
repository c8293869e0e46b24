"""The work of most tables: a Tsetlin Machine is trained on nine folds and tested on the tenth.

The theses look at the test boards after every epoch, stop by their accuracy, and report it. The
honest way is beside it: the fold after the test fold is left out of training, training stops by
the accuracy on that one, and the test boards are looked at once.
"""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from clauseboard.papers.boards import RESULTS, LabelledBoards, of_game
from clauseboard.papers.experiment import EpochCallback, EpochResult, RunSize, Task

FEWEST_CLAUSES = 10
LOWEST_THRESHOLD = 10


@dataclass(frozen=True)
class MachineParameters:
    """The settings of a machine, named as in the papers where those have a letter."""

    clauses: int
    T: int
    s: float
    weighted: bool = True
    boost: bool = True
    window: int = 0
    """Lines of the square window that clauses look through; 0: they see the whole board."""
    block_size: int = 64

    def at(self, size: RunSize) -> MachineParameters:
        """The same with fewer clauses, and a threshold that is lower by as much."""
        if size.share == 1.0:
            return self
        clauses = max(FEWEST_CLAUSES, 2 * round(self.clauses * size.share / 2))
        threshold = max(LOWEST_THRESHOLD, round(self.T * clauses / self.clauses))
        return replace(self, clauses=clauses, T=threshold)

    def classifier(self, **more: Any) -> Any:
        """A machine with these settings that has learned nothing yet; `more` are others of its."""
        from clauseboard.tsetlin import TsetlinMachineClassifier

        return TsetlinMachineClassifier(
            n_clauses=self.clauses,
            threshold=self.T,
            specificity=self.s,
            weighted=self.weighted,
            boost_true_positive=self.boost,
            block_size=self.block_size,
            **more,
        )

    def __str__(self) -> str:
        kind = [
            "weighted" if self.weighted else "not weighted",
            "boosted" if self.boost else "not boosted",
            *([f"window {self.window} by {self.window}"] if self.window else []),
        ]
        return f"{self.clauses:,} clauses, T {self.T:,}, s {self.s:g}, {', '.join(kind)}"


@dataclass(frozen=True)
class TrainingSchedule:
    """How a machine is trained and stopped."""

    epochs: int
    """At the most."""
    stop: int | None = 2
    """The version of adaptive epochs; None: all epochs."""
    hold_out: bool = False
    """Whether the fold after the test fold is kept from training."""
    watch: str = "test"
    """Whose accuracy is taken after every epoch: that of the "test" fold or of the "next" one."""
    side: str = "black"
    """Whose wins and losses: white's are black's inverted."""

    @property
    def honest(self) -> TrainingSchedule:
        """The same, stopped by the fold after the test fold."""
        return replace(self, hold_out=True, watch="next")


def fold_task(
    boards: LabelledBoards,
    fold: int,
    machine: MachineParameters,
    course: TrainingSchedule,
    run: int = 0,
    keep: bool = False,
) -> Task:
    """Train a machine and test it on a fold, from 0 on; each run and fold has a seed of its own.

    With `keep` the machine itself is in the result, for tasks that need it (see `kept_machine`).
    """
    settings = {
        "fold": fold,
        "seed": 1000 * run + fold + 1,
        "machine": asdict(machine),
        "course": asdict(course),
        **({"keep": True} if keep else {}),
    }
    return Task(train, settings, boards, on_gpu=True)


def fold_tasks(
    boards: LabelledBoards,
    size: RunSize,
    machine: MachineParameters,
    course: TrainingSchedule,
    run: int = 0,
    keep: bool = False,
) -> tuple[Task, ...]:
    """`fold_task` of as many folds as the size has."""
    folds = range(min(size.folds, boards.n_folds))
    return tuple(fold_task(boards, fold, machine, course, run, keep) for fold in folds)


def train(tasks: Sequence[Task], told: EpochCallback, device: str) -> list[Mapping[str, Any]]:
    """Do such tasks; on a GPU all of them side by side."""
    from clauseboard.tsetlin import fit_many

    plans = [_Plan(task, told, device) for task in tasks]
    fit_many([plan.fit for plan in plans], n_jobs=1, progress=False)
    return [plan.result() for plan in plans]


class _Plan:
    """A task unpacked: which boards to learn, to watch and to test."""

    def __init__(self, task: Task, told: EpochCallback, device: str) -> None:
        from clauseboard.tsetlin import AdaptiveEpochs, Fit

        assert task.boards is not None
        settings, boards = task.settings, task.boards
        machine, course = (
            MachineParameters(**settings["machine"]),
            TrainingSchedule(**settings["course"]),
        )
        X, y = boards.X, boards.results
        if course.side == "white":
            y = np.array([1, 0, 2], np.uint8)[y]
        shape = None
        if machine.window:
            X, shape = of_game(boards.kind).planes(X)
        fold, n_folds = settings["fold"], boards.n_folds
        test, following = boards.folds == fold, boards.folds == (fold + 1) % n_folds
        learned = ~test & ~following if course.hold_out else ~test
        watched = {"test": test, "next": following}[course.watch]
        self.test = X[test], y[test]
        self.keep = settings.get("keep", False)
        self.machine = machine.classifier(
            board_shape=shape,
            window=None if shape is None else (machine.window, machine.window),
            epochs=course.epochs,
            random_state=settings["seed"],
            device=device,
        )
        stop = None
        if course.stop is not None:
            stop = AdaptiveEpochs(course.stop, max_epochs=course.epochs)

        def epoch_done(epoch: Any) -> None:
            told(task, EpochResult(epoch.number, epoch.score, epoch.seconds))

        self.fit = Fit(
            self.machine,
            X[learned],
            y[learned],
            validation=(X[watched], y[watched]),
            stop=stop,
            callback=epoch_done,
        )

    def result(self) -> dict[str, Any]:
        X, y = self.test
        found = judged(y, self.machine.predict(X))
        if not self.keep:
            return found
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "machine.tm"
            # Nobody trains it further: what is for that only is left out.
            self.machine.save(path, inference_only=True)
            return {**found, "machine": as_text(path)}


def as_text(path: Path) -> str:
    """A file in letters, as JSON can hold it; `kept_machine` is the way back."""
    return base64.b64encode(path.read_bytes()).decode()


def kept_machine(result: Mapping[str, Any], path: Path) -> Path:
    """Write the machine that is in a task's result to a file."""
    path.write_bytes(base64.b64decode(result["machine"]))
    return path


def loaded(result: Mapping[str, Any], load: Callable[[Path], Any]) -> Any:
    """What a function makes of the file of the machine that is in a task's result."""
    with tempfile.TemporaryDirectory() as folder:
        return load(kept_machine(result, Path(folder) / "machine.tm"))


def judged(truth: Any, predicted: Any) -> dict[str, Any]:
    """The accuracy and how often each result (rows) was taken for which (columns).

    >>> judged(np.array([0, 1, 1]), np.array([0, 1, 2]))
    {'accuracy': 0.6666666666666666, 'confusion': [[1, 0, 0], [0, 1, 1], [0, 0, 0]]}
    """
    n = len(RESULTS)
    pairs = np.asarray(truth, np.int64) * n + np.asarray(predicted, np.int64)
    confusion = np.bincount(pairs, minlength=n * n).reshape(n, n)
    return {
        "accuracy": float(np.trace(confusion) / confusion.sum()),
        "confusion": confusion.tolist(),
    }
