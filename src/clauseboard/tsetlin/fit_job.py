"""One training run: what a machine is to learn, epoch by epoch, and when that ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clauseboard.tsetlin.stopping import AdaptiveEpochs
from clauseboard.tsetlin.training import FeedbackRules, Lesson

if TYPE_CHECKING:
    from clauseboard.tsetlin.machine import BaseTsetlinMachine


@dataclass(frozen=True)
class Epoch:
    """What is known after an epoch: its number from 1 on, seconds of training, validation score."""

    number: int
    seconds: float
    score: float | None


@dataclass
class Course:
    """A machine with all that one run of training needs; whoever trains calls `epoch_done`.

    `lessons` draws the boards of an epoch for each bank, about `boards_an_epoch` of them
    together and at the most `most_boards` for one bank.
    After an epoch, `score` makes a number of the votes on the boards `watched`.
    """

    machine: BaseTsetlinMachine
    rules: FeedbackRules
    bits: NDArray[np.uint8]
    lessons: Callable[[], list[Lesson]]
    epochs: int
    boards_an_epoch: float
    most_boards: int
    watched: NDArray[np.uint8] | None = None
    score: Callable[[NDArray[np.int64]], float] | None = None
    stop: AdaptiveEpochs | None = None
    callback: Callable[[Epoch], bool | None] | None = None
    finish: Callable[[], None] = lambda: None
    ended: bool = field(default=False, init=False)
    epochs_run: int = field(default=0, init=False)

    def epoch_done(self, seconds: float, votes: NDArray[np.int64] | None) -> float | None:
        """Enter an epoch into the machine's history; return its score.

        Sets `ended` if it was the last: the epochs are used up, or the rule or the callback
        says so.
        """
        history = self.machine.history_
        score = self.score(votes) if self.score is not None and votes is not None else None
        history.append(Epoch(len(history) + 1, seconds, score))
        self.epochs_run += 1
        self.ended = (
            bool(self.callback is not None and self.callback(history[-1]))
            or bool(
                self.stop is not None and self.stop.should_stop([e.score or 0.0 for e in history])
            )
            or self.epochs_run >= self.epochs
        )
        return score
