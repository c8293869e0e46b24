"""What alpha-beta promises: its limits, seeds, what it remembers, and its parameters."""

import random

import numpy as np
import pytest
from alpha_beta_judges import Bits, N, hashing, positions, voting, weighted

from clauseboard.evaluation import Compiled, Limit
from clauseboard.game import load_game
from clauseboard.games.checkers import Checkers
from clauseboard.kernels.compiler import JIT_DISABLED, specialised
from clauseboard.search import alpha_beta, load_search, search_names
from clauseboard.search.alpha_beta import AlphaBeta, value_of
from clauseboard.search.compiled_rules import compiled_rules_of

# ------------------------------------------------------------------ limits


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("nodes", [1, 2, 17, 500])
def test_no_more_nodes_than_allowed(nodes, hidden):
    evaluator = weighted(Checkers(), 1, hidden=hidden)
    start = Checkers().start()
    choices = [
        AlphaBeta(endgames=False).find(start, evaluator, Limit(nodes=nodes), seed=3)
        for _ in range(2)
    ]
    assert choices[0] == choices[1]
    assert choices[0].cost.nodes == nodes
    assert choices[0].move in start.moves()
    assert (choices[0].value is None) == (nodes == 1)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_depth_is_kept(depth):
    evaluator = weighted(Checkers(), 1)
    start = Checkers().start()
    for choice in (
        AlphaBeta(depth=depth, endgames=False).find(start, evaluator),
        AlphaBeta(endgames=False).find(start, evaluator, Limit(depth=depth)),
    ):
        assert choice.cost.depth == depth
        assert len(choice.line) >= depth


class Clock:
    """A clock that goes on by a thousandth of a second whenever it is looked at."""

    def __init__(self):
        self.now = 0.0

    def seconds_now(self):
        self.now += 0.001
        return self.now


