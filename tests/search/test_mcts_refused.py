"""What Monte-Carlo tree search is named, and what it refuses."""

import math

import pytest
from mcts_judges import Linear

from clauseboard.game import load_game
from clauseboard.search import load_search, search_names
from clauseboard.search.mcts import MonteCarlo, Rollouts


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"simulations": 0}, "simulations=0 must be an integer >= 1"),
        ({"simulations": True}, "simulations=True"),
        ({"rollouts": -1}, "rollouts=-1 must be an integer >= 0"),
        ({"expand_from": 1}, "expand_from=1 must be an integer >= 2"),
        ({"most_nodes": 10}, "most_nodes=10 must be an integer from 1000"),
        ({"most_nodes": 2**31}, "must be an integer from 1000 to 2147483647"),
        ({"exploration": -1.0}, "exploration=-1.0 must be a number >= 0"),
        ({"exploration": math.inf}, "exploration=inf"),
        ({"exploration": math.nan}, "exploration=nan"),
        ({"mix": 1.5}, "mix=1.5 must be a number from 0 to 1"),
        ({"noise": "much"}, "noise='much'"),
        ({"noise_shape": 0}, "noise_shape=0 must be a number > 0"),
        ({"noise_shape": None}, "noise_shape=None"),
        ({"scale": 0.0}, "scale=0.0 must be a number > 0"),
        ({"temperature": -0.1}, "temperature=-0.1"),
        ({"prior_weight": -2}, "prior_weight=-2"),
        ({"keep": 1}, "keep=1 must be True or False"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        MonteCarlo(**parameters)


def test_it_is_found_by_its_name():
    assert "mcts" in search_names()
    assert load_search("mcts", simulations=5) == MonteCarlo(simulations=5)


def test_a_finished_game_has_no_move():
    over = load_game("hex", size=2).read_position("RB/R. blue")
    with pytest.raises(ValueError, match="There is no move any more: red wins"):
        MonteCarlo(rollouts=1).find(over, Rollouts(over.game))


def test_nothing_to_judge_by_is_refused():
    position = load_game("hex", size=3).start()
    with pytest.raises(ValueError, match="rollouts says nothing about positions"):
        MonteCarlo().find(position, Rollouts(position.game))


def test_a_scale_without_votes_is_refused():
    position = load_game("hex", size=3).start()
    with pytest.raises(ValueError, match=r"scale=5\.0 divides votes"):
        MonteCarlo(scale=5.0).find(position, Linear(position.game))
    with pytest.raises(ValueError, match="gives values and no votes"):
        MonteCarlo(scale=5.0).find(position, Linear(position.game, compiles=False))
