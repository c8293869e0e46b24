"""The page about the terminal says what is so: its games are played again, line by line."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

import clauseboard.terminal
from clauseboard.cli.main import app, load_command
from clauseboard.terminal.loop import COMMANDS

PAGE = (Path(__file__).parents[2] / "docs" / "terminal.md").read_text("utf-8")
GAMES = re.findall(r"```text\n\$ clauseboard (.*)\n([^`]*(?:`[^`\n]+`[^`]*)*)```", PAGE)


def typed(shown):
    """What a person typed in a game that is shown: after a prompt, or rows after the request."""
    lines, rows = [], 0
    for line in shown.splitlines():
        if rows:
            lines.append(line)
            rows -= 1
        elif line == "Paste the board":
            rows = 1 if lines else 8  # a board first, then a word
        elif found := re.match(r"(?:black|red|game over)> (.*)", line):
            lines.append(found[1])
    return "".join(f"{line}\n" for line in lines)


def without_time(text):
    return re.sub(r"turn: [\d.]+ seconds", "turn: 0.00 seconds", text)


@pytest.mark.parametrize("number", range(3))
def test_a_game_goes_as_it_is_shown(number):
    command, shown = GAMES[number]
    done = CliRunner().invoke(app, shlex.split(command), input=typed(shown))
    assert done.exit_code == 0, done.output
    assert without_time(done.output) == without_time(shown)
    assert len(shown.splitlines()) > 30


def test_every_command_is_named():
    section = PAGE.partition("| input | effect |")[2].partition("\n\n")[0]
    assert set(COMMANDS) <= set(re.findall(r"`([a-z?]+)", section))


def test_every_option_is_named():
    command = load_command("play")
    options = {name for option in command.params for name in option.opts if name[:2] == "--"}
    section = PAGE.partition("| option |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(--[\w-]+)`", section)) == options - {"--help"}


def test_every_module_is_named():
    modules = {path.stem for path in Path(clauseboard.terminal.__file__).parent.glob("*.py")}
    section = PAGE.partition("| module |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == modules - {"__init__"}
