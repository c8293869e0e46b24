"""What is printed: widths, colours, marks, and errors without the positions they quote."""

from __future__ import annotations

import io
import random
import re
import sys
import time

import pytest

from clauseboard.game import NotationError, game_names, load_game
from clauseboard.terminal import screen as screens
from clauseboard.terminal.screen import Screen, changed_cells, edit_lines, in_thread, matching


class Window(io.StringIO):
    """A terminal that is none."""

    def isatty(self):
        return True


def window(monkeypatch, columns=80, term="xterm", no_color=None):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", term)
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    return Screen(Window())


@pytest.mark.parametrize(
    ("term", "no_color", "coloured"),
    [
        ("xterm", None, True),
        ("xterm", "", True),
        ("xterm", "1", False),
        ("xterm", "0", False),
        ("dumb", None, False),
    ],
)
def test_colours(monkeypatch, term, no_color, coloured):
    screen = window(monkeypatch, term=term, no_color=no_color)
    screen.board(load_game("hex", size=3).read_position("R../.../... blue"))
    screen.complain("oh")
    assert ("\x1b[31mR\x1b[0m" in screen.console.file.getvalue()) == coloured
    assert ("\x1b[31moh\x1b[0m" in screen.console.file.getvalue()) == coloured


def test_no_colours_in_files():
    output = io.StringIO()
    screen = Screen(output)
    screen.complain("oh")
    assert output.getvalue() == "oh\n"
    assert screen.columns == 80


@pytest.mark.parametrize("columns", [20, 40, 100])
def test_sentences_are_as_wide_as_the_window(monkeypatch, columns):
    screen = window(monkeypatch, columns)
    text = "  A line that is rather long, with words and 11-15 or 12-16 in it.\n\nAnd another."
    screen.say(text)
    lines = screen.console.file.getvalue().splitlines()
    assert max(map(len, lines)) <= columns
    assert " ".join(" ".join(lines).split()) == " ".join(text.split())
    assert "" in lines
    assert lines[0].startswith("  A")
    screen.say()
    assert screen.console.file.getvalue().endswith("\n\n")


@pytest.mark.parametrize(("columns", "indent"), [(10, 4), (20, 8), (30, 8)])
def test_a_list_goes_on_below_its_text(monkeypatch, columns, indent):
    screen = window(monkeypatch, columns)
    screen.say("  help  this is a list of the commands that there are", indent=8)
    first, second, *_ = screen.console.file.getvalue().splitlines()
    assert first.startswith("  help")
    assert len(second) - len(second.lstrip()) == indent


@pytest.mark.parametrize("columns", [1, 9, 20, 80])
def test_columns(monkeypatch, columns):
    screen = window(monkeypatch, columns)
    screen.columns_of(["11-15", "12-16", "9-13"])
    lines = screen.console.file.getvalue().splitlines()
    assert " ".join(lines).split() == ["11-15", "12-16", "9-13"]
    assert len(lines) == {1: 3, 9: 3, 20: 2, 80: 1}[columns]
    screen.columns_of([])


@pytest.mark.parametrize("game", game_names())
def test_what_has_changed_is_ringed(game):
    rules = load_game(game)
    position, draws = rules.start(), random.Random(3)
    for _ in range(20):
        after = position.play(draws.choice(position.moves()))
        cells = changed_cells(position, after)
        output = io.StringIO()
        Screen(output).board(after, position)
        assert output.getvalue() == rules.text(after, ringed=cells) + "\n"
        assert output.getvalue().count("(") - output.getvalue().count("(ko)") == len(cells)
        position = after


def test_the_winning_chain_is_ringed_at_the_end():
    before = load_game("hex", size=3).read_position("RB./RB./..R blue")
    before = before.play(before.read_move("c1"))
    output = io.StringIO()
    Screen(output).board(before.play(before.read_move("a3")), before)
    assert output.getvalue().count("(R)") == 3


def test_a_board_too_wide(monkeypatch):
    game = load_game("hex", size=11)
    position = game.start().play(game.start().moves()[0])
    for columns, rings, told in [(80, True, 0), (40, False, 0), (30, False, 1)]:
        screen = window(monkeypatch, columns, no_color="1")
        screen.board(position, game.start())
        screen.board(position, game.start())
        shown = screen.console.file.getvalue()
        assert ("(R)" in shown) == rings
        assert shown.count("The window has 30") == told


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize(
    "text", ["zz", "pass", "swap", "1-5", "a1", "99", "", "A1", "22-17", "11-16"]
)
def test_errors_do_not_quote_the_position(game, text):
    rules = load_game(game)
    position, draws = rules.start(), random.Random(len(text))
    for _ in range(8):
        try:
            position.read_move(text)
        except NotationError as error:
            told = error.reason
            assert rules.write_position(position) not in told
            assert re.search(r"[.)]$", told)
            assert len(told) > 10
        position = position.play(draws.choice(position.moves()))


def test_waiting_is_shown_and_wiped_out(monkeypatch):
    monkeypatch.setattr(screens, "_PATIENCE", 0.0)
    screen = window(monkeypatch)

    def think():
        ends = time.monotonic() + 300
        while "it thinks" not in screen.console.file.getvalue() and time.monotonic() < ends:
            time.sleep(0.01)

    screen.wait_for(in_thread(think), "it thinks")
    shown = screen.console.file.getvalue()
    assert re.search(r"it thinks \(\d+ s\)", shown)
    assert shown.endswith("\x1b[2K")  # the line is erased
    quiet = Screen(io.StringIO())
    quiet.wait_for(in_thread(lambda: time.sleep(0.25)), "it thinks")
    assert quiet.console.file.getvalue() == ""


def test_errors_of_work_are_raised_where_it_is_waited_for():
    work = in_thread(lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        work.result()


def test_completing():
    words = ["11-15", "11-16", "hint", "help"]
    assert matching("11-1", words) == ["11-15 ", "11-16 "]
    assert matching("HE", words) == ["help "]
    assert matching("x", words) == []


def test_without_readline_lines_are_typed_plainly(monkeypatch):
    monkeypatch.setitem(sys.modules, "readline", None)
    edit_lines(lambda: [])
