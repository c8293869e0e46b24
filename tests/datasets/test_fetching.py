"""Fetching an archive: from a server on this machine, whatever it sends, and without any."""

import dataclasses
import hashlib
import http.server
import io
import json
import threading
import zipfile

import pytest
from typer.testing import CliRunner

from clauseboard.cli.main import app
from clauseboard.datasets import importing
from clauseboard.datasets.importing import fetch
from clauseboard.files import replaced

GAME = '[Event "A"]\n[Black "x"]\n[White "y"]\n[Result "1-0"]\n1. 11-15 23-19 2. 8-11 22-17 1-0\n\n'
PDN = (GAME * 300).encode()


def zipped(*files):
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files:
            packed.writestr(name, text)
    return raw.getvalue()


class Server(http.server.BaseHTTPRequestHandler):
    """Sends what the test has put into `pages`: status, bytes, and the length it claims."""

    pages: dict = {}  # noqa: RUF012
    asked: list = []  # noqa: RUF012

    def do_GET(self):
        self.asked.append(self.path)
        status, raw, length = self.pages.get(self.path, (404, b"not here", None))
        self.send_response(status)
        if status in (301, 302):
            self.send_header("Location", raw.decode())
            raw = b""
        self.send_header("Content-Length", str(len(raw) if length is None else length))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_):
        pass


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    few = dataclasses.replace(importing.PUBLISHED["oca"], games=300)
    monkeypatch.setitem(importing.PUBLISHED, "oca", few)
    monkeypatch.setattr(Server, "pages", {})
    monkeypatch.setattr(Server, "asked", [])
    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    running.server_close()
    thread.join()


def only(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    "raw",
    [PDN, zipped(("OCA_2.0.pdn", PDN)), zipped(("x/", b""), ("x/OCA.PDN", PDN), ("a.txt", b""))],
)
def test_a_good_archive(server, tmp_path, raw):
    Server.pages["/oca"] = 200, raw, None
    shares = []
    found = fetch("oca", tmp_path / "oca.pdn", address=f"{server}/oca", progress=shares.append)
    assert (tmp_path / "oca.pdn").read_bytes() == PDN
    assert (found.games, found.kept, found.downloaded) == (300, 300, True)
    assert found.sha256 == hashlib.sha256(PDN).hexdigest()
    assert shares[-1] == 1
    assert only(tmp_path) == ["oca.pdn"]
    again = fetch("oca", tmp_path / "oca.pdn", address=f"{server}/oca")
    assert again == dataclasses.replace(found, downloaded=False)
    assert Server.asked == ["/oca"]


def test_a_page_that_has_moved(server, tmp_path):
    Server.pages["/old"] = 302, f"{server}/new".encode(), None
    Server.pages["/new"] = 200, PDN, None
    assert fetch("oca", tmp_path / "oca.pdn", address=f"{server}/old").games == 300


def test_names_in_a_zip_are_not_followed(server, tmp_path):
    Server.pages["/oca"] = 200, zipped(("../../escaped.pdn", PDN)), None
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    fetch("oca", inside / "oca.pdn", address=f"{server}/oca")
    assert only(inside) == ["oca.pdn"]
    assert only(tmp_path) == ["a"]
    assert only(tmp_path / "a") == ["b"]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "has 0 games, and Open Checkers Archive 2.0 has about 300"),
        (b"<html>Not here any more</html>", "games, and Open Checkers Archive"),
        ((GAME * 290).encode(), "has 290 games"),
        ((GAME * 310).encode(), "has 310 games"),
        (bytes(range(256)) * 99, "games, and Open Checkers Archive"),
        (zipped(("a.txt", b"x")), r"has 0 files named \*\.pdn among its 1"),
        (zipped(("a.pdn", PDN), ("b.pdn", PDN)), r"has 2 files named \*\.pdn"),
        (zipped(("a.pdn", PDN))[:-40], "games, and Open"),
        (zipped(("a.pdn", PDN)).replace(b"PK\x03\x04", b"PK\x03\x05"), "cannot be unpacked"),
    ],
)
def test_what_is_not_the_archive(server, tmp_path, raw, said):
    Server.pages["/oca"] = 200, raw, None
    with pytest.raises(ValueError, match=said):
        fetch("oca", tmp_path / "oca.pdn", address=f"{server}/oca")
    assert only(tmp_path) == []


