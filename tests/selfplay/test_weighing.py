"""Weights of clauses: against scikit-learn's own logistic regression, and as machines."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from clauseboard.selfplay.weighing import (
    UNIT,
    fires,
    lack,
    machine_of,
    move_machine_of,
    single_literals,
    weigh,
    weigh_moves,
)
from clauseboard.tsetlin import TsetlinMachineClassifier

DRAWS = np.random.default_rng(0)


def some_boards(n=400, n_bits=6, seed=0):
    return np.random.default_rng(seed).integers(2, size=(n, n_bits)).astype(np.uint8)


def slow_fires(board, clause):
    n_bits = len(board)
    literals = [*board, *(1 - board)]
    return all(literals[k] for k in range(2 * n_bits) if clause[k])


@given(seed=st.integers(0, 1000), n_bits=st.integers(1, 9))
@settings(max_examples=25)
def test_a_clause_fires_when_all_its_literals_are_true(seed, n_bits):
    draws = np.random.default_rng(seed)
    boards = draws.integers(2, size=(5, n_bits)).astype(np.uint8)
    clauses = draws.random((7, 2 * n_bits)) < 0.3
    found = fires(boards, clauses)
    for row, board in enumerate(boards):
        assert found[row].tolist() == [float(slow_fires(board, clause)) for clause in clauses]


@pytest.mark.parametrize("penalty", [0.5, 5.0, 50.0])
def test_weights_are_those_of_logistic_regression(penalty):
    boards = some_boards()
    chance = 1 / (1 + np.exp(-(2.0 * boards[:, 0] - 1.5 * boards[:, 1] * boards[:, 2])))
    won = np.random.default_rng(1).random(len(boards)) < chance
    clauses = single_literals(6)[:6]
    kept, weights = weigh(boards, np.where(won, 1.0, -1.0), clauses, penalty=penalty, steps=20)
    judge = LogisticRegression(C=1 / penalty, fit_intercept=False, tol=1e-10, max_iter=1000)
    wanted = judge.fit(boards, won).coef_[0] * UNIT
    found = np.zeros(6)
    found[kept.argmax(axis=1)] = weights
    assert np.abs(found - wanted).max() <= 1.0


def test_values_between_win_and_loss_are_chances():
    boards = np.ones((100, 1), np.uint8)
    _, weights = weigh(boards, np.full(100, 0.5), single_literals(1)[:1], penalty=1e-6)
    assert weights.tolist() == [round(UNIT * np.log(3))]


@pytest.mark.parametrize("most", [12, 14, 40])
def test_single_bits_stay_and_the_rest_is_what_counts_most(most):
    boards = some_boards(2000)
    both = boards[:, 0] & boards[:, 1]
    values = np.where(both, 0.9, -0.9)
    pair = np.zeros((1, 12), bool)
    pair[0, :2] = True
    useless = DRAWS.random((20, 12)) < 0.4
    useless = useless[useless.sum(axis=1) > 1]
    clauses = np.unique(np.concatenate([single_literals(6), pair, useless]), axis=0)
    kept, weights = weigh(boards, values, clauses, most=most)
    assert len(kept) == len(weights) <= most
    assert (weights != 0).all()
    has_pair = (kept == pair[0]).all(axis=1).any()
    assert has_pair == (most > 12)


def test_fewer_doubts_with_better_clauses():
    boards = some_boards(1000)
    values = np.where(boards[:, 0] ^ boards[:, 1], 1.0, -1.0)
    exact = np.zeros((2, 12), bool)
    exact[0, [0, 7]] = exact[1, [1, 6]] = True
    singles = weigh(boards, values, single_literals(6))
    better = weigh(boards, values, np.concatenate([single_literals(6), exact]))
    assert lack(boards, values, *better) < 0.2 < lack(boards, values, *singles)


def test_a_machine_votes_as_its_clauses_weigh(tmp_path):
    boards = some_boards(50)
    clauses = DRAWS.random((30, 12)) < 0.2
    clauses = clauses[clauses.any(axis=1) & ~(clauses[:, :6] & clauses[:, 6:]).any(axis=1)]
    clauses = np.unique(clauses, axis=0)
    weights = DRAWS.integers(-300, 300, len(clauses))
    weights[weights == 0] = 7
    names = [f"bit {k}" for k in range(6)]
    machine = machine_of(clauses, weights, names, worth_one=4.0)
    votes = machine._votes(boards)
    assert np.array_equal(votes[:, 1] - votes[:, 0], (fires(boards, clauses) @ weights).astype(int))
    assert machine._threshold() == 2 * UNIT
    chances = machine.predict_proba(boards)[:, 1]
    lead = votes[:, 1] - votes[:, 0]
    assert np.allclose(chances, 1 / (1 + np.exp(-lead / UNIT)))
    machine.save(tmp_path / "m.tm", inference_only=True)
    again = TsetlinMachineClassifier.load(tmp_path / "m.tm")
    assert np.array_equal(again._votes(boards), votes)
    tally = again.explain(boards[0])
    assert [tally.votes["loss"], tally.votes["win"]] == votes[0].tolist()


def test_a_machine_of_one_sided_clauses():
    machine = machine_of(single_literals(2)[:1], np.array([5]), ["a", "b"], 4.0)
    assert machine._votes(np.array([[1, 0], [0, 0]], np.uint8)).tolist() == [[0, 5], [0, 0]]


def test_moves_are_learned():
    boards = some_boards(3000, n_bits=4)
    moves = boards[:, 0] + 2 * boards[:, 1].astype(np.int64)
    clauses = np.concatenate([single_literals(4)] * 4)
    codes = np.repeat(np.arange(4), 8)
    kept, weights, of = weigh_moves(boards, moves, clauses, codes, most=20, rounds=12)
    assert len(kept) == len(weights) == len(of) <= 20
    machine = move_machine_of(kept, weights, of, ["a", "b", "c", "d"])
    assert (machine.predict(boards) == moves).mean() > 0.99
    assert machine.classes_.tolist() == [0, 1, 2, 3]


def test_one_seed_one_result():
    boards = some_boards(500, n_bits=4)
    moves = boards[:, 0].astype(np.int64)
    clauses, codes = np.concatenate([single_literals(4)] * 2), np.repeat([0, 1], 8)
    found = [weigh_moves(boards, moves, clauses, codes, seed=s, rounds=2) for s in (1, 1)]
    assert all(np.array_equal(a, b) for a, b in zip(*found, strict=True))
