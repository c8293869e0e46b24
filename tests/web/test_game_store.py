"""The file of games, games that are not in memory, and the event streams."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import sqlite3
import subprocess
import sys
from types import SimpleNamespace

import pytest
from fastapi.sse import ServerSentEvent
from web_doubles import Seat, client_of, run_apart

from clauseboard.game import load_game
from clauseboard.play import read_text
from clauseboard.player import Candidate, Choice
from clauseboard.web.game_service import (
    MOVED_ON,
    GameChangedError,
    GameService,
    GameStore,
    open_store,
    state_event,
)
from clauseboard.web.opponents import TWO_PEOPLE
from clauseboard.web.responses import MOST_EVENTS, ApiError, EventHub, checked, stream
from clauseboard.web.settings import Settings
from clauseboard.web.web_game import WebGame

HEX = load_game("hex", size=3)


def web_game(id="x"):
    return WebGame(id, HEX, TWO_PEOPLE, "red")


# ---- the file


def test_games_in_a_file(tmp_path):
    with GameStore(tmp_path / "a.sqlite") as store:
        for n in range(5):
            store.save(f"g{n}", {"n": n}, {**web_game().summary(), "text": f"game {n}"})
        store.save("g1", {"n": 10}, {**web_game().summary(), "text": "changed"})
        assert store.load("g1")[0] == {"n": 10}
        assert store.load("nothing") is None
        assert [one.id for one in store.newest(3)] == ["g1", "g4", "g3"]
        assert store.newest(1)[0].text == "changed"
        store.prune(2)
        assert [one.id for one in store.newest(9)] == ["g1", "g4"]
        store.delete("g4")
        store.delete("g4")
    with GameStore(tmp_path / "a.sqlite") as again:
        assert [one.id for one in again.newest(9)] == ["g1"]


def test_a_clock_that_is_set_back_hides_no_game(tmp_path, monkeypatch):
    """The newest games are listed, and the oldest deleted, in the order in which they were kept."""
    now = 4e9
    monkeypatch.setattr("clauseboard.web.game_service.time.time", lambda: now)
    for n in range(3):
        with GameStore(tmp_path / "games.sqlite") as store:
            game = web_game(f"game {n}")
            store.save(game.id, game.saved(), game.summary())
        now -= 1e9
    with GameStore(tmp_path / "games.sqlite") as store:
        assert [one.id for one in store.newest(2)] == ["game 2", "game 1"]
        store.prune(1)
        assert [one.id for one in store.newest(9)] == ["game 2"]


def test_files_that_are_none(tmp_path):
    sqlite3.connect(tmp_path / "games.sqlite").execute("CREATE TABLE x (y)")
    with pytest.raises(ValueError, match="another program"):
        open_store(Settings(data=tmp_path))
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(ValueError, match="cannot be the folder of the games"):
        open_store(Settings(data=file / "below"))


@pytest.mark.parametrize("position", [None, ".../.R./... blue"])
def test_a_game_is_saved_and_restored(position):
    one = web_game()
    if position is not None:
        one.restart(HEX.read_position(position))
    for _ in range(3):
        one.play(one.state().legal[0].text)
    kept = json.loads(json.dumps(one.saved()))
    two = WebGame.restored("x", kept, TWO_PEOPLE, None)
    assert one.state() == two.state()
    assert one.moved == two.moved


def test_choices_in_memory_are_small():
    rules = load_game("hex", size=11)
    game = WebGame("x", rules, TWO_PEOPLE, "red")
    moves = rules.start().moves()
    candidates = tuple(Candidate(move, 0.25, (move, moves[0]), 9) for move in moves)
    choice = Choice(moves[5], 0.25, (moves[5],), candidates)
    for move in moves[:4]:
        game.play_move(move)
        assert game.note_judgement(game.ply, game.position, choice) == choice
    assert [game.judged[n] for n in (1, 2, 3, 4)] == [choice] * 4
    assert sum(map(len, game.judged._packed.values())) < 4 * 10_000
    game.undo()
    assert list(game.judged) == [1, 2, 3]


def test_games_that_are_not_ready_come_from_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr("clauseboard.web.game_service.MOST_IN_MEMORY", 2)
    with client_of(Settings(data=tmp_path, workers=1)) as client:
        seats = [Seat(client) for _ in range(5)]
        for _ in range(2):
            for seat in seats:
                seat.play()
        assert len(client.app.state.games._games) <= 3
        assert [seat.wait()["ply"] for seat in seats] == [4] * 5


def test_games_that_nobody_looks_at_leave_the_memory(tmp_path, monkeypatch):
    with client_of(Settings(data=tmp_path, workers=1)) as client:
        games = client.app.state.games
        old, ticking, fresh = Seat(client), Seat(client, clock={"minutes": 60}), Seat(client)
        for seat in (old, ticking, fresh):
            seat.play()
            seat.wait()
        for seat in (old, ticking):
            games._games[seat.state["id"]].used -= 1000
        newest = Seat(client)
        assert set(games._games) == {seat.state["id"] for seat in (ticking, fresh, newest)}
        assert old.wait()["ply"] == 2
        assert old.state["id"] in games._games


def test_a_game_that_cannot_be_read_any_more(tmp_path):
    with client_of(Settings(data=tmp_path, workers=1)) as client:
        store = client.app.state.games.store
        kept = web_game().saved()
        for id, changed in (
            ("a", {"moves": ["z99"]}),
            ("b", {"game": "chess"}),
            ("c", {"clock": 1}),
        ):
            client.portal.call(store.save, id, {**kept, **changed}, web_game().summary())
            answer = client.get(f"/api/games/{id}")
            assert answer.status_code == 404
            assert "saved by another version" in answer.json()["detail"]
        assert len(client.get("/api/games").json()) == 3


@pytest.mark.parametrize("content", ["", "[]", "null", "[" * 100_000, '{"moves": 1}', "1e400"])
def test_a_damaged_game_hides_no_other(tmp_path, content):
    with client_of(Settings(data=tmp_path, workers=1)) as client:
        kept, damaged = Seat(client, opponent="person"), Seat(client, opponent="person")
        id = damaged.state["id"]
        with contextlib.closing(sqlite3.connect(tmp_path / "games.sqlite")) as file, file:
            file.execute("UPDATE games SET content = ?, summary = ? WHERE id = ?",
                         (content, content, id))  # fmt: skip
        client.app.state.games._games.clear()
        assert client.get(damaged.url).status_code == 404
        assert [one["id"] for one in client.get("/api/games").json()] == [kept.state["id"]]
        assert client.delete(damaged.url).status_code == 204


def test_two_servers_on_one_folder_lose_no_move(tmp_path):
    """The one whose game is old had saved it over the other's moves."""
    settings = [Settings(data=tmp_path, workers=1) for _ in range(2)]
    with client_of(settings[0]) as one, client_of(settings[1]) as other:
        seat = Seat(one, opponent="person")
        assert other.get(seat.url).json()["ply"] == 0
        seat.play("a1")
        seat.play("b1")
        answer = other.post(f"{seat.url}/moves", json={"move": "d4"})
        assert (answer.status_code, answer.json()["detail"]) == (409, MOVED_ON)
        texts = [move["text"] for move in other.get(seat.url).json()["moves"]]
        assert texts == ["a1", "b1"]
        assert other.post(f"{seat.url}/moves", json={"move": "d4"}).status_code == 200
        assert one.delete(seat.url).status_code == 204
        assert other.post(f"{seat.url}/moves", json={"move": "c3"}).status_code == 409
        assert other.get(seat.url).status_code == 404