def test_a_zip_that_is_damaged_inside(server, tmp_path):
    raw = bytearray(zipped(("a.pdn", PDN)))
    raw[60] ^= 0xFF
    Server.pages["/oca"] = 200, bytes(raw), None
    with pytest.raises(ValueError, match="zip that cannot be unpacked"):
        fetch("oca", tmp_path / "oca.pdn", address=f"{server}/oca")
    assert only(tmp_path) == []


def test_hashes(server, tmp_path):
    Server.pages["/oca"] = 200, PDN, None
    right = hashlib.sha256(PDN).hexdigest()
    with pytest.raises(ValueError, match=f"has the SHA-256 {right}, not 00"):
        fetch("oca", tmp_path / "oca.pdn", address=f"{server}/oca", sha256="00")
    assert only(tmp_path) == []
    fetch("oca", tmp_path / "oca.pdn", address=f"{server}/oca", sha256=right.upper())
    with pytest.raises(ValueError, match=r"What lies at .*oca\.pdn has the SHA-256"):
        fetch("oca", tmp_path / "oca.pdn", sha256="00")


@pytest.mark.parametrize("page", ["/none", "/cut", "/large"])
def test_what_cannot_be_had_says_what_to_do(server, tmp_path, monkeypatch, page):
    Server.pages["/cut"] = 200, PDN, len(PDN) + 5
    Server.pages["/large"] = 200, PDN, None
    if page == "/large":
        monkeypatch.setattr(importing, "MOST_BYTES", 1000)
    why = {"/none": "404", "/cut": "of .* bytes|IncompleteRead", "/large": "larger than 1,000"}[
        page
    ]
    with pytest.raises(OSError, match=why) as caught:
        fetch("oca", tmp_path / "oca.pdn", address=f"{server}{page}")
    said = str(caught.value)
    assert "Fetch it by hand from https://www.fierz.ch/download.php" in said
    assert f"put OCA_2.0.pdn to {tmp_path / 'oca.pdn'}" in said
    assert only(tmp_path) == []


def test_a_bomb_in_a_zip(server, tmp_path, monkeypatch):
    Server.pages["/oca"] = 200, zipped(("a.pdn", b"\0" * 1_000_000)), None
    monkeypatch.setattr(importing, "MOST_BYTES", 100_000)
    with pytest.raises(ValueError, match="The file in the download is larger than 100,000 bytes"):
        fetch("oca", tmp_path / "oca.pdn", address=f"{server}/oca")
    assert only(tmp_path) == []


def test_no_network(tmp_path, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    done = CliRunner().invoke(
        app,
        [
            "data",
            "fetch",
            "oca",
            "--address",
            "http://127.0.0.1:9/oca",
            "--out",
            str(tmp_path / "o.pdn"),
        ],
    )
    assert done.exit_code != 0
    assert isinstance(done.exception, OSError)
    assert "could not be downloaded" in str(done.exception)
    assert only(tmp_path) == []


@pytest.mark.parametrize("address", ["ftp://a/b", "file:///etc/passwd", "oca.zip"])
def test_addresses_that_are_none(tmp_path, address):
    with pytest.raises(ValueError, match="An address begins with https:// or http://"):
        fetch("oca", tmp_path / "oca.pdn", address=address)
    assert only(tmp_path) == []


def test_wrong_names(tmp_path):
    with pytest.raises(ValueError, match="There is no archive 'aya'; there are 'oca'"):
        fetch("aya")
    with pytest.raises(ValueError, match="there is no folder"):
        fetch("oca", tmp_path / "none" / "oca.pdn")


def test_the_command(server, tmp_path):
    Server.pages["/oca"] = 200, PDN, None
    words = ["data", "fetch", "oca", "--address", f"{server}/oca", "--out", str(tmp_path / "o.pdn")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "Open Checkers Archive 2.0 downloaded: " in done.output
    assert "300 games, of which 300 can be replayed" in done.output
    page = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert page["games"] == 300
    assert not page["downloaded"]


def test_a_file_is_replaced_as_a_whole_or_not_at_all(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def fail():
        with replaced(path) as file:
            file.write(b"ne")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_bytes() == b"old"
    with replaced(path) as file:
        file.write(b"new")
    assert path.read_bytes() == b"new"
    assert only(tmp_path) == ["a"]
