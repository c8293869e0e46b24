"""Games of a player against itself: what is drawn, what is noted, and what can be read again."""

import json

import pytest

from clauseboard.game import load_game
from clauseboard.games.hex import concepts
from clauseboard.players import load_player
from clauseboard.selfplay.games import SELDOM, SelfPlayGame, play_self_game

HEX = load_game("hex", size=4)


def replayed(game, played):
    position = game.start()
    for text in played.moves:
        position = position.play(position.read_move(text))
    return position


@pytest.mark.parametrize("drawn", [0, 1, 5])
def test_the_moves_are_a_game_and_only_the_first_are_drawn(drawn):
    player = load_player("rollouts", HEX, simulations=20, rollouts=1)
    for seed in range(4):
        played = play_self_game(HEX, player, seed, random_moves=drawn)
        assert played.n_given <= drawn
        assert replayed(HEX, played).outcome().winner == played.winner
        assert len(played.values) == len(played.counts) == len(played.moves) - played.n_given
        assert all(-1 <= value <= 1 for value in played.values)


def test_a_game_ends_where_concepts_prove_the_winner():
    player = load_player("rollouts", HEX, simulations=20, rollouts=1)
    for seed in range(4):
        whole = play_self_game(HEX, player, seed, random_moves=2)
        played = play_self_game(HEX, player, seed, random_moves=2, concepts=True)
        winner, reason = concepts.decided(replayed(HEX, played))
        assert (played.winner, played.reason) == (winner, reason)
        assert len(played.moves) <= len(whole.moves)


def test_one_seed_one_game():
    player = load_player("rollouts", HEX, simulations=20, rollouts=1)
    games = [play_self_game(HEX, player, seed) for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_counts_are_of_legal_moves_and_leave_out_what_was_hardly_looked_at():
    player = load_player("rollouts", HEX, simulations=60, rollouts=1)
    played = play_self_game(HEX, player, seed=3, random_moves=0)
    position = HEX.start()
    for text, counts in zip(played.moves, played.counts, strict=True):
        most = max((visits for _, visits in counts), default=0)
        assert all(0 <= place < len(position.moves()) for place, _ in counts)
        assert all(visits > SELDOM * most for _, visits in counts)
        position = position.play(position.read_move(text))
    assert any(played.counts)


def test_a_game_begins_with_an_opening():
    player = load_player("random", HEX)
    openings = [("a1", "b2"), ("c3", "d4")]
    found = {
        play_self_game(HEX, player, s, openings=openings, random_moves=0).moves[:2]
        for s in range(12)
    }
    assert found == set(openings)


def test_openings_that_end_the_game_are_refused():
    """Another one was drawn for ever: two passes end a game of Go."""
    game = load_game("go", size=5)
    player, passes = load_player("random", game), ("pass", "pass")
    with pytest.raises(ValueError, match="over after every opening, such as pass pass"):
        play_self_game(game, player, seed=1, openings=[passes])
    played = play_self_game(game, player, seed=1, openings=[passes, ("C3",)], most_moves=9)
    assert played.moves[0] == "C3"


def test_a_long_game_is_called_a_draw():
    game = load_game("checkers")
    played = play_self_game(game, load_player("random", game), seed=1, random_moves=0, most_moves=4)
    assert (played.winner, len(played.moves)) == (None, 4)
    assert played.reason == "4 moves played, and no end"


@pytest.mark.parametrize("noise", [0.0, 0.3, 1.0])
def test_noise_is_the_share_of_later_moves_that_are_drawn(noise):
    player = load_player("rollouts", HEX, simulations=20, rollouts=1)
    games = [play_self_game(HEX, player, seed, random_moves=0, noise=noise) for seed in range(12)]
    turns = sum(len(played.values) for played in games)
    astray = sum(len(played.astray) for played in games)
    # A move that is drawn may be the chosen one.
    assert 0.6 * noise * turns <= astray <= min(1.4 * noise, 1) * turns
    for played in games:
        assert replayed(HEX, played).outcome().winner == played.winner
        assert list(played.astray) == sorted(set(played.astray))


def test_a_move_that_went_astray_is_not_the_one_with_most_visits():
    player = load_player("rollouts", HEX, simulations=60, rollouts=1)
    played = play_self_game(HEX, player, seed=1, random_moves=0, noise=0.5)
    assert played.astray
    position = HEX.start()
    for turn, (text, counts) in enumerate(zip(played.moves, played.counts, strict=True)):
        place = position.moves().index(position.read_move(text))
        visits = dict(counts)
        if turn not in played.astray and visits:
            assert place in visits
        position = position.play(position.read_move(text))


def test_a_sparring_partner_takes_one_side_or_the_other():
    player, partner = load_player("random", HEX), load_player("solver", HEX)
    sides = set()
    for seed in range(8):
        played = play_self_game(HEX, player, seed, random_moves=0, sparring=partner)
        spoke = {turn % 2 for turn, value in enumerate(played.values) if value}
        assert len(spoke) == 1
        sides |= spoke
        # The first side wins from the empty board, and the solver never lets go of a win.
        assert spoke != {0} or played.winner == "red"
    assert sides == {0, 1}


def test_a_game_of_before_there_was_noise_can_be_read():
    old = '{"moves":"a1 b2","n_given":1,"winner":"red","reason":"won","values":[0.5],"counts":[[]]}'
    assert SelfPlayGame.read(old) == SelfPlayGame(("a1", "b2"), 1, "red", "won", (0.5,), ((),))


def test_games_are_read_as_they_were_written():
    player = load_player("rollouts", HEX, simulations=20, rollouts=1)
    played = play_self_game(HEX, player, seed=5, noise=0.5)
    assert played.astray
    assert SelfPlayGame.read(played.write()) == played


@pytest.mark.parametrize(
    "change",
    [
        {"values": [[]]}, {"values": ["x"]}, {"values": [None]}, {"values": []},
        {"values": [0.5, 0.5]}, {"values": [float("nan")]}, {"n_given": -1}, {"n_given": 3},
        {"n_given": "1"}, {"winner": 5}, {"winner": []}, {"counts": [[], []]}, {"counts": [[[0]]]},
        {"counts": [[["a", 1]]]}, {"counts": [[[0, -1]]]}, {"astray": ["x"]}, {"astray": [5]},
        {"moves": 5},
    ],
)  # fmt: skip
def test_what_was_never_written_is_no_game(change):
    page = {"moves": "a1 b2", "n_given": 1, "winner": "red", "reason": "won", "values": [0.5],
            "counts": [[[0, 3]]], "astray": [0]}  # fmt: skip
    assert SelfPlayGame.read(json.dumps(page)).values == (0.5,)
    with pytest.raises((ValueError, TypeError, AttributeError)):
        SelfPlayGame.read(json.dumps(page | change))
