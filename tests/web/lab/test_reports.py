"""Tournaments and reports in a folder: what is listed, what is shown, and what never is."""

from __future__ import annotations

import os
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from web_doubles import client_of

from clauseboard.arena.match import Match, round_robin, run_matches, standings
from clauseboard.arena.playing import MatchStore
from clauseboard.arena.reporting import tournament_tables
from clauseboard.game import load_game
from clauseboard.web.lab import reports, routes
from clauseboard.web.lab.reports import (
    LARGEST_PICTURES,
    ReportFile,
    ReportFolder,
    markdown_page,
    tournament,
)
from clauseboard.web.settings import Settings

PLAYERS = ("random", "rollouts:simulations=5,rollouts=1")
SCRIPT = "<script>alert(1)</script>"
MARKDOWN = f"""# A table & more

Some *text* with `code <b>` and **bold**,
on two lines. {SCRIPT}

| row | ours \\| theirs |
|---|---:|
| one | 12.5 |

- first
  goes on
- second [words](http://elsewhere.example/)

```
a < b
```

![curve](curve.png) ![secret](../secret.png) ![none](missing.png)
"""


@pytest.fixture(scope="module")
def played():
    game = load_game("hex", size=3)
    plan = Match(game, ("", ""), n_games=4)
    other = Match(load_game("hex", size=2), ("random", "random"), n_games=2)
    return [*round_robin(plan, PLAYERS), other]


@pytest.fixture(scope="module")
def results(played, folder):
    with MatchStore(folder / "games.sqlite") as store:
        return run_matches(played, store=store)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    above = tmp_path_factory.mktemp("above")
    (above / "secret.md").write_text("secret")
    (above / "secret.png").write_bytes(b"secret")
    folder = above / "folder"
    deep = folder / "a" / "b" / "c" / "d" / "e"
    deep.mkdir(parents=True)
    (folder / "a" / "report.md").write_text(MARKDOWN)
    (folder / "a" / "curve.png").write_bytes(b"PNG")
    (folder / "page.html").write_text(f"<h1>Page</h1>{SCRIPT}")
    (folder / "notes.txt").write_text("not a report")
    (deep / "deep.md").write_text("too deep")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "x.md").write_text("hidden")
    (folder / "link.md").symlink_to(above / "secret.md")
    with sqlite3.connect(folder / "other.sqlite") as other:
        other.execute("CREATE TABLE t (x)")
    return folder


@pytest.fixture(scope="module")
def client(tmp_path_factory, folder, results):
    settings = Settings(data=tmp_path_factory.mktemp("data"), workers=1, folder=folder)
    with client_of(settings) as client:
        yield client


def listed(client, kind):
    return {one["title"]: one["id"] for one in client.get(f"/api/{kind}").json()}


def test_what_is_listed(client):
    assert set(listed(client, "reports")) == {"a/report.md", "page.html"}
    assert set(listed(client, "tournaments")) == {"games.sqlite"}


def test_reports_are_shown_without_scripts(client):
    ids = listed(client, "reports")
    for id in ids.values():
        answer = client.get(f"/api/reports/{id}")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("sandbox; default-src 'none'")
        assert "script-src" not in policy
        assert "frame-ancestors 'self'" in policy
    assert SCRIPT in client.get(f"/api/reports/{ids['page.html']}").text  # as it is, but powerless


def test_markdown(client):
    text = client.get(f"/api/reports/{listed(client, 'reports')['a/report.md']}").text
    for part in (
        "<h2>A table &amp; more</h2>",
        "<code>code &lt;b&gt;</code> and <strong>bold</strong>,\non two lines.",
        "&lt;script&gt;",
        '<th>row</th>\n<th style="text-align:right">ours | theirs</th>',
        '<tr>\n<td>one</td>\n<td style="text-align:right">12.5</td>\n</tr>',
        "<li>first\ngoes on</li>\n<li>second words</li>",
        "<pre><code>a &lt; b\n</code></pre>",
        '<img alt="curve" src="data:image/png;base64,UE5H">',
        "<i>secret</i>",
        "<i>none</i>",
    ):
        assert part in text, part
    assert "<script" not in text
    assert "c2VjcmV0" not in text  # the secret, as base64 would have it
    assert "elsewhere.example" not in text


@pytest.mark.parametrize(
    "text", ["", "\n\n", "|", "| a |", "```\nopen", "# ", "- ", "![](", "[x]("]
)
def test_odd_markdown(tmp_path, text):
    entry = ReportFile("id", "title", "report", tmp_path / "x.md", 0.0)
    assert "<h1>title</h1>" in markdown_page(text, entry)


def test_a_tournament_has_the_tables_of_the_command(client, played, results):
    page = client.get(f"/api/tournaments/{listed(client, 'tournaments')['games.sqlite']}").json()
    assert page["games"] == sum(len(one.games) for one in results)
    first, second = page["parts"]
    expected = tournament_tables(standings(PLAYERS, results[:1]))
    assert first["tables"] == [
        {"title": one.title, "heads": list(one.heads), "rows": [list(row) for row in one.rows]}
        for one in expected
    ]
    assert (first["title"], second["title"]) == (
        "4 games of hex, size=3",
        "2 games of hex, size=2",
    )
    assert any("connected" in note for note in first["notes"])


