"""What each game says of itself for the page: geometry, pieces and paths fit the rules."""

from __future__ import annotations

import dataclasses
import random
import re
import xml.etree.ElementTree as ET

import pytest

from clauseboard.game import game_names, load_game
from clauseboard.games.plugins import PAGE
from clauseboard.games.vocabulary import piece_title
from clauseboard.web import board_view
from naive.machines import GAMES, small_game

OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}


def line_of(game, seed, most=60):
    """A random game: positions, and moves between them."""
    draw, position = random.Random(seed), game.start()
    positions, moves = [position], []
    while position.outcome() is None and len(moves) < most:
        moves.append(draw.choice(position.moves()))
        position = position.play(moves[-1])
        positions.append(position)
    return positions, moves


def test_every_game_has_a_page():
    assert PAGE.games() == game_names()


@pytest.mark.parametrize("name", GAMES)
def test_the_cells_are_those_of_the_bits_and_lie_on_the_board(name):
    game = small_game(name)
    shape = board_view.shape_of(game)
    cells = {cell.id: cell for cell in shape.cells}
    assert set(cells) == {bit.cell for bit in game.bits()}
    for cell in cells.values():
        assert 0 < cell.x < shape.width
        assert 0 < cell.y < shape.height
        assert cell.r > 0
        for way, back in OPPOSITE.items():
            if getattr(cell, way) is not None:
                other = cells[getattr(cell, way)]
                assert getattr(other, back) == cell.id
                where = (other.x - cell.x, other.y - cell.y)
                assert {"up": where[1] < 0, "down": where[1] > 0, "left": where[0] < 0,
                        "right": where[0] > 0}[way]  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_arrow_keys_reach_every_cell(name):
    cells = {cell.id: cell for cell in PAGE.of(name).cells(small_game(name))}
    reached, waiting = set(), [next(iter(cells))]
    while waiting:
        cell = waiting.pop()
        if cell is not None and cell not in reached:
            reached.add(cell)
            waiting += [getattr(cells[cell], way) for way in OPPOSITE]
    assert reached == set(cells)


@pytest.mark.parametrize("name", GAMES)
def test_outlines_are_around_their_middle(name):
    for cell in PAGE.of(name).cells(small_game(name)):
        points = [tuple(map(float, pair.split(","))) for pair in cell.points.split()]
        if points:
            for axis, middle in enumerate((cell.x, cell.y)):
                found = [point[axis] for point in points]
                assert (min(found) + max(found)) / 2 == pytest.approx(middle, abs=0.02)


@pytest.mark.parametrize("name", GAMES)
def test_pictures_are_svg_and_have_no_scripts(name):
    shape = board_view.shape_of(small_game(name))
    assert ET.fromstring(shape.background).tag.endswith("svg")
    for piece in shape.pieces.values():
        ET.fromstring(f"<g>{piece.svg}</g>")
        assert "style" not in piece.svg
    assert not re.search(r"<script|\son\w+=|style=", shape.background)


@pytest.mark.parametrize("name", GAMES)
def test_pieces_are_those_of_the_encoding(name):
    game = small_game(name)
    assert set(PAGE.of(game).pieces(game)) == {bit.piece for bit in game.bits()}
    for seed in range(3):
        for position in line_of(game, seed)[0]:
            row = game.encode([position])[0]
            there = {
                bit.cell: bit.piece for bit, set_ in zip(game.bits(), row, strict=True) if set_
            }
            assert PAGE.of(game).pieces_on(position) == there


@pytest.mark.parametrize(("name", "settings"), [*GAMES.items(), ("hex", {"size": 3, "swap": True})])
def test_paths_tell_moves_apart(name, settings):
    game = load_game(name, **settings)
    page = PAGE.of(game)
    cells = {cell.id for cell in page.cells(game)}
    for seed in range(5):
        positions, moves = line_of(game, seed)
        for before, after, move in zip(positions, positions[1:], moves, strict=False):
            found = {}
            for other in before.moves():
                path = tuple(page.path(game, other))
                text = before.write_move(other)
                assert set(path) <= cells
                key = path or board_view.kind_of(text, list(path))
                assert key not in found, "two moves by the same clicks"
                found[key] = other
                assert board_view.kind_of(text, list(path)) in ("move", "pass", "swap")
            touched = page.touched(after, move)
            assert set(touched) <= cells
            if page.path(game, move):
                assert touched[-1] == page.path(game, move)[-1]


