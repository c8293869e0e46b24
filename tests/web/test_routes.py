"""Every request and every way it can fail, by a client in this process."""

from __future__ import annotations

import random
import re
import time

import pytest
from web_doubles import PATIENCE, Seat, client_of

from clauseboard.game import game_names, load_game
from clauseboard.games.plugins import PAGE
from clauseboard.web import models
from clauseboard.web.settings import Settings

SMALL = {"checkers": {}, "go": {"size": 5}, "hex": {"size": 4}}
NO_GAME = "/api/games/AAAAAAAAAAAA"


def told(answer, status):
    """The sentence of an error."""
    assert answer.status_code == status, answer.text
    sentence = models.Problem.model_validate(answer.json()).detail
    assert sentence.endswith(".")
    assert "Traceback" not in sentence
    return sentence


# ---- what there is


def test_about(client):
    about = models.About.model_validate(client.get("/api/about").json())
    assert [game.name for game in about.games] == list(game_names())
    assert about.usual_seconds in about.seconds
    assert not about.quit  # there is no program around it
    for game in about.games:
        for setting in game.settings:
            values = [choice.value for choice in setting.choices]
            assert (setting.default in values) == (setting.kind == "choice")


@pytest.mark.parametrize("game", SMALL)
def test_opponents(client, game):
    answer = client.get("/api/opponents", params={"game": game, **SMALL[game]})
    found = [models.OpponentLine.model_validate(one) for one in answer.json()]
    assert found[0].usual
    assert sum(one.usual for one in found) == 1
    assert len({one.id for one in found}) == len(found)
    assert {"random", "person"} <= {one.id for one in found}
    assert [one.id for one in found if one.person] == ["person"]
    assert all(one.judges or not one.readable for one in found)
    assert all(one.title and one.about and one.strength for one in found)


def test_opponents_are_those_of_the_game(client):
    names = {
        game: {one["id"] for one in client.get("/api/opponents", params={"game": game}).json()}
        for game in SMALL
    }
    assert "material" in names["checkers"]
    assert "material" not in names["hex"]
    large = client.get("/api/opponents", params={"game": "hex", "size": 14}).json()
    assert "solver" not in {one["id"] for one in large}


@pytest.mark.parametrize("what", ["opponents", "board"])
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"game": "chess"}, "There is no game 'chess' on this page"),
        ({"game": "hex", "size": "40"}, "must be an integer from 1 to 19"),
        ({"game": "hex", "size": "__import__('os')"}, "must be an integer from 1 to 19"),
        ({"game": "hex", "width": "4"}, "hex has no parameter 'width'"),
        ({"game": "hex", "name": "go"}, "hex has no parameter 'name'"),
        ({"game": "../../etc/passwd"}, "There is no game"),
        ({}, "game: Field required"),
        ({"game": "x" * 200}, "game: String should have at most 100"),
    ],
)
def test_games_that_are_none(client, what, query, said):
    assert said in told(client.get(f"/api/{what}", params=query), 422)


@pytest.mark.parametrize("game", SMALL)
def test_board(client, game):
    answer = client.get("/api/board", params={"game": game, **SMALL[game]})
    board = models.BoardShape.model_validate(answer.json())
    assert board.background.startswith("<svg")
    rules = load_game(game, **SMALL[game])
    assert len(board.cells) == len(PAGE.of(rules).cells(rules))


# ---- playing


@pytest.mark.parametrize("game", SMALL)
@pytest.mark.parametrize("colour", ["first", "second"])
def test_a_whole_game(client, game, colour):
    seat = Seat(client, game=game, settings=SMALL[game], colour=colour)
    draw = random.Random(0)
    models.State.model_validate(seat.state)
    versions = [seat.state["version"]]
    for _ in range(400):
        if seat.state["outcome"]:
            break
        assert seat.state["your_turn"]
        assert seat.state["people"] == [seat.state["to_move"]]
        texts = [move["text"] for move in seat.state["legal"]]
        seat.play("pass" if "pass" in texts and seat.state["ply"] > 30 else draw.choice(texts))
        versions.append(seat.state["version"])
    state = models.State.model_validate(seat.state)
    assert state.outcome is not None
    assert state.text.endswith(f"The game is over: {state.outcome.text[0].lower()}"
                               f"{state.outcome.text[1:]}")  # fmt: skip
    assert (state.legal, state.to_move, state.your_turn) == ([], None, False)
    assert versions == sorted(set(versions))
    # The same by the rules themselves.
    position = load_game(game, **SMALL[game]).start()
    for move in state.moves:
        assert move.colour == position.to_move
        position = position.play(position.read_move(move.text))
    assert {on.cell: on.piece for on in state.pieces} == PAGE.of(game).pieces_on(position)
    assert state.position == position.game.write_position(position)
    assert bool(state.winning) == (game == "hex")
    winners = {on.cell for on in state.pieces if on.piece == state.outcome.winner}
    assert set(state.winning) <= winners
    assert "The game is over" in told(seat.ask("moves", move="a1"), 409)
    assert "The game is over" in told(seat.ask("hint"), 409)
    assert "over already" in told(seat.ask("resign"), 409)


