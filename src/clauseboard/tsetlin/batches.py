"""The samples of an epoch for each bank: in what order they come, and the votes they should get."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from clauseboard.kernels.bits import ZERO
from clauseboard.kernels.compiler import helper, kernel
from clauseboard.tsetlin.packing import Bits, View, dense

EpochBatch = tuple[NDArray[np.int64], NDArray[np.float64]]
"""For one bank: the samples of an epoch in their order, and how many votes each should get."""


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
    spread = evenly_spread(right * n_classes + wrong, n_classes**2, shuffler)
    order, goals = np.empty(2 * samples.size, np.int64), np.empty(2 * samples.size)
    ends = np.zeros(n_classes, np.int64)
    deal_out(samples, right, wrong, spread, threshold, order, goals, ends)
    cuts = [0, *ends.tolist()]
    cuts = [0, *ends.tolist()]
    return [(order[first:end], goals[first:end]) for first, end in itertools.pairwise(cuts)]


def evenly_spread(
    kinds: NDArray[np.int64], n_kinds: int, shuffler: np.random.Generator
) -> NDArray[np.int64]:
    """An order in which every kind of thing comes at an even pace, else at random.

    A machine leans towards what it saw last. If by chance an epoch ends on many wins, it
    predicts wins too often until the next: the accuracy jumps from epoch to epoch. So each kind
    of sample is spread over the epoch as evenly as can be.
    """
    by_kind, places = np.empty(kinds.size, np.int64), shuffler.random(kinds.size)
    place_evenly(kinds, n_kinds, by_kind, places)
    return by_kind[np.argsort(places)]


@kernel("void(int64[::1], int64, int64[::1], float64[::1])")
def place_evenly(kinds, n_kinds: int, by_kind, places) -> None:
    """Sort things by their kinds, and give each a place from 0 to 1 among those of its kind.

    `places` are random numbers from 0 to 1 at first: where a thing lies in its share.
    """
    begins = np.zeros(n_kinds + 1, np.int64)
    for kind in kinds:
        begins[kind + 1] += 1
    for kind in range(n_kinds):
        begins[kind + 1] += begins[kind]
    nexts = begins.copy()
    for i in range(kinds.size):
        kind = kinds[i]
        j = nexts[kind]
        nexts[kind] += 1
        by_kind[j] = i
        count = begins[kind + 1] - begins[kind]
        places[j] = (float(j - begins[kind]) + places[j]) / float(count)


@kernel(
    "void(int64[::1], int64[::1], int64[::1], int64[::1], float64, int64[::1], float64[::1],"
    " int64[::1])"
)
def deal_out(samples, right, wrong, spread, threshold: float, order, goals, ends) -> None:
    """Enter each sample twice: for its own class, and for the one of which it is not.

    Classes come one after the other in `order` and `goals`, and end at `ends`, which are zeros at
    first.
    """
    for i in range(samples.size):
        ends[right[i]] += 1
        ends[wrong[i]] += 1
    total = 0
    for k in range(ends.size):
        total += ends[k]
        ends[k] = total - ends[k]
    # They begin there, and are at their ends when all has been entered.
    for i in spread:
        own, other = ends[right[i]], ends[wrong[i]]
        order[own], goals[own] = samples[i], threshold
        order[other], goals[other] = samples[i], -threshold
        ends[right[i]] += 1
        ends[wrong[i]] += 1


def value_batch(
    goals: NDArray[np.float64],
    sample_weight: NDArray[np.float64] | None,
    shuffler: np.random.Generator,
) -> list[EpochBatch]:
    """One epoch of regression: every sample with the votes it should get."""
    samples = repeats_of(sample_weight, goals.size, shuffler)
    return [(samples, goals[samples])]


def commonest_share(bits: Bits, sample_weight: NDArray[np.float64] | None) -> float:
    """The share of the samples that are equal to the commonest one, by their weights.

    >>> commonest_share(np.array([[1, 0], [1, 1], [1, 0], [0, 0]], np.uint8), None)
    0.5
    """
    # Sums that are equal for equal samples, and hardly ever for others.
    view = View(bits.shape[1])
    factors = np.random.default_rng(0).integers(2**64, size=view.n_words, dtype=np.uint64)
    sums = np.empty(bits.shape[0], np.uint64)
    parts = [slice(None)] if isinstance(bits, np.ndarray) else view.chunks(bits.shape[0])
    for part in parts:
        sum_up(dense(bits[part]), factors | np.uint64(1), sums[part])
    if sample_weight is None:
        sums.sort()
        return longest_run(sums) / len(sums)
    _, kinds = np.unique(sums, return_inverse=True)
    counts = np.bincount(kinds.ravel(), weights=sample_weight)
    return float(counts.max() / counts.sum())


@kernel("void(Array(uint8, 2, 'C', readonly=True), uint64[::1], uint64[::1])")
def sum_up(bits, factors, sums) -> None:
    """For each row, the sum of its words of 64 bits, each times its factor."""
    n_bits = bits.shape[1]
    for row in range(bits.shape[0]):
        total = ZERO
        for k in range(n_bits // 64):
            # Known to be 64, so that the compiler does several at once.
            total += word_of(bits, row, 64 * k, 64) * factors[k]
        if n_bits % 64 > 0:
            last = n_bits // 64
            total += word_of(bits, row, 64 * last, n_bits % 64) * factors[last]
        sums[row] = total


@helper
def word_of(bits, row: int, first: int, count: int):
    """Bits of a row as a word."""
    word = ZERO
    for i in range(count):
        word |= np.uint64(bits[row, first + i]) << np.uint64(i)
    return word


@kernel("int64(uint64[::1])")
def longest_run(numbers) -> int:
    """How often the commonest of some numbers that are sorted comes."""
    longest = run = 0
    for i in range(numbers.size):
        run = run + 1 if i > 0 and numbers[i] == numbers[i - 1] else 1
        longest = max(longest, run)
    return longest
