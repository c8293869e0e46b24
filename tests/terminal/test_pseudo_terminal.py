"""Games at a real terminal: typed moves, mistakes, commands, Ctrl-C and Ctrl-D."""

from __future__ import annotations

import random
import re
import sys

import pytest

from clauseboard.game import load_game

GAMES = {
    "checkers": {},
    "go": {"size": 4, "max_moves": 30},
    "hex": {"size": 4, "swap": True},
}


def words(game, **more):
    """The command line for a game against random moves."""
    given = [f"--set={name}={value}" for name, value in GAMES[game].items()]
    options = {"opponent": "random", "colour": load_game(game).colours[0], "seed": "5", **more}
    return [game, "--terminal", *given, *(f"--{name}={value}" for name, value in options.items())]


def follow(shown, position, colour):
    """Play on to the end with moves drawn at random; the last position."""
    draws = random.Random(1)
    while position.outcome() is None:
        if position.to_move == colour:
            shown.expect(f"{colour}> ")
            text = position.write_move(draws.choice(position.moves()))
            shown.type(text)
        else:
            text = shown.expect(rf"{position.to_move} plays (\S+)\n")[1]
        position = position.play(position.read_move(text))
    return position


@pytest.mark.parametrize(
    ("game", "side"),
    [
        ("checkers", 0),
        ("go", 1),
        ("hex", 1),
        pytest.param("checkers", 1, marks=pytest.mark.long),
        pytest.param("go", 0, marks=pytest.mark.long),
        pytest.param("hex", 0, marks=pytest.mark.long),
    ],
)
def test_a_whole_game_with_typed_moves(terminal, game, side):
    rules = load_game(game, **GAMES[game])
    colour = rules.colours[side]
    shown = terminal(*words(game, colour=colour))
    shown.expect(f"You play {colour} against random")
    last = follow(shown, rules.start(), colour)
    told = str(last.outcome())
    shown.expect("The game is over. ")
    if game != "go":  # in Go dead stones are taken off before the points are counted
        shown.expect(re.escape(f"{told[0].upper()}{told[1:]}."))
        if last.outcome().winner is not None:
            shown.expect("You have won" if last.outcome().winner == colour else "You have lost")
    shown.expect("game over> ")
    shown.type("moves")
    shown.expect(r"there are no\s+moves")
    shown.type("11-15")
    shown.expect("Invalid move. The game is over")
    shown.type("quit")
    shown.expect("Save the game")
    shown.type("n")
    assert shown.end()[1] == 0


def test_mistakes_are_told_and_nothing_breaks(terminal):
    shown = terminal(*words("checkers"))
    for typed, told in [
        ("11-14", r"Invalid move\. '11-14' is not legal: the black man on 11 may play"),
        ("21-17", r"Invalid move\. '21-17' is not legal: the piece on 21 is a white man"),
        ("pass", r"Invalid move\. 'pass' is not a move"),
        ("5", r"Invalid move\. '5' is not a move"),
        ("why", "There is no move to explain yet"),
        ("why me", "Type `why`, or `why not` with a move"),
        ("undo", "There is no move of yours to take back"),
        ("save", "There is nothing to save yet"),
        ("load", "Name the file"),
        ("load nowhere.pdn", "There is no file 'nowhere.pdn'"),
        ("go", "It is not the opponent's turn"),
        ("\u00e9\u4e16 \u0301", "Invalid move"),
    ]:
        shown.expect("black> ")
        shown.type(typed)
        shown.expect(told)
    shown.type("11-15")
    shown.expect("white plays")
    shown.expect(r"\(w\)")
    assert "B:W21" not in shown.text


def test_commands(terminal, tmp_path):
    shown = terminal(*words("checkers", hints="material:depth=3"))
    shown.type("?")
    shown.expect("Moves are written like 9-13")
    shown.expect(r"resign +Give up")
    shown.type("moves")
    shown.expect("1 9-13 +2 9-14")
    shown.type("8")
    shown.expect("Invalid move. The list has the numbers 1 to 7, not 8")
    shown.type("2")
    first = shown.expect(r"white plays (\S+)")[1]
    shown.expect("black> ")
    shown.type("undo")
    shown.expect("2 moves are taken back")
    shown.type("11-15")
    reply = shown.expect(r"white plays (\S+)")[1]
    shown.expect("black> ")
    shown.type("hint")
    hint = shown.expect(r"material:depth=3 would play (\S+): \d+ % for black")[1]
    shown.type("why")
    shown.expect("judged by material")
    shown.type("clauses")
    shown.expect("black man on")
    position = load_game("checkers").start()
    for text in ("11-15", reply):
        position = position.play(position.read_move(text))
    other = next(text for text in map(position.write_move, position.moves()) if text != hint)
    shown.type(f"why not {other}")
    shown.expect(rf"{hint} or {other}\? \d+ %")
    shown.type(f"why not {hint}")
    shown.expect(rf"{hint} is the move that material:depth=3 chose")
    shown.type("why not 11-15")
    shown.expect("there is no piece on 11")
    shown.type("save my.pdn")
    shown.expect("Saved to my.pdn")
    assert "1. 11-15" in (tmp_path / "my.pdn").read_text()
    shown.type("resign")
    shown.expect("The game is over. White wins: black gave up.")
    shown.expect("You have lost")
    shown.type("undo")
    shown.expect("Not given up, then")
    shown.type(hint)
    shown.expect("white plays")
    shown.type("load my.pdn")
    shown.expect("Save the game")
    shown.type("cancel")
    shown.expect("black> ")
    shown.type("load my.pdn")
    shown.expect("Save the game")
    shown.type("n")
    shown.expect("black to move")
    shown.type("save my.pdn")
    shown.expect("Saved to my.pdn")
    shown.type("new")
    shown.expect("black to move")
    shown.type("quit")
    assert shown.end()[1] == 0
    again = terminal("--terminal", "--load", "my.pdn")
    again.expect("You play black against random")
    again.expect("black> ")
    again.type("11-15")
    again.expect("Invalid move")
    again.type("quit")
    assert again.end()[1] == 0
    assert first


