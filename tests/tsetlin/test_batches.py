"""The samples of an epoch: kernels beside the same by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.tsetlin import batches
from naive.streams import FEW

SEED = st.integers(0, 2**32 - 1)


def dealt_by_hand(labels: list[int], n_classes: int, threshold: float, shuffler):
    """For each class the samples and goals of an epoch, with the draws of `class_batches`."""
    n = len(labels)
    samples = shuffler.permutation(n).tolist()
    steps = shuffler.integers(1, n_classes, n).tolist()
    chances = shuffler.random(n).tolist()
    right = [labels[sample] for sample in samples]
    wrong = [(own + step) % n_classes for own, step in zip(right, steps, strict=True)]
    pairs = list(zip(right, wrong, strict=True))
    by_kind = sorted(range(n), key=lambda i: pairs[i])
    placed = []
    for j, i in enumerate(by_kind):
        alike = [k for k in by_kind if pairs[k] == pairs[i]]
        placed.append(((alike.index(i) + chances[j]) / len(alike), i))
    dealt = [[] for _ in range(n_classes)]
    for _, i in sorted(placed):
        dealt[right[i]].append((samples[i], threshold))
        dealt[wrong[i]].append((samples[i], -threshold))
    return dealt


@FEW
@given(st.integers(2, 5), st.integers(1, 40), SEED)
def test_every_sample_is_dealt_to_its_class_and_to_a_wrong_one(n_classes, n_samples, seed):
    labels = np.random.default_rng(seed).integers(n_classes, size=n_samples)
    first, second = np.random.default_rng(seed), np.random.default_rng(seed)
    found = batches.class_batches(labels, n_classes, 15.0, None, first)
    expected = dealt_by_hand(labels.tolist(), n_classes, 15.0, second)
    assert [list(zip(o.tolist(), g.tolist(), strict=True)) for o, g in found] == expected
    assert first.random() == second.random()


@pytest.mark.parametrize("n_bits", [1, 63, 64, 65, 130])
def test_sums_are_those_of_words_times_factors(n_bits):
    rng = np.random.default_rng(n_bits)
    bits = rng.integers(2, size=(5, n_bits), dtype=np.uint8)
    factors = rng.integers(2**64, size=4, dtype=np.uint64)
    sums = np.zeros(5, np.uint64)
    batches.sum_up(bits, factors, sums)
    for row, total in zip(bits.tolist(), sums.tolist(), strict=True):
        number = sum(bit << i for i, bit in enumerate(row))
        words = [number >> 64 * k & 2**64 - 1 for k in range(4)]
        assert total == sum(w * f for w, f in zip(words, factors.tolist(), strict=True)) % 2**64


@given(st.lists(st.integers(0, 4), max_size=12))
def test_the_longest_run(numbers):
    found = batches.longest_run(np.array(sorted(numbers), np.uint64))
    assert found == max((numbers.count(n) for n in numbers), default=0)
