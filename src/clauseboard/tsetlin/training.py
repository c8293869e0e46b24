"""Banks of clauses and how they are trained: epochs in random order, blocks, threads.

A *bank* is the clauses that vote on one thing: a class, or for regression the value. Banks do
not know of each other, so that an epoch goes through one after the other, with all threads on
the clauses of that one.
"""

from __future__ import annotations

import functools
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.kernels.simd import LANES
from clauseboard.tsetlin.batches import EpochBatch, commonest_share
from clauseboard.tsetlin.kernels import train_blocks
from clauseboard.tsetlin.packing import Bits, View
from clauseboard.tsetlin.random_masks import (
    COUNT_PLANES,
    MOST_FORGETS,
    POOL_WORDS,
    fill_pool,
)
from clauseboard.tsetlin.stopping import AdaptiveEpochs

if TYPE_CHECKING:
    from clauseboard.tsetlin.machine import BaseTsetlinMachine


Job = Callable[[int], None]


class ThreadTeam:
    """Threads that do one job together, again and again: the calling one, member 0, and others.

    They never hang after Ctrl-C. It reaches the main thread between any two steps of Python, also
    inside the standard library's thread pools, which may then wait for ever. Here the main thread
    talks to the others by queues alone, whose calls are single steps. After an interruption it
    sends one more order, and goes on only when every thread has answered that.
    """

    def __init__(self, size: int) -> None:
        self.orders: list[SimpleQueue[Any]] = [SimpleQueue() for _ in range(size - 1)]
        self.answers: SimpleQueue[tuple[int, int, BaseException | None]] = SimpleQueue()
        self.number = 0
        self.threads = [
            threading.Thread(target=self._work, args=(member,), daemon=True)
            for member in range(1, size)
        ]
        for thread in self.threads:
            thread.start()

    def run(self, job: Job, give_up: Callable[[], None]) -> None:
        """Call job(member) in every thread and return when all have ended.

        Members may wait for each other inside the job. If one fails, `give_up` must make the
        others end soon; the first error is raised when they have.
        """
        self.number += 1
        try:
            self._order(job)
            job(0)
            self._wait(give_up)
        except BaseException:
            give_up()
            self._settle()
            raise

    def close(self) -> None:
        """End the threads."""
        for orders in self.orders:
            orders.put(None)
        for thread in self.threads:
            thread.join()

    def _order(self, job: Job) -> None:
        for orders in self.orders:
            orders.put((self.number, job))

    def _wait(self, give_up: Callable[[], None]) -> None:
        """Wait until every thread has answered the last order."""
        waiting = set(range(1, len(self.orders) + 1))
        failed: BaseException | None = None
        while waiting:
            member, number, error = self.answers.get()
            if number == self.number:
                waiting.discard(member)
                if error is not None and failed is None:
                    failed = error
                    give_up()
        if failed is not None:
            raise failed

    def _settle(self) -> None:
        """Wait until every thread is idle, however often Ctrl-C is pressed meanwhile."""
        while True:
            try:
                self.number += 1
                self._order(lambda member: None)
                self._wait(lambda: None)
                return
            except KeyboardInterrupt:
                continue

    def _work(self, member: int) -> None:
        for number, job in iter(self.orders[member - 1].get, None):
            error: BaseException | None = None
            try:
                job(member)
            except BaseException as raised:
                error = raised
            self.answers.put((member, number, error))


SAMPLES_A_CALL = 2048
"""Samples that a kernel takes before the pool of forgets is made anew and Ctrl-C is heard."""

FEWEST_CLAUSES = 32
"""For one thread: with fewer, meeting costs more than it brings."""

PATIENCE = 1.0
"""Seconds before a progress bar appears that was not asked for."""

FEWEST_STATE_BITS = COUNT_PLANES
MOST_STATE_BITS = 16


@dataclass(frozen=True)
class FeedbackRules:
    """What decides how clauses are rewarded; `low` and `high` are the ends of the vote scale."""

    low: float
    high: float
    both_signs: bool
    specificity: float
    weighted: bool
    boost: bool
    most_literals: int | None
    block_size: int | None
    """None: `auto_block_size`."""
    max_misses: int = 0


MOST_SAMPLES = 64
"""In a block: the bits of a word."""

FIRST_EPOCHS, EARLY_EPOCHS = 2, 10
"""Epochs in which clauses still change much; blocks are then a quarter or half as large at most."""

FEWEST_BLOCKS = 8
"""In an epoch, lest a bank counts its votes too seldom."""


