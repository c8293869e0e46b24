"""Random games at once: the games that are played move by move with the same draws."""

import random

import pytest
from checkers_boards import random_positions
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.games.checkers import Checkers
from clauseboard.games.checkers.selfplay import random_game


def move_by_move(position, picks, most_moves):
    """The same with the rules as they are written."""
    texts = []
    while position.outcome() is None and len(texts) < most_moves:
        moves = position.moves()
        move = moves[picks[position.to_move == "white"](len(moves))]
        texts.append(position.write_move(move))
        position = position.play(move)
    return texts, position.outcome()


def both(position, seed, most_moves=300):
    found = []
    for play in (random_game, move_by_move):
        rngs = [random.Random(f"{seed} {side}") for side in (0, 1)]
        found.append(play(position, tuple(rng.randrange for rng in rngs), most_moves))
    return found


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    quiet_moves=st.sampled_from([None, 1, 5, 40]),
    repetitions=st.sampled_from([None, 2, 3]),
    max_moves=st.sampled_from([None, 1, 30]),
    blocked=st.sampled_from(["loss", "draw"]),
)
def test_from_boards_full_of_chains_and_rings(seed, quiet_moves, repetitions, max_moves, blocked):
    game = Checkers(blocked, quiet_moves, repetitions, max_moves)
    for position in random_positions(seed, 3, game=game):
        at_once, slow = both(position, seed)
        assert at_once == slow


def test_the_history_of_the_first_position_counts():
    game = Checkers(repetitions=3)
    position = game.read_position("B:WK32:BK1")
    for text in ("1-5", "32-28", "5-1", "28-32", "1-5", "32-28", "5-1"):
        position = position.play(position.read_move(text))
    # White goes back for the third time the same board.
    texts, outcome = random_game(position, (min_pick, last_pick), 10)
    assert texts == ["28-32"]
    assert outcome.reason == "the same position 3 times"


def min_pick(n_moves):
    return 0


def last_pick(n_moves):
    return n_moves - 1


@pytest.mark.parametrize("text", ["B:W:B1", "W:W32:B28,27,24,23", "B:WK5:B1"])
def test_games_that_are_over_or_nearly(text):
    position = Checkers().read_position(text)
    at_once, slow = both(position, 1)
    assert at_once == slow


@pytest.mark.parametrize("most_moves", [0, 1, 7])
def test_no_more_moves_than_wanted(most_moves):
    texts, outcome = random_game(Checkers().start(), (min_pick, min_pick), most_moves)
    assert (len(texts), outcome) == (most_moves, None)


@pytest.mark.long
def test_a_thousand_whole_games():
    for seed in range(1000):
        at_once, slow = both(Checkers().start(), seed)
        assert at_once == slow
