"""Gradient descent: the slope is that of the loss, a lesson is learned, one seed one network."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import load_game
from clauseboard.learners.swarm.network import NetworkShape, forward
from clauseboard.learners.swarm.swarm import (
    DESCENT_FIGURES,
    Descent,
    DescentOptions,
    loss_and_gradient,
)

HEX = load_game("hex", size=3)
SMALL = DescentOptions(rounds=2, games=20, hidden=3, opening=1, batch=32)


def begun(**changes):
    options = dataclasses.replace(SMALL, **changes)
    return Descent.begin(NetworkShape(HEX, options.hidden), options)


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1), rows=st.sampled_from([1, 2, 17]))
def test_the_slope_is_that_of_the_loss(seed, rows):
    rng = np.random.default_rng(seed)
    shape = NetworkShape(HEX, 3)
    weights = 2 * shape.random_weights(rng)
    inputs = rng.integers(-1, 2, (rows, 9)).astype(float)
    targets = rng.choice([0.0, 0.5, 1.0], rows)
    _, gradient = loss_and_gradient(shape, weights, inputs, targets)
    for k in range(shape.size):
        step = np.zeros(shape.size)
        step[k] = 1e-6
        up, _ = loss_and_gradient(shape, weights + step, inputs, targets)
        down, _ = loss_and_gradient(shape, weights - step, inputs, targets)
        assert gradient[k] == pytest.approx((up - down) / 2e-6, abs=1e-7)


def test_loss_of_a_hand_worked_case():
    shape = NetworkShape(HEX, 1)
    weights = np.zeros(shape.size)
    loss, gradient = loss_and_gradient(shape, weights, np.zeros((2, 9)), np.array([1.0, 0.5]))
    assert loss == pytest.approx(np.log(2))
    assert gradient[-1] == pytest.approx((0.5 - 1 + 0.5 - 0.5) / 2)


@pytest.mark.parametrize("rate", [0.003, 0.03, 0.1])
def test_a_lesson_told_often_is_learned(rate):
    descent = begun(rate=rate)
    inputs = np.array([[1.0] * 4 + [0.0] * 5, [0.0] * 5 + [-1.0] * 4])
    targets = np.array([1.0, 0.0])
    before, _ = loss_and_gradient(descent.shape, descent.weights, inputs, targets)
    for _ in range(300):
        descent._learn(inputs, targets)
    after, _ = loss_and_gradient(descent.shape, descent.weights, inputs, targets)
    assert after < before / 2
    assert descent.taken == 300


def test_the_first_step_of_adam_goes_as_far_as_the_rate():
    descent = begun(rate=0.25)
    before = descent.weights.copy()
    inputs, targets = np.ones((1, 9)), np.array([1.0])
    _, gradient = loss_and_gradient(descent.shape, before, inputs, targets)
    descent._learn(inputs, targets)
    moved = np.abs(gradient) > 1e-4
    assert moved.any()
    np.testing.assert_allclose(
        (descent.weights - before)[moved], -0.25 * np.sign(gradient[moved]), rtol=1e-3
    )


def test_lessons_are_the_boards_of_the_games():
    descent = begun(games=30, explore=0.5)
    played = descent._play(np.random.default_rng(3))
    lengths = np.concatenate([part.lengths for part in played])
    assert len(lengths) == 30
    assert sum(len(part.boards) for part in played) == lengths.sum()
    descent.advance()
    figures = dict(zip(DESCENT_FIGURES, descent.history[0], strict=True))
    assert figures["first won"] + figures["second won"] + figures["drawn"] == 30
    assert figures["boards"] > 30


def test_it_learns_who_wins():
    """On a small board the outputs come to tell winners from losers."""
    descent = begun(games=200, rate=0.02, batch=32, passes=3)
    for _ in range(6):
        descent.advance()
    played = descent._play(np.random.default_rng(123))
    boards = np.concatenate([part.boards for part in played])
    gains = np.concatenate([part.gains for part in played])
    bits = np.unpackbits(boards, axis=1, bitorder="little", count=18)
    _, outputs = forward(descent.shape, descent.weights, bits @ descent.shape.inputs_of_bits())
    assert ((outputs > 0.5) == (gains > 0)).mean() > 0.65


@pytest.mark.parametrize("n_jobs", [1, 2, 5])
def test_one_seed_gives_one_network_whatever_the_threads(n_jobs):
    one, other = begun(), begun(n_jobs=n_jobs)
    one.advance()
    other.advance()
    assert one.weights.tobytes() == other.weights.tobytes()
    another = begun(seed=2)
    another.advance()
    assert another.weights.tobytes() != one.weights.tobytes()


@pytest.mark.parametrize("name", ["batch", "passes", "games"])
@pytest.mark.parametrize("value", [1, 3, 50])
def test_sizes_that_are_allowed_work(name, value):
    descent = begun(**{"games": 5, name: value})
    descent.advance()
    assert np.isfinite(descent.weights).all()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"rounds": 0}, "rounds=0"),
        ({"games": 0}, "games=0"),
        ({"hidden": True}, "hidden=True"),
        ({"batch": 0}, "batch=0"),
        ({"passes": 0}, "passes=0"),
        ({"rate": -1}, "rate=-1 must be a number from 0 to 10"),
        ({"explore": 1.5}, "explore=1.5 must be a number from 0 to 1"),
        ({"opening": -2}, "opening=-2"),
        ({"longest": 0}, "longest=0"),
        ({"seed": 0.5}, "seed=0.5"),
        ({"n_jobs": None}, "n_jobs=None"),
    ],
)
def test_wrong_options_are_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        DescentOptions(**wrong)
