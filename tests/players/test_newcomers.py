"""The rule players of benchmarks/newcomers.py, against which a beginner is measured."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from clauseboard.game import load_game

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from newcomers import NAME, RULES, make


def told(name, board=None, moves=(), **settings):
    """The moves that the rule of a game leaves, as text."""
    game = load_game(name, **settings)
    position = game.start() if board is None else game.read_position(board)
    for move in moves:
        position = position.play(position.read_move(move))
    return {position.write_move(move) for move in RULES[name](position)}


@pytest.mark.parametrize(
    ("board", "moves"),
    [
        ("B:W15,22,32:B1,11", {"11x25"}),  # both men
        ("B:W21,32:B1,14", {"1-5", "1-6", "14-18"}),  # not 14-17, which hangs the man
        ("B:W21,31:B1,27", {"27-32"}),  # crowns
        ("B:W28:B24,19", {"24-27"}),  # the last man cannot move any more
    ],
)
def test_checkers(board, moves):
    assert told("checkers", board) == moves


@pytest.mark.parametrize(
    ("board", "moves"),
    [
        ("wb.../...../...../...../..... black", {"A4"}),  # takes
        ("...../..b../.bwb./...../..... white", {"C2"}),  # extends
        (
            "...../.bw../.bwb./..b../..... black",
            {"D4"},
        ),  # attacks, and takes more of the board than at C5
    ],
)
def test_go(board, moves):
    assert told("go", board, size=5) == moves


def test_go_leaves_its_eyes_and_passes_at_the_end():
    assert told("go", ".b.b./bbbbb/bbbbb/bbbbb/bbbbb black", size=5) == {"pass"}


def test_hex_completes_a_bridge():
    """Red b1 and a3 are joined by a2 or b2, and blue has cut at a2."""
    assert told("hex", moves=["b1", "d4", "a3", "a2"], size=4) == {"b2"}


def test_hex_goes_its_shortest_way():
    assert told("hex", moves=["b1", "d1", "b2", "d2", "b4", "d4"], size=4) == {"b3"}


def test_a_newcomer_draws_by_its_seed():
    game = load_game("hex", size=5)

    def first(seed):
        player = make(NAME, game)
        player.begin(game, "red", seed)
        return player.choose(game.start()).move

    assert first(1) == first(1)
    assert str(make("random", game)) == "random"
