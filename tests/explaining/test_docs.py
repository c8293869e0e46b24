"""The pages about reasons say what is so, and their example runs."""

import doctest
import re
from pathlib import Path

from typer.main import get_command

from clauseboard.cli.main import app
from clauseboard.players.spec import read_spec

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reasons.md").read_text("utf-8")


def test_the_ten_lines_run_and_are_ten():
    path = ROOT / "docs" / "ten_lines.md"
    assert len(re.findall(r"^>>> ", path.read_text("utf-8"), re.M)) == 10
    results = doctest.testfile(str(path), module_relative=False)
    assert (results.attempted, results.failed) == (10, 0)


def test_the_table_is_the_stored_result():
    found = re.search(r"<!-- from (\S+) -->\n(.*?)<!-- end -->", PAGE, re.DOTALL)
    assert found[2].strip() == (ROOT / found[1]).read_text("utf-8").strip()


def test_links_and_pictures_are_there():
    for link in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (ROOT / "docs" / link).exists(), link


def test_the_options_it_names_exist():
    command = get_command(app).commands["explain"]
    known = {option for parameter in command.params for option in parameter.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)) <= known
    for line in re.findall(r"--player (\S+)", PAGE):
        read_spec(line)


def test_every_file_is_in_the_table():
    table = PAGE.split("## In the code")[1]
    for path in (ROOT / "src" / "clauseboard" / "explaining").glob("*.py"):
        name = "writing_*.py" if path.stem.startswith("writing") else path.name
        assert name == "__init__.py" or f"`{name}`" in table
