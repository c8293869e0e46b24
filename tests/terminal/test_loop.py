"""What is typed and what is answered, with a list of lines in the place of a terminal."""

from __future__ import annotations

import io
import re
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import game_names, load_game
from clauseboard.kernels.compiler import Progress
from clauseboard.player import Choice, Player
from clauseboard.terminal.game import TerminalGame
from clauseboard.terminal.loop import COMMANDS, Loop
from clauseboard.terminal.screen import BoardInput, Screen

HEX = load_game("hex", size=3)


class Lines:
    """Answers with lines, or raises what is no line; Ctrl-D when there are no more."""

    def __init__(self, *lines):
        self.lines, self.prompts = list(lines), []

    def __call__(self, prompt):
        self.prompts.append(prompt)
        line = self.lines.pop(0) if self.lines else EOFError()
        if isinstance(line, BaseException):
            raise line
        return line


class First(Player):
    """Plays the first move, or raises an error."""

    name = "first"

    def __init__(self, *errors):
        self.errors = list(errors)

    def choose(self, position, limit=None):
        if self.errors:
            raise self.errors.pop(0)
        return Choice(position.moves()[0], value=0.5, line=position.moves()[:1])


def run(*lines, game=HEX, opponent=None, boards=False, interactive=False, colour=None):
    """What is shown in a game in which these lines are typed; and the session."""
    session = TerminalGame(game, opponent, colour)
    output, ask = io.StringIO(), Lines(*lines)
    form = BoardInput(game) if boards else None
    Loop(session, Screen(output), ask, form, interactive).run()
    return output.getvalue(), session, ask.prompts


def test_moves_are_played_and_shown():
    shown, session, prompts = run("b2", "a1")
    assert [str(move) for move in session.moves] == ["b2", "a1"]
    assert prompts == ["red> ", "blue> ", "red> "]
    assert shown.count("red to move") == 2
    assert "(R)" in shown
    assert shown.endswith("The input has ended; the game is not saved (`save` saves it).\n")


def test_lines_pasted_at_once_are_done_one_by_one():
    shown, session, prompts = run("b2\nzz\na1\n\nmoves", "save\tx.pdn", "c3")
    assert [str(move) for move in session.moves] == ["b2", "a1", "c3"]
    assert len(prompts) == 4
    assert "Games of hex go to a file named" in shown
    _, session, _ = run("b2\nmoves", KeyboardInterrupt(), interactive=False)
    assert len(session.moves) == 1


@pytest.mark.parametrize("word", ["quit", "exit", "QUIT", "  quit  "])
def test_leaving(word):
    shown, _, prompts = run("b2", word, "c1")
    assert len(prompts) == 2
    assert "ended" not in shown


def test_numbers_choose_only_from_a_list_on_the_screen():
    shown, session, _ = run("5", "moves", "5", "2", "quit")
    assert shown.count("Invalid move.") == 2
    assert [str(move) for move in session.moves] == ["b2"]
    assert "1 a1  2 b1  3 c1  4 a2" in shown


@pytest.mark.parametrize("number", ["0", "10", "99999999999999999999"])
def test_numbers_that_are_none(number):
    shown, session, _ = run("moves", number, "quit")
    assert f"The list has the numbers 1 to 9, not {number}." in shown
    assert session.moves == []


def test_every_command_is_in_the_help_and_helped_by_it():
    shown, *_ = run("help", "quit")
    for command, usage in COMMANDS.values():
        assert f"{usage} " in shown
        assert command.__doc__ in shown
    assert "such as" not in shown
    assert "Moves are written like a1." in shown


@pytest.mark.parametrize("game", game_names())
def test_every_game_says_what_its_words_are(game):
    rules = load_game(game)
    shown, session, _ = run("help", "moves", "quit", game=rules)
    texts = [session.position.write_move(move) for move in session.position.moves()]
    assert all(f" {text}" in shown for text in texts)
    assert all(f"`{text}` can be played, too" in shown for text in texts if text.isalpha())


