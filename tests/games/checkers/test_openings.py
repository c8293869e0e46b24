"""The names of openings: every line can be played, and the deck is named as far as names go."""

from __future__ import annotations

import pytest

from clauseboard.game import load_game
from clauseboard.games.checkers.selfplay import openings, three_move_deck
from clauseboard.games.checkers.vocabulary import OPENING_NAMES
from clauseboard.web.board_view import opening_of

GAME = load_game("checkers")


@pytest.mark.parametrize("line", OPENING_NAMES)
def test_a_named_opening_can_be_played(line):
    position = GAME.start()
    for text in line.split():
        move = position.read_move(text)
        assert position.write_move(move) == text
        position = position.play(move)


def test_all_first_moves_but_one_have_a_name():
    # After 11-15 it is the reply that names the opening.
    unnamed = [str(one) for one in openings(1, GAME) if str(one) not in OPENING_NAMES]
    assert unnamed == ["11-15"]


def test_the_deck_is_named():
    without = [str(one) for one in three_move_deck(GAME) if not opening_of(GAME, str(one).split())]
    assert all(line.startswith(("11-15 22-17", "11-15 23-19")) for line in without)
    assert len(without) == 4
    assert opening_of(GAME, ["9-13", "22-18", "6-9", "25-22"]) == "Dreaded Edinburgh"
    assert opening_of(GAME, []) is None
