"""Hex boards as text and as pictures."""

import math
import xml.etree.ElementTree as ElementTree

import pytest

from clauseboard.game import Bit, load_game
from clauseboard.games.drawing import FORBIDDEN, NEEDED
from clauseboard.games.hex.drawing import FILL, SIDE, clause_text


def shapes(svg, kind):
    root = ElementTree.fromstring(svg)
    return [shape.attrib for shape in root.iter("{http://www.w3.org/2000/svg}" + kind)]


def stones(svg):
    return [circle for circle in shapes(svg, "circle") if circle["fill"] in FILL.values()]


def crosses(svg):
    """The middles of what is crossed out, each of which takes two lines."""
    lines = [line for line in shapes(svg, "line") if line["stroke"] == FORBIDDEN]
    return {
        (
            round((float(a["x1"]) + float(a["x2"])) / 2, 1),
            round((float(a["y1"]) + float(a["y2"])) / 2, 1),
        )
        for a in lines
    }


def bit(game, name):
    (found,) = (bit for bit in game.bits() if bit.name == name)
    return found


# ---- text


def test_the_text_slants_to_the_right():
    position = load_game("hex", size=3).read_position("..R/B../.R. blue")
    assert str(position) == (
        "  a b c\n"  #
        "1 . . R\n"
        " 2 B . .\n"
        "  3 . R .\n"
        "blue to move"
    )


def test_a_marked_board_as_text():
    game = load_game("hex", size=3)
    position = game.read_position("..R/B../.R. blue")
    marks = {
        "text": {"a1": "1"},
        "heat": {"c3": -0.5},
        "ringed": ["a2"],
        "arrows": [("b1", "b2")],
        "needed": [bit(game, "red stone at b3")],
    }
    assert game.text(position, **marks) == (
        "   a     b     c\n"
        "1  .1    .>    R\n"
        "   2 (B)   >.     .\n"
        "      3  .     R+R   .-4\n"
        "blue to move\n"
        "arrows: b1->b2"
    )


@pytest.mark.parametrize("text", ["1", "12", "123", "1234"])
def test_a_marked_row_begins_half_a_cell_further_right(text):
    lines = load_game("hex", size=3).text(text={"b2": text}).splitlines()
    firsts = [line.index(".") for line in lines[1:]]
    apart = lines[0].index("b") - lines[0].index("a")
    assert [2 * (first - firsts[0]) for first in firsts] == [0, apart, 2 * apart]


def test_a_text_of_another_size_is_refused():
    with pytest.raises(ValueError, match="The board has size 3, not 4"):
        load_game("hex", size=4).text(load_game("hex", size=3).start())


def test_stones_have_their_colours_in_a_terminal():
    game = load_game("hex", size=2)
    text = game.text(game.read_position("R./.B red"), colour=True)
    assert "\x1b[31mR\x1b[0m" in text
    assert "\x1b[34mB\x1b[0m" in text


def test_rows_of_two_digits_stay_in_line():
    lines = str(load_game("hex", size=11).start()).splitlines()
    assert lines[0] == "   a b c d e f g h i j k"
    assert lines[1] == " 1 . . . . . . . . . . ."
    assert lines[9] == "         9 . . . . . . . . . . ."
    assert lines[10] == "         10 . . . . . . . . . . ."
    firsts = [line.index(".") for line in lines[1:12]]
    assert firsts == list(range(3, 14))


def test_a_finished_game_says_how():
    position = load_game("hex", size=2).read_position("RB/R. blue")
    assert str(position).splitlines()[-1] == "red wins: red connected top and bottom"


# ---- pictures


def test_a_line_runs_through_the_winning_chain():
    game = load_game("hex", size=3)
    won = game.draw(game.read_position("RB./RBB/R.. blue"))
    assert won.count('stroke="#fff"') == 2
    assert 'stroke="#fff"' not in game.draw(game.read_position("RB./RBB/..R red"))


@pytest.mark.parametrize("size", [1, 6, 19])
def test_an_empty_board_is_a_hexagon_a_cell_with_coloured_sides(size):
    game = load_game("hex", size=size)
    svg = game.draw()
    assert len(shapes(svg, "polygon")) == size**2
    assert stones(svg) == []
    sides = [line["stroke"] for line in shapes(svg, "line")]
    assert sides.count(FILL["red"]) == sides.count(FILL["blue"]) == 4 * size
    names = [text.text for text in ElementTree.fromstring(svg).iter() if text.tag.endswith("text")]
    assert sorted(names) == sorted(
        2 * [*"abcdefghijklmnopqrs"[:size], *(str(n + 1) for n in range(size))]
    )


@pytest.mark.parametrize("size", [1, 6, 19])
def test_the_sides_meet_in_the_blunt_corners(size):
    lengths = {"red": [], "blue": []}
    for line in shapes(load_game("hex", size=size).draw(), "line"):
        (colour,) = (colour for colour, fill in FILL.items() if fill == line["stroke"])
        x1, y1, x2, y2 = (float(line[name]) for name in ("x1", "y1", "x2", "y2"))
        lengths[colour].append(round(math.dist((x1, y1), (x2, y2)) / SIDE, 1))
    for found in lengths.values():
        assert sorted(found) == [0.5, 0.5] + [1.0] * (4 * size - 2)


@pytest.mark.parametrize("size", [1, 6, 19])
def test_everything_is_within_the_picture(size):
    svg = load_game("hex", size=size).draw()
    width, height = map(float, ElementTree.fromstring(svg).attrib["viewBox"].split()[2:])
    for polygon in shapes(svg, "polygon"):
        for point in polygon["points"].split():
            x, y = map(float, point.split(","))
            assert 0 < x < width
            assert 0 < y < height


