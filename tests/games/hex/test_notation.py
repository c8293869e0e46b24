"""Moves and positions of Hex as text."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import IllegalMoveError, NotationError, UnreadableError, load_game
from clauseboard.games.hex import SWAP, HexMove
from clauseboard.games.hex.notation import read_cell

MANY = settings(max_examples=200)


@pytest.mark.parametrize("size", [1, 9, 19])
def test_cells_are_named_from_the_top_left(size):
    for row in range(size):
        for column in range(size):
            name = "abcdefghijklmnopqrs"[column] + str(row + 1)
            assert read_cell(name, size) == HexMove(row, column)
            assert read_cell(f" {name.upper()}\t", size) == HexMove(row, column)
            assert str(HexMove(row, column)) == name


@pytest.mark.parametrize(
    "text", ["", "a", "1", "1a", "a1b", "aa1", "a-1", "a01", "a1.", "ä1", "a²"]
)
def test_texts_that_are_no_cell(text):
    with pytest.raises(
        UnreadableError, match="is not a Hex move; write a column and a row"
    ) as caught:
        read_cell(text, 11)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["l1", "a12", "z26", "l12", "k99"])
def test_cells_outside_the_board_name_its_corners(text):
    with pytest.raises(UnreadableError, match="on a board of size 11: it goes from a1 to k11"):
        read_cell(text, 11)


def test_moves_are_read_in_a_position():
    position = load_game("hex", size=3, swap=True).read_position(".../.R./... blue")
    assert position.read_move("a1") == HexMove(0, 0)
    assert position.read_move(" SWAP ") == SWAP
    with pytest.raises(
        IllegalMoveError, match=r"'b2' is not legal: b2 has a red stone already\. The position"
    ):
        position.read_move("b2")
    with pytest.raises(IllegalMoveError, match="'swap' is not legal"):
        position.play(HexMove(0, 0)).read_move("swap")
    over = load_game("hex", size=2).read_position("RB/R. blue")
    with pytest.raises(IllegalMoveError, match="'b2' is not legal: b2 is not possible: red wins"):
        over.read_move("b2")


@MANY
@given(st.text(max_size=6))
def test_any_text_is_a_move_or_is_refused(text):
    position = load_game("hex", size=5).start()
    names = {str(move): move for move in position.moves()}
    if text.strip().lower() in names:
        assert position.read_move(text) == names[text.strip().lower()]
    else:
        with pytest.raises(NotationError) as caught:
            position.read_move(text)
        assert repr(text) in str(caught.value)


# ---- positions


def test_a_position_is_rows_from_the_top_and_the_side_to_move():
    game = load_game("hex", size=3)
    position = game.start()
    for move in ("c1", "a2", "b3"):
        position = position.play(position.read_move(move))
    assert game.write_position(position) == "..R/B../.R. blue"
    assert game.read_position("..R/B../.R. blue") == position
    assert game.read_position("  ..r/b../.r.   BLUE\n") == position
    assert repr(position) == "load_game('hex', size=3).read_position('..R/B../.R. blue')"


def test_the_side_to_move_tells_whether_there_was_a_swap():
    game = load_game("hex", size=3, swap=True)
    position = game.start()
    for move in ("a2", "swap", "c3"):
        position = position.play(position.read_move(move))
    text = game.write_position(position)
    assert text == ".B./.../..R blue"
    assert game.read_position(text) == position
    assert game.read_position(text).moves() == position.moves()


@MANY
@given(st.integers(1, 19), st.booleans(), st.integers(0, 2**32), st.integers(0, 400))
def test_positions_are_read_back_equal(size, swap, seed, moves):
    rng = random.Random(seed)
    game = load_game("hex", size=size, swap=swap)
    position = game.start()
    for _ in range(moves % (size**2 + 1)):
        if position.winner:
            break
        position = position.play(rng.choice(position.moves()))
    assert game.read_position(game.write_position(position)) == position


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("...", "is no Hex position; write 3 rows of 3 cells and the side to move"),
        (".../.../...", "is no Hex position"),
        (".../.../... green", "is no Hex position"),
        (".../.x./... red", "is no Hex position"),
        (".../.../... red blue", "is no Hex position"),
        (".../.../.. red", r"has rows of 3, 3, 2 cells; write 3 rows of 3"),
        (".../... red", r"has rows of 3, 3 cells"),
        (".../.../.../ red", r"has rows of 3, 3, 3, 0 cells"),
        ("RRR/.../... blue", r"is not a position of a game: It cannot be blue's turn with 3 red"),
        ("RBB/R../R.B blue", None),
        ("RB./RB./R.B red", r"is not a position of a game: It cannot be red's turn, since red has"),
    ],
)
def test_texts_that_are_no_position(text, message):
    game = load_game("hex", size=3)
    if message is None:
        assert game.read_position(text).winner == "red"
        return
    with pytest.raises(UnreadableError, match=message) as caught:
        game.read_position(text)
    assert repr(text) in str(caught.value)


@MANY
@given(st.text("RB./ redblu", max_size=20))
def test_any_text_is_a_position_or_is_refused(text):
    game = load_game("hex", size=2)
    refused = None
    try:
        position = game.read_position(text)
    except UnreadableError as error:
        refused = str(error)
    if refused is None:
        assert game.read_position(game.write_position(position)) == position
    else:
        assert repr(text) in refused


@pytest.mark.parametrize("text", ["foo", "z9", "b2"])
def test_every_error_of_a_move_quotes_the_text_and_the_position(text):
    position = load_game("hex", size=3).read_position(".../.R./... blue")
    with pytest.raises(NotationError) as caught:
        position.read_move(text)
    assert repr(text) in str(caught.value)
    assert "'.../.R./... blue'" in str(caught.value)