def test_legal_moves_are_those_of_the_rules(seat):
    seat = seat(game="checkers", settings={}, opponent="person")
    legal = seat.state["legal"]
    assert {"text": "11-15", "path": ["11", "15"], "kind": "move"} in legal
    assert len(legal) == 7
    assert seat.play("11-15")["last"] == ["11", "15"]
    (move,) = seat.state["moves"]
    assert move == {"text": "11-15", "colour": "black", "ply": 0, "path": ["11", "15"],
                    "mark": None, "best": False}  # fmt: skip


@pytest.mark.parametrize(
    ("game", "settings", "move", "said"),
    [
        ("checkers", {}, "11-20", "'11-20' is not legal: the black man on 11 may play 11-15"),
        ("checkers", {}, "nonsense", "'nonsense' is not a move"),
        ("go", {"size": 5}, "Z9", "is not a move"),
        ("hex", {"size": 4}, "e9", "'e9'"),
        ("hex", {"size": 4}, "swap", "swap"),
        ("hex", {"size": 4}, "", "is not a Hex move"),
    ],
)
def test_an_invalid_move_says_why_and_breaks_nothing(seat, game, settings, move, said):
    seat = seat(game=game, settings=settings)
    before = seat.state
    assert said in told(seat.ask("moves", move=move, version=before["version"]), 422)
    assert seat.wait() == before
    seat.play()


def test_a_move_for_an_earlier_board(seat):
    seat = seat(opponent="person")
    old = seat.state["version"]
    seat.play("a1")
    assert "has moved on" in told(seat.ask("moves", move="b1", version=old), 409)
    assert seat.ask("moves", move="b1").status_code == 200
    assert "has moved on" in told(seat.ask("undo", version=old), 409)


def test_a_pass_and_a_swap_are_buttons(seat):
    go = seat(game="go", settings={"size": 5}, opponent="person")
    assert go.state["legal"][-1] == {"text": "pass", "path": [], "kind": "pass"}
    hexes = seat(settings={"size": 4, "swap": True}, opponent="person")
    hexes.play("b1")
    assert {"text": "swap", "path": [], "kind": "swap"} in hexes.state["legal"]
    hexes.play("swap")
    assert hexes.state["last"] == ["a2"]
    assert [piece["piece"] for piece in hexes.state["pieces"]] == ["blue"]


def test_jumps_step_by_step(seat):
    board = {"text": "B:W18,26,27:B14,1"}
    seat = seat(game="checkers", settings={}, opponent="person", position=board)
    assert [move["path"] for move in seat.state["legal"]] == [
        ["14", "23", "30"],
        ["14", "23", "32"],
    ]
    seat.play(seat.state["legal"][0]["text"])
    assert seat.state["last"] == ["14", "23", "30"]


@pytest.mark.parametrize("colour", ["black", "white", "first", "second", "random"])
def test_colours(seat, colour):
    state = seat(game="checkers", settings={}, colour=colour).state
    wanted = {"first": ["black"], "second": ["white"], "random": [*"bw"]}.get(colour, [colour])
    assert any(state["people"][0].startswith(one) for one in wanted)
    assert state["ply"] == (1 if state["people"] == ["white"] else 0)


def test_undo(seat):
    seat = seat(colour="second")
    assert not seat.state["can_undo"]
    assert "no move of yours" in told(seat.ask("undo"), 409)
    start = seat.state
    seat.play()
    assert (seat.state["ply"], seat.state["can_undo"]) == (3, True)
    taken = seat.ask("undo", version=seat.state["version"]).json()
    for field in ("ply", "pieces", "legal", "moves", "last", "position"):
        assert taken[field] == start[field]
    assert taken["version"] > seat.state["version"]


