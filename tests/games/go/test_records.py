"""Whole games as SGF."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import Ending, IllegalMoveError, Outcome, UnreadableError, load_game
from clauseboard.games.go import PASS, GoMove
from clauseboard.games.go.board import names
from clauseboard.games.go.records import GoRecord, read_sgf, result_text, write_sgf

# The beginning of a game as TsetlinGo's archive of 9x9 games has them, with a comment a move.
ARCHIVED = """(;GM[1]SZ[9]KM[7.0]RE[W+4]RU[Chinese]
;B[gd]C[ 0.020, 1]
;W[ff]C[ 0.020, 1]
;B[dg]C[ 1.000, 1]
;W[ed]C[-0.000, 1])"""


def cells(record):
    position = record.start
    return " ".join(position.write_move(move) for move in record.moves)


def test_a_game_is_read():
    record = read_sgf(ARCHIVED)
    assert record.game == load_game("go", size=9, komi=7.0)
    assert record.start == record.game.start()
    assert cells(record) == "G6 F4 D3 E6"
    assert record.outcome == Outcome("white", "by 4 points", Ending.SCORE)
    assert record.texts == {"RU": "Chinese"}
    assert read_sgf(ARCHIVED.encode()) == record


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ("B+3.5", Outcome("black", "by 3.5 points", Ending.SCORE)),
        ("W+R", Outcome("white", "by resignation", Ending.RESIGNATION)),
        ("w+Resign", Outcome("white", "by resignation", Ending.RESIGNATION)),
        ("B+T", Outcome("black", "by time", Ending.TIME)),
        ("B+Forfeit", Outcome("black", "by forfeit", Ending.FORFEIT)),
        ("B+", Outcome("black", "noted without a reason")),
        ("0", Outcome(None, "noted as 0", Ending.SCORE)),
        ("Draw", Outcome(None, "noted as Draw", Ending.SCORE)),
        ("Void", None),
        ("?", None),
        ("", None),
    ],
)
def test_results(result, outcome):
    noted = f"RE[{result}]" if result else ""
    record = read_sgf(f"(;SZ[5]{noted};B[aa])")
    assert record.result == result
    assert record.outcome == outcome
    assert read_sgf(write_sgf(record)) == record


def test_passes_are_written_in_two_ways():
    record = read_sgf("(;SZ[9];B[ee];W[tt];B[])")
    assert record.moves == (GoMove(40), PASS, PASS)
    # On a 19x19 board, tt is off the board, and so a pass as well.
    assert read_sgf("(;SZ[19];B[tt])").moves == (PASS,)
    assert ";W[tt];B[tt]" in write_sgf(record)


def test_passes_after_the_end_are_left_out():
    assert read_sgf("(;SZ[9];B[ee];W[];B[];W[];B[])").moves == (GoMove(40), PASS, PASS)
    with pytest.raises(
        IllegalMoveError, match="illegal move: move 4, A9 by white: the game is over"
    ):
        read_sgf("(;SZ[9];B[ee];W[];B[];W[aa])")


def test_the_main_line_is_the_first_branch():
    record = read_sgf("(;SZ[9];B[ee](;W[aa];B[bb](;W[cc])(;W[dd]))(;W[ii]))")
    assert cells(record) == "E5 A9 B8 C7"


def test_komi_is_nothing_where_it_is_not_noted():
    assert read_sgf("(;SZ[9];B[ee])").game.points_for_white == 0
    assert read_sgf("(;SZ[9]KM[6.5];B[ee])").game.points_for_white == 6.5
    assert read_sgf("(;SZ[9]KM[-3];B[ee])").game.points_for_white == -3
    assert read_sgf("(;KM[0];B[dd])").game.size == 19


def test_handicap_stones_on_the_usual_points_are_a_handicap():
    game = load_game("go", size=9, handicap=3, komi=0.5)
    record = GoRecord(game.start(), (GoMove(40),), "B+R", {"PB": "Ann"})
    text = write_sgf(record)
    assert "HA[3]" in text
    assert "PL[" not in text
    read = read_sgf(text)
    assert read == record
    assert read.game.handicap == 3
    assert read.start.to_move == "white"


def test_other_stones_are_set_up():
    record = read_sgf("(;SZ[9]HA[2]KM[0.5]AB[aa][bb];W[ee])")
    assert record.game.handicap == 0
    assert record.start.board.count(1) == 2
    assert record.start.to_move == "white"
    assert read_sgf(write_sgf(record)) == record
    both = read_sgf("(;SZ[9]AB[aa:ac]AW[ii]PL[W])")
    assert (both.start.board.count(1), both.start.board.count(2)) == (3, 1)
    assert both.start.to_move == "white"
    assert read_sgf(write_sgf(both)) == both


def test_a_handicap_that_is_not_the_usual_one_is_kept_as_noted():
    record = read_sgf("(;SZ[9]HA[2]KM[0.5]AB[aa][bb];W[ee])")
    assert record.texts == {"HA": "2"}
    assert "HA[2]" in write_sgf(record)
    assert read_sgf(write_sgf(record)) == record
    # One stone is no handicap, but that black has no komi to give is called so.
    assert "HA[1]" in write_sgf(read_sgf("(;SZ[9]HA[1])"))
    with pytest.raises(ValueError, match="HA is a number of stones, not 'two'"):
        write_sgf(GoRecord(record.start, (), "", {"HA": "two"}))


@pytest.mark.parametrize(
    "parameters", [{}, {"handicap": 3}, {"komi": 1 / 3}, {"komi": 7}, {"komi": -1e-7}, {"size": 19}]
)
def test_games_by_any_komi_come_back_as_they_were(parameters):
    record = GoRecord(load_game("go", **parameters).start(), (GoMove(40),))
    read = read_sgf(write_sgf(record))
    assert read == record
    assert hash(read.game) == hash(record.game)
    assert read.game.points_for_white == record.game.points_for_white


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("(;SZ[9])", "black"),
        ("(;SZ[9]PL[W])", "white"),
        ("(;SZ[9];W[ee])", "white"),
        ("(;SZ[9]HA[2]AB[cg][gc])", "white"),
        ("(;SZ[9]HA[2]AB[cg][gc]PL[B])", "black"),
        ("(;SZ[9]HA[1])", "black"),
    ],
)
def test_who_begins(text, side):
    record = read_sgf(text)
    assert record.start.to_move == side
    assert read_sgf(write_sgf(record)).start == record.start


def test_texts_are_utf_8_or_latin_1():
    for encoding in ("utf-8", "latin-1"):
        record = read_sgf("(;SZ[9]PB[Åse]PW[Jürgen];B[ee])".encode(encoding))
        assert record.texts == {"PB": "Åse", "PW": "Jürgen"}
    assert read_sgf(b"\xef\xbb\xbf(;SZ[9];B[ee])").moves == (GoMove(40),)
    # What the text says of its own encoding is not believed.
    assert read_sgf("(;CA[no-such-code]SZ[9]PB[古力])".encode()).texts == {"PB": "古力"}


def test_texts_with_brackets_come_back():
    record = GoRecord(load_game("go", komi=7.0).start(), (), "", {"C": "a ] b \\ c [d", "GN": "x"})
    assert read_sgf(write_sgf(record)) == record
    with pytest.raises(ValueError, match=r"texts are AN, .*, not 'FF'"):
        write_sgf(GoRecord(record.start, (), "", {"FF": "4"}))


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", UnreadableError, "not SGF: no SGF data found"),
        ("hello", UnreadableError, "not SGF: no SGF data found"),
        ("(;SZ[9];B[ee]", UnreadableError, "not SGF: unexpected end"),
        ("(;SZ[9];B[ee]C[open)", UnreadableError, "not SGF: unexpected end"),
        ("(;SZ[x];B[ee])", UnreadableError, "not SGF: bad SZ property"),
        ("(;SZ[9:7];B[ee])", UnreadableError, "not SGF: bad SZ property"),
        ("(;SZ[99];B[ee])", UnreadableError, "not SGF: size out of range"),
        ("(;SZ[1];B[aa])", UnreadableError, "board size: SZ is 2 to 19, not 1"),
        ("(;SZ[25];B[aa])", UnreadableError, "board size: SZ is 2 to 19, not 25"),
        ("(;GM[2]SZ[9])", UnreadableError, "another game: GM is 1 for Go, not '2'"),
        ("(;SZ[9]KM[six];B[ee])", UnreadableError, "property: KM"),
        ("(;SZ[9]KM[1e999];B[ee])", UnreadableError, "property: KM"),
        ("(;SZ[9]HA[many])", UnreadableError, "property: KM, HA"),
        ("(;SZ[9]AB[zz])", UnreadableError, "property: KM, HA, AB"),
        ("(;SZ[9]PL[green])", UnreadableError, "property: .* PL"),
        ("(;SZ[9]RE[B+1][W+1])", UnreadableError, "property: RE of the root: multiple values"),
        ("(;SZ[9]AB[aa]AW[aa])", UnreadableError, "setup: a point of the root is set up twice"),
        ("(;SZ[9]AB[aa]AW[ab][ba])", UnreadableError, "setup: the stone at A9 has no liberty"),
        ("(;SZ[9];B[ee];AW[aa];B[bb])", UnreadableError, "setup later: .* before move 2"),
        ("(;SZ[9];B[ee]W[aa])", UnreadableError, "two moves at once: .* move 1"),
        (
            "(;SZ[3];B[bb];W[zz])",
            UnreadableError,
            r"no point: move 2, W\[zz\], is no point of a 3x3 board\. The position is "
            r"'\.\.\./\.b\./\.\.\. white moves=1'",
        ),
        ("(;SZ[9];B[ee];W[e])", UnreadableError, "no point: move 2"),
        (
            "(;SZ[3];B[bb];B[aa])",
            IllegalMoveError,
            r"out of turn: move 2, B\[aa\], is black's, but white is to move\. The position is "
            r"'\.\.\./\.b\./\.\.\. white moves=1'",
        ),
        ("(;SZ[9];B[ee];W[ee];W[zz])", IllegalMoveError, "illegal move: move 2"),
        ("(;SZ[9]HA[2];W[ee])", UnreadableError, r"handicap: HA\[2\] has no stones in AB"),
        ("(;SZ[9];B[ee];W[ee])", IllegalMoveError, "illegal move: move 2, E5 by white: there is a"),
        (
            "(;SZ[9];B[ab];W[ii];B[ba];W[aa])",
            IllegalMoveError,
            "illegal move: move 4, A9 by white: it would be suicide",
        ),
    ],
)
def test_broken_games_say_what_is_wrong(text, kind, message):
    for data in (text, text.encode()):
        with pytest.raises(kind, match=message):
            read_sgf(data)


def test_the_options_are_those_of_the_rules():
    suicide = "(;SZ[9];B[ab];W[ii];B[ba];W[aa])"
    assert len(read_sgf(suicide, suicide=True).moves) == 4
    points = {name: point for point, name in enumerate(names(2))}
    moves = [points[cell] for cell in ("A2", "B2", "A1", "B1", "A2", "A1", "A2")]
    repeat = GoRecord(load_game("go", size=2, komi=0.0).start(), tuple(map(GoMove, moves)))
    assert read_sgf(write_sgf(repeat)) == repeat
    with pytest.raises(IllegalMoveError, match="move 7, A2 by black: it would repeat"):
        read_sgf(write_sgf(repeat), superko=True)


@settings(max_examples=30)
@given(st.integers(2, 9), st.integers(0, 10**6), st.booleans(), st.booleans())
def test_random_games_come_back_as_they_were(size, seed, superko, suicide):
    rng = random.Random(seed)
    game = load_game(
        "go", size=size, komi=rng.randrange(-9, 9) / 2, superko=superko, suicide=suicide
    )
    position, moves = game.start(), []
    while position.outcome() is None and len(moves) < 60:
        moves.append(rng.choice(position.moves()))
        position = position.play(moves[-1])
    record = GoRecord(game.start(), tuple(moves), result_text(position), {"PW": "Bo"})
    read = read_sgf(write_sgf(record), superko=superko, suicide=suicide)
    assert read == record
    positions = list(read.positions())
    assert positions[-1] == position
    expected = [np.frombuffer(position.board, np.uint8) for position in positions]
    assert np.array_equal(read.boards(), np.stack(expected))
    if position.outcome() is not None:
        assert read.outcome.winner == position.outcome().winner


@pytest.mark.parametrize("length", range(len(ARCHIVED)))
def test_a_text_that_is_cut_off_is_refused(length):
    with pytest.raises(UnreadableError, match="not SGF: "):
        read_sgf(ARCHIVED[:length])


@settings(max_examples=500)
@given(st.data())
def test_a_damaged_text_is_read_or_refused(data):
    text = bytearray(ARCHIVED.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place] = data.draw(st.sampled_from(b"()[];\\:BWAEa0z.\xff\n"))
    try:
        record = read_sgf(bytes(text))
    except (UnreadableError, IllegalMoveError) as error:
        reason = str(error)
    else:
        reason = f"kept: {len(record.moves)}"
    assert reason.partition(":")[0] in {
        "kept",
        "not SGF",
        "another game",
        "board size",
        "property",
        "setup",
        "setup later",
        "two moves at once",
        "handicap",
        "no point",
        "out of turn",
        "illegal move",
    }
