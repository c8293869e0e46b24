"""The `players` command: who there is, for people and for programs, and bad input."""

import json

import pytest
from typer.testing import CliRunner

from clauseboard.cli.main import app
from clauseboard.players import player_names


def run(*arguments):
    return CliRunner().invoke(app, ["players", *arguments])


def test_every_player_has_its_lines():
    shown = run().output
    for name in player_names():
        assert f"\n{name} " in f"\n{shown}"
    assert "options: resign, otherwise" in shown
    assert "breadth_first" in shown


def test_with_a_game_those_who_cannot_play_it_are_told_apart():
    shown = run("hex", "--set", "size=9").output
    listed, _, rest = shown.partition("Not here: ")
    assert "\nsolver " not in listed
    assert "options: machine, red, blue, by" in listed
    assert "There is no material to count in hex" in rest
    assert "solver. The solver takes boards of size 1 to 8, not 9." in rest


def test_as_json():
    kinds = {kind["name"]: kind for kind in json.loads(run("go", "--json").stdout)}
    assert set(kinds) == set(player_names())
    assert kinds["random"]["options"] == []
    assert kinds["tsetlin"]["searches"] is True
    assert "go has no solver" in kinds["solver"]["refuses"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chess",), "There is no game 'chess'"),
        (("--set", "size=3"), "name the game"),
        (("hex", "--set", "width=3"), "no parameter 'width'"),
        (("hex", "--set", "width"), "is not a parameter; write name=value"),
    ],
)
def test_bad_input(arguments, told):
    done = run(*arguments)
    assert isinstance(done.exception, ValueError)
    assert told in str(done.exception)
