"""Boards as text and as pictures."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from clauseboard.game import Bit
from clauseboard.games.checkers import Checkers, clause_text
from clauseboard.games.checkers.drawing import DARK, FILLS, LETTERS, SIZE, centre
from clauseboard.games.checkers.encoding import CELL_BITS, DIGIT_BITS, LEVEL_BITS
from clauseboard.games.drawing import FORBIDDEN, NEEDED

POSITION = Checkers().read_position("W:W18,K30:B10,K32")


def shapes(svg, kind):
    return [shape for shape in ElementTree.fromstring(svg).iter() if shape.tag.endswith(kind)]


def circles_at(svg, square):
    x, y = centre(square)
    return [c for c in shapes(svg, "circle") if (float(c.get("cx")), float(c.get("cy"))) == (x, y)]


def test_the_text():
    assert str(Checkers().start()) == "\n".join(
        [
            "  b   b   b   b    1-4",
            "b   b   b   b      5-8",
            "  b   b   b   b    9-12",
            ".   .   .   .     13-16",
            "  .   .   .   .   17-20",
            "w   w   w   w     21-24",
            "  w   w   w   w   25-28",
            "w   w   w   w     29-32",
            "black to move",
        ]
    )
    assert [line for line in str(POSITION).splitlines() if re.search("[bBwW] ", line)] == [
        "  .   b   .   .    9-12",
        "  .   w   .   .   17-20",
        ".   W   .   B     29-32",
    ]


def test_a_marked_board_as_text():
    bits = Checkers().bits()
    text = Checkers().text(
        POSITION,
        text={"10": "?"},
        heat={"32": 0.25, "1": -1.0},
        ringed=["18"],
        arrows=[("18", "15")],
        needed=[bits[9], LEVEL_BITS[1]],
        forbidden=[bits[3]],
    )
    assert text == "\n".join(
        [
            "       .-9         .           .           .-b     1-4",
            " .           .           .           .             5-8",
            "       .           b?+b        .           .       9-12",
            " .           .          >.           .            13-16",
            "       .          (w>)         .           .      17-20",
            " .           .           .           .            21-24",
            "       .           .           .           .      25-28",
            " .           W           .           B+2          29-32",
            "white to move",
            "needs own men: 2 or more",
            "arrows: 18->15",
        ]
    )
    assert Checkers().text().splitlines()[0] == "  .   .   .   .    1-4"


def test_every_square_has_its_number():
    svg = Checkers().draw()
    assert len([r for r in shapes(svg, "rect") if r.get("fill") == DARK]) == 32
    assert [t.text for t in shapes(svg, "text")] == [str(n) for n in range(1, 33)]
    assert shapes(svg, "circle") == []
    assert "<title>An empty board</title>" in svg


def test_pieces_stand_where_they_should():
    svg = Checkers().draw(POSITION)
    for square, colour, rings in ((18, "white", 1), (30, "white", 2), (10, "black", 1)):
        found = circles_at(svg, square)
        assert len(found) == rings
        assert found[0].get("fill") == FILLS[colour][0]
    assert len(shapes(svg, "circle")) == 6
    assert "<title>white to move</title>" in svg


def test_square_one_is_at_the_top_and_left_of_the_middle_of_its_pair():
    assert centre(1) == (1.5 * SIZE, 0.5 * SIZE)
    assert centre(5) == (0.5 * SIZE, 1.5 * SIZE)
    assert centre(32) == (6.5 * SIZE, 7.5 * SIZE)


def test_needed_pieces_have_a_green_ring():
    bits = Checkers().bits()
    svg = Checkers().draw(needed=[bits[13], bits[32 + 13 + 1]])
    man, king = circles_at(svg, 14), circles_at(svg, 15)
    assert [c.get("stroke") for c in man] == [FILLS["black"][1], NEEDED]
    assert [c.get("stroke") for c in king] == [FILLS["black"][1], FILLS["black"][2], NEEDED]


@pytest.mark.parametrize("kinds", [[0], [0, 3], [0, 1, 2, 3]])
def test_forbidden_pieces_are_crossed_out(kinds):
    bits = Checkers().bits()
    svg = Checkers().draw(forbidden=[bits[32 * kind + 13] for kind in kinds])
    crosses = [line for line in shapes(svg, "line") if line.get("stroke") == FORBIDDEN]
    assert len(crosses) == 2 * len(kinds)
    pieces = [c for c in shapes(svg, "circle") if c.get("fill") != "none"]
    assert len(pieces) == len(kinds)
    x, y = centre(14)
    for piece in pieces:
        radius = float(piece.get("r"))
        assert abs(float(piece.get("cx")) - x) + radius <= SIZE / 2
        assert abs(float(piece.get("cy")) - y) + radius <= SIZE / 2
    assert len({(piece.get("cx"), piece.get("cy")) for piece in pieces}) == len(kinds)


def test_heat_arrows_rings_and_text():
    svg = Checkers().draw(
        POSITION,
        heat={"14": 1.0, "15": -0.5},
        arrows=[("18", "9")],
        ringed=["18"],
        text={"10": "?"},
    )
    heated = {r.get("fill"): r.get("fill-opacity") for r in shapes(svg, "rect")}
    assert heated[NEEDED] == "0.75"
    assert heated[FORBIDDEN] == "0.38"
    assert len(shapes(svg, "polygon")) == 1
    assert len(circles_at(svg, 18)) == 2
    letters = [t for t in shapes(svg, "text") if t.text == "?"]
    assert letters[0].get("fill") == "#fff"


def test_bits_that_tell_of_no_square_are_in_the_title():
    plain, svg = (
        Checkers().draw(POSITION),
        Checkers().draw(POSITION, needed=[LEVEL_BITS[1], CELL_BITS[0]], forbidden=LEVEL_BITS[2:3]),
    )
    title = (
        "white to move; needs own men: 2 or more; needs black man on the light cell 1/1; "
        "forbids own men: 3 or more"
    )
    assert shapes(svg, "title")[0].text == title
    assert svg.splitlines()[2:] == plain.splitlines()[2:]


@pytest.mark.parametrize(
    "show",
    [
        lambda bit: Checkers().draw(needed=[bit]),
        lambda bit: Checkers().draw(forbidden=[bit, bit]),
        lambda bit: clause_text([bit], []),
    ],
)
def test_pieces_that_checkers_does_not_have(show):
    with pytest.raises(ValueError, match="'a stone on 3' tells of a 'stone', which is no piece of"):
        show(Bit("a stone on 3", "3", "stone"))


def test_a_clause_on_a_square_that_is_not_there():
    with pytest.raises(ValueError, match="'x' tells of the square '33'; they are 1 to 32"):
        clause_text([], [Bit("x", "33", "black man")])


def test_what_no_picture_can_show():
    with pytest.raises(ValueError, match="The heat of 3 is nan; it must be a number from -1 to 1"):
        Checkers().draw(heat={"3": float("nan")})
    for text in ("a\x00", "\x1b", "\ud800"):
        with pytest.raises(ValueError, match=r"The text on 3 is .* control characters cannot be"):
            Checkers().draw(text={"3": text})
    for fine in ("<&>", "\u00e9", "\t"):
        assert shapes(Checkers().draw(text={"3": fine}), "text")[-1].text == fine


def test_a_clause_as_text():
    bits = Checkers().bits()
    on = {(bit.piece, bit.cell): bit for bit in bits}
    needed = [on["black man", "1"], on["white king", "2"], on["black man", "3"]]
    needed += [on["white man", "3"], on["black king", "4"], LEVEL_BITS[0]]
    forbidden = [on["white man", "1"], on["black king", "4"], on["white king", "5"]]
    forbidden += [on[kind, "6"] for kind in ("white man", "black king", "black man")]
    forbidden += [on[kind, "7"] for kind in LETTERS] + [DIGIT_BITS[0]]
    lines = clause_text(needed, forbidden).splitlines()
    assert lines[0].split() == ["+b", "+W", "!", "!", "1-4"]
    assert lines[1].split() == ["-W", "-bBw", "-#", ".", "5-8"]
    assert [line.split()[:4] for line in lines[2:8]] == 6 * [["."] * 4]
    assert lines[8:] == ["needs own men: 1 or more", "forbids own men: digit 1"]
    assert len({len(line.rstrip("0123456789")) for line in lines[:8]}) == 1


def test_an_empty_clause_as_text_is_an_empty_board():
    assert clause_text([], []).splitlines()[0] == "  .   .   .   .    1-4"


def test_marks_on_squares_that_are_not_there():
    with pytest.raises(ValueError, match="There is no cell '33' on this board to mark"):
        Checkers().draw(ringed=["33"])
