"""The games of a life on a cluster are those that one process plays."""

from __future__ import annotations

import dataclasses

import pytest
from small_lives import life_in

from clusters import cluster


def lived(path, **where):
    life = dataclasses.replace(life_in(path, games=12, move_clauses=0), **where)
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