def test_neighbours_touch_and_others_do_not():
    game = load_game("hex", size=3)
    centre = {}
    for cell in ("a2", "b1", "b2", "b3", "c1", "a3", "c2", "a1", "c3"):
        (ring,) = shapes(game.draw(ringed=[cell]), "circle")
        centre[cell] = float(ring["cx"]), float(ring["cy"])
    near = [c for c in centre if math.dist(centre[c], centre["b2"]) < 1.8 * SIDE and c != "b2"]
    assert sorted(near) == ["a2", "a3", "b1", "b3", "c1", "c2"]
    # The first row is on top, and each further one begins more to the right.
    assert centre["a1"][1] < centre["a2"][1] < centre["a3"][1]
    assert centre["a1"][0] < centre["a2"][0] < centre["a3"][0]


def test_stones_have_their_colours_and_the_title_tells_the_state():
    game = load_game("hex", size=3)
    svg = game.draw(game.read_position("..R/B../.R. blue"))
    assert sorted(stone["fill"] for stone in stones(svg)) == sorted(
        [FILL["red"], FILL["red"], FILL["blue"]]
    )
    assert "<title>Hex, size 3, blue to move</title>" in svg
    over = load_game("hex", size=1).read_position("R blue")
    assert "red wins: red connected top and bottom</title>" in over.game.draw(over)


def test_a_clause_is_stones_and_crossed_out_stones():
    """As in the thesis: x2 and not x7 and not x8 on the board of size 2."""
    game = load_game("hex", size=2)
    bits = game.bits()
    svg = game.draw(needed=[bits[1]], forbidden=[bits[6], bits[7]])
    drawn = stones(svg)
    assert [stone["fill"] for stone in drawn] == [FILL["red"], FILL["blue"], FILL["blue"]]
    assert drawn[0]["stroke"] == NEEDED
    assert crosses(svg) == {
        (round(float(stone["cx"]), 1), round(float(stone["cy"]), 1)) for stone in drawn[1:]
    }


def test_both_colours_may_be_forbidden_in_one_cell():
    game = load_game("hex", size=3)
    both = [bit(game, "red stone at b2"), bit(game, "blue stone at b2")]
    svg = game.draw(forbidden=both)
    one, other = stones(svg)
    assert {one["fill"], other["fill"]} == set(FILL.values())
    apart = abs(float(one["cx"]) - float(other["cx"]))
    assert apart > float(one["r"]) + float(other["r"])
    assert len(crosses(svg)) == 2
    # A needed one and a forbidden one in one cell do not hide each other, either.
    mixed = stones(game.draw(needed=both[:1], forbidden=both[1:]))
    assert float(mixed[0]["cx"]) != float(mixed[1]["cx"])


def test_marks():
    game = load_game("hex", size=3)
    position = game.read_position("R../.../... blue")
    plain = game.draw(position)
    text = game.draw(position, text={"a1": "7", "b2": "<8>"})
    assert ">7</text>" in text
    assert "&lt;8&gt;" in text
    drawn = ElementTree.fromstring(text).iter()
    letters = {t.text: t.attrib["fill"] for t in drawn if t.tag.endswith("text")}
    assert letters["7"] == "#fff", "light on a stone"
    assert letters["<8>"] == "#222"
    heat = game.draw(position, heat={"b2": 0.5, "c3": -0.5})
    assert len(shapes(heat, "polygon")) == len(shapes(plain, "polygon")) + 2
    arrow = game.draw(position, arrows=[("a1", "c3")])
    assert len(shapes(arrow, "line")) == len(shapes(plain, "line")) + 1
    assert ">7</text>" in game.draw(text={"a1": "7"})


def test_what_cannot_be_drawn():
    game = load_game("hex", size=3)
    with pytest.raises(ValueError, match="There is no cell 'd1' on this board to mark"):
        game.draw(ringed=["d1"])
    with pytest.raises(ValueError, match="The board has size 4, not 3"):
        game.draw(load_game("hex", size=4).start())


def test_a_clause_as_text():
    game = load_game("hex", size=10)
    red, blue = game.bits()[:100], game.bits()[100:]
    needed, forbidden = [red[0], red[3], blue[3], blue[99]], [blue[0], red[1], blue[2], red[12]]
    lines = clause_text(game, needed, [*forbidden, blue[12]]).splitlines()
    assert lines[0].split() == list("abcdefghij")
    assert lines[1] == " 1 +R  -r  -b  !   .   .   .   .   .   ."
    assert lines[2] == "   2 .   .   -#  .   .   .   .   .   .   ."
    assert lines[10] == " " * 18 + "10 .   .   .   .   .   .   .   .   .   +B"


def test_bits_of_other_boards_are_refused():
    game, larger = load_game("hex", size=3), load_game("hex", size=4)
    for bit in (Bit("x", "a1", "black stone"), Bit("x", None, "red")):
        for where in ({"needed": [bit]}, {"forbidden": [bit]}):
            with pytest.raises(
                ValueError, match="'x' is not a bit of this board: its piece is one"
            ):
                game.draw(**where)
        with pytest.raises(ValueError, match="'x' is not a bit of this board"):
            clause_text(game, [bit], [])
    with pytest.raises(ValueError, match="There is no cell 'd4' on a board of size 3"):
        clause_text(game, [larger.bits()[15]], [])
