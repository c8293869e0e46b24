"""Counting pieces: hand-worked balances, the worth of kinds of piece, and what is refused."""

import numpy as np
import pytest

from clauseboard.evaluation import sides_of
from clauseboard.game import load_game
from clauseboard.kernels.evaluators import values_of
from clauseboard.players import load_player
from clauseboard.players.material import MaterialEvaluator
from naive.machines import played, small_game

GAME = load_game("checkers")


@pytest.mark.parametrize(
    ("text", "worth", "value"),
    [
        # Two men against a king, in parts of twelve kings of 1.5.
        ("B:W32:B1,2", {}, 1 / 18),
        ("W:W32:B1,2", {}, -1 / 18),
        ("B:WK32:B1,2", {}, 0.5 / 18),
        ("B:WK32:B1,2", {"king": 2}, 0.0),
        ("B:WK32:B1,2", {"king": 3.0, "man": 1}, -1 / 36),
        ("B:WK32:B1,2", {"man": 5}, 8.5 / 60),
    ],
)
def test_balances_worked_out_by_hand(text, worth, value):
    position = GAME.read_position(text)
    judge = MaterialEvaluator(GAME, **worth)
    assert judge.judge([position]).values[0] == pytest.approx(value, abs=1e-12)
    explained = judge.explain(position)
    assert sum(term.amount for term in explained.terms) == pytest.approx(value, abs=1e-12)
    assert {term.cell for term in explained.terms} == {"1", "2", "32"}
    assert explained.judge == "material"


def test_compiled_is_the_same():
    game = small_game("checkers")
    positions = [position for position, _ in played(game)][:500]
    judge = MaterialEvaluator(game)
    bits = np.packbits(game.encode(positions), axis=1, bitorder="little")
    values = values_of(judge.compiled(), bits, sides_of(game, positions))
    assert np.array_equal(values, judge.judge(positions).values)
    assert len(set(values)) > 5


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"man": 0}, "man=0"),
        ({"king": True}, "king=True"),
        ({"king": "x"}, "king='x'"),
        ({"queen": 9}, "no piece 'queen'; there are 'man', 'king'"),
    ],
)
def test_what_is_refused(options, told):
    with pytest.raises(ValueError, match=told):
        MaterialEvaluator(GAME, **options)


@pytest.mark.parametrize("name", ["go", "hex"])
def test_other_games_have_none(name):
    with pytest.raises(ValueError, match=f"no material to count in {name}.*there is in checkers"):
        load_player("material", load_game(name))


@pytest.mark.parametrize("king", [1.0, 1.5, 3.0])
def test_what_stands_to_be_taken_is_taken(king):
    """White can take one man or, by another way, two."""
    player = load_player("material", GAME, search="full-width", depth=1, king=king)
    position = GAME.read_position("W:W19,20:B7,16,27")
    choice = player.choose(position)
    takes = {move: len(move.captured) for move in position.moves()}
    assert sorted(takes.values()) == [1, 2]
    assert takes[choice.move] == 2
