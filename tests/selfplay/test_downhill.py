"""Weights found downhill: against Newton's, against scikit-learn's, and on moves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from clauseboard.selfplay import downhill, weighing
from clauseboard.selfplay.weighing import UNIT, fires, move_machine_of, single_literals


def some_boards(n=400, n_bits=6, seed=0):
    return np.random.default_rng(seed).integers(2, size=(n, n_bits)).astype(np.uint8)


def some_clauses(n, n_bits, seed=0):
    found = np.random.default_rng(seed).random((n, 2 * n_bits)) < 0.3
    return np.unique(found[found.any(axis=1)], axis=0)


@given(seed=st.integers(0, 1000), n=st.integers(0, 9))
@settings(max_examples=25)
def test_the_table_is_which_clauses_fire(seed, n):
    boards, clauses = some_boards(n, 5, seed), some_clauses(12, 5, seed)
    assert np.array_equal(downhill.firing(boards, clauses).toarray(), fires(boards, clauses))


def test_many_boards_are_looked_at_in_parts(monkeypatch):
    boards, clauses = some_boards(50), some_clauses(9, 6)
    whole = downhill.firing(boards, clauses).toarray()
    monkeypatch.setattr(downhill, "ROWS", 7)
    assert np.array_equal(downhill.firing(boards, clauses).toarray(), whole)


@pytest.mark.parametrize("penalty", [0.5, 5.0, 50.0])
def test_weights_are_those_of_logistic_regression(penalty):
    boards = some_boards()
    chance = 1 / (1 + np.exp(-(2.0 * boards[:, 0] - 1.5 * boards[:, 1] * boards[:, 2])))
    won = np.random.default_rng(1).random(len(boards)) < chance
    clauses = some_clauses(20, 6)
    table = downhill.firing(boards, clauses)
    found = downhill.value_weights(table, won.astype(float), penalty, np.zeros(len(clauses)))
    judge = LogisticRegression(C=1 / penalty, fit_intercept=False, tol=1e-10, max_iter=1000)
    wanted = judge.fit(fires(boards, clauses), won).coef_[0]
    assert np.abs(found - wanted).max() < 0.02


@pytest.mark.parametrize("most", [12, 14, 40])
def test_what_is_kept_is_what_newton_keeps(most):
    boards = some_boards(2000)
    values = np.where(boards[:, 0] & boards[:, 1], 0.9, -0.9)
    pair = np.zeros((1, 12), bool)
    pair[0, :2] = True
    clauses = np.unique(np.concatenate([single_literals(6), pair, some_clauses(15, 6)]), axis=0)
    kept, weights = downhill.weigh(boards, values, clauses, most=most)
    assert len(kept) == len(weights) <= most
    assert (weights != 0).all()
    assert (kept == pair[0]).all(axis=1).any() == (most > 12)
    other = weighing.weigh(boards, values, clauses, most=most)
    lacks = [weighing.lack(boards, values, *found) for found in ((kept, weights), other)]
    assert lacks[0] == pytest.approx(lacks[1], abs=0.01)


def test_some_boards_are_enough_to_choose_clauses(monkeypatch):
    boards = some_boards(3000)
    values = np.where(boards[:, 0] & boards[:, 1], 0.9, -0.9)
    clauses = np.concatenate([single_literals(6), some_clauses(30, 6)])
    monkeypatch.setattr(downhill, "ENOUGH", 200)
    kept, weights = downhill.weigh(boards, values, clauses, most=30)
    # What is kept is weighed by all boards.
    chances = (1 + values) / 2
    table = downhill.firing(boards, kept)
    again = downhill.value_weights(table, chances, 1.0, np.zeros(len(kept)))
    assert np.abs(again * UNIT - weights).max() <= 8


def test_a_good_beginning_ends_at_the_same_place():
    boards, clauses = some_boards(), some_clauses(20, 6)
    chances = np.random.default_rng(2).random(len(boards))
    table = downhill.firing(boards, clauses)
    far = np.random.default_rng(3).normal(size=len(clauses))
    ends = [downhill.value_weights(table, chances, 2.0, b) for b in (np.zeros_like(far), far)]
    assert np.abs(ends[0] - ends[1]).max() < 0.02


def slow_slope(boards, clauses, codes, good, weights):
    """The loss of moves, board by board."""
    loss = 0.0
    for board, row in zip(boards, good, strict=True):
        sums = np.zeros(good.shape[1])
        for clause, code, weight in zip(clauses, codes, weights, strict=True):
            sums[code] += weight * fires(board[None], clause[None])[0, 0]
        shares = np.exp(sums) / np.exp(sums).sum()
        loss -= np.log(shares[row].sum())
    return loss


def test_weights_of_moves_cannot_be_bettered_by_a_small_step():
    boards = some_boards(60, 4)
    draws = np.random.default_rng(5)
    good = draws.random((60, 3)) < 0.4
    good[np.arange(60), draws.integers(3, size=60)] = True
    clauses = np.concatenate([single_literals(4)[:4]] * 3)
    codes = np.repeat(np.arange(3), 4)
    table = downhill.firing(boards, clauses)
    found = downhill.move_weights(table, codes, good, 1.0, np.zeros(12))

    def cost(weights):
        return slow_slope(boards, clauses, codes, good, weights) + weights @ weights / 2

    best = cost(found)
    for k in range(12):
        for step in (-0.1, 0.1):
            assert cost(found + step * np.eye(12)[k]) > best


def test_any_of_several_good_moves_will_do():
    boards = some_boards(2000, n_bits=4)
    # Moves 0 and 1 are as good as each other where the first bit is set, and else 2 is.
    good = np.zeros((2000, 3), bool)
    good[:, :2] = boards[:, :1]
    good[:, 2] = 1 - boards[:, 0]
    clauses = np.concatenate([single_literals(4)] * 3)
    codes = np.repeat(np.arange(3), 8)
    kept, weights, of = downhill.weigh_moves(boards, good, clauses, codes, most=8)
    assert len(kept) == len(weights) == len(of) <= 8
    machine = move_machine_of(kept, weights, of, list("abcd"))
    chosen = machine.predict(boards)
    assert good[np.arange(2000), chosen].all()


def test_the_order_of_clauses_is_nothing_to_moves():
    boards = some_boards(300, 4)
    good = np.eye(2, dtype=bool)[boards[:, 1]]
    clauses, codes = np.concatenate([single_literals(4)] * 2), np.repeat([0, 1], 8)
    order = np.random.default_rng(1).permutation(16)
    ways = [
        downhill.weigh_moves(boards, good, clauses[way], codes[way])
        for way in (np.arange(16), order)
    ]
    votes = [move_machine_of(*found, list("abcd"))._votes(boards) for found in ways]
    assert np.abs(votes[0] - votes[1]).max() <= 8
