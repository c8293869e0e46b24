"""What is shown at the terminal: boards, moves and sentences, as wide as the window."""

from __future__ import annotations

import re
import textwrap
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for_futures
from threading import Thread
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from clauseboard.games.plugins import PAGE

_CODES = re.compile(r"\x1b\[[0-9;]*m")
_PATIENCE = 0.4  # seconds until waiting is shown


class Screen:
    """Prints to a terminal, or to a file; in colours only on a terminal that has them.

    A `NO_COLOR` environment variable that is not empty turns colours off, as does TERM=dumb.
    """

    def __init__(self, output: TextIO | None = None) -> None:
        self.console = Console(file=output, highlight=False, markup=False, emoji=False)
        if not self.console.is_terminal:
            self.console.width = 80
        self.colour = bool(self.console.color_system) and not self.console.no_color
        self._warned = 0

    @property
    def columns(self) -> int:
        """The width of the window; 80 where there is none."""
        return self.console.width

    def say(self, text: str = "", style: str = "", indent: int | None = None) -> None:
        """Print text, with long lines broken between words.

        Continued lines are indented by `indent`, or by a little more than the line itself. Lines
        with colours of their own are boards, and stay as they are.
        """
        for line in text.splitlines() or [""]:
            parts = [line]
            if len(line) > self.columns and "\x1b" not in line:
                spaces = len(line) - len(line.lstrip()) + 2
                if indent is not None and indent < self.columns // 2:
                    spaces = indent
                parts = textwrap.wrap(
                    line, self.columns, subsequent_indent=" " * spaces, break_on_hyphens=False
                )
            for part in parts:
                self.show(part, style)

    def complain(self, text: str) -> None:
        """Print an error."""
        self.say(text, "red")

    def show(self, text: str, style: str = "") -> None:
        """Print text as it is."""
        shown = Text.from_ansi(text, style=style, no_wrap=True, overflow="ignore")
        self.console.print(shown, soft_wrap=True)

    def board(self, position: Any, before: Any | None = None) -> None:
        """Show a board; cells that have changed since the position before are ringed.

        At the end those are ringed by which the game was won, where there are any. A window too
        narrow for the rings gets the board without them.
        """
        winning = getattr(PAGE.find(position.game), "winning_cells", None)
        ringed = [] if winning is None else winning(position)
        if not ringed and before is not None:
            ringed = changed_cells(before, position)
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

    def wait_for(self, work: Future[Any], text: str, progress: Callable[[], str] = str) -> None:
        """Wait until some work is done; a terminal shows that it goes on, and `progress()`.

        Ctrl-C ends the waiting, not the work.
        """
        started = time.monotonic()
        if wait_for_futures([work], _PATIENCE).done:
            return
        with self.console.status("", spinner="line") as status:
            while not wait_for_futures([work], 0.1).done:
                passed = f"({time.monotonic() - started:.0f} s)"
                status.update(Text(f"{progress() or text} {passed}", no_wrap=True))


def in_thread(work: Callable[[], Any]) -> Future[Any]:
    """Run a function in a thread, so that the person may stop waiting for it.

    >>> in_thread(lambda: 6 * 7).result()
    42
    """
    future: Future[Any] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except Exception as error:
            future.set_exception(error)

    # A daemon: the end of the program does not wait for it.
    Thread(target=run, daemon=True).start()
    return future


def changed_cells(before: Any, after: Any) -> list[str]:
    """The cells that differ between two positions of a game, in the order of its bits.

    >>> from clauseboard.game import load_game
    >>> start = load_game("checkers").start()
    >>> changed_cells(start, start.play(start.read_move("11-15")))
    ['11', '15']
    """
    game = after.game
    rows = game.encode([before, after])
    cells = (b.cell for b, differs in zip(game.bits(), rows[0] != rows[1], strict=True) if differs)
    return list(dict.fromkeys(cell for cell in cells if cell is not None))


def _width(text: str) -> int:
    return max(len(line) for line in _CODES.sub("", text).splitlines())
