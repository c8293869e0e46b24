"""The server as a program: events, processes that die, restarts, tokens, and a clean end."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import httpx
import psutil
import pytest
from web_doubles import PATIENCE, Program, Seat, client_of, engine_player, events_of

from clauseboard.web import server as serving
from clauseboard.web.__main__ import main
from clauseboard.web.settings import Settings


def gone(processes):
    """Those of some processes that are still there after a while."""
    return psutil.wait_procs(processes, timeout=PATIENCE)[1]


NEVER = "time.sleep(1000)"


@pytest.fixture(scope="module")
def asked_once(tmp_path_factory):
    """A file that the fourth player of the shared server makes when it is asked first."""
    return tmp_path_factory.mktemp("asked") / "asked"


@pytest.fixture(scope="module")
def server(tmp_path_factory, asked_once):
    """A server that the tests share that do not end it, with four programs as players.

    The first answers at once, the second never, the third takes a while to get ready, and the
    fourth answers only when it is asked again.
    """
    folder = tmp_path_factory.mktemp("engines")
    again = (
        f"import os; again = os.path.exists({str(asked_once)!r});"
        f" again or open({str(asked_once)!r}, 'w').write('x'); again or time.sleep(1000);"
        " answer = 'b2'"
    )
    players = [
        engine_player(folder, "answer = 'b2'"),
        engine_player(folder, NEVER),
        engine_player(folder, "time.sleep(1.5); answer = 'b2'", "import time; time.sleep(3)"),
        engine_player(folder, again),
    ]
    words = [word for line in players for word in ("--player", line)]
    program = Program(tmp_path_factory.mktemp("data"), *words)
    yield program
    program.end()


def test_events(server):
    client = server.client
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


def test_what_the_opponent_thinks_is_told_while_it_thinks(server):
    client = server.client
    seat = Seat(client, game="checkers", settings={}, opponent="material", seconds=2)
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
        assert one["limit"] == 2
    assert done["line"][0] == content["moves"][-1]["text"]


def test_getting_ready_is_no_thinking(server):
    client = server.client
    wish = {"game": "hex", "settings": {"size": 4}, "opponent": "own-3", "colour": "second"}
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
    first = program("--player", "random", folder=tmp_path / "kept")
    seats = [
        Seat(first.client, game=game, settings=settings, colour="second")
        for game, settings in (("checkers", {}), ("go", {"size": 5}), ("hex", {"size": 4}))
    ]
    for seat in seats:
        seat.play()
    board = {"text": "../.R blue"}
    seats.append(Seat(first.client, settings={"size": 2}, opponent="person", position=board,
                      clock={"minutes": 5}))  # fmt: skip
    stranger = Seat(first.client, opponent="own-1")
    stranger.play()
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
    # An opponent that the program is not told of any more.
    stranger.client = second.client
    stranger.wait()
    answer = stranger.ask("moves", move=stranger.state["legal"][0]["text"])
    assert answer.status_code == 200
    state = stranger.settle(lambda state: state["error"] is not None)
    assert "is not available any more" in state["error"]
    assert state["can_undo"]


@pytest.fixture
def slow(engine):
    return engine(NEVER)


def test_a_killed_process_is_replaced_and_the_game_goes_on(server, asked_once):
    answer = server.client.post(
        "/api/games", json={"game": "hex", "opponent": "own-4", "settings": {"size": 4}}
    )
    seat_url = f"/api/games/{answer.json()['id']}"
    server.client.post(f"{seat_url}/moves", json={"move": "a1"})
    wait_for(asked_once.exists)
    program = engine_of(server, 4)
    program.parent().kill()
    assert gone([program]) == []
    wait_for(lambda: not server.client.get(seat_url).json()["thinking"])
    state = server.client.get(seat_url).json()
    assert state["error"] is None
    assert state["moves"][-1]["text"] == "b2"


def wait_for(is_so):
    ends = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.02)


def engine_of(server, number):
    """The process of the player that is named as such."""
    name = f"engine{number - 1}.py"
    found = []
    for one in server.children():
        with contextlib.suppress(psutil.NoSuchProcess):  # it may end while it is looked at
            if any(word.endswith(name) for word in one.cmdline()):
                found.append(one)
    (only,) = found
    return only


def test_another_program_as_the_judge(server):
    seat = Seat(server.client, opponent="random", judge="own-1", marks=True)
    hint = seat.ask("hint").json()
    assert (hint["move"], hint["value"], hint["judge"]["id"]) == ("b2", None, "own-1")
    assert hint["text"].endswith("would play b2. Red wins in 5 moves.")
    seat.play("a1")
    why = seat.ask("why", about="own")
    assert why.status_code == 422
    assert "cannot explain it" in why.json()["detail"]
    assert seat.wait()["moves"][0]["mark"] is None


def test_a_move_that_takes_too_long(tmp_path, slow):
    settings = Settings(data=tmp_path / "data", workers=2, grace=0.3, players=(slow,))
    with client_of(settings) as client:
        seat = Seat(client, opponent="own-1", seconds=0.2)
        seat.ask("moves", move="a1")
        state = seat.wait()
        assert state["error"].endswith("no answer within 0.5 seconds, so the search was ended.")
        assert (state["ply"], state["can_retry"], state["outcome"]) == (1, True, None)
        assert seat.ask("retry").json()["thinking"]
        assert seat.wait()["error"] is not None
        state = seat.ask("undo").json()
        assert (state["ply"], state["error"], state["can_retry"]) == (0, None, False)
        assert "nothing to try again" in seat.ask("retry").json()["detail"]


def test_two_games_think_at_once(server):
    client = server.client
    answer = client.post("/api/games", json={
        "game": "hex", "settings": {"size": 4}, "opponent": "own-2", "colour": "second",
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
def test_a_clean_end_answers_what_was_asked_and_leaves_nothing_behind(program, slow, how):
    server = program("--player", slow)
    seat = Seat(server.client, opponent="random", judge="own-1", seconds=30)
    answers = []
    asking = threading.Thread(target=lambda: answers.append(seat.ask("why", about="position")))
    asking.start()
    wait_for(lambda: len(server.children()) >= 3)  # two that think, an engine
    wish = {"game": "hex", "settings": {"size": 4}, "opponent": "own-1", "colour": "second"}
    game = server.client.post("/api/games", json=wish).json()
    assert game["thinking"]
    processes = server.children()
    with server.client.stream("GET", f"/api/games/{game['id']}/events") as stream:
        events = events_of(stream)
        next(events)
        number = {"interrupt": signal.SIGINT, "terminate": signal.SIGTERM, "quit": 0}[how]
        if how == "quit":
            assert server.client.post("/api/quit").status_code == 202
        else:
            server.process.send_signal(number)
        assert [kind for kind, _ in events][-1] == "gone"
    asking.join(PATIENCE)
    assert [answer.status_code for answer in answers] == [503]
    assert answers[0].json() == {"detail": "The program is shutting down."}
    assert server.process.wait(PATIENCE) in (0, -number)
    assert gone(processes) == []
    assert "Traceback" not in "".join(server.lines)
    with pytest.raises(httpx.TransportError):
        server.client.get("/api/about")


@pytest.mark.skipif(sys.platform != "linux", reason="the system ends them on Linux only")
def test_a_killed_program_is_outlived_by_nobody(program, slow):
    server = program("--player", slow)
    wish = {"game": "hex", "settings": {"size": 4}, "opponent": "own-1", "colour": "second"}
    server.client.post("/api/games", json=wish)
    wait_for(lambda: len(server.children()) >= 3)
    processes = server.children()
    assert len(processes) == 3
    server.process.kill()
    assert gone(processes) == []


def test_the_address_with_its_token(program):
    server = program("--host", "0.0.0.0")
    local = httpx.URL(server.link).copy_with(host="127.0.0.1")
    with httpx.Client() as client:
        base = str(local.copy_with(path="/api/about", query=None))
        assert client.get(base).status_code == 401
        assert client.get(local).status_code == 303
        assert client.get(base).status_code == 200
        assert not client.get(base).json()["quit"]


@pytest.mark.skipif(os.name != "posix", reason="the browser is a shell script")
def test_the_browsers_command_line_does_not_tell_the_token(tmp_path):
    """Other users of the machine can read it."""
    noted, browser = tmp_path / "noted", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {noted}.new && mv {noted}.new {noted}\n')
    browser.chmod(0o700)
    command = [sys.executable, "-m", "clauseboard.web", "--port", "0", "--workers", "1"]
    server = subprocess.Popen(
        [*command, "--data", str(tmp_path / "data")],
        env={**os.environ, "BROWSER": f"{browser} %s", "DISPLAY": ":0"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        printed = server.stdout.readline().split()[-1]
        wait_for(noted.exists)
        opened = noted.read_text().strip()
        assert opened.partition("=")[0] == printed.partition("=")[0]
        assert opened != printed
        statuses = []
        for _ in range(2):  # the second one is another user
            while True:
                try:
                    statuses.append(httpx.get(opened).status_code)
                    break
                except httpx.TransportError:  # it does not listen yet
                    time.sleep(0.05)
        assert statuses == [303, 401]
    finally:
        server.kill()
        server.wait()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--host", "192.0.2.1"], "The page cannot be served at 192.0.2.1"),
        (["--player", "a b"], "'a b' is not a player"),
        (["--port", "70000"], "port=70000"),
        (["--data", "pyproject.toml"], "pyproject.toml"),
    ],
)
def test_what_cannot_be_served(words, told, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--no-browser", *words])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_a_program_that_cannot_serve_says_why():
    command = [sys.executable, "-m", "clauseboard.web", "--no-browser", "--player", "a b"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2
    assert "'a b' is not a player" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_usual_port_may_be_taken(monkeypatch):
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


@pytest.mark.skipif(os.name != "posix", reason="there are no such modes there")
def test_what_a_server_writes_is_for_one_user(program, tmp_path):
    server = program()
    Seat(server.client, opponent="person")
    for path in (tmp_path / "data").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path


def test_half_sent_requests_block_nobody(program):
    server = program("--host", "0.0.0.0")
    port = httpx.URL(server.link).port
    half = []
    for _ in range(1100):
        one = socket.create_connection(("127.0.0.1", port))
        one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        half.append(one)
    local = {"Authorization": server.client.headers["Authorization"]}
    for _ in range(20):
        answer = httpx.get(f"http://127.0.0.1:{port}/api/about", headers=local, timeout=PATIENCE)
        assert answer.status_code == 200
    # Each is closed when its time is over, and nothing is logged.
    half[0].settimeout(PATIENCE)
    assert half[0].recv(1) == b""
    for one in half:
        one.close()
    assert len("".join(server.lines)) < 1000


def test_a_body_that_never_comes_is_not_waited_for(program):
    server = program()
    address = httpx.URL(server.link)
    with socket.create_connection((address.host, address.port)) as one:
        token = server.client.headers["Authorization"]
        one.sendall(
            f"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Clauseboard: 1\r\n"
            f"Authorization: {token}\r\nContent-Length: 100\r\n\r\n{{".encode()
        )
        one.settimeout(PATIENCE)
        answer = b""
        while more := one.recv(1000):
            answer += more
    assert answer.startswith(b"HTTP/1.1 408")
    # It is closed with the answer, and not only when a next request would be late, too.
    assert b"connection: close" in answer.lower()


def test_garbage_fills_no_log(program):
    server = program()
    address = httpx.URL(server.link)
    for _ in range(50):
        with socket.create_connection((address.host, address.port)) as one:
            one.sendall(b"\x16\x03\x01 garbage\r\n\r\n")
            one.recv(100)
    assert len("".join(server.lines)) < 1000
