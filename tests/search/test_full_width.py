"""The first move of the top board, of all boards some moves on."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.search import batch, load_search, search_names
from clauseboard.search.full_width import FullWidth
from naive import search as naive

FEW = settings(max_examples=5 if JIT_DISABLED else 25)

positions = st.builds(
    naive.position_of, st.sampled_from(sorted(naive.GAMES)), st.integers(0, 10**6)
)
views = st.sampled_from(["board", "mover"])
winners = st.sampled_from([(0, None, 1), (1, 0), (None, 1, 0)])


def test_it_is_found_by_its_name():
    assert "full_width" in search_names()
    assert load_search("full-width", sees_end=False) == FullWidth(sees_end=False)


# ---- worked out by hand


def test_a_tree_by_hand():
    # They would never go to 0.9, but the top board is what counts.
    tree = naive.Node([[[0.2, 0.9], [-1.0]], [[0.5], [0.6]], [[0.7, 0.1]]])
    choice = FullWidth().find(tree, naive.Written())
    assert (choice.move, choice.value, choice.line) == (0, 0.9, (0, 0, 1))
    assert [(c.move, c.value) for c in choice.candidates] == [(0, 0.9), (2, 0.7), (1, 0.6)]
    assert (choice.cost.nodes, choice.cost.depth) == (7, 3)


@pytest.mark.parametrize(
    ("tree", "move", "value", "line"),
    [
        # A win at once, before one that is forced, before all else.
        ([[[0.9]], [["us"], [0.1, "us"]], "us"], 2, 1.0, (2,)),
        ([[[0.9]], [["us"], [0.1, "us"]]], 1, 1.0, (1, 0, 0)),
        # A win that they can avoid is no win: what is left is 0.1.
        ([[["us"], [0.1]], [[0.2]]], 1, 0.2, (1, 0, 0)),
        # They could win: lost, though the board beside it is the best of all.
        ([["them", [0.9]], [[-0.7]]], 1, -0.7, (1, 0, 0)),
        # Where all is lost, the longest way.
        ([["them"], [["them"]]], 1, -1.0, (1, 0, 0)),
        # A draw is worth 0.
        ([["draw"], [[-0.1]]], 0, 0.0, (0, 0)),
        ([["draw"], [[0.1]]], 1, 0.1, (1, 0, 0)),
    ],
)
def test_ends_of_games_by_hand(tree, move, value, line):
    for seed in range(3):
        choice = FullWidth().find(naive.Node(tree), naive.Written(), seed=seed)
        assert (choice.move, choice.value, choice.line) == (move, value, line)


def test_blind_to_finished_games_by_hand():
    # The evaluator says 0 of finished games, and nothing else is known of them.
    tree = naive.Node([["them", [-0.1]], [[-0.2]], "us"])
    choice = FullWidth(sees_end=False).find(tree, naive.Written(), seed=1)
    assert {c.move: c.value for c in choice.candidates} == {0: 0.0, 1: -0.2, 2: 0.0}
    assert choice.cost.nodes == 4


def test_votes_come_before_values():
    """Votes are ranked as they are, where values are clipped: 1 here for both boards."""
    tree = naive.Node([[[(1500, 0, 0)]], [[(1000, 9000, -900)]], [[(0, 9000, 0)]]])
    choice = FullWidth().find(tree, naive.Written())
    assert [c.move for c in choice.candidates] == [1, 0, 2]


# ---- against the twin


@FEW
@given(positions, views, winners, st.sampled_from([1, 3]), st.booleans(), st.booleans())
def test_choices_are_those_of_the_twin(position, view, winners, depth, sees_end, votes):
    evaluator = naive.MadeUp(position.game, view, winners, spread=3)
    if not votes:
        evaluator = naive.ValuesOnly(evaluator)
    expected = dict(
        zip(
            position.moves(),
            naive.top_boards(position, evaluator, depth, sees_end),
            strict=True,
        )
    )
    search = FullWidth(depth, sees_end)
    choice = search.find(position, evaluator)
    assert choice == search.find(position, naive.ByPositions(evaluator))
    ranked = [expected[candidate.move] for candidate in choice.candidates]
    assert ranked == sorted(expected.values(), reverse=True)
    us = position.to_move
    for candidate, (kind, number) in zip(choice.candidates, ranked, strict=True):
        end = naive.replayed(position, candidate.line)
        if kind == naive.OPEN:
            if end.outcome() is None or not sees_end:
                assert naive.score_for(evaluator, end, us) == number
            assert candidate.value == pytest.approx(naive.value_for(evaluator, end, us))
        else:
            assert candidate.value == kind
            assert len(candidate.line) == abs(number)
            assert (end.outcome().winner == us) == (kind == naive.WON)


def test_depth_five_against_the_twin():
    game = load_game("hex", size=3)
    position = game.read_position("RB./..R/B.. red")
    evaluator = naive.MadeUp(game)
    expected = naive.top_boards(position, evaluator, 5)
    choice = FullWidth(5).find(position, evaluator)
    moves = position.moves()
    ranked = [expected[moves.index(candidate.move)] for candidate in choice.candidates]
    assert ranked == sorted(expected, reverse=True)


# ---- the top boards


@FEW
@given(positions, views, st.sampled_from([1, 3]), st.sampled_from([1, 10, 100]))
def test_the_top_boards_are_those_of_all_paths(position, view, depth, k):
    evaluator = naive.MadeUp(position.game, view, spread=3)
    us = position.to_move
    paths = naive.all_paths(position, depth)
    scores = sorted((naive.score_for(evaluator, end, us) for _, end in paths), reverse=True)
    for judge in (evaluator, naive.ByPositions(evaluator)):
        top = FullWidth(depth).top(position, judge, k)
        assert len(top) == len(top.paths) == min(k, len(paths))
        assert top.scores.tolist() == scores[:k]
        assert len(set(top.paths)) == len(top)
        for end, score, path in zip(top.positions, top.scores, top.paths, strict=True):
            assert naive.replayed(position, path) == end
            assert naive.score_for(evaluator, end, us) == score
    blind = FullWidth(depth, sees_end=False).find(position, evaluator)
    assert naive.score_for(evaluator, naive.replayed(position, blind.line), us) == scores[0]


def test_the_top_boards_in_small_batches(monkeypatch):
    game = load_game("hex", size=3)
    evaluator = naive.MadeUp(game, spread=1)
    whole = FullWidth().top(game.start(), evaluator, 30)
    chosen = FullWidth().find(game.start(), evaluator)
    for size in (1, 20, 100):
        monkeypatch.setattr(batch, "AT_A_TIME", size)
        top = FullWidth().top(game.start(), evaluator, 30)
        assert top.paths == whole.paths
        assert np.array_equal(top.scores, whole.scores)
        assert FullWidth().find(game.start(), evaluator) == chosen


@pytest.mark.parametrize("k", [0, -1, 1.5, True, "all", None])
def test_numbers_of_top_boards_that_are_none(k):
    game = load_game("hex", size=3)
    with pytest.raises(ValueError, match="k="):
        FullWidth().top(game.start(), naive.MadeUp(game), k)


def test_the_top_boards_of_a_finished_game():
    over = load_game("hex", size=2).read_position("RB/R. blue")
    with pytest.raises(ValueError, match="game is over, red wins"):
        FullWidth().top(over, naive.MadeUp(over.game))


# ---- numbers, chance, limits


@pytest.mark.skipif(JIT_DISABLED, reason="too many boards without the compiler")
def test_all_boards_of_the_third_level_are_judged():
    game = load_game("hex", size=6)
    cost = FullWidth().find(game.start(), naive.MadeUp(game)).cost
    assert (cost.nodes, cost.depth) == (36 * 35 * 34, 3)


def test_ties_are_broken_by_the_seed():
    tie = naive.Node([[[0.5]], [[0.5]], [[-0.5]], [[0.5]]])
    chosen = [FullWidth().find(tie, naive.Written(), seed=seed) for seed in range(60)]
    assert {choice.move for choice in chosen} == {0, 1, 3}
    assert chosen == [FullWidth().find(tie, naive.Written(), seed=seed) for seed in range(60)]


@pytest.mark.parametrize(
    ("limit", "depth", "nodes"),
    [
        (None, 3, 504),
        (Limit(depth=2), 1, 9),
        (Limit(depth=7), 3, 504),
        (Limit(nodes=512), 1, 9),
        (Limit(nodes=513), 3, 513),
        (Limit(seconds=1e-9), 1, 9),
        (Limit(seconds=1000), 3, 513),
    ],
)
def test_limits(limit, depth, nodes):
    game = load_game("hex", size=3)
    cost = FullWidth().find(game.start(), naive.MadeUp(game), limit).cost
    assert (cost.depth, cost.nodes) == (depth, nodes)
    assert cost.seconds > 0


@pytest.mark.parametrize("depth", [0, -1, 2.5, True, "3", None])
def test_depths_that_are_none(depth):
    with pytest.raises(ValueError, match="must be an integer >= 1"):
        FullWidth(depth=depth)


def test_an_even_depth_is_refused():
    with pytest.raises(ValueError, match="depth=2 must be an odd number of moves"):
        FullWidth(depth=2)


def test_a_superko_move_is_never_chosen():
    """The states know no superko, but the first moves are those of the rules."""
    game = load_game("go", size=2, superko=True, suicide=True)
    rng = random.Random(5)
    fewer = 0
    for seed in range(10):
        position = game.start()
        for _ in range(12):
            if not position.moves():
                break
            choice = FullWidth().find(position, naive.MadeUp(game, seed=seed))
            assert {c.move for c in choice.candidates} == set(position.moves())
            fewer += len(position.moves()) < 1 + position.board.count(0)
            naive.replayed(position, choice.line)
            position = position.play(rng.choice(position.moves()))
    assert fewer > 0


@pytest.mark.parametrize("value", ["maybe", 1, None])
def test_a_switch_is_true_or_false(value):
    with pytest.raises(ValueError, match=r"sees_end=.* must be True or False"):
        FullWidth(sees_end=value)
