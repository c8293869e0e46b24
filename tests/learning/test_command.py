"""The `learn` command: a short life, the same command again, and bad input."""

import json

import pytest
from typer.testing import CliRunner

from clauseboard.cli.main import app

SMALL = [
    f"--set={text}"
    for text in (
        "size=3", "begin=random", "games=6", "match_games=4", "n_clauses=10", "epochs=1",
        "kept=40", "move_clauses=0",
    )
]  # fmt: skip


def run(*arguments):
    return CliRunner().invoke(app, ["learn", *arguments], catch_exceptions=True)


def test_a_short_life_and_its_second_part(tmp_path):
    out, plot = tmp_path / "life", tmp_path / "life.svg"
    done = run("hex", *SMALL, "--out", str(out), "--rounds", "1", "--plot", str(plot))
    assert done.exit_code == 0, done.output
    assert "round 1:" in done.stdout
    assert plot.read_text("utf-8").startswith("<svg")
    again = run("hex", *SMALL, "--out", str(out), "--rounds", "1", "--json")
    page = json.loads(again.stdout)
    assert [one["round"] for one in page["rounds"]] == [1, 2]
    assert page["player"] == "random" or page["player"].startswith("tsetlin:machine=")


def test_other_settings_are_refused(tmp_path):
    out = tmp_path / "life"
    assert run("hex", *SMALL, "--out", str(out), "--hours", "0").exit_code == 0
    other = run("hex", *SMALL, "--set=window=2", "--out", str(out))
    assert isinstance(other.exception, ValueError)
    assert "was begun with window=4, not 2" in str(other.exception)


def test_settings_are_listed():
    shown = run("checkers", "--settings").stdout
    assert "begin=material:depth=6" in shown


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chess", "--out", "x"), "There is no game 'chess'"),
        (("hex",), "--out FILE"),
        (("hex", "--set", "wit=3", "--out", "x"), "no setting 'wit'"),
    ],
)
def test_bad_input(arguments, told):
    done = run(*arguments)
    assert isinstance(done.exception, ValueError)
    assert told in str(done.exception)
