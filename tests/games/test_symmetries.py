"""The bits of the view "mover" are bits of the board, wherever the second colour is to move."""

import random

import numpy as np
import pytest

from clauseboard.game import game_names, load_game
from clauseboard.games.squares import mover_source

PARAMETERS = {"go": [{"size": 5}, {"size": 4}], "hex": [{"size": 3}, {"size": 6}, {"size": 9}]}
CASES = [(name, parameters) for name in game_names() for parameters in PARAMETERS.get(name, [{}])]


@pytest.mark.parametrize(("name", "parameters"), CASES)
def test_the_view_shows_the_board_by_its_source(name, parameters):
    game = load_game(name, **parameters)
    draw = random.Random(0)
    source = mover_source(game)
    assert sorted(source) == list(range(len(game.bits())))
    looked_at = 0
    for _ in range(5):
        position = game.start()
        while position.outcome() is None and looked_at < 400:
            position = position.play(draw.choice(position.moves()))
            if position.to_move == game.colours[1]:
                board, seen = game.encode([position]), game.encode([position], view="mover")
                assert np.array_equal(board[:, source], seen)
                looked_at += 1
    assert looked_at > 10
