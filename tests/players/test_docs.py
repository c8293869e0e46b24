"""The page about players says what is so."""

import re
from pathlib import Path

import pytest

from clauseboard.learners.tsetlin import OPTIONS
from clauseboard.players import player_names, read_spec

PAGE = (Path(__file__).parents[2] / "docs" / "players.md").read_text("utf-8")


def test_the_example_runs(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(code, {})
    assert "500 simulations with 20 random games" in capsys.readouterr().out


def test_every_player_is_in_the_table_or_a_learner():
    listed = set(re.findall(r"^\| `([\w-]+)` \|", PAGE, re.MULTILINE))
    assert listed <= set(player_names())
    learners = {"tsetlin", "swarm", "temporal"}
    assert set(player_names()) - learners <= listed


@pytest.mark.parametrize("line", re.findall(r"^    ([a-z].*)$", PAGE, re.MULTILINE))
def test_lines_can_be_read(line):
    name, options = read_spec(line)
    assert name in player_names()
    known = {*OPTIONS, "black", "white", "search", "simulations", "depth", "confidence"}
    assert name != "tsetlin" or set(options) <= known


@pytest.mark.parametrize("option", sorted(set(OPTIONS) - {"<colour>"}))
def test_every_option_of_machines_is_told_of(option):
    assert re.search(rf"`[^`]*\b{option}\b[^`]*`", PAGE)
