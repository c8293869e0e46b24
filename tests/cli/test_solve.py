"""The `solve` command: the truth in words and as JSON, and bad input."""

import json

import pytest
from typer.testing import CliRunner

from clauseboard.cli.main import app
from clauseboard.game import load_game
from clauseboard.games.plugins import SOLVING
from clauseboard.games.solving import solve


@pytest.fixture(autouse=True)
def _cache(tmp_path_factory, monkeypatch):
    """Tables of this run's own, made once."""
    folder = tmp_path_factory.getbasetemp() / "tables"
    checkers = pytest.importorskip("clauseboard.games.checkers.endgame_tables")
    monkeypatch.setattr(checkers, "tables_folder", lambda: folder)
    monkeypatch.setattr("clauseboard.games.checkers.endgames.SMALL", 3)


def run(*arguments):
    return CliRunner().invoke(app, ["solve", *arguments])


def test_a_win_in_checkers():
    done = run("checkers", "W:WK32,K31:BK1")
    assert done.exit_code == 0, done.output
    assert "With best play: white wins in 17 moves." in done.output
    assert "Moves that win for white: 31-26, 31-27, 32-27, 32-28" in done.output
    line = done.output.split("Best line: ")[1].split()
    position = load_game("checkers").read_position("W:WK32,K31:BK1")
    for text in line:
        position = position.play(position.read_move(text))
    assert len(line) == 33
    assert position.outcome().winner == "white"


def test_a_loss_has_no_move_that_helps():
    found = solve(load_game("checkers").read_position("B:WK32,K31:BK1"))
    assert found.winner == "white"
    assert found.good_moves == ()
    assert "Every move of black loses." in run("checkers", "B:WK32,K31:BK1").output


def test_a_draw_as_json():
    page = json.loads(run("checkers", "B:WK32:BK1", "--json").stdout)
    assert (page["winner"], page["plies"], page["line"]) == (None, None, [])
    assert page["good_moves"] == ["1-5", "1-6"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("checkers",), "more than 3 pieces"),
        (("checkers", "nonsense"), "nonsense"),
        (("checkers", "B:W:B1"), "The game is over"),
        (("go", "--set", "size=3"), "go has no solver"),
        (("chess",), "There is no game 'chess'"),
    ],
)
def test_bad_input_is_a_sentence(arguments, told):
    done = run(*arguments)
    assert isinstance(done.exception, ValueError)
    assert told in str(done.exception)


def test_hex_on_a_small_board():
    done = run("hex", "--set", "size=4")
    assert done.exit_code == 0, done.output
    assert "With best play: red wins in 5 moves." in done.output
    assert "Moves that win for red: " in done.output
    page = json.loads(run("hex", "--set", "size=4", "--json").stdout)
    position = load_game("hex", size=4).start()
    for text in page["line"]:
        position = position.play(position.read_move(text))
    assert position.outcome().winner == "red"


def test_a_hex_board_that_is_too_large():
    done = run("hex", "--set", "size=11")
    assert isinstance(done.exception, ValueError)
    assert "boards of size 1 to 8, not 11" in str(done.exception)


def test_games_with_a_solver_are_found():
    assert SOLVING.games() == ("checkers", "hex")