def test_the_end():
    shown, *_ = run("a1", "b1", "a2", "b2", "a3", "a3", "hint", "resign", "moves", "undo")
    shown = " ".join(shown.split())
    assert "The game is over. Red wins: red connected top and bottom." in shown
    assert "You have" not in shown
    assert "Invalid move. The game is over" in shown
    assert "there is no move to hint at" in shown
    assert "The game is over already" in shown
    assert "there are no moves" in shown
    assert "A move is taken back." in shown
    shown, *_ = run("b1", "b2", "b3", game=HEX, opponent=First())
    assert "You have won." in shown
    assert shown.count("The game is over") == 1


def test_giving_up_against_an_opponent_that_began():
    shown, session, prompts = run(
        "resign", "undo", "resign", "quit", opponent=First(), colour="blue"
    )
    assert "red plays a1\n" in shown
    assert shown.count("You have lost.") == 2
    assert prompts == ["blue> ", "game over> ", "blue> ", "game over> "]
    assert session.outcome.winner == "red"


def test_a_drawn_game():
    game = load_game("checkers", max_moves=2)
    shown, *_ = run("11-15", game=game, opponent=First())
    assert "The game is over. Draw: 2 moves played." in shown
    assert "You have" not in shown


@pytest.mark.parametrize(
    "error", [RuntimeError("oh"), ValueError("oh"), OSError("oh"), KeyError(1)]
)
def test_a_failing_opponent_does_not_end_the_game(error):
    shown, _, prompts = run("b2", "c3", "go", "quit", opponent=First(error))
    assert "first could not move: " in shown
    assert "`go` lets it think" in shown
    assert "blue plays a1" in shown
    assert prompts == ["red> ", "stopped> ", "stopped> ", "red> "]


@pytest.mark.parametrize(
    "error", [RuntimeError("oh"), ValueError("oh"), OSError("oh"), KeyError(1)]
)
def test_a_failing_adviser_does_not_end_the_game(error):
    shown, session, _ = run("hint", "hint", "why", "b2", "quit", opponent=First(error))
    assert "oh" in shown or "That failed with KeyError: 1" in shown
    assert "first would play a1: 75 % for red." in shown
    assert "first chooses a1 and cannot explain it" in shown
    assert len(session.moves) == 2


def test_an_opponent_that_plays_an_illegal_move():
    class Cheat(First):
        def choose(self, position, limit=None):
            return Choice(HEX.start().moves()[4])

    shown, session, _ = run("b2", "undo", "quit", opponent=Cheat())
    assert "first could not move: b2 has a red stone already" in shown
    assert session.moves == []


def test_an_opponent_or_adviser_that_gives_up():
    class Quitter(First):
        def choose(self, position, limit=None):
            return Choice(None, resigns=True)

    shown, *_ = run("hint", "b2", "quit", opponent=Quitter())
    assert "first would give up." in shown
    assert "The game is over. Red wins: blue gave up." in shown
    assert "You have won." in shown


def test_work_that_was_left_alone_is_taken_up_again():
    """Ctrl-C while waiting, then `go`: the opponent is not asked twice for one move."""
    free, asked = threading.Event(), []

    class Slow(First):
        def choose(self, position, limit=None):
            asked.append(position)
            free.wait()
            return super().choose(position)

    class Impatient(Screen):
        def wait_for(self, work, *words):
            if not free.is_set():
                free.set()
                raise KeyboardInterrupt
            super().wait_for(work, *words)

    output = io.StringIO()
    ask = Lines("b2", "go", "quit")
    session = TerminalGame(HEX, Slow())
    Loop(session, Impatient(output), ask, interactive=False).run()
    assert len(asked) == 1
    assert len(session.moves) == 2
    assert "Stopped waiting. `go` waits again" in output.getvalue()


