"""What a search said of a board, taken for odds."""

import math

import pytest

from clauseboard.game import load_game
from clauseboard.selfplay.games import SelfPlayGame
from clauseboard.selfplay.settings import settings_for
from clauseboard.selfplay.training_set import training_set_of

GAME = load_game("hex", size=3)
PLAYED = SelfPlayGame(
    moves=("a1", "b1", "a2", "b2", "a3"),
    n_given=2,
    winner="red",
    reason="red has connected",
    values=(0.25, -1.0, 1.0),
    counts=((), (), ()),
)


@pytest.mark.parametrize("odds", [1.0, 4.0, 12.0])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_value_is_the_logarithm_of_the_odds(odds, share):
    lessons = training_set_of(GAME, [PLAYED], result_share=share, odds=odds)
    expected = []
    for said, result in zip(PLAYED.values, (1.0, -1.0, 1.0), strict=True):
        chance = 1 / (1 + math.exp(-odds * said))
        expected.append(share * result + (1 - share) * (2 * chance - 1))
    assert lessons.values.tolist() == pytest.approx(expected)


def test_without_odds_a_value_stays_what_it_is():
    assert training_set_of(GAME, [PLAYED], result_share=0.0).values.tolist() == list(PLAYED.values)


def test_a_plan_says_yes_or_no():
    assert settings_for(load_game("checkers")).odds is True
    assert settings_for(GAME).odds is False
    with pytest.raises(ValueError, match="odds=4 must be True or False"):
        settings_for(GAME, {"odds": 4})
