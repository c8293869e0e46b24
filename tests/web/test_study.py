"""A game that is studied: analysed as a whole, moves tried again, and its record."""

from __future__ import annotations

import re

import pytest
from web_doubles import Seat, client_of

from clauseboard.game import load_game
from clauseboard.web import models
from clauseboard.web.opponents import TWO_PEOPLE
from clauseboard.web.settings import Settings
from clauseboard.web.web_game import WebGame

SGF = (
    "(;GM[11]SZ[4]PB[Ann]PW[Bo]DT[1999-05-01]EV[Cup]RE[B+R]C[A start.]"
    ";B[a1]C[Why the corner?];W[b2](;B[c3];W[a4])(;B[d1];W[d2]))"
)


@pytest.fixture(scope="module")
def client(data_folder):
    with client_of(Settings(data=data_folder / "study", workers=2)) as client:
        yield client


def studied(client, **wish):
    wish = {"settings": {"size": 4}, "opponent": "person", "seconds": 0.05, **wish}
    return Seat(client, **{"game": "hex", "record": SGF, **wish})


def told(answer, status):
    assert answer.status_code == status, answer.text
    return answer.json()["detail"]


def test_a_loaded_game_is_analysed_as_a_whole(client):
    seat = studied(client)
    state = seat.settle(
        lambda state: state["analysis"] and state["analysis"]["done"] == state["ply"] + 1
    )
    assert state["analysis"] == {"done": 5, "of": 5}
    assert all(chance is not None for chance in state["chances"])
    # Both sides are judged: one of four moves near a corner is a mistake, whoever made it.
    assert any(move["mark"] for move in state["moves"])
    for move in state["moves"]:
        if move["mark"]:
            assert move["mark"]["better"] != move["text"]
    why = seat.ask("why", ply=2, about="own", study=True).json()
    assert len(why["candidates"]) >= 3
    visited = [one["visits"] for one in why["candidates"]]
    assert visited == sorted(visited, reverse=True)


def test_an_analysis_can_be_stopped_and_started(client):
    seat = Seat(client, game="hex", settings={"size": 4}, opponent="person", seconds=0.05)
    assert "no move to analyse" in told(seat.ask("analysis"), 409)
    seat.play("a1")
    assert seat.state["analysis"] is None
    assert seat.ask("analysis").json()["analysis"] == {"done": 0, "of": 2}
    stopped = client.delete(f"{seat.url}/analysis").json()["analysis"]
    assert stopped["done"] == stopped["of"]
    assert client.delete(f"{seat.url}/analysis").status_code == 200
    seat.ask("analysis")
    seat.settle(lambda state: state["analysis"] == {"done": 2, "of": 2})


def test_a_game_that_begins_again_is_not_analysed_any_more(client):
    seat = studied(client)
    state = seat.ask("position", text="..../..../..../.... red").json()
    assert state["analysis"] is None
    assert state["record"] is None


@pytest.mark.parametrize("move", ["b3", "c3"])
def test_a_move_is_tried_again(client, move):
    seat = studied(client)
    tried = models.Tried.model_validate(seat.ask("try", ply=2, move=move).json())
    assert (tried.tried.move, tried.played.move, tried.colour) == (move, "c3", "red")
    assert {"cell": move, "piece": "red"}.items() <= {
        key: value for one in tried.pieces if one.cell == move for key, value in one
    }.items()
    gain = tried.tried.chance - tried.played.chance
    assert tried.better == (0 if abs(gain) < 0.005 else 1 if gain > 0 else -1)
    assert tried.text.startswith(move)
    assert seat.client.get(seat.url).json()["ply"] == 4  # the game itself has not changed
    if move == "c3":
        assert "is the move of the game" in tried.text
    assert "no position 9" in told(seat.ask("try", ply=9, move="a1"), 404)
    assert "nothing to compare with" in told(seat.ask("try", ply=4, move="b3"), 409)
    assert "has a red stone" in told(seat.ask("try", ply=2, move="a1"), 422)