@pytest.mark.parametrize("seconds", [0.02, 0.05, 0.2])
@pytest.mark.parametrize("hidden", [False, True])
def test_a_search_ends_when_its_time_is_up(hidden, seconds, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(alpha_beta, "seconds_now", clock.seconds_now)
    monkeypatch.setattr(alpha_beta, "SLICE", 0.0)
    evaluator = weighted(Checkers(), 1, hidden=hidden)
    start = Checkers().start()
    choice = AlphaBeta(endgames=False).find(start, evaluator, Limit(seconds=seconds))
    assert choice.move in start.moves()
    assert choice.value is not None
    assert seconds <= choice.cost.seconds <= seconds + 0.01


def test_a_search_in_slices_is_the_same_search(monkeypatch):
    """Stopped every 37 nodes and taken up again, it finds what it finds in one go."""
    evaluator = hashing(Checkers(), 1)
    for position in positions(11, N // 4 + 1, most=6):
        whole = AlphaBeta(endgames=False).find(position, evaluator, Limit(depth=4))
        with monkeypatch.context() as patch:
            patch.setattr(alpha_beta, "FIRST_SLICE", 37)
            patch.setattr(alpha_beta, "SLICE", 0.0)
            limit = Limit(depth=4, seconds=1000)
            sliced = AlphaBeta(endgames=False).find(position, evaluator, limit)
        if len(position.moves()) > 1:
            assert sliced == whole
            assert sliced.cost.nodes == whole.cost.nodes


def test_one_move_needs_no_thinking():
    position = Checkers().read_position("B:W6,31,32:B1,3")
    assert len(position.moves()) == 1
    limit = Limit(seconds=1000)
    choice = AlphaBeta(endgames=False).find(position, weighted(Checkers(), 1), limit)
    assert (choice.move, choice.cost.depth) == (position.moves()[0], 1)


# ------------------------------------------------------------------ seeds, memory, parameters


def test_equally_good_moves_are_drawn_by_the_seed():
    game = Checkers()
    nothing = Bits(game, Compiled(Compiled.NOTHING), lambda row: 0.0)
    search = AlphaBeta(endgames=False)
    found = [search.find(game.start(), nothing, Limit(depth=1), seed=n).move for n in range(40)]
    assert len(set(found)) == 7
    again = [search.find(game.start(), nothing, Limit(depth=1), seed=n).move for n in range(40)]
    assert found == again


def test_what_is_remembered_changes_no_value():
    """One search for a whole game, and a fresh one for each of its moves."""
    game = Checkers()
    evaluator = voting(game, 2)
    kept = AlphaBeta(table_bits=12, endgames=False)
    position, rng = game.start(), random.Random(1)
    for _ in range(4 if JIT_DISABLED else 30):
        if position.outcome() is not None:
            break
        fresh = AlphaBeta(table_bits=12, endgames=False).find(position, evaluator, Limit(depth=3))
        assert kept.find(position, evaluator, Limit(depth=3)).value == fresh.value
        position = position.play(rng.choice(position.moves()))


def test_a_table_changes_nothing():
    """Men only, so that no board comes up again: the search finds the same without a table."""
    evaluator = hashing(Checkers(), 4)
    rng = random.Random(2)
    for _ in range(4 if JIT_DISABLED else 40):
        position = Checkers().start()
        for _ in range(rng.randrange(2, 12)):
            position = position.play(rng.choice(position.moves()))
        limit = Limit(depth=5 if JIT_DISABLED else 6)
        found, expected = (
            AlphaBeta(table_bits=bits, endgames=False).find(position, evaluator, limit)
            for bits in (14, 0)
        )
        assert found.value == expected.value
        assert len(found.line) >= limit.depth


def test_what_the_table_keeps():
    """The same board at another distance from the root: its win is as far from it as before."""
    kernels = specialised(alpha_beta.TEMPLATE, compiled_rules_of(Checkers()))
    for at_root, ply, below in ((0, 7, 0), (1_999_980, 3, 1_999_977), (-1_999_980, 3, -1_999_977)):
        assert kernels.from_root(at_root, ply) == below
        assert kernels.from_root(below, -ply) == at_root
    table = np.zeros((4, 2), np.uint64)

    def keep(key, depth, age):
        kernels.store(table, np.uint64(key), depth, kernels.LOWER, -5, 77, age)

    keep(8, 3, 1)
    keep(12, 4, 1)
    assert [kernels.find_entry(table, np.uint64(key)) >= 0 for key in (8, 12, 16)] == [1, 1, 0]
    word = int(table[kernels.find_entry(table, np.uint64(8)), 1])
    assert (word & 0xFFFF, word >> 16 & 255, word >> 24 & 63) == (77, 3, 1)
    assert (word >> 30 & 3, (word >> 32) - alpha_beta.INFINITE) == (kernels.LOWER, -5)
    keep(16, 1, 1)  # the less deep of the two goes
    assert [kernels.find_entry(table, np.uint64(key)) >= 0 for key in (8, 12, 16)] == [0, 1, 1]
    keep(12, 9, 1)  # the same board stays where it is
    keep(20, 1, 2)
    keep(24, 1, 2)  # those of an earlier move go first, however deep they are
    assert [kernels.find_entry(table, np.uint64(key)) >= 0 for key in (12, 20, 24)] == [0, 1, 1]


def test_another_evaluator_or_game_has_its_own_table():
    game = Checkers()
    position = positions(12, 1, most=6)[0]
    search = AlphaBeta(endgames=False)
    for seed in (1, 2, 1):
        evaluator = weighted(game, seed)
        alone = AlphaBeta(endgames=False).find(position, evaluator, Limit(depth=3))
        assert search.find(position, evaluator, Limit(depth=3)) == alone
    search.begin()
    assert search.find(position, evaluator, Limit(depth=3)) == alone
    other = load_game("hex", size=3).start()
    assert search.find(other, weighted(other.game, 1), Limit(depth=2)).move in other.moves()


def test_a_parameter_that_is_changed_counts_at_once():
    evaluator = weighted(Checkers(), 1)
    position = positions(13, 1, most=6)[0]
    search = AlphaBeta(endgames=False)
    search.find(position, evaluator, Limit(depth=2))
    search.every_move = True
    candidates = search.find(position, evaluator, Limit(depth=2)).candidates
    fresh = AlphaBeta(endgames=False, every_move=True)
    assert candidates == fresh.find(position, evaluator, Limit(depth=2)).candidates


def test_it_is_found_by_its_name():
    assert "alpha_beta" in search_names()
    search = load_search("alpha-beta", depth=3, draw_score=0.1)
    assert repr(search) == "AlphaBeta(depth=3, draw_score=0.1)"


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"depth": 0}, "depth=0 must be an integer from 1 to 100."),
        ({"depth": True}, "depth=True must be an integer"),
        ({"depth": 2.5}, "depth=2.5 must be an integer"),
        ({"table_bits": -1}, "table_bits=-1 must be an integer from 0 to 28."),
        ({"table_bits": 29}, "table_bits=29"),
        ({"quiescence": 1}, "quiescence=1 must be True or False."),
        ({"endgames": "yes"}, "endgames='yes' must be True or False"),
        ({"every_move": None}, "every_move=None must be True or False"),
        ({"draw_score": 1.5}, "draw_score=1.5 must be a number from -1 to 1."),
        ({"draw_score": True}, "draw_score=True must be a number"),
        ({"grain": -0.1}, "grain=-0.1 must be a number from 0 to 1."),
        ({"grain": "fine"}, "grain='fine' must be a number from 0 to 1."),
    ],
)
def test_wrong_parameters(wrong, sentence):
    with pytest.raises(ValueError, match=sentence.replace(".", r"\.")):
        AlphaBeta(**wrong)


