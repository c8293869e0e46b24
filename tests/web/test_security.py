"""Who may ask what: names, tokens, origins, sizes, rates, and the headers of every answer."""

from __future__ import annotations

import contextlib
import os
import socket
import threading

import httpx
import pytest
import uvicorn
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from web_doubles import ADDRESS, HEADERS, PATIENCE, client_of

from clauseboard.web import security
from clauseboard.web import server as serving
from clauseboard.web.game_service import open_store
from clauseboard.web.security import RateLimiter, SecurityMiddleware
from clauseboard.web.server import address_of, create_app
from clauseboard.web.settings import Settings, kept_token

WISH = {"game": "hex", "settings": {"size": 3}, "opponent": "person"}


@pytest.fixture(scope="module")
def open_settings(data_folder):
    """A server that others can reach."""
    return Settings("0.0.0.0", data=data_folder / "open", workers=1, names=("board.example",))


@pytest.fixture(scope="module")
def outside(open_settings):
    """A client of it, without the token."""
    app = create_app(open_settings)
    with TestClient(app, base_url="http://192.0.2.7:8765", headers=HEADERS) as client:
        yield client


# ---- names


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8765", "localhost", "LOCALHOST:9", "[::1]:8765", "127.0.0.2"]
)
def test_names_of_this_machine(client, host):
    assert client.get("/api/about", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8765", "", "a@127.0.0.1",
     "127.0.0.1/x", "192.0.2.7", "[::1", "0.0.0.0", "127.0.0.1\\.evil.example"],
)  # fmt: skip
def test_names_that_another_site_may_have_pointed_here(client, host):
    answer = client.get("/api/about", headers={"host": host})
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith("This server has another name")


@given(st.text(st.characters(codec="latin-1", exclude_categories=["Cc"]), max_size=40))
def test_no_name_is_too_odd(host):
    guard = SecurityMiddleware(None, Settings(workers=1))
    assert guard.is_our_name(host) in (True, False)


@pytest.mark.parametrize("host", ["192.0.2.7", "board.example:8765", "BOARD.example", "localhost"])
def test_names_of_a_server_for_others(outside, host):
    assert outside.get("/api/about", headers={"host": host}).status_code == 401
    assert outside.get("/api/about", headers={"host": "evil.example"}).status_code == 400


# ---- tokens


def test_without_a_token_nothing_is_told(outside):
    for path in ("/api/about", "/", "/api/openapi.json", "/api/games"):
        answer = outside.get(path)
        assert answer.status_code == 401
        assert "token" in answer.json()["detail"]
    assert outside.post("/api/games", json=WISH).status_code == 401
    assert outside.get("/api/about?token=wrong").status_code == 401
    assert outside.get("/api/about?token=").status_code == 401
    cookie = {"cookie": "clauseboard-8765=wrong"}
    assert outside.get("/api/about", headers=cookie).status_code == 401
    broken = {"cookie": 'clauseboard-8765="\\'}
    assert outside.get("/api/about", headers=broken).status_code == 401


