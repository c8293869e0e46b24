"""Whom one can play against: the server's own list."""

from __future__ import annotations

import dataclasses
import json
import os

import pytest
from web_doubles import Seat, client_of

from clauseboard.arena.reporting import played_text
from clauseboard.game import game_names, load_game
from clauseboard.play import GameSession
from clauseboard.player import Choice
from clauseboard.players import read_player
from clauseboard.players.shipped import cards
from clauseboard.web import models
from clauseboard.web.opponents import MISTAKES, NOT_MEASURED, STRENGTHS, Opponent, Opponents
from clauseboard.web.settings import Settings

HEX = load_game("hex", size=4)


@pytest.mark.long
@pytest.mark.parametrize("name", game_names())
def test_everybody_on_the_list_can_be_made(name):
    game = load_game(name, **({"size": 4} if name == "hex" else {}))
    for one in Opponents().of(game):
        if not one.person and "engine" not in one.line:
            read_player(one.line, game).close()


def test_the_player_that_comes_with_the_package_is_the_usual_one():
    for card in cards():
        first = Opponents().of(load_game(card.game, **card.parameters))[0]
        assert (first.id, first.usual, first.readable) == ("shipped", True, True)
        assert first.strength.endswith(played_text(card.measured[0]))
        assert f"{card.n_clauses:,} clauses" in first.about
    assert Opponents().of(load_game("hex", size=3))[0].id == "rollouts"


def test_no_folder_is_listed_again_for_a_game(monkeypatch):
    """A hundred times for each new game: two hundred of them at once were half a second."""
    expected = Opponents().of(HEX)
    for name in ("listdir", "scandir"):
        monkeypatch.setattr(os, name, lambda *_: pytest.fail("A folder was listed."))
    assert Opponents().of(HEX) == expected


def test_on_another_board_the_player_says_where_it_learned():
    first = Opponents().of(load_game("go", size=17))[0]
    assert first.id == "shipped"
    assert first.strength == NOT_MEASURED
    assert "It learned on 9x9, so it is weaker on this board" in first.about
    assert "It learned on" not in Opponents().of(load_game("go"))[0].about


def test_players_without_a_file_tell_what_was_measured():
    measured = json.loads(STRENGTHS.read_text("utf-8"))
    assert set(measured) == set(game_names())
    for name, players in measured.items():
        found = {one.id: one.strength for one in Opponents().of(load_game(name))}
        for player, said in players.items():
            assert " games won" in said
            assert " against " in said
            assert found.get(player, said) == said  # some play on small boards only
        assert found["random"] == "the weakest; others are measured against it"


@pytest.mark.parametrize(
    "game",
    [load_game("checkers"), *(load_game("go", size=n) for n in (9, 13, 19)),
     *(load_game("hex", size=n) for n in (3, 6, 8, 11, 14))],
    ids=repr,
)  # fmt: skip
def test_of_everybody_something_was_measured(game):
    others = [one for one in Opponents().of(game) if not one.level]
    unknown = {one.id for one in others if one.strength == NOT_MEASURED}
    assert unknown <= {"person", "mohex"}  # MoHex is not to be had everywhere


def test_what_a_mistake_costs_is_as_it_was_measured():
    measured = json.loads(MISTAKES.read_text("utf-8"))
    boards = {"checkers": {}, "hex": {"size": 6}}
    assert set(measured) <= set(boards)
    for name, thresholds in measured.items():
        found = {one.id: one.mistake for one in Opponents().of(load_game(name, **boards[name]))}
        assert thresholds.items() <= found.items()
    assert Opponents().get(load_game("go"), "shipped").mistake == Opponent("", "", "").mistake


@pytest.mark.parametrize("name", ["checkers", "hex"])
@pytest.mark.parametrize(
    ("lost", "kind"), [(0.07, None), (0.11, "mistake"), (0.29, "mistake"), (0.31, "blunder")]
)
def test_the_shipped_player_marks_what_costs_ten_points_of_the_chance(name, lost, kind):
    rules = load_game(name)
    game = GameSession(rules, rules.colours[0])
    best, other = game.position.moves()[:2]
    game.play_move(other)
    choice = Choice(best, value=0.2, chance=0.6)
    least = Opponents().get(rules, "shipped").mistake
    game.note_value(0, choice, 2 * (0.6 - lost) - 1, "Clauseboard", least)
    assert [mark.kind for mark in game.mistakes.values()] == ([] if kind is None else [kind])


def test_sources_of_further_opponents():
    found = Opponents()
    kept = Opponent("mine", "My machine", "SavedMachines.", "random", judges=True)
    found.sources.append(lambda game: [kept] if game == HEX else [])
    assert found.get(HEX, "mine") == dataclasses.replace(kept, usual=True)
    with pytest.raises(ValueError, match="There is no opponent 'mine' in this game"):
        found.get(load_game("go"), "mine")


