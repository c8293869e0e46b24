"""Tournaments that are begun on the page, and reports that are kept there."""

from __future__ import annotations

import time

import pytest
from web_doubles import PATIENCE, client_of

from clauseboard.arena.match import Match, run_matches
from clauseboard.arena.playing import MatchStore
from clauseboard.game import load_game
from clauseboard.web.lab import reports, tournaments
from clauseboard.web.settings import Settings

HEX = {"game": "hex", "settings": {"size": 3}}
QUICK = {**HEX, "players": ["random", "solver", "rollouts"], "games": 2, "seconds": 0.01}
ENDLESS = {**QUICK, "games": 500, "seconds": 10.0}


@pytest.fixture
def client(tmp_path):
    with client_of(Settings(data=tmp_path / "data", workers=1)) as client:
        yield client


def begin(client, wish):
    answer = client.post("/api/tournaments", json=wish)
    assert answer.status_code == 201, answer.text
    return answer.json()


def look(client, id):
    return client.get(f"/api/tournaments/{id}").json()


def settled(client, id):
    ends = time.monotonic() + PATIENCE
    while (found := look(client, id))["running"]:
        assert time.monotonic() < ends
        time.sleep(0.05)
    return found


def test_a_tournament_is_played_watched_and_kept(tmp_path):
    settings = Settings(data=tmp_path / "data", workers=1)
    with client_of(settings) as client:
        begun = begin(client, QUICK)
        assert (begun["running"], begun["of"], begun["own"]) == (True, 6, True)
        found = settled(client, begun["id"])
        assert (found["games"], found["text"]) == (6, "6 games.")
        (part,) = found["parts"]
        names = sorted(row[0].partition(" ")[2] for row in part["tables"][0]["rows"])
        assert names == ["Playouts", "Random mover", "Solver"]
        (listed,) = client.get("/api/tournaments").json()
        assert (listed["id"], listed["title"]) == (begun["id"], begun["title"])
        second = begin(client, QUICK)
        assert second["title"] != begun["title"]
    with client_of(settings) as client:  # the other one was ended with its server
        assert look(client, begun["id"]) == found
        assert not look(client, second["id"])["running"]
        assert client.delete(f"/api/tournaments/{begun['id']}").status_code == 204
        assert client.get(f"/api/tournaments/{begun['id']}").status_code == 404
        assert client.delete(f"/api/tournaments/{second['id']}").status_code == 204
        assert list((tmp_path / "data" / "tournaments").iterdir()) == []


def test_one_tournament_at_a_time_which_can_be_stopped(client):
    id = begin(client, ENDLESS)["id"]
    answer = client.post("/api/tournaments", json=QUICK)
    assert (answer.status_code, "stop it first" in answer.json()["detail"]) == (409, True)
    assert client.delete(f"/api/tournaments/{id}").status_code == 409
    stopped = client.post(f"/api/tournaments/{id}/stop", json={})
    assert (stopped.status_code, stopped.json()["running"]) == (200, False)
    runner = client.app.state.lab.tournaments
    while not runner.last.over:
        time.sleep(0.01)
    assert client.post(f"/api/tournaments/{id}/stop", json={}).status_code == 409
    assert " of 1,500 games." in look(client, id)["text"]
    begin(client, QUICK)


def test_games_are_counted_as_soon_as_they_are_over(client, tmp_path):
    """While games are played, SQLite has the newest ones in a file beside the tournament's own."""
    rules = load_game("hex", size=3)
    folder = tmp_path / "data" / "tournaments"
    folder.mkdir(parents=True, exist_ok=True)
    counted = []
    MatchStore(folder / "mine.sqlite").close()  # as a tournament begins
    with MatchStore(folder / "mine.sqlite") as store:
        for seed in range(3):
            run_matches([Match(rules, ("random", "random"), 2, seed)], store=store)
            (listed,) = client.get("/api/tournaments").json()
            counted.append(look(client, listed["id"])["games"])
    assert counted == [2, 4, 6]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"players": ["random"]}, "at least 2"),
        ({"players": ["random", "random"]}, "once only"),
        ({"players": ["random", "nobody"]}, "no player 'nobody'"),
        ({"players": ["random", "person"]}, "no player 'person'"),
        ({"seconds": 100}, "less than or equal to 10"),
        ({"game": "chess"}, "chess"),
    ],
)
def test_tournaments_that_are_refused(client, change, words):
    answer = client.post("/api/tournaments", json={**QUICK, **change})
    assert answer.status_code == 422
    assert words in answer.json()["detail"]
    assert client.get("/api/tournaments").json() == []


def test_a_player_that_cannot_be_made_is_told(tmp_path):
    settings = Settings(
        data=tmp_path / "data", workers=1, players=(f"tsetlin:machine={tmp_path / 'no.tm'}",)
    )
    with client_of(settings) as client:
        id = begin(client, {**QUICK, "players": ["random", "own-1"]})["id"]
        assert "It ended early: " in settled(client, id)["text"]
        assert "no.tm" in look(client, id)["text"]


def test_there_is_an_end_to_tournaments_and_reports(client, monkeypatch):
    monkeypatch.setattr(tournaments, "MOST_FILES", 0)
    monkeypatch.setattr(reports, "MOST_FILES", 0)
    answers = [
        client.post("/api/tournaments", json=QUICK),
        client.post("/api/reports", json={"title": "a", "kind": "md", "text": ""}),
    ]
    assert [answer.status_code for answer in answers] == [503, 503]
    assert all("kept already" in answer.json()["detail"] for answer in answers)


@pytest.mark.parametrize("title", ["Results", "../../etc/passwd", "...", "a/b\\c\0d", "É & <b>"])
def test_reports_are_kept_without_a_folder(client, tmp_path, title):
    wish = {"title": title, "kind": "md", "text": "# Hello\n\nwords <script>"}
    first, second = (client.post("/api/reports", json=wish).json() for _ in range(2))
    assert first["own"]
    assert first["id"] != second["id"]
    folder = tmp_path / "data" / "reports"
    assert len(list(folder.iterdir())) == 2
    assert {path.parent for path in tmp_path.rglob("*.md")} == {folder}
    page = client.get(f"/api/reports/{first['id']}")
    assert "Hello</h2>" in page.text
    assert "<script>" not in page.text
    for one in (first, second):
        assert client.delete(f"/api/reports/{one['id']}").status_code == 204
    assert client.get("/api/reports").json() == []


def test_what_is_in_the_folder_is_not_deleted(tmp_path):
    (tmp_path / "shelf").mkdir()
    (tmp_path / "shelf" / "a.md").write_text("x")
    with client_of(
        Settings(data=tmp_path / "data", workers=1, folder=tmp_path / "shelf")
    ) as client:
        (listed,) = client.get("/api/reports").json()
        assert not listed["own"]
        assert client.delete(f"/api/reports/{listed['id']}").status_code == 403
