"""`import clauseboard as cb` gives what most users need, typed and quickly."""

import subprocess
import sys
import typing

import pytest

import clauseboard as cb
from clauseboard.arena.match import MatchResult
from clauseboard.explaining import Account
from clauseboard.game import Game
from clauseboard.player import Player


def test_every_name_is_there_and_documented():
    for name in cb.__all__:
        assert getattr(cb, name).__doc__, name
    assert set(cb.__all__) < set(dir(cb))


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'load_everything'"):
        cb.load_everything  # noqa: B018


@pytest.mark.parametrize(
    ("function", "returned"),
    [
        (cb.load_game, Game),
        (cb.load_player, Player),
        (cb.explain, Account),
        (cb.play_match, MatchResult),
    ],
)
def test_the_functions_are_typed(function, returned):
    hints = typing.get_type_hints(function)
    assert hints["return"] is returned
    assert typing.Any not in {kind for name, kind in hints.items() if name != "parameters"} or (
        function in (cb.load_game, cb.load_player)  # whose options have types of their own
    )


def test_importing_it_imports_nothing_else():
    program = (
        "import sys; before = set(sys.modules); import clauseboard; "
        "print([m for m in set(sys.modules) - before if m.startswith(('clauseboard.', 'numpy'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_player_objects_play_a_match():
    game = cb.load_game("hex", size=3)
    players = cb.load_player("random", game), cb.load_player("solver", game)
    result = cb.play_match(game, *players, games=6, seed=3)
    named = cb.play_match(game, "random", "solver", games=6, seed=3)
    assert [record.moves for record in result.games] == [record.moves for record in named.games]
    assert str(result).startswith("6 games of hex")


def test_one_object_cannot_play_itself_nor_in_many_processes():
    game = cb.load_game("hex", size=3)
    player = cb.load_player("random", game)
    with pytest.raises(ValueError, match="two player objects"):
        cb.play_match(game, player, player)
    with pytest.raises(ValueError, match="jobs must be 1, not 2"):
        cb.play_match(game, player, "random", jobs=2)


def test_a_move_is_explained_by_its_text():
    game = cb.load_game("checkers")
    player = cb.load_player("material", game)
    account = cb.explain(player, game.start(), "12-16", depth=1)
    assert account.move == "12-16"
    assert "12-16" in str(account)
