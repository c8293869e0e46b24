"""What is kept, and who is told: the file of games, games that are not ready, and listeners."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import pytest
from web_doubles import Seat, client_of

from clauseboard.game import load_game
from clauseboard.web import events as module
from clauseboard.web.errors import ApiError, refused
from clauseboard.web.events import EventHub
from clauseboard.web.game_service import open_store
from clauseboard.web.opponents import TWO_PEOPLE
from clauseboard.web.records import read_record
from clauseboard.web.settings import Settings
from clauseboard.web.store import GameStore
from clauseboard.web.web_game import WebGame

HEX = load_game("hex", size=3)


def table(id="x"):
    return WebGame(id, HEX, TWO_PEOPLE, "red")


# ---- the file


def test_games_in_a_file(tmp_path):
    with GameStore(tmp_path / "a.sqlite") as store:
        for n in range(5):
            store.save(f"g{n}", {"n": n}, {"text": f"game {n}"})
        store.save("g1", {"n": 10}, {"text": "changed"})
        assert store.load("g1") == {"n": 10}
        assert store.load("nothing") is None
        assert [one["id"] for one in store.newest(3)] == ["g1", "g4", "g3"]
        assert store.newest(1)[0]["text"] == "changed"
        store.prune(2)
        assert [one["id"] for one in store.newest(9)] == ["g1", "g4"]
        store.delete("g4")
        store.delete("g4")
    with GameStore(tmp_path / "a.sqlite") as again:
        assert [one["id"] for one in again.newest(9)] == ["g1"]


def test_files_that_are_none(tmp_path):
    sqlite3.connect(tmp_path / "games.sqlite").execute("CREATE TABLE x (y)")
    with pytest.raises(ValueError, match="another program"):
        open_store(Settings(data=tmp_path))
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(ValueError, match="cannot be the folder of the games"):
        open_store(Settings(data=file / "below"))


@pytest.mark.parametrize("position", [None, ".../.R./... blue"])
def test_a_table_is_kept_and_restored(position):
    one = table()
    if position is not None:
        one.restart(HEX.read_position(position))
    for _ in range(3):
        one.play(one.state()["legal"][0]["text"])
    kept = json.loads(json.dumps(one.kept()))
    two = WebGame.restored("x", kept, TWO_PEOPLE, None)
    assert one.state() == two.state()
    assert one.moved == two.moved


def test_games_that_are_not_ready_come_from_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr("clauseboard.web.game_service.MOST_IN_MEMORY", 2)
    with client_of(Settings(data=tmp_path, workers=1)) as client:
        seats = [Seat(client) for _ in range(5)]
        for _ in range(2):
            for seat in seats:
                seat.play()
        assert len(client.app.state.hall._tables) <= 3
        assert [seat.wait()["ply"] for seat in seats] == [4] * 5


def test_a_game_that_cannot_be_read_any_more(tmp_path):
    with client_of(Settings(data=tmp_path, workers=1)) as client:
        store = client.app.state.hall.store
        kept = table().kept()
        for id, changed in (
            ("a", {"moves": ["z99"]}),
            ("b", {"game": "chess"}),
            ("c", {"clock": 1}),
        ):
            client.portal.call(store.save, id, {**kept, **changed}, table().summary())
            answer = client.get(f"/api/games/{id}")
            assert answer.status_code == 404
            assert "kept by another version" in answer.json()["detail"]
        assert len(client.get("/api/games").json()) == 3


def test_the_oldest_games_go(tmp_path):
    with client_of(Settings(data=tmp_path, workers=1, most_games=3)) as client:
        for _ in range(6):
            Seat(client, opponent="person")
        assert len(client.get("/api/games").json()) <= 4


# ---- listeners


def events(work):
    """Run something with listeners in a loop of its own.

    In a thread of its own, too: where browser tests went before, this one has a loop already.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work(EventHub())).result()


def test_who_listens_is_told():
    async def work(listeners):
        one, other = table("a"), table("b")
        assert one not in listeners
        stream = listeners.listen(one)
        assert one in listeners
        assert other not in listeners
        first = await anext(stream)
        assert first.startswith("retry: 1000\nevent: state\nid: 1\ndata: {")
        listeners.tell(other, "state", "{}")
        listeners.tell(one, "thinking", '{"seconds": 1}')
        assert await anext(stream) == 'event: thinking\ndata: {"seconds": 1}\n\n'
        one.play("a1")
        listeners.tell(one, "state", one.state_text())
        assert (await anext(stream)).startswith("event: state\nid: 2\n")
        await stream.aclose()
        assert one not in listeners

    events(work)


@pytest.mark.parametrize("how", ["dismiss", "close"])
def test_the_end_is_told(how):
    async def work(listeners):
        one = table()
        stream = listeners.listen(one)
        await anext(stream)
        listeners.dismiss(one) if how == "dismiss" else listeners.close()
        assert [event async for event in stream] == ["event: gone\ndata: {}\n\n"]
        assert one not in listeners

    events(work)


def test_silence_is_broken(monkeypatch):
    monkeypatch.setattr(module, "HEARTBEAT", 0.01)

    async def work(listeners):
        stream = listeners.listen(table())
        await anext(stream)
        assert await anext(stream) == ": still here\n\n"

    events(work)


def test_who_does_not_keep_up_misses_the_oldest():
    async def work(listeners):
        one = table()
        stream = listeners.listen(one)
        for n in range(module.WAITING + 5):
            listeners.tell(one, "thinking", str(n))
        await anext(stream)
        assert await anext(stream) == "event: thinking\ndata: 5\n\n"

    events(work)


def test_not_everybody_can_listen(monkeypatch):
    monkeypatch.setattr(module, "MOST", 2)

    async def work(listeners):
        for id in "ab":
            listeners.listen(table(id))
        with pytest.raises(ApiError, match="Too many pages listen") as found:
            listeners.listen(table("c"))
        assert found.value.status == 503

    events(work)


# ---- small things


def test_refusals():
    assert refused(lambda: 3) == 3
    with pytest.raises(ApiError, match="'x'") as found:
        refused(lambda: int("x"), 409)
    assert found.value.status == 409


def test_the_rules_of_a_record_are_those_it_names():
    text = "(;GM[11]SZ[3]EV[Clauseboard, load_game('hex', size=3, swap=True)];B[a1];W[b2])"
    rules, positions, moves, end = read_record(text, load_game("hex"))
    assert rules == load_game("hex", size=3, swap=True)
    assert len(positions) == len(moves) + 1 == 3
    assert end is None
