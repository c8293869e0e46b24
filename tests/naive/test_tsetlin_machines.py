"""Textbook machines with windows and for values, by hand; then on problems they must learn."""

import numpy as np
import pytest

from naive import tsetlin
from naive.by_hand import NO, YES, classifier, regressor
from naive.problems import (
    multiclass_xor,
    noisy_xor,
    planted_boards,
    shows_pattern,
    stepped_values,
)
from naive.tsetlin import ForcedDraws, GeneratorDraws

# ------------------------------------------------------------------ convolution


def test_patches_of_a_board_with_two_planes_by_hand():
    board = np.array([[[1, 0], [0, 1]], [[1, 1], [0, 0]]])  # 2 rows, 2 columns, 2 planes
    seen = tsetlin.patches(board.reshape(-1), (2, 2, 2), (1, 2))
    # "row > 0", no bit for the only column, then the row's two cells
    assert seen.astype(int).tolist() == [[0, 1, 0, 0, 1], [1, 1, 1, 0, 0]]


def test_patches_go_row_by_row_and_say_where_they_are():
    seen = tsetlin.patches(np.arange(6) == 5, (2, 3, 1), (1, 1)).astype(int)
    # row > 0, column > 0, column > 1, the cell
    assert seen.tolist() == [
        [0, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 1, 1, 0],
        [1, 0, 0, 0],
        [1, 1, 0, 0],
        [1, 1, 1, 1],
    ]


def diagonal_machine(draws, label):
    """2 × 2 boards seen cell by cell; clause 0 of class 0 is "this cell is set"."""
    machine = classifier(draws, n_features=4, board_shape=(2, 2, 1), window=(1, 1))
    machine.states[0, 0] = [3, 3, 4, 3, 3, 3]  # row > 0, column > 0, cell, and the negations
    machine.update(np.array([1, 0, 0, 1]), label)
    return machine.states[0, 0].tolist()


@pytest.mark.parametrize(
    ("pick", "states"), [(0, [2, 2, 5, 4, 4, 2]), (1, [4, 4, 5, 2, 2, 2])], ids=["first", "last"]
)
def test_type_one_looks_at_one_of_the_patches_where_the_clause_fires(pick, states):
    # The mask is 1 for the literals that are false on the picked patch, 0 for the others.
    mask = [1, 1, 0, 0, 0, 1] if pick == 0 else [0, 0, 0, 1, 1, 1]
    draws = ForcedDraws(feedback=[YES, NO, NO, NO], literals=[mask], picks=[pick])
    assert diagonal_machine(draws, label=0) == states
    assert draws.picks_asked == [2]


@pytest.mark.parametrize(
    ("pick", "states"), [(0, [4, 4, 4, 3, 3, 4]), (1, [3, 3, 4, 4, 4, 4])], ids=["first", "last"]
)
def test_type_two_looks_at_one_of_the_patches_where_the_clause_fires(pick, states):
    draws = ForcedDraws(feedback=[NO, NO, YES, NO], picks=[pick])
    assert diagonal_machine(draws, label=1) == states
    assert draws.picks_asked == [2]


def test_an_empty_clause_learns_from_any_patch():
    draws = ForcedDraws(feedback=[NO, YES, NO, NO], picks=[3])
    machine = classifier(draws, n_features=4, board_shape=(2, 2, 1), window=(1, 1))
    machine.update(np.array([1, 0, 0, 0]), 0)
    assert draws.picks_asked == [4]
    assert machine.states[0, 1].tolist() == [3, 3, 4, 4, 4, 3]


def test_no_patch_is_drawn_for_a_clause_that_only_forgets():
    for states, budget in (([4, 4, 4, 4, 3, 3], None), ([3, 3, 4, 3, 3, 3], 0)):
        draws = ForcedDraws(feedback=[YES, NO, NO, NO], literals=[[1] * 6])
        machine = classifier(
            draws, n_features=4, board_shape=(2, 2, 1), window=(1, 1), max_literals=budget
        )
        machine.states[0, 0] = states
        machine.update(np.array([1, 0, 0, 1]), 0)
        assert machine.states[0, 0].tolist() == [s - 1 for s in states]
        assert draws.picks_asked == []


