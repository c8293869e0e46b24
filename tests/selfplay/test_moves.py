"""Votes for moves as priors: by positions and compiled, for both sides, and what is refused."""

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.learners.tsetlin.board_evaluator import MachineEvaluator
from clauseboard.learners.tsetlin.move_votes import MoveVotes
from clauseboard.players import load_player
from clauseboard.search.mcts import MonteCarlo
from clauseboard.search.mcts_trees import PositionTree
from clauseboard.selfplay.fit_weights import class_machine, win_loss_machine
from clauseboard.selfplay.games import play_self_game
from clauseboard.selfplay.training_set import training_set_of
from clauseboard.tsetlin import TsetlinMachineClassifier
from clauseboard.tsetlin.joint_weights import single_literals

GAMES = {"hex": load_game("hex", size=3), "go": load_game("go", size=3)}
both_games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def names(game):
    return [bit.name for bit in game.bits()]


def drawn_moves(game, seed=0):
    """A machine for moves with random clauses of one bit."""
    draws = np.random.default_rng(seed)
    n_bits, n_codes = len(game.bits()), game.size**2
    clauses = np.concatenate([single_literals(n_bits)] * n_codes)
    codes = np.repeat(np.arange(n_codes), 2 * n_bits)
    return class_machine(clauses, draws.integers(1, 90, len(clauses)), codes, names(game))


def drawn_values(game, seed=0):
    n_bits = len(game.bits())
    weights = np.random.default_rng(seed).integers(-60, 60, 2 * n_bits)
    return win_loss_machine(single_literals(n_bits), weights, names(game), 4.0)


def positions(game):
    player = load_player("random", game)
    found = []
    for seed in range(3):
        position = game.start()
        for text in play_self_game(game, player, seed, most_moves=12).moves:
            found.append(position)
            position = position.play(position.read_move(text))
    return found


@both_games
@pytest.mark.parametrize("sharpness", [0.5, 1.0, 3.0])
def test_priors_are_softmax_of_the_votes_as_the_mover_sees_them(game, sharpness):
    machine = drawn_moves(game)
    votes = MoveVotes(game, machine, sharpness)
    seats = positions(game)
    for position, shares in zip(seats, votes.priors(seats), strict=True):
        row = game.encode([position], view="mover")[0]
        seen = machine._votes(row[None])[0]
        logs = []
        for move in position.moves():
            if getattr(move, "is_pass", False):
                logs.append(0.0)
                continue
            stone = game.encode([position.play(move)], view="board")[0]
            if position.to_move == game.colours[1]:
                from clauseboard.games.squares import mover_source

                stone = stone[mover_source(game)]
            new = np.flatnonzero(stone[: game.size**2] > row[: game.size**2])
            logs.append(sharpness * seen[new[0]] / 100)
        wanted = np.exp(np.array(logs) - max(logs))
        assert np.allclose(shares, wanted / wanted.sum())


@both_games
def test_compiled_and_plain_trees_visit_alike(game, monkeypatch):
    judge = MachineEvaluator(game, drawn_values(game), view="mover", moves=drawn_moves(game))
    for position in positions(game)[:4]:
        quick = MonteCarlo(simulations=40).find(position, judge, seed=3)
        with monkeypatch.context() as patch:
            patch.setattr(
                MonteCarlo,
                "_planted",
                lambda self, p, j: PositionTree(p, j, self.most_nodes),
            )
            slow = MonteCarlo(simulations=40).find(position, judge, seed=3)
        assert {c.move: c.visits for c in quick.candidates} == {
            c.move: c.visits for c in slow.candidates
        }


@both_games
def test_without_votes_all_moves_are_alike(game):
    judge = MachineEvaluator(
        game, drawn_values(game), view="mover", moves=drawn_moves(game), zero=True
    )
    start = game.start()
    [shares] = judge.priors([start])
    assert np.allclose(shares, 1 / len(start.moves()))
    assert judge.compiled_priors()[0].weights.any() == np.False_


def test_without_a_machine_for_moves_there_are_no_priors():
    game = GAMES["hex"]
    judge = MachineEvaluator(game, drawn_values(game), view="mover")
    assert judge.priors([game.start()]) is None
    assert judge.compiled_priors() is None


def test_a_player_by_its_line(tmp_path):
    game = GAMES["hex"]
    drawn_values(game).save(tmp_path / "v.tm", inference_only=True)
    drawn_moves(game).save(tmp_path / "m.tm", inference_only=True)
    player = load_player(
        "tsetlin",
        game,
        machine=str(tmp_path / "v.tm"),
        moves=str(tmp_path / "m.tm"),
        view="mover",
        search="mcts",
        simulations=30,
        sharpness=0.5,
    )
    player.begin(game, "red", 1)
    choice = player.choose(game.start())
    explanation = choice.explanation
    assert sum(r.votes for r in explanation.reasons if r.about == "red") == explanation.votes["red"]


def test_boards_make_a_machine_for_moves():
    game = GAMES["hex"]
    games = [play_self_game(game, load_player("random", game), seed) for seed in range(8)]
    data = training_set_of(game, games, with_moves=True)
    codes = set(data.moves.tolist())
    assert codes <= set(range(9))


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda g: drawn_values(g), "codes from 0 to 9"),
        (lambda g: drawn_moves(load_game("hex", size=2)), "boards of 8 bits"),
    ],
)
def test_other_machines_are_refused(made, told):
    game = GAMES["hex"]
    with pytest.raises(ValueError, match=told):
        MoveVotes(game, made(game))


def test_a_machine_with_a_window_is_refused():
    game = GAMES["hex"]
    machine = TsetlinMachineClassifier(
        n_clauses=4, board_shape=(3, 3, 2), window=(2, 2), epochs=1, random_state=1
    )
    machine.fit(np.zeros((4, 18), np.uint8), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="without a window"):
        MoveVotes(game, machine)


@pytest.mark.parametrize("sharpness", [0, -1.0, "much", True])
def test_a_wrong_sharpness_is_refused(sharpness):
    game = GAMES["hex"]
    with pytest.raises(ValueError, match="sharpness"):
        MoveVotes(game, drawn_moves(game), sharpness)


def test_a_game_whose_moves_are_no_cells_is_refused():
    game = load_game("checkers")
    machine = class_machine(single_literals(128)[:3], np.ones(3, int), np.arange(3), names(game))
    with pytest.raises(ValueError, match="moves of checkers are not cells"):
        MoveVotes(game, machine)
