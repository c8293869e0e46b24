"""The page about other programs says what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clauseboard.engines.server import COMMANDS, GtpSession
from clauseboard.game import game_names, load_game
from clauseboard.players.engine import EnginePlayer
from programs import need

PAGE = (Path(__file__).parents[2] / "docs" / "engines.md").read_text("utf-8")


def blocks(kind):
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def test_the_conversation_is_a_real_one(listed):
    session = GtpSession(load_game("go", size=5), lambda game: listed())
    for exchange in blocks("text")[0].strip().split("\n\n"):
        sent, _, reply = exchange.partition("\n")
        assert session.answer(sent).strip() == reply.strip()


def test_all_commands_are_named():
    def named(start):
        return set(re.findall(r"`([\w-]+)`", re.search(rf"^{start}: (.*?)\n\n", PAGE, 24)[1]))

    assert named("All games") == set(COMMANDS)
    for game in game_names():
        assert named(game.capitalize()) == set(load_words(game)) - set(COMMANDS)


def load_words(name):
    from clauseboard.engines import dialect_of

    return dialect_of(load_game(name)).COMMANDS


def test_every_file_is_explained():
    import clauseboard.engines

    files = {path.name for path in Path(clauseboard.engines.__file__).parent.glob("*.py")}
    assert set(re.findall(r"^\| `(\w+\.py)` \|", PAGE, re.MULTILINE)) == files


def test_the_example_with_gnugo_runs(monkeypatch, capsys):
    path = need("gnugo")
    assert EnginePlayer("gnugo").name == Path(path).name
    exec(blocks("python")[0].replace('"gnugo ', f'"{path} '), {})
    assert capsys.readouterr().out.count("b") >= 1


def test_the_example_with_openspiel_runs(capsys):
    pytest.importorskip("pyspiel")
    exec(blocks("python")[1], {})
    returns, move = capsys.readouterr().out.split("\n")[:2]
    assert returns in ("[1.0, -1.0]", "[-1.0, 1.0]")
    assert re.fullmatch("[a-e][1-5]", move)