def test_a_window_of_the_whole_board_is_no_convolution():
    X, y = noisy_xor(np.random.default_rng(1), 40, n_features=6)
    shape = {"n_clauses": 6, "n_features": 6, "threshold": 4}
    flat = classifier(GeneratorDraws(np.random.default_rng(2)), **shape)
    whole = classifier(
        GeneratorDraws(np.random.default_rng(2)), **shape, board_shape=(1, 3, 2), window=(1, 3)
    )
    flat.fit(X, y, epochs=2)
    whole.fit(X, y, epochs=2)
    assert np.array_equal(flat.states, whole.states)
    assert np.array_equal(flat.votes(X), whole.votes(X))


# ------------------------------------------------------------------ regression


def test_values_and_votes_by_hand():
    assert tsetlin.regression_target(25.0, 10.0, 40.0, 60) == 30.0
    assert tsetlin.regression_error(50, 60, target=30.0) == -20.0
    assert tsetlin.regression_error(99, 60, target=30.0) == -30.0
    assert tsetlin.regression_feedback_probability(-30.0, 60) == 0.5
    assert tsetlin.regression_prediction(30, 10.0, 40.0, 60) == 25.0
    assert tsetlin.regression_prediction(99, 10.0, 40.0, 60) == 40.0


def test_too_few_votes_give_type_one_to_every_clause():
    # y 6 is 3 votes; both clauses are empty and fire: 2 votes, error 1, probability 1/4
    draws = ForcedDraws(feedback=[0.2, 0.25], literals=[[0, 1]])
    machine = regressor(draws, weighted=True)
    machine.update(np.array([1]), 6.0)
    assert draws.feedback_asked == [0.25, 0.25]
    assert machine.states[0].tolist() == [[4, 2], [3, 3]]
    assert machine.weights.tolist() == [[2, 1]]


def test_too_many_votes_give_type_two_to_every_clause():
    draws = ForcedDraws(feedback=[YES, YES])
    machine = regressor(draws, weighted=True)
    machine.states[0, 0] = [4, 2]  # "a" with 3 votes, and an empty clause: 4 votes for 1
    machine.weights[0, 0] = 3
    machine.update(np.array([1]), 2.0)
    assert draws.feedback_asked == [0.75, 0.75]
    assert machine.states[0].tolist() == [[4, 3], [3, 4]]
    assert machine.weights.tolist() == [[2, 1]]


def test_a_regressor_that_is_right_learns_nothing():
    draws = ForcedDraws(feedback=[YES, YES])
    machine = regressor(draws)
    machine.update(np.array([1]), 4.0)
    assert draws.feedback_asked == [0.0, 0.0]
    assert machine.states[0].tolist() == [[3, 3], [3, 3]]


def test_a_regressor_predicts_within_its_range():
    machine = regressor(ForcedDraws())
    machine.states[0] = [[4, 3], [3, 3]]
    machine.weights[0] = [3, 9]  # the empty clause says nothing
    assert machine.votes(np.array([[1], [0]])).tolist() == [3, 0]
    assert machine.predict(np.array([[1], [0]])).tolist() == [6.0, 0.0]
    machine.weights[0, 0] = 7
    assert machine.predict(np.array([[1]])).tolist() == [8.0]


# ------------------------------------------------------------------ draws and wrong use


def test_forced_draws_say_when_they_do_not_fit():
    with pytest.raises(ValueError, match="no forced draws are left in 'feedback'"):
        ForcedDraws().feedback(0.5)
    with pytest.raises(ValueError, match="2 literals; 3 were asked for"):
        ForcedDraws(literals=[[0, 1]]).bernoulli_literals(3, 0.5)
    with pytest.raises(ValueError, match="pick is 2; 0 to 1"):
        ForcedDraws(picks=[2]).pick(2)
    assert ForcedDraws().pick(1) == 0


@pytest.mark.parametrize("probability", [0.0, 0.1, 1.0])
def test_generator_draws_have_the_probability_asked_for(probability):
    draws = GeneratorDraws(np.random.default_rng(3))
    mask = draws.bernoulli_literals(20_000, probability)
    assert abs(mask.mean() - probability) < 0.01
    fed = [draws.feedback(probability) for _ in range(20_000)]
    assert abs(np.mean(fed) - probability) < 0.01
    assert {draws.pick(3) for _ in range(100)} == {0, 1, 2}


def test_one_seed_gives_one_machine():
    X, y = noisy_xor(np.random.default_rng(4), 30)
    trained = [
        classifier(GeneratorDraws(np.random.default_rng(seed)), n_features=12).fit(X, y, epochs=2)
        for seed in (5, 5, 6)
    ]
    assert np.array_equal(trained[0].states, trained[1].states)
    assert not np.array_equal(trained[0].states, trained[2].states)


