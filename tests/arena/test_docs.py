"""The page about the arena says what is so."""

import re
from pathlib import Path

import clauseboard.arena
from clauseboard.arena.playing import MOST_MOVES
from clauseboard.cli.main import load_command

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "arena.md").read_text("utf-8")


def blocks(kind):
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def test_the_numbers_are_those_of_the_example(capsys):
    exec(blocks("python")[0], {})
    assert capsys.readouterr().out == blocks("text")[0]


def test_the_other_example_runs(capsys):
    exec(blocks("python")[1], {})
    assert "20 0\n" in capsys.readouterr().out


def test_every_module_is_named():
    modules = {path.stem for path in Path(clauseboard.arena.__file__).parent.glob("*.py")}
    section = PAGE.partition("| module |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == modules - {"__init__"}


def test_every_option_is_named():

    command = load_command("match")
    options = {name for option in command.params for name in option.opts if name[:2] == "--"}
    section = PAGE.partition("| option |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(--[\w-]+)`", section)) >= options - {"--help"}


def test_the_longest_game():
    assert f"draw after {MOST_MOVES:,} moves" in PAGE


def test_the_table_is_the_stored_result():
    block = re.search(r"<!-- from (\S+) -->\n(.*?)<!-- end -->", PAGE, re.DOTALL)
    assert (ROOT / block[1]).read_text("utf-8") == block[2]
