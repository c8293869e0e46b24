"""Progress bars of commands."""

from __future__ import annotations

import contextlib
import io

import pytest

from clauseboard.cli.common import ProgressBar


class Terminal(io.StringIO):
    def isatty(self):
        return True


@contextlib.contextmanager
def at_terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    with contextlib.redirect_stderr(Terminal()) as terminal:
        yield terminal


def test_what_takes_long_is_shown(monkeypatch):
    with (
        at_terminal(monkeypatch) as terminal,
        ProgressBar("counting", 4, counted=True, patience=0) as bar,
    ):
        for done in range(4):
            bar.tell(done + 1, note=f"at {done}")
    text = terminal.getvalue()
    assert "counting" in text
    assert "4/4" in text
    assert "at 3" in text


def test_the_total_and_the_text_may_change(monkeypatch):
    with (
        at_terminal(monkeypatch) as terminal,
        ProgressBar("first", 2, counted=True, patience=0) as bar,
    ):
        bar.tell(1)
        bar.tell(3, 7, text="second")
    text = terminal.getvalue()
    assert "second" in text
    assert "3/7" in text


@pytest.mark.parametrize("options", [{"patience": 1000}, {"quiet": True, "patience": 0}])
def test_what_is_quick_or_quiet_is_not(monkeypatch, options):
    with at_terminal(monkeypatch) as terminal, ProgressBar("counting", 4, **options) as bar:
        bar.tell(1)
    assert terminal.getvalue() == ""


def test_what_is_done_is_not(monkeypatch):
    with at_terminal(monkeypatch) as terminal, ProgressBar("counting", patience=0) as bar:
        bar.tell(1.0)
    assert terminal.getvalue() == ""


def test_no_terminal_no_bar(capsys):
    with ProgressBar("counting", 4, patience=0) as bar:
        bar.tell(1)
    assert capsys.readouterr().err == ""


def test_a_bar_is_taken_away_when_something_breaks(monkeypatch):
    def count():
        with ProgressBar("counting", 4, patience=0) as bar:
            bar.tell(1)
            raise KeyboardInterrupt

    with at_terminal(monkeypatch) as terminal, pytest.raises(KeyboardInterrupt):
        count()
    hidden, shown_again = "\x1b[?25l", "\x1b[?25h"
    assert hidden in terminal.getvalue()
    assert terminal.getvalue().rstrip().endswith(shown_again)