def test_what_is_not_there(client):
    for kind in ("reports", "tournaments"):
        for id in ("nothing", listed(client, "tournaments" if kind == "reports" else "reports")):
            name = id if isinstance(id, str) else next(iter(id.values()))
            answer = client.get(f"/api/{kind}/{name}")
            assert answer.status_code == 404
            assert answer.json()["detail"].startswith("There is no such")
        assert client.get(f"/api/{kind}/..%2Fsecret.md").status_code in (404, 422)


def test_without_a_folder(tmp_path):
    assert ReportFolder(None).files("report") == []
    assert ReportFolder(tmp_path / "nowhere").files("report") == []


def test_a_damaged_store_is_told(tmp_path, folder, results):
    there = tmp_path / "shelf"
    there.mkdir()
    content = bytearray((folder / "games.sqlite").read_bytes())
    content[200:] = os.urandom(len(content) - 200)
    (there / "bad.sqlite").write_bytes(content)
    with client_of(Settings(data=tmp_path / "data", workers=1, folder=there)) as client:
        answer = client.get(f"/api/tournaments/{listed(client, 'tournaments')['bad.sqlite']}")
        assert answer.status_code == 503
        assert answer.json()["detail"].startswith("bad.sqlite cannot be shown: ")


def test_most_files(tmp_path, monkeypatch):
    for n in range(5):
        (tmp_path / f"{n}.md").write_text("x")
    assert len(ReportFolder(tmp_path).files("report")) == 5
    monkeypatch.setattr(reports, "MOST_FILES", 3)
    assert len(ReportFolder(tmp_path).files("report")) == 3
    monkeypatch.setattr(reports, "LARGEST_REPORT", 0)
    assert ReportFolder(tmp_path).files("report") == []


@pytest.mark.skipif(sys.platform != "linux", reason="there every name is possible")
def test_a_file_name_that_is_no_unicode(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in (b"caf\xe9.md", b"plain.md"):
        Path(os.fsdecode(os.path.join(os.fsencode(folder), name))).write_text("# Here")
    with client_of(Settings(data=tmp_path / "data", workers=1, folder=folder)) as client:
        ids = listed(client, "reports")
        assert set(ids) == {"caf\ufffd.md", "plain.md"}
        for id in ids.values():
            assert "Here" in client.get(f"/api/reports/{id}").text


def test_a_file_that_cannot_be_opened_hides_no_other(tmp_path, folder, results, monkeypatch):
    for name in ("a.sqlite", "b.sqlite"):
        (tmp_path / name).write_bytes((folder / "games.sqlite").read_bytes())
    opened = Path.open

    def refused(path, *words):
        if path.name == "a.sqlite":
            raise PermissionError
        return opened(path, *words)

    monkeypatch.setattr(Path, "open", refused)
    assert [one.title for one in ReportFolder(tmp_path).files("tournament")] == ["b.sqlite"]


@pytest.mark.skipif(os.name != "posix", reason="there are no such files there")
def test_what_lies_beside_a_tournament_may_be_anything(tmp_path, folder, results):
    (tmp_path / "games.sqlite").write_bytes((folder / "games.sqlite").read_bytes())
    os.mkfifo(tmp_path / "games.json")
    (file,) = ReportFolder(tmp_path).files("tournament")
    assert tournament(file).of is None


def test_the_pictures_of_a_report_have_a_bound_together(tmp_path):
    """Forty kilobytes with a picture of a megabyte, ten thousand times, were 13 gigabytes."""
    (tmp_path / "p.png").write_bytes(bytes(1 << 20))
    entry = ReportFile("id", "title", "report", tmp_path / "x.md", 0.0)
    page = markdown_page("![curve](p.png) " * 30, entry)
    assert page.count("<img") == LARGEST_PICTURES >> 20
    assert page.count("<i>curve</i>") == 30 - page.count("<img")


def test_a_huge_folder_is_not_looked_through(tmp_path, monkeypatch):
    for n in range(20):
        (tmp_path / f"{n:02}.txt").write_text("x")
    (tmp_path / "report.md").write_text("x")
    assert len(ReportFolder(tmp_path).files("report")) == 1
    monkeypatch.setattr(reports, "MOST_LOOKED_AT", 20)
    assert ReportFolder(tmp_path).files("report") == []


def test_a_report_that_takes_too_long_stops_nobody(tmp_path, monkeypatch):
    monkeypatch.setattr(routes, "READING", 2.0)
    (tmp_path / "bad.md").write_text("![" * 300_000)
    with client_of(Settings(data=tmp_path / "data", workers=2, folder=tmp_path)) as client:
        id = listed(client, "reports")["bad.md"]
        with ThreadPoolExecutor(1) as thread:
            asked = thread.submit(client.get, f"/api/reports/{id}")
            while not asked.done():
                assert client.get("/api/about").status_code == 200
            answer = asked.result()
    assert answer.status_code == 503
    assert "There was no answer within 2 seconds" in answer.json()["detail"]
