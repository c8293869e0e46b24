"""A session of the protocol, command by command, for each game; and whatever else is sent to it."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.engines import dialect_of, word_for
from clauseboard.engines.server import COMMANDS, GtpSession
from clauseboard.evaluation import Limit
from clauseboard.explaining.writers import brief_text
from clauseboard.explanation import Explanation, Term
from clauseboard.game import game_names, load_game
from clauseboard.games.plugins import GTP
from clauseboard.player import Choice


@pytest.fixture
def session_of(listed):
    def make(name="go", n=0, limit=None, **parameters):
        return GtpSession(load_game(name, **parameters), lambda game: listed(n), limit)

    return make


def ask(session, *lines):
    """The replies to some lines, without the empty line at the end."""
    replies = [session.answer(line) for line in lines]
    assert all(reply.endswith("\n\n") for reply in replies)
    return [reply[:-2].rstrip() for reply in replies]


def said(session, line):
    (reply,) = ask(session, line)
    assert reply.startswith("="), reply
    return reply[1:].strip()


def refused(session, line):
    (reply,) = ask(session, line)
    assert reply.startswith("? "), reply
    return reply[2:]


# ---- what all games share


STANDARD = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "fixed_handicap",
    "place_free_handicap",
    "set_free_handicap",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "final_score",
    "final_status_list",
    "loadsgf",
    "showboard",
]


def test_go_has_all_commands_of_the_standard(session_of):
    session = session_of("go")
    assert set(STANDARD) <= set(said(session, "list_commands").split())


@pytest.mark.parametrize("name", game_names())
def test_every_game_is_played_by_the_protocol(session_of, name):
    session = session_of(name)
    assert said(session, "protocol_version") == "2"
    assert said(session, "name") == "Clauseboard (listed)"
    assert re.fullmatch(r"[0-9.]+", said(session, "version"))
    listed = said(session, "list_commands").split()
    assert listed == sorted({*COMMANDS, *session.dialect.COMMANDS})
    assert all(said(session, f"known_command {command}") == "true" for command in listed)
    assert said(session, "known_command dance") == "false"
    moves = said(session, "all_legal black").split()
    assert moves == [
        session.dialect.write_move(session.position, move) for move in session.game.start().moves()
    ]
    assert said(session, "genmove black") == moves[0]
    assert str(session.position) in session.answer("showboard")
    legal = said(session, "all_legal white").split()
    assert said(session, "genmove white") == legal[0]
    assert said(session, "undo") == ""
    assert said(session, "undo") == ""
    assert session.position == session.game.start()
    assert refused(session, "undo") == "cannot undo"
    assert said(session, "quit") == ""
    assert session.over


@pytest.mark.parametrize("name", game_names())
def test_numbers_are_repeated_and_errors_told(session_of, name):
    session = session_of(name)
    assert session.answer("17 protocol_version\n") == "=17 2\n\n"
    assert session.answer("17 dance\n") == "?17 unknown command\n\n"
    assert session.answer("17\n") == "?17 unknown command\n\n"
    assert session.answer("") == session.answer("# hm\n") == session.answer("\r\n") == ""
    assert refused(session, "play black").startswith("syntax error: it is written 'play colour")
    assert refused(session, "play green a1").startswith("syntax error: 'green' is not a colour")
    assert refused(session, "play black zz99").startswith("syntax error")
    assert refused(session, "name please").startswith("syntax error")
    assert refused(session, "known_command").startswith("syntax error")
    assert refused(session, "genmove").startswith("syntax error")
    assert refused(session, "clear_board now").startswith("syntax error")


@pytest.mark.parametrize("name", game_names())
def test_a_whole_game_ends_with_a_score(session_of, name):
    sizes = {"size": 3} if name != "checkers" else {"max_moves": 300}
    session = session_of(name, n=-1 if name == "go" else 0, **sizes)
    words = ["black", "white"]
    for turn in range(400):
        if session.position.outcome() is not None:
            break
        said(session, f"genmove {words[turn % 2]}")
    assert re.fullmatch(r"0|[BW]\+[0-9.]*", said(session, "final_score"))


def test_the_word_for_a_colour_is_the_first_one():
    words = dialect_of(load_game("hex"))
    assert word_for(words, "red") == "black"
    assert word_for(words, "blue") == "white"


def test_a_game_without_words_cannot_be_played(monkeypatch):
    monkeypatch.setattr(GTP, "find", lambda game: None)
    with pytest.raises(ValueError, match=r"hex cannot be played with other programs"):
        dialect_of(load_game("hex"))


# ---- the player


def test_the_player_is_told_of_games_and_colours(session_of):
    session = session_of("go", size=5)
    ask(session, "genmove b", "genmove w", "genmove b", "clear_board", "genmove w")
    assert [(colour, seed) for _, colour, seed in session.player.begun] == [
        ("black", 1),
        ("white", 1),
        ("white", 2),
    ]


def test_a_player_that_fails_is_an_error_and_no_end(session_of):
    session = session_of("go")
    session.player.fault = RuntimeError("the dog\nate it")
    assert refused(session, "genmove b") == "the dog ate it"
    session.player.fault = KeyError()
    assert refused(session, "genmove b") == "KeyError"
    session.player.fault = None
    assert said(session, "genmove b") == "A9"


def test_a_player_may_resign(session_of):
    session = session_of("go")
    session.player.resigns = True
    assert said(session, "genmove b") == "resign"
    assert session.position == session.game.start()


def test_a_player_gives_up_in_a_game_but_says_what_it_would_play(session_of):
    session = session_of("go")
    session.player.gives_up = True
    assert said(session, "reg_genmove b") == "A9"
    assert said(session, "genmove b") == "resign"
    assert session.position == session.game.start()


def test_a_cleanup_move_is_asked_of_a_player_that_takes_dead_stones(session_of):
    session = session_of("go")
    assert said(session, "kgs-genmove_cleanup b") == "A9"
    assert session.player.resumed == 1


def test_a_regression_move_is_not_played(session_of):
    session = session_of("go")
    assert said(session, "reg_genmove b") == "A9"
    assert session.position == session.game.start()


def test_a_size_that_the_player_has_not_learned_is_refused(listed):
    def make(game):
        if game.size != 9:
            raise ValueError("the machine was taught on 9")
        return listed()

    session = GtpSession(load_game("go", size=9), make)
    ask(session, "play b D4")
    assert refused(session, "boardsize 13") == "unacceptable size: the machine was taught on 9"
    assert session.position.board.count(1) == 1
    assert said(session, "boardsize 9") == ""


def test_another_size_gets_another_player_and_the_old_one_is_closed(session_of):
    session = session_of("go", size=9)
    before = session.player
    said(session, "boardsize 5")
    assert session.player is not before
    assert before.closed == 1


def test_reasons_are_told(session_of):
    session = session_of("go", size=5)
    assert refused(session, "clauseboard-explain") == "listed gives no reasons"
    said(session, "genmove b")
    assert refused(session, "clauseboard-explain") == "listed gives no reasons"
    position = session.position
    explanation = Explanation(
        position,
        0.25,
        "a machine",
        terms=(Term("area", 0.75), Term("komi", -0.25)),
        line=(session.game.start().read_move("A5"),),
    )
    session.asked, session.choice = session.game.start(), Choice(None, explain=lambda: explanation)
    assert said(session, "clauseboard-explain") == "-0.250 for black: a machine"
    session.write_account = brief_text
    assert said(session, "clauseboard-explain").splitlines() == [
        "Black is slightly worse: area.",
        "Black is slightly worse: 38 % (-0.51), judged by a machine",
        "after A5:",
        session.game.write_position(position),
        "-0.77 area: area",
        "+0.26 komi: komi",
    ]


# ---- time


def test_time_becomes_a_limit(session_of):
    session = session_of("go", limit=Limit(seconds=9, depth=3))
    ask(session, "genmove b", "time_settings 0 10 2", "genmove b", "time_left b 4 1", "genmove b")
    ask(session, "time_settings 0 1 0", "genmove b", "time_left w 60 0", "genmove w")
    seconds = [limit.seconds for limit in session.player.limits]
    # The main time is spread over a third of the empty points, which are 75 or 76 here.
    assert seconds == pytest.approx([9, 4.5, 3.6, 9, 0.9 * 60 / 25])
    assert {limit.depth for limit in session.player.limits} == {3}


def test_a_new_game_has_its_time_again(session_of):
    session = session_of("go")
    ask(session, "time_settings 100 0 0", "time_left b 1 0", "clear_board")
    assert session.clocks["black"].left == 100


@pytest.mark.parametrize(
    "line",
    [
        "time_settings 1 2",
        "time_settings a 2 3",
        "time_settings -1 2 3",
        "time_settings nan 2 3",
        "time_settings inf 2 3",
        "time_settings 1 2 0.5",
        "time_left green 1 2",
        "time_left b x 2",
    ],
)
def test_bad_times(session_of, line):
    assert refused(session_of("go"), line).startswith("syntax error")


# ---- Go


def test_colours_may_move_twice_and_after_two_passes(session_of):
    session = session_of("go", size=5)
    ask(session, "play b A1", "play b B1", "play w pass", "play b pass")
    assert session.position.outcome() is not None
    assert said(session, "play w E5") == ""
    assert session.position.board.count(1) == 2
    assert said(session, "genmove b") == "A5"


def test_a_ko_is_forbidden_at_once_and_no_longer_after_a_move_elsewhere(session_of):
    session = session_of("go", size=5)
    stones = ["b B5", "b A4", "b B3", "w C5", "w D4", "w C3", "w B4", "b C4"]
    ask(session, *(f"play {stone}" for stone in stones))
    assert "the ko rule" in refused(session, "play w B4")
    assert refused(session, "play w B4").startswith("illegal move: ")
    assert said(session, "play b E1") == ""
    assert said(session, "play w B4") == ""


@pytest.mark.parametrize("size", [2, 9, 19])
def test_sizes(session_of, size):
    session = session_of("go")
    ask(session, "play b A1")
    assert said(session, f"boardsize {size}") == ""
    assert session.position == load_game("go", size=size).start()


@pytest.mark.parametrize("size", ["1", "20", "x", "-5", "99999999999999"])
def test_bad_sizes(session_of, size):
    session = session_of("go")
    assert refused(session, f"boardsize {size}").startswith("unacceptable size")
    assert session.game.size == 9


@pytest.mark.parametrize("komi", [0.5, -3.0, 7.0])
def test_komi(session_of, komi):
    session = session_of("go", size=3)
    ask(session, "play b B2", f"komi {komi}")
    assert session.position.board.count(1) == 1
    assert {position.game.points_for_white for position in session.positions} == {komi}
    ask(session, "clear_board", "boardsize 5")
    assert session.game.points_for_white == komi


@pytest.mark.parametrize("komi", ["x", "nan", "inf", ""])
def test_bad_komi(session_of, komi):
    assert refused(session_of("go"), f"komi {komi}").startswith("syntax error")


def test_handicaps(session_of):
    session = session_of("go", size=9)
    assert said(session, "fixed_handicap 3") == "C3 G7 C7"
    assert session.position.board.count(1) == 3
    assert session.position.to_move == "white"
    assert session.game.points_for_white == 7
    assert refused(session, "fixed_handicap 2") == "board not empty"
    ask(session, "clear_board")
    assert session.position == session.game.start()
    assert len(said(session, "place_free_handicap 20").split()) == 9
    ask(session, "clear_board")
    assert said(session, "set_free_handicap A1 b2 C3") == ""
    assert [i for i, stone in enumerate(session.position.board) if stone] == [56, 64, 72]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("fixed_handicap 1", "invalid number of stones"),
        ("fixed_handicap 10", "invalid number of stones"),
        ("fixed_handicap x", "syntax error"),
        ("place_free_handicap 1", "invalid number of stones"),
        ("set_free_handicap A1", "bad vertex list"),
        ("set_free_handicap A1 A1", "bad vertex list"),
        ("set_free_handicap A1 pass", "bad vertex list"),
        ("set_free_handicap A1 Z9", "bad vertex list"),
    ],
)
def test_bad_handicaps(session_of, line, why):
    assert refused(session_of("go", size=9), line).startswith(why)


def test_small_boards_have_no_place_for_handicaps(session_of):
    assert "too small" in refused(session_of("go", size=5), "place_free_handicap 2")


def test_dead_stones_are_counted_as_such(session_of):
    session = session_of("go", size=5, komi=0.5)
    walls = [f"play b {c}{r}" for c in "BD" for r in "12345"]
    ask(session, *walls, "play w E1")
    assert said(session, "final_status_list dead") == "E1"
    assert said(session, "final_score") == "B+24.5"
    alive = said(session, "final_status_list alive").splitlines()
    assert sorted(map(len, map(str.split, alive))) == [5, 5]
    assert said(session, "final_status_list seki") == ""
    assert refused(session, "final_status_list odd").startswith("syntax error")


def test_an_even_count_is_nought(session_of):
    session = session_of("go", size=5, komi=0)
    assert said(session, "final_score") == "0"


def test_records_of_go(session_of, tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[9]KM[5.5];B[ee];W[dd];B[ff])")
    session = session_of("go")
    assert said(session, f"loadsgf {path}") == ""
    assert (session.position.moves_played, session.game.points_for_white) == (3, 5.5)
    assert said(session, f"loadsgf {path} 2") == ""
    assert session.position.moves_played == 1
    assert said(session, "undo") == ""
    assert refused(session, f"loadsgf {path} 0").startswith("syntax error")
    assert refused(session, f"loadsgf {tmp_path}/none.sgf").startswith("cannot load file")
    path.write_text("(;GM[1]SZ[9];B[ee];W[ee])")
    assert refused(session, f"loadsgf {path}").startswith("cannot load file: illegal move")


# ---- Hex


def test_hex_as_hexgui_asks_for_it(session_of):
    session = session_of("hex")
    assert said(session, "hexgui-analyze_commands") != ""
    assert said(session, "boardsize 3 3") == ""
    assert said(session, "play black b2") == ""
    assert session.position.red == 1 << 4
    assert said(session, "all_legal_moves") == "a1 b1 c1 a2 c2 a3 b3 c3"
    assert refused(session, "final_score").startswith("cannot score")
    assert said(session, "play white resign") == ""
    ask(session, "play b b1", "play b b3")
    assert said(session, "final_score") == "B+"
    assert refused(session, "genmove white").startswith("the game is over: red wins")
    assert refused(session, "play white a1").startswith("illegal move")


def test_the_swap_in_hex(session_of):
    session = session_of("hex", size=3)
    ask(session, "play black a3")
    assert refused(session, "play white swap-pieces").startswith("illegal move")
    assert said(session, "param_game") == "[bool] allow_swap 0"
    assert said(session, "param_game allow_swap 1") == ""
    assert "swap-pieces" in said(session, "all_legal_moves").split()
    assert said(session, "play white swap-pieces") == ""
    # The stone stays, and white has it to move against: the players have changed colours.
    assert (session.position.red, session.position.blue) == (1 << 6, 0)
    assert session.position.to_move == "blue"
    assert "swap-pieces" not in said(session, "all_legal_moves").split()
    assert refused(session, "play white swap-pieces").startswith("illegal move")
    assert said(session, "genmove white") == "a1"
    assert refused(session, "param_game allow_swap 1").startswith("cannot change allow_swap")
    session.player.n = -1
    ask(session, "clear_board", "play black a1")
    assert said(session, "genmove white") == "swap-pieces"
    for line in ("param_game allow_swap 2", "param_game colour 1", "param_game allow_swap"):
        assert refused(session, line).startswith("syntax error")


@pytest.mark.parametrize("size", ["3 4", "0", "20", "x"])
def test_bad_sizes_of_hex(session_of, size):
    assert refused(session_of("hex"), f"boardsize {size}").startswith("unacceptable size")


def test_clocks_of_hex_can_be_asked(session_of):
    session = session_of("hex")
    assert said(session, "time_left") == "Black: no limit, White: no limit"
    assert said(session, "time_left black 90") == ""
    assert said(session, "time_left black") == "Black: 90 s"
    assert said(session, "time_left") == "Black: 90 s, White: no limit"


def test_records_of_hex(session_of, tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text("(;FF[4]GM[11]SZ[4];B[b2];W[c3])")
    session = session_of("hex")
    assert said(session, f"loadsgf {path}") == ""
    assert session.game.size == 4
    assert session.position.red.bit_count() == session.position.blue.bit_count() == 1
    path.write_text("(;FF[4]GM[11]SZ[4]RU[swap];B[b3];W[swap-pieces];B[d1])")
    assert said(session, f"loadsgf {path}") == ""
    assert said(session, "clauseboard-position") == "..../..../.R../B... red"


# ---- checkers


def test_checkers(session_of):
    session = session_of("checkers")
    assert said(session, "play black 11-15") == ""
    assert "it is white's turn" in refused(session, "play black 8-11")
    assert "it is white's turn" in refused(session, "genmove black")
    ask(session, "play w 22-18")
    assert refused(session, "play b 9-13").startswith("illegal move")
    assert said(session, "genmove b") == "15x22"
    assert refused(session, "final_score").startswith("cannot score")


def test_positions_can_be_told_and_set(session_of):
    session = session_of("checkers")
    assert said(session, "clauseboard-position W:W31:BK14,K23") == ""
    assert said(session, "clauseboard-position") == "W:W31:BK14,K23"
    assert said(session, "genmove w") == "31-26"
    assert "is not a position" in refused(session, "clauseboard-position W:W31:Q1")


@pytest.mark.parametrize(
    ("fen", "score"), [("B:W5:B", "W+"), ("B:W:BK5", "B+"), ("B:WK5:BK1", None)]
)
def test_scores_of_checkers(session_of, fen, score):
    session = session_of("checkers")
    ask(session, f"clauseboard-position {fen}")
    if score is None:
        assert refused(session, "final_score").startswith("cannot score")
    else:
        assert said(session, "final_score") == score


# ---- a stream of lines


def test_a_stream_is_answered_until_quit(session_of):
    session = session_of("go", size=5)
    out = io.StringIO()
    lines = ["1 name\r\n", "\n", "# nothing\n", "dance\n", "2\tplay\tb\tA1\n", "quit\n", "name\n"]
    session.serve(lines, out)
    replies = "=1 Clauseboard (listed)\n\n? unknown command\n\n=2 \n\n= \n\n"
    assert out.getvalue() == replies
    assert session.player.closed == 1


def test_the_end_of_a_stream_ends_the_session(session_of):
    session = session_of("go", size=5)
    session.serve([], io.StringIO())
    assert session.player.closed == 1


OTHERS = (
    "all_legal clauseboard-explain clauseboard-position param_game black white b w pass resign "
    "swap-pieces A1 b2 c3 E5 11-15 22x18 0 1 2 5 9 -1 0.5 nan 1e400 # dead W:W31:BK14 ../.. \0"
)
# Not those that end a session, or read files.
WORDS = st.one_of(
    st.sampled_from([*STANDARD, *OTHERS.split(" ")]),
    st.text(max_size=8),
).filter(lambda word: "loadsgf" not in word and "quit" not in word)


@settings(max_examples=150)
@given(
    name=st.sampled_from(game_names()),
    lines=st.lists(st.lists(WORDS, min_size=1, max_size=5).map(" ".join), max_size=12),
)
def test_nothing_that_is_sent_ends_a_session(name, lines):
    from clauseboard.players.simple import RandomPlayer

    sizes = {} if name == "checkers" else {"size": 4}
    session = GtpSession(load_game(name, **sizes), RandomPlayer)
    for line in lines:
        reply = session.answer(line)
        assert reply == "" or re.match(r"[=?][0-9]* ", reply)
        assert reply.count("\n\n") == bool(reply)
        # What was not understood must not have hurt: the position still makes sense.
        assert session.position.game.name == session.game.name == name
        assert str(session.position)
    assert session.answer("7 protocol_version") == "=7 2\n\n"
