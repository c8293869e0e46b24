"""The training kernels, held against the textbook's rules one by one, with the same draws.

A stream of random numbers is a counter, so whoever knows where it starts knows every draw. The
tests draw the same numbers again in Python's integers, look up which masks of forgets they
stand for, hand these to the textbook's rules, and want the same automata, bit for bit.
"""

import itertools
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.compiled import JIT_DISABLED
from clauseboard.lanes import LANES
from clauseboard.learners.tsetlin import kernels
from clauseboard.learners.tsetlin.packing import View
from clauseboard.learners.tsetlin.training import Banks
from naive import tsetlin as naive

FEW = settings(max_examples=8 if JIT_DISABLED else 50, deadline=None)
SEED = st.integers(0, 2**64 - 1)
STATE_BITS = [4, 8, 16]
N_FEATURES = [5, 130]
"""10 literals are mostly padding; 260 are two lanes of words and a little padding."""

either_size = pytest.mark.parametrize("n_features", N_FEATURES)
all_state_bits = pytest.mark.parametrize("state_bits", STATE_BITS)
with_and_without_boost = pytest.mark.parametrize("boost", [False, True])
with_and_without_weights = pytest.mark.parametrize("weighted", [False, True])


@pytest.fixture(autouse=True, scope="module")
def _words_may_wrap_round():
    """Without the compiler NumPy would warn of what is meant."""
    with np.errstate(over="ignore"):
        yield


# ------------------------------------------------------------------ the same draws once more


STEP = 0x9E3779B97F4A7C15


