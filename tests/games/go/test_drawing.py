"""Boards as text and pictures, and clauses drawn on them."""

import xml.etree.ElementTree as ElementTree

import pytest

from clauseboard.game import Bit, load_game
from clauseboard.games.drawing import clause_signs
from clauseboard.games.go import encoding
from clauseboard.games.go.drawing import LETTER, clause_text


def test_a_board_as_text():
    game = load_game("go", size=4)
    position = game.read_position(".bw./b.bw/.bw./.... white ko=B3 moves=7")
    assert str(position) == (
        " 4 . b w .\n"
        " 3 b . b w\n"
        " 2 . b w .\n"
        " 1 . . . .\n"
        "   A B C D\n"
        "white to move, but not at B3 (ko)"
    )
    assert str(game.start()).endswith("\nblack to move")
    over = game.read_position("..../.b../..../.... white passes=2 moves=3")
    assert str(over).endswith("\nblack wins: two passes, 16 to 0 and komi 7")


def test_a_marked_board_as_text():
    game = load_game("go", size=4)
    position = game.read_position(".bw./b.bw/.bw./.... white ko=B3 moves=7")
    marks = {
        "text": {"B4": "1", "A1": "x"},
        "heat": {"D1": 1.0, "C1": -0.5, "D4": 0.0},
        "ringed": ["C3"],
        "arrows": [("D3", "D2"), ("D2", "A2")],
        "needed": bits_of(game, "black stone at A3"),
        "forbidden": bits_of(game, "white stone at B1"),
    }
    assert game.text(position, **marks) == (
        " 4  .    b1   w    .+0\n"
        " 3  b+B  .   (b)   w>\n"
        " 2 >.    b    w   >.>\n"
        " 1  .x   .-w  .-4  .+9\n"
        "    A    B    C    D\n"
        "white to move, but not at B3 (ko)\n"
        "arrows: D3->D2, D2->A2"
    )
    assert game.text(ringed=["A1"]).splitlines()[3:] == [" 1 (.)  .   .   .", "    A   B   C   D"]


def test_a_text_of_another_size_is_refused():
    with pytest.raises(ValueError, match="The board has size 4, not 5"):
        load_game("go", size=5).text(load_game("go", size=4).start())


def test_columns_have_no_i_and_stay_in_line():
    lines = str(load_game("go", size=19).start()).splitlines()
    assert lines[19].split() == list("ABCDEFGHJKLMNOPQRST")
    assert len({len(line) for line in lines[:20]}) == 1


def bits_of(game, *names):
    by_name = {bit.name: bit for bit in game.bits()}
    return [by_name[name] for name in names]


@pytest.mark.parametrize(
    ("needed", "forbidden", "sign"),
    [
        (["black"], [], "+B"),
        (["white"], [], "+W"),
        ([], ["black"], "-b"),
        ([], ["white"], "-w"),
        ([], ["black", "white"], "-#"),
        (["black"], ["white"], "+B"),
        (["white"], ["black"], "+W"),
        (["black", "white"], [], "!"),
        (["black"], ["black"], "!"),
        (["white"], ["black", "white"], "!"),
    ],
)
def test_signs(needed, forbidden, sign):
    game = load_game("go", size=3)
    asked = bits_of(game, *(f"{colour} stone at B2" for colour in needed))
    refused = bits_of(game, *(f"{colour} stone at B2" for colour in forbidden))
    assert clause_signs(asked, refused, LETTER) == {"B2": sign}
    picture = game.draw(needed=asked, forbidden=refused)
    assert [text.text for text in texts_of(picture)].count(sign) == 1


def texts_of(picture):
    return [e for e in ElementTree.fromstring(picture).iter() if e.tag.endswith("text")]


def test_a_clause_as_text():
    game = load_game("go", size=9)
    needed = bits_of(game, "black stone at C7")
    forbidden = bits_of(
        game, "black stone at J9", "white stone at A7", "black stone at B1", "white stone at B1"
    )
    lines = clause_text(game, needed, forbidden).splitlines()
    assert lines[0] == " 9  .  .  .  .  .  .  .  . -b"
    assert lines[2] == " 7 -w  . +B  .  .  .  .  .  ."
    assert lines[8] == " 1  . -#  .  .  .  .  .  .  ."
    assert lines[9] == "    A  B  C  D  E  F  G  H  J"


def test_the_movers_view_has_letters_of_its_own():
    bits = encoding.bits(load_game("go", size=2), "mover")
    own, opposing = bits[0], bits[7]
    assert clause_signs([own], [opposing], LETTER) == {"A2": "+O", "B1": "-x"}


def test_bits_of_other_boards_are_refused():
    small, large = load_game("go", size=3), load_game("go", size=9)
    with pytest.raises(ValueError, match="There is no cell 'A9' on a 3x3 board"):
        clause_text(small, needed=[large.bits()[0]], forbidden=[])
    with pytest.raises(ValueError, match="'black king on 14' is not a bit of this board"):
        clause_text(small, needed=[Bit("black king on 14", "14", "black king")], forbidden=[])
    with pytest.raises(ValueError, match="no cell 'A9'"):
        small.draw(needed=[large.bits()[0]])


def shapes(picture, kind):
    return [e for e in ElementTree.fromstring(picture).iter() if e.tag.endswith(kind)]


@pytest.mark.parametrize(("size", "stars"), [(2, 0), (8, 4), (9, 5), (13, 5), (19, 9)])
def test_a_picture_has_its_lines_stars_and_stones(size, stars):
    game = load_game("go", size=size)
    empty = game.draw()
    assert len(shapes(empty, "line")) == 2 * size
    assert len(shapes(empty, "circle")) == stars
    assert len(texts_of(empty)) == 4 * size
    position = game.start()
    for text in ("A1", "B2"):
        position = position.play(position.read_move(text))
    fills = [circle.get("fill") for circle in shapes(game.draw(position), "circle")]
    assert len(fills) == stars + 2
    assert {"#111", "#fafafa"} <= set(fills)


def test_stones_lie_where_they_should():
    game = load_game("go", size=3)
    position = game.read_position("b../.../..w black")
    black, white = shapes(game.draw(position), "circle")
    assert float(black.get("cx")) < float(white.get("cx"))
    assert float(black.get("cy")) < float(white.get("cy"))
    labels = {text.text: text for text in texts_of(game.draw())}
    assert labels["A"].get("x") == black.get("cx")
    assert labels["1"].get("y") == white.get("cy")


def test_marks_are_drawn():
    game = load_game("go", size=5)
    position = game.read_position("b..../...../...../...../..... white")
    plain = game.draw(position)
    assert len(shapes(game.draw(position, heat={"B2": 0.5, "C3": -1}), "rect")) == 3
    assert len(shapes(game.draw(position, ringed=["B2"]), "circle")) == 2
    assert len(shapes(game.draw(position, arrows=[("A1", "C3")]), "polygon")) == 1
    marked = game.draw(position, text={"A5": "7", "B1": "<x>"})
    assert len(texts_of(marked)) == len(texts_of(plain)) + 2
    inks = {text.text: text.get("fill") for text in texts_of(marked)}
    assert (inks["7"], inks["<x>"]) == ("#fff", "#222")
