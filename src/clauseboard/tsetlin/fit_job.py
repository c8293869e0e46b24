"""One training run: its epochs, when it ends, its history and its progress bar."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from clauseboard.tsetlin.stopping import AdaptiveEpochs
from clauseboard.tsetlin.training import EpochBatch, FeedbackRules, bank_trainer

if TYPE_CHECKING:
    from clauseboard.tsetlin.machine import BaseTsetlinMachine

PATIENCE = 1.0
"""Seconds before a progress bar appears that was not asked for."""


@dataclass(frozen=True)
class Epoch:
    """An epoch that has ended: its number from 1 on, seconds of training, validation score."""

    number: int
    seconds: float
    score: float | None


EpochCallback = Callable[[Epoch], bool | None]
"""Called after every epoch; training ends if it returns true."""


@dataclass
class FitJob:
    """A machine and everything that one training run of it needs.

    `batches` draws the samples of an epoch for each bank, about `samples_an_epoch` of them
    together and at most `most_samples` for one bank. After an epoch, `score` turns the votes on
    the samples `watched` into a number.
    """

    machine: BaseTsetlinMachine
    rules: FeedbackRules
    bits: NDArray[np.uint8]
    batches: Callable[[], list[EpochBatch]]
    epochs: int
    samples_an_epoch: float
    most_samples: int
    watched: NDArray[np.uint8] | None = None
    score: Callable[[NDArray[np.int64]], float] | None = None
    stop: AdaptiveEpochs | None = None
    callback: EpochCallback | None = None
    finish: Callable[[], None] = lambda: None
    ended: bool = field(default=False, init=False)
    epochs_run: int = field(default=0, init=False)

    def run(
        self,
        progress: bool | None = None,
        advance: Callable[[int], None] = lambda samples: None,
    ) -> None:
        """Train on the CPU; `advance` is called for every few thousand samples.

        The banks are a whole machine after every call of a kernel, so that a Ctrl-C keeps what
        was learned until then.
        """
        machine = self.machine
        rows = machine.banks_.view.pack_literals(self.bits)
        threads = effective_n_jobs(machine.n_jobs)
        with (
            bank_trainer(machine.banks_, self.rules, rows, threads) as trainer,
            TrainingProgress(progress, self.epochs, round(self.samples_an_epoch)) as bar,
        ):

            def advance_both(samples: int) -> None:
                bar.advance(samples)
                advance(samples)

            while not self.ended:
                start = time.perf_counter()
                machine._forget_tables()
                trainer.epoch(self.batches(), advance_both)
                seconds = time.perf_counter() - start
                votes = None if self.watched is None else machine._votes_of_bits(self.watched)
                bar.epoch_done(self.epoch_done(seconds, votes), machine.score_name)

    def epoch_done(self, seconds: float, votes: NDArray[np.int64] | None) -> float | None:
        """Enter an epoch into the machine's history; return its score.

        Sets `ended` if it was the last: there are no more epochs, or the stopping rule or the
        callback ends the training.
        """
        history = self.machine.history_
        score = self.score(votes) if self.score is not None and votes is not None else None
        history.append(Epoch(len(history) + 1, seconds, score))
        self.epochs_run += 1
        self.ended = (
            bool(self.callback is not None and self.callback(history[-1]))
            or (self.stop is not None and self.stop.should_stop([e.score or 0.0 for e in history]))
            or self.epochs_run >= self.epochs
        )
        return score


class TrainingProgress:
    """A bar over all samples of all epochs, with accuracy, speed and time left.

    With `shown=None` it appears on a terminal once training has taken a second. Use it as a
    context manager; call `advance` for samples and `epoch_done` for epochs.
    """

    def __init__(self, shown: bool | None, epochs: int, samples_an_epoch: int) -> None:
        terminal = sys.stderr is not None and sys.stderr.isatty()
        self.wanted = terminal if shown is None else shown
        self.patience = PATIENCE if shown is None else 0.0
        self.epochs, self.samples_an_epoch = epochs, max(1, samples_an_epoch)
        self.done = self.epoch = 0
        self.note = ""
        self.start = time.perf_counter()
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> TrainingProgress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def advance(self, samples: int) -> None:
        """Count samples that were trained on."""
        self.done += samples
        if not self.wanted:
            return
        taken = time.perf_counter() - self.start
        if self.bar is None:
            if taken < self.patience:
                return
            self._show()
        self.bar.update(
            self.task,
            completed=self.done,
            note=f"{self.done / max(taken, 1e-9):,.0f} samples/s{self.note}",
        )

    def epoch_done(self, score: float | None, score_name: str) -> None:
        """End an epoch, with its score on the validation data if there is any."""
        self.epoch += 1
        # The samples of an epoch differ a little from the estimate: put the bar right.
        self.done = self.epoch * self.samples_an_epoch
        if score is not None:
            self.note = f" · {score_name} {score:.4f}"
        if self.bar is not None:
            self.bar.update(self.task, description=self._description())
        self.advance(0)

    def _description(self) -> str:
        return f"epoch {min(self.epoch + 1, self.epochs)}/{self.epochs}"

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self.bar = Progress(
            TextColumn("training, {task.description}"),
            BarColumn(),
            TextColumn("{task.fields[note]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        )
        self.task = self.bar.add_task(
            self._description(), total=self.epochs * self.samples_an_epoch, note=""
        )
        self.bar.start()
