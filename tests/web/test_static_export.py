"""The exported player: what can be exported, and kernels that become JavaScript."""

import json
import re

import numpy as np
import pytest

from clauseboard.game import load_game
from clauseboard.kernels import bits
from clauseboard.kernels.bits import ONE
from clauseboard.kernels.compiler import helper
from clauseboard.kernels.javascript import javascript
from clauseboard.players import load_player
from clauseboard.web.static_export import FILES, PAGE, export_player

CHECKERS, HEX = load_game("checkers"), load_game("hex", size=6)
_TABLE = (np.uint64(3), np.uint64(5))


@pytest.mark.parametrize("game", [CHECKERS, HEX])
def test_the_files_need_nothing_from_elsewhere(tmp_path, game):
    player, side = load_player("shipped", game), game.colours[0]
    files = export_player(game, player, tmp_path / "a folder")
    assert {path.name for path in files} == {
        PAGE,
        *FILES,
        f"{game.name}.js",
        "kernels.js",
        "data.js",
    }
    for path in files:
        assert not re.search(r"https?://|import\s|fetch\(", path.read_text("utf-8")), path.name
    page = files[0].read_text("utf-8")
    for name in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert (tmp_path / "a folder" / name).exists()
    data = (tmp_path / "a folder" / "data.js").read_text("utf-8")
    found, _ = json.JSONDecoder().raw_decode(data.partition("const PLAYER = ")[2])
    assert len(found["clauses"]) == len(player.evaluators[side].clauses)
    assert all(clause["text"][side] and clause["votes"] for clause in found["clauses"])
    export_player(game, player, tmp_path / "a folder")  # a newer one takes its place


def test_files_of_others_are_left_alone(tmp_path):
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(ValueError, match="is there already; name an empty folder"):
        export_player(CHECKERS, load_player("shipped", CHECKERS), tmp_path)
    assert (tmp_path / "index.html").read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("go",), "Only players of checkers and hex can be exported, not of go"),
        (("hex", "--player", "rollouts"), "has no clauses over concepts"),
        (
            ("hex", "--set", "size=6", "--player", "shipped:rollouts=2"),
            "a player of Hex needs patterns for moves, search=mcts and rollouts=0",
        ),
        (("hex", "--set", "size=six"), "size"),
        (("checkers", "--player", "material"), "has no clauses over concepts"),
        (("checkers", "--player", "shipped:zero=true"), "has no clauses over concepts"),
        (("chess",), "There is no game 'chess'"),
    ],
)
def test_what_cannot_be_exported(clauseboard, tmp_path, words, told):
    done = clauseboard("export", *words, "--web", str(tmp_path / "there"))
    assert done.returncode == 2
    assert told in done.stderr
    assert not (tmp_path / "there").exists()


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ValueError, match="is a file; name a folder"):
        export_player(CHECKERS, load_player("shipped", CHECKERS), tmp_path / "file")


def test_other_rules_are_refused(tmp_path):
    game = load_game("checkers", quiet_moves=50)
    with pytest.raises(ValueError, match="the usual rules"):
        export_player(game, load_player("shipped", game), tmp_path / "there")


# ---- kernels as JavaScript


@helper
def mixed(word, n, rows):
    """Some of everything."""
    total, last = 0, word
    for k in range(1, n):
        if k % 2 == 0 and not n < 3:
            total += k // 2
        elif k > 5:
            total -= 1
        else:
            last = last << ONE
    for low in _TABLE:
        while last & low != ONE - ONE:
            last ^= low
    rows[0, n] = -total if last else ~word
    return total, max(n, total)


def test_statements_and_expressions():
    text = javascript(mixed)
    assert "function mixed(word, n, rows) {" in text
    assert "for (k = 1; k < n; k++) {" in text
    assert "if ((((k % 2) === 0) && !(n < 3))) {" in text
    assert "total = cut(total + Math.floor(k / 2));" in text
    assert "last = cut(last << 1n);" in text
    assert "for (low of [3n, 5n]) {" in text
    assert "while (((last & low) !== cut(1n - 1n))) {" in text
    assert "rows[0][n] = (last ? (-total) : cut(~word));" in text
    assert "return [total, Math.max(n, total)];" in text


@helper
def fill(rows, value):
    """A name that the script has for something else."""
    rows[:] = value


@helper
def fills(rows):
    """It must not call the script's."""
    fill(rows, 1)


def test_a_helper_can_be_given():
    text = javascript(fills, given={fill: "function fill_2(rows, value) {}"})
    assert "function fill_2(rows, value) {}" in text
    assert "fill_2(rows, 1);" in text


@helper
def raises_to(word):
    return word**2


@helper
def unknown(word):
    return bits.step_aside()


@helper
def counts_down(word):
    for n in range(word, 0, -1):
        word -= n


@helper
def tries(word):
    with word:
        pass


@pytest.mark.parametrize("function", [raises_to, unknown, counts_down, tries])
def test_what_is_not_understood_is_refused(function):
    with pytest.raises(ValueError, match="cannot become JavaScript"):
        javascript(function)