def test_undo_while_the_opponent_still_thinks():
    shown_first, go_on = threading.Event(), threading.Event()

    class Slow(First):
        def choose(self, position, limit=None):
            if not shown_first.is_set():
                shown_first.set()
                go_on.wait()
            return super().choose(position)

    class Impatient(Screen):
        times = 0

        def wait_for(self, work, *words):
            self.times += 1
            if self.times == 1:
                raise KeyboardInterrupt
            go_on.set()
            super().wait_for(work, *words)

    output = io.StringIO()
    session = TerminalGame(HEX, Slow())
    ask = Lines("b2", "undo", "c3", "quit")
    Loop(session, Impatient(output), ask, interactive=False).run()
    assert [str(move) for move in session.moves] == ["c3", "a1"]


def test_the_kernel_that_is_compiled_is_shown():
    shown = []

    class Watched(Screen):
        def wait_for(self, work, text, progress):
            shown.append(progress() or text)
            super().wait_for(work, text, progress)

    loop = Loop(TerminalGame(HEX, First()), Watched(io.StringIO()), Lines("b2", "b3", "quit"))
    loop.interactive = False
    loop.compiling(Progress("search for hex: search", 2, 7))
    assert loop._compiling == "Preparing hex: compiling 3 of 7"
    loop.compiling(Progress("search for hex: search", 0, 1))
    loop.run()
    assert shown == ["Preparing hex: compiling search for hex: search"] * 2
    loop.compiling(Progress("search for hex: search", 1, 1))
    assert loop._compiling == ""


# ---- keeping the game


@pytest.mark.parametrize("how", [KeyboardInterrupt(), EOFError(), "quit"])
@pytest.mark.parametrize("answer", ["", "y", "YES", KeyboardInterrupt(), EOFError(), "n", "No"])
def test_leaving_asks_whether_to_keep_the_game(tmp_path, monkeypatch, how, answer):
    monkeypatch.chdir(tmp_path)
    shown, _, prompts = run("b2", how, "cancel", how, answer, interactive=True)
    assert prompts.count("Save the game? [Y/n/cancel] ") == 2
    kept = not (isinstance(answer, str) and answer[:1].lower() == "n")
    files = list(tmp_path.iterdir())
    assert len(files) == kept
    assert ("Saved to hex-" in shown) == kept


def test_nothing_to_keep(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for lines in (["quit"], [EOFError()], [KeyboardInterrupt()], ["b2", "save a", "quit"]):
        _, _, prompts = run(*lines, interactive=True)
        assert "Save the game? [Y/n/cancel] " not in prompts
    assert [path.name for path in tmp_path.iterdir()] == ["a.sgf"]


def test_a_game_that_cannot_be_saved_is_not_lost(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        TerminalGame, "save", lambda *_: (_ for _ in ()).throw(OSError("disk full"))
    )
    shown, _, prompts = run("b2", "quit", "y", "c3", "quit", "n", interactive=True)
    assert "The game could not be saved: disk full" in shown
    assert prompts[3] == "blue> "
    # Where there is no more input, there is no use in asking on.
    _, _, prompts = run("b2", interactive=True)
    assert len(prompts) == 3


def test_saving_loading_and_beginning_anew(tmp_path):
    path = tmp_path / "a.sgf"
    lines = ["b2", f"save {path}", "c3", f"load {path}", "n", "moves", "a1", "new", "n", "quit"]
    shown, session, prompts = run(*lines, interactive=True)
    assert prompts.count("Save the game? [Y/n/cancel] ") == 2
    assert session.moves == []
    assert session.file is None
    shown, session, prompts = run("c3", f"load {path}", "b2", "quit")
    assert "Invalid move. 'b2' is not legal: b2 has a red stone already." in shown
    assert [str(move) for move in session.moves] == ["b2"]


def test_a_terminal_that_is_gone_is_the_end():
    for error in (OSError("Input/output error"), ValueError("I/O operation on closed file")):
        _, _, prompts = run(error)
        assert len(prompts) == 1
    bad = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
    _, session, _ = run(bad, "b2")
    assert len(session.moves) == 1


@settings(max_examples=150)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=12),
            st.sampled_from(
                [w for w in COMMANDS if w not in ("save", "load", "hint", "why", "clauses")]
            ),
            st.sampled_from(["b2", "a1", "c3", "b1", "why not", "why not b2", "1", "2"]),
        ),
        max_size=15,
    )
)
def test_whatever_is_typed_nothing_breaks(lines):
    _, session, _ = run(*lines, opponent=First())
    assert len(session.positions) == len(session.moves) + 1
    assert all(m in p.moves() for m, p in zip(session.moves, session.positions, strict=False))


