"""Moves and positions as text."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import IllegalMoveError, UnreadableError, load_game
from clauseboard.games.go import PASS, GoMove, notation


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("A9", GoMove(0)),
        ("J1", GoMove(80)),
        ("h9", GoMove(7)),
        ("j9", GoMove(8)),
        (" E5\n", GoMove(40)),
        ("pass", PASS),
        ("PASS", PASS),
    ],
)
def test_moves_are_read(text, move):
    assert load_game("go").start().read_move(text) == move


def test_all_moves_have_names_of_their_own():
    position = load_game("go", size=19).start()
    texts = [position.write_move(move) for move in position.moves()]
    assert texts[:2] == ["A19", "B19"]
    assert texts[-2:] == ["T1", "pass"]
    assert not any(text.startswith("I") for text in texts)


@pytest.mark.parametrize("text", ["I5", "A10", "A0", "5E", "E", "resign", "A5 A6", "Ä5"])
def test_what_is_no_point_is_refused(text):
    with pytest.raises(UnreadableError, match="write a column A to J") as e:
        load_game("go").start().read_move(text)
    assert repr(text) in str(e.value)
    assert "(there is no I) and a line 1 to 9" in str(e.value)
    assert "The position is '........./" in str(e.value)


def test_what_is_not_legal_is_refused_with_the_reason():
    game = load_game("go", size=3)
    position = game.read_position(".b./b../..w white")
    for text, reason in [("B3", "black stone"), ("C1", "white stone"), ("A3", "suicide")]:
        with pytest.raises(IllegalMoveError, match=reason) as caught:
            position.read_move(text)
        assert repr(text) in str(caught.value)
        assert ".b./b../..w white" in str(caught.value)
    with pytest.raises(IllegalMoveError, match="over"):
        game.read_position(".b./b../..w white passes=2 moves=9").read_move("A1")


def test_a_position_says_what_it_needs_to():
    game = load_game("go", size=4)
    text = ".bw./b.bw/.bw./.... white ko=B3 moves=7 prisoners=1,0"
    position = game.read_position(text)
    assert position.board == bytes([0, 1, 2, 0, 1, 0, 1, 2, 0, 1, 2, 0, 0, 0, 0, 0])
    assert (position.to_move, position.ko, position.passes) == ("white", 5, 0)
    assert (position.moves_played, position.prisoners) == (7, (1, 0))
    assert game.write_position(position) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no board and side"),
        ("...", "no board and side"),
        (".../... black", "3 lines of 3 points"),
        (".../.../.... black", "3 lines of 3 points"),
        (".../.x./... black", "points are '.', 'b' or 'w', not 'x'"),
        (".../.../... red", "'black' or 'white', not 'red'"),
        (".../.../... black ko", "'ko' has no meaning"),
        (".../.../... black ko=A9", "'ko=A9' has no meaning"),
        (".../.../... black ko=A1", "no stone can just have been taken at A1"),
        (".../.../... black passes=3", "'passes=3' has no meaning"),
        (".../.../... black passes=1", "more passes than moves"),
        (".../.../... black moves=-1", "'moves=-1' has no meaning"),
        (".../.../... black moves=1 moves=2", "'moves' is given twice"),
        (".../.../... black prisoners=1", "'prisoners=1' has no meaning"),
        (".../.../... black weather=fine", "'weather=fine' has no meaning"),
        ("bw./w../... black", "the stone at A3 has no liberty"),
    ],
)
def test_what_is_no_position_is_refused(text, reason):
    with pytest.raises(UnreadableError, match=reason.replace(".", r"\.")) as caught:
        load_game("go", size=3).read_position(text)
    assert repr(text) in str(caught.value)
    assert "One of size 4 looks like" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        # The point is taken; it has a friend beside it; two stones would be taken; after a pass.
        ".bw./bw.w/.bw./.... white ko=B3 moves=7",
        ".bw./b.ww/.bw./.... white ko=B3 moves=7",
        ".bw./b.bw/.bbw/..w. white ko=B3 moves=7",
        ".bw./b.bw/.bw./.... white ko=B3 passes=1 moves=7",
        ".bw./b.bw/.bw./.... black ko=B3 moves=7",
    ],
)
def test_a_ko_that_cannot_be_is_refused(text):
    with pytest.raises(UnreadableError, match="no stone can just have been taken at B3"):
        load_game("go", size=4).read_position(text)


@settings(max_examples=60)
@given(st.integers(2, 6), st.integers(0, 10**6), st.integers(0, 60), st.booleans())
def test_positions_come_back_as_they_were(size, seed, length, suicide):
    rng = random.Random(seed)
    position = load_game("go", size=size, suicide=suicide).start()
    for _ in range(length):
        if position.moves():
            position = position.play(rng.choice(position.moves()))
    assert position.game.read_position(position.game.write_position(position)) == position


@settings(max_examples=200)
@given(st.text())
def test_any_text_is_a_move_or_refused_with_a_sentence(text):
    position = load_game("go", size=5).start()
    if text.strip().upper() in [position.write_move(move).upper() for move in position.moves()]:
        assert position.read_move(text) in position.moves()
    else:
        with pytest.raises(UnreadableError) as caught:
            position.read_move(text)
        assert repr(text) in str(caught.value)


@settings(max_examples=200)
@given(st.text("bw./ lackhite=0123ABCkopasme,", max_size=40))
def test_any_text_is_a_position_or_refused_with_a_sentence(text):
    game = load_game("go", size=2)
    for tried in (text, f"b./.w {text}", f"../.. black {text}"):
        try:
            position = game.read_position(tried)
        except UnreadableError:
            continue
        assert game.read_position(game.write_position(position)) == position


def test_the_example_in_errors_is_a_position():
    position = load_game("go", size=4).read_position(notation.LAYOUT)
    assert position.game.write_position(position) == notation.LAYOUT
    with pytest.raises(UnreadableError, match="One of size 4 looks like") as caught:
        load_game("go", size=4).read_position("?")
    assert repr(notation.LAYOUT) in str(caught.value)