def test_passing(terminal):
    shown = terminal(*words("go", opponent="person"))
    shown.expect("You play both sides")
    shown.type("help")
    shown.expect("`pass` can be played, too")
    shown.type("pass")
    shown.expect("white> ")
    shown.type("pass")
    shown.expect("The game is over. White wins: two passes")
    shown.type("undo")
    shown.expect("A move is taken back")
    shown.expect("white> ")
    shown.type("B2")
    shown.expect(r"\(w\)")
    shown.expect("black> ")


def test_swapping(terminal):
    shown = terminal(*words("hex", opponent="person"))
    shown.type("swap")
    shown.expect("Invalid move. 'swap' is not legal")
    shown.type("a3")
    shown.expect("blue> ")
    shown.type("help")
    shown.expect("`swap` can be played, too")
    shown.type("swap")
    shown.expect(r"1 +\. +\. +\(B\)")
    shown.expect("red> ")


ROWS = [
    " 1\t1\t1\t1", "1\t1\t1\t1", "1\t1\t0\t1", "0\t0\t1\t0",
    "0\t0\t0\t0", "3\t3\t3\t3", "3\t3\t3\t3", "3\t3\t3\t3",
]  # fmt: skip


@pytest.mark.parametrize(
    "how",
    [
        "pasted",
        pytest.param("typed", marks=pytest.mark.long),
        pytest.param("as one line", marks=pytest.mark.long),
    ],
)
def test_a_board_is_pasted(terminal, how):
    shown = terminal(*words("checkers", input="board"))
    shown.expect("Turn number 1\nPlayer 1's turn\nPaste the board\n")
    for row in [*ROWS[:3], ""]:
        shown.type(row)
    shown.expect("Invalid move. This is not a board of checkers: it has 3 rows, not 8")
    shown.expect("Paste the board\n")
    for row in [*ROWS[:2], "1 0 0 1", "x0 1 1 0", *ROWS[4:]]:
        shown.type(row)
    shown.expect(
        r"Invalid move\. The board differs on 10, 11, 14, 15, which no move of black does; .*"
    )
    shown.expect("Paste the board\n")
    if how == "as one line":
        shown.type("W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15")
    elif how == "pasted":
        shown.send("\x1b[200~" + "\n".join(ROWS) + "\x1b[201~\n")
    else:
        for row in ROWS:
            shown.type(row)
    shown.expect(" 1  1  x0  1\n0  0  x1  0\n")
    shown.expect("Turn number 2\nPlayer 2's turn\n")
    shown.expect(r"x3.*\n.*\n*(.*\n)*Time elapsed this turn: \d+\.\d\d seconds\n")
    shown.expect("Turn number 3\nPlayer 1's turn\nPaste the board\n")
    shown.type("undo")
    shown.expect("Turn number 1\n")
    shown.type("quit")
    assert shown.end()[1] == 0


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("\x03", "\x03"),
        ("\x04", "n\n"),
        pytest.param("\x03", "y\n", marks=pytest.mark.long),
        pytest.param("\x04", "\n", marks=pytest.mark.long),
        pytest.param("\x04", "\x04", marks=pytest.mark.long),
        pytest.param("\x03", "n\n", marks=pytest.mark.long),
    ],
)
def test_leaving_offers_to_keep_the_game(terminal, tmp_path, key, answer):
    shown = terminal(*words("hex"))
    shown.expect("red> ")
    shown.type("b2")
    shown.expect("blue plays")
    shown.expect("red> ")
    shown.send(key)
    shown.expect(r"Save the game\? \[Y/n/cancel\] ")
    shown.type("cancel")
    shown.expect("red> ")
    shown.send(key)
    shown.expect(r"Save the game\? \[Y/n/cancel\] ")
    shown.send(answer)
    rest, status = shown.end()
    assert status == 0
    files = [path.name for path in tmp_path.iterdir()]
    if answer == "n\n":
        assert files == []
    else:
        (name,) = files
        assert re.fullmatch(r"hex-\d{4}-\d\d-\d\d\.sgf", name)
        assert f"Saved to {name}" in rest