def test_the_page_shows_what_a_record_says(client):
    state = models.State.model_validate(studied(client).state)
    assert state.names == {"red": "Ann", "blue": "Bo"}
    assert state.record.headers["EV"] == "Cup"
    assert state.record.headers["DT"] == "1999-05-01"
    assert state.record.comments == {0: "A start.", 1: "Why the corner?"}
    assert state.record.variations == {2: ["(;B[d1];W[d2])"]}
    assert state.outcome.winner == "red"


def test_the_points_that_a_record_notes_are_told(client):
    record = "(;GM[1]SZ[5]KM[6.5]RE[W+3.5];B[cc];W[bc])"
    wish = {"game": "go", "settings": {"size": 5}, "opponent": "person", "record": record}
    answer = client.post("/api/games", json=wish)
    assert answer.status_code == 201, answer.text
    assert answer.json()["outcome"]["text"] == "White wins by 3.5 points."


def test_verdicts_are_comments_of_a_record_if_wanted(client):
    seat = studied(client)
    seat.settle(lambda state: state["analysis"]["done"] == 5)
    plain = client.get(f"{seat.url}/record").text
    assert "RE[B+R]" in plain
    assert "(;B[d1];W[d2])" in plain
    assert "PB[Ann]" in plain
    assert "%" not in plain
    full = client.get(f"{seat.url}/record", params={"verdicts": True}).text
    joined = full.replace("\n", " ")
    assert len(re.findall(r"red \d+ %\.", joined)) == 4
    assert "Why the corner? Playouts: red" in joined
    # Saved once more, nothing is said twice.
    again = studied(client, record=full)
    assert client.get(f"{again.url}/record").text == full


def test_earlier_positions_have_their_legal_moves(client):
    seat = studied(client)
    at = models.BoardAt.model_validate(client.get(f"{seat.url}/at/2").json())
    assert len(at.legal) == 14
    assert "a1" not in {move.text for move in at.legal}


def test_openings_have_names(client):
    seat = Seat(client, game="checkers", settings={}, opponent="person")
    named = []
    for move in ("11-15", "23-19", "8-11", "22-17", "4-8", "17-13"):
        seat.play(move)
        named.append(seat.state["opening"])
    assert named == [None, None, None, None, "Old Fourteenth", "Old Fourteenth"]
    games = {game["name"]: game for game in client.get("/api/about").json()["games"]}
    assert games["checkers"]["openings"]["10-14"] == "Denny"
    assert games["hex"]["openings"] == {}


def test_what_the_tables_know_is_in_the_graph(client):
    seat = Seat(
        client,
        game="checkers",
        settings={},
        opponent="person",
        position={"text": "B:WK1:BK18,K15"},
        seconds=0.05,
    )
    assert "wins in" in seat.state["exact"]
    seat.play()
    seat.ask("analysis")
    state = seat.settle(lambda state: state["analysis"] == {"done": 2, "of": 2})
    assert state["chances"] == [1.0, 1.0]
    assert "wins in" in client.get(f"{seat.url}/at/0").json()["exact"]


def test_a_hint_says_what_it_is_about_first(client):
    position = {"text": "B:W14,22,23,26,27,28,30,31,32:B2,3,4,5,7,8,12,13"}
    seat = Seat(
        client, game="checkers", settings={}, opponent="person", position=position, seconds=0.1
    )
    hint = models.Hint.model_validate(seat.ask("hint", idea=True).json())
    assert re.match(r"Think of [\w ]+(: after the best move, .+)?\.$", hint.idea)
    assert hint.move not in hint.idea
    plain = models.Hint.model_validate(seat.ask("hint").json())
    assert (plain.idea, plain.idea_cells) == ("", [])
    assert plain.move == hint.move


def test_the_last_move_of_a_game_that_was_given_up_is_no_mistake():
    game = WebGame("x", load_game("hex", size=4), TWO_PEOPLE, "red")
    game.play("a1")
    game.note_chance(1, game.position, 0.6)
    game.resign()
    assert game.state().chances == [None, 0.4]


def test_where_the_tables_know_the_end_a_hint_says_it_first(client):
    position = {"text": "B:WK1:BK18,K15"}
    seat = Seat(client, game="checkers", settings={}, opponent="person", position=position)
    hint = seat.ask("hint", idea=True).json()
    assert re.match(r"Black wins in \d+ moves\.", hint["idea"])
