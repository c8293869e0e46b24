"""The server as a program: events, processes that die, restarts, tokens, and a clean end."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import httpx
import psutil
import pytest
from web_doubles import PATIENCE, Seat, events_of


def gone(processes):
    """Those of some processes that are still there after a while."""
    return psutil.wait_procs(processes, timeout=PATIENCE)[1]


def test_events(program):
    client = program().client
    seat = Seat(client)
    with client.stream("GET", f"{seat.url}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        events = events_of(stream)
        kind, state = next(events)
        assert (kind, state) == ("state", seat.state)
        seat.ask("moves", move="a1", version=state["version"])
        found = []
        while not found or found[-1][0] != "state" or found[-1][1]["ply"] < 2:
            found.append(next(events))
        kinds = [kind for kind, _ in found]
        assert kinds.count("state") == 2
        assert "thinking" in kinds
        states = [content for kind, content in found if kind == "state"]
        assert [one["ply"] for one in states] == [1, 2]
        assert [one["thinking"] for one in states] == [True, False]
        assert [one["version"] for one in states] == sorted({one["version"] for one in states})
        done = [content for kind, content in found if kind == "thinking"][-1]
        assert {"seconds", "limit", "nodes", "value", "line", "preparing"} <= set(done)
        assert done["line"] == [states[-1]["moves"][-1]["text"]]
        # Who comes later is told the state first.
        with client.stream("GET", f"{seat.url}/events", headers={"Last-Event-ID": "1"}) as late:
            assert next(events_of(late)) == ("state", states[-1])
        client.delete(seat.url)
        assert next(events)[0] == "gone"


def test_what_the_opponent_thinks_is_told_while_it_thinks(program):
    client = program().client
    seat = Seat(client, game="checkers", settings={}, opponent="material", seconds=3)
    with client.stream("GET", f"{seat.url}/events") as stream:
        events = events_of(stream)
        position = next(events)[1]["position"]
        seat.ask("moves", move="11-15", version=seat.state["version"])
        found = []
        for kind, content in events:
            if kind == "thinking":
                found.append(content)
            elif content["ply"] == 2:
                break
    assert position != content["position"]
    *thoughts, done = [one for one in found if "line" in one]
    assert thoughts, found
    # The first ones may come before the player is ready, and say nothing but the time.
    assert set(found[0]) >= {"seconds", "limit", "preparing"}
    depths = [one["depth"] for one in thoughts]
    assert depths == sorted(depths)
    assert depths[0] >= 1
    legal = {"21-17", "22-17", "22-18", "23-18", "23-19", "24-19", "24-20"}
    for one in (*thoughts, done):
        assert one["line"][0] in legal
        assert -1 <= one["value"] <= 1
        assert one["limit"] == 3
    assert done["line"][0] == content["moves"][-1]["text"]


def test_getting_ready_is_no_thinking(program, engine, tmp_path):
    line = engine("time.sleep(1.5); answer = 'b2'")
    (path,) = tmp_path.glob("engine*.py")
    path.write_text(f"import time; time.sleep(3)\n{path.read_text()}")
    client = program("--player", line).client
    wish = {"game": "hex", "settings": {"size": 4}, "opponent": "own-1", "colour": "second"}
    game = client.post("/api/games", json=wish).json()
    told = []
    with client.stream("GET", f"/api/games/{game['id']}/events") as stream:
        for kind, content in events_of(stream):
            if kind == "thinking" and "nodes" not in content:
                told.append((content["preparing"], content["seconds"]))
            if kind == "state" and content["ply"]:
                break
    last = max(n for n, (preparing, _) in enumerate(told) if preparing)
    assert told[last][1] > 1
    assert told[last + 1] == (False, 0.0)  # the time begins anew when it is ready


def test_games_survive_a_restart_and_a_kill(program, tmp_path):
    first = program(folder=tmp_path / "kept")
    seats = [
        Seat(first.client, game=game, settings=settings, colour="second")
        for game, settings in (("checkers", {}), ("go", {"size": 5}), ("hex", {"size": 4}))
    ]
    for seat in seats:
        seat.play()
    board = {"text": "../.R blue"}
    seats.append(Seat(first.client, settings={"size": 2}, opponent="person", position=board,
                      clock={"minutes": 5}))  # fmt: skip
    workers = first.children()
    first.process.kill()
    first.process.wait()
    assert gone(workers) == []
    second = program(folder=tmp_path / "kept")
    for seat in seats:
        again = second.client.get(seat.url).json()
        for field in seat.state:
            if field != "clocks":
                assert again[field] == seat.state[field], field
    assert again["clocks"]["running"] == "blue"
    assert again["clocks"]["remaining"]["blue"] > 200
    seats[0].client = second.client
    seats[0].wait()
    seats[0].play()
    listed = {one["id"] for one in second.client.get("/api/games").json()}
    assert {seat.state["id"] for seat in seats} <= listed


def test_an_opponent_that_is_gone_after_a_restart(program, tmp_path):
    first = program("--player", "random", folder=tmp_path / "kept")
    seat = Seat(first.client, opponent="own-1")
    seat.play()
    first.end()
    seat.client = program(folder=tmp_path / "kept").client
    seat.wait()
    answer = seat.ask("moves", move=seat.state["legal"][0]["text"])
    assert answer.status_code == 200
    state = seat.settle(lambda state: state["error"] is not None)
    assert "is not here any more" in state["error"]
    assert state["can_undo"]


@pytest.fixture
def slow(engine):
    return engine("time.sleep(1000)")


def test_a_killed_process_is_replaced_and_the_game_goes_on(program, engine, tmp_path):
    mark = tmp_path / "asked"
    line = engine(
        f"import os; again = os.path.exists({str(mark)!r});"
        f" again or open({str(mark)!r}, 'w').write('x'); again or time.sleep(2); answer = 'b2'"
    )
    server = program("--player", line)
    answer = server.client.post(
        "/api/games", json={"game": "hex", "opponent": "own-1", "settings": {"size": 4}}
    )
    seat_url = f"/api/games/{answer.json()['id']}"
    server.client.post(f"{seat_url}/moves", json={"move": "a1"})
    while not mark.exists():
        time.sleep(0.02)
    thinking = [one for one in server.children() if any("engine" in word for word in one.cmdline())]
    assert thinking
    thinking[0].parent().kill()
    assert gone(thinking) == []
    ends = time.monotonic() + PATIENCE
    while (state := server.client.get(seat_url).json())["thinking"]:
        assert time.monotonic() < ends
        time.sleep(0.05)
    assert state["error"] is None
    assert state["moves"][-1]["text"] == "b2"


def test_another_program_as_the_judge(program, engine):
    server = program("--player", engine("answer = 'b2'"))
    seat = Seat(server.client, opponent="random", judge="own-1", marks=True)
    hint = seat.ask("hint").json()
    assert (hint["move"], hint["value"], hint["judge"]["id"]) == ("b2", None, "own-1")
    assert hint["text"].endswith("would play b2.")
    seat.play("a1")
    why = seat.ask("why", about="own")
    assert why.status_code == 422
    assert "cannot say why" in why.json()["detail"]
    assert seat.wait()["moves"][0]["mark"] is None


def test_a_move_that_takes_too_long(tmp_path, slow):
    from web_doubles import client_of

    from clauseboard.web.settings import Settings

    settings = Settings(data=tmp_path / "data", workers=2, grace=0.3, players=(slow,))
    with client_of(settings) as client:
        seat = Seat(client, opponent="own-1", seconds=0.2)
        seat.ask("moves", move="a1")
        state = seat.wait()
        assert state["error"].endswith("There was no answer within 0.5 seconds, so it was ended.")
        assert (state["ply"], state["can_retry"], state["outcome"]) == (1, True, None)
        assert seat.ask("retry").json()["thinking"]
        assert seat.wait()["error"] is not None
        state = seat.ask("undo").json()
        assert (state["ply"], state["error"], state["can_retry"]) == (0, None, False)
        assert "nothing to try again" in seat.ask("retry").json()["detail"]


def test_two_games_think_at_once(program, slow):
    client = program("--player", slow).client
    answer = client.post("/api/games", json={
        "game": "hex", "settings": {"size": 4}, "opponent": "own-1", "colour": "second",
        "seconds": 30})  # fmt: skip
    waiting = answer.json()
    assert waiting["thinking"]
    other = Seat(client)
    for _ in range(3):
        other.play()
    assert client.get(f"/api/games/{waiting['id']}").json()["thinking"]
    assert client.post(f"/api/games/{waiting['id']}/resign", json={}).json()["thinking"] is False
    other.play()


@pytest.mark.parametrize("how", ["quit", "interrupt", "terminate"])
def test_a_clean_end_leaves_nothing_behind(program, slow, how):
    server = program("--player", slow)
    wish = {"game": "hex", "settings": {"size": 4}, "opponent": "own-1", "colour": "second"}
    game = server.client.post("/api/games", json=wish).json()
    ends = time.monotonic() + PATIENCE
    while len(server.children()) < 3 and time.monotonic() < ends:  # two that think, an engine
        time.sleep(0.02)
    processes = server.children()
    with server.client.stream("GET", f"/api/games/{game['id']}/events") as stream:
        events = events_of(stream)
        next(events)
        if how == "quit":
            assert server.client.post("/api/quit").status_code == 202
        else:
            number = {"interrupt": signal.SIGINT, "terminate": signal.SIGTERM}[how]
            server.process.send_signal(number)
        assert [kind for kind, _ in events][-1] == "gone"
    assert server.process.wait(PATIENCE) in (0, -signal.SIGTERM)
    assert gone(processes) == []
    shown = "".join(server.lines)
    assert "Traceback" not in shown
    with pytest.raises(httpx.TransportError):
        server.client.get("/api/about")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_questions_that_are_asked_when_it_ends_are_answered(program, slow, number):
    server = program("--player", slow)
    seat = Seat(server.client, opponent="random", judge="own-1", seconds=30)
    answers = []
    asking = threading.Thread(target=lambda: answers.append(seat.ask("why", about="position")))
    asking.start()
    ends = time.monotonic() + PATIENCE
    while len(server.children()) < 3 and time.monotonic() < ends:  # two that think, an engine
        time.sleep(0.02)
    server.process.send_signal(number)
    asking.join(PATIENCE)
    assert [answer.status_code for answer in answers] == [503]
    assert answers[0].json() == {"detail": "The program ends."}
    assert server.process.wait(PATIENCE) in (0, -number)
    assert "Traceback" not in "".join(server.lines)


@pytest.mark.skipif(sys.platform != "linux", reason="the system ends them on Linux only")
def test_a_killed_program_is_outlived_by_nobody(program, slow):
    server = program("--player", slow)
    wish = {"game": "hex", "settings": {"size": 4}, "opponent": "own-1", "colour": "second"}
    server.client.post("/api/games", json=wish)
    ends = time.monotonic() + PATIENCE
    while len(server.children()) < 3 and time.monotonic() < ends:
        time.sleep(0.02)
    processes = server.children()
    assert len(processes) == 3
    server.process.kill()
    assert gone(processes) == []


def test_the_address_with_its_token(program):
    server = program("--host", "0.0.0.0")
    assert "token=" in server.address
    local = httpx.URL(server.address).copy_with(host="127.0.0.1")
    with httpx.Client() as client:
        base = str(local.copy_with(path="/api/about", query=None))
        assert client.get(base).status_code == 401
        assert client.get(local).status_code == 303
        assert client.get(base).status_code == 200
        assert not client.get(base).json()["quit"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--host", "192.0.2.1"], "The page cannot be served at 192.0.2.1"),
        (["--player", "a b"], "'a b' is no player"),
        (["--port", "70000"], "port=70000"),
        (["--data", "pyproject.toml"], "pyproject.toml"),
    ],
)
def test_what_cannot_be_served(words, told):
    command = [sys.executable, "-m", "clauseboard.web", "--no-browser", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_the_usual_port_may_be_taken(program, monkeypatch):
    import socket

    from clauseboard.web import server as serving
    from clauseboard.web.settings import Settings

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        monkeypatch.setattr(serving, "PORT", taken)
        with serving._listen(Settings(port=taken)) as found:
            assert found.getsockname()[1] != taken
        monkeypatch.setattr(serving, "PORT", 1)
        with pytest.raises(ValueError, match="Name another --port"):
            serving._listen(Settings(port=taken))
