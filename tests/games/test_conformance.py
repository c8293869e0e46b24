"""What holds for every game: a new one gets these tests by being there."""

import dataclasses
import random
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from clauseboard.game import (
    IllegalMoveError,
    NotationError,
    Outcome,
    UnreadableError,
    game_names,
    load_game,
)
from clauseboard.games.drawing import Marks

PAGES = Path(__file__).parents[2] / "docs" / "games"

# Every parameter at three values; each game's own tests say what they mean. A game that is not
# named here is tried as it comes.
PARAMETERS = {
    "checkers": [
        {},
        {"blocked": "draw"},
        {"max_moves": 10},
        {"max_moves": 100},
        {"quiet_moves": 5},
        {"quiet_moves": None, "max_moves": 200},
        {"repetitions": 2},
        {"repetitions": None, "max_moves": 60},
    ],
    "go": [
        {"size": 2, "max_moves": 40},
        {"size": 5},
        {"size": 9},
        {"size": 19, "max_moves": 30},
        {"size": 5, "superko": True},
        {"size": 5, "suicide": True, "max_moves": 80},
        {"size": 5, "komi": 0.0},
        {"size": 5, "komi": 0.5},
        {"size": 9, "handicap": 2},
        {"size": 9, "handicap": 5},
        {"size": 9, "max_moves": 70},
    ],
    "hex": [{"size": 1}, {"size": 3}, {"size": 11}, {"size": 4, "swap": True}, {"size": 19}],
}


def all_games():
    return [
        (name, parameters) for name in game_names() for parameters in PARAMETERS.get(name, [{}])
    ]


@pytest.fixture(params=all_games(), ids=str)
def game(request):
    name, parameters = request.param
    return load_game(name, **parameters)


def random_game(game, seed, most=400):
    """The positions of a random game, and its moves."""
    rng = random.Random(seed)
    positions, moves = [game.start()], []
    while positions[-1].outcome() is None and len(moves) < most:
        move = rng.choice(positions[-1].moves())
        moves.append(move)
        positions.append(positions[-1].play(move))
    return positions, moves


def test_a_game_is_its_parameters(game):
    again = load_game(
        game.name, **{f.name: getattr(game, f.name) for f in dataclasses.fields(game)}
    )
    assert game == again
    assert hash(game) == hash(again)
    assert eval(repr(game), {"load_game": load_game}) == game
    with pytest.raises(dataclasses.FrozenInstanceError):
        game.version = 3
    assert len(set(game.colours)) == 2
    assert game.other(game.colours[0]) == game.colours[1]
    assert game.other(game.colours[1]) == game.colours[0]


def test_parameters_that_are_not_understood_list_those_that_are(game):
    with pytest.raises(ValueError, match="has no parameter 'colour_of_table'; it has '"):
        load_game(game.name, colour_of_table="green")


def test_games_are_played_to_an_end(game):
    ended = 0
    for seed in range(3):
        positions, moves = random_game(game, seed)
        for position, move in zip(positions, moves, strict=False):
            assert position.outcome() is None
            assert position.to_move in game.colours
            legal = position.moves()
            assert move in legal
            assert len(set(legal)) == len(legal) > 0
        outcome = positions[-1].outcome()
        if outcome is not None:
            ended += 1
            assert isinstance(outcome, Outcome)
            assert outcome.winner in (None, *game.colours)
            assert outcome.reason
            assert positions[-1].moves() == ()
            with pytest.raises(IllegalMoveError):
                positions[-1].play(moves[-1])
    assert ended > 0


def test_positions_are_frozen_equal_and_hashable(game):
    positions, moves = random_game(game, 1, most=12)
    replayed = game.start()
    for position, move in zip(positions, moves, strict=False):
        assert replayed == position
        assert hash(replayed) == hash(position)
        assert replayed.moves() == position.moves()
        before = str(replayed)
        after = replayed.play(move)
        assert str(replayed) == before
        assert after != replayed
        replayed = after
    with pytest.raises((dataclasses.FrozenInstanceError, AttributeError)):
        positions[0].to_move = "nobody"


