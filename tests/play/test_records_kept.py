"""A record that is loaded and saved again says what it said: names, dates, comments, variations."""

from __future__ import annotations

import dataclasses
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauseboard.game import load_game
from clauseboard.games.plugins import RECORDS
from clauseboard.games.records import RecordNotes
from clauseboard.play import GameSession, read_text

GAMES = {
    "checkers": load_game("checkers"),
    "go": load_game("go", size=5, komi=6.5),
    "hex": load_game("hex", size=4, swap=True),
}
HEADERS = {
    "checkers": ["Event", "Site", "Date", "Round", "Annotator", "BlackElo"],
    "go": ["EV", "PC", "DT", "RO", "BR", "GC", "SO", "XX"],
    "hex": ["EV", "PC", "DT", "RO", "BR", "GC", "SO", "XX"],
}
VARIATIONS = {
    "checkers": ["9-14 22-17", "12-16!? {why not} 24-20"],
    "go": ["(;C[a \\] b]W[aa];B[bb])", "(;B[ab](;W[cc])(;LB[aa:1]W[dd]))"],
    "hex": ["(;C[Better.]W[a1])", "(;B[b2];W[c3])"],
}
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)
"""Words without white space, which files may fold."""
LINES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
SGF = ("go", "hex")


def played(game, draws):
    session = GameSession(game, two_people=True)
    for _ in range(draws.randint(1, 8)):
        if session.outcome is None:
            session.play_move(draws.choice(session.position.moves()))
    if session.outcome is not None:
        session.undo()
    return session


def saved_again(text, game):
    """What a session that loads a record and is itself kept as JSON writes."""
    session = GameSession(game, two_people=True)
    session.take_over(read_text(text, game))
    kept = json.loads(json.dumps(session.saved()))
    again = GameSession(session.game, two_people=True)
    again.resume(kept)
    assert again.record("x") == session.record("x")
    return session.record("x")


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
def test_a_record_keeps_what_it_says(name, data):
    game, draws = GAMES[name], random.Random(data.draw(st.integers(0, 1000)))
    session = played(game, draws)
    plies = st.integers(0, session.ply)
    names = {c: data.draw(LINES, label="name") for c in game.colours}
    headers = data.draw(st.dictionaries(st.sampled_from(HEADERS[name]), LINES))
    comments = data.draw(st.dictionaries(plies, LINES))
    earlier = st.integers(0, session.ply - 1)
    variations = data.draw(st.dictionaries(earlier, st.sampled_from(VARIATIONS[name])))
    notes = RecordNotes(
        headers,
        tuple(sorted(comments.items())),
        tuple(sorted(variations.items())),
        properties=((0, "TR[aa][bb]"),) if name in SGF else (),
    )
    text = RECORDS.of(game).write_game(
        game, session.moves, None, names, "Cup", 3, session.positions[0], notes
    )
    read = read_text(text, game)
    assert read.moves == session.moves
    assert read.players == names
    assert read.notes.headers.items() >= headers.items()
    assert dataclasses.replace(read.notes, headers=headers) == notes
    again = saved_again(text, game)
    reread = read_text(again, game)
    assert (reread.notes, reread.players) == (read.notes, read.players)
    assert (reread.moves, reread.outcome) == (read.moves, read.outcome)
    assert saved_again(again, game) == again


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("(;GM[1]SZ[9]KM[6.5]RE[W+R]PB[Ann]PW[Bo]DT[1999-05-01];B[ee];W[cc])", "RE[W+R]"),
        ("(;GM[1]SZ[9]KM[6.5]RE[B+3.5]PB[Ann];B[ee];W[cc])", "RE[B+3.5]"),
        ("(;GM[1]SZ[9]KM[6.5]RE[W+];B[ee];W[cc])", "RE[W+]"),
        ("(;GM[1]SZ[9]RE[Void];B[ee];W[cc])", "RE[Void]"),
        ("(;GM[1]SZ[9]KM[6.5]PB[Ann]DT[1999-05-01];B[ee]C[Good];W[cc])", "PB[Ann]"),
        ("(;GM[1]SZ[9]KM[6.5]DT[1999-05-01];B[ee]C[Good];W[cc])", "DT[1999-05-01]"),
        ("(;GM[1]SZ[9]KM[6.5];B[ee]C[Good];W[cc]BL[12])", "BL[12]"),
        ("(;GM[11]SZ[4]RE[B+R];B[a1];W[b2])", "RE[B+R]"),
        ('[Black "Ann"]\n[Date "1999"]\n1. 11-15 {Sharp} 23-19 (22-17) 8-11 1-0', "{Sharp}"),
        ('[Black "Ann"]\n[Date "1999"]\n1. 11-15 23-19 (22-17 8-11) 8-11 0-1', "(22-17 8-11)"),
        ('[Black "Ann"]\n[Date "1999"]\n1. 11-15 23-19 8-11 1/2-1/2', '[Date "1999"]'),
    ],
)
def test_what_used_to_be_lost(text, kept):
    name = "checkers" if "11-15" in text else "go" if "GM[1]" in text else "hex"
    again = saved_again(text, load_game(name))
    assert kept in again
    assert "Clauseboard" not in again
    assert "load_game" not in again or name == "checkers"


def test_the_game_that_is_played_on_has_another_result():
    session = GameSession(load_game("go", size=9), two_people=True)
    session.take_over(read_text("(;GM[1]SZ[9]RE[W+R]PB[Ann];B[ee];W[cc]C[So.])", session.game))
    session.undo()
    assert "RE[" not in session.record("x")  # only the resignation was taken back
    assert "So." in session.record("x")
    session.undo()
    session.play("A1")
    written = session.record("x")
    assert "W+R" not in written
    assert "So." not in written
    assert "PB[Ann]" in written


def test_an_ordinary_game_names_no_rules():
    for game in (load_game("go", size=9, komi=6.5), load_game("hex", size=11, swap=True)):
        session = GameSession(game, two_people=True)
        session.play_move(session.position.moves()[3])
        assert "load_game" not in session.record("x")
        assert "EV[Clauseboard]" in session.record("x")
        assert read_text(session.record("x"), game).game == game
    odd = load_game("go", size=5, superko=True)
    session = GameSession(odd, two_people=True)
    session.play("C3")
    assert "RULES[load_game('go', size=5" in session.record("x")
    assert read_text(session.record("x"), odd).game == odd


def test_dead_stones_count_in_a_record():
    game = load_game("go", size=3, komi=0.5)
    session = GameSession(game, two_people=True)
    for move in ("B2", "A1", "C2", "pass", "pass"):
        session.play(move)
    assert "RE[B+" in session.record("x")
    session.set_dead(["A1"])
    assert "RE[B+8.5]" in session.record("x")


def test_a_loaded_game_that_is_resumed_tells_its_end_in_the_same_words():
    session = GameSession(load_game("go", size=5))
    session.take_over(read_text("(;GM[1]SZ[5]KM[6.5]RE[W+3.5];B[cc];W[bc])", session.game))
    saved = json.loads(json.dumps(session.saved()))
    resumed = GameSession(session.game)
    resumed.resume(saved)
    assert str(session.outcome) == str(resumed.outcome) == "white wins by 3.5 points"
    # Earlier versions saved two or three parts of it.
    for n_parts in (2, 3):
        resumed.resume(saved | {"given_up": saved["given_up"][:n_parts]})
        assert resumed.outcome.reason == "by 3.5 points"
