"""Monte-Carlo tree search against its slow twin, simulation by simulation."""

import math

import numpy as np
import pytest
from mcts_judges import POSITIONS, Guiding, Linear, Voting, one_by_one, twin_history, value_judge

from clauseboard.kernels.compiler import specialised
from clauseboard.search.compiled_rules import compiled_rules_of
from clauseboard.search.mcts import MonteCarlo, Rollouts
from clauseboard.search.mcts_trees import ArrayTree, PositionTree, start_of
from naive.mcts import NaiveTree


@pytest.mark.parametrize("position", POSITIONS, ids=repr)
@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_selections_are_those_of_the_twin(position, seed):
    search = MonteCarlo(exploration=[math.sqrt(2), 0.5, 3.0][seed % 3])
    fast, slow = Linear(position.game), Linear(position.game, compiles=False)
    twin = NaiveTree(position, value_judge(fast), start_of(seed), exploration=search.exploration)
    expected = twin_history(twin)
    tree, history = one_by_one(search, position, fast, seed)
    assert isinstance(tree, ArrayTree)
    assert history == expected
    tree, history = one_by_one(search, position, slow, seed)
    assert isinstance(tree, PositionTree)
    assert history == expected


@pytest.mark.parametrize("position", POSITIONS[:3], ids=repr)
@pytest.mark.parametrize(("weight", "expand_from"), [(0.5, 2), (1.0, 2), (4.0, 2), (1.0, 4)])
def test_selections_by_priors_are_those_of_the_twin(position, weight, expand_from):
    search = MonteCarlo(prior_weight=weight, expand_from=expand_from)
    fast, slow = Guiding(position.game), Guiding(position.game, compiles=False)
    twin = NaiveTree(
        position, value_judge(fast), start_of(5), weight=weight,
        priors=lambda position: fast.priors([position])[0],
    )  # fmt: skip
    twin.expand_from = expand_from
    expected = twin_history(twin)
    assert one_by_one(search, position, fast, 5)[1] == expected
    tree, history = one_by_one(search, position, slow, 5)
    assert isinstance(tree, PositionTree)
    assert history == expected


@pytest.mark.parametrize("position", POSITIONS[:3], ids=repr)
@pytest.mark.parametrize(("rollouts", "mix"), [(1, 1.0), (2, 0.25), (3, 0.5)])
def test_selections_with_rollouts_are_those_of_the_twin(position, rollouts, mix):
    game = position.game
    rules = compiled_rules_of(game)
    board = specialised("clauseboard.search.board_template", rules)
    fast, slow = Linear(game), Linear(game, compiles=False)

    settings, scratch = rules.settings_of(game), rules.new_scratch(game)
    codes = np.zeros(rules.most_moves(game), np.int64)

    def judge(end, counter, path):
        value = value_judge(fast)(end, counter, path)[0] if mix < 1 else 0.0
        # The moves are played, since in Go a random game hangs on how the state came about.
        state, before = rules.state_of(position), position
        for move in path:
            board.play(state, settings, scratch, codes, rules.code_of(before, move))
            before = before.play(move)
        total = 0
        for _ in range(rollouts):
            result, counter = board.play_out(state.copy(), settings, scratch, np.uint64(counter))
            if result != 2:
                total += 1 if game.colours[result] == end.to_move else -1
        return value + mix * (total / rollouts - value), int(counter)

    search = MonteCarlo(rollouts=rollouts, mix=mix)
    expected = twin_history(NaiveTree(position, judge, start_of(2)))
    assert one_by_one(search, position, fast, 2)[1] == expected
    if game.name == "hex":
        assert one_by_one(search, position, slow, 2)[1] == expected
    if mix == 1.0:
        assert one_by_one(search, position, Rollouts(game), 2)[1] == expected


@pytest.mark.parametrize("scale", [10.0, 100.0, 100_000])
def test_votes_divided_by_a_scale(scale):
    position = POSITIONS[0]
    evaluator = Voting(position.game)

    def judge(position, counter, path):
        margin = evaluator.judge([position]).margins(position.to_move)[0]
        return min(max(margin / scale, -1.0), 1.0), counter

    expected = twin_history(NaiveTree(position, judge, start_of(4)))
    search = MonteCarlo(scale=scale)
    assert one_by_one(search, position, evaluator, 4)[1] == expected
    assert one_by_one(search, position, Voting(position.game, compiles=False), 4)[1] == expected
