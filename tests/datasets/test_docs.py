"""What the page on data sets shows is what happens."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from clauseboard.cli.main import app
from clauseboard.games.datasets import compositions
from naive import datasets as naive

PAGE = Path(__file__).parents[2] / "docs" / "datasets.md"


@pytest.fixture(scope="module")
def page():
    if not PAGE.exists():
        pytest.skip("the pages are not here")
    return PAGE.read_text("utf-8")


def test_the_examples(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    games = naive.random_games(seed=4, n_games=60)
    Path("games.pdn").write_text(naive.as_pdn(games))
    commands = re.findall(r"^clauseboard (.*?)(?: +#.*)?$", page, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        done = CliRunner().invoke(app, shlex.split(command))
        assert done.exit_code == 0, done.output
    names = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(block, names)
    assert len(names["scores"]) == 10
    assert len(names["data"]) == len(naive.composed(games, 8, unique=True))
    assert Path("eight.npz").exists()


def test_every_composition_is_there(page):
    for name, kind in compositions("checkers").items():
        bits = [len(kind().bits())]
        bits += [len(kind(levels=True).bits())] if name == "metadata" else []
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
        assert all(re.search(rf"\b{n}\b", row) for n in bits)