def test_a_finished_game_has_no_move():
    over = (
        Checkers().read_position("B:W6:BK1").play(Checkers().read_position("B:W6:BK1").moves()[0])
    )
    with pytest.raises(ValueError, match="There is no move to find: the game is over, black wins"):
        AlphaBeta().find(over, weighted(Checkers(), 1))


def test_scores_as_values():
    assert [value_of(score) for score in (0, 250_000, -1_000_000)] == [0.0, 0.25, -1.0]
    assert [value_of(score) for score in (1_999_990, -1_999_001)] == [1.0, -1.0]


# ------------------------------------------------------------------ selective


def test_a_selective_search_is_minimax_where_it_leaves_nothing_out():
    """No move is looked at less deep while fewer than three moves are left."""
    evaluator = weighted(Checkers(), 5)
    for position in positions(21, N, most=8):
        whole = AlphaBeta(depth=2, endgames=False).find(position, evaluator)
        selective = AlphaBeta(depth=2, endgames=False, selective=True).find(position, evaluator)
        assert selective.value == whole.value


@pytest.mark.parametrize("how", [{"selective": True}, {"margin": 0.01}])
def test_a_selective_search_visits_fewer_boards(how):
    evaluator, start = weighted(Checkers(), 5), Checkers().start()
    limit = Limit(depth=5 if JIT_DISABLED else 9)
    whole = AlphaBeta(endgames=False).find(start, evaluator, limit)
    selective = AlphaBeta(endgames=False, **how).find(start, evaluator, limit)
    assert selective.cost.nodes < 0.8 * whole.cost.nodes


@pytest.mark.parametrize("margin", [0.0, 0.5, 1.0])
def test_a_wide_margin_or_little_depth_leaves_nothing_out(margin):
    """With values from -1 to 1 a difference of 2 is never exceeded, and little depth never cut."""
    evaluator = weighted(Checkers(), 5)
    for position in positions(24, N, most=8):
        whole = AlphaBeta(depth=3, endgames=False).find(position, evaluator)
        wide = AlphaBeta(depth=3, endgames=False, margin=margin).find(position, evaluator)
        assert (wide.value, wide.cost.nodes) == (whole.value, whole.cost.nodes)


@pytest.mark.parametrize("margin", [0.0, 0.05])
def test_what_a_selective_search_calls_won_is_won(margin):
    """A result that it is sure of is proven: the full search finds it too, if not so late."""
    evaluator, n_sure = weighted(Checkers(), 6), 0
    depth = 5 if JIT_DISABLED else 9
    for position in positions(22, 4 * N, most=5):
        search = AlphaBeta(depth=depth, endgames=False, selective=True, margin=margin)
        choice = search.find(position, evaluator)
        if choice.value is not None and abs(choice.value) == 1.0:
            n_sure += 1
            whole = AlphaBeta(depth=depth, endgames=False).find(position, evaluator)
            assert whole.value == choice.value
            assert len(whole.line) <= len(choice.line) or choice.value < 0
    assert n_sure


def test_a_selective_search_with_the_table_of_the_move_before_is_repeatable():
    evaluator = hashing(Checkers(), 3)
    for position in positions(23, N // 4 + 1, most=8):
        choices = [
            AlphaBeta(endgames=False, selective=True).find(position, evaluator, Limit(depth=6))
            for _ in range(2)
        ]
        assert choices[0].move == choices[1].move
        assert choices[0].value == choices[1].value
