"""Scores of all boards some moves on, averaged upwards."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.search import batch, load_search, search_names
from clauseboard.search.breadth_first import BreadthFirst
from naive import search as naive

FEW = settings(max_examples=5 if JIT_DISABLED else 25)

positions = st.builds(
    naive.position_of, st.sampled_from(sorted(naive.GAMES)), st.integers(0, 10**6)
)
views = st.sampled_from(["board", "mover"])
winners = st.sampled_from([(0, None, 1), (1, 0), (None, 1, 0)])


def test_it_is_found_by_its_name():
    assert "breadth_first" in search_names()
    assert load_search("breadth-first", depth=5) == BreadthFirst(depth=5)


# ---- worked out by hand


TREE = naive.Node(
    [
        # (1 + 1/2 + 0) / 3 = 1/2 and (0 + 0) / 2 = 0; on average 1/4
        [[0.8, 0.0, -0.3], [-1.0, -0.1]],
        # They cannot move: 9
        "us",
        # We cannot move: -9; and (1 + 1) / 2 = 1; on average -4
        ["them", [0.1, 0.9]],
        # A drawn game before the end: 1/2; and one at the end beside a loss: 1/4; on average 3/8
        ["draw", ["draw", -0.5]],
        # A win at the end: (9 + 0) / 2
        [["us", -0.5]],
    ]
)


@pytest.mark.parametrize(
    ("parameters", "scores"),
    [
        ({}, [1 / 4, 9, -4, 3 / 8, 9 / 2]),
        ({"forced_score": (1, 0)}, [1 / 4, 1, 1 / 2, 3 / 8, 1 / 2]),
        ({"forced_score": (2, -1)}, [1 / 4, 2, 0, 3 / 8, 1]),
        # (1.8 + 1 + 0.7) / 6 and (0 + 0.9) / 4; (1.1 + 1.9) / 4 beside -9; 0.5 beside 0.25
        ({"confidence": True}, [(3.5 / 6 + 0.225) / 2, 9, -4.125, 0.4375, 4.625]),
        # Boards at full depth are the evaluator's: it says 0, a draw, of finished games.
        ({"sees_last_end": False}, [1 / 4, 9, -4, 3 / 8, 1 / 4]),
        # One move ahead boards that go on are judged: here nothing is said of them, so a draw.
        ({"depth": 1}, [1 / 2, 9, 1 / 2, 1 / 2, 1 / 2]),
    ],
)
def test_a_tree_averaged_by_hand(parameters, scores):
    search = BreadthFirst(**parameters)
    assert search.scores(TREE, naive.Written()) == pytest.approx(scores, abs=1e-11)


def test_what_is_chosen_in_that_tree():
    choice = BreadthFirst().find(TREE, naive.Written())
    assert (choice.move, choice.value, choice.line) == (1, 1.0, (1,))
    assert [c.move for c in choice.candidates] == [1, 4, 3, 0, 2]
    assert [c.value for c in choice.candidates] == pytest.approx([1, 1, -0.25, -0.5, -1])
    # After a move they choose what is worst for us, and then we what is best.
    lines = {c.move: c.line for c in choice.candidates}
    assert lines == {0: (0, 1, 0), 1: (1,), 2: (2, 0), 3: (3, 1, 0), 4: (4, 0, 0)}
    # Of the boards at full depth, five, two, one and one go on and are judged.
    assert (choice.cost.nodes, choice.cost.depth) == (9, 3)


def test_it_searches_for_either_side():
    turned = naive.Node([[[1.0, -1.0], [1.0]], [[-1.0]]], to_move="them")
    assert BreadthFirst().scores(turned, naive.Written()).tolist() == [0.25, 1.0]


# ---- against the twin


@FEW
@given(positions, views, winners, st.sampled_from([1, 3]), st.booleans(), st.booleans())
def test_scores_are_those_of_the_twin(position, view, winners, depth, confidence, sees_last_end):
    evaluator = naive.MadeUp(position.game, view, winners, spread=3)
    search = BreadthFirst(depth, (9, -9), confidence, sees_last_end)
    leaf = naive.confident_score if confidence else naive.class_score
    expected = naive.averages(position, evaluator, depth, leaf=leaf, sees_last_end=sees_last_end)
    for judge in (evaluator, naive.ByPositions(evaluator)):
        scores = search.scores(position, judge)
        assert scores == pytest.approx([float(score) for score in expected], abs=1e-9)
        if not confidence:  # what is equal on paper is equal
            best = max(expected)
            assert (scores == scores.max()).tolist() == [score == best for score in expected]


@pytest.mark.parametrize("forced", [(9, -9), (1, 0), (3.5, 0.5)])
def test_forced_scores_and_depth_five_against_the_twin(forced):
    game = load_game("hex", size=3)
    position = game.read_position("RB./..R/B.. red")
    evaluator = naive.MadeUp(game)
    expected = naive.averages(position, evaluator, 5, forced)
    scores = BreadthFirst(5, forced).scores(position, evaluator)
    assert scores == pytest.approx([float(score) for score in expected], abs=1e-9)


@FEW
@given(positions, views, winners, st.integers(0, 100))
def test_states_and_positions_give_the_same_choice(position, view, winners, seed):
    evaluator = naive.MadeUp(position.game, view, winners, spread=2)
    for judge in (evaluator, naive.ValuesOnly(evaluator)):
        choice = BreadthFirst().find(position, judge, seed=seed)
        assert choice == BreadthFirst().find(position, naive.ByPositions(judge), seed=seed)
        end = naive.replayed(position, choice.line)
        assert len(choice.line) == 3 or end.outcome() is not None
        assert {c.move for c in choice.candidates} == set(position.moves())


def test_values_are_enough():
    game = load_game("hex", size=3)
    evaluator = naive.ValuesOnly(naive.MadeUp(game))
    expected = naive.averages(game.start(), evaluator)
    scores = BreadthFirst().scores(game.start(), evaluator)
    assert scores == pytest.approx([float(score) for score in expected], abs=1e-9)


def test_small_batches_make_no_difference(monkeypatch):
    game = load_game("hex", size=3)
    evaluator = naive.MadeUp(game)
    whole = BreadthFirst().find(game.start(), evaluator)
    for size in (1, 7, 50):
        monkeypatch.setattr(batch, "AT_A_TIME", size)
        assert BreadthFirst().find(game.start(), evaluator) == whole


# ---- chance and limits


def test_ties_are_broken_by_the_seed():
    tie = naive.Node([[[0.5]], [[0.5]], [[-0.5]], [[0.5]]])
    chosen = [BreadthFirst().find(tie, naive.Written(), seed=seed) for seed in range(60)]
    assert {choice.move for choice in chosen} == {0, 1, 3}
    again = [BreadthFirst().find(tie, naive.Written(), seed=seed) for seed in range(60)]
    assert chosen == again


def test_it_wins_where_it_can_and_sees_what_threatens():
    game = load_game("hex", size=3)
    evaluator = naive.MadeUp(game)
    position = game.read_position("RB./R.B/... red")
    choice = BreadthFirst().find(position, evaluator)
    assert position.play(choice.move).outcome().winner == "red"
    assert choice.value == 1.0


@pytest.mark.parametrize(
    ("limit", "depth", "nodes"),
    [
        (None, 5, 3024 * 5),
        (Limit(depth=4), 3, 504),
        (Limit(depth=2), 1, 9),
        (Limit(nodes=1), 1, 9),
        (Limit(nodes=512), 1, 9),
        (Limit(nodes=513), 3, 513),
        (Limit(seconds=1e-9), 1, 9),
        (Limit(seconds=1e-9, depth=3), 1, 9),
    ],
)
def test_limits(limit, depth, nodes):
    game = load_game("hex", size=3)
    search = BreadthFirst(depth=5)
    cost = search.find(game.start(), naive.MadeUp(game), limit).cost
    assert cost.depth == depth
    if depth < 5:
        assert cost.nodes == nodes
    else:  # some games are over before
        assert 3024 < cost.nodes < nodes


def test_a_limit_ends_like_the_depth_that_it_reached():
    game = load_game("hex", size=3)
    evaluator = naive.MadeUp(game)
    limited = BreadthFirst(depth=5).find(game.start(), evaluator, Limit(nodes=600))
    assert limited == BreadthFirst(depth=3).find(game.start(), evaluator)


# ---- what is wrong


@pytest.mark.parametrize("depth", [0, -1, 2.5, True, "3", None])
def test_depths_that_are_none(depth):
    with pytest.raises(ValueError, match="must be an integer >= 1"):
        BreadthFirst(depth=depth)


def test_an_even_depth_is_refused():
    with pytest.raises(ValueError, match="depth=2 must be an odd number of moves"):
        BreadthFirst(depth=2)


@pytest.mark.parametrize(
    "forced", [9, (9,), (9, -9, 0), (-9, 9), (9, None), (True, False), (float("nan"), 0), "99"]
)
def test_forced_scores_that_are_none(forced):
    with pytest.raises(ValueError, match="forced_score"):
        BreadthFirst(forced_score=forced)


def test_a_finished_game_has_no_move():
    over = load_game("hex", size=2).read_position("RB/R. blue")
    with pytest.raises(ValueError, match="game is over, red wins"):
        BreadthFirst().find(over, naive.MadeUp(over.game))


def test_repetitions_are_seen_at_the_first_move():
    """A move that repeats a position ends the game, though the states know nothing of it."""
    game = load_game("checkers", repetitions=2)
    position = game.read_position("B:WK32:BK1")
    for text in ("1-5", "32-28", "5-1"):
        position = position.play(position.read_move(text))
    back = position.read_move("28-32")
    assert position.play(back).outcome().winner is None
    number = position.moves().index(back)
    for judge in (naive.MadeUp(game), naive.ByPositions(naive.MadeUp(game))):
        assert BreadthFirst().scores(position, judge)[number] == 0.5


@pytest.mark.parametrize("name", ["confidence", "sees_last_end"])
@pytest.mark.parametrize("value", ["maybe", 1, None])
def test_a_switch_is_true_or_false(name, value):
    with pytest.raises(ValueError, match=f"{name}=.* must be True or False"):
        BreadthFirst(**{name: value})
