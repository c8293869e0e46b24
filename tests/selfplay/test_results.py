"""Machines that tell results: found clauses, weights by softmax, and whole numbers that vote."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from clauseboard.selfplay.find_clauses import (
    find_result_clauses,
    result_machine,
    result_machine_of,
)
from clauseboard.selfplay.fit_weights import (
    UNIT,
    fires,
    shortened,
    single_literals,
    weigh_results,
)
from clauseboard.selfplay.settings import ClauseSearch, ResultSettings
from clauseboard.tsetlin import TsetlinMachineClassifier

NAMES = [f"bit {k}" for k in range(6)]
SMALL = ResultSettings((ClauseSearch(30, 3, 3.0, 5),), kept=40, penalty=1.0, rare=1)


def some_boards(n=800, n_bits=6, seed=0):
    return np.random.default_rng(seed).integers(2, size=(n, n_bits)).astype(np.uint8)


def outcomes(boards):
    """A loss unless a bit is set; then a win if two others differ, and else a draw."""
    rest = np.where(boards[:, 1] != boards[:, 2], "win", "draw")
    return np.where(boards[:, 0], rest, "loss")


def test_a_machine_learns_what_single_bits_cannot_tell():
    boards, other = some_boards(), some_boards(seed=1)
    machine = result_machine(boards, outcomes(boards), NAMES, SMALL)
    assert isinstance(machine, TsetlinMachineClassifier)
    assert machine.classes_.tolist() == ["draw", "loss", "win"]
    assert machine.score(other, outcomes(other)) == 1.0
    alone = result_machine(boards, outcomes(boards), NAMES, ResultSettings((), penalty=1.0))
    assert alone.score(other, outcomes(other)) < 0.8


def test_its_clauses_are_read_with_the_names_of_the_bits():
    boards = some_boards()
    machine = result_machine(boards, outcomes(boards), NAMES, SMALL)
    told = [clause for one in machine.classes_ for clause in machine.clauses_of(one)]
    assert told
    assert all("bit" in str(clause) for clause in told)


@pytest.mark.parametrize("penalty", [0.5, 5.0, 50.0])
def test_weights_are_those_of_softmax_regression(penalty):
    boards, draws = some_boards(), np.random.default_rng(2)
    sums = boards @ draws.normal(size=(6, 3)) + draws.gumbel(size=(800, 3))
    told = sums.argmax(axis=1)
    clauses = single_literals(6)[:6]
    chosen = ResultSettings((), penalty=penalty, steps=500)
    kept, weights = weigh_results(boards, told, clauses, chosen)
    judge = LogisticRegression(C=1 / penalty, tol=1e-10, max_iter=2000).fit(boards, told)
    wanted = UNIT * judge.decision_function(boards)
    found = fires(boards, kept) @ weights
    # Sums are only told from each other: what all three have in common is free.
    wanted, found = (sums - sums.mean(axis=1, keepdims=True) for sums in (wanted, found))
    assert np.abs(found - wanted).max() < 6


@settings(max_examples=15)
@given(seed=st.integers(0, 1000), n_classes=st.integers(2, 4))
def test_a_machine_votes_as_its_clauses_weigh(seed, n_classes):
    draws = np.random.default_rng(seed)
    boards = some_boards(40, seed=seed)
    clauses = np.unique(draws.random((9, 12)) < 0.2, axis=0)
    clauses = clauses[clauses.any(axis=1)]
    weights = draws.integers(-300, 300, size=(len(clauses), n_classes))
    machine = result_machine_of(clauses, weights, np.arange(n_classes), NAMES)
    votes = fires(boards, clauses).astype(np.int64) @ weights
    assert (machine.votes(boards) == votes).all()


@pytest.mark.parametrize("kept", [8, 12, 1000])
def test_no_more_clauses_than_wanted_but_for_the_beginning(kept):
    boards = some_boards()
    chosen = dataclasses.replace(SMALL, kept=kept)
    found = find_result_clauses(boards, outcomes(boards), chosen)
    clauses, weights = weigh_results(boards, outcomes(boards), found, chosen)
    assert len(clauses) <= kept + 2
    assert len(np.unique(clauses, axis=0)) == len(clauses)
    assert weights.any(axis=1).all()
    assert (np.median(weights, axis=1) == 0).all()
    right = (fires(boards, clauses) @ weights).argmax(axis=1)
    assert (np.array(["draw", "loss", "win"])[right] == outcomes(boards)).mean() > 0.7


def test_of_clauses_that_fire_alike_the_shortest_is_kept():
    boards = some_boards()
    boards[:, 5] = boards[:, 4]
    clauses = np.zeros((3, 12), bool)
    clauses[0, [4, 5]] = clauses[1, 4] = clauses[2, [1, 2]] = True
    kept, _ = weigh_results(boards, outcomes(boards), clauses, ResultSettings((), penalty=1.0))
    lengths = {tuple(np.flatnonzero(clause)) for clause in kept}
    assert (4, 5) not in lengths
    assert {(4,), (1, 2)} <= lengths


@pytest.mark.parametrize("rare", [1, 30, 390])
def test_rare_clauses_are_left_out(rare):
    boards = some_boards()
    boards[:, 4] = np.arange(800) < 20
    clauses = single_literals(6)[:6]
    kept, _ = weigh_results(boards, outcomes(boards), clauses, ResultSettings((), rare=rare))
    assert kept[:, 4].any() == (rare == 1)


def test_more_searches_find_more_and_one_seed_gives_one_machine():
    boards = some_boards()
    told = outcomes(boards)
    both = dataclasses.replace(SMALL, searches=(*SMALL.searches, ClauseSearch(30, 1, 2.0, 5)))
    one, two = (len(find_result_clauses(boards, told, chosen)) for chosen in (SMALL, both))
    assert two > one
    votes = [result_machine(boards, told, NAMES, SMALL, seed).votes(boards) for seed in (1, 1, 2)]
    assert (votes[0] == votes[1]).all()
    assert (votes[0] != votes[2]).any()


def test_single_bits_are_among_what_is_found_and_negated_ones_are_not():
    boards = some_boards()
    found = find_result_clauses(boards, outcomes(boards), SMALL)
    single = found[found.sum(axis=1) == 1]
    assert (np.unique(single, axis=0) == np.unique(single_literals(6)[:6], axis=0)).all()


def test_how_often_results_are_is_known_without_any_clause():
    boards = some_boards(400)
    told = np.where(np.arange(400) % 4 == 0, 1, 0)
    machine = result_machine(boards, told, NAMES, ResultSettings((), penalty=1e6))
    assert (machine.predict(boards) == 0).all()
    assert machine.predict_proba(boards)[:, 1].mean() == pytest.approx(0.25, abs=0.01)


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


@pytest.mark.parametrize("shorter", [1e-9, 0.01, 0.03])
def test_a_shorter_machine_says_the_same_in_fewer_words(shorter):
    boards = some_boards()
    boards[:, 5] = boards[:, 1] | boards[:, 2]
    told = outcomes(boards)
    long, short = (
        result_machine(boards, told, NAMES, dataclasses.replace(SMALL, shorter=share))
        for share in (0.0, shorter)
    )
    assert short.score(boards, told) == long.score(boards, told) == 1.0
    words = [sum(len(clause.literals) for clause in one.rules()) for one in (long, short)]
    assert words[1] < words[0]
