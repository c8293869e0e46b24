"""Banks of clauses and how they are trained: shuffled epochs, blocks, threads.

A *bank* is the clauses that vote on one thing: a class, or for regression the value. Banks do
not know of each other, so that an epoch goes through one after the other, with all threads on
the clauses of that one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

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
from clauseboard.tsetlin.thread_team import Crew

BOARDS_A_CALL = 2048
"""Boards that a kernel takes before the pool of forgets is made anew and Ctrl-C is heard."""

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
    `streams` has one random stream a bank, and `shuffler` puts the boards in order.
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


Lesson = tuple[NDArray[np.int64], NDArray[np.float64]]
"""For one bank: the boards of an epoch in their order, and how many votes each should get."""


class Trainer:
    """Trains banks on packed boards with some threads; made by `trainer`."""

    def __init__(
        self, banks: Banks, rules: FeedbackRules, rows: NDArray[np.uint64], threads: int
    ) -> None:
        n_clauses = banks.automata.shape[1]
        most = -(-n_clauses // FEWEST_CLAUSES)
        self.banks, self.rules, self.rows = banks, rules, rows
        self.threads = 1 if JIT_DISABLED else max(1, min(threads, most))
        cuts = [n_clauses * i // self.threads for i in range(self.threads)]
        self.slices = list(zip(cuts, [*cuts[1:], n_clauses], strict=True))
        self.crew = Crew(self.threads)
        self.pool = np.zeros((MOST_FORGETS, COUNT_PLANES, POOL_WORDS + LANES), np.uint64)
        self.fires = np.zeros(n_clauses, np.uint64)
        self.literals = banks.view.real_literals()[None, None]

    def epoch(
        self, lessons: Iterable[Lesson], advance: Callable[[int], None] = lambda boards: None
    ) -> None:
        """Train each bank on its lesson; `advance` hears of every few thousand boards."""
        block_size = self.rules.block_size
        step = max(1, BOARDS_A_CALL // block_size)
        for bank, (order, goals) in enumerate(lessons):
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

        self.crew.run(run, give_up)


@contextmanager
def trainer(
    banks: Banks, rules: FeedbackRules, rows: NDArray[np.uint64], threads: int
) -> Iterator[Trainer]:
    """A trainer whose threads end with the `with` block."""
    made = Trainer(banks, rules, rows, threads)
    try:
        yield made
    finally:
        made.crew.close()


def repeats_of(
    sample_weight: NDArray[np.float64] | None, n_boards: int, shuffler: np.random.Generator
) -> NDArray[np.int64]:
    """The boards of one epoch in random order, each as often as its weight says.

    A weight of 2 means twice an epoch, 0 never, 1.25 once and in one of four epochs twice.
    """
    if sample_weight is None:
        return shuffler.permutation(n_boards)
    whole = np.floor(sample_weight)
    extra = shuffler.random(n_boards) < sample_weight - whole
    boards = np.repeat(np.arange(n_boards), whole.astype(np.int64) + extra)
    return shuffler.permutation(boards)


def most_repeats(sample_weight: NDArray[np.float64] | None, n_boards: int) -> int:
    """The most boards that an epoch can have."""
    return n_boards if sample_weight is None else int(np.ceil(sample_weight).sum())


def class_lessons(
    labels: NDArray[np.int64],
    n_classes: int,
    threshold: float,
    sample_weight: NDArray[np.float64] | None,
    shuffler: np.random.Generator,
) -> list[Lesson]:
    """One epoch for each class: its own boards, and those for which it is the wrong one drawn."""
    boards = repeats_of(sample_weight, labels.size, shuffler)
    right = labels[boards]
    if n_classes == 1:
        return [(boards, np.full(boards.size, threshold))]
    wrong = (right + shuffler.integers(1, n_classes, boards.size)) % n_classes
    spread = evenly_spread(right * n_classes + wrong, shuffler)
    boards, right, wrong = boards[spread], right[spread], wrong[spread]
    lessons = []
    for class_ in range(n_classes):
        concerned = (right == class_) | (wrong == class_)
        goals = np.where(right[concerned] == class_, threshold, -threshold)
        lessons.append((boards[concerned], goals))
    return lessons


def evenly_spread(kinds: NDArray[np.int64], shuffler: np.random.Generator) -> NDArray[np.int64]:
    """An order in which every kind of thing comes at an even pace, else at random.

    A machine leans towards what it saw last. If by chance an epoch ends on many wins, it
    predicts wins too often until the next: the accuracy jumps from epoch to epoch. So each kind
    of board is spread over the epoch as evenly as can be.
    """
    by_kind = np.argsort(kinds, kind="stable")
    counts = np.bincount(kinds)
    rank = np.arange(kinds.size) - np.repeat(np.cumsum(counts) - counts, counts)
    place = (rank + shuffler.random(kinds.size)) / np.repeat(counts, counts)
    return by_kind[np.argsort(place)]


def value_lesson(
    goals: NDArray[np.float64],
    sample_weight: NDArray[np.float64] | None,
    shuffler: np.random.Generator,
) -> list[Lesson]:
    """One epoch of regression: every board with the votes it should get."""
    boards = repeats_of(sample_weight, goals.size, shuffler)
    return [(boards, goals[boards])]
