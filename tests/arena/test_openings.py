"""Openings: a game's own, so many of them, and those of a file."""

import pytest

from clauseboard.arena.match import NO_OPENINGS, openings_of, read_openings
from clauseboard.game import load_game

HEX = load_game("hex", size=3)


@pytest.mark.parametrize("name", ["checkers", "go", "hex"])
def test_none(name):
    assert read_openings(load_game(name), "none") == NO_OPENINGS == ((),)


@pytest.mark.parametrize("size", [2, 3, 5])
def test_all_first_moves_of_hex(size):
    found = read_openings(load_game("hex", size=size), "all")
    assert len(found) == len(set(found)) == size * size
    assert all(len(opening) == 1 for opening in found)


def test_hex_on_one_cell_is_over_after_the_first_move():
    assert openings_of(load_game("hex", size=1)) == ()


def test_three_moves_of_checkers():
    game = load_game("checkers")
    found = read_openings(game, "all")
    assert len(set(found)) == 174
    for opening in found:
        position = game.start()
        for text in opening:
            position = position.play(position.read_move(text))
        assert len(opening) == 3


@pytest.mark.parametrize("count", ["1", "4", "9"])
def test_some_drawn_by_the_seed(count):
    found = read_openings(HEX, count, seed=3)
    assert len(set(found)) == int(count)
    assert set(found) <= set(openings_of(HEX))
    assert found == read_openings(HEX, count, seed=3)
    draws = {read_openings(HEX, count, seed=seed) for seed in range(20)}
    assert len(draws) > 1


@pytest.mark.parametrize("count", ["0", "10", "1000"])
def test_more_than_there_are(count):
    with pytest.raises(ValueError, match=f"has 1 to 9 openings to draw from, not {count}"):
        read_openings(HEX, count)


def test_a_game_without_openings():
    with pytest.raises(ValueError, match="go has no openings of its own; choose 'none'"):
        read_openings(load_game("go"), "all")


def test_a_file(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text("# two of them\na1 B2\n\n  c3\n")
    assert read_openings(HEX, str(path)) == (("a1", "b2"), ("c3",))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a1\nb2 b2\n", "line 2: 'b2' is not legal"),
        ("z9\n", "line 1: "),
        ("# nothing\n", "has no opening in it"),
        ("a1 b1 a2 b2 a3\n", r"line 1: the game is over \(red wins"),
    ],
)
def test_a_bad_file(tmp_path, text, told):
    path = tmp_path / "openings.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match=told):
        read_openings(HEX, str(path))


def test_a_file_that_is_no_text(tmp_path):
    (tmp_path / "openings.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="is not text in UTF-8"):
        read_openings(HEX, str(tmp_path / "openings.txt"))


def test_no_such_thing():
    with pytest.raises(ValueError, match="'every' is none"):
        read_openings(HEX, "every")
