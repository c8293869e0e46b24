"""Moves and positions as text."""

import random

import pytest
from checkers_boards import ENDLESS, random_position, random_positions
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import AmbiguousMoveError, IllegalMoveError, UnreadableError
from clauseboard.games.checkers import Checkers, CheckersMove
from clauseboard.games.checkers.notation import (
    read_move_loosely,
    read_path,
    write_move,
)

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


def position(text):
    return ENDLESS.read_position(text)


@pytest.mark.parametrize(
    "text",
    ["11-15", "11x15", " 11 - 15 ", "11X15", "11:15", "11\u201315", "11\u00d715", "11-\t15"],
)
def test_ways_to_write_a_step(text):
    assert Checkers().start().read_move(text) == CheckersMove((11, 15))


@pytest.mark.parametrize("text", ["1x19", "1-19", "1x10x19", "1-10-19", "1x 10 x19", "01x19"])
def test_ways_to_write_a_chain(text):
    assert position("B:W6,15:B1").read_move(text) == CheckersMove((1, 10, 19), (6, 15))


def test_a_short_chain_may_be_ambiguous():
    two = position("B:W14,15,22,23:B10")
    with pytest.raises(AmbiguousMoveError) as caught:
        two.read_move("10x26")
    assert str(caught.value) == (
        "'10x26' may be 10x17x26 or 10x19x26; write the whole path. "
        "The position is 'B:W14,15,22,23:B10'."
    )
    assert two.read_move("10x19x26").captured == (15, 23)


def test_some_squares_of_the_path_are_enough():
    here = position("B:W6,7,14,15,22:B2")
    assert [move.path for move in here.moves()] == [(2, 9, 18, 25), (2, 11, 18, 25)]
    assert here.read_move("2x9x25").captured == (6, 14, 22)
    assert here.read_move("2x11x25").captured == (7, 15, 22)
    for text in ("2x25", "2x18x25"):
        with pytest.raises(AmbiguousMoveError):
            here.read_move(text)
    with pytest.raises(IllegalMoveError):
        here.read_move("2x18x9x25")


def test_either_way_round_a_ring_is_the_same_move():
    ring = position("B:W7,8,15,16:BK3")
    move = ring.moves()[0]
    assert ring.read_move("3x12x19x10x3") == ring.read_move("3x10x19x12x3") == move
    assert ring.read_move("3x3") == ring.read_move("3x19x3") == move
    assert ring.write_move(move) == "3x3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a move: write its squares, such as '11-15', '15x24' or '1x10x19'."),
        ("11", "'11' is not a move"),
        ("11-15-", "is not a move"),
        ("11--15", "is not a move"),
        ("eleven", "is not a move"),
        ("1115", "is not a move"),
        ("111-15", "is not a move"),
        ("0-4", "'0-4' is not a move: squares are 1 to 32, not 0."),
        ("11-33", "squares are 1 to 32, not 33."),
    ],
)
def test_what_cannot_be_read(text, message):
    with pytest.raises(UnreadableError) as caught:
        read_path(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("32", "That is White's man; you play Black."),
        ("28", "That is White's king; you play Black."),
        ("1", "'1' is not a move: write where the man goes, such as '1-5'."),
        ("18", "'18' is not a move: there is no piece on 18."),
    ],
)
def test_one_square_alone_says_what_is_on_it(text, problem):
    with pytest.raises(UnreadableError) as caught:
        position("B:W32,K28:B1").read_move(text)
    assert caught.value.reason == problem


@pytest.mark.parametrize("text", ["foo", "11-40", "", "11", "111-15"])
def test_what_cannot_be_read_is_said_with_the_position(text):
    with pytest.raises(UnreadableError) as caught:
        position("B:W6,15:B1").read_move(text)
    assert f"{text!r} is not a move" in str(caught.value)
    assert "The position is 'B:W6,15:B1'." in str(caught.value)


