"""`clauseboard engine`: the protocol on standard input and output, and nothing else."""

from __future__ import annotations

import contextlib
import subprocess

import pytest


def run(command, sent):
    return subprocess.run(
        command, input=sent, capture_output=True, timeout=300, check=False
    )  # bytes, since not all that is sent is text


def test_a_conversation(ours):
    sent = (
        b"1 protocol_version\r\n\n# hm\nboardsize 5\n\xff\xfe\n2 play b C3\n3 dance\nquit\nname\n"
    )
    done = run(ours("go", "--player", "random", "--set", "size=9"), sent)
    assert done.returncode == 0
    assert done.stdout == b"=1 2\n\n= \n\n? unknown command\n\n=2 \n\n?3 unknown command\n\n= \n\n"


def test_the_end_of_the_input_is_the_end(ours):
    command = ours("hex", "--set", "size=3", "--seed", "4", "--player", "random")
    done = run(command, b"genmove black\ngenmove white\n")
    assert done.returncode == 0
    first, second = done.stdout.decode().split("\n\n")[:2]
    assert first != second
    again = run(command, b"genmove black\ngenmove white\n")
    assert again.stdout == done.stdout


def test_what_else_is_printed_does_not_come_between(ours):
    """A person is asked on the standard output, which here is the way to the front end."""
    done = run(ours("checkers", "--player", "person"), b"genmove black\n")
    assert done.stdout.startswith((b"= ", b"? "))
    assert done.stdout.count(b"\n") == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chess"], "There is no game 'chess'"),
        (["go", "--set", "size=99"], "size=99 must be an integer from 2 to 19"),
        (["go", "--player", "nobody"], "There is no player 'nobody'"),
        (["go", "--seconds", "-1"], "seconds=-1.0"),
        (["go", "--player", "engine"], "needs a command"),
    ],
)
def test_bad_input_is_told_without_a_traceback(clauseboard, words, told):
    done = clauseboard("engine", *words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_front_end_that_goes_away(ours):
    command = ours("hex", "--set", "size=3")
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdin.write(b"name\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"= Clauseboard")
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(b"name\n" * 1000)
            process.stdin.close()
        process.stdin = None
        assert process.wait(60) == 0
        assert process.stderr.read() == b""


def test_quit_ends_it_though_the_input_is_open(ours):
    """The thread that reads the input waits for a line that never comes."""
    with subprocess.Popen(
        ours("hex", "--set", "size=3"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        process.stdin.write(b"lz-analyze black 10\nquit\n")
        process.stdin.flush()
        assert process.wait(300) == 0
        assert process.stdout.read().startswith(b"=\ninfo move ")
        assert process.stderr.read() == b""


@pytest.mark.parametrize(("player", "starts"), [("material", True), ("random", False)])
def test_large_endgame_tables_are_started_for_players_that_use_them(player, starts, monkeypatch):
    """In the background: the first reply does not wait for them."""
    from typer.testing import CliRunner

    from clauseboard.cli.main import app

    started = []
    monkeypatch.setattr("clauseboard.cli.players.start_tables", started.append)
    done = CliRunner().invoke(app, ["engine", "checkers", "--player", player], input="quit\n")
    assert done.exit_code == 0, done.output
    assert [game.name for game in started] == ["checkers"] * starts


def test_a_wrong_setting_of_the_endgame_tables_is_told(clauseboard, monkeypatch):
    monkeypatch.setenv("CLAUSEBOARD_ENDGAME_PIECES", "7")
    done = clauseboard("engine", "checkers", "--player", "material")
    assert done.returncode == 2
    assert "CLAUSEBOARD_ENDGAME_PIECES='7' must be 4 or 5" in done.stderr
    assert "Traceback" not in done.stderr