def test_the_token_once_and_then_a_cookie(open_settings, outside):
    token = open_settings.token
    answer = outside.get(f"/?game=hex&token={token}", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/?game=hex"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    pair = {"cookie": cookie.partition(";")[0]}
    outside.cookies.clear()
    assert outside.get("/api/about").status_code == 401
    assert outside.get("/api/about", headers=pair).status_code == 200
    bearer = {"authorization": f"Bearer {token}"}
    assert outside.get("/api/about", headers=bearer).status_code == 200
    assert outside.post("/api/games", json=WISH, headers=bearer).status_code == 201
    outside.cookies.clear()


def test_the_token_of_the_browsers_command_line_serves_once(tmp_path):
    settings = Settings(data=tmp_path, workers=1, once="read-by-others")
    with client_of(settings) as client:
        client.headers["authorization"] = ""
        for headers in ({"authorization": "Bearer read-by-others"}, {"cookie": "read-by-others"}):
            assert client.get("/api/about", headers=headers).status_code == 401
        first = client.get("/?token=read-by-others", follow_redirects=False)
        assert (first.status_code, first.headers["location"]) == (303, "/")
        assert client.get("/api/about").status_code == 200  # by its cookie
        client.cookies.clear()
        assert client.get("/?token=read-by-others", follow_redirects=False).status_code == 401
        assert client.get("/?token=", follow_redirects=False).status_code == 401


def test_the_token_leads_to_no_other_site(open_settings, outside):
    answer = outside.get(f"//evil.example/?token={open_settings.token}", follow_redirects=False)
    assert answer.headers["location"].startswith("/")
    assert not answer.headers["location"].startswith("//")
    outside.cookies.clear()


def test_everyone_needs_a_token():
    for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0"):
        one, two = Settings(host), Settings(host)
        assert one.token != two.token
        assert len(one.token) >= 32
    with pytest.raises(ValueError, match="may not be empty"):
        Settings(token="")
    assert Settings("192.0.2.7", token="mine").token == "mine"
    assert address_of(Settings(port=1234, token="t")) == "http://127.0.0.1:1234/?token=t"
    there = address_of(Settings("::1", port=1, token="t"), "/?game=go")
    assert there == "http://[::1]:1/?game=go&token=t"
    assert address_of(Settings("192.0.2.7", port=1, token="t")) == "http://192.0.2.7:1/?token=t"
    both = address_of(Settings("192.0.2.7", port=1, token="t"), "/?game=go")
    assert both == "http://192.0.2.7:1/?game=go&token=t"


def test_a_server_for_others_is_not_ended_from_the_page(outside, open_settings):
    bearer = {"authorization": f"Bearer {open_settings.token}"}
    assert outside.post("/api/quit", headers=bearer).status_code == 403


def test_other_users_of_this_machine_see_nothing(client):
    for path in ("/", "/api/about", "/api/games", "/api/openapi.json"):
        assert client.get(path, headers={"authorization": ""}).status_code == 401
    answer = client.post("/api/games", json=WISH, headers={"authorization": "Bearer x"})
    assert answer.status_code == 401


def test_the_token_at_an_address_that_is_no_latin(open_settings, outside):
    answer = outside.get(f"/%E2%82%AC?token={open_settings.token}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/%E2%82%AC")
    outside.cookies.clear()


@pytest.mark.skipif(os.name != "posix", reason="there are no such modes there")
@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xfe", b"short", b"two lines\nof it" * 9])
def test_a_token_that_was_not_written_whole_is_made_anew(tmp_path, content):
    (tmp_path / "token").write_bytes(content)
    token = kept_token(tmp_path)
    assert len(token) >= 32
    assert kept_token(tmp_path) == token
    assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name != "posix", reason="there are no such files there")
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_token_that_would_never_end_is_made_anew(tmp_path, kind):
    path = tmp_path / "token"
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    assert kept_token(tmp_path) == path.read_text()


@pytest.mark.skipif(os.name != "posix", reason="there are no such modes there")
def test_the_token_and_the_games_are_for_one_user(tmp_path):
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    token = kept_token(data)
    assert len(token) >= 32
    assert kept_token(data) == token
    open_store(Settings(data=data)).close()
    assert data.stat().st_mode & 0o777 == 0o700
    assert (data / "token").stat().st_mode & 0o777 == 0o600


# ---- origins


