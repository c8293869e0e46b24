"""The game that docs/extending.md shows: its files, taken from the page, make a game that plays."""

import importlib
import inspect
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import clauseboard.games
from clauseboard.arena.playing import play_game
from clauseboard.cli.main import app
from clauseboard.evaluation import Evaluator, Judgements
from clauseboard.game import Ending, game_names, load_game
from clauseboard.games import plugins
from clauseboard.players import SearchPlayer, load_player
from clauseboard.search import load_search

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"
FILES = re.findall(r"`three/(\w+\.py)`:\n\n```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


@pytest.fixture
def three(tmp_path, monkeypatch):
    """The game of the page, in a folder of its own beside those of the package."""
    folder = tmp_path / "three"
    folder.mkdir()
    for name, code in FILES:
        (folder / name).write_text(code, "utf-8")
    monkeypatch.setattr(clauseboard.games, "__path__", [*clauseboard.games.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    yield load_game("three")
    for name in [name for name in sys.modules if name.startswith("clauseboard.games.three")]:
        del sys.modules[name]
    monkeypatch.undo()
    plugins.forget()


def test_the_page_has_a_whole_game(three):
    assert [name for name, _ in FILES] == [
        *("__init__.py", "rules.py", "notation.py", "encoding.py", "drawing.py")
    ]
    assert "three" in game_names()
    assert "three" in plugins.NOTATION.games()
    assert plugins.SOLVING.find(three) is None
    with pytest.raises(ValueError, match="three has no solver; games that have: checkers, hex"):
        plugins.SOLVING.of(three)


@pytest.mark.parametrize("size", [3, 4])
def test_it_is_a_game_as_all_are(three, size):
    spec = importlib.util.spec_from_file_location(
        "conformance_of_three", Path(__file__).parent / "test_conformance.py"
    )
    conformance = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(conformance)
    game, tried = load_game("three", size=size), 0
    for name, test in inspect.getmembers(conformance, inspect.isfunction):
        wanted = list(inspect.signature(test).parameters)
        if name.startswith("test_") and wanted == ["game"]:
            test(game)
            tried += 1
        elif name.startswith("test_") and wanted == ["game", "text"]:
            for text in test.pytestmark[0].args[1]:
                test(game, text)
                tried += 1
    assert tried > 20


class Even(Evaluator):
    """Finds every board even, so that a search sees nothing but ends of games."""

    def __init__(self, game):
        self.game = game

    def judge(self, positions):
        return Judgements(np.zeros(len(positions)))


@pytest.mark.parametrize(
    ("board", "best"), [("xx./oo./... crosses", "c1"), ("x../.o./x.. noughts", "a2")]
)
@pytest.mark.parametrize(
    "search",
    [
        load_search("alpha_beta", depth=3),
        load_search("full_width", depth=3),
        load_search("mcts", simulations=300, rollouts=1),
    ],
)
def test_searches_win_and_save_themselves(three, search, board, best):
    position = three.read_position(board)
    player = SearchPlayer(Even(three), search)
    player.begin(three, position.to_move, 1)
    assert position.write_move(player.choose(position).move) == best


def test_players_play_it_to_the_end(three):
    players = [load_player("rollouts", three, simulations=30), load_player("random", three)]
    record = play_game(three, players, seed=3)
    assert record.ending in (Ending.CONNECTED, Ending.FULL_BOARD)
    assert 5 <= len(record.moves) <= 9


def test_it_is_played_at_the_terminal(three):
    typed = "b2\nmoves\nnowhere\nboard\nquit\n"
    done = CliRunner().invoke(
        app, ["play", "three", "--terminal", "--opponent", "random", "--seed", "1"], input=typed
    )
    assert "'nowhere' is not a cell: write one of a1 to c3." in done.output
    assert "crosses" in done.output


def test_a_match_of_it(three, tmp_path):
    done = CliRunner().invoke(app, ["match", "three", "random", "random", "--games", "4"])
    assert done.exit_code == 0, done.output
    assert "three in a row" in done.output