@pytest.mark.parametrize("name", GAMES)
def test_settings_are_parameters_of_the_game(name):
    fields = {field.name for field in dataclasses.fields(load_game(name))}
    for setting in PAGE.of(name).SETTINGS:
        assert setting.name in fields
        if setting.kind == "choice":
            assert setting.default in [value for value, _ in setting.choices]
            for value, title in setting.choices:
                assert title
                if setting.name != "handicap":
                    load_game(name, **{setting.name: value})
        elif setting.kind == "flag":
            for value in (True, False):
                load_game(name, **{setting.name: value})
        else:
            for value in (setting.least, setting.default, setting.most):
                load_game(name, **{setting.name: value})


@pytest.mark.parametrize("name", GAMES)
def test_a_board_set_up_piece_by_piece_is_the_board(name):
    game = small_game(name)
    page = PAGE.of(game)
    for position in line_of(game, 1, most=12)[0]:
        if position.outcome() is not None:
            continue
        pieces = list(page.pieces_on(position).items())
        again = board_view.read_position(game, None, pieces, position.to_move)
        assert page.pieces_on(again) == page.pieces_on(position)
        assert again.to_move == position.to_move


@pytest.mark.parametrize(
    ("pieces", "to_move", "told"),
    [
        (None, None, "A position needs a text"),
        ([("a1", "green")], None, "hex has no"),
        ([("z9", "red")], None, "hex has no"),
        ([("a1", "red"), ("a1", "blue")], None, "two pieces at 'a1'"),
        ([("a1", "red")], "green", "The side to move is 'red' or 'blue'"),
        ([("a1", "red"), ("b1", "red")], "red", "It cannot be red's turn"),
    ],
)
def test_boards_that_cannot_be(pieces, to_move, told):
    with pytest.raises(ValueError, match=told):
        board_view.read_position(load_game("hex", size=3), None, pieces, to_move)


def test_what_pieces_are_called():
    assert piece_title(load_game("checkers"), "black king") == "black king"
    assert piece_title(load_game("hex"), "blue") == "blue stone"


def test_games_from_a_request():
    assert board_view.game_of("hex", {"size": "5", "swap": "true"}) == load_game(
        "hex", size=5, swap=True
    )
    assert board_view.game_of("go", {"komi": "none"}).komi is None
    for name, settings in (("chess", {}), ("hex", {"size": "5.5"}), ("hex", {"width": 3})):
        with pytest.raises(ValueError, match=r"no game|size|parameter"):
            board_view.game_of(name, settings)


def test_go_is_counted_without_dead_stones():
    game = load_game("go", size=5, komi=0.5)
    page = PAGE.of(game)
    position = game.read_position(".b.../bb.../...../...ww/...w. black")
    assert page.count(position) is None
    for _ in range(2):
        position = position.play(position.read_move("pass"))
    alive = page.count(position)
    assert alive.totals == {"black": 4.0, "white": 4.5}
    assert alive.winner == "white"
    assert alive.territory == {"A5": "black", "E1": "white"}
    dead = page.count(position, ["d2"])
    assert set(dead.dead) == {"D2", "E2", "D1"}
    assert dead.totals == {"black": 25.0, "white": 0.5}
    assert dead.winner == "black"
    assert dead.text == "two passes, 25 to 0 and komi 0.5, 3 dead stones taken off"
    assert len(dead.territory) == 22
    position = game.read_position(".b.../bb.../...../...../....w black")
    for _ in range(2):
        position = position.play(position.read_move("pass"))
    assert page.count(position, ["e1"]).text.endswith(", 1 dead stone taken off")
    with pytest.raises(ValueError, match="no stone"):
        page.count(position, ["C3"])
