"""Whole games of Hex: lists of moves, and SGF as several programs write it."""

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import (
    Ending,
    IllegalMoveError,
    NotationError,
    Outcome,
    UnreadableError,
    load_game,
)
from clauseboard.games.hex.records import (
    HexRecord,
    read_moves,
    read_sgf,
    write_moves,
    write_sgf,
)

ILLEGAL = ("illegal move", "moves after the end", "out of turn")
"""Reasons for which there is an `IllegalMoveError`; all others are for an `UnreadableError`."""

MANY = settings(max_examples=150)
RED_WON = Outcome("red", "red connected top and bottom", Ending.CONNECTED)


def last_position(record):
    return list(record.positions())[-1]


# ---- lists of moves


@pytest.mark.parametrize(
    "text", ["a1 b1 a2", "a1b1a2", "A1,B1,A2", "  a1,  b1\ta2\n", "a1 b1 a2 resign"]
)
def test_lists_of_moves(text):
    record = read_moves(load_game("hex", size=2), text)
    assert write_moves(record) == "a1 b1 a2"
    assert record.outcome == RED_WON
    assert len(list(record.positions())) == 4


def test_lists_with_a_swap_and_a_resignation():
    game = load_game("hex", size=5, swap=True)
    for swap in ("swap", "swap-pieces"):
        record = read_moves(game, f"a2 {swap} c3 resign")
        assert write_moves(record) == "a2 swap c3"
        assert record.outcome == Outcome("red", "blue gave up", Ending.RESIGNATION)
    assert write_moves(read_moves(game, "a2swapc3")) == "a2 swap c3"
    assert read_moves(game, "a2 b2").outcome is None


@pytest.mark.parametrize(
    ("text", "reason", "message"),
    [
        ("", "no moves", "no moves: the line is ''"),
        ("resign", "no moves", "the line is 'resign'"),
        ("a1 b9", "unreadable move", "move 2, There is no cell 'b9'"),
        ("a1 hello", "unreadable move", "move 2, 'hello' is not a Hex move"),
        ("a1 a1", "illegal move", "move 2, 'a1' is not legal: a1 has a red stone"),
        ("a1 swap", "illegal move", "move 2, 'swap' is not legal"),
        (
            "a1 b1 a2 b2",
            "moves after the end",
            "red wins.*, but move 4 is 'b2'. The position is 'RB/R. blue'",
        ),
        ("a1 resign b1", "unreadable move", "move 2, 'resign' is not a Hex move"),
    ],
)
def test_lists_that_are_broken_say_why(text, reason, message):
    kind = IllegalMoveError if reason in ILLEGAL else UnreadableError
    with pytest.raises(kind, match=message) as caught:
        read_moves(load_game("hex", size=2), text)
    assert str(caught.value).partition(": ")[0] == reason


# ---- SGF


def test_a_game_in_sgf():
    record = read_sgf(
        "(;FF[4]GM[11]SZ[3]PB[Ada]PW[Grace]RE[B+]EV[Spring \\[1\\]]\n"
        ";B[b2]C[the middle];W[a1];B[b1];W[a2](;B[b3])(;B[a3];W[c3]))"
    )
    assert record.game == load_game("hex", size=3)
    assert write_moves(record) == "b2 a1 b1 a2 b3"
    assert record.outcome == RED_WON
    assert record.players == {"red": "Ada", "blue": "Grace"}
    assert record.notes == {"EV": "Spring [1]"}


def test_the_usual_size_is_eleven_and_letters_are_cells_too():
    record = read_sgf("(;GM[11];B[ab];W[Kk];B[c11])")
    assert record.game.size == 11
    assert write_moves(record) == "a2 k11 c11"
    assert record.outcome is None


@pytest.mark.parametrize("size", ["5", " 5 ", "5:5"])
def test_ways_to_write_a_size(size):
    assert read_sgf(f"(;GM[11]SZ[{size}];B[a1])").game.size == 5