def test_a_position_can_be_pasted_back(game):
    positions, _ = random_game(game, 2, most=30)
    for position in positions:
        text = game.write_position(position)
        assert "\n" not in text
        read = game.read_position(text)
        assert game.write_position(read) == text
        assert read.to_move == position.to_move
        assert str(read) == str(position)
        pasted = eval(repr(position), {"load_game": load_game})
        assert game.write_position(pasted) == text


def test_moves_are_written_and_read(game):
    positions, moves = random_game(game, 3, most=60)
    for position, _ in zip(positions, moves, strict=False):
        texts = [position.write_move(move) for move in position.moves()]
        assert len(set(texts)) == len(texts)
        for move, text in zip(position.moves(), texts, strict=True):
            assert position.read_move(text) == move
            assert position.read_move(f"  {text} ") == move


@pytest.mark.parametrize("text", ["", "?", "hello", "99-98", "z99", "a0", "1-", "\n"])
def test_what_is_no_move_is_refused_with_a_sentence(game, text):
    position = game.start()
    if not position.moves():
        return
    with pytest.raises(NotationError) as caught:
        position.read_move(text)
    assert isinstance(caught.value, ValueError)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("text", ["", "no board", "(((", "B:W", "x" * 500])
def test_what_is_no_position_is_refused_with_a_sentence(game, text):
    with pytest.raises(UnreadableError):
        game.read_position(text)


def test_bits_have_names_and_go_both_ways(game):
    bits = game.bits()
    assert len({bit.name for bit in bits}) == len(bits)
    positions, _ = random_game(game, 4, most=40)
    rows = game.encode(positions)
    assert rows.shape == (len(positions), len(bits))
    assert rows.dtype == np.uint8
    assert set(np.unique(rows)) <= {0, 1}
    for position, row in zip(positions, rows, strict=True):
        decoded = game.decode(row, position.to_move)
        assert np.array_equal(game.encode([decoded])[0], row)
        assert decoded.to_move == position.to_move
    assert game.encode([]).shape == (0, len(bits))


def test_pictures_are_svg_and_show_the_marks(game):
    positions, _ = random_game(game, 5, most=10)
    cells = [bit.cell for bit in game.bits() if bit.cell is not None]
    first, last = cells[0], cells[-1]
    plain = ElementTree.fromstring(game.draw(positions[-1]))
    assert plain.tag.endswith("svg")
    marked = game.draw(
        positions[-1],
        text={first: "A!"},
        arrows=[(first, last)],
        heat={last: 0.5, first: -1.0},
        ringed=[first],
        needed=[game.bits()[0]],
        forbidden=[game.bits()[-1]],
    )
    assert "A!" in marked
    assert len(list(ElementTree.fromstring(marked).iter())) > len(list(plain.iter()))
    assert ElementTree.fromstring(game.draw()).tag.endswith("svg")
    with pytest.raises(ValueError, match="no cell 'nowhere'"):
        game.draw(positions[-1], text={"nowhere": "x"})
    with pytest.raises(ValueError, match=f"The heat of {first} is nan"):
        game.draw(positions[-1], heat={first: float("nan")})
    with pytest.raises(ValueError, match="control characters cannot be drawn"):
        game.draw(positions[-1], text={first: "a\x00"})
    with pytest.raises(TypeError):
        game.draw(positions[-1], glitter=True)
    assert {field.name for field in dataclasses.fields(Marks)} >= {"text", "heat"}


def every_mark(game):
    """Marks of each kind, on the first and the last cell of the board."""
    cells = [bit.cell for bit in game.bits() if bit.cell is not None]
    first, last = cells[0], cells[-1]
    return {
        "text": {first: "A!"},
        "arrows": [(first, last)],
        "heat": {first: -1.0, last: 0.5},
        "ringed": [last],
        "needed": [game.bits()[0]],
        "forbidden": [game.bits()[-1]],
    }