@dataclass
class Stream:
    """SplitMix64 in plain integers."""

    counter: int

    def next(self) -> int:
        mask = 2**64 - 1
        self.counter = (self.counter + STEP) & mask
        z = ((self.counter ^ (self.counter >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    def key(self) -> int:
        """The stream's present counter, mixed; it stays where it is."""
        return Stream(self.counter - STEP).next()

    def branch(self, number: int) -> int:
        """Where a numbered stream begins that branches off this one."""
        return Stream(self.key() + (number - 1) * STEP).next()

    def choices(self, probability: float) -> list[bool]:
        """Yes or no for each set of boards: the digits of random numbers against those of the
        probability."""
        most = 2**kernels.CHANCE_DIGITS
        chance = min(int(probability * most), most - 1)
        answers = []
        for n in range(kernels.CHOICES):
            stream, answer = Stream(self.branch(n)), False
            for digit in reversed(range(kernels.CHANCE_DIGITS)):
                ours, drawn = chance >> digit & 1, stream.next() & 1
                if ours != drawn:
                    answer = ours > drawn
                    break
            answers.append(answer)
        self.next()
        return answers


@dataclass
class Draws:
    """The draws of one clause in one block, and what the kernels make of them."""

    state: int

    def next(self) -> int:
        self.state = (self.state * 747796405 + 2891336453) % 2**32
        return self.state

    def pick(self, n: int) -> int:
        """One of n things met one after the other: the k-th is kept with probability 1/k."""
        kept = 0
        for k in range(1, n):
            if self.next() * (k + 1) < 2**32:
                kept = k
        return kept

    def forgets(self, pool: np.ndarray, times: int, n_literals: int) -> np.ndarray:
        """How often each literal is forgotten in `times` forgets, as the pool has it."""
        counts: list[int] = []
        while len(counts) < n_literals:
            draw = self.next() >> 19
            place, turn = draw % 256, draw >> 8
            planes = []
            for plane in pool[times - 1]:
                halves = plane[place : place + LANES].view(np.uint32).tolist()
                # Turned to the left, bit k is what was bit k - turn.
                planes.append([n >> (k - turn) % 32 & 1 for n in halves for k in range(32)])
            counts += [
                sum(digit << p for p, digit in enumerate(ds)) for ds in zip(*planes, strict=True)
            ]
        return np.array(counts[:n_literals])


def chosen(begin: int, choices: list[bool]) -> bool:
    """Does a clause whose stream begins there get feedback from the first board of the block?"""
    one, other = choices[begin % 64], choices[begin // 64 % 64]
    return one if Stream(begin).next() & 1 else other


def random_pool(seed: int, chance: float = 0.3) -> np.ndarray:
    """A pool of forgets that does not come from `fill_pool`."""
    shape = (kernels.MOST_FORGETS, 64 * (kernels.POOL_WORDS + LANES))
    drawn = np.random.default_rng(seed).random(shape) < chance
    counts = drawn.cumsum(axis=0)
    planes = [counts >> plane & 1 for plane in range(kernels.COUNT_PLANES)]
    return words_of(np.stack(planes, axis=1))


# ------------------------------------------------------------------ arrays of the kernels


def words_of(bits: np.ndarray) -> np.ndarray:
    """Bits of the last axis, lowest first, as words; their number is a multiple of 64."""
    return np.packbits(np.asarray(bits, np.uint8), axis=-1, bitorder="little").view(np.uint64)


def bits_of(words: np.ndarray) -> np.ndarray:
    packed = np.ascontiguousarray(words).view(np.uint8)
    return np.unpackbits(packed, axis=-1, bitorder="little").astype(np.int64)


def automata_of(states: np.ndarray, state_bits: int) -> np.ndarray:
    """States, clauses × literals, as bit planes; padding at the bottom."""
    n_clauses, n_literals = states.shape
    padded = np.zeros((n_clauses, -(-n_literals // (64 * LANES)) * 64 * LANES), np.int64)
    padded[:, :n_literals] = states
    return words_of(np.stack([padded >> plane & 1 for plane in range(state_bits)], axis=1))


def states_of(automata: np.ndarray, n_literals: int) -> np.ndarray:
    """The other way round; padding must still be at the bottom."""
    bits = bits_of(automata)
    states = (bits << np.arange(bits.shape[1])[:, np.newaxis]).sum(axis=1)
    assert not states[:, n_literals:].any()
    return states[:, :n_literals]


def random_states(rng: np.random.Generator, shape: tuple[int, ...], state_bits: int) -> np.ndarray:
    """States of which many are at an end or next to the border of the two actions."""
    middle, last = 2 ** (state_bits - 1), 2**state_bits - 1
    anywhere = rng.integers(last + 1, size=shape)
    special = rng.choice([0, 1, 2, 7, middle - 1, middle, middle + 1, last - 1, last], size=shape)
    return np.where(rng.random(shape) < 0.5, anywhere, special)


def sparse_states(rng: np.random.Generator, shape: tuple[int, ...], state_bits: int) -> np.ndarray:
    """States of clauses that include so few literals that they fire now and then."""
    middle = 2 ** (state_bits - 1)
    states = np.minimum(random_states(rng, shape, state_bits), middle - 1)
    return np.where(
        rng.random(shape) < 1.5 / shape[-1], middle + rng.integers(3, size=shape), states
    )


def random_boards(rng: np.random.Generator, view: View, n: int) -> np.ndarray:
    return rng.integers(2, size=(n, view.n_bits), dtype=np.uint8)


def seen_literals(view: View, board: np.ndarray) -> np.ndarray:
    """The textbook's literals of each patch."""
    if view.board_shape is None or view.window is None:
        return naive.literals_of(board[np.newaxis])
    return naive.literals_of(naive.patches(board, view.board_shape, view.window))


def view_of(n_features: int) -> View:
    return View.of(n_features, None, None)


WINDOWED = View.of(3 * 4 * 2, (3, 4, 2), (2, 2))


@dataclass
class Block:
    """Some boards as `load_block` lays them out, and as the textbook sees them."""

    rows: np.ndarray
    columns: np.ndarray
    seen: list[np.ndarray]
    boards: np.uint64

    @classmethod
    def of(cls, view: View, boards: np.ndarray) -> "Block":
        rows = np.zeros((64, view.n_patches, view.n_words), np.uint64)
        columns = np.zeros((view.n_patches, 64 * view.n_words), np.uint64)
        order = np.arange(len(boards))
        kernels.load_block(view.pack_literals(boards), order, 0, len(boards), rows, columns)
        seen = [seen_literals(view, board) for board in boards]
        return cls(rows, columns, seen, np.uint64(2 ** len(boards) - 1))


# ------------------------------------------------------------------ blocks and clauses


@pytest.mark.parametrize("view", [view_of(5), view_of(130), WINDOWED], ids=str)
@pytest.mark.parametrize(("first", "size"), [(0, 64), (3, 20), (69, 1)])
def test_a_block_is_its_boards_and_their_columns(view, first, size):
    rng = np.random.default_rng(first)
    rows = view.pack_literals(random_boards(rng, view, 30))
    order = rng.integers(30, size=70)
    block_rows = np.full((64, view.n_patches, view.n_words), 77, np.uint64)
    columns = np.full((view.n_patches, 64 * view.n_words), 77, np.uint64)
    kernels.load_block(rows, order, first, size, block_rows, columns)
    expected = rows[order[first : first + size]]
    assert np.array_equal(block_rows[:size], expected)
    turned = bits_of(columns[..., np.newaxis])
    assert np.array_equal(turned[..., :size], bits_of(expected).transpose(1, 2, 0))
    assert not turned[..., size:].any()


@pytest.mark.parametrize("view", [view_of(5), view_of(130), WINDOWED], ids=str)
@pytest.mark.parametrize("size", [1, 20, 64])
def test_evaluate_is_the_textbooks_clause_output(view, size):
    rng = np.random.default_rng(size)
    block = Block.of(view, random_boards(rng, view, size))
    states = sparse_states(rng, (12, 2 * view.n_features), 8)
    states[0] = 0
    automata = automata_of(states, 8)
    for clause, clause_states in enumerate(states):
        expected = sum(
            1 << i
            for i, seen in enumerate(block.seen)
            if any(naive.clause_output(clause_states, patch, False, 8) for patch in seen)
        )
        assert kernels.evaluate(automata, clause, block.columns, block.boards) == expected
        # Asked about some of the boards, it tells of these and no others.
        some = int(rng.integers(2**64, dtype=np.uint64)) & int(block.boards)
        fired = kernels.evaluate(automata, clause, block.columns, np.uint64(some))
        assert fired == expected & some


@pytest.mark.parametrize("size", [1, 7, 64])
def test_an_empty_clause_fires_on_every_board_while_training(size):
    block = Block.of(WINDOWED, random_boards(np.random.default_rng(0), WINDOWED, size))
    automata = automata_of(np.full((1, 2 * WINDOWED.n_features), 127), 8)
    assert kernels.evaluate(automata, 0, block.columns, block.boards) == 2**size - 1


def test_no_boards_no_fires():
    block = Block.of(view_of(5), np.zeros((1, 5), np.uint8))
    automata = automata_of(np.zeros((1, 10), np.int64), 8)
    assert kernels.evaluate(automata, 0, block.columns, np.uint64(0)) == 0


@pytest.mark.parametrize("weight", [1, -3, 2**31 - 1])
def test_votes_are_cast_where_a_clause_fired(weight):
    votes = np.arange(64)
    crowds = np.zeros(64, np.int64)
    kernels.cast_votes(votes, crowds, np.uint64(1 | 1 << 5 | 1 << 63), np.int32(weight))
    kernels.cast_votes(votes, crowds, np.uint64(1 << 5), np.int32(weight))
    expected = np.arange(64)
    expected[[0, 5, 63]] += weight
    expected[5] += weight
    assert votes.tolist() == expected.tolist()
    # Clauses that fire on a board, and boards on which these fire in all.
    assert (crowds // kernels.CROWD)[[0, 5, 63, 1]].tolist() == [1, 2, 1, 0]
    assert (crowds % kernels.CROWD)[[0, 5, 63, 1]].tolist() == [3, 4, 3, 0]


@either_size
def test_literals_are_counted(n_features):
    rng = np.random.default_rng(1)
    states = random_states(rng, (5, 2 * n_features), 8)
    automata = automata_of(states, 8)
    for clause, clause_states in enumerate(states):
        expected = int(naive.included(clause_states, 8).sum())
        assert kernels.count_literals(automata, clause) == expected


@pytest.mark.parametrize("size", [0, 1, 5, 63, 64])
def test_lowest_ones(size):
    assert kernels.lowest_ones(size) == 2**size - 1


# ------------------------------------------------------------------ one feedback


@given(SEED)
@FEW
def test_a_draw_is_a_place_in_the_pool_and_a_turn(seed):
    ours = Draws(seed % 2**32)
    draws, place, turn = kernels.draw_place(np.uint64(seed % 2**32))
    draw = ours.next()
    assert (int(draws), int(place), int(turn)) == (draw, (draw >> 19) % 256, draw >> 27)
    assert int(kernels.next_draw(draws)) == ours.next()


@either_size
@all_state_bits
@pytest.mark.parametrize("times", [1, 3, 15])
def test_forgetting_at_one_go_is_forgetting_time_after_time(n_features, state_bits, times):
    rng = np.random.default_rng(times)
    pool = random_pool(times)
    states = random_states(rng, (3, 2 * n_features), state_bits)
    # The last clause includes nothing that could be dropped.
    states[2] = np.minimum(states[2], 2 ** (state_bits - 1) - 1)
    automata = automata_of(states, state_bits)
    for clause in range(3):
        seed = int(rng.integers(2**32))
        ours = Draws(seed)
        counts = ours.forgets(pool, times, 2 * n_features)
        assert counts.max() <= times
        expected = states.copy()
        for time in range(times):
            expected[clause] = naive.type_one_silent(expected[clause], counts > time)
        lost = naive.included(states, state_bits) & ~naive.included(expected, state_bits)
        arguments = (automata, clause, times, pool, np.uint64(seed))
        assert bool(kernels.times_until_drop(*arguments)[1]) == lost.any()
        assert np.array_equal(states_of(automata, 2 * n_features), states)
        draws = kernels.forget(*arguments)
        assert np.array_equal(states_of(automata, 2 * n_features), expected)
        assert int(draws) == ours.state
        states = expected
    assert not lost.any()


@either_size
@all_state_bits
@pytest.mark.parametrize("times", [1, 4, 15])
def test_forgetting_stops_where_a_literal_is_dropped(n_features, state_bits, times):
    rng = np.random.default_rng(times)
    pool = random_pool(times, chance=0.1)
    ends = set()
    for _ in range(25 if JIT_DISABLED else 60):
        lone = lone_clause(rng, view_of(n_features), state_bits=state_bits, pool=pool)
        lone.states = sparse_states(rng, (1, 2 * n_features), state_bits)[0]
        automata = automata_of(lone.states[np.newaxis], state_bits)
        draws, done, dropped = kernels.forget_until_drop(
            automata, 0, times, pool, np.uint64(lone.draws.state)
        )
        assert lone.forget_until_drop(times) == (done, dropped)
        assert np.array_equal(states_of(automata, 2 * n_features)[0], lone.states)
        assert int(draws) == lone.draws.state
        ends.add((done < times, bool(dropped)))
    assert (False, False) in ends
    assert {dropped for _, dropped in ends} == {False, True}


@either_size
@pytest.mark.parametrize("clause_states", ["bottom", "just included", "top"])
def test_forgetting_everything_fifteen_times(n_features, clause_states):
    start = {"bottom": 3, "just included": 130, "top": 255}[clause_states]
    automata = automata_of(np.full((1, 2 * n_features), start), 8)
    pool = np.full((15, 4, kernels.POOL_WORDS + LANES), ~np.uint64(0))
    _, dropped = kernels.times_until_drop(automata, 0, 15, pool, np.uint64(5))
    assert bool(dropped) == (clause_states == "just included")
    kernels.forget(automata, 0, 15, pool, np.uint64(5))
    assert (states_of(automata, 2 * n_features) == max(start - 15, 0)).all()


@either_size
@all_state_bits
@with_and_without_boost
@pytest.mark.parametrize("kind", ["I", "II"])
def test_the_response_of_a_clause_that_fired(n_features, state_bits, boost, kind):
    rng = np.random.default_rng(state_bits)
    view, pool = view_of(n_features), random_pool(2)
    block = Block.of(view, random_boards(rng, view, 4))
    literals = view.real_literals()[np.newaxis, np.newaxis]
    states = random_states(rng, (2, 2 * n_features), state_bits)
    automata = automata_of(states, state_bits)
    for board, seen in enumerate(block.seen):
        seed = int(rng.integers(2**32))
        ours = Draws(seed)
        mask = ours.forgets(pool, 1, 2 * n_features)
        if kind == "I":
            states[1] = naive.type_one(states[1], seen[0], 1, mask, boost, state_bits)
        else:
            states[1] = naive.type_two(states[1], seen[0], state_bits)
        draws = kernels.respond(
            automata,
            1,
            block.rows,
            board,
            0,
            np.uint64(kind == "I"),
            boost,
            literals,
            pool,
            np.uint64(seed),
        )
        assert np.array_equal(states_of(automata, 2 * n_features), states)
        assert int(draws) == ours.state


FORGET = st.tuples(st.just("forget"), st.integers(1, 15))
TYPE_ONE = st.tuples(st.just("I"), st.integers(0, 3), st.booleans())
TYPE_TWO = st.tuples(st.just("II"), st.integers(0, 3))


@FEW
@given(
    SEED,
    st.sampled_from(N_FEATURES),
    st.sampled_from(STATE_BITS),
    st.lists(st.one_of(FORGET, TYPE_ONE, TYPE_TWO), min_size=1, max_size=12),
)
def test_any_feedback_in_any_order_is_the_textbooks(seed, n_features, state_bits, steps):
    rng = np.random.default_rng(seed)
    view, pool = view_of(n_features), random_pool(3, 0.5)
    block = Block.of(view, random_boards(rng, view, 4))
    literals = view.real_literals()[np.newaxis, np.newaxis]
    states = random_states(rng, (1, 2 * n_features), state_bits)
    automata = automata_of(states, state_bits)
    ours, draws, (states,) = Draws(seed), np.uint64(seed), states
    for kind, number, *boost in steps:
        times = number if kind == "forget" else 1
        counts = ours.forgets(pool, times, 2 * n_features)
        if kind == "forget":
            for time in range(times):
                states = naive.type_one_silent(states, counts > time)
            draws = kernels.forget(automata, 0, times, pool, draws)
        else:
            seen = block.seen[number][0]
            if kind == "I":
                states = naive.type_one(states, seen, 1, counts, boost[0], state_bits)
            else:
                states = naive.type_two(states, seen, state_bits)
            draws = kernels.respond(
                automata,
                0,
                block.rows,
                number,
                0,
                np.uint64(kind == "I"),
                kind == "I" and boost[0],
                literals,
                pool,
                draws,
            )
        draws = np.uint64(draws)
        assert np.array_equal(states_of(automata, 2 * n_features)[0], states)
    assert int(draws) == ours.state


# ------------------------------------------------------------------ which patch


def patch_board(firing: list[int], n_patches: int = 7) -> tuple[np.ndarray, np.ndarray]:
    """A clause that needs bit 0, and rows of patches of which some have it."""
    rows = np.zeros((1, n_patches, LANES), np.uint64)
    rows[0, firing, 0] = 1
    return automata_of(np.array([[255, 0]]), 8), rows


def test_no_patch_fires():
    automata, rows = patch_board([])
    assert kernels.firing_patch(automata, 0, rows, 0, np.uint64(9)) == (9, -1)


@pytest.mark.parametrize("patch", [0, 3, 6])
def test_the_only_patch_that_fires_is_taken_without_a_draw(patch):
    automata, rows = patch_board([patch])
    assert kernels.firing_patch(automata, 0, rows, 0, np.uint64(9)) == (9, patch)


@pytest.mark.parametrize("firing", [[1, 4], [0, 2, 3, 6], [0, 1, 2, 3, 4, 5, 6]])
def test_the_firing_patches_are_taken_equally_often(firing):
    automata, rows = patch_board(firing)
    n, draws, taken = 400 if JIT_DISABLED else 20_000, np.uint64(17), []
    ours = Draws(17)
    for _ in range(n):
        draws, patch = kernels.firing_patch(automata, 0, rows, 0, draws)
        draws = np.uint64(draws)
        taken.append(int(patch))
    assert taken[:50] == [firing[ours.pick(len(firing))] for _ in range(50)]
    share = 1 / len(firing)
    counts = np.bincount(taken, minlength=7)
    assert not np.delete(counts, firing).any()
    assert (abs(counts[firing] - n * share) < 5 * (n * share * (1 - share)) ** 0.5).all()


# ------------------------------------------------------------------ who gets feedback


def probabilities_of(chances: np.ndarray) -> np.ndarray:
    """The probabilities of 64 boards whose binary digits these are."""
    return (bits_of(chances[:, np.newaxis]).T * 0.5 ** np.arange(1, len(chances) + 1)).sum(axis=1)


ALONE = np.full(64, 10**6 * (kernels.CROWD + 1))
"""A million clauses fire on every board, but none of them on another: nothing is taken down."""


@pytest.mark.parametrize(
    ("firing", "together", "expected"),
    [(5, 10, 0.5), (5, 20, 0.25), (5, 40, 0.125), (30, 40, 0.375), (30, 30, 0.5)],
)
def test_boards_much_alike_do_not_overshoot(firing, together, expected):
    """Goal 10, no votes yet: probability 1/2, with a halfway of 10."""
    crowds = np.full(64, kernels.CROWD * firing + together)
    chances = np.zeros(kernels.CHANCE_DIGITS, np.uint64)
    kernels.chances_of_block(
        np.zeros(64, np.int64), crowds, np.full(64, 10.0), 0, 64, -10.0, 10.0, chances
    )
    assert probabilities_of(chances) == pytest.approx(np.full(64, expected), abs=2**-23)


@pytest.mark.parametrize("threshold", [1, 10, 37, 40_000])
def test_the_chance_of_feedback_of_a_classifier(threshold):
    rng = np.random.default_rng(threshold)
    votes = rng.integers(-2 * threshold, 2 * threshold + 1, 64)
    votes[:6] = [-threshold, threshold, 0, -3 * threshold, 3 * threshold, 1 - threshold]
    targets = rng.integers(2, size=70)
    goals = np.where(targets == 1, threshold, -threshold).astype(float)
    chances = np.full(kernels.CHANCE_DIGITS, 7, np.uint64)
    upward = kernels.chances_of_block(
        votes, ALONE, goals, 3, 60, -threshold, float(threshold), chances
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
    chances = np.zeros(kernels.CHANCE_DIGITS, np.uint64)
    upward = kernels.chances_of_block(votes, ALONE, goals, 0, 64, 0.0, float(threshold), chances)
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


def fill_choices(chances: np.ndarray, boards: int, choices: np.ndarray, stream: Stream) -> None:
    for n in range(kernels.CHOICES):
        begin = np.uint64(stream.branch(n))
        choices[n] = kernels.draw_choice(chances, np.uint64(boards), begin)


@given(SEED, st.integers(0, 100_000))
@FEW
def test_streams_branch_off_by_number(seed, number):
    key = np.uint64(Stream(seed).key())
    assert int(kernels.branch(key, number)) == Stream(seed).branch(number)


def test_branches_of_streams_that_follow_each_other_are_all_different():
    begins = {Stream(7 + k * STEP).branch(n) for k in range(20) for n in range(500)}
    assert len(begins) == 20 * 500


def test_boards_are_chosen_with_their_own_probabilities():
    probabilities = np.linspace(0, 1, 64)
    chances = chances_from(probabilities)
    boards = np.uint64(2**64 - 1 - 2**40)
    rounds = 10 if JIT_DISABLED else 400
    choices = np.empty(64, np.uint64)
    counts = np.zeros(64, np.int64)
    for k in range(rounds):
        fill_choices(chances, boards, choices, Stream(3 + k))
        counts += bits_of(choices[:, np.newaxis]).sum(axis=0)
    probabilities[40] = 0
    assert within_five_sigma(counts, 64 * rounds, probabilities)
    assert counts[0] == counts[40] == 0


@pytest.mark.parametrize("probability", [0.0, 0.1, 0.5, 1 - 2**-24, 1.0])
def test_the_choices_of_one_board_are_known_from_the_stream(probability):
    chances = chances_from(np.full(64, probability))
    choices = np.empty(kernels.CHOICES, np.uint64)
    fill_choices(chances, 1, choices, Stream(8))
    assert choices.tolist() == Stream(8).choices(probability)


def test_a_clause_keeps_every_boards_probability():
    rng = np.random.default_rng(4)
    choices = words_of(rng.random((kernels.CHOICES, 64)) < np.linspace(0, 1, 64)).ravel()
    share = bits_of(choices[:, np.newaxis]).mean(axis=0)
    n = 500 if JIT_DISABLED else 20_000
    found = np.empty(n, np.uint64)
    for i in range(n):
        begin = Stream(11).branch(i)
        draws, found[i] = kernels.choose_boards(choices, np.uint64(begin))
        assert int(draws) == begin >> 32
    assert within_five_sigma(bits_of(found[:, np.newaxis]).sum(axis=0), n, share)
    # Hardly two clauses meet the same boards.
    assert len(set(found.tolist())) > 0.95 * n


def test_boards_of_one_clause_are_chosen_apart_from_each_other():
    # Fresh sets each time: two boards then go together as often as by chance.
    n = 200 if JIT_DISABLED else 5_000
    chances = chances_from(np.full(64, 0.4))
    choices = np.empty(kernels.CHOICES, np.uint64)
    found = np.empty(n, np.uint64)
    for i in range(n):
        fill_choices(chances, 2**64 - 1, choices, Stream(i))
        _, found[i] = kernels.choose_boards(choices, np.uint64(Stream(i).branch(7)))
    bits = bits_of(found[:, np.newaxis])
    assert within_five_sigma(bits.sum(axis=0), n, np.full(64, 0.4))
    together = (bits.T @ bits)[np.triu_indices(64, 1)]
    assert within_five_sigma(together, n, np.full(together.size, 0.16))


# ------------------------------------------------------------------ the pool of forgets


def counts_in(pool: np.ndarray) -> np.ndarray:
    """How many forgets the pool has for each number of times: times × words × bits."""
    digits = np.arange(kernels.COUNT_PLANES)[:, np.newaxis, np.newaxis]
    return (bits_of(pool[..., np.newaxis]) << digits).sum(axis=1)


def filled_pool(specificity: float, n_words: int, seed: int = 6) -> tuple[np.ndarray, int]:
    # Whatever was there before must not matter.
    shape = (kernels.MOST_FORGETS, kernels.COUNT_PLANES, n_words)
    pool = np.random.default_rng(0).integers(2**64, size=shape, dtype=np.uint64)
    streams = np.array([1, seed], np.uint64)
    kernels.fill_pool(pool, 1.0 / specificity, streams, 1)
    assert streams[0] == 1
    return pool, int(streams[1])


@pytest.mark.parametrize("specificity", [1.5, 2.0, 9.0, 100.0])
def test_the_pool_holds_binomial_numbers(specificity):
    n_words = 60 if JIT_DISABLED else kernels.POOL_WORDS + LANES
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


# ------------------------------------------------------------------ the feedback of a block


@dataclass
class Lone:
    """One clause in the textbook's terms, with the rules it is trained by."""

    states: np.ndarray
    weight: int
    state_bits: int
    boost: bool
    weighted: bool
    budget: int | None
    pool: np.ndarray
    draws: Draws

    def firing(self, seen: np.ndarray) -> list[int]:
        return naive.firing_patches(self.states, seen, False, self.state_bits)

    def forget(self, times: int) -> None:
        """Forget `times` times."""
        counts = self.draws.forgets(self.pool, times, self.states.size)
        for time in range(times):
            self.states = naive.type_one_silent(self.states, counts > time)

    def forget_until_drop(self, times: int) -> tuple[int, bool]:
        """Forget time after time, up to the first that drops an included literal."""
        included = naive.included(self.states, self.state_bits)
        begin, before = self.draws.state, np.zeros(self.states.size, int)
        for time in range(1, times + 1):
            # The numbers of all times are read at one place of the pool.
            self.draws.state = begin
            counts = self.draws.forgets(self.pool, time, self.states.size)
            self.states = naive.type_one_silent(self.states, counts > before)
            before = counts
            if (included & ~naive.included(self.states, self.state_bits)).any():
                return time, True
        return times, False

    def respond(self, kind: int, literals: np.ndarray) -> None:
        mask = self.draws.forgets(self.pool, 1, self.states.size)
        if kind == 1:
            self.states = naive.type_one(
                self.states, literals, 1, mask, self.boost, self.state_bits
            )
        else:
            self.states = naive.type_two(self.states, literals, self.state_bits)
        if self.weighted:
            changed = naive.weight_after_type_one if kind == 1 else naive.weight_after_type_two
            self.weight = changed(self.weight, 1)

    def take_block(self, kinds: list[int], fired: list[bool], seen: list[np.ndarray]) -> None:
        """The feedback of a block, board after board; kinds are 0 (none), 1 and 2.

        First the boards on which the clause is silent. Where an included literal is dropped, the
        boards that follow are looked at again. Then the boards on which the clause fires; where
        it no longer does, it forgets in the end.
        """
        silent = [b for b, kind in enumerate(kinds) if kind == 1 and not fired[b]]
        asleep = [b for b, kind in enumerate(kinds) if kind == 2 and not fired[b]]
        events = {b for b, kind in enumerate(kinds) if kind and fired[b]}
        while silent:
            done, dropped = self.forget_until_drop(min(len(silent), 15))
            last = silent[done - 1]
            silent = silent[done:]
            if dropped:
                asleep = [b for b in asleep if b > last]
                events |= {b for b in silent + asleep if self.firing(seen[b])}
                silent = [b for b in silent if b not in events]
                asleep = [b for b in asleep if b not in events]
        owed = 0
        for board in sorted(events):
            firing = self.firing(seen[board])
            patch = self.draws.pick(len(firing)) if firing else -1
            short = naive.within_budget(self.states, self.budget, self.state_bits)
            if firing and (short or kinds[board] == 2):
                self.respond(kinds[board], seen[board][firing[patch]])
            elif kinds[board] == 1:
                owed += 1
        for times in [15] * (owed // 15) + [owed % 15] * (owed % 15 > 0):
            self.forget(times)


def check_feedback(lone: Lone, view: View, boards: np.ndarray, kinds: list[int]) -> None:
    """Give the clause the feedback of a block, both ways."""
    block = Block.of(view, boards)
    automata = automata_of(lone.states[np.newaxis], lone.state_bits)
    weights = np.array([lone.weight], np.int32)
    fired = [bool(lone.firing(seen)) for seen in block.seen]
    draws = kernels.feed_back(
        automata,
        weights,
        0,
        kernels_word(fired),
        kernels_word([kind == 1 for kind in kinds]),
        kernels_word([kind == 2 for kind in kinds]),
        block.rows,
        block.columns,
        view.real_literals()[np.newaxis, np.newaxis],
        lone.pool,
        lone.boost,
        lone.weighted,
        -1 if lone.budget is None else lone.budget,
        np.uint64(lone.draws.state),
    )
    lone.take_block(kinds, fired, block.seen)
    assert np.array_equal(states_of(automata, lone.states.size)[0], lone.states)
    assert weights.tolist() == [lone.weight]
    assert int(draws) == lone.draws.state


def kernels_word(answers: list[bool]) -> np.uint64:
    return np.uint64(sum(1 << i for i, answer in enumerate(answers) if answer))


def lone_clause(rng: np.random.Generator, view: View, **changes) -> Lone:
    plain = {
        "states": sparse_states(rng, (1, 2 * view.n_features), 8)[0],
        "weight": int(rng.integers(1, 4)),
        "state_bits": 8,
        "boost": False,
        "weighted": True,
        "budget": None,
        "pool": random_pool(4),
        "draws": Draws(int(rng.integers(2**32))),
    }
    return Lone(**(plain | changes))


@with_and_without_boost
@with_and_without_weights
@pytest.mark.parametrize("budget", [None, 1])
@pytest.mark.parametrize("view", [view_of(5), WINDOWED], ids=str)
@pytest.mark.parametrize("kind", [1, 2])
def test_feedback_from_one_board(boost, weighted, budget, view, kind):
    rng = np.random.default_rng(kind)
    lone = lone_clause(rng, view, boost=boost, weighted=weighted, budget=budget)
    changes = set()
    for _ in range(10 if JIT_DISABLED else 40):
        before = lone.weight
        board = random_boards(rng, view, 1)
        fires = bool(lone.firing(seen_literals(view, board[0])))
        check_feedback(lone, view, board, [kind])
        changes.add((fires, lone.weight - before))
        lone.states = sparse_states(rng, (1, 2 * view.n_features), 8)[0]
    # Nothing is learned of weights from a board on which the clause is silent.
    assert {change for fires, change in changes if not fires} <= {0}
    assert {change for fires, change in changes if fires} <= ({0, 1} if kind == 1 else {0, -1})
    assert lone.weight >= 1
    assert weighted or all(change == 0 for _, change in changes)


def test_weights_go_up_by_one_and_down_to_one():
    view = view_of(5)
    board, rng = np.ones((1, 5), np.uint8), np.random.default_rng(0)
    lone = lone_clause(rng, view, states=np.zeros(10, np.int64), weight=1)
    weights = []
    for kind in [1, 1, 2, 2, 2, 2, 1]:
        lone.states = np.zeros(10, np.int64)
        check_feedback(lone, view, board, [kind])
        weights.append(lone.weight)
    assert weights == [2, 3, 2, 1, 1, 1, 2]


@pytest.mark.parametrize("n_literals", [1, 2, 3])
def test_a_clause_over_its_budget_only_forgets(n_literals):
    view, board = view_of(5), np.ones((1, 5), np.uint8)
    states = np.full(10, 100)
    states[:n_literals] = 140
    lone = lone_clause(np.random.default_rng(0), view, states=states, weight=2, budget=2)
    check_feedback(lone, view, board, [1])
    grew = n_literals <= 2
    assert lone.weight == 2 + grew
    assert (lone.states > states).any() == grew


@pytest.mark.parametrize("kinds", [[0] * 64, [2] * 64])
def test_no_feedback_and_type_two_to_a_silent_clause_cost_nothing(kinds):
    view = view_of(5)
    states = np.full(10, 255)
    draws = Draws(12)
    lone = lone_clause(np.random.default_rng(0), view, states=states, draws=draws, weight=3)
    check_feedback(lone, view, random_boards(np.random.default_rng(1), view, 64), kinds)
    assert (lone.states == 255).all()
    assert (lone.weight, draws.state) == (3, 12)


def test_a_clause_silent_on_64_boards_forgets_64_times():
    view = view_of(130)
    states = np.full(260, 255)
    everything = np.zeros((15, 4, kernels.POOL_WORDS + LANES), np.uint64)
    for times in range(1, 16):
        for plane in range(4):
            everything[times - 1, plane] = np.uint64(2**64 - 1 if times >> plane & 1 else 0)
    lone = lone_clause(np.random.default_rng(0), view, states=states, pool=everything)
    check_feedback(lone, view, random_boards(np.random.default_rng(1), view, 64), [1] * 64)
    assert (lone.states == 255 - 64).all()


@FEW
@given(
    seed=SEED,
    view=st.sampled_from([view_of(5), view_of(130), WINDOWED]),
    state_bits=st.sampled_from(STATE_BITS),
    size=st.integers(1, 64),
    boost=st.booleans(),
    weighted=st.booleans(),
    budget=st.sampled_from([None, 1, 3]),
)
def test_feedback_from_a_block(seed, view, state_bits, size, boost, weighted, budget):
    rng = np.random.default_rng(seed)
    lone = lone_clause(
        rng,
        view,
        states=sparse_states(rng, (1, 2 * view.n_features), state_bits)[0],
        state_bits=state_bits,
        boost=boost,
        weighted=weighted,
        budget=budget,
    )
    for _ in range(3):
        check_feedback(
            lone, view, random_boards(rng, view, size), rng.integers(3, size=size).tolist()
        )


# ------------------------------------------------------------------ whole machines, board by board


class StreamedDraws:
    """The textbook machine's draws, taken from the streams of the kernels."""

    def __init__(self, counter: int, pool: np.ndarray, n_clauses: int) -> None:
        self.bank = Stream(counter)
        self.pool, self.n_clauses = pool, n_clauses
        self.clause = -1
        self.choices: list[bool] = []

    def feedback(self, probability: float) -> bool:
        self.clause = (self.clause + 1) % self.n_clauses
        if self.clause == 0:
            if self.choices:
                self.bank.next()
            self.choices = self.bank.choices(probability)
        begin = self.bank.branch(self.clause)
        self.draws = Draws(begin >> 32)
        return chosen(begin, self.choices)

    def bernoulli_literals(self, n: int, probability: float) -> np.ndarray:
        return self.draws.forgets(self.pool, 1, n).astype(bool)

    def pick(self, n: int) -> int:
        return self.draws.pick(n)

    def counter(self) -> int:
        """Of the bank, after the last block."""
        self.bank.next()
        return self.bank.counter


class InStep:
    """Makes a textbook machine take the draws of the kernels that it has no use for itself."""

    heaviest = 1

    def _feedback(self, team, clause, first_type, seen, firing):
        draws, states = self.draws, self.states[team, clause]
        within = naive.within_budget(states, self.max_literals, self.state_bits)
        if first_type and firing and not within:
            draws.pick(len(firing))
        super()._feedback(team, clause, first_type, seen, firing)
        self.heaviest = max(self.heaviest, self.weights[team, clause])
        if not first_type and firing:
            draws.bernoulli_literals(states.size, 0)


class Classifier(InStep, naive.NaiveTsetlinMachine):
    def learn(self, board: np.ndarray, goal: float) -> None:
        self._update_class(0, self.patch_literals(board), int(goal > 0))


class Regressor(InStep, naive.NaiveTsetlinRegressor):
    def learn(self, board: np.ndarray, goal: float) -> None:
        self.update(board, goal)


def train_both_ways(
    view: View,
    *,
    both_signs: bool = True,
    n_clauses: int = 6,
    n_boards: int = 40,
    threshold: int = 5,
    state_bits: int = 8,
    weighted: bool = False,
    boost: bool = False,
    budget: int | None = None,
    calls: int = 1,
) -> tuple[Banks, Classifier | Regressor]:
    """Train one bank in blocks of one board, and the textbook machine with the same draws."""
    rng = np.random.default_rng(n_clauses)
    boards = random_boards(rng, view, n_boards // 2)
    order = rng.integers(len(boards), size=n_boards)
    if both_signs:
        goals = np.where(boards[order, 0] ^ boards[order, 1], threshold, -threshold).astype(float)
    else:
        goals = threshold * (boards[order, 0] + 2.0 * boards[order, 1]) / 3
    pool = random_pool(7, 0.25)
    banks = Banks.fresh(view, 1, n_clauses, state_bits, seed=1)
    draws = StreamedDraws(int(banks.streams[0]), pool, n_clauses)
    kind = Classifier if both_signs else Regressor
    machine = kind(
        **({"n_classes": 2} if both_signs else {"y_min": 0.0, "y_max": float(threshold)}),
        n_clauses=n_clauses,
        threshold=threshold,
        specificity=4.0,
        n_features=view.n_bits,
        draws=draws,
        weighted=weighted,
        boost_true_positive=boost,
        state_bits=state_bits,
        max_literals=budget,
        board_shape=view.board_shape,
        window=view.window,
    )
    cuts = np.linspace(0, n_boards, calls + 1).astype(int).tolist()
    for first, end in itertools.pairwise(cuts):
        kernels.train_blocks(
            banks.automata[0],
            banks.weights[0],
            np.zeros(n_clauses, np.uint64),
            banks.streams,
            0,
            view.pack_literals(boards),
            order,
            goals,
            1,
            first,
            end,
            view.real_literals()[np.newaxis, np.newaxis],
            pool,
            float(-threshold if both_signs else 0),
            float(threshold),
            both_signs,
            boost,
            weighted,
            -1 if budget is None else budget,
            0,
            n_clauses,
            0,
            np.zeros((2, 1, 2, 64), np.int64),
            np.zeros(8, np.int64),
        )
    for board, goal in zip(boards[order], goals, strict=True):
        machine.learn(board, goal)
    assert np.array_equal(states_of(banks.automata[0], 2 * view.n_features), machine.states[0])
    assert banks.weights[0].tolist() == machine.weights[0].tolist()
    assert int(banks.streams[0]) == draws.counter()
    return banks, machine


@with_and_without_weights
@with_and_without_boost
@pytest.mark.parametrize("budget", [None, 2])
@pytest.mark.parametrize("view", [view_of(6), WINDOWED], ids=str)
@pytest.mark.parametrize("both_signs", [True, False])
def test_blocks_of_one_board_are_the_textbook(both_signs, view, weighted, boost, budget):
    _, machine = train_both_ways(
        view, both_signs=both_signs, weighted=weighted, boost=boost, budget=budget
    )
    # Something was learned, so that the test says something.
    start = naive.initial_state(8)
    assert (machine.states[0] > start).any()
    assert (machine.states[0] < start - 2).any()
    assert (machine.heaviest > 1) == weighted


@pytest.mark.parametrize("state_bits", [4, 12])
def test_the_textbook_with_other_state_bits(state_bits):
    train_both_ways(view_of(6), state_bits=state_bits, weighted=True)


def test_the_textbook_with_more_clauses():
    train_both_ways(view_of(6), n_clauses=37, n_boards=20, threshold=15)


def test_the_textbook_with_more_words_than_one_lanes():
    train_both_ways(view_of(130), n_boards=30, boost=True)


def test_several_calls_go_on_where_the_last_one_was():
    once, _ = train_both_ways(view_of(6), weighted=True)
    thrice, _ = train_both_ways(view_of(6), weighted=True, calls=3)
    assert np.array_equal(once.automata, thrice.automata)


@all_state_bits
@pytest.mark.parametrize("view", [view_of(6), view_of(130), WINDOWED], ids=str)
def test_fresh_banks_are_fresh_textbook_machines(view, state_bits):
    banks = Banks.fresh(view, 2, 3, state_bits, seed=0)
    for automata in banks.automata:
        states = states_of(automata, 2 * view.n_features)
        assert (states == naive.initial_state(state_bits)).all()
    assert (banks.weights == 1).all()
    assert len(set(banks.streams.ravel().tolist())) == banks.streams.size
