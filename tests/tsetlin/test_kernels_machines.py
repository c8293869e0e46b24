"""The training kernels: whole machines beside the textbook's, board by board."""

import itertools

import numpy as np
import pytest

from clauseboard.tsetlin import kernels
from clauseboard.tsetlin.packing import View
from clauseboard.tsetlin.training import Banks
from naive import tsetlin as naive
from naive.streams import (
    MANY_PATCHES,
    MOST_PATCHES,
    WINDOWED,
    Draws,
    Stream,
    all_state_bits,
    chosen,
    random_boards,
    random_pool,
    states_of,
    view_of,
    with_and_without_boost,
    with_and_without_weights,
)

pytestmark = pytest.mark.usefixtures("words_may_wrap_round")


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
    max_misses: int = 0,
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
        max_misses=max_misses,
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
            view.pack_for_training(boards),
            view.n_patches,
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
            max_misses + 1,
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


@with_and_without_weights
@with_and_without_boost
@pytest.mark.parametrize("both_signs", [True, False])
@pytest.mark.parametrize("max_misses", [1, 5])
@pytest.mark.parametrize("view", [view_of(6), WINDOWED], ids=str)
def test_blocks_of_one_board_are_the_textbook_where_literals_may_fail(
    view, max_misses, both_signs, boost, weighted
):
    strict, _ = train_both_ways(
        view, both_signs=both_signs, weighted=weighted, boost=boost, threshold=15
    )
    fuzzy, machine = train_both_ways(
        view,
        both_signs=both_signs,
        weighted=weighted,
        boost=boost,
        threshold=15,
        max_misses=max_misses,
    )
    assert (machine.states[0] > naive.initial_state(8)).any()
    assert not np.array_equal(strict.automata, fuzzy.automata)


@pytest.mark.parametrize("max_misses", [0, 3])
@pytest.mark.parametrize("view", [MANY_PATCHES, MOST_PATCHES], ids=str)
def test_the_textbook_with_many_patches(view, max_misses):
    budget = 4 if max_misses else None
    train_both_ways(view, weighted=True, n_boards=20, max_misses=max_misses, budget=budget)


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
