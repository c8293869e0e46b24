"""The training kernels: which boards give feedback, and what is forgotten, in the right shares."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.kernels.simd import LANES
from clauseboard.tsetlin import TsetlinMachineClassifier, kernels, random_masks
from clauseboard.tsetlin.batches import commonest_share
from clauseboard.tsetlin.training import auto_block_size
from naive import tsetlin as naive
from naive.streams import FEW, SEED, STEP, Stream, bits_of, words_of

pytestmark = pytest.mark.usefixtures("words_may_wrap_round")


# ------------------------------------------------------------------ who gets feedback


def probabilities_of(chances: np.ndarray) -> np.ndarray:
    """The probabilities of 64 boards whose binary digits these are."""
    return (bits_of(chances[:, np.newaxis]).T * 0.5 ** np.arange(1, len(chances) + 1)).sum(axis=1)


ALONE = np.full(64, 10**6 * (kernels.CROWD + 1))
"""A million clauses fire on every board, but none of them on another: nothing is taken down."""


def room_for_parts() -> np.ndarray:
    """A word a board, with something in it."""
    return np.full((1, 1, 64), 77, np.uint64)


@pytest.mark.parametrize(
    ("firing", "together", "expected"),
    [(5, 10, 0.5), (5, 20, 0.25), (5, 40, 0.125), (30, 40, 0.375), (30, 30, 0.5)],
)
def test_boards_much_alike_do_not_overshoot(firing, together, expected):
    """Goal 10, no votes yet: probability 1/2, with a halfway of 10."""
    crowds = np.full(64, kernels.CROWD * firing + together)
    chances = np.zeros(random_masks.CHANCE_DIGITS, np.uint64)
    goals = np.full(64, 10.0)
    kernels.chances_of_block(
        np.zeros(64, np.int64), crowds, goals, 0, 64, -10.0, 10.0, 1, chances, room_for_parts()
    )
    assert probabilities_of(chances) == pytest.approx(np.full(64, expected), abs=2**-23)


@pytest.mark.parametrize("threshold", [1, 10, 37, 40_000])
def test_the_chance_of_feedback_of_a_classifier(threshold):
    rng = np.random.default_rng(threshold)
    votes = rng.integers(-2 * threshold, 2 * threshold + 1, 64)
    votes[:6] = [-threshold, threshold, 0, -3 * threshold, 3 * threshold, 1 - threshold]
    targets = rng.integers(2, size=70)
    goals = np.where(targets == 1, threshold, -threshold).astype(float)
    chances = np.full(random_masks.CHANCE_DIGITS, 7, np.uint64)
    upward = kernels.chances_of_block(
        votes, ALONE, goals, 3, 60, -threshold, float(threshold), 1, chances, room_for_parts()
    )
    found = probabilities_of(chances)
    for i in range(60):
        target = targets[3 + i]
        expected = naive.feedback_probability(int(votes[i]), threshold, target)
        assert 0 <= expected - found[i] <= 2**-24
        if expected > 0:
            assert int(upward) >> i & 1 == target
    assert not found[60:].any()
    assert int(upward) >> 60 == 0


@pytest.mark.parametrize("threshold", [1, 10, 37, 40_000])
def test_the_chance_of_feedback_of_a_regressor(threshold):
    rng = np.random.default_rng(threshold)
    votes = rng.integers(-threshold, 2 * threshold + 1, 64)
    votes[:4] = [0, threshold, -threshold, 2 * threshold]
    goals = rng.random(64) * threshold
    goals[:8] = [0, 0, threshold, threshold, 0, 0, threshold, threshold]
    chances = np.zeros(random_masks.CHANCE_DIGITS, np.uint64)
    upward = kernels.chances_of_block(
        votes, ALONE, goals, 0, 64, 0.0, float(threshold), 1, chances, room_for_parts()
    )
    found = probabilities_of(chances)
    for i in range(64):
        error = naive.regression_error(int(votes[i]), threshold, goals[i])
        expected = naive.regression_feedback_probability(error, threshold)
        assert 0 <= expected - found[i] <= 2**-24
        assert int(upward) >> i & 1 == (error > 0)


def chances_from(probabilities: np.ndarray) -> np.ndarray:
    """Binary digits as `chances_of_block` writes them, for probabilities of 64 boards."""
    numbers = np.minimum(probabilities * 2**24, 2**24 - 1).astype(np.int64)
    return words_of(np.stack([numbers >> digit & 1 for digit in reversed(range(24))])).ravel()


def within_five_sigma(counts: np.ndarray, n: int, chance: np.ndarray) -> bool:
    return bool((abs(counts - n * chance) <= 5 * np.sqrt(n * chance * (1 - chance)) + 1e-3).all())


def drawn_choices(chances: np.ndarray, boards: int, stream: Stream) -> np.ndarray:
    choices = np.full((3, random_masks.CHOICES), 77, np.uint64)
    random_masks.draw_choices(chances, np.uint64(boards), np.uint64(stream.key()), choices)
    return choices


@given(SEED, st.integers(0, 100_000))
@FEW
def test_streams_branch_off_by_number(seed, number):
    key = np.uint64(Stream(seed).key())
    assert int(random_masks.branch(key, number)) == Stream(seed).branch(number)


def test_branches_of_streams_that_follow_each_other_are_all_different():
    begins = {Stream(7 + k * STEP).branch(n) for k in range(20) for n in range(500)}
    assert len(begins) == 20 * 500


def test_boards_are_chosen_with_their_own_probabilities():
    probabilities = np.linspace(0, 1, 64)
    chances = chances_from(probabilities)
    boards = np.uint64(2**64 - 1 - 2**40)
    rounds = 10 if JIT_DISABLED else 400
    counts = np.zeros(64, np.int64)
    for k in range(rounds):
        choices = drawn_choices(chances, boards, Stream(3 + k))[0]
        counts += bits_of(choices[:, np.newaxis]).sum(axis=0)
    probabilities[40] = 0
    assert within_five_sigma(counts, 64 * rounds, probabilities)
    assert counts[0] == counts[40] == 0


@pytest.mark.parametrize("probability", [0.0, 0.1, 0.5, 1 - 2**-24, 1.0])
def test_the_choices_of_one_board_are_known_from_the_stream(probability):
    chances = chances_from(np.full(64, probability))
    choices = drawn_choices(chances, 1, Stream(8))[0]
    assert choices.tolist() == Stream(8).choices(probability)


@given(SEED, st.integers(1, 2**64 - 1))
@FEW
def test_the_choices_are_compared_with_the_streams_digit_by_digit(seed, boards):
    """A set is known from its stream alone: the first digit in which they differ decides."""
    rng = np.random.default_rng(seed)
    probabilities = rng.choice([0.0, 0.3, 0.5, rng.random(), 1.0], 64)
    chances = chances_from(probabilities)
    choices = drawn_choices(chances, boards, Stream(seed))[0]
    for n in (0, 1, 40, 63):
        stream = Stream(Stream(seed).branch(n))
        digits = bits_of(np.array([stream.next() for _ in range(24)], np.uint64)[:, np.newaxis])
        numbers = digits.T @ 2 ** np.arange(24)[::-1]
        wanted = np.minimum(probabilities * 2**24, 2**24 - 1).astype(np.int64)
        chosen = sum(1 << int(i) for i in np.flatnonzero(numbers < wanted))
        assert int(choices[n]) == chosen & boards


def test_a_clause_keeps_every_boards_probability():
    rng = np.random.default_rng(4)
    choices = words_of(rng.random((random_masks.CHOICES, 64)) < np.linspace(0, 1, 64)).ravel()
    share = bits_of(choices[:, np.newaxis]).mean(axis=0)
    n = 500 if JIT_DISABLED else 20_000
    chosen = np.zeros((2, n), np.uint64)
    random_masks.choose_samples(choices[np.newaxis], np.uint64(Stream(11).key()), 5, chosen)
    draws, found = chosen
    begins = [Stream(11).branch(5 + k) for k in range(n)]
    assert draws.tolist() == [begin >> 32 for begin in begins]
    for begin, samples in zip(begins[:50], found.tolist(), strict=False):
        one, other = int(choices[begin % 64]), int(choices[begin // 64 % 64])
        random = Stream(begin).next()
        assert samples == (one & random) | (other & ~random)
    assert within_five_sigma(bits_of(found[:, np.newaxis]).sum(axis=0), n, share)
    # Hardly two clauses meet the same boards.
    assert len(set(found.tolist())) > 0.95 * n


def test_boards_of_one_clause_are_chosen_apart_from_each_other():
    # Fresh sets each time: two boards then go together as often as by chance.
    n = 200 if JIT_DISABLED else 5_000
    chances = chances_from(np.full(64, 0.4))
    found = np.empty(n, np.uint64)
    for i in range(n):
        choices = drawn_choices(chances, 2**64 - 1, Stream(i))
        chosen = np.zeros((2, 1), np.uint64)
        random_masks.choose_samples(choices, np.uint64(Stream(i).key()), 7, chosen)
        found[i] = chosen[1, 0]
    bits = bits_of(found[:, np.newaxis])
    assert within_five_sigma(bits.sum(axis=0), n, np.full(64, 0.4))
    together = (bits.T @ bits)[np.triu_indices(64, 1)]
    assert within_five_sigma(together, n, np.full(together.size, 0.16))


# ------------------------------------------------------------------ the pool of forgets


def counts_in(pool: np.ndarray) -> np.ndarray:
    """How many forgets the pool has for each number of times: times × words × bits."""
    digits = np.arange(random_masks.COUNT_PLANES)[:, np.newaxis, np.newaxis]
    return (bits_of(pool[..., np.newaxis]) << digits).sum(axis=1)


def filled_pool(specificity: float, n_words: int, seed: int = 6) -> tuple[np.ndarray, int]:
    # Whatever was there before must not matter.
    shape = (random_masks.MOST_FORGETS, random_masks.COUNT_PLANES, n_words)
    pool = np.random.default_rng(0).integers(2**64, size=shape, dtype=np.uint64)
    streams = np.array([1, seed], np.uint64)
    random_masks.fill_pool(pool, 1.0 / specificity, streams, 1, len(pool))
    assert streams[0] == 1
    return pool, int(streams[1])


@pytest.mark.parametrize("specificity", [1.5, 2.0, 9.0, 100.0])
def test_the_pool_holds_binomial_numbers(specificity):
    n_words = 60 if JIT_DISABLED else random_masks.POOL_WORDS + LANES
    counts = counts_in(filled_pool(specificity, n_words)[0])
    chance = 1 / specificity
    steps = np.diff(counts, axis=0, prepend=0)
    # Each time adds one forget or none, each with the same chance ...
    assert set(np.unique(steps)) == {0, 1}
    n = 64 * n_words
    assert within_five_sigma(steps.sum(axis=(1, 2)), n, np.full(15, chance))
    # ... at each place of a word ...
    assert within_five_sigma(steps.sum(axis=(0, 1)), 15 * n_words, np.full(64, chance))
    # ... whatever came the times before: Binomial(times, 1/s) in mean and variance.
    for i in range(15):
        for j in range(i):
            both = (steps[i] & steps[j]).sum()
            assert within_five_sigma(both, n, np.array(chance**2))
    for times in range(1, 16):
        numbers = counts[times - 1]
        variance = times * chance * (1 - chance)
        assert abs(numbers.mean() - times * chance) < 5 * (variance / n) ** 0.5
        # The variance of a sample variance, from the fourth moment of the binomial; the last
        # term is for the sample's mean, which is not quite the true one.
        fourth = variance * (1 + 3 * (times - 2) * chance * (1 - chance))
        far = 5 * ((fourth - variance**2) / n) ** 0.5 + 25 * variance / n
        assert abs(numbers.var() - variance) < far


@pytest.mark.parametrize("specificity", [1.0, 1.5, 2.0, 64.0, 2.0**20, 1e9])
def test_the_pool_comes_from_a_stream_a_word(specificity):
    """A random number of twenty digits, the lowest first and all turned, tells of a forget."""
    pool, _ = filled_pool(specificity, 3, seed=6)
    counts = counts_in(pool)
    for word in range(3):
        stream = Stream(Stream(6).branch(word))
        total = np.zeros(64, int)
        for times in range(15):
            draws = [stream.next() for _ in range(random_masks.FORGET_DIGITS)]
            for bit in range(64):
                number = sum((~draw >> bit & 1) << digit for digit, draw in enumerate(draws))
                total[bit] += number < round(2**random_masks.FORGET_DIGITS / specificity)
            assert counts[times, word].tolist() == total.tolist()


def test_at_specificity_one_everything_is_forgotten_every_time():
    counts = counts_in(filled_pool(1.0, 8)[0])
    assert (counts == np.arange(1, 16)[:, np.newaxis, np.newaxis]).all()


def test_the_pool_goes_on_where_its_stream_was():
    first, stream = filled_pool(9.0, 2, seed=5)
    second, later = filled_pool(9.0, 2, seed=stream)
    again, _ = filled_pool(9.0, 2, seed=5)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, second)
    assert len({5, stream, later}) == 3


# ------------------------------------------------------------------ how many samples a block has


@given(
    scale=st.floats(0.5, 1e6),
    samples=st.floats(1, 1e6),
    commonest=st.floats(0, 1),
    epoch=st.integers(0, 100),
)
def test_automatic_blocks_are_powers_of_two_within_every_limit(scale, samples, commonest, epoch):
    size = auto_block_size(scale, samples, commonest, epoch)
    assert size in (1, 2, 4, 8, 16, 32, 64)
    assert size == 1 or size**2 <= scale
    assert size == 1 or 8 * size <= samples
    assert size == 1 or size * commonest <= 1 + 1e-9
    assert size <= (16 if epoch < 2 else 32 if epoch < 10 else 64)
    assert auto_block_size(4 * scale, 2 * samples, commonest / 2, epoch) >= size


@given(
    rows=st.lists(st.integers(0, 7), min_size=1, max_size=30),
    weights=st.none() | st.lists(st.integers(1, 9), min_size=30, max_size=30),
)
def test_the_share_of_the_commonest_sample(rows, weights):
    bits = np.array([[r & 1, r >> 1 & 1, r >> 2] for r in rows], np.uint8)
    each = None if weights is None else np.array(weights[: len(rows)], float)
    count = Counter()
    for k, row in enumerate(rows):
        count[row] += 1 if each is None else each[k]
    expected = max(count.values()) / sum(count.values())
    assert commonest_share(bits, each) == pytest.approx(expected)


def test_blocks_grow_with_the_epochs_and_shrink_with_the_threshold():
    X = np.random.default_rng(0).integers(2, size=(1200, 8), dtype=np.uint8)
    sizes = []
    for threshold in (5000, 20):
        machine = TsetlinMachineClassifier(4, threshold, epochs=1, random_state=0)
        machine.fit(X, X[:, 0]).history_ *= 10  # as after ten epochs
        sizes.append(machine._job(X, X[:, 0].astype(np.int64), None).block_size())
    assert sizes == [64, 4]