def test_resign_and_take_it_back(seat):
    seat = seat()
    state = seat.ask("resign").json()
    assert state["outcome"] == {
        "winner": "blue", "reason": "red gave up", "text": "Blue wins: red gave up."
    }  # fmt: skip
    state = seat.ask("undo").json()
    assert state["outcome"] is None
    assert state["your_turn"]


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"game": "hex", "settings": {"size": 99}}, "must be an integer from 1 to 19"),
        ({"game": "hex", "settings": {"size": None}}, "must be an integer from 1 to 19"),
        ({"game": "hex", "opponent": "material"}, "There is no opponent 'material' in this game"),
        ({"game": "hex", "opponent": "tsetlin:machine=/etc/passwd"}, "There is no opponent"),
        ({"game": "hex", "judge": "nobody"}, "There is no opponent 'nobody'"),
        ({"game": "hex", "judge": "person"}, "A person cannot be the judge"),
        ({"game": "hex", "colour": "green"}, "colour is one of red, blue, first"),
        ({"game": "hex", "seconds": 0}, "seconds: Input should be greater than 0"),
        ({"game": "hex", "seconds": 1e9}, "seconds: Input should be less than"),
        ({"game": "hex", "clock": {"minutes": 0}}, "clock.minutes: Input should be greater"),
        ({"game": "hex", "position": {"text": "R/R"}}, "'R/R'"),
        ({"game": "hex", "position": {}}, "A position needs a text"),
        ({"game": "hex", "record": "x"}, "has no game that can be replayed"),
        ({"game": "hex", "record": " "}, "The record is empty"),
        ({"game": "hex", "file": "/etc/passwd"}, "file: Extra inputs are not permitted"),
        ({"settings": {}}, "game: Field required"),
    ],
)
def test_games_that_cannot_be_begun(client, wish, said):
    assert said in told(client.post("/api/games", json=wish), 422)


def test_a_body_that_is_no_json(client):
    answer = client.post("/api/games", content=b"{", headers={"content-type": "application/json"})
    assert "JSON" in told(answer, 422)


CHANGES = [
    "moves",
    "undo",
    "resign",
    "retry",
    "hint",
    "dead",
    "position",
    "record",
    "why",
    "why-not",
]


@pytest.mark.parametrize("what", CHANGES)
def test_a_game_that_is_not_there(client, what):
    bodies = {"moves": {"move": "a1"}, "dead": {"cells": []}, "record": {"text": "x"},
              "why-not": {"move": "a1"}}  # fmt: skip
    answer = client.post(f"{NO_GAME}/{what}", json=bodies.get(what, {}))
    assert told(answer, 404) == "There is no such game."
    assert "Method" in told(client.put(f"{NO_GAME}/{what}", json={}), 405)


@pytest.mark.parametrize("what", ["", "/record", "/at/0", "/events"])
def test_a_game_that_is_not_there_to_read(client, what):
    assert told(client.get(f"{NO_GAME}{what}"), 404) == "There is no such game."
    assert told(client.delete(NO_GAME), 404) == "There is no such game."


def test_ids_cannot_be_guessed_nor_be_paths(client, seat):
    ids = {seat().state["id"] for _ in range(5)}
    assert len(ids) == 5
    assert all(len(id) == 12 for id in ids)
    for id in ("..", "%2e%2e", "a.b", "a" * 65, "a%2Fb"):
        assert client.get(f"/api/games/{id}").status_code in (404, 422)


def test_the_list_and_deleting(client, seat):
    one, two = seat(), seat(game="go", settings={"size": 5})
    one.play()
    found = [models.Summary.model_validate(each) for each in client.get("/api/games").json()]
    assert [each.id for each in found[:2]] == [one.state["id"], two.state["id"]]
    assert (found[0].ply, found[0].opponent, found[0].title) == (2, "Random mover", "Hex")
    assert found[0].changed == pytest.approx(time.time(), abs=300)
    assert client.delete(one.url).status_code == 204
    assert client.get(one.url).status_code == 404
    assert one.state["id"] not in {each["id"] for each in client.get("/api/games").json()}


def test_earlier_boards(client, seat):
    seat = seat()
    empty = client.get(f"{seat.url}/at/0").json()
    seat.play()
    seat.play()
    assert models.BoardAt.model_validate(client.get(f"{seat.url}/at/0").json()).pieces == []
    assert client.get(f"{seat.url}/at/0").json() == empty
    for ply in range(5):
        board = client.get(f"{seat.url}/at/{ply}").json()
        assert len(board["pieces"]) == ply
        assert board["ply"] == ply
    assert board["pieces"] == seat.state["pieces"]
    assert board["last"] == seat.state["last"]
    assert "no position 5" in told(client.get(f"{seat.url}/at/5"), 404)
    assert client.get(f"{seat.url}/at/-1").status_code == 422


# ---- setting up, records


