"""RAVE: random games that count for moves made later, against a slow twin; and what is refused."""

import numpy as np
import pytest
from mcts_judges import concept_judge

from clauseboard.evaluation import Compiled, Evaluator, Judgements, Limit
from clauseboard.game import load_game
from clauseboard.kernels.compiler import specialised
from clauseboard.search.compiled_rules import compiled_rules_of
from clauseboard.search.mcts import MonteCarlo, Rollouts
from clauseboard.search.mcts_trees import start_of
from naive.mcts import JudgedTree, LaterTree


class Alike(Evaluator):
    """Says nothing of positions, and that all moves are alike: a table without clauses."""

    def __init__(self, game):
        self.game = game

    def judge(self, positions):
        return Judgements(np.zeros(len(positions)))

    def compiled(self):
        return Compiled(Compiled.NOTHING), Compiled(Compiled.NOTHING)

    def priors(self, positions):
        return [np.full(len(p.moves()), 1 / len(p.moves())) for p in positions]

    def compiled_priors(self):
        codes = compiled_rules_of(self.game).n_codes(self.game)
        both = Compiled(Compiled.CLAUSES, view="mover", table=np.zeros((0, 16, 16), np.uint64),
                        out=np.zeros((0, 1, 16), np.uint64), n_outputs=codes)  # fmt: skip
        return both, both


def hex_game(position, counter):
    """A random game of Hex: who wins, the counter, and who gets which cell."""
    game, rules = position.game, compiled_rules_of(position.game)
    kernels = specialised("clauseboard.search.board_template", rules)
    state = rules.state_of(position)
    result, counter = kernels.play_out(
        state, rules.settings_of(game), rules.new_scratch(game), np.uint64(counter)
    )
    makers = {
        move: game.colours[side]
        for move in position.moves()
        for side in range(2)
        if int(state[side, 0]) >> rules.code_of(position, move) & 1
    }
    return game.colours[result], int(counter), makers


@pytest.mark.parametrize("rave", [1.0, 30.0, 1000.0])
@pytest.mark.parametrize(("weight", "expand_from"), [(0.5, 2), (1.0, 2), (3.0, 2), (1.0, 5)])
def test_visits_are_those_of_the_slow_twin(rave, weight, expand_from):
    game = load_game("hex", size=3)
    for text in (".../.../... red", "R../.../... blue", "R../.B./... red"):
        position = game.read_position(text)
        search = MonteCarlo(
            simulations=80, rollouts=1, rave=rave, prior_weight=weight, expand_from=expand_from
        )
        found = search.find(position, Alike(game), seed=7)
        tree = LaterTree(
            position, hex_game, start_of(7), rave, lambda p: [1 / len(p.moves())] * len(p.moves()),
            weight,
        )  # fmt: skip
        tree.expand_from = expand_from
        for _ in range(80):
            tree.simulate()
        visits = {one.move: one.visits for one in found.candidates}
        assert [visits[move] for move in position.moves()] == tree.root_visits()


@pytest.mark.parametrize(("share", "least"), [(0.4, 6), (1.0, 1), (0.1, 3)])
def test_a_judge_of_boards_has_its_share_as_in_the_slow_twin(share, least):
    game = load_game("hex", size=3)
    judge = concept_judge(game)
    differs = 0
    for text in (".../.../... red", "R../.../... blue", "R../.B./... red"):
        position = game.read_position(text)
        search = MonteCarlo(rollouts=1, rave=30.0, judged=share, judged_from=least, keep=False)
        plain = search.find(position, Alike(game), Limit(simulations=80), seed=7)
        search.board_judge = judge
        found = search.find(position, Alike(game), Limit(simulations=80), seed=7)
        tree = JudgedTree(
            position, hex_game, start_of(7), 30.0, lambda p: [1 / len(p.moves())] * len(p.moves()),
            1.0, lambda p: 2 * judge.chance(judge.judge([p]).values[0]) - 1, share, least,
        )  # fmt: skip
        for _ in range(80):
            tree.simulate()
        visits = {one.move: one.visits for one in found.candidates}
        assert [visits[move] for move in position.moves()] == tree.root_visits()
        differs += visits != {one.move: one.visits for one in plain.candidates}
    assert differs


@pytest.mark.parametrize("name", ["hex", "go"])
@pytest.mark.parametrize("rollouts", [1, 3])
def test_what_was_noted_is_within_bounds_and_kept_with_the_tree(name, rollouts):
    game = load_game(name, size=4)
    search = MonteCarlo(simulations=120, rollouts=rollouts, rave=50.0)
    position = game.start()
    choice = search.find(position, Alike(game), seed=1)
    games, totals = search._tree._arrays[8:10]
    root = search._tree._below(0)
    n_games = 120 * rollouts
    assert all(0 < games[node] <= n_games for node in root if search._tree._arrays[2][node] < 16)
    assert all(abs(totals[node]) <= games[node] for node in root)
    if name == "hex":
        # Every empty cell goes to one side or the other: to red in half of them, or one more.
        assert abs(sum(games[node] for node in root) - 8 * n_games) <= n_games
    before = {search._tree._arrays[2][n]: games[n] for n in search._tree._below(root[0])}
    code = search._tree._arrays[2][root[0]]
    move = compiled_rules_of(game).move_of(position, int(code))
    assert search._tree.advance(move)
    after = search._tree._arrays
    assert before == {after[2][n]: after[8][n] for n in search._tree._below(0)}
    assert choice.move in position.moves()


def test_it_is_off_unless_asked_for():
    game = load_game("hex", size=3)
    search = MonteCarlo(simulations=20, rollouts=1)
    search.find(game.start(), Alike(game))
    assert len(search._tree._arrays[8]) == len(search._tree._arrays[9]) == 1


@pytest.mark.parametrize("rave", [-1, float("inf"), True, "much"])
def test_rave_that_is_no_number(rave):
    with pytest.raises(ValueError, match="must be a number >= 0"):
        MonteCarlo(rave=rave)


def test_rave_needs_priors_random_games_and_a_game_that_notes():
    game = load_game("hex", size=3)
    with pytest.raises(ValueError, match="rave=5 needs random games"):
        MonteCarlo(rollouts=1, rave=5.0).find(game.start(), Rollouts(game))
    checkers = load_game("checkers")
    with pytest.raises(ValueError, match="rave=5 needs random games"):
        MonteCarlo(rollouts=1, rave=5.0).find(checkers.start(), Rollouts(checkers))
