"""The `perft` command: the published counts, other positions and parameters, bad input."""

import json

import pytest
from typer.testing import CliRunner

from clauseboard.cli.common import read_parameters
from clauseboard.cli.main import app

PUBLISHED = [7, 49, 302, 1469, 7361, 36768]


def perft(*arguments):
    return CliRunner().invoke(app, ["perft", *arguments])


def counts(*arguments):
    done = perft(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return [row["sequences"] for row in json.loads(done.stdout)["perft"]]


def test_checkers_has_the_published_counts():
    assert counts("checkers", "--depth", "6") == PUBLISHED


def test_the_table_is_for_people():
    done = perft("checkers", "--depth", "5")
    assert done.exit_code == 0
    assert "sequences" in done.stdout.splitlines()[0]
    assert done.stdout.splitlines()[-1].split()[:2] == ["5", "7,361"]


def test_hex_without_an_end_is_a_falling_product():
    assert counts("hex", "--depth", "3", "--set", "size=4") == [16, 16 * 15, 16 * 15 * 14]


def test_go_has_a_pass():
    assert counts("go", "--depth", "2", "--set", "size=3") == [10, 9 * 9 + 10]


def test_another_position():
    assert counts("checkers", "--depth", "1", "--position", "B:W18:B14") == [1]


def test_depth_zero_counts_nothing():
    assert counts("checkers", "--depth", "0") == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chess",), "There is no game 'chess'"),
        (("hex", "--set", "width=3"), "hex has no parameter 'width'"),
        (("hex", "--set", "size"), "'size' is not a parameter; write name=value"),
        (("hex", "--set", "size=99"), "size"),
        (("checkers", "--position", "nonsense"), "nonsense"),
    ],
)
def test_bad_input_is_a_sentence(arguments, told):
    done = perft(*arguments)
    assert isinstance(done.exception, ValueError)
    assert told in str(done.exception)


def test_values_of_parameters():
    assert read_parameters(["a=1", "b=None", "c=x y"]) == {"a": 1, "b": None, "c": "x y"}
    assert read_parameters(["a={[]:1}"]) == {"a": "{[]:1}"}
