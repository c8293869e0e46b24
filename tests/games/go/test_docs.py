"""The page about Go says what is so: its examples run, and its tables are complete."""

import dataclasses
import re
from pathlib import Path

from clauseboard.game import load_game
from clauseboard.games.go import kernels

PAGE = (Path(__file__).parents[3] / "docs" / "games" / "go.md").read_text("utf-8")


def blocks(kind):
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def test_the_first_example_runs(capsys):
    exec(blocks("python")[0], {})
    assert " 5 . . . . b . . . .\n" in capsys.readouterr().out


def test_the_position_is_one():
    game = load_game("go", size=4)
    text = blocks("text")[0].strip()
    assert game.write_position(game.read_position(text)) == text


def test_the_archive_example_runs(tmp_path, monkeypatch, capsys):
    program = blocks("python")[1]
    assert '"games.tar.gz"' in program
    (tmp_path / "games.sgf").write_text("(;SZ[9];B[ee])(;SZ[9];B[ee];W[ee])")
    monkeypatch.chdir(tmp_path)
    exec(program.replace("games.tar.gz", "games.sgf"), {})
    assert capsys.readouterr().out == "2 games read, 1 kept, 1 dropped\n  1 for illegal move\n"


def test_all_parameters_are_explained():
    rows = re.findall(r"^\| `(\w+)` \| .* \| .* \|$", PAGE, re.MULTILINE)
    assert rows == [field.name for field in dataclasses.fields(load_game("go"))]


def test_the_kernels_named_are_there():
    section = PAGE.partition("## For searches")[2].partition("\n## ")[0]
    named = set(re.findall(r"`(\w+)`", section)) - {"kernel"}
    assert {"play", "put_stone"} <= named
    assert all(hasattr(kernels, name) for name in named)
