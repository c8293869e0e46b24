"""Temporal differences: a case worked out by hand, the gradient by trying, whole games retraced."""

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.game import Outcome, load_game
from clauseboard.learners.temporal import trainer
from clauseboard.learners.temporal.heuristic import FeatureSet, Heuristic, HeuristicEvaluator
from clauseboard.learners.temporal.trainer import LearningGames, rate, result_of, stepped
from naive import temporal as naive

GAME = load_game("checkers")
FEATURES = FeatureSet(GAME)


def learning_games(**changes):
    usual = {"depth": 2, "lead": 3.0, "opening": 4, "explore": 0.0, "longest": 60}
    return LearningGames(FEATURES, **{**usual, **changes})


def test_the_rate_of_the_seed():
    assert rate(1) == 1.0
    assert rate(51) == 0.5
    assert rate(951) == 0.05
    assert all(rate(n) > rate(n + 1) for n in range(1, 100))


def test_a_step_by_hand():
    # H = 2 at lead 2: U = tanh 1 = 0.76159; the target is 1, a is one half.
    u = math.tanh(1)
    grow = 0.5 * (1 - u) * (1 - u * u) / 2
    found = stepped(np.array([1.0, 1.0, 1.0]), np.array([1.0, 0.0, 1.0]), 1.0, 0.5, 2.0)
    assert found == pytest.approx([1 + grow, 1.0, 1 + grow], abs=1e-15)
    assert grow == pytest.approx(0.0250311, abs=1e-6)


def test_a_step_of_the_plain_rule_by_hand():
    # H = 2 at any lead; the target is 1, a is one half: both weights lose one half.
    found = stepped(np.ones(3), np.array([1.0, 0.0, 1.0]), 1.0, 0.5, 7.0, "linear")
    assert found.tolist() == [0.5, 1.0, 0.5]


numbers = st.floats(-3, 3)


@given(
    st.lists(st.tuples(numbers, numbers), min_size=1, max_size=6),
    st.floats(-1, 1),
    st.floats(0.01, 1),
    st.floats(0.5, 20),
)
def test_a_step_follows_the_gradient(pairs, target, a, lead):
    weights, counts = (list(side) for side in zip(*pairs, strict=True))
    found = stepped(np.array(weights), np.array(counts), target, a, lead)
    off = target - naive.prediction(weights, counts, lead)
    slopes = naive.numeric_gradient(weights, counts, lead)
    expected = [w + a * off * slope for w, slope in zip(weights, slopes, strict=True)]
    assert found == pytest.approx(expected, abs=1e-6)


@given(st.lists(numbers, min_size=3, max_size=3), st.floats(-1, 1), st.floats(0.01, 0.2))
def test_a_small_step_leads_nearer(counts, target, a):
    before, lead = np.ones(3), 3.0
    after = stepped(before, np.array(counts), target, a, lead)
    old = abs(target - naive.prediction(before, counts, lead))
    assert abs(target - naive.prediction(after, counts, lead)) <= old + 1e-12


@pytest.mark.parametrize(
    ("outcome", "result"),
    [
        (Outcome("black", ""), 1.0),
        (Outcome("white", ""), -1.0),
        (Outcome(None, ""), 0.0),
        (None, 0),
    ],
)
def test_results(outcome, result):
    assert result_of(GAME, outcome) == result


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_is_retraced(seed):
    """The weights after each move, by another way: every position searched once more."""
    school = learning_games()
    n_before = 17
    lesson = school.play(np.ones(3), n_before, random.Random(seed))
    rng = random.Random(seed)
    position, boards = trainer.opened(GAME, rng.randrange(5), rng)
    weights, course, before, n = [1.0] * 3, [[1.0] * 3], None, n_before + len(boards)

    def learn(target):
        off = target - naive.prediction(weights, before, 3.0)
        slopes = naive.numeric_gradient(weights, before, 3.0)
        a = 50 / (49 + n)
        course.append([w + a * off * s for w, s in zip(weights, slopes, strict=True)])
        # What the game had is taken, so that rounding does not lead to another game.
        return lesson.weights_by_move[len(course) - 1].tolist()

    while position.outcome() is None and len(boards) <= 60:
        judge = HeuristicEvaluator(Heuristic(FEATURES, np.array(weights), 3.0))
        choice = trainer.quick_search(2).find(position, judge, seed=rng.getrandbits(63))
        end = position
        for move in choice.line:
            end = end.play(move)
        if end.outcome() is None:
            counted = naive.features(naive.board_of(end))
            features = [counted[name] for name in FEATURES.names]
            predicted = naive.prediction(weights, features, 3.0)
        else:
            features, predicted = None, result_of(GAME, end.outcome())
        if before is not None:
            weights = learn(predicted)
        rng.random()  # the draw for exploring
        before = features
        position = position.play(choice.move)
        boards.append(position)
        n += 1
    if before is not None:
        learn(result_of(GAME, position.outcome()))
    assert lesson.boards == tuple(boards)
    assert lesson.outcome == position.outcome()
    assert lesson.weights_by_move == pytest.approx(np.array(course), abs=1e-6)
    assert len(course) > 20


@pytest.mark.parametrize("longest", [1, 10, 30])
def test_the_longest_game(longest):
    lesson = learning_games(longest=longest, opening=0, depth=1).play(
        np.ones(3), 0, random.Random(1)
    )
    assert len(lesson.boards) == longest + 1
    assert lesson.outcome is None


@pytest.mark.parametrize("opening", [0, 1, 5])
def test_the_opening(opening):
    lesson = learning_games(opening=opening, depth=1).play(np.ones(3), 0, random.Random(3))
    assert lesson.boards[0] == GAME.start()
    for before, after in itertools.pairwise(lesson.boards):
        assert after in [before.play(move) for move in before.moves()]


def test_from_a_move_at_random_nothing_is_learned():
    weights = np.array([1.0, 2.0, 3.0])
    lesson = learning_games(explore=1.0).play(weights, 0, random.Random(1))
    assert np.array_equal(lesson.weights, weights)
    some = learning_games(explore=0.3).play(weights, 0, random.Random(1))
    assert 1 < len(some.weights_by_move) < len(some.boards) - 5


def test_games_hang_on_their_seed_only():
    games = [learning_games().play(np.ones(3), 0, random.Random(seed)) for seed in (1, 1, 2)]
    assert games[0].boards == games[1].boards
    assert np.array_equal(games[0].weights_by_move, games[1].weights_by_move)
    assert games[0].boards != games[2].boards


def test_points_are_shared():
    """Against oneself with colours swapped; and who gives pieces away loses."""
    good = HeuristicEvaluator(Heuristic(FEATURES, np.array([1.0, 0.5, 0.0]), 3.0))
    bad = HeuristicEvaluator(Heuristic(FEATURES, np.array([-1.0, -0.5, 0.0]), 3.0))
    assert trainer.share_of_points(good, bad, 6, depth=2, seed=1) == 1.0
    assert trainer.share_of_points(bad, good, 6, depth=2, seed=1) == 0.0
    assert trainer.share_of_points(good, good, 2, depth=1, seed=1, longest=4) == 0.5
