"""Features of checkers, counted another way; and what a game without features says."""

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.games.concepts import features_of
from clauseboard.games.squares import mover_source
from clauseboard.learners.temporal.heuristic import FeatureSet, Heuristic
from naive import temporal as naive
from naive.machines import played, small_game

GAME = load_game("checkers")


def positions(n=None):
    return [position for position, _ in played(small_game("checkers"))][:n]


@pytest.mark.parametrize("which", ["three", "full"])
def test_they_are_what_counting_gives(which):
    some = positions()
    features = FeatureSet(GAME, which)
    found = features.of(some)
    for position, row in zip(some, found, strict=True):
        counted = naive.features(naive.board_of(position))
        assert row == pytest.approx([counted[name] for name in features.names], abs=1e-12)
    assert (found.std(axis=0) > 0).all()  # each of them is there to be seen


def test_by_hand():
    # Black: men on 1 and 13 (an edge), a king on 15; white: a man on 30, a king on 32.
    position = GAME.read_position("B:W30,K32:B1,13,K15")
    features = FeatureSet(GAME, "full")
    found = dict(zip(features.names, features.of([position])[0], strict=True))
    assert found == pytest.approx(
        {
            "piece difference": 1,
            "kings": 0,
            "side": 1,  # 13; neither 1 nor 32 touches the left or the right edge
            "back row": 0,
            "bridge": 0,
            "centre": 1,
            "tempo": 3 / 7,
            "near crowning": 0,
            "kings in the centre": 1,
            "double corner": -1,
        }
    )


@pytest.mark.parametrize("which", ["three", "full"])
def test_exchanged_colours_change_the_sign(which):
    features = FeatureSet(GAME, which)
    rows = GAME.encode(positions(200))
    turned = rows[:, mover_source(GAME)]
    assert np.allclose(rows @ features.over_bits.T, -(turned @ features.over_bits.T))
    assert not features.of([GAME.start()]).any()


def test_the_sets():
    assert [f.name for f in features_of(GAME, "three")] == ["piece difference", "kings", "side"]
    assert len(features_of(GAME, "full")) == 10
    assert [f.name for f in features_of(GAME, "full") if f.good] == ["piece difference", "kings"]


def test_what_is_refused():
    with pytest.raises(ValueError, match="no set of features 'half'; there are 'three', 'full'"):
        features_of(GAME, "half")
    for name in ("hex", "go"):
        with pytest.raises(ValueError, match=f"{name} has no features; games that have: checkers"):
            features_of(load_game(name), "three")


@pytest.mark.parametrize("weights", [[1.0, 1.0, 1.0], [2.0, -0.5, 0.1], [0.0, 0.0, 0.0]])
def test_the_most_is_never_passed(weights):
    heuristic = Heuristic(FeatureSet(GAME), np.array(weights), 3.0)
    assert (np.abs(heuristic.sums(positions())) <= heuristic.most).all()
    # Twelve kings on the edge (or in it, where that counts against them) are the most there is.
    alone = GAME.read_position("B:W32:BK5,K12,K13,K20,K21,K28,K29,K4")
    assert abs(heuristic.sums([alone])[0]) <= heuristic.most


def test_weights_that_cannot_be_added_up_are_refused():
    with pytest.raises(ValueError, match="3 features"):
        Heuristic(FeatureSet(GAME), np.ones(2), 3.0)
    for bad in (np.nan, np.inf, 1e9):
        with pytest.raises(ValueError, match="not all numbers"):
            Heuristic(FeatureSet(GAME), np.array([1.0, bad, 1.0]), 3.0)
