"""Many boards at once: the functions over the kernels."""

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.games.hex import encoding, rules


@pytest.mark.parametrize("size", [1, 5, 11])
def test_winners_by_name(size):
    game = load_game("hex", size=size)
    played = encoding.random_games(game, 20, stream=1)
    named = encoding.winners(game, played.boards)
    assert named == [("red", "blue")[side] for side in played.winners]
    assert encoding.winners(game, encoding.boards_of(game, [game.start()])) == [None]
    assert encoding.winners(game, played.boards[:0]) == []


@pytest.mark.parametrize("size", [1, 4, 19])
def test_random_games_can_be_replayed(size):
    game = load_game("hex", size=size)
    played = encoding.random_games(game, 5, stream=3)
    for cells, length, board, side in zip(
        played.cells, played.lengths, played.boards, played.winners, strict=True
    ):
        position = game.start()
        for cell in cells[:length]:
            position = position.play(rules.cells_of(size)[cell])
        assert position.winner == ("red", "blue")[side]
        assert np.array_equal(board, encoding.boards_of(game, [position])[0])


def test_the_same_stream_gives_the_same_games():
    game = load_game("hex", size=7)
    one, again = (encoding.random_games(game, 10, stream=5) for _ in range(2))
    assert np.array_equal(one.cells, again.cells)
    assert one.stream == again.stream
    later = encoding.random_games(game, 10, stream=one.stream)
    assert not np.array_equal(one.cells, later.cells)
    negative, wrapped = (encoding.random_games(game, 3, stream=s) for s in (-1, 2**64 - 1))
    assert np.array_equal(negative.cells, wrapped.cells)


def test_playing_out():
    game = load_game("hex", size=3)
    decided = game.read_position("RB./RB./R.. blue")
    assert encoding.play_out(decided, 50, stream=1)[0] == 50
    lost = game.read_position("BBB/RR./... red")
    assert encoding.play_out(lost, 50, stream=1)[0] == 0
    wins, stream = encoding.play_out(game.start(), 2000, stream=1)
    assert 1000 < wins < 1400  # red has one stone more
    assert stream != 1
    assert encoding.play_out(game.start(), 0, stream=1) == (0, 1)


@pytest.mark.parametrize("games", [-1, -100])
def test_numbers_of_games_that_are_none(games):
    game = load_game("hex", size=3)
    with pytest.raises(ValueError, match=f"games={games} must be an integer >= 0"):
        encoding.random_games(game, games, stream=1)
    with pytest.raises(ValueError, match=f"games={games} must be an integer >= 0"):
        encoding.play_out(game.start(), games, stream=1)