def test_games_of_little_golem():
    """White begins there, but PB and RE[B] are the first player's; moves are letters."""
    record = read_sgf(
        "(;FF[4]EV[hex.in]PB[one]PW[two]SZ[13]RE[W]GC[ game #7]SO[somewhere]"
        ";W[ab];B[swap];W[gg];B[hh];W[resign])"
    )
    assert record.game == load_game("hex", size=13, swap=True)
    assert write_moves(record) == "a2 swap g7 h8"
    assert record.outcome == Outcome("blue", "red gave up", Ending.RESIGNATION)
    assert record.players == {"red": "one", "blue": "two"}


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ("B+R", Outcome("red", "blue gave up", Ending.RESIGNATION)),
        ("w+Resign", Outcome("blue", "red gave up", Ending.RESIGNATION)),
        ("B+T", Outcome("red", "blue ran out of time", Ending.TIME)),
        ("W+Time", Outcome("blue", "red ran out of time", Ending.TIME)),
        ("W", Outcome("blue", "red lost, as the record says")),
        ("B+", Outcome("red", "blue lost, as the record says")),
        ("?", None),
        ("Void", None),
        ("", None),
    ],
)
def test_results(result, outcome):
    assert read_sgf(f"(;GM[11]RE[{result}];B[a1])").outcome == outcome


@pytest.mark.parametrize(
    ("moves", "winner"),
    [(";B[a1];W[resign]", "red"), (";B[a1];B[resign]", "blue"), (";B[a1];W[forfeit]", "red")],
)
def test_whoever_gives_up_has_lost_whoever_is_to_move(moves, winner):
    assert read_sgf(f"(;GM[11]{moves})").outcome.winner == winner


# After swapped sides the stone stays, and the first player goes on with the other colour. The
# same moves with the board reflected are a game with swapped pieces.
SWAPPED_SIDES = [
    # The marks are players: the first one stays B, and RE means the player.
    (";B[a2];W[swap-sides];B[c1];W[b3]", "B+R", "red"),
    # The marks are colours: W goes on, and RE means the colour.
    (";B[a2];W[swap-sides];W[c1];B[b3]", "W+R", "red"),
    (";B[a2];W[swap-sides];W[c1];B[b3]", "B+R", "blue"),
]


@pytest.mark.parametrize(("moves", "result", "winner"), SWAPPED_SIDES)
def test_swapped_sides_become_swapped_pieces(moves, result, winner):
    record = read_sgf(f"(;GM[11]SZ[4]RE[{result}]{moves})")
    assert write_moves(record) == "a2 swap a3 c2"
    assert record.outcome.winner == winner
    # The board as it stood when sides, not pieces, were swapped.
    board = load_game("hex", size=4).read_position("..B./R.../.R../.... blue")
    assert last_position(record).reversed().red == board.red
    assert last_position(record).reversed().blue == board.blue


@pytest.mark.parametrize(
    ("text", "reason", "message"),
    [
        ("", "not SGF", "not SGF: "),
        ("(;GM[11];B[a1]", "not SGF", "not SGF: "),
        ("hello", "not SGF", "no SGF data found"),
        ("(;GM[1];B[aa])", "another game", r"GM\[1\] is not Hex"),
        ("(;GM[11]SZ[20];B[a1])", "size of the board", r"SZ\[20\]: size=20 must be an integer"),
        ("(;GM[11]SZ[11:13];B[a1])", "size of the board", r"SZ\[11:13\] is no size of a square"),
        ("(;GM[11]SZ[x];B[a1])", "size of the board", "is no size"),
        ("(;GM[11])", "no moves", "the main line is empty"),
        ("(;GM[11]AB[a1];B[b1])", "set-up stones", "AB puts stones on the board"),
        ("(;GM[11];B[b1];AE[b1])", "set-up stones", "AE puts stones"),
        ("(;GM[11]PL[W];W[b1])", "blue begins", "blue begins"),
        ("(;GM[11];B[b1];B[b2])", "out of turn", "move 2, 'b2', is by B again. The position is"),
        (
            "(;GM[11];B[b1];W[pass])",
            "unreadable move",
            "move 2, 'pass' is not a Hex move.*The position is '",
        ),
        ("(;GM[11];B[b1];W[b1])", "illegal move", "b1 has a red stone"),
        ("(;GM[11];B[b1];W[b2];B[swap-pieces])", "illegal move", "'swap' is not legal"),
        (
            "(;GM[11];B[a1];W[swap-sides];B[zz])",
            "unreadable move",
            "move 3, There is no cell 'z26'",
        ),
        (
            "(;GM[11];B[b1];W[resign];B[b2])",
            "moves after the end",
            "move 3 is 'b2', but a side has given up. The position is",
        ),
        ("(;GM[11]SZ[1]RE[W+];B[a1])", "contradictory result", r"RE\[W\+\] says blue, but red"),
        ("(;GM[11]RE[B+R];B[a1];B[resign])", "contradictory result", "says red, but blue wins"),
    ],
)
def test_sgf_that_is_broken_says_why(text, reason, message):
    kind = IllegalMoveError if reason in ILLEGAL else UnreadableError
    with pytest.raises(kind, match=message) as caught:
        read_sgf(text)
    assert str(caught.value).partition(": ")[0] == reason