@pytest.mark.parametrize(
    "headers",
    [
        {"x-clauseboard": ""},
        {"x-clauseboard": "2"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_changes_come_from_the_page_itself(client, headers):
    answer = client.post("/api/games", json=WISH, headers=headers)
    assert answer.status_code == 403
    assert answer.json() == {"detail": "Only the page itself can make changes."}
    game = client.post("/api/games", json=WISH).json()
    assert client.delete(f"/api/games/{game['id']}", headers=headers).status_code == 403


@pytest.mark.parametrize(
    "headers", [{"origin": ADDRESS}, {"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"}]
)
def test_the_page_itself_may(client, headers):
    assert client.post("/api/games", json=WISH, headers=headers).status_code == 201


def test_no_other_site_is_allowed_to_read(client):
    answer = client.get("/api/about", headers={"origin": "http://evil.example"})
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


# ---- headers


@pytest.mark.parametrize("path", ["/api/about", "/api/games/none", "/nothing", "/"])
def test_every_answer_has_its_headers(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == ("no-store" if path.startswith("/api") else "no-cache")


def test_the_page_is_there_and_nothing_outside_its_folder(client):
    assert client.get("/").status_code == 200
    assert "text/html" in client.get("/").headers["content-type"]
    for path in (
        "/../app.py",
        "/%2e%2e/app.py",
        "/..%2fapp.py",
        "/static/../../app.py",
        "//etc/passwd",
    ):
        assert client.get(path).status_code == 404


# ---- sizes and rates


def test_bodies_have_a_limit(tmp_path):
    with client_of(Settings(data=tmp_path, workers=1, largest_body=1000)) as client:
        body = b'{"game": "hex", "x": "' + b"x" * 1000 + b'"}'
        headers = {"content-type": "application/json"}
        told = client.post("/api/games", content=body, headers=headers)
        assert told.status_code == 413
        assert told.json()["detail"] == "The request is too large for this server."
        # Without a length: it comes in pieces.
        pieces = (body[n : n + 100] for n in range(0, len(body), 100))
        assert client.post("/api/games", content=pieces, headers=headers).status_code == 413
        wrong = {**headers, "content-length": "many"}
        assert client.post("/api/games", content=b"{}", headers=wrong).status_code == 400
        assert client.post("/api/games", json=WISH).status_code == 201


def test_rates_have_a_limit(tmp_path):
    with client_of(Settings(data=tmp_path, workers=1, rate=0.001, burst=5)) as client:
        answers = [client.get("/api/about").status_code for _ in range(8)]
        assert answers == [200] * 5 + [429] * 3


def test_those_without_a_token_do_not_use_up_the_requests_of_those_with_one(tmp_path):
    settings = Settings(data=tmp_path, workers=1, rate=0.001, burst=5)
    with client_of(settings) as client:
        without = {"authorization": "Bearer wrong"}
        answers = [client.get("/api/about", headers=without).status_code for _ in range(20)]
        assert answers == [401] * 5 + [429] * 15
        assert client.get("/api/about").status_code == 200


def test_buckets_fill_again():
    buckets = RateLimiter(rate=2.0, burst=3)
    assert [buckets.take("a", 0.0) for _ in range(4)] == [True, True, True, False]
    assert buckets.take("b", 0.0)
    assert not buckets.take("a", 0.4)
    assert [buckets.take("a", 1.0) for _ in range(2)] == [True, False]
    assert [buckets.take("a", 100.0) for _ in range(4)] == [True, True, True, False]


# ---- connections


@pytest.fixture
def listening(tmp_path, monkeypatch):
    """The port and the token of a server in a thread of this process, for 20 connections."""
    monkeypatch.setattr(security, "MOST_CONNECTIONS", 20)
    settings = Settings(data=tmp_path, workers=1, port=0)
    sock = serving._listen(settings)
    server = uvicorn.Server(serving.server_config(create_app(settings)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
    thread.start()
    try:
        yield sock.getsockname()[1], settings.token
    finally:
        server.should_exit = True
        thread.join()
        sock.close()


def answer(connection):
    """What comes on a connection until it is closed."""
    connection.settimeout(PATIENCE)
    text = b""
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(1000):
            text += part
    return text


def test_half_sent_requests_make_room_for_others(listening):
    port, token = listening
    half = []
    for _ in range(60):
        half.append(socket.create_connection(("127.0.0.1", port)))
        half[-1].sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
    headers = {"authorization": f"Bearer {token}"}
    for _ in range(5):
        address = f"http://127.0.0.1:{port}/api/about"
        assert httpx.get(address, headers=headers, timeout=PATIENCE).status_code == 200
    assert answer(half[0]) == b""  # the oldest were closed
    for connection in half:
        connection.close()


def test_whoever_has_no_token_keeps_no_connection(listening):
    port, _ = listening
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        text = answer(connection)
    assert text.startswith(b"HTTP/1.1 401")
    assert b"connection: close" in text.lower()


def test_a_web_socket_is_a_request_like_others(tmp_path):
    """With a library for them installed, uvicorn would pass them by all bounds and log each."""
    config = serving.server_config(create_app(Settings(data=tmp_path, workers=1)))
    config.load()
    assert config.ws == "none"
    assert config.ws_protocol_class is None