# ---- boards

START = "1 1 1 1\n" * 3 + "0 0 0 0\n" * 2 + "3 3 3 3\n" * 3
AFTER = START.replace("1 1 1 1\n0 0 0 0", "1 1 0 1\n0 0 1 0")
CHECKERS = load_game("checkers")


@pytest.mark.parametrize(
    "lines",
    [
        AFTER.splitlines(),
        [AFTER],  # a paste that comes as one text
        [AFTER.replace(" ", "\t")],
        [AFTER.replace(" ", "")],
        ["W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15"],
        ["11-15"],
    ],
)
def test_a_board_is_read(lines):
    shown, session, prompts = run(*lines, "quit", game=CHECKERS, opponent=First(), boards=True)
    assert [str(move) for move in session.moves][:1] == ["11-15"]
    assert len(session.moves) == 2
    assert set(prompts) == {""}
    assert "Turn number 1\nPlayer 1's turn\nPaste the board\n" in shown
    assert " 1  1  1  1\n1  1  x0  1\n" not in shown
    assert " 1  1  x0  1\n0  0  x1  0\n" in shown
    assert "Turn number 2\nPlayer 2's turn\n" in shown
    assert re.search(r"Time elapsed this turn: \d+\.\d\d seconds\n", shown)
    assert shown.endswith("Turn number 3\nPlayer 1's turn\nPaste the board\n")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["1 1 1 1", ""], "This is not a board of checkers: it has 1 rows, not 8."),
        (["1 1 1 1", "1 1 1 hello", ""], "This is not a board of checkers: it has 2 rows, not 8."),
        (["1 1 1 hello", "quit"], "'1 1 1 hello' is not a move"),
        (["1 1 1 1", "dance"], "'dance' is not a move"),
        (["1 1 1 1", "why"], "There is no move to explain yet"),
        ([START], "Nothing has changed on the board, and it is black's turn."),
        ([START.replace("3 3 3 3", "3 3 3 9", 1)], "row 6 is not four digits from 0 to 4."),
        (["W:W21:B"], "Invalid move. The board differs on 1, 2, 3"),
        (["W:W99:B1"], "Invalid move. 'W:W99:B1' is no"),
        (["B:W21:B1"], "it is white's turn, but 'B:W21:B1' says black's."),
        (["dance"], "'dance' is not a move"),
    ],
)
def test_a_board_that_is_none(lines, told):
    shown, session, _ = run(*lines, game=CHECKERS, opponent=First(), boards=True)
    assert told in " ".join(shown.split())
    assert session.moves == []
    assert shown.count("Turn number 1\n") == 1


def test_commands_among_boards():
    shown, *_ = run("help", "moves", "3", "", AFTER, "undo", "board", "resign", "quit",
                    game=CHECKERS, opponent=First(), boards=True)  # fmt: skip
    assert "Paste the board after your move: 8 rows of digits" in shown
    assert shown.count("Turn number 1\n") == 3
    assert "The game is over. White wins: black gave up." in shown


@pytest.mark.parametrize("game", ["go", "hex"])
def test_games_without_boards_to_paste(game):
    with pytest.raises(ValueError, match=f"Boards cannot be pasted in {game}, only in checkers"):
        BoardInput(load_game(game))


# ------------------------------------------------------------------ endgame tables


def run_from(text, *lines):
    """What is shown in a game of checkers that goes on from a position."""
    game = load_game("checkers")
    session = TerminalGame(game, First(), "white")
    session.restart(game.read_position(text))
    output = io.StringIO()
    Loop(session, Screen(output), Lines(*lines), interactive=False).run()
    return output.getvalue()


