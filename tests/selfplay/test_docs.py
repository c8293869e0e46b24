"""The page about learning: its settings are those there are, its commands can be read."""

import re
from pathlib import Path

from typer.testing import CliRunner

from clauseboard.cli.main import app
from clauseboard.game import load_game
from clauseboard.players.shipped import cards
from clauseboard.selfplay.settings import settings_for

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "learning.md").read_text("utf-8")


def test_every_setting_is_in_the_table_and_nothing_else():
    table = PAGE.partition("## Settings")[2].partition("## Shipped players")[0]
    rows = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert listed == set(settings_for(load_game("hex")).named())


def test_options_are_those_of_the_command():
    shown = CliRunner().invoke(app, ["learn", "--help"], env={"COLUMNS": "200"}).output
    commands = [line for line in PAGE.splitlines() if line.startswith("    clauseboard learn")]
    assert commands
    for option in re.findall(r"--[a-z]+", "\n".join(commands)):
        assert option in shown


def test_clauses_of_shipped_players_are_told_as_they_are():
    for card in cards():
        for count in filter(None, (card.clauses, card.move_clauses)):
            assert f"{count:,}" in PAGE


def test_files_that_are_named_are_there():
    table = PAGE.partition("## Where it is")[2]
    for line in re.findall(r"^- (.*?):", table, re.MULTILINE):
        folder = ""
        for name in re.findall(r"`([\w/.]+)`", line):
            folder = name.rpartition("/")[0] or folder
            path = ROOT / "src" / "clauseboard" / folder / name.rpartition("/")[2]
            assert path.exists(), path