def test_what_two_servers_save_is_told_apart_by_any_clock(tmp_path, monkeypatch):
    monkeypatch.setattr("clauseboard.web.game_service.time.time", lambda: 1e9)
    path, told = tmp_path / "games.sqlite", web_game().summary()
    with GameStore(path) as one, GameStore(path) as other:
        other.save("b", {}, told)
        since = one.save("a", {"n": 1}, told)
        assert other.save("a", {"n": 2}, told, other.load("a")[1]) > since
        with pytest.raises(GameChangedError):
            one.save("a", {"n": 3}, told, since)
        assert one.load("a")[0] == {"n": 2}


def test_work_that_is_cancelled_before_it_begins_is_closed():
    async def begin():
        service = SimpleNamespace(_tasks=set())
        work = asyncio.sleep(0)
        GameService._start(service, work).cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return inspect.getcoroutinestate(work)

    assert run_apart(begin()) == inspect.CORO_CLOSED


def test_the_oldest_games_go(tmp_path):
    with client_of(Settings(data=tmp_path, workers=1, most_games=3)) as client:
        for _ in range(6):
            Seat(client, opponent="person")
        assert len(client.get("/api/games").json()) <= 4


# ---- event streams


def in_loop(work):
    """Run something with an event hub in a loop of its own."""
    return run_apart(work(EventHub()))


def event(text):
    return ServerSentEvent(event="thinking", raw_data=text)