def without_codes(text):
    return re.sub("\x1b\\[[0-9;]*m", "", text)


def test_marks_can_be_read_in_text_without_colours(game):
    positions, _ = random_game(game, 6, most=10)
    assert set(every_mark(game)) == {field.name for field in dataclasses.fields(Marks)}
    for position in (None, positions[0], positions[-1]):
        plain = game.text(position)
        assert position is None or plain == str(position)
        found = {plain}
        for name, mark in every_mark(game).items():
            text = game.text(position, **{name: mark})
            assert len(text.splitlines()) == len(plain.splitlines()) + (name == "arrows")
            # What is new stands between what was there.
            signs = iter(text.replace(" ", ""))
            assert all(sign in signs for sign in plain.replace(" ", ""))
            found.add(text)
        found.add(game.text(position, **every_mark(game)))
        assert len(found) == 8
        assert all(text.isascii() and "\x1b" not in text for text in found)
        assert not any(line != line.rstrip() for text in found for line in text.splitlines())


def test_marked_cells_stay_in_columns(game):
    """A cell without a mark, among cells that have one, stands where it would stand with one."""
    cells = list(dict.fromkeys(bit.cell for bit in game.bits() if bit.cell is not None))
    if len(cells) == 1:
        return
    ringed = game.text(ringed=cells).splitlines()
    for cell in cells[:: max(1, len(cells) // 9)]:
        others = [other for other in cells if other != cell]
        for line, whole in zip(game.text(ringed=others).splitlines(), ringed, strict=True):
            here = [match.start() for match in re.finditer(r"\.", line)]
            assert here == [match.start() for match in re.finditer(r"\.", whole)]


def test_text_in_colours_is_the_same_text(game):
    positions, _ = random_game(game, 7, most=10)
    marks = every_mark(game)
    cool = {name: mark for name, mark in marks.items() if name != "heat"}
    for position in (None, positions[-1]):
        assert without_codes(game.text(position, colour=True)) == game.text(position)
        # Heat is the background and takes no room.
        assert without_codes(game.text(position, colour=True, **marks)) == game.text(
            position, **cool
        )
        plain = game.text(position, colour=True)
        shown = {game.text(position, colour=True, **{name: marks[name]}) for name in marks}
        assert len(shown | {plain}) == 7
        for line in game.text(position, colour=True, **marks).splitlines():
            codes = re.findall("\x1b\\[[0-9;]*m", line)
            assert codes[1::2] == ["\x1b[0m"] * (len(codes) // 2)
            assert len(codes) % 2 == 0


def test_what_no_text_can_show(game):
    position = game.start()
    first = next(bit.cell for bit in game.bits() if bit.cell is not None)
    for marks in (
        {"text": {"nowhere": "x"}},
        {"heat": {"nowhere": 1.0}},
        {"ringed": ["nowhere"]},
        {"arrows": [(first, "nowhere")]},
    ):
        with pytest.raises(ValueError, match="no cell 'nowhere'"):
            game.text(position, **marks)
    with pytest.raises(ValueError, match=f"The heat of {first} is nan"):
        game.text(position, heat={first: float("nan")})
    for text in ("a\n", "\t", "\u00e9"):
        with pytest.raises(ValueError, match=f"The text on {first} is .* of ASCII only"):
            game.text(position, text={first: text})
    with pytest.raises(TypeError):
        game.text(position, glitter=True)


@pytest.mark.parametrize("name", game_names())
def test_the_marked_board_on_a_games_page_is_what_is_printed(name, capsys):
    page = PAGES / f"{name}.md"
    if not PAGES.exists():
        pytest.skip("the pages are not here")
    parts = re.findall(r"```(?:python|text)?\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    number = next(n for n, part in enumerate(parts) if "print(game.text(" in part)
    exec(parts[number], {"load_game": load_game})
    assert capsys.readouterr().out == parts[number + 1]
