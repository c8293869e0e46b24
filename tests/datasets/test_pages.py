"""The pages on data sets of Go and Hex, and on generating: what they name is there."""

import itertools
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from clauseboard.cli.common import read_parameters
from clauseboard.cli.main import app
from clauseboard.games.datasets import compositions, load_composition

FOLDER = Path(__file__).parents[2] / "docs" / "datasets"


def page(name):
    path = FOLDER / f"{name}.md"
    if not path.exists():
        pytest.skip("the pages are not here")
    return path.read_text("utf-8")


def commands(text):
    blocks = re.findall(r"```\n(.*?)```", text, re.DOTALL)
    return [shlex.split(line) for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize(("name", "count"), [("go", 3), ("hex", 6), ("generate", 4)])
def test_commands_and_their_options_exist(name, count):
    found = commands(page(name))
    assert len(found) == count
    for words in found:
        assert words[:2] == ["clauseboard", "data"]
        shown = CliRunner().invoke(app, ["data", words[2], "--help"], env={"COLUMNS": "200"})
        assert shown.exit_code == 0
        assert all(word in shown.output for word in words if word.startswith("--"))
        if words[2] == "build":
            given = [after for word, after in itertools.pairwise(words) if word == "--set"]
            load_composition(words[3], words[4], **read_parameters(given))


@pytest.mark.parametrize("game", ["go", "hex"])
def test_every_composition_is_told(game):
    text = page(game)
    for name, kind in compositions(game).items():
        assert f"| `{name}` |" in text
        assert kind.text
        for option in kind().options():
            assert f"`{option}`" in text or f"{option}=" in text or f"{option} " in text