@pytest.mark.parametrize("key", ["\x03", pytest.param("\x04", marks=pytest.mark.long)])
def test_leaving_before_the_first_move_and_while_being_asked(terminal, tmp_path, key):
    shown = terminal(*words("hex"))
    shown.expect("red> ")
    shown.send(key)
    assert shown.end() == ("\n", 0)
    asked = terminal("--terminal")
    asked.expect(r"Which game\?")
    asked.expect(r"\] ")
    asked.send(key)
    assert asked.end()[1] == 0
    assert list(tmp_path.iterdir()) == []


SLOW = """
import time
from clauseboard.game import load_game
from clauseboard.player import Choice, Player
from clauseboard.terminal.loop import Loop
from clauseboard.terminal.screen import Screen
from clauseboard.terminal.game import TerminalGame

class Slow(Player):
    name = "slow"
    asked = 0
    def choose(self, position, limit=None):
        self.asked += 1
        if self.asked == 1:
            time.sleep(600)
        if self.asked == 2:
            raise RuntimeError("a bad day")
        time.sleep(1)
        return Choice(position.moves()[0])

game = load_game("hex", size=4)
Loop(TerminalGame(game, Slow()), Screen()).run()
"""


def test_ctrl_c_while_the_opponent_thinks(terminal):
    shown = terminal(command=[sys.executable, "-c", SLOW])
    shown.expect("red> ")
    shown.type("b2")
    shown.expect(r"[|/\\-] slow thinks \([1-9]\d* s\)")
    shown.send("\x03")
    shown.expect("Stopped waiting")
    shown.expect("stopped> ")
    shown.type("c3")
    shown.expect("It is blue's turn, which is slow's")
    shown.type("undo")
    shown.expect("A move is taken back")
    shown.expect("red> ")
    shown.send("\x03")
    assert shown.end()[1] == 0


def test_an_opponent_that_fails_is_asked_again(terminal):
    shown = terminal(command=[sys.executable, "-c", SLOW.replace("asked = 0", "asked = 1")])
    shown.expect("red> ")
    shown.type("b2")
    shown.expect("slow could not move: a bad day")
    shown.expect("stopped> ")
    shown.type("go")
    shown.expect("slow thinks")
    shown.expect("blue plays a1")
    shown.expect("red> ")


def test_colours_and_none(terminal):
    shown = terminal(*words("checkers"))
    shown.expect("black> ")
    assert "\x1b[33mb\x1b[0m" in shown.raw
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        plain = terminal(*words("checkers"), **environment)
        plain.type("oops")
        plain.expect("Invalid move")
        assert not re.search(r"\x1b\[[0-9;]*m", plain.raw)
    shown.type("oops")
    shown.expect("Invalid move")
    assert "\x1b[31mInvalid move" in shown.raw


@pytest.mark.parametrize(
    ("columns", "ring"), [(25, False), pytest.param(45, True, marks=pytest.mark.long)]
)
def test_a_narrow_window(terminal, columns, ring):
    shown = terminal(*words("checkers"), columns=columns)
    shown.type("help")
    shown.expect("Moves are written")
    shown.type("moves")
    shown.expect(r"Type a move or its\s+number")
    shown.type("11-15")
    shown.expect("white plays")
    shown.expect("black to move")
    assert (re.search(r"\(w\)", shown.text) is not None) == ring
    lines = shown.text.splitlines()
    assert max(map(len, lines)) <= columns + len("black> 11-15")
    assert "this board needs" not in shown.text


def test_a_window_too_narrow_for_any_board(terminal):
    shown = terminal(*words("checkers"), columns=20)
    shown.expect(r"\(The\s+window\s+has\s+20\s+columns;\s+this\s+board\s+needs\s+\d+\.\)")
    shown.expect("black> ")


def test_what_is_not_given_is_asked_for(terminal):
    shown = terminal("--terminal", "--set", "size=3", "--seed", "1")
    shown.expect(r"Which game\?")
    shown.expect(r"3 hex")
    shown.type("chess")
    shown.expect("Not a choice: 'chess'")
    shown.type("hex")
    shown.expect(r"Which opponent\?")
    shown.expect(r"random +Plays any legal move")
    shown.type("nobody")
    shown.expect("There is no player 'nobody'")
    shown.type("tsetlin")
    shown.expect("machine")
    shown.expect(r"Which opponent\?")
    shown.type("random")
    shown.expect(r"Which side do you play\?")
    shown.type("2")
    shown.expect("You play blue against random")
    shown.expect("red plays")
    shown.expect("blue> ")


def test_tab_completes_moves_and_commands(terminal):
    shown = terminal(*words("checkers"))
    shown.expect("black> ")
    shown.send("11-15\t\n")
    shown.expect("white plays")
    shown.expect("black> ")
    shown.send("und\t\n")
    shown.expect("2 moves are taken back")
