"""Banks of clauses and how they are trained: shuffled epochs, blocks, threads.

A *bank* is the clauses that vote on one thing: a class, or for regression the value. Banks do
not know of each other, so that an epoch goes through one after the other, with all threads on
the clauses of that one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.kernels.simd import LANES
from clauseboard.tsetlin.kernels import train_blocks
from clauseboard.tsetlin.packing import View
from clauseboard.tsetlin.random_masks import (
    COUNT_PLANES,
    MOST_FORGETS,
    POOL_WORDS,
    fill_pool,
)

SAMPLES_A_CALL = 2048
"""Samples that a kernel takes before the pool of forgets is made anew and Ctrl-C is heard."""

FEWEST_CLAUSES = 32
"""For one thread: with fewer, meeting costs more than it brings."""

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
    block_size: int


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


Job = Callable[[int], None]


class ThreadTeam:
    """The calling thread, as member 0, and `size - 1` others; `close` ends them.

    They do one job together, again and again, and never hang after Ctrl-C. That reaches the main
    thread between any two steps of Python, also inside the standard library's thread pools, which
    may then wait for ever. Here the main thread talks to the others by queues alone, whose calls
    are single steps. After an interruption it sends one more order, and goes on only when every
    thread has answered that.
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


EpochBatch = tuple[NDArray[np.int64], NDArray[np.float64]]
"""For one bank: the samples of an epoch in their order, and how many votes each should get."""


class BankTrainer:
    """Trains banks on packed samples with some threads; made by `bank_trainer`."""

    def __init__(
        self, banks: Banks, rules: FeedbackRules, rows: NDArray[np.uint64], threads: int
    ) -> None:
        n_clauses = banks.automata.shape[1]
        most = -(-n_clauses // FEWEST_CLAUSES)
        self.banks, self.rules, self.rows = banks, rules, rows
        self.threads = 1 if JIT_DISABLED else max(1, min(threads, most))
        cuts = [n_clauses * i // self.threads for i in range(self.threads)]
        self.slices = list(zip(cuts, [*cuts[1:], n_clauses], strict=True))
        self.team = ThreadTeam(self.threads)
        self.pool = np.zeros((MOST_FORGETS, COUNT_PLANES, POOL_WORDS + LANES), np.uint64)
        self.fires = np.zeros(n_clauses, np.uint64)
        self.literals = banks.view.real_literals()[None, None]

    def epoch(
        self, batches: Iterable[EpochBatch], advance: Callable[[int], None] = lambda samples: None
    ) -> None:
        """Train each bank on its batch; `advance` is called for every few thousand samples."""
        block_size = self.rules.block_size
        step = max(1, SAMPLES_A_CALL // block_size)
        for bank, (order, goals) in enumerate(batches):
            n_blocks = -(-order.size // block_size)
            for first in range(0, n_blocks, step):
                end = min(first + step, n_blocks)
                fill_pool(self.pool, 1.0 / self.rules.specificity, self.banks.streams, bank)
                self._train(bank, order, goals, first, end)
                advance(min(end * block_size, order.size) - first * block_size)

    def _train(
        self,
        bank: int,
        order: NDArray[np.int64],
        goals: NDArray[np.float64],
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
                self.rows,
                order,
                goals,
                rules.block_size,
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

        self.team.run(run, give_up)


@contextmanager
def bank_trainer(
    banks: Banks, rules: FeedbackRules, rows: NDArray[np.uint64], threads: int
) -> Iterator[BankTrainer]:
    """A trainer whose threads end with the `with` block."""
    trainer = BankTrainer(banks, rules, rows, threads)
    try:
        yield trainer
    finally:
        trainer.team.close()


def repeats_of(
    sample_weight: NDArray[np.float64] | None, n_samples: int, shuffler: np.random.Generator
) -> NDArray[np.int64]:
    """The samples of one epoch in random order, each as often as its weight says.

    A weight of 2 means twice an epoch, 0 never, 1.25 once and in one of four epochs twice.
    """
    if sample_weight is None:
        return shuffler.permutation(n_samples)
    whole = np.floor(sample_weight)
    extra = shuffler.random(n_samples) < sample_weight - whole
    samples = np.repeat(np.arange(n_samples), whole.astype(np.int64) + extra)
    return shuffler.permutation(samples)


def most_repeats(sample_weight: NDArray[np.float64] | None, n_samples: int) -> int:
    """The most samples that an epoch can have."""
    return n_samples if sample_weight is None else int(np.ceil(sample_weight).sum())


def class_batches(
    labels: NDArray[np.int64],
    n_classes: int,
    threshold: float,
    sample_weight: NDArray[np.float64] | None,
    shuffler: np.random.Generator,
) -> list[EpochBatch]:
    """One epoch for each class: its own samples, and those for which it is the wrong one drawn."""
    samples = repeats_of(sample_weight, labels.size, shuffler)
    right = labels[samples]
    if n_classes == 1:
        return [(samples, np.full(samples.size, threshold))]
    wrong = (right + shuffler.integers(1, n_classes, samples.size)) % n_classes
    spread = evenly_spread(right * n_classes + wrong, shuffler)
    samples, right, wrong = samples[spread], right[spread], wrong[spread]
    batches = []
    for class_ in range(n_classes):
        concerned = (right == class_) | (wrong == class_)
        goals = np.where(right[concerned] == class_, threshold, -threshold)
        batches.append((samples[concerned], goals))
    return batches


def evenly_spread(kinds: NDArray[np.int64], shuffler: np.random.Generator) -> NDArray[np.int64]:
    """An order in which every kind of thing comes at an even pace, else at random.

    A machine leans towards what it saw last. If by chance an epoch ends on many wins, it
    predicts wins too often until the next: the accuracy jumps from epoch to epoch. So each kind
    of sample is spread over the epoch as evenly as can be.
    """
    by_kind = np.argsort(kinds, kind="stable")
    counts = np.bincount(kinds)
    rank = np.arange(kinds.size) - np.repeat(np.cumsum(counts) - counts, counts)
    place = (rank + shuffler.random(kinds.size)) / np.repeat(counts, counts)
    return by_kind[np.argsort(place)]


def value_batch(
    goals: NDArray[np.float64],
    sample_weight: NDArray[np.float64] | None,
    shuffler: np.random.Generator,
) -> list[EpochBatch]:
    """One epoch of regression: every sample with the votes it should get."""
    samples = repeats_of(sample_weight, goals.size, shuffler)
    return [(samples, goals[samples])]
