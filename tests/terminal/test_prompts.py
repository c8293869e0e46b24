"""What is asked before a game: by number, by name, or nothing for the usual."""

from __future__ import annotations

import io

import pytest

from clauseboard.game import game_names, load_game
from clauseboard.terminal import screen
from clauseboard.terminal.screen import Screen

HEX = load_game("hex", size=3)


def asking(choose, *lines):
    """What comes of the answers, and what was shown."""
    output, left = io.StringIO(), list(lines)
    found = choose(Screen(output), lambda prompt: left.pop(0))
    assert left == []
    return found, output.getvalue()


@pytest.mark.parametrize(
    ("answers", "chosen"),
    [
        ([""], game_names()[0]),
        (["2"], game_names()[1]),
        (["hex"], "hex"),
        (["HEX "], "hex"),
        (["chess", "0", "9", "go"], "go"),
    ],
)
def test_a_game(answers, chosen):
    found, shown = asking(screen.choose_game, *answers)
    assert found == chosen
    assert shown.count("Not a choice") == len(answers) - 1


@pytest.mark.parametrize(("answer", "chosen"), [("", "red"), ("2", "blue"), ("random", "random")])
def test_a_colour(answer, chosen):
    found, shown = asking(lambda *rest: screen.choose_colour(HEX, *rest), answer)
    assert found == chosen
    assert "1 red     moves first" in shown


@pytest.mark.parametrize(
    ("answers", "name"),
    [
        ([""], "rollouts"),
        (["random"], "random"),
        (["nobody", "99", "rollouts:simulations=5"], "rollouts:simulations=5"),
        (["tsetlin:machine=none.tm", "random"], "random"),
    ],
)
def test_an_opponent(answers, name):
    found, shown = asking(lambda *rest: screen.choose_opponent(HEX, *rest), *answers)
    assert found.name == name
    assert "Plays any legal move" in shown
    assert "Counts pieces" not in shown  # for there is no material in Hex


def test_another_person():
    assert asking(lambda *rest: screen.choose_opponent(HEX, *rest), "person")[0] is None
    assert screen.read_opponent("person", HEX) is None


def test_colours_that_are_given():
    assert screen.read_colour(" Blue", HEX, 0) == "blue"
    drawn = [screen.read_colour("random", HEX, seed) for seed in range(20)]
    assert set(drawn) == {"red", "blue"}
    assert drawn == [screen.read_colour("random", HEX, seed) for seed in range(20)]
    with pytest.raises(ValueError, match="--colour is one of red, blue, random in hex, not 'x'"):
        screen.read_colour("x", HEX, 0)
