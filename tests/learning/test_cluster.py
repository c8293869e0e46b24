"""The games of a life on a cluster are those that one process plays."""

from __future__ import annotations

import pytest

from clauseboard.game import load_game
from clauseboard.learning.plan import plan_for
from clauseboard.learning.running import Life
from clauseboard.learning.store import LearningStore
from clusters import cluster

HEX = load_game("hex", size=3)
SMALL = {
    "begin": "random",
    "search": "mcts,simulations=20",
    "games": 12,
    "match_games": 6,
    "n_clauses": 20,
    "kept": 40,
    "epochs": 1,
    "drawn": 2,
    "move_clauses": 0,
}


def lived(path, **where):
    life = Life(HEX, plan_for(HEX, SMALL), LearningStore(path), **where)
    for _ in life.steps(1):
        pass
    games = sorted(game.write() for game in life.store.games(0, 99))
    matches = sorted((game.number, game.moves) for game in life.store.match_games(1))
    return games, matches, [one.machine for one in life.store.generations()]


def test_a_round_on_a_cluster(tmp_path):
    pytest.importorskip("distributed")
    with cluster(tmp_path, 2) as (address, _):
        there = lived(tmp_path / "there", cluster=address)
    assert there == lived(tmp_path / "here")