@pytest.mark.parametrize("game", SMALL)
def test_set_up_and_play_on(client, game):
    seat = Seat(client, game=game, settings=SMALL[game], opponent="person")
    for _ in range(3):
        seat.play()
    pieces = [{"cell": on["cell"], "piece": on["piece"]} for on in seat.state["pieces"]]
    side = seat.state["to_move"]
    again = seat.ask("position", pieces=pieces, to_move=side).json()
    assert (again["ply"], again["moves"], again["to_move"]) == (0, [], side)
    assert again["pieces"] == seat.state["pieces"]
    assert again["start"] is not None
    text = seat.ask("position", text=again["position"]).json()
    assert text["pieces"] == again["pieces"]
    seat.wait()
    seat.play()
    assert seat.ask("position", text="nonsense").status_code == 422
    assert seat.wait()["ply"] == 1
    record = client.get(f"{seat.url}/record")
    if game == "hex":
        assert "not with one set up" in told(record, 409)
    else:
        loaded = seat.ask("record", text=record.text).json()
        assert rules_of(loaded) == rules_of(seat.state)
        for field in ("ply", "pieces", "to_move", "start"):
            assert loaded[field] == seat.state[field]


def rules_of(state):
    """The rules, however they were given: komi may be the usual one, or the same number."""
    return load_game(state["game"], **state["settings"])


@pytest.mark.parametrize("game", SMALL)
def test_a_record_is_read_back(client, game):
    seat = Seat(client, game=game, settings=SMALL[game])
    for _ in range(3):
        seat.play()
    answer = client.get(f"{seat.url}/record")
    assert answer.status_code == 200
    suffix = {"checkers": "pdn"}.get(game, "sgf")
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["content-disposition"] == f'attachment; filename="{game}.{suffix}"'
    other = Seat(client, game=game, settings=SMALL[game])
    loaded = other.ask("record", text=answer.text)
    assert loaded.status_code == 200, loaded.text
    assert rules_of(loaded.json()) == rules_of(seat.state)
    for field in ("pieces", "position", "ply", "to_move"):
        assert loaded.json()[field] == seat.state[field]
    new = client.post(
        "/api/games", json={"game": game, "record": answer.text, "opponent": "person"}
    )
    assert new.status_code == 201
    assert rules_of(new.json()) == rules_of(seat.state)
    assert [m["text"] for m in new.json()["moves"]] == [m["text"] for m in seat.state["moves"]]


def test_a_record_of_another_size_changes_the_board(client, seat):
    small, large = seat(settings={"size": 3}), seat(settings={"size": 5})
    large.play()
    record = client.get(f"{large.url}/record").text
    state = small.ask("record", text=record).json()
    assert state["settings"]["size"] == 5


