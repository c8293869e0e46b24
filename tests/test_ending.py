"""How games end, as data: `Ending` beside the sentence, in files of this and of older versions."""

import json

import pytest

from clauseboard.arena.playing import GameRecord
from clauseboard.game import Ending, IllegalMoveError, NotationError, Outcome, load_game


def played(game, *moves):
    position = game.start()
    for move in moves:
        position = position.play(position.read_move(move))
    return position.outcome()


def test_the_endings_of_the_rules():
    checkers = load_game("checkers")
    at = checkers.read_position
    assert at("W:W:B1").outcome().ending is Ending.NO_PIECES
    assert at("W:W12:B3,8").outcome().ending is Ending.BLOCKED
    short = load_game("checkers", max_moves=1)
    assert played(short, "11-15").ending is Ending.MOVE_LIMIT
    dull = load_game("checkers", quiet_moves=1, repetitions=None).read_position("B:WK32:BK1")
    for move in ("1-6", "32-27"):
        dull = dull.play(dull.read_move(move))
    assert dull.outcome().ending is Ending.NO_PROGRESS
    assert played(load_game("go", size=3), "pass", "pass").ending is Ending.SCORE
    assert played(load_game("go", size=3, max_moves=1), "pass").ending is Ending.MOVE_LIMIT
    assert played(load_game("hex", size=1), "a1").ending is Ending.CONNECTED


@pytest.mark.parametrize("ending", Ending)
def test_a_record_keeps_the_ending(ending):
    record = GameRecord(0, ("a", "b"), 1, ("a1",), "red", "some sentence", ending=ending)
    assert GameRecord.read(record.write()) == record
    assert record.outcome == Outcome("red", "some sentence", ending)


@pytest.mark.parametrize(
    ("reason", "ending"),
    [
        ("red gave up", Ending.RESIGNATION),
        ("red failed with ValueError: no", Ending.FAILURE),
        ("red offered an illegal move, a1: why", Ending.ILLEGAL_MOVE),
        ("2000 moves played, and no end", Ending.UNFINISHED),
        ("red connected top and bottom", Ending.UNKNOWN),
    ],
)
def test_a_record_of_an_older_version_is_read(reason, ending):
    page = json.loads(GameRecord(0, ("a", "b"), 1, ("a1",), "red", reason).write())
    del page["ending"]
    record = GameRecord.read(json.dumps(page))
    assert (record.reason, record.ending) == (reason, ending)


def test_errors_say_what_they_are_about():
    position = load_game("hex", size=2).start().play(load_game("hex", size=2).start().moves()[0])
    with pytest.raises(IllegalMoveError) as caught:
        position.read_move("a1")
    assert caught.value.position == "R./.. blue"
    assert caught.value.reason == "'a1' is not legal: a1 has a red stone already."
    assert str(caught.value) == f"{caught.value.reason} The position is 'R./.. blue'."


def test_errors_survive_a_trip_to_another_process():
    import pickle

    error = NotationError("no.", fault="kind", position="here")
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.reason, copy.fault, copy.position) == ("no.", "kind", "here")
