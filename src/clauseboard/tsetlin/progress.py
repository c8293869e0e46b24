"""The progress bar of a training run: accuracy, speed and time left.

It appears on a terminal once training has taken a second, and nowhere else unless asked for.
"""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

PATIENCE = 1.0
"""Seconds before the bar shows itself."""


class TrainingProgress:
    """A bar over all boards of all epochs; `shown=None` leaves it to the terminal.

    Use as a context manager, call `advance` for boards and `epoch_done` for epochs.
    """

    def __init__(self, shown: bool | None, epochs: int, boards_an_epoch: int) -> None:
        terminal = sys.stderr is not None and sys.stderr.isatty()
        self.wanted = terminal if shown is None else shown
        self.patience = PATIENCE if shown is None else 0.0
        self.epochs, self.boards_an_epoch = epochs, max(1, boards_an_epoch)
        self.done = 0
        self.epoch = 0
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

    def advance(self, boards: int) -> None:
        """Some more boards were trained on."""
        self.done += boards
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
            note=f"{self.done / max(taken, 1e-9):,.0f} boards/s{self.note}",
        )

    def epoch_done(self, score: float | None, score_name: str) -> None:
        """An epoch ended, with this score on the validation data if there is any."""
        self.epoch += 1
        # Boards that an epoch really has differ a little from the estimate: put the bar right.
        self.done = self.epoch * self.boards_an_epoch
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
            self._description(), total=self.epochs * self.boards_an_epoch, note=""
        )
        self.bar.start()
