"""The pages about reasons say what is so, and their example runs."""

import re
from pathlib import Path

from clauseboard.cli.main import load_command
from clauseboard.players import read_spec

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reasons.md").read_text("utf-8")


def test_links_and_pictures_are_there():
    for link in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (ROOT / "docs" / link).exists(), link


def test_the_options_it_names_exist():
    command = load_command("explain")
    known = {option for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)) <= known
    for line in re.findall(r"--player (\S+)", PAGE):
        read_spec(line)


def test_every_file_is_in_the_table():
    table = PAGE.split("## In the code")[1]
    for path in (ROOT / "src" / "clauseboard" / "explaining").glob("*.py"):
        assert path.name == "__init__.py" or f"`{path.name}`" in table
