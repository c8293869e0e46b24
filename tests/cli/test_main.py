"""The command line: help, version, the demonstration, and how bad input is answered."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from clauseboard.cli.main import app, error_text


def program(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "clauseboard", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_help_and_version():
    told = program("--help").stdout
    assert "demo" in told
    assert "..." not in told.partition("Commands:")[2]  # nothing is cut off
    assert "Example" in program("demo", "--help").stdout
    assert program("--version").stdout.startswith("clauseboard ")


def test_demo_finds_the_rows_of_noughts_and_crosses(clauseboard):
    done = clauseboard("demo", "--epochs", "10")
    assert done.returncode == 0, done.stderr
    assert "9" in done.stdout.split("epoch  10")[1].split("%")[0]
    assert "X on" in done.stdout


def test_demo_as_json_is_json_alone(clauseboard):
    rules = json.loads(clauseboard("demo", "--epochs", "3", "--boards", "500", "--json").stdout)
    assert {"class", "weight", "required", "forbidden"} <= set(rules[0])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["demo", "--boards", "7"], "--boards"),
        (["demo", "--noise", "2"], "--noise"),
        (["demo", "--epochs", "many"], "--epochs"),
        (["dance"], "dance"),
    ],
)
def test_bad_input_is_told_without_a_traceback(words, told, clauseboard):
    done = program(*words) if words == ["dance"] else clauseboard(*words)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["match", "hex", "random", "random", "--games-to"],
        ["match", "hex", "random", "random", "--report"],
        ["tournament", "hex", "random", "always-win", "--games-to"],
        ["tournament", "hex", "random", "always-win", "--report"],
        ["train", "swarm", "hex", "--out"],
        ["explain", "hex", "--out"],
    ],
)
def test_what_cannot_be_written_is_told_before_the_work(words, tmp_path):
    for path, told in (
        (tmp_path, f"{tmp_path} is a folder; give a file name for"),
        (tmp_path / "none" / "x", f"There is no folder {tmp_path / 'none'} for"),
    ):
        done = CliRunner().invoke(app, [*words, str(path)])
        assert isinstance(done.exception, ValueError)
        assert told in str(done.exception)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("so it is."), "so it is."),
        (IsADirectoryError(21, "Is a directory", "bad.part", None, "bad"), "bad: Is a directory."),
        (PermissionError(13, "Permission denied", "x"), "x: Permission denied."),
        (BrokenPipeError(32, "Broken pipe"), "Broken pipe."),
        (OSError("no number"), "no number"),
    ],
)
def test_errors_of_the_system_are_told_without_their_numbers(error, said):
    assert error_text(error) == said
