"""Weights of clauses fitted together: against scikit-learn's, and which clauses are kept."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from clauseboard import explanation
from clauseboard.tsetlin import joint_weights
from clauseboard.tsetlin.joint_weights import (
    UNIT,
    class_weights,
    distinct,
    fires,
    firing,
    machine_of_votes,
    most_useful,
    shortened,
    single_literals,
    whole_votes,
)

NAMES = [f"bit {k}" for k in range(6)]


def some_boards(n=800, n_bits=6, seed=0):
    return np.random.default_rng(seed).integers(2, size=(n, n_bits)).astype(np.uint8)


def some_clauses(n, n_bits, seed=0):
    found = np.random.default_rng(seed).random((n, 2 * n_bits)) < 0.3
    return np.unique(found[found.any(axis=1)], axis=0)


def drawn_classes(boards, seed=2):
    draws = np.random.default_rng(seed)
    sums = boards @ draws.normal(size=(boards.shape[1], 3))
    return (sums + draws.gumbel(size=sums.shape)).argmax(axis=1)


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


@given(seed=st.integers(0, 1000), n=st.integers(0, 9))
@settings(max_examples=25)
def test_the_table_is_which_clauses_fire(seed, n):
    boards, clauses = some_boards(n, 5, seed), some_clauses(12, 5, seed)
    assert np.array_equal(firing(boards, clauses).toarray(), fires(boards, clauses))


def test_many_boards_are_looked_at_in_parts(monkeypatch):
    boards, clauses = some_boards(50), some_clauses(9, 6)
    whole = firing(boards, clauses).toarray()
    monkeypatch.setattr(joint_weights, "ROWS", 7)
    assert np.array_equal(firing(boards, clauses).toarray(), whole)


def test_votes_mean_the_same_as_in_accounts():
    assert UNIT == explanation.UNIT


@pytest.mark.parametrize("penalty", [0.5, 5.0, 50.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_weights_are_those_of_softmax_regression(penalty, weighted):
    boards = some_boards()
    labels = drawn_classes(boards)
    each = np.random.default_rng(3).random(len(boards)) * 3 if weighted else None
    clauses = single_literals(6)[:6]
    weights = class_weights(
        fires(boards, clauses), labels, 3, penalty, sample_weight=each, iterations=500
    )
    clauses, votes = whole_votes(clauses, weights)
    judge = LogisticRegression(C=1 / penalty, tol=1e-10, max_iter=2000)
    wanted = UNIT * judge.fit(boards, labels, each).decision_function(boards)
    found = fires(boards, clauses) @ votes
    # Sums are only told from each other: what all three have in common is free.
    wanted, found = (sums - sums.mean(axis=1, keepdims=True) for sums in (wanted, found))
    assert np.abs(found - wanted).max() < 6


def test_a_sample_that_counts_twice_is_like_two_samples():
    boards = some_boards(200)
    labels, clauses = drawn_classes(boards), some_clauses(10, 6)
    fired, each = fires(boards, clauses), np.ones(200)
    each[:50] = 2.0
    twice = np.concatenate([np.arange(200), np.arange(50)])
    weighted = class_weights(fired, labels, 3, 1.0, sample_weight=each, iterations=500)
    repeated = class_weights(fired[twice], labels[twice], 3, 1.0, iterations=500)
    assert np.abs(weighted - repeated).max() < 0.02


@pytest.mark.parametrize("kinds", ["a clause is alone", "its opposite is there", "none is alone"])
def test_the_intercept_becomes_clauses_and_sums_stay(kinds):
    boards = some_boards(100)
    clauses = single_literals(6)[[3, 3 + 6]] if kinds == "its opposite is there" else None
    if clauses is None:
        clauses = np.zeros((2, 12), bool)
        clauses[0, [0, 1]] = clauses[1, [2, 9]] = True
        if kinds == "a clause is alone":
            clauses = np.concatenate([clauses, single_literals(6)[7:8]])
    weights = np.random.default_rng(1).normal(size=(len(clauses) + 1, 3)).round(2)
    longer, votes = whole_votes(clauses, weights)
    before = UNIT * (fires(boards, clauses) @ weights[:-1] + weights[-1])
    after = fires(boards, longer) @ votes
    before, after = (sums - sums.mean(axis=1, keepdims=True) for sums in (before, after))
    assert np.abs(before - after).max() < 2
    assert len(longer) - len(clauses) <= {"a clause is alone": 1, "none is alone": 2}.get(kinds, 0)
    assert len(np.unique(longer, axis=0)) == len(longer)


@settings(max_examples=15)
@given(seed=st.integers(0, 1000), n_classes=st.integers(2, 4))
def test_a_machine_votes_as_its_clauses_weigh(seed, n_classes):
    draws = np.random.default_rng(seed)
    boards = some_boards(40, seed=seed)
    clauses = np.unique(draws.random((9, 12)) < 0.2, axis=0)
    clauses = clauses[clauses.any(axis=1)]
    weights = draws.integers(-300, 300, size=(len(clauses), n_classes))
    machine = machine_of_votes(clauses, weights, np.arange(n_classes), NAMES)
    votes = fires(boards, clauses).astype(np.int64) @ weights
    assert (machine.votes(boards) == votes).all()


def test_of_clauses_that_fire_alike_the_first_is_kept():
    boards = some_boards()
    boards[:, 5] = boards[:, 4]
    clauses = np.zeros((3, 12), bool)
    clauses[0, 4] = clauses[1, [4, 5]] = clauses[2, [1, 2]] = True
    assert distinct(fires(boards, clauses), 1).tolist() == [0, 2]


@pytest.mark.parametrize(("rare", "there"), [(1, True), (21, False), (390, False)])
def test_rare_clauses_are_left_out(rare, there):
    boards = some_boards()
    boards[:, 4] = np.arange(800) < 20
    assert (4 in distinct(fires(boards, single_literals(6)[:6]), rare)) == there


@pytest.mark.parametrize("by_size", [2, 1000])
def test_the_clauses_that_tell_something_are_kept(by_size, monkeypatch):
    monkeypatch.setattr(joint_weights, "DROPPED_BY_SIZE", by_size)
    boards = some_boards(2000, 12)
    labels = (boards[:, 0] & boards[:, 1]) + (boards[:, 2] & (1 - boards[:, 3]))
    clauses = np.concatenate([single_literals(12)[:12], some_clauses(40, 12)])
    wanted = np.zeros((2, 24), bool)
    wanted[0, [0, 1]] = wanted[1, [2, 15]] = True
    clauses = np.concatenate([clauses, wanted])
    kept = most_useful(fires(boards, clauses), labels.astype(np.intp), 3, 1.0, 2)
    assert sorted(map(tuple, clauses[kept].tolist())) == sorted(map(tuple, wanted.tolist()))


def test_a_clause_whose_work_others_do_is_dropped_first():
    # The third clause is what the first two say together; its own weight may well be the largest.
    boards = some_boards(3000, 4)
    either = np.maximum(boards[:, 0], boards[:, 1])
    fired = np.stack([boards[:, 0], boards[:, 1], boards[:, 2], either], axis=1).astype(np.float32)
    sums = 2.0 * boards[:, 0] - 2.0 * boards[:, 1] + 1.0 * boards[:, 2]
    labels = (np.random.default_rng(0).random(3000) < 1 / (1 + np.exp(-sums))).astype(np.intp)
    assert most_useful(fired, labels, 2, 1.0, 3).tolist() == [0, 1, 2]


@settings(max_examples=25)
@given(seed=st.integers(0, 1000), spare=st.sampled_from([0.0, 0.1, 0.5]))
def test_shortened_clauses_fire_as_before_but_for_a_few_boards_and_need_what_is_left(seed, spare):
    draws = np.random.default_rng(seed)
    boards = some_boards(30, seed=seed)
    boards[:, 3] |= boards[:, 4]
    clause = draws.random((1, 12)) < 0.3
    clause[0, 0] |= not clause.any()
    (short,) = shortened(boards, clause, spare)
    assert short.any()
    assert not (short & ~clause[0]).any()
    before, after = (fires(boards, one)[:, 0] > 0 for one in (clause, short[None]))
    assert (after >= before).all()
    assert (after & ~before).sum() <= spare * 30
    for literal in np.flatnonzero(short)[: short.sum() if short.sum() > 1 else 0]:
        less = short.copy()
        less[literal] = False
        assert fires(boards, less[None]).sum() - before.sum() > spare * 30