@pytest.fixture
def small_tables(tmp_path, monkeypatch):
    """Tables of two pieces, and no others."""
    from clauseboard.games.checkers import endgame_tables

    monkeypatch.setattr(endgame_tables, "tables_folder", lambda: tmp_path)
    monkeypatch.setattr("clauseboard.games.checkers.endgames.SMALL", 2)
    endgame_tables.build_tables(2, tmp_path)


@pytest.mark.parametrize("command", ["hint", "board"])
@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("W:WK7:B12", "White wins in 2 moves."),
        ("W:W12:B3", "Black wins in 1 move."),
        ("W:WK32:BK1", "Drawn with best play."),
    ],
)
def test_a_hint_and_the_board_say_what_the_tables_know(command, position, words, small_tables):
    shown = run_from(position, command)
    assert words in shown
    assert " %" not in shown
    if command == "hint":
        assert re.search(rf"first would play \S+\. {re.escape(words)}", shown)


def test_where_the_tables_end_a_hint_has_its_value(small_tables):
    shown = run_from("W:WK32,K31:BK1", "hint", "board")
    assert re.search(r"first would play \S+: 75 % for white\.", shown)
    assert "best play" not in shown
    assert "wins in" not in shown


def test_tables_that_are_made_are_told_once_and_again_when_they_are_ready(monkeypatch):
    from clauseboard.games.solving import TablesStatus

    made = [TablesStatus(False, share, f"{share:.0%} made") for share in (0.1, 0.5, 0.9)]
    statuses = iter([*made, *[TablesStatus(True, None, "")] * 9])
    monkeypatch.setattr("clauseboard.terminal.loop.tables_status", lambda _: next(statuses))
    shown, *_ = run("moves", "moves", "moves", "moves", "moves")
    begun = "Endgame tables of five pieces are made in the background, once."
    assert shown.count(begun) == 1
    assert shown.count("The endgame tables of five pieces are ready.") == 1
    assert shown.index(begun) < shown.index("are ready")


@pytest.mark.parametrize("status", [(True, None, ""), (False, None, ""), None])
def test_tables_that_were_there_before_need_no_word(status, monkeypatch):
    from clauseboard.games.solving import TablesStatus

    answer = None if status is None else TablesStatus(*status)
    monkeypatch.setattr("clauseboard.terminal.loop.tables_status", lambda _: answer)
    assert "tables" not in run("moves", "moves")[0]


def test_tables_that_cannot_be_made_are_told_once(monkeypatch):
    from clauseboard.games.solving import TablesStatus

    answer = TablesStatus(False, None, "The disk is full.")
    monkeypatch.setattr("clauseboard.terminal.loop.tables_status", lambda _: answer)
    assert run("moves", "moves")[0].count("The disk is full.") == 1


def test_dead_stones_are_taken_off_and_can_be_named():
    """White has put a stone into the corner that black holds."""
    lines = ("B2", "D1", "C1", "D2", "C2", "D3", "C3", "D4", "C4", "D5", "C5", "A5", "pass", "pass")
    game = load_game("go", size=5, komi=0.5)
    shown, session, _ = run(*lines, game=game)
    assert session.dead == ("A5",)
    assert "Taken off as dead: A5. `dead STONES` names the dead stones" in shown
    assert str(session.outcome).startswith("black wins: two passes, 15 to 10")
    shown, session, _ = run(*lines, "dead none", game=game)
    assert session.dead == ()
    assert session.dead_named
    shown, session, _ = run(*lines, "dead none", "dead a5", "undo", game=game)
    assert session.dead == ()
    assert session.outcome is None


def test_dead_stones_are_named_at_the_end_only():
    shown, _, _ = run("B2", "dead B2", game=load_game("go", size=5))
    assert "Dead stones are named when the game is over and counted." in shown


def test_what_is_not_settled_is_said():
    """Two stones each, and all is open."""
    shown, session, _ = run("C3", "D4", "pass", "pass", game=load_game("go", size=7))
    assert session.outcome is not None
    assert "Not settled: the stones at" in shown
