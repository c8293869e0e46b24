"""A full disk or a locked file: no move is played that is not saved, and the page says why."""

from __future__ import annotations

import contextlib
import sqlite3

import pytest
from web_doubles import Seat, client_of, run_apart

from clauseboard.web.game_service import GameService
from clauseboard.web.models import NewGame
from clauseboard.web.responses import ApiError
from clauseboard.web.settings import Settings

WISH = {"game": "hex", "settings": {"size": 5}, "opponent": "person", "marks": False}


@pytest.fixture
def full_later(tiny_disk):
    """A client of a server whose games are on a small disk, and the disk."""
    with client_of(Settings(data=tiny_disk.folder / "data", workers=2)) as client:
        yield client, tiny_disk


def refused(answer):
    assert answer.status_code == 503, answer.text
    assert "disk" in answer.json()["detail"]
    assert "full" in answer.json()["detail"]


def test_a_move_that_cannot_be_saved_is_not_played(full_later):
    client, disk = full_later
    seat = Seat(client, **WISH)
    seat.play("a1")
    disk.fill()
    refused(seat.ask("moves", move="b2", version=seat.state["version"]))
    state = client.get(seat.url).json()
    assert [move["text"] for move in state["moves"]] == ["a1"]
    assert "full" in state["error"]
    assert client.app.state.games.store.load(state["id"])[0]["moves"] == ["a1"]
    disk.empty()
    seat.play("b2")
    assert seat.state["error"] is None
    assert [move["text"] for move in seat.state["moves"]] == ["a1", "b2"]


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("undo", {}),
        ("resign", {}),
        ("position", {"text": "...../...../..R../...../..... blue"}),
        ("record", {"text": "(;FF[4]GM[11]SZ[4];B[a1])"}),
    ],
)
def test_every_change_is_saved_or_refused(full_later, what, body):
    client, disk = full_later
    seat = Seat(client, **WISH)
    seat.play("a1")
    before = {**seat.state, "error": None}
    disk.fill()
    refused(seat.ask(what, **body))
    assert {**client.get(seat.url).json(), "error": None} == before
    disk.empty()
    assert seat.ask(what, **body).status_code == 200


def test_a_game_begins_and_ends_only_in_the_file(full_later):
    client, disk = full_later
    seat = Seat(client, **WISH)
    disk.fill()
    refused(client.post("/api/games", json=WISH))
    refused(client.delete(seat.url))
    assert [game["id"] for game in client.get("/api/games").json()] == [seat.state["id"]]
    disk.empty()
    assert client.delete(seat.url).status_code == 204
    assert client.get("/api/games").json() == []


def test_an_opponents_move_that_cannot_be_saved_is_chosen_again(full_later, engine):
    client, disk = full_later
    seat = Seat(client, **WISH | {"opponent": "random", "seconds": 0.2})
    games = client.app.state.games

    async def play_and_fill():
        games.play(games.get(seat.state["id"]), "a1", None)
        disk.fill()

    client.portal.call(play_and_fill)
    state = seat.settle(lambda state: state["error"])
    assert "full" in state["error"]
    assert (state["ply"], state["can_retry"], state["thinking"]) == (1, True, False)
    refused(seat.ask("retry"))
    disk.empty()
    assert seat.ask("retry").status_code == 200
    assert seat.settle(lambda state: state["ply"] == 2)["error"] is None


def test_pages_that_follow_a_game_are_told(tiny_disk):
    async def follow():
        service = GameService(Settings(data=tiny_disk.folder / "data", workers=1))
        game = await service.create(NewGame(**WISH))
        with service.hub.subscribe(game.id) as queue:
            tiny_disk.fill()
            with pytest.raises(ApiError):
                service.play(game, "a1", None)
            event = queue.get_nowait()
        tiny_disk.empty()
        await service.close()
        return event

    event = run_apart(follow())
    assert event.event == "state"
    assert "full" in event.raw_data
    assert '"ply":0' in event.raw_data


def test_a_file_that_another_program_locks(tmp_path):
    with client_of(Settings(data=tmp_path, workers=1)) as client:
        seat = Seat(client, **WISH)
        with contextlib.closing(sqlite3.connect(tmp_path / "games.sqlite")) as other:
            other.execute("BEGIN EXCLUSIVE")
            answer = seat.ask("moves", move="b2", version=seat.state["version"])
            assert answer.status_code == 503
            assert "another program is using it" in answer.json()["detail"]
            assert client.get(seat.url).json()["ply"] == 0
        seat.play("b2")


def test_a_thousand_games_in_a_burst(tmp_path):
    with client_of(Settings(data=tmp_path, workers=1)) as client:
        ids = {client.post("/api/games", json=WISH).json()["id"] for _ in range(1000)}
        assert len(ids) == 1000
        assert all(client.app.state.games.store.load(id) is not None for id in ids)