def test_a_record_that_an_opponent_cannot_follow(client, seat):
    solved, large = seat(settings={"size": 3}, opponent="solver"), seat(settings={"size": 14})
    large.play()
    record = client.get(f"{large.url}/record").text
    before = solved.state
    assert "no opponent 'solver'" in told(solved.ask("record", text=record), 422)
    assert solved.wait() == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("1. 11-15 99-98", "no game that can be replayed"),
        ("1. 11-15\n{never", "no game that can be replayed: a comment not closed (line 2)."),
        ('[Event "x"]\n*', "no game that can be replayed: no moves (line 1)."),
        ('[Event "x"]\n1. 11-20 *', "no game that can be replayed"),
        ("\x00\ud83d" * 10, "no game"),
        ("(" * 5000, "no game"),
        ("x" * 300_000, "text: String should have at most 200000"),
    ],
)
def test_records_that_are_none(seat, text, said):
    seat = seat(game="checkers", settings={})
    body = {"text": text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")}
    assert said in told(seat.ask("record", **body), 422)


def test_a_record_as_long_as_a_war(seat):
    seat = seat(game="checkers", settings={})
    fen = '[FEN "B:WK32:BK1"]\n[SetUp "1"]\n'
    record = fen + 600 * "1. 1-5 32-28 5-1 28-32 "
    assert "2000 is the most" in told(seat.ask("record", text=record), 422)


# ---- Go's count


def test_dead_stones(client):
    board = ".b.../bb.../...../...ww/...w. black"
    seat = Seat(client, game="go", settings={"size": 5, "komi": 0.5}, opponent="person",
                position={"text": board})  # fmt: skip
    assert seat.state["score"] is None
    assert "when the game is over" in told(seat.ask("dead", cells=["D2"]), 409)
    seat.play("pass")
    seat.play("pass")
    assert seat.state["outcome"]["winner"] in ("black", "white")
    models.State.model_validate(seat.state)
    state = seat.ask("dead", cells=["D2"]).json()
    assert state["score"]["dead"] == ["D2", "E2", "D1"]
    assert state["score"]["winner"] == state["outcome"]["winner"] == "black"
    assert state["score"]["totals"] == {"black": 25.0, "white": 0.5}
    assert not state["score"]["suggested"]
    assert "3 dead stones taken off" in state["outcome"]["text"]
    assert re.match(r"(Black|White) wins by [\d.]+ points?: two passes, ", state["outcome"]["text"])
    state = seat.ask("dead", cells=[]).json()
    assert state["outcome"]["winner"] == "white"
    assert "no stone at 'C3'" in told(seat.ask("dead", cells=["C3"]), 422)
    assert seat.ask("undo").json()["score"] is None


def test_who_says_that_no_stone_is_dead_is_believed(client):
    """The program's suggestion comes once, and never after a person's answer."""
    board = ".b.w./bb.w./.b.w./.b.w./.b.wb black"
    seat = Seat(client, game="go", settings={"size": 5, "komi": 0.5}, opponent="person",
                position={"text": board})  # fmt: skip
    seat.play("pass")
    seat.play("pass")

    def score():
        return client.get(f"/api/games/{seat.state['id']}").json()["score"]

    ends = time.monotonic() + PATIENCE
    while not score()["dead"] and time.monotonic() < ends:
        time.sleep(0.05)
    assert score()["dead"] == ["E1"]
    assert score()["suggested"]
    assert seat.ask("dead", cells=[]).json()["score"]["dead"] == []
    for _ in range(40):
        assert score()["dead"] == []
        time.sleep(0.05)


def test_dead_stones_in_a_game_that_has_none(seat):
    assert "when the game is over" in told(seat().ask("dead", cells=["a1"]), 409)


# ---- clocks


def test_clocks(client):
    seat = Seat(client, opponent="person", clock={"minutes": 5, "increment": 2})
    clocks = models.Clocks.model_validate(seat.state["clocks"])
    assert clocks.running == "red"
    assert 290 < clocks.remaining["red"] <= 300
    assert clocks.remaining["blue"] == 300
    state = seat.play()
    assert state["clocks"]["running"] == "blue"
    assert 295 < state["clocks"]["remaining"]["red"] <= 302
    assert seat.ask("resign").json()["clocks"]["running"] is None
    assert Seat(client).state["clocks"] is None


def test_time_that_is_up(client):
    seat = Seat(client, opponent="person", clock={"minutes": 0.002})
    state = seat.settle(lambda state: state["outcome"] is not None)
    assert state["outcome"]["text"] == "Blue wins: red's time is up."
    assert "The game is over" in told(seat.ask("moves", move="a1"), 409)


# ---- getting ready


def test_a_game_waits_for_its_opponent_to_be_ready(tmp_path):
    settings = Settings(data=tmp_path, workers=2, players=("random",))
    with client_of(settings) as client:
        ready = client.get("/api/opponents", params={"game": "hex", "size": 4}).json()[0]["id"]
        seats = [Seat(client, opponent=ready), Seat(client, colour="second")]
        for seat in seats:
            seat.play()
            assert seat.state["error"] is None
        games = client.app.state.games
        assert [job.result.done() for job in games._preparations.values()] == [True]


# ---- the program


def test_quit_is_for_programs_on_this_machine(client, tmp_path):
    assert "only be ended where it was started" in told(client.post("/api/quit"), 403)
    asked = []
    with client_of(Settings(data=tmp_path, workers=1), quit=lambda: asked.append(1)) as local:
        assert local.get("/api/about").json()["quit"]
        assert local.post("/api/quit").status_code == 202
    assert asked == [1]


def test_players_given_at_the_start(tmp_path):
    settings = Settings(data=tmp_path, workers=1, players=("random", "material:depth=2"))
    with client_of(settings) as client:
        found = {one["id"]: one for one in client.get("/api/opponents?game=hex").json()}
        assert "own-1" in found
        assert "own-2" not in found
        Seat(client, opponent="own-1").play()
    wrong = Settings(data=tmp_path, workers=1, players=("a b",))
    with pytest.raises(ValueError, match="not a player"), client_of(wrong):
        pass


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"port": 70000}, "port=70000"), ({"workers": 0}, "workers=0"), ({"grace": 0}, "grace=0"),
     ({"rate": -1}, "rate=-1")],
)  # fmt: skip
def test_settings_that_cannot_be(wrong, said):
    with pytest.raises(ValueError, match=said):
        Settings(**wrong)