def test_of_two_with_one_id_the_first_counts():
    found = Opponents()
    twin = Opponent("random", "Another", "A twin.", "random")
    found.sources.append(lambda _: [twin])
    listed = found.of(HEX)
    assert [one.title for one in listed if one.id == "random"] == ["Another"]


@pytest.mark.parametrize(
    ("line", "judges", "readable"),
    [
        ("random", False, False),
        ("rollouts", True, False),
        ("solver", True, False),
        ("engine:command=x", False, False),
        ("tsetlin:machine=x.tm", True, True),
    ],
)
def test_what_is_known_of_a_line(line, judges, readable):
    one = Opponents([line]).get(HEX, "own-1")
    assert (one.judges, one.readable, one.strength) == (judges, readable, NOT_MEASURED)
    assert one.hints == line.startswith("engine")


def test_folders_are_not_told(tmp_path):
    path = tmp_path / "my.tm"
    path.touch()
    one = Opponents([f"tsetlin:machine={path},depth=2"]).get(HEX, "own-1")
    assert one.title == "tsetlin:machine=my.tm,depth=2"
    assert str(path) in one.line


def test_a_player_of_patterns_says_why_of_both_sides_moves(client):
    seat = Seat(client, game="go", settings={"size": 9}, opponent="shipped")
    assert seat.state["judge"]["readable"]
    seat.play()
    seat.play()
    for about in ("own", "opponent"):
        why = models.Why.model_validate(seat.ask("why", about=about, study=True).json())
        assert why.line_said == f"The move {why.about.move}."
        assert why.votes_for == why.about.move
        shown = sum(one.votes for one in (*why.for_, *why.against))
        assert why.for_
        assert shown + why.weaker.for_.votes + why.weaker.against.votes == why.votes[0].votes
    beside = models.WhyNot.model_validate(seat.ask("why-not", move="A9", ply=0).json())
    assert beside.yours.move == "A9"
    assert beside.better.move != "A9"
    assert beside.differences


def test_another_program_as_opponent_and_as_judge(tmp_path, engine):
    line = engine("answer = 'b2' if words[0][0] in 'wW' else 'c3'")
    with client_of(Settings(data=tmp_path / "data", workers=1, players=(line,))) as client:
        seat = Seat(client, opponent="own-1", judge="own-1")
        assert not seat.state["judge"]["judges"]
        hint = models.Hint.model_validate(seat.ask("hint").json())
        assert (hint.move, hint.value, hint.candidates) == ("c3", None, [])
        assert " would play c3." in hint.text
        seat.play("a1")
        assert seat.state["moves"][-1]["text"] == "b2"
        why = seat.ask("why", about="own")
        assert why.status_code == 422
        assert "cannot explain it" in why.json()["detail"]


def test_gnu_go_where_it_is_installed():
    import programs

    programs.need("gnugo")
    found = {one.id: one for one in Opponents().of(load_game("go"))}
    rules = "--chinese-rules --capture-all-dead"
    assert found["gnugo-1"].line == f"engine:command='gnugo --mode gtp {rules} --level 1'"
    assert "gnugo-1" not in {one.id for one in Opponents().of(HEX)}


def test_the_opponent_that_adapts_remembers_how_games_ended(tmp_path):
    """A lost game makes the next one easier, also after a restart of the server; others do not."""
    wish = {"game": "checkers", "settings": {}, "opponent": "level-adaptive", "seconds": 0.1}

    def around(seat):
        return seat.state["opponent"]["title"]

    def lost(client, **more):
        seat = Seat(client, **{**wish, **more})
        seat.play()
        seat.ask("resign")
        return seat

    with client_of(Settings(data=tmp_path, workers=1)) as client:
        assert around(Seat(client, **wish)) == "Clauseboard (adapts: medium)"
        lost(client, opponent="level-easy")
        lost(client, position={"text": "B:W32:B1,2"})
        Seat(client, **wish).ask("resign")  # without a move
        game = lost(client)
        assert around(game) == "Clauseboard (adapts: medium)"
        assert around(Seat(client, **wish)) == "Clauseboard (adapts: casual)"
        hexes = {**wish, "game": "hex", "settings": {"size": 11}}
        assert around(Seat(client, **hexes)) == "Clauseboard (adapts: medium)"
    with client_of(Settings(data=tmp_path, workers=1)) as client:
        assert around(Seat(client, **wish)) == "Clauseboard (adapts: casual)"
        lost(client)
        assert around(Seat(client, **wish)) == "Clauseboard (adapts: easy)"
        game.client = client
        game.wait()
        assert around(game) == "Clauseboard (adapts: medium)"  # that game, as it was
