"""Commands whose disk is full: one sentence, exit status 2, and what was there stays as it was."""

from __future__ import annotations

import pytest

MATCH = ("match", "hex", "random", "random", "--set", "size=3", "--games", "4")
WRITING = {
    "games.sqlite": (*MATCH, "--save"),
    "games.sgf": (*MATCH, "--games-to"),
    "match.md": (*MATCH, "--report"),
    "table.md": ("tournament", "hex", "random", "solver", *MATCH[4:], "--report"),
    "life.sqlite": ("learn", "hex", "--set", "size=3", "--rounds", "1", "--out"),
    "account.html": ("explain", "hex", "--set", "size=3", "--player", "random", "--out"),
    "boards.npz": ("data", "build", "hex", "perfect", "--set", "size=3", "--out"),
    "run": ("experiment", "run", "checkers_5_6", "--quick", "--out"),
}


@pytest.mark.parametrize("name", WRITING)
def test_a_full_disk_is_one_sentence(tiny_disk, clauseboard, name):
    path = tiny_disk.folder / name
    tiny_disk.fill()
    done = clauseboard(*WRITING[name], str(path))
    assert done.returncode == 2, done.stderr
    sentence = done.stderr.strip().splitlines()[-1]
    assert sentence.startswith(f"clauseboard: {path}")
    assert "No space left" in sentence or "the disk is full" in sentence
    assert not list(tiny_disk.folder.glob("*.part"))


@pytest.mark.parametrize("name", ["match.md", "account.html"])
def test_an_older_report_stays(tiny_disk, clauseboard, name):
    path = tiny_disk.folder / name
    path.write_text("what was there")
    tiny_disk.fill()
    assert clauseboard(*WRITING[name], str(path)).returncode == 2
    assert path.read_text() == "what was there"
