"""The learned sum as an evaluator: terms that add up, and what the memory changes in play."""

import math

import numpy as np
import pytest

from clauseboard.evaluation import Limit, sides_of
from clauseboard.game import load_game
from clauseboard.kernels.evaluators import values_of
from clauseboard.learners import temporal
from clauseboard.learners.temporal import heuristic as files
from clauseboard.learners.temporal.heuristic import FeatureSet, Heuristic, HeuristicEvaluator
from clauseboard.learners.temporal.memory import Memory, Numbering
from clauseboard.players import load_player, read_player
from clauseboard.search import load_search
from naive import temporal as naive
from naive.machines import played, small_game

GAME = load_game("checkers")
WEIGHTS = {"three": [1.2, 0.7, -0.1], "full": [1.2, 0.7, 0.1, 0.2, 0.1, -0.3, 0.4, 0.2, 0.1, -0.2]}


def heuristic(which="three", lead=3.0):
    return Heuristic(FeatureSet(GAME, which), np.array(WEIGHTS[which]), lead)


def positions(n=400):
    return [position for position, _ in played(small_game("checkers"))][:n]


def plain_sum(position, which):
    """H for the side to move, counted piece by piece."""
    counts = naive.features(naive.board_of(position))
    names = FeatureSet(GAME, which).names
    total = sum(w * counts[name] for w, name in zip(WEIGHTS[which], names, strict=True))
    return total if position.to_move == "black" else -total


@pytest.mark.parametrize("which", ["three", "full"])
def test_values_are_the_sum_in_parts_of_the_most(which):
    judge = HeuristicEvaluator(heuristic(which))
    values = judge.judge(positions()).values
    expected = [plain_sum(position, which) / judge.heuristic.most for position in positions()]
    assert values == pytest.approx(np.array(expected), abs=1e-12)
    assert len(set(np.round(values, 9))) > 5


def test_compiled_is_the_same():
    judge = HeuristicEvaluator(heuristic("full"))
    bits = np.packbits(GAME.encode(positions()), axis=1, bitorder="little")
    values = values_of(judge.compiled(), bits, sides_of(GAME, positions()))
    assert np.array_equal(values, judge.judge(positions()).values)


@pytest.mark.parametrize("which", ["three", "full"])
def test_terms_add_up(which):
    judge = HeuristicEvaluator(heuristic(which))
    for position in positions(60):
        explained = judge.explain(position)
        total = math.fsum(term.amount for term in explained.terms)
        assert total == pytest.approx(plain_sum(position, which), abs=1e-12)
        assert explained.value == pytest.approx(total / judge.heuristic.most, abs=1e-12)
        assert len(explained.terms) == len(WEIGHTS[which])
    assert explained.judge == f"{len(WEIGHTS[which])} weighted features"


def test_an_explanation_by_hand():
    explained = HeuristicEvaluator(heuristic()).explain(GAME.read_position("W:W30,K32:B1"))
    assert [(str(term), term.amount) for term in explained.terms] == [
        ("piece difference (+1 at 1.200 each)", pytest.approx(1.2)),
        ("kings (+1 at 0.700 each)", pytest.approx(0.7)),
        ("side (+0 at -0.100 each)", pytest.approx(0)),
    ]


@pytest.fixture
def memory(tmp_path):
    with Memory(tmp_path / "boards", GAME) as kept:
        yield kept


@pytest.mark.parametrize("trust", [0.5, 10.0, 1000.0])
@pytest.mark.parametrize("lead", [1.0, 3.0, 8.0])
def test_values_with_memory_by_hand(memory, trust, lead):
    position = GAME.read_position("W:W30,K32:B1")
    other = GAME.read_position("B:W30,K32:B1")  # the same board, but it is another's turn
    key = Numbering(GAME).keys([position])
    for number, winner in enumerate(["black", "black", "black", "white", None]):
        memory.add_game("t", number, key, winner)
    judge = HeuristicEvaluator(heuristic(lead=lead), memory, trust)
    u = math.tanh(1.9 / lead)
    mean = (1 - 3) / 5  # for white, who is to move
    expected = u + 5 / (5 + trust) * (mean - u)
    assert judge.judge([position, other]).values == pytest.approx([expected, -u], abs=1e-12)
    assert judge.compiled() is None
    explained = judge.explain(position)
    assert str(explained.terms[-1]) == "memory (seen 5 times: 1 won, 1 drawn, 3 lost)"
    total = math.fsum(term.amount for term in explained.terms)
    assert math.tanh(total / lead) == pytest.approx(expected, abs=1e-9)
    assert explained.value == pytest.approx(expected, abs=1e-12)
    assert len(judge.explain(other).terms) == 3


