"""Scores, Elo and Bradley-Terry: by hand, by brute force, and by how often intervals are right."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.arena.ratings import (
    ELO,
    bradley_terry,
    elo_difference,
    elo_of,
    gain,
    score_interval,
)
from naive.ratings import likeliest

few = st.integers(0, 200)


def test_without_draws_it_is_wilsons_interval():
    # By Wilson's formula, worked out with 8 of 10 and z = 1.96.
    found = score_interval(8, 0, 2)
    assert (found.low, found.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)


@pytest.mark.parametrize(
    ("first", "second", "published"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table II, method 10.
        ((56, 14), (48, 32), (0.0524, 0.3339)),
        ((9, 1), (3, 7), (0.1705, 0.8090)),
        ((10, 0), (0, 20), (0.6791, 1.0000)),
    ],
)
def test_a_gain_has_newcombes_interval(first, second, published):
    (won, lost), (also_won, also_lost) = first, second
    found = gain(score_interval(won, 0, lost), score_interval(also_won, 0, also_lost))
    assert found.score == pytest.approx(won / (won + lost) - also_won / (also_won + also_lost))
    assert (found.low, found.high) == pytest.approx(published, abs=1e-4)


def test_a_gain_is_in_its_interval_about_95_times_in_a_hundred():
    draws = np.random.default_rng(5)
    held, tries = 0, 2000
    for _ in range(tries):
        wins, drawn, losses = draws.multinomial(60, (0.5, 0.3, 0.2))
        others = draws.multinomial(40, (0.3, 0.3, 0.4))
        found = gain(score_interval(wins, drawn, losses), score_interval(*others))
        held += found.low <= 0.65 - 0.45 <= found.high
    assert 0.93 < held / tries < 0.97


@given(few, few, few)
def test_the_interval_is_around_the_score(wins, draws, losses):
    found = score_interval(wins, draws, losses)
    assert 0 <= found.low <= found.score <= found.high <= 1
    turned = score_interval(losses, draws, wins)
    assert (turned.low, turned.high) == pytest.approx((1 - found.high, 1 - found.low), abs=1e-12)
    if wins + draws + losses:
        assert found.low < found.high


@given(few, few, few)
def test_its_ends_are_where_the_score_is_just_believable(wins, draws, losses):
    n, z = wins + draws + losses, 1.5
    if n == 0:
        return
    found = score_interval(wins, draws, losses, z)
    drawn = draws / (n + z * z)
    for end in (found.low, found.high):
        if 0 < end < 1:
            variance = end * (1 - end) - drawn / 4
            assert (found.score - end) ** 2 == pytest.approx(z * z * variance / n, abs=1e-9)


def test_draws_make_it_narrower():
    with_draws, without = score_interval(10, 80, 10), score_interval(50, 0, 50)
    assert with_draws.high - with_draws.low < 0.6 * (without.high - without.low)


def test_no_games_tell_nothing():
    found = score_interval(0, 0, 0)
    assert (found.score, found.low, found.high) == (0.5, 0.0, 1.0)


@pytest.mark.parametrize(
    ("chances", "n"),
    [((0.5, 0.0, 0.5), 30), ((0.3, 0.4, 0.3), 40), ((0.7, 0.2, 0.1), 50), ((0.05, 0.9, 0.05), 60)],
)
def test_intervals_are_right_about_95_times_in_a_hundred(chances, n):
    true = chances[0] + chances[1] / 2
    trials = np.random.default_rng(1).multinomial(n, chances, size=4000)
    right = 0
    for wins, draws, losses in trials.tolist():
        found = score_interval(wins, draws, losses)
        right += found.low <= true <= found.high
    assert 0.93 <= right / len(trials) <= 0.99


@pytest.mark.parametrize(("score", "elo"), [(0.5, 0), (10 / 11, 400), (1 / 11, -400)])
def test_elo_by_its_definition(score, elo):
    assert elo_of(score) == pytest.approx(elo, abs=1e-9)


def test_who_won_everything_is_ahead_without_bound():
    found = elo_difference(10, 0, 0)
    assert (found.elo, found.high) == (math.inf, math.inf)
    assert 100 < found.low < 200
    found = elo_difference(0, 0, 10)
    assert (found.elo, found.low) == (-math.inf, -math.inf)
    assert -200 < found.high < -100


@pytest.mark.parametrize("score", [-0.1, 1.1, math.nan])
def test_no_score(score):
    with pytest.raises(ValueError, match="a share from 0 to 1, not"):
        elo_of(score)


@pytest.mark.parametrize("counts", [(-1, 0, 0), (0, -1, 0), (0, 0, -1)])
def test_no_number_of_games(counts):
    with pytest.raises(ValueError, match="=-1 must be an integer >= 0"):
        score_interval(*counts)


def test_two_players_by_hand():
    # Three wins to one: odds of 3, so that the two are 400 log10(3) = 190.85 points apart. The
    # information is 4 games × 3/4 × 1/4, and its inverse the variance of the difference.
    one, two = bradley_terry([[0, 3], [1, 0]], prior=0)
    assert one.elo - two.elo == pytest.approx(190.848, abs=1e-3)
    assert one.elo == pytest.approx(-two.elo)
    spread = 1.959964 * ELO * math.sqrt(1 / (4 * 3 / 16)) / 2
    assert one.high - one.elo == pytest.approx(spread, rel=1e-6)
    assert one.elo - one.low == pytest.approx(spread, rel=1e-6)


def test_three_players_by_hand():
    # Odds of 2 and of 2 make 4 between the ends, which all results agree with.
    found = bradley_terry([[0, 4, 8], [2, 0, 4], [2, 2, 0]], prior=0)
    assert [r.elo for r in found] == pytest.approx([ELO * math.log(2), 0, -ELO * math.log(2)])


@settings(max_examples=15)
@given(st.integers(2, 4).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 12), min_size=n, max_size=n), min_size=n, max_size=n)
), st.sampled_from([0.5, 1.0, 4.0]))  # fmt: skip
def test_as_by_brute_force(points, prior):
    found = [rating.elo / ELO for rating in bradley_terry(points, prior)]
    assert found == pytest.approx(likeliest(points, prior), abs=1e-4)
    assert sum(found) == pytest.approx(0, abs=1e-9)


def test_as_by_brute_force_without_a_prior():
    points = [[0, 5, 7.5], [3, 0, 6], [2.5, 1, 0]]
    found = [rating.elo / ELO for rating in bradley_terry(points, 0)]
    assert found == pytest.approx(likeliest(points, 0), abs=1e-4)


def test_true_ratings_are_found_again():
    rng = np.random.default_rng(3)
    true = np.array([300.0, 100.0, 0.0, -150.0, -250.0])
    right = trials = 0
    for _ in range(200):
        points = np.zeros((5, 5))
        for i in range(5):
            for j in range(i):
                won = rng.binomial(40, 1 / (1 + 10 ** ((true[j] - true[i]) / 400)))
                points[i, j], points[j, i] = won, 40 - won
        for rating, truth in zip(bradley_terry(points, 0.1), true, strict=True):
            right += rating.low <= truth <= rating.high
            trials += 1
    assert 0.92 <= right / trials <= 0.98


def test_a_player_that_lost_everything_has_a_rating():
    best, worst = bradley_terry([[0, 10], [0, 0]])
    assert math.isfinite(best.high)
    assert best.elo == -worst.elo > 200
    more, _ = bradley_terry([[0, 1000], [0, 0]])
    assert more.elo > best.elo + 300


@pytest.mark.parametrize("points", [[[0, 10], [0, 0]], [[0, 1, 0], [1, 0, 0], [0, 0, 0]]])
def test_without_a_prior_some_distances_have_no_bound(points):
    with pytest.raises(ValueError, match="give a prior above 0"):
        bradley_terry(points, prior=0)


def test_one_player_alone():
    (found,) = bradley_terry([[0]])
    assert (found.elo, found.low, found.high) == (0, 0, 0)


@pytest.mark.parametrize(
    ("points", "prior", "told"),
    [
        ([[0, 1]], 1, "a square table"),
        ([], 1, "a square table"),
        ([[0, -1], [1, 0]], 1, "numbers >= 0"),
        ([[0, math.nan], [1, 0]], 1, "numbers >= 0"),
        ([[0, 1], [1, 0]], -1, "numbers >= 0"),
    ],
)
def test_bad_points(points, prior, told):
    with pytest.raises(ValueError, match=told):
        bradley_terry(points, prior)
