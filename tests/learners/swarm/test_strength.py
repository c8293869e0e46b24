"""A trained network beats a player of random moves."""

import pytest

from clauseboard.arena.match import Match, run_matches
from clauseboard.game import load_game
from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.learners import load_trainer
from clauseboard.learners.swarm.network import wins_against_chance
from clauseboard.learners.swarm.swarm import SwarmTrainer

CHECKERS = load_game("checkers")


def trained(game, **options):
    trainer = SwarmTrainer.begin(game, SwarmTrainer.Options(**options))
    for _ in trainer.steps():
        pass
    return trainer.state.shape.stack(trainer.state.leader())


@pytest.mark.skipif(JIT_DISABLED, reason="hours without the compiler")
@pytest.mark.parametrize("seed", [1, pytest.param(3, marks=pytest.mark.long)])
def test_a_short_training_is_enough_to_beat_chance(seed):
    # Untrained they win 0.43 on the average, and none of ten more than 0.65.
    network = trained(CHECKERS, rounds=15, particles=20, games=40, seed=seed)
    won, _, lost = wins_against_chance(network, 0, 100, seed=1)
    assert won >= 0.8
    assert won > lost


@pytest.mark.skipif(JIT_DISABLED, reason="hours without the compiler")
def test_before_training_they_are_hardly_better_than_chance():
    swarm = SwarmTrainer.begin(CHECKERS, SwarmTrainer.Options(particles=10)).state
    networks = swarm.shape.stack(swarm.place)
    shares = [wins_against_chance(networks, who, 40, seed=1)[0] for who in range(10)]
    assert sum(shares) / 10 < 0.7


def won(path, search, seed):
    """The shares of 200 games with each colour that a network wins against random moves."""
    player = ",".join([f"swarm:network={path}", *search])
    match = Match(CHECKERS, (player, "random"), n_games=400, seed=seed)
    (result,) = run_matches([match])
    return [result.counts(0, colour).wins / 200 for colour in CHECKERS.colours]


@pytest.mark.long
@pytest.mark.parametrize("seed", [41, 42, 43, 1, 2])
def test_a_swarm_wins_nine_games_in_ten_with_either_colour(seed, tmp_path):
    saved("swarm", tmp_path / "net", seed=seed)
    assert min(won(tmp_path / "net", [], seed)) >= 0.9


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_descent_and_three_moves_ahead_win_nearly_all(seed, tmp_path):
    saved("swarm-descent", tmp_path / "net", seed=seed)
    assert min(won(tmp_path / "net", ["search=alpha_beta", "depth=3"], seed)) >= 0.9


def saved(name, path, **options):
    kind = load_trainer(name)
    trainer = kind.begin(CHECKERS, kind.Options(**options))
    for _ in trainer.steps():
        pass
    trainer.save(path)
