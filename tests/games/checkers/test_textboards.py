"""Boards typed as text: the figures, round trips, and every reason for a refusal."""

import random

import pytest
from checkers_boards import ENDLESS, random_position
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import IllegalMoveError, UnreadableError
from clauseboard.games.checkers import Checkers, CheckersMove
from clauseboard.games.checkers.notation import (
    changed_squares,
    read_digits,
    read_next_board,
    write_digits,
)

START = """\
 1  1  1  1
1  1  1  1
 1  1  1  1
0  0  0  0
 0  0  0  0
3  3  3  3
 3  3  3  3
3  3  3  3"""

AFTER_11_15 = "1\t1\t1\t1\n" * 2 + "1\t1\t0\t1\n0\t0\t1\t0\n0\t0\t0\t0\n" + "3\t3\t3\t3\n" * 3

AFTER_23_18 = """\
 1  1  1  1
1  1  1  1
 1  1  0  1
0  0  1  0
 0  x3  0  0
3  3  x0  3
 3  3  3  3
3  3  3  3"""


def test_the_figures():
    start = Checkers().start()
    assert write_digits(start) == START
    move = read_next_board(start, AFTER_11_15)
    assert move == CheckersMove((11, 15))
    after = start.play(move)
    reply = read_next_board(after, AFTER_23_18)
    assert reply == CheckersMove((23, 18))
    assert write_digits(after.play(reply), after) == AFTER_23_18


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_boards_are_read_back_and_moves_found(seed):
    here = random_position(random.Random(seed))
    assert read_digits(write_digits(here)) == here.board
    for move in here.moves():
        after = here.play(move)
        for text in (write_digits(after), write_digits(after, here)):
            assert read_digits(text) == after.board
        if after.black and after.white:
            for text in (write_digits(after, here), ENDLESS.write_position(after)):
                # Two moves never leave the same board: see `CheckersMove`.
                assert read_next_board(here, text) == move


def test_a_fen_as_checkerboard_copies_it():
    start = Checkers().start()
    after = start.play(start.read_move("11-15"))
    text = f'[FEN "{Checkers().write_position(after)}."]\n'
    assert read_next_board(start, text) == CheckersMove((11, 15))


def test_changed_squares():
    assert changed_squares(read_digits(START), read_digits(AFTER_11_15)) == [11, 15]
    assert changed_squares(read_digits(START), read_digits(START)) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it has 0 rows, not 8."),
        ("\n".join(START.splitlines()[:7]), "it has 7 rows, not 8."),
        (START.replace("0  0  0  0", "0  0  0", 1), "row 4 is not four digits from 0 to 4."),
        (START.replace("0  0  0  0", "0  0  0  5", 1), "row 4 is not four digits from 0 to 4."),
        (START.replace("0  0  0  0", "0  y0  0  0", 1), "row 4 is not four digits"),
        ("1 1 3 1\n" + "0 0 0 0\n" * 7, "a white man cannot stand on 3"),
        (START.replace("0  0  0  0", "0  1  0  0", 1), "black has 13 pieces"),
        ("0 0 0 0\n" * 8, "there is no piece on the board"),
    ],
)
def test_what_is_no_board(text, message):
    with pytest.raises(UnreadableError) as caught:
        read_next_board(Checkers().start(), text)
    assert message in str(caught.value)
    assert "This is not a board of checkers" in str(caught.value)
    assert caught.value.position.startswith("B:W21,22")


def test_a_fen_that_cannot_be_read_is_refused_with_the_position():
    with pytest.raises(
        UnreadableError, match=r"'B:W33:B1' is not a position .* The position is 'B:W21,22"
    ):
        read_next_board(Checkers().start(), "B:W33:B1")


def board_after(text, *moves):
    """A board that is reached by moves nobody checks."""
    here = ENDLESS.read_position(text)
    for move in moves:
        here = here.after(move)
    return write_digits(here)


@pytest.mark.parametrize(
    ("here", "text", "message"),
    [
        (
            "B:W32:B1",
            board_after("B:W32:B1"),
            "Nothing has changed on the board, and it is black's turn.",
        ),
        (
            "B:W6,32:B1,3",
            board_after("B:W6,32:B1,3", CheckersMove((3, 7))),
            "The board differs on 3, 7, as after 3-7, but black must jump: 1x10.",
        ),
        (
            "B:W6,15:B1",
            board_after("B:W6,15:B1", CheckersMove((1, 10), (6,))),
            "The board differs on 1, 6, 10, as after 1x10, but the jump must go on: 1x19.",
        ),
        (
            "B:W32:B1",
            board_after("W:W32:B1", CheckersMove((32, 27))),
            "as after white's 32-27, but it is black's turn.",
        ),
        (
            "B:W32:B1",
            board_after("B:W32:B10"),
            "differs on 1, 10, which no move of black does; it may play 1-5, 1-6. The position",
        ),
        ("W:W:B1", board_after("W:W:B5"), "The game is over (black wins: white has no men left)"),
        (
            "B:W32:B1",
            "B:W32:B5",
            "After black's move it is white's turn, but 'B:W32:B5' says black",
        ),
    ],
)
def test_a_board_that_is_no_move_away_is_refused(here, text, message):
    with pytest.raises(IllegalMoveError) as caught:
        read_next_board(ENDLESS.read_position(here), text)
    assert message in str(caught.value)
    assert caught.value.position == here