@pytest.mark.parametrize(
    ("here", "text", "message"),
    [
        (
            START,
            "11-20",
            "'11-20' is not legal: the black man on 11 may play 11-15, 11-16. The ",
        ),
        (START, "21-17", "the piece on 21 is a white man, and it is black's turn."),
        (START, "15-19", "there is no piece on 15."),
        (START, "1-5", "the black man on 1 cannot move; black may play 9-13"),
        ("B:W6,15:B1", "1x10", "the jump must go on; black may play 1x19."),
        ("B:W6,15:B1,3", "3-7", "black must jump; 1x19 would do."),
        ("B:W6,15:B1", "1x11x19", "black must jump; 1x19 would do."),
        ("W:W:B1", "1-5", "the game is over (black wins: white has no men left)."),
    ],
)
def test_what_is_not_legal(here, text, message):
    with pytest.raises(IllegalMoveError) as caught:
        position(here).read_move(text)
    assert message in str(caught.value)
    assert repr(text) in str(caught.value)


def test_a_move_that_is_not_legal_is_not_written():
    with pytest.raises(IllegalMoveError, match="'11-20' is not legal"):
        write_move(Checkers().start(), CheckersMove((11, 20)))


@settings(max_examples=100)
@given(st.integers(0, 2**32))
def test_every_move_is_read_back(seed):
    here = random_position(random.Random(seed))
    texts = [here.write_move(move) for move in here.moves()]
    assert len(set(texts)) == len(texts)
    for move, text in zip(here.moves(), texts, strict=True):
        assert here.read_move(text) == move
        assert here.read_move(str(move)) == move


# ------------------------------------------------------------------ loosely


def test_a_jump_that_was_overlooked():
    here = position("B:W6,15,32:B1,3")
    assert read_move_loosely(here, "3-7") == CheckersMove((3, 7))
    assert read_move_loosely(here, "1x10") == CheckersMove((1, 10), (6,))
    assert read_move_loosely(here, "1x19") == CheckersMove((1, 10, 19), (6, 15))


@pytest.mark.parametrize("text", ["2-7", "32-27", "3-12", "1-6", "3x10", "15x24", "3-4"])
def test_what_is_not_even_loosely_a_move(text):
    with pytest.raises(IllegalMoveError):
        read_move_loosely(position("B:W6,15,32:B1,3"), text)


def test_loosely_may_be_ambiguous_too():
    here = position("B:W14,15,22,23,30:B10,1")
    with pytest.raises(AmbiguousMoveError):
        read_move_loosely(here, "10x26")


# ------------------------------------------------------------------ positions


def test_the_start_is_written():
    assert Checkers().write_position(Checkers().start()) == START
    assert Checkers().read_position(START) == Checkers().start()


@pytest.mark.parametrize(
    "text",
    [
        "B:W18,24,K27:B1,2,K3",
        "b:w18,24,k27:b1,2,k3",
        "B:B1,2,K3:W18,24,K27",
        " B : W18 , 24, K27 : B1,2,K3. ",
        '"B:W18,24,K27:B1,2,K3"',
        '[FEN "B:W18,24,K27:B1,2,K3"]',
        "B:W18,24,K27:B1-2,K3-3",
    ],
)
def test_ways_to_write_a_position(text):
    assert ENDLESS.write_position(position(text)) == "B:W18,24,K27:B1,2,K3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it must be like 'B:W18,24,K27:B1,2,K3'."),
        ("X:W18:B1", "it must be like"),
        ("B:W18", "it must be like"),
        ("B:W18:B1:W2", "it must be like"),
        ("B:W18:W1", "one list W and one list B"),
        ("B:W18:Q1", "one list W and one list B"),
        ("B:W18,33:B1", "'33' is not a square from 1 to 32"),
        ("B:W18,0:B1", "'0' is not a square from 1 to 32"),
        ("B:W18,Q7:B1", "'Q7' is not a square"),
        ("B:W18,18:B1", "square 18 is named twice"),
        ("B:W18:B18", "square 18 is named twice"),
        ("B:W:B", "there is no piece on the board"),
        ("B:W2:B1", "a white man cannot stand on 2"),
        ("B:W32:B30", "a black man cannot stand on 30"),
        ("W:W32-21:B1-12", "the range '32-21' runs backwards; it would be 21-32."),
        ("W:W21-32:BK3-2", "the range 'K3-2' runs backwards"),
        ("B:W20-32:B1", "white has 13 pieces; a side has at most 12"),
    ],
)
def test_what_is_no_position(text, message):
    with pytest.raises(UnreadableError) as caught:
        position(text)
    assert message in str(caught.value)
    assert repr(text) in str(caught.value)


def test_positions_are_read_back():
    for here in random_positions(3, 300):
        assert position(ENDLESS.write_position(here)) == here