def test_a_stream_has_the_events_of_its_game():
    async def work(hub):
        one = web_game("a")
        assert not hub.has_followers("a")
        with hub.subscribe("a") as queue:
            assert hub.has_followers("a")
            assert not hub.has_followers("b")
            events = stream(queue, state_event(one))
            assert (await anext(events)).retry == 1000
            first = await anext(events)
            assert (first.event, first.id) == ("state", "1")
            hub.publish("b", event("{}"))
            hub.publish("a", event('{"seconds": 1}'))
            assert (await anext(events)).raw_data == '{"seconds": 1}'
            one.play("a1")
            hub.publish("a", state_event(one))
            assert (await anext(events)).id == "2"
        assert not hub.has_followers("a")

    in_loop(work)


@pytest.mark.parametrize("how", ["game", "close", "late"])
def test_the_last_event_is_gone(how):
    async def work(hub):
        if how == "late":
            hub.close()
        with hub.subscribe("a") as queue:
            hub.publish("a", None) if how == "game" else hub.close()
            last = [sent async for sent in stream(queue)][-1]
            assert (last.event, last.raw_data) == ("gone", "{}")

    in_loop(work)


def test_a_slow_page_misses_the_oldest_events():
    async def work(hub):
        with hub.subscribe("a") as queue:
            for n in range(MOST_EVENTS + 5):
                hub.publish("a", event(str(n)))
            assert queue.get_nowait().raw_data == "5"

    in_loop(work)


def test_there_are_not_too_many_streams():
    async def work(hub):
        hub.most = 2
        with hub.subscribe("a"), hub.subscribe("b"):
            with pytest.raises(ApiError, match="Too many pages are open") as caught:
                hub.subscribe("c").__enter__()
            assert caught.value.status == 503

    in_loop(work)


# ---- small things


def test_refusals():
    assert checked(lambda: 3) == 3
    with pytest.raises(ApiError, match="'x'") as found:
        checked(lambda: int("x"), 409)
    assert found.value.status == 409


def test_the_server_loads_no_compiler():
    """Numba has 120 MB, and takes a second in which nobody is answered."""
    code = """
import sys
import clauseboard.web.server
from clauseboard.game import game_names, load_game
from clauseboard.web.opponents import TWO_PEOPLE
from clauseboard.web.web_game import WebGame

for name in game_names():
    rules = load_game(name)
    game = WebGame(name, rules, TWO_PEOPLE, rules.colours[0])
    for _ in range(20):
        game.play(game.position.write_move(game.position.moves()[0]))
    game.state_text()
    game.download(verdicts=True)
    game.undo()
    WebGame.restored(name, game.saved(), TWO_PEOPLE, None).state_text()
print([name for name in ("numba", "scipy", "sklearn") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_the_rules_of_a_record_are_those_it_names():
    text = "(;GM[11]SZ[3]EV[Clauseboard, load_game('hex', size=3, swap=True)];B[a1];W[b2])"
    saved = read_text(text, load_game("hex"))
    assert saved.game == load_game("hex", size=3, swap=True)
    assert len(saved.positions) == len(saved.moves) + 1 == 3
    assert saved.outcome is None


def test_pages_hear_how_far_endgame_tables_are(monkeypatch, tmp_path):
    """One quiet line while they are made in the background, emptied when they are ready."""
    from clauseboard.games.solving import TablesStatus
    from clauseboard.web import game_service
    from clauseboard.web.models import NewGame

    texts = ["", "10 % made", "10 % made", "60 % made", ""]
    statuses = [TablesStatus(False, None, "")]
    statuses += [TablesStatus(False, 0.5, text) for text in texts[1:4]]
    statuses.append(TablesStatus(True, None, ""))
    started, left = [], list(statuses)
    monkeypatch.setattr(game_service, "TABLES_TICK", 0.01)
    monkeypatch.setattr(game_service, "start_tables", started.append)
    monkeypatch.setattr(
        game_service, "tables_status", lambda game: left.pop(0) if len(left) > 1 else left[0]
    )

    async def follow():
        service = game_service.GameService(Settings(data=tmp_path, workers=1))
        try:
            wish = NewGame(game="checkers", settings={}, opponent="person")
            game = await service.create(wish)
            with service.hub.subscribe(game.id) as queue:
                await service.create(wish)  # the second game of a kind starts nothing
                told = []
                while not told or told[-1] != '{"text":""}':
                    event = await asyncio.wait_for(queue.get(), 60)
                    if event.event == "tables":
                        told.append(event.raw_data)
            return told
        finally:
            await service.close()

    told = run_apart(follow())
    assert told == [f'{{"text":"{text}"}}' for text in ("10 % made", "60 % made", "")]
    assert [game.name for game in started] == ["checkers"]
