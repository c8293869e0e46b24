"""Plain moves on words: the same boards as positions give, or no answer."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import NotationError
from clauseboard.games.checkers.datasets import replay
from clauseboard.games.checkers.records import AS_PLAYED
from naive import datasets as naive

START = AS_PLAYED.start()


def slowly(start, texts):
    """The boards by positions; None if a move cannot be made."""
    position, boards = start, [start.board]
    for text in texts:
        try:
            position = position.play(position.read_move(text))
        except NotationError:
            return None
        boards.append(position.board)
    return boards


def texts_of(moves, short, rng):
    """Moves as text, the whole way or, now and then, its ends alone."""
    texts = []
    for path, taken in moves:
        shown = (path[0], path[-1]) if short and rng.random() < 0.5 else path
        texts.append(("x" if taken else "-").join(map(str, shown)))
    return texts


@given(st.integers(0, 10**9), st.booleans())
@settings(max_examples=40)
def test_whole_games(seed, short):
    ((moves, _),) = naive.random_games(seed, 1, most_moves=90)
    texts = texts_of(moves, short, random.Random(seed))
    found, expected = replay(START.board, "black", texts), slowly(START, texts)
    if short:
        # An ambiguous move has no answer; one that has two ways round a ring may have none.
        assert found in (None, expected)
    else:
        assert expected is not None
        assert found == expected


@given(st.integers(0, 10**9), st.data())
@settings(max_examples=100)
def test_a_wrong_move_has_no_answer(seed, data):
    ((moves, _),) = naive.random_games(seed, 1)
    texts = texts_of(moves, False, random.Random(seed))
    at = data.draw(st.integers(0, len(texts) - 1))
    squares = data.draw(st.lists(st.integers(0, 34), min_size=1, max_size=4))
    texts[at] = data.draw(st.sampled_from("-x")).join(map(str, squares))
    found = replay(START.board, "black", texts)
    if found is not None:
        assert found == slowly(START, texts)


@pytest.mark.parametrize(
    ("fen", "colour", "text"),
    [
        ("B:W6:B1,9", "black", "9-14"),  # must jump
        ("B:W6,15:B1", "black", "1x10"),  # must go on
        ("B:W6:B1", "black", "6-2"),  # not black's
        ("B:W32:B1", "black", "1-7"),
        ("B:W32:B1", "black", "1-5-9"),
        ("B:W32:B1", "black", "hm"),
        ("W:W32:B1", "white", "32-36"),
        ("W:W27:B1", "white", "27-32"),  # a man goes ahead only
    ],
)
def test_no_answer(fen, colour, text):
    position = AS_PLAYED.read_position(fen)
    assert replay(position.board, colour, [text]) is None
    with pytest.raises(NotationError):
        position.read_move(text)


def test_nobody_to_play_against():
    board = (AS_PLAYED.read_position("B:W32:B1").black, 0, 0)
    assert replay(board, "black", ["1-5"]) is None


def test_no_moves():
    assert replay(START.board, "black", []) == [START.board]


def test_an_exchange_by_kings_and_a_crowning():
    position = AS_PLAYED.read_position("B:W30,K14:BK10,25")
    texts = ["10x17", "30x21x14"]
    assert slowly(position, texts[:1]) == replay(position.board, "black", texts[:1])
    crowned = replay(AS_PLAYED.read_position("B:W20:B28").board, "black", ["28-32"])
    assert crowned[-1][2] == crowned[-1][0]