def auto_block_size(scale: float, samples: float, commonest: float, epoch: int) -> int:
    """The samples of a block with which a machine learns as well as with one at a time.

    Votes are counted before a block, so that those of its last sample are late by what the others
    change. `scale` is half the way from the lowest to the highest goal of votes: the shorter it is,
    the less votes may be late. The root fits what was measured for thresholds from 15 to 40,000.
    `samples` are those of a bank in an epoch, and `commonest` is the share of the commonest of
    them, which should not come twice in a block. Epochs count from 0.

    >>> [auto_block_size(threshold, 10_000, 0.0, 0) for threshold in (1, 15, 600, 4000)]
    [1, 2, 16, 16]
    >>> [auto_block_size(4000, 10_000, 0.0, epoch) for epoch in (1, 2, 9, 10)]
    [16, 32, 32, 32]
    >>> auto_block_size(40_000, 10_000, 0.0, 20), auto_block_size(40_000, 70, 0.0, 20)
    (64, 8)
    >>> auto_block_size(40_000, 10_000, 0.4, 20)
    2
    """
    late = (epoch >= FIRST_EPOCHS) + (epoch >= EARLY_EPOCHS)
    most = (MOST_SAMPLES // 4) << late
    limits = (scale**0.5, samples / FEWEST_BLOCKS, 1 / max(commonest, 1 / MOST_SAMPLES))
    return 1 << (int(max(1.0, min(most, *limits))).bit_length() - 1)


@dataclass
class Banks:
    """The automata, weights and random streams of some banks of clauses.

    `automata` is banks × clauses × planes × words (see `kernels`), `weights` banks × clauses;
    `streams` has one random stream a bank, and `shuffler` puts the samples in order.
    """

    view: View
    automata: NDArray[np.uint64]
    weights: NDArray[np.int32]
    streams: NDArray[np.uint64]
    shuffler: np.random.Generator

    @classmethod
    def fresh(cls, view: View, n_banks: int, n_clauses: int, state_bits: int, seed: int) -> Banks:
        """Banks in which every literal is just excluded and every clause weighs one."""
        automata = np.empty((n_banks, n_clauses, state_bits, view.n_words), np.uint64)
        # Automata of padding stay at the bottom: nothing ever raises them.
        automata[:, :, :-1] = view.real_literals()
        automata[:, :, -1] = 0
        shuffler = np.random.Generator(np.random.PCG64(seed))
        return cls(
            view=view,
            automata=automata,
            weights=np.ones((n_banks, n_clauses), np.int32),
            streams=shuffler.integers(2**64, size=n_banks, dtype=np.uint64),
            shuffler=shuffler,
        )

    def make_writable(self) -> None:
        """Copy what cannot be written to, such as arrays that joblib maps from a file."""
        for name in ("automata", "weights", "streams"):
            setattr(self, name, np.require(getattr(self, name), requirements=["C", "W"]))

    @property
    def include(self) -> NDArray[np.uint64]:
        """The included literals, as bits: banks × clauses × words."""
        return np.ascontiguousarray(self.automata[:, :, -1])

    def signed_weights(self, both_signs: bool) -> NDArray[np.int32]:
        """Weights as votes: those of odd clauses count against, if there are both signs."""
        signs = np.ones(self.weights.shape[1], np.int32)
        if both_signs:
            signs[1::2] = -1
        return self.weights * signs


class BankTrainer:
    """Trains banks on packed samples with some threads; made by `bank_trainer`."""

    def __init__(
        self, banks: Banks, rules: FeedbackRules, packed: NDArray[np.uint64], threads: int
    ) -> None:
        n_clauses = banks.automata.shape[1]
        most = -(-n_clauses // FEWEST_CLAUSES)
        self.banks, self.rules, self.packed = banks, rules, packed
        self.threads = 1 if JIT_DISABLED else max(1, min(threads, most))
        cuts = [n_clauses * i // self.threads for i in range(self.threads)]
        self.slices = list(zip(cuts, [*cuts[1:], n_clauses], strict=True))
        self.team = ThreadTeam(self.threads) if self.threads > 1 else None
        self.pool = np.zeros((MOST_FORGETS, COUNT_PLANES, POOL_WORDS + LANES), np.uint64)
        self.fires = np.zeros(n_clauses, np.uint64)
        self.literals = banks.view.real_literals()[None, None]

    def epoch(
        self,
        batches: Iterable[EpochBatch],
        block_size: int,
        advance: Callable[[int], None] = lambda samples: None,
    ) -> None:
        """Train each bank on its batch; `advance` is called for every few thousand samples."""
        step = max(1, SAMPLES_A_CALL // block_size)
        for bank, (order, goals) in enumerate(batches):
            n_blocks = -(-order.size // block_size)
            for first in range(0, n_blocks, step):
                end = min(first + step, n_blocks)
                fill_pool(
                    self.pool,
                    1.0 / self.rules.specificity,
                    self.banks.streams,
                    bank,
                    min(block_size, MOST_FORGETS),
                )
                self._train(bank, order, goals, block_size, first, end)
                advance(min(end * block_size, order.size) - first * block_size)

    def _train(
        self,
        bank: int,
        order: NDArray[np.int64],
        goals: NDArray[np.float64],
        block_size: int,
        first: int,
        end: int,
    ) -> None:
        rules = self.rules
        votes = np.zeros((2, self.threads, 2, 64), np.int64)
        published = np.zeros(8 * self.threads, np.int64)

        def run(member: int) -> None:
            first_clause, end_clause = self.slices[member]
            train_blocks(
                self.banks.automata[bank],
                self.banks.weights[bank],
                self.fires,
                self.banks.streams,
                bank,
                self.packed,
                self.banks.view.n_patches,
                order,
                goals,
                block_size,
                first,
                end,
                self.literals,
                self.pool,
                rules.low,
                rules.high,
                rules.both_signs,
                rules.boost,
                rules.weighted,
                -1 if rules.most_literals is None else rules.most_literals,
                rules.max_misses + 1,
                first_clause,
                end_clause,
                member,
                votes,
                published,
            )

        def give_up() -> None:
            # The threads wait for each other in every block. If one cannot start or ends early
            # (a Ctrl-C comes at any moment), the others must not wait for it for ever.
            published[:] = np.iinfo(np.int64).max

        if self.team is None:
            run(0)
        else:
            self.team.run(run, give_up)


@contextmanager
def bank_trainer(
    banks: Banks, rules: FeedbackRules, packed: NDArray[np.uint64], threads: int
) -> Iterator[BankTrainer]:
    """A trainer whose threads end with the `with` block."""
    trainer = BankTrainer(banks, rules, packed, threads)
    try:
        yield trainer
    finally:
        if trainer.team is not None:
            trainer.team.close()


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
    bits: Bits
    weights: NDArray[np.float64] | None
    batches: Callable[[], list[EpochBatch]]
    epochs: int
    samples_an_epoch: float
    most_samples: int
    watched: Bits | None = None
    score: Callable[[NDArray[np.int64]], float] | None = None
    stop: AdaptiveEpochs | None = None
    callback: EpochCallback | None = None
    finished: Callable[[], None] = lambda: None
    ended: bool = field(default=False, init=False)
    epochs_run: int = field(default=0, init=False)
    best_score: float = field(default=-np.inf, init=False)
    best_banks: tuple[NDArray[np.uint64], NDArray[np.int32]] | None = field(
        default=None, init=False
    )

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
        packed = machine.banks_.view.pack_for_training(self.bits)
        threads = effective_n_jobs(machine.n_jobs)
        with (
            bank_trainer(machine.banks_, self.rules, packed, threads) as trainer,
            TrainingProgress(progress, self.epochs, round(self.samples_an_epoch)) as bar,
        ):

            def advance_both(samples: int) -> None:
                bar.advance(samples)
                advance(samples)

            while not self.ended:
                start = time.perf_counter()
                machine._forget_tables()
                trainer.epoch(self.batches(), self.block_size(), advance_both)
                seconds = time.perf_counter() - start
                votes = None if self.watched is None else machine._votes_of_bits(self.watched)
                score = self.epoch_done(seconds, votes)
                if self.is_best(score):
                    self.remember()
                bar.epoch_done(score, machine.score_name)

    def block_size(self) -> int:
        """Samples between two counts of the votes in the epoch that is to begin."""
        rules = self.rules
        if rules.block_size is not None:
            return rules.block_size
        samples = self.samples_an_epoch / len(self.machine.banks_.weights)
        scale = (rules.high - rules.low) / 2 / (rules.max_misses + 1)
        epoch = len(self.machine.history_)
        if auto_block_size(scale, samples, 0.0, epoch) == 1:
            return 1  # However rare the commonest sample is.
        return auto_block_size(scale, samples, self.commonest, epoch)

    @functools.cached_property
    def commonest(self) -> float:
        """The share of the commonest sample."""
        return commonest_share(self.bits, self.weights)

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

    def is_best(self, score: float | None) -> bool:
        """Whether the epoch that just ended is the best so far, and is to be remembered."""
        if self.stop is None or self.stop.keep != "best" or score is None:
            return False
        better = score > self.best_score
        self.best_score = max(score, self.best_score)
        return better

    def remember(self) -> None:
        """Keep a copy of the machine as it is now."""
        banks = self.machine.banks_
        self.best_banks = (banks.automata.copy(), banks.weights.copy())

    def finish(self) -> None:
        """Give the machine its best epoch back, if it is to be kept; the end of training."""
        if self.best_banks is not None:
            self.machine.banks_.automata, self.machine.banks_.weights = self.best_banks
            self.machine._forget_tables()
        self.finished()


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
