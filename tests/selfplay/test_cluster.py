"""The games of a run on a cluster are those that one process plays."""

from __future__ import annotations

import dataclasses

import pytest
from small_runs import small_run

from clusters import cluster


def lived(path, **where):
    self_play = dataclasses.replace(small_run(path, games=12, move_clauses=0), **where)
    for _ in self_play.steps(1):
        pass
    games = sorted(game.write() for game in self_play.store.games(0, 99))
    matches = sorted((game.number, game.moves) for game in self_play.store.match_games(1))
    return games, matches, [one.machine for one in self_play.store.generations()]


@pytest.mark.long
def test_a_round_on_a_cluster(tmp_path):
    pytest.importorskip("distributed")
    with cluster(tmp_path, 2) as (address, _):
        there = lived(tmp_path / "there", cluster=address)
    assert there == lived(tmp_path / "here")