def test_what_makes_no_machine_is_refused():
    with pytest.raises(ValueError, match="n_classes is 1"):
        classifier(ForcedDraws(), n_classes=1)
    with pytest.raises(ValueError, match="convolution needs both"):
        classifier(ForcedDraws(), window=(1, 1))


# ------------------------------------------------------------------ problems


def test_the_problems_are_what_they_say():
    rng = np.random.default_rng(7)
    X, y = noisy_xor(rng, 2000, noise=0.1)
    assert X.shape == (2000, 12)
    assert 0.07 < np.mean(y != X[:, 0] ^ X[:, 1]) < 0.13
    X, y = multiclass_xor(rng, 2000, noise=0.1)
    assert set(y.tolist()) == {0, 1, 2}
    assert 0.07 < np.mean(y != (X[:, 0] ^ X[:, 1]) + (X[:, 2] ^ X[:, 3])) < 0.13
    X, y = planted_boards(rng, 200, rows=3, columns=5)
    assert [shows_pattern(x.reshape(3, 5)) for x in X] == y.astype(bool).tolist()
    X, y = stepped_values(rng, 200, noise=1.0)
    assert y.min() >= 10.0
    assert y.max() <= 40.0


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, marks=pytest.mark.long),
        {"weighted": True, "boost_true_positive": True},
        pytest.param({"max_literals": 2}, marks=pytest.mark.long),
    ],
    ids=["plain", "weighted and boosted", "two literals"],
)
def test_learns_noisy_xor(changes):
    rng = np.random.default_rng(1)
    machine = classifier(
        GeneratorDraws(rng),
        n_clauses=20,
        threshold=15,
        specificity=3.9,
        n_features=12,
        state_bits=8,
        **changes,
    )
    machine.fit(*noisy_xor(rng, 1000, noise=0.1), epochs=8)
    X, y = noisy_xor(rng, 500)
    assert np.mean(machine.predict(X) == y) >= 0.95


def test_a_literal_budget_makes_shorter_clauses():
    mean_length = {}
    for budget in (None, 2):
        rng = np.random.default_rng(1)
        machine = classifier(
            GeneratorDraws(rng),
            n_clauses=20,
            threshold=15,
            specificity=10.0,  # clauses grow to four literals where nothing holds them back
            n_features=12,
            state_bits=8,
            max_literals=budget,
        )
        machine.fit(*noisy_xor(rng, 500, noise=0.1), epochs=4)
        mean_length[budget] = tsetlin.included(machine.states, 8).sum(axis=2).mean()
    assert mean_length[2] < mean_length[None] - 0.25


@pytest.mark.long
def test_learns_three_classes():
    rng = np.random.default_rng(2)
    machine = classifier(
        GeneratorDraws(rng),
        n_clauses=40,
        threshold=35,
        specificity=8.0,
        n_classes=3,
        n_features=8,
        state_bits=8,
        weighted=True,
        boost_true_positive=True,
    )
    machine.fit(*multiclass_xor(rng, 600), epochs=12)
    X, y = multiclass_xor(rng, 300)
    assert np.mean(machine.predict(X) == y) >= 0.9


@pytest.mark.long
def test_finds_a_planted_pattern_wherever_it_is():
    rng = np.random.default_rng(1)
    machine = classifier(
        GeneratorDraws(rng),
        n_clauses=20,
        threshold=20,
        specificity=8.0,
        n_features=16,
        state_bits=8,
        weighted=True,
        boost_true_positive=True,
        board_shape=(4, 4, 1),
        window=(2, 2),
    )
    machine.fit(*planted_boards(rng, 300), epochs=12)
    X, y = planted_boards(rng, 200)
    assert np.mean(machine.predict(X) == y) >= 0.9


@pytest.mark.parametrize(
    ("weighted", "n_clauses"), [pytest.param(False, 60, marks=pytest.mark.long), (True, 30)]
)
def test_learns_a_value(weighted, n_clauses):
    rng = np.random.default_rng(0)
    machine = regressor(
        GeneratorDraws(rng),
        n_clauses=n_clauses,
        threshold=60,
        specificity=2.0,
        n_features=6,
        state_bits=8,
        weighted=weighted,
        y_min=10.0,
        y_max=40.0,
    )
    machine.fit(*stepped_values(rng, 400), epochs=15)
    X, y = stepped_values(rng, 200)
    # The mean value is off by 10 on average, and the steps are 10 apart.
    assert np.mean(np.abs(machine.predict(X) - y)) < 2.0
