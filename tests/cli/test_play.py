"""The command `play --terminal` without a terminal: lines from a file, options, and bad input."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from clauseboard.cli.main import app


def play(*words, typed=""):
    return CliRunner().invoke(app, ["play", "--terminal", *words], input=typed)


def test_lines_from_a_file_are_played_and_shown():
    done = play("hex", "--set", "size=3", "--opponent", "person", typed="b2\nzz\na1\n")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("You play both sides. Type a move, or type help.\n")
    assert "red> b2\n" in done.output
    assert "blue> zz\nInvalid move. 'zz' is not a Hex move" in done.output
    assert "The input has ended; the game is not saved" in done.output


@pytest.mark.parametrize(
    ("colour", "shown"), [("red", "You play red"), ("blue", "red plays"), ("random", "You play")]
)
def test_colours(colour, shown):
    done = play("hex", "--opponent", "random", "--colour", colour, typed="quit\n")
    assert shown in done.output


@pytest.mark.parametrize("seed", ["0", "1", "2"])
def test_one_seed_one_game(seed):
    words = ["go", "--set", "size=5", "--opponent", "random", "--colour", "random", "--seed", seed]
    typed = "moves\n1\nmoves\n1\nmoves\n1\nquit\n"
    assert play(*words, typed=typed).stdout == play(*words, typed=typed).stdout


def test_without_a_seed_games_differ():
    words = ["go", "--opponent", "random", "--colour", "white"]
    found = {re.search(r"black plays (\S+)", play(*words).output)[1] for _ in range(8)}
    assert len(found) > 1


def test_limits_reach_the_player(monkeypatch):
    from clauseboard.evaluation import Limit
    from clauseboard.player import Choice, Player

    asked = []

    class Noting(Player):
        name = "noting"

        def choose(self, position, limit=None):
            asked.append(limit)
            return Choice(position.moves()[0])

    monkeypatch.setattr("clauseboard.terminal.screen.read_player", lambda *_: Noting())
    done = play(
        *("hex", "--opponent", "noting", "--colour", "blue", "--seconds", "2", "--depth", "3"),
        *("--nodes", "4", "--simulations", "5"),
    )
    assert done.exit_code == 0, done.output
    assert asked == [Limit(seconds=2, depth=3, nodes=4, simulations=5)]


def test_hints_by_another_player():
    words = ["checkers", "--opponent", "random", "--hints", "always-win:depth=1"]
    done = play(*words, typed="hint\n")
    assert "always-win:depth=1 would play" in done.output


@pytest.mark.parametrize(
    ("game", "rules", "move", "name"),
    [
        ("checkers", ["quiet_moves=9"], "11-15", "a.pdn"),
        ("go", ["size=5", "superko=True"], "C3", "a.sgf"),
        ("hex", ["size=5", "swap=True"], "b2", "a.hsgf"),
    ],
)
def test_a_saved_game_goes_on(tmp_path, game, rules, move, name):
    path, words = tmp_path / name, [f"--set={rule}" for rule in rules]
    done = play(game, *words, "--opponent", "person", typed=f"{move}\nsave {path}\n")
    assert "Saved to" in done.output
    again = play("--load", str(path), "--opponent", "person", typed=f"{move}\nundo\n")
    assert again.exit_code == 0, again.output
    assert "Invalid move." in again.output
    assert "A move is taken back." in again.output
    path = tmp_path / f"b{path.suffix}"
    drawn = ["--opponent", "random", "--seed", "1", "--colour", "random"]
    done = play(game, *words, *drawn, typed=f"moves\n3\nsave {path}\n")
    side = re.search(r"You play (\w+)", done.output)[1]
    again = play("--load", str(path), typed="quit\n")
    assert f"You play {side} against random" in again.output


def test_a_saved_game_goes_on_by_other_rules(tmp_path):
    path = tmp_path / "a.pdn"
    play("checkers", "--opponent", "person", typed=f"11-15\nsave {path}\n")
    done = play("--load", str(path), "--opponent=person", "--set=max_moves=2", typed="22-18\n")
    assert "The game is over. Draw: 2 moves played." in done.output


def test_boards_are_pasted():
    typed = "1111\n1111\n1101\n0010\n0000\n3333\n3333\n3333\n"
    done = play("checkers", "--input", "board", "--opponent", "random", typed=typed)
    assert "1  1  x0  1" in done.output
    assert "Player 2's turn" in done.output


def test_the_usual_opponent():
    assert "against shipped" in play("checkers", typed="quit\n").output
    assert "against rollouts" in play("go", "--set", "size=4", typed="quit\n").output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "Name the game: checkers, go, hex."),
        (["chess"], "There is no game 'chess'"),
        (["hex", "--opponent", "nobody"], "There is no player 'nobody'"),
        (["hex", "--opponent", "random", "--colour", "black"], "--colour is one of red, blue"),
        (["hex", "--opponent", "random", "--hints", "nobody"], "There is no player 'nobody'"),
        (["hex", "--set", "size=99"], "size=99 must be an integer from 1 to 19"),
        (["hex", "--set", "size"], "'size' is not a parameter"),
        (["hex", "--input", "board"], "Boards cannot be pasted in hex"),
        (["hex", "--seconds", "0"], "seconds=0.0 must be a number > 0"),
        (["--load", "nowhere.sgf"], "There is no file 'nowhere.sgf'"),
        (["--load", "pyproject.toml"], "not a file of games"),
    ],
)
def test_bad_input_is_a_sentence(words, told):
    done = play(*words)
    assert isinstance(done.exception, ValueError | OSError)
    assert told in str(done.exception)


@pytest.mark.parametrize("words", [["--input", "voice"], ["--seed", "-1"], ["--seconds", "soon"]])
def test_options_that_cannot_be(words):
    assert play("hex", *words).exit_code == 2


def test_bad_input_has_exit_status_2_and_no_traceback():
    command = [sys.executable, "-m", "clauseboard", "play", "hex"]
    command.append("--terminal")
    done = subprocess.run([*command, "--opponent", "nobody"], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("clauseboard: There is no player 'nobody'")
    assert len(done.stderr.splitlines()) == 1


def test_bytes_that_are_no_letters():
    command = [sys.executable, "-m", "clauseboard", "play", "hex"]
    command.append("--terminal")
    done = subprocess.run(
        [*command, "--opponent", "person"], input=b"\xff\xfe\x00\nb2\n", capture_output=True,
        env={"LC_ALL": "C", "PYTHONUTF8": "0", "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"Invalid move" in done.stdout
    assert b"blue> " in done.stdout


def test_help_has_an_example():
    assert "Example: clauseboard play " in play("--help").output
