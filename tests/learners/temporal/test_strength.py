"""Twenty games from equal weights give a player that beats its untrained self."""

import pytest

from clauseboard.arena.match import Match, read_openings, run_matches
from clauseboard.game import load_game
from clauseboard.learners.temporal.trainer import TemporalOptions, TemporalTrainer

GAME = load_game("checkers")


def won(folder, n_games, seed, limit, **options):
    """The share of games won (not drawn) against equal weights, colours swapped."""
    trainer = TemporalTrainer.begin(GAME, TemporalOptions(seed=seed, **options))
    assert all(not progress.notes for progress in trainer.steps())
    trainer.save(folder / "w.json")
    players = (f"temporal:weights={folder / 'w.json'},{limit}", f"temporal:{limit}")
    openings = read_openings(GAME, str(n_games // 2), seed)
    match = Match(GAME, players, n_games=n_games, seed=seed, openings=openings)
    (result,) = run_matches([match])
    assert result.repeats == 0
    return result.counts(0).wins / n_games


def test_a_few_games_are_enough_to_see_it(tmp_path):
    # Equal players who draw a third of their games would win 7 of 12 once in fifteen times.
    assert won(tmp_path, 12, 1, "depth=5,endgames=false", games=8, check_games=0) >= 7 / 12


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_two_hundred_games(tmp_path, seed):
    """With the search that the player has unless told otherwise."""
    assert won(tmp_path, 200, seed, "depth=8") >= 0.65