@pytest.mark.parametrize(
    ("rules", "swap"),
    [
        ("swap", True),
        ("Swap rule", True),
        ("with swap, no clock", True),
        ("noswap", False),
        ("No swap rule", False),
        ("no-swap", False),
        ("without the swap", False),
        ("swap: off", False),
        ("simple", False),
    ],
)
def test_rules_may_allow_a_swap_or_forbid_it(rules, swap):
    record = read_sgf(f"(;GM[11]SZ[5]RU[{rules}];B[a1])")
    assert record.game.swap is swap
    assert read_sgf(write_sgf(record)) == record


def test_only_the_first_game_of_a_text_is_read():
    assert write_moves(read_sgf("words (;GM[11];B[a1]) (;B[b2")) == "a1"


def test_comments_keep_their_lines_and_names_do_not():
    record = read_sgf("(;GM[11]C[a\nb]EV[a\nb];B[a1])")
    assert record.notes == {"C": "a\nb", "EV": "a b"}
    assert read_sgf(write_sgf(record)) == record


@pytest.mark.parametrize(
    ("raw", "name"),
    [("Piet Høin".encode(), "Piet Høin"), ("Piet Høin".encode("latin-1"), "Piet Høin")],
)
def test_names_are_utf_8_or_else_latin_1(raw, name):
    assert read_sgf(b"(;GM[11]PB[" + raw + b"];B[a1])").players == {"red": name}


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1)
outcomes = st.sampled_from(["resign", "time", "open"])


@MANY
@given(
    st.integers(1, 19), st.booleans(), st.integers(0, 2**32), st.integers(1, 400), names, outcomes
)
def test_games_are_written_and_read_back(size, swap, seed, length, name, end):
    rng = random.Random(seed)
    game = load_game("hex", size=size, swap=swap)
    position, moves = game.start(), []
    while position.winner is None and len(moves) < length:
        moves.append(rng.choice(position.moves()))
        position = position.play(moves[-1])
    outcome = position.outcome()
    if outcome is None and end != "open":
        how = (
            ("gave up", Ending.RESIGNATION) if end == "resign" else ("ran out of time", Ending.TIME)
        )
        winner = game.other(position.to_move)
        outcome = Outcome(winner, f"{position.to_move} {how[0]}", how[1])
    name = " ".join(name.split())
    players = {"red": name} if name else {}
    record = HexRecord(game, tuple(moves), outcome, players, {"EV": "a ] and a \\"})
    assert read_sgf(write_sgf(record)) == record
    assert read_moves(game, write_moves(record)).moves == record.moves


@MANY
@given(st.text("();[]BWGMSZab12\\ ", max_size=40))
def test_no_text_breaks_the_reader(text):
    for start in ("", "(;GM[11]SZ[2];B[a1]"):
        # Anything else than this error goes through, and the test fails.
        with contextlib.suppress(NotationError):
            assert read_sgf(start + text).moves