def test_without_experience_the_choice_is_the_same(memory):
    """An empty memory changes the unit of the values, and not what is played."""
    plain, other = HeuristicEvaluator(heuristic()), HeuristicEvaluator(heuristic(), memory)
    for position in positions()[5:60:6]:
        if position.outcome() is None:
            choices = [
                load_search("alpha_beta", depth=2, table_bits=0, endgames=False).find(
                    position, judge, Limit(depth=2), seed=1
                )
                for judge in (plain, other)
            ]
            best = {c.move for c in choices[0].candidates if c.value == choices[0].value}
            assert choices[1].move in best


@pytest.mark.parametrize(("winner", "again"), [("white", False), ("black", True)])
def test_bad_experience_is_avoided_and_good_one_sought(memory, winner, again):
    """The player plays as before where that went well, and something else where it did not."""
    start = GAME.start()
    judge = HeuristicEvaluator(heuristic(), memory)

    def choose():
        search = load_search("alpha_beta", depth=1, endgames=False)
        return search.find(start, judge, Limit(depth=1), seed=5).move

    first = choose()
    for number in range(20):
        boards = Numbering(GAME).keys([start, start.play(first)])
        memory.add_game("t", number, boards, winner)
    assert (choose() == first) == again


def test_players_by_their_options(tmp_path):
    files.save_heuristic(tmp_path / "w.json", heuristic("full"), {})
    Memory(tmp_path / "boards", GAME).close()
    untrained = load_player("temporal", GAME, depth=2)
    judge = untrained.evaluators["black"]
    assert judge.heuristic.weights.tolist() == [1.0, 1.0, 1.0]
    full = read_player("temporal:features=full,depth=1", GAME).evaluators["white"]
    assert full.heuristic.weights.tolist() == [1.0] * 10
    line = f"temporal:weights={tmp_path / 'w.json'},memory={tmp_path / 'boards'},trust=3,depth=1"
    player = read_player(line, GAME)
    assert player.evaluators["black"].heuristic.weights.tolist() == WEIGHTS["full"]
    assert player.evaluators["black"].trust == 3
    player.begin(GAME, "black", 1)
    choice = player.choose(GAME.start())
    assert choice.move in GAME.start().moves()
    assert choice.explanation.judge == "10 weighted features and the memory of boards seen"
    # Rules that differ in what makes a draw have the same boards.
    other = load_game("checkers", quiet_moves=20)
    assert temporal.make_evaluator(other, weights=tmp_path / "w.json").game == other


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"weights": "nowhere.json"}, "There is no file 'nowhere.json'"),
        ({"weights": "w.json", "features": "three"}, "name only one of the two"),
        ({"features": "half"}, "no set of features 'half'"),
        ({"memory": "nowhere.sqlite"}, "There is no memory 'nowhere.sqlite'"),
        ({"trust": 3}, "name the memory, too"),
        ({"memory": "m", "trust": 0}, "trust=0 must be a number > 0"),
        ({"memory": "m", "trust": True}, "trust=True must be a number > 0"),
        ({"memory": "m", "trust": "much"}, "trust='much' must be a number > 0"),
    ],
)
def test_what_is_refused(options, told):
    with pytest.raises(ValueError, match=told):
        temporal.make_evaluator(GAME, **options)


def test_games_without_features_are_refused():
    with pytest.raises(ValueError, match="hex has no features"):
        load_player("temporal", load_game("hex"))
