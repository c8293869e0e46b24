"""The command line: help, version, the demonstration, and how bad input is answered."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


def clauseboard(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from clauseboard.cli.main import run; run()", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_help_and_version():
    assert "demo" in clauseboard("--help").stdout
    assert "Example" in clauseboard("demo", "--help").stdout
    assert clauseboard("--version").stdout.startswith("clauseboard ")


def test_demo_finds_the_rows_of_noughts_and_crosses():
    done = clauseboard("demo", "--epochs", "10")
    assert done.returncode == 0, done.stderr
    assert "9" in done.stdout.split("epoch  10")[1].split("%")[0]
    assert "X on" in done.stdout


def test_demo_as_json_is_json_alone():
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
def test_bad_input_is_told_without_a_traceback(words, told):
    done = clauseboard(*words)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
