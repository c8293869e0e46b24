"""A network as an evaluator and as a player: values, reasons, files of other games."""

import dataclasses

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.learners.swarm import OPTIONS, SEARCH, make_evaluator
from clauseboard.learners.swarm.network import (
    NetworkEvaluator,
    NetworkShape,
    forward,
    load_network,
    save_network,
    worths_of,
)
from clauseboard.learners.swarm.swarm import SwarmOptions
from clauseboard.players import load_player
from clauseboard.search import load_search

CHECKERS = load_game("checkers")
SHAPE = NetworkShape(CHECKERS, 4, worths_of(CHECKERS))
WEIGHTS = 4 * SHAPE.random_weights(np.random.default_rng(5))
POSITIONS = [
    CHECKERS.start(),
    CHECKERS.read_position("W:WK32,31,27:BK1,2,6"),
    CHECKERS.read_position("B:WK32,31,27:BK1,2,6"),
]


@pytest.fixture
def file(tmp_path):
    save_network(tmp_path / "net.npz", SHAPE, WEIGHTS, "swarm", SwarmOptions(), {})
    return tmp_path / "net.npz"


def test_values_are_those_of_the_network():
    values = NetworkEvaluator(SHAPE, WEIGHTS).judge(POSITIONS).values
    rows = CHECKERS.encode(POSITIONS, view="mover")
    _, outputs = forward(SHAPE, WEIGHTS, rows @ SHAPE.inputs_of_bits())
    np.testing.assert_allclose(values, 2 * outputs - 1, atol=1e-12)


@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_a_term_is_the_change_when_its_piece_is_taken_away(position):
    judge = NetworkEvaluator(SHAPE, WEIGHTS)
    explanation = judge.explain(position)
    assert explanation.value == pytest.approx(judge.judge([position]).values[0])
    row = CHECKERS.encode([position])[0]
    names = [bit.name for bit in CHECKERS.bits()]
    assert len(explanation.terms) == row.sum()
    for term in explanation.terms:
        place = names.index(term.text)
        assert row[place] == 1
        assert CHECKERS.bits()[place].cell == term.cell
        less = row.copy()
        less[place] = 0
        without = CHECKERS.decode(less, position.to_move)
        change = explanation.value - judge.judge([without]).values[0]
        assert term.amount == pytest.approx(change, abs=1e-12)
        assert str(term) == f"{term.text} (value without it: {explanation.value - change:+.2f})"
    amounts = [abs(term.amount) for term in explanation.terms]
    assert amounts == sorted(amounts, reverse=True)


def test_a_file_gives_the_same_judge(file):
    judge = make_evaluator(CHECKERS, network=str(file))
    ours = NetworkEvaluator(SHAPE, WEIGHTS)
    assert judge.judge(POSITIONS).values.tolist() == ours.judge(POSITIONS).values.tolist()
    assert str(judge) == "a network of 4 hidden units"
    assert set(OPTIONS) == {"network"}


def test_a_file_keeps_that_a_network_is_balanced(tmp_path):
    shape = dataclasses.replace(SHAPE, balanced=True)
    save_network(tmp_path / "net.npz", shape, WEIGHTS, "swarm", SwarmOptions(), {})
    assert load_network(tmp_path / "net.npz").shape == shape
    other = NetworkEvaluator.load(tmp_path / "net.npz", load_game("checkers", quiet_moves=100))
    ours = NetworkEvaluator(shape, WEIGHTS).judge(POSITIONS).values
    assert other.shape.balanced
    assert (
        ours.tolist()
        == NetworkEvaluator.load(tmp_path / "net.npz").judge(POSITIONS).values.tolist()
    )
    assert ours.tolist() != NetworkEvaluator(SHAPE, WEIGHTS).judge(POSITIONS).values.tolist()


def test_other_limits_of_the_same_game_are_allowed(file):
    long = load_game("checkers", quiet_moves=100)
    assert NetworkEvaluator.load(file, long).game == long


def test_another_game_is_refused(file):
    with pytest.raises(ValueError, match="was trained on load_game"):
        make_evaluator(load_game("hex", size=5), network=file)


def test_a_file_has_to_be_named():
    with pytest.raises(ValueError, match="Name the file of a network"):
        make_evaluator(CHECKERS)


def test_boards_of_another_version_are_refused(tmp_path):
    class Later(type(CHECKERS)):
        version = CHECKERS.version + 1

    shape = dataclasses.replace(SHAPE, game=Later())
    save_network(tmp_path / "net.npz", shape, WEIGHTS, "swarm", SwarmOptions(), {})
    with pytest.raises(ValueError, match="Train it again"):
        load_network(tmp_path / "net.npz")


@pytest.mark.parametrize("name", [SEARCH, "alpha_beta"])
def test_it_plays_with_a_search(name):
    judge = NetworkEvaluator(SHAPE, WEIGHTS)
    position = CHECKERS.start()
    choice = load_search(name, depth=1).find(position, judge)
    assert choice.move in position.moves()


def test_players_look_one_move_ahead_unless_told_otherwise(file):
    usual = load_player("swarm", CHECKERS, network=str(file)).search
    assert (usual.depth, usual.quiescence, usual.endgames) == (1, True, False)
    assert load_player("swarm", CHECKERS, network=str(file), depth=3).search.depth == 3
    deep = load_player("swarm", CHECKERS, network=str(file), search="alpha_beta")
    assert deep.search == load_search("alpha_beta")


def test_one_move_ahead_it_plays_the_board_it_likes_best():
    judge = NetworkEvaluator(SHAPE, WEIGHTS)
    position = CHECKERS.start()
    choice = load_search("full_width", depth=1).find(position, judge)
    values = {move: -judge.judge([position.play(move)]).values[0] for move in position.moves()}
    assert choice.move == max(values, key=values.__getitem__)
