"""What is shown at the terminal: boards, moves and sentences, as wide as the window is."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from clauseboard.game import NotationError
from clauseboard.terminal.thinking import Thinking

_CODES = re.compile(r"\x1b\[[0-9;]*m")
_SIGNS = "|/-\\"
_PATIENCE = 0.4  # seconds until waiting is shown


class Screen:
    """Prints to a terminal, or to a file; in colours only where there is a terminal for them.

    `NO_COLOR` in the environment, if it is not empty, turns colours off, as does TERM=dumb.
    """

    def __init__(self, output: TextIO | None = None, colour: bool | None = None) -> None:
        self.output = sys.stdout if output is None else output
        self.is_terminal = self.output.isatty()
        dumb = os.environ.get("TERM") == "dumb"
        self.colour = (
            self.is_terminal and not dumb and not os.environ.get("NO_COLOR")
            if colour is None
            else colour
        )
        self._warned = 0

    @property
    def columns(self) -> int:
        """How wide the window is; 80 where there is none."""
        return shutil.get_terminal_size().columns if self.is_terminal else 80

    def say(self, text: str = "", code: str = "", further: int | None = None) -> None:
        """Print text, with long lines broken between words; `code` colours it.

        A line that goes on begins `further` right, or a little more than it began. Lines that have
        colours of their own are boards, and stay as they are.
        """
        for line in text.splitlines() or [""]:
            parts = [line]
            if len(line) > self.columns and "\x1b" not in line:
                spaces = len(line) - len(line.lstrip()) + 2
                if further is not None and further < self.columns // 2:
                    spaces = further
                parts = textwrap.wrap(
                    line, self.columns, subsequent_indent=" " * spaces, break_on_hyphens=False
                )
            self.show("\n".join(self._painted(part, code) for part in parts))

    def complain(self, text: str) -> None:
        """Print what went wrong."""
        self.say(text, code="31")

    def show(self, text: str) -> None:
        """Print text as it stands."""
        print(text, file=self.output, flush=True)

    def board(self, position: Any, before: Any | None = None) -> None:
        """Show a board; what has changed since the one before has a ring.

        A window too narrow for the rings gets the board without.
        """
        ringed = [] if before is None else changed_cells(before, position)
        text = position.game.text(position, colour=self.colour, ringed=ringed)
        if ringed and _width(text) > self.columns:
            text = position.game.text(position, colour=self.colour)
        if _width(text) > self.columns and self._warned != self.columns:
            self._warned = self.columns
            self.say(f"(The window has {self.columns} columns; this board needs {_width(text)}.)")
        self.show(text)

    def columns_of(self, items: Sequence[str]) -> None:
        """Print short texts side by side, as many as there is room for."""
        width = max(map(len, items), default=0) + 2
        each = max(self.columns // width, 1)
        for n in range(0, len(items), each):
            self.show("".join(f"{item:<{width}}" for item in items[n : n + each]).rstrip())

    def wait_for(self, work: Thinking, text: str) -> None:
        """Wait until some work is done; on a terminal one sees that it goes on."""
        started = time.monotonic()
        with self._one_line() as write:
            while not work.wait(0.1):
                passed = time.monotonic() - started
                if passed > _PATIENCE:
                    write(f"{_SIGNS[int(10 * passed) % len(_SIGNS)]} {text} ({passed:.0f} s)")

    @contextlib.contextmanager
    def _one_line(self) -> Iterator[Any]:
        """A line that is written over, and is gone in the end; nothing where it cannot be."""
        shown = 0

        def write(text: str) -> None:
            nonlocal shown
            if self.is_terminal:
                text = text[: self.columns - 1]
                self.output.write(f"\r{text:<{shown}}")
                self.output.flush()
                shown = len(text)

        try:
            yield write
        finally:
            if shown:
                self.output.write(f"\r{'':<{shown}}\r")
                self.output.flush()

    def _painted(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and code and text else text


def changed_cells(before: Any, after: Any) -> list[str]:
    """The cells that are not the same on two boards of a game, in the order of its bits.

    >>> from clauseboard.game import load_game
    >>> start = load_game("checkers").start()
    >>> changed_cells(start, start.play(start.read_move("11-15")))
    ['11', '15']
    """
    game = after.game
    one, other = game.encode([before, after])
    cells = (bit.cell for bit, changed in zip(game.bits(), one != other, strict=True) if changed)
    return list(dict.fromkeys(cell for cell in cells if cell is not None))


def problem_of(error: Exception) -> str:
    """What an error says, without the position: the board is on the screen."""
    return error.problem if isinstance(error, NotationError) else str(error)


def _width(text: str) -> int:
    return max(len(line) for line in _CODES.sub("", text).splitlines())
