"""Weights of clauses: against Newton's method and scikit-learn's, on moves, and as machines."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from clauseboard.selfplay import fit_weights
from clauseboard.selfplay.fit_weights import (
    class_machine,
    weigh,
    weigh_moves,
    win_loss_machine,
)
from clauseboard.tsetlin import TsetlinMachineClassifier
from clauseboard.tsetlin.joint_weights import UNIT, fires, firing, single_literals
from naive.weights import mean_log_loss, newton_weights


def some_boards(n=400, n_bits=6, seed=0):
    return np.random.default_rng(seed).integers(2, size=(n, n_bits)).astype(np.uint8)


def some_clauses(n, n_bits, seed=0):
    found = np.random.default_rng(seed).random((n, 2 * n_bits)) < 0.3
    return np.unique(found[found.any(axis=1)], axis=0)


@pytest.mark.parametrize("penalty", [0.5, 5.0, 50.0])
def test_weights_are_those_of_logistic_regression(penalty):
    boards = some_boards()
    chance = 1 / (1 + np.exp(-(2.0 * boards[:, 0] - 1.5 * boards[:, 1] * boards[:, 2])))
    won = np.random.default_rng(1).random(len(boards)) < chance
    clauses = some_clauses(20, 6)
    table = firing(boards, clauses)
    found = fit_weights.value_weights(table, won.astype(float), penalty, np.zeros(len(clauses)))
    judge = LogisticRegression(C=1 / penalty, fit_intercept=False, tol=1e-10, max_iter=1000)
    wanted = judge.fit(fires(boards, clauses), won).coef_[0]
    assert np.abs(found - wanted).max() < 0.02


@pytest.mark.parametrize("most", [12, 14, 40])
def test_single_bits_stay_and_the_rest_is_what_counts_most(most):
    boards = some_boards(2000)
    values = np.where(boards[:, 0] & boards[:, 1], 0.9, -0.9)
    pair = np.zeros((1, 12), bool)
    pair[0, :2] = True
    clauses = np.unique(np.concatenate([single_literals(6), pair, some_clauses(15, 6)]), axis=0)
    kept, weights = weigh(boards, values, clauses, most=most)
    assert len(kept) == len(weights) <= most
    assert (weights != 0).all()
    assert (kept == pair[0]).all(axis=1).any() == (most > 12)
    # Newton's method, step by step, finds no better weights for the same clauses.
    exact = newton_weights(boards, values, kept)
    losses = [mean_log_loss(boards, values, kept, found) for found in (weights / UNIT, exact)]
    assert losses[0] == pytest.approx(losses[1], abs=0.01)


def test_some_boards_are_enough_to_choose_clauses(monkeypatch):
    boards = some_boards(3000)
    values = np.where(boards[:, 0] & boards[:, 1], 0.9, -0.9)
    clauses = np.concatenate([single_literals(6), some_clauses(30, 6)])
    monkeypatch.setattr(fit_weights, "ENOUGH_BOARDS", 200)
    kept, weights = weigh(boards, values, clauses, most=30)
    # What is kept is weighed by all boards.
    chances = (1 + values) / 2
    table = firing(boards, kept)
    again = fit_weights.value_weights(table, chances, 1.0, np.zeros(len(kept)))
    assert np.abs(again * UNIT - weights).max() <= 8


def test_a_good_beginning_ends_at_the_same_place():
    boards, clauses = some_boards(), some_clauses(20, 6)
    chances = np.random.default_rng(2).random(len(boards))
    table = firing(boards, clauses)
    far = np.random.default_rng(3).normal(size=len(clauses))
    ends = [fit_weights.value_weights(table, chances, 2.0, b) for b in (np.zeros_like(far), far)]
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
    table = firing(boards, clauses)
    found = fit_weights.move_weights(table, codes, good, 1.0, np.zeros(12))

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
    kept, weights, of = weigh_moves(boards, good, clauses, codes, most=8)
    assert len(kept) == len(weights) == len(of) <= 8
    machine = class_machine(kept, weights, of, list("abcd"))
    chosen = machine.predict(boards)
    assert good[np.arange(2000), chosen].all()


def test_the_order_of_clauses_is_nothing_to_moves():
    boards = some_boards(300, 4)
    good = np.eye(2, dtype=bool)[boards[:, 1]]
    clauses, codes = np.concatenate([single_literals(4)] * 2), np.repeat([0, 1], 8)
    order = np.random.default_rng(1).permutation(16)
    ways = [weigh_moves(boards, good, clauses[way], codes[way]) for way in (np.arange(16), order)]
    votes = [class_machine(*found, list("abcd"))._votes(boards) for found in ways]
    assert np.abs(votes[0] - votes[1]).max() <= 8


def test_values_between_win_and_loss_are_chances():
    boards = np.ones((100, 1), np.uint8)
    _, weights = weigh(boards, np.full(100, 0.5), single_literals(1)[:1], penalty=1e-6)
    assert weights.tolist() == [round(UNIT * np.log(3))]


def test_fewer_doubts_with_better_clauses():
    boards = some_boards(1000)
    values = np.where(boards[:, 0] ^ boards[:, 1], 1.0, -1.0)
    exact = np.zeros((2, 12), bool)
    exact[0, [0, 7]] = exact[1, [1, 6]] = True
    singles = weigh(boards, values, single_literals(6))
    better = weigh(boards, values, np.concatenate([single_literals(6), exact]))

    def loss_of(clauses, weights):
        return mean_log_loss(boards, values, clauses, weights / UNIT)

    assert loss_of(*better) < 0.2 < loss_of(*singles)


def test_a_machine_votes_as_its_clauses_weigh(tmp_path):
    boards = some_boards(50)
    clauses = np.random.default_rng(0).random((30, 12)) < 0.2
    clauses = clauses[clauses.any(axis=1) & ~(clauses[:, :6] & clauses[:, 6:]).any(axis=1)]
    clauses = np.unique(clauses, axis=0)
    weights = np.random.default_rng(0).integers(-300, 300, len(clauses))
    weights[weights == 0] = 7
    names = [f"bit {k}" for k in range(6)]
    machine = win_loss_machine(clauses, weights, names, worth_one=4.0)
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
    machine = win_loss_machine(single_literals(2)[:1], np.array([5]), ["a", "b"], 4.0)
    assert machine._votes(np.array([[1, 0], [0, 0]], np.uint8)).tolist() == [[0, 5], [0, 0]]


def test_moves_are_learned():
    boards = some_boards(3000, n_bits=4)
    moves = boards[:, 0] + 2 * boards[:, 1].astype(np.int64)
    clauses = np.concatenate([single_literals(4)] * 4)
    codes = np.repeat(np.arange(4), 8)
    kept, weights, of = weigh_moves(boards, np.eye(4, dtype=bool)[moves], clauses, codes, most=20)
    assert len(kept) == len(weights) == len(of) <= 20
    machine = class_machine(kept, weights, of, ["a", "b", "c", "d"])
    assert (machine.predict(boards) == moves).mean() > 0.99
    assert machine.classes_.tolist() == [0, 1, 2, 3]


def test_the_same_data_gives_the_same_weights():
    boards = some_boards(500, n_bits=4)
    moves = boards[:, 0].astype(np.int64)
    clauses, codes = np.concatenate([single_literals(4)] * 2), np.repeat([0, 1], 8)
    good = np.eye(2, dtype=bool)[moves]
    found = [weigh_moves(boards, good, clauses, codes) for _ in range(2)]
    assert all(np.array_equal(a, b) for a, b in zip(*found, strict=True))
