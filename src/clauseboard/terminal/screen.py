"""What is shown and asked at the terminal.

Shown are boards, moves and sentences, as wide as the window; asked are the game, the opponent, the
colour, lines and whole boards.
"""

from __future__ import annotations

import random
import re
import textwrap
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for_futures
from threading import Thread
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from clauseboard.game import Game, Position, game_names
from clauseboard.games.plugins import BOARD_INPUT, PAGE
from clauseboard.play import PERSON, USUAL
from clauseboard.player import Player
from clauseboard.players import describe_players, read_player
from clauseboard.terminal.game import TerminalGame

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

    def board(self, position: Position, before: Position | None = None) -> None:
        """Show a board; cells that have changed since the position before are ringed.

        At the end those are ringed by which the game was won, where there are any. A window too
        narrow for the rings gets the board without them.
        """
        ringed = PAGE.call(position.game, "winning_cells", position) or []
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


def changed_cells(before: Position, after: Position) -> list[str]:
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


# ---- what is asked


Ask = Callable[[str], str]
"""Asks for a line with a prompt: `input`, or a test's replacement."""
RANDOM = "random"


def choose_game(screen: Screen, ask: Ask) -> str:
    """The name of a game."""
    return _pick(screen, ask, "Which game?", [(name, "") for name in game_names()])


def choose_opponent(game: Game, screen: Screen, ask: Ask) -> Player | None:
    """An opponent, given by its name or with options; None is another person."""
    listed = [(kind.name, kind.text) for kind in describe_players(game) if not kind.refuses]
    usual = next(name for name in USUAL if name in dict(listed))
    while True:
        text = _pick(screen, ask, "Which opponent?", listed, usual, free=True)
        try:
            return read_opponent(text, game)
        except (ValueError, OSError) as error:
            screen.complain(str(error))
            screen.say("Options follow the name: tsetlin:machine=FILE, material:depth=5.")


def choose_colour(game: Game, screen: Screen, ask: Ask) -> str:
    """A colour of the game, or "random"."""
    first, second = game.colours
    listed = [(first, "moves first"), (second, ""), (RANDOM, "")]
    return _pick(screen, ask, "Which side do you play?", listed, first)


def read_opponent(text: str, game: Game) -> Player | None:
    """An opponent from one line; None if it is another person at the terminal."""
    return None if text.strip() == PERSON else read_player(text, game)


def read_colour(text: str, game: Game, seed: int) -> str:
    """The person's colour; "random" is drawn by the seed."""
    text = text.strip().lower()
    if text == RANDOM:
        return random.Random(seed).choice(game.colours)
    if text not in game.colours:
        listed = ", ".join([*game.colours, RANDOM])
        raise ValueError(f"--colour is one of {listed} in {game.name}, not {text!r}.")
    return text


def _pick(
    screen: Screen,
    ask: Ask,
    question: str,
    choices: Sequence[tuple[str, str]],
    usual: str | None = None,
    free: bool = False,
) -> str:
    """One of some choices, by its number or name; `free`: or any other text."""
    names = [name for name, _ in choices]
    usual = names[0] if usual is None else usual
    width = max(map(len, names))
    screen.say(question, "bold")
    for number, (name, text) in enumerate(choices, 1):
        screen.say(f"{number:>2} {name:<{width}}  {text}".rstrip(), indent=width + 5)
    while True:
        answer = ask(f"[{usual}] ").strip()
        if not answer:
            return usual
        if answer.isdecimal() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        if answer.lower() in names:
            return answer.lower()
        if free and not answer.isdecimal():
            return answer
        screen.complain(f"Not a choice: {answer!r}. Type a name, or a number up to {len(names)}.")


def edit_lines(words: Callable[[], Iterable[str]], complete: bool = True) -> None:
    """Let `input` edit lines (arrow keys for earlier ones); Tab completes one of `words()`.

    Without `complete` a tab is a tab, for it may be part of what is pasted. Where Python has no
    `readline`, lines are typed plainly.
    """
    try:
        import readline
    except ImportError:
        return

    def match(text: str, number: int) -> str | None:
        return next(iter(matching(text, words())[number:]), None)

    readline.set_completer(match if complete else None)
    readline.set_completer_delims(" \t\n")
    readline.parse_and_bind("tab: complete" if complete else "tab: self-insert")


def matching(text: str, words: Iterable[str]) -> list[str]:
    """The words that begin with a text, in any case, each with a space behind it.

    >>> matching("d", ["D5", "d4", "pass"])
    ['D5 ', 'd4 ']
    """
    return [f"{word} " for word in words if word.lower().startswith(text.lower())]


ROWS = 8
_ROW = re.compile(r"\s*[xX]?\d[xX\d\s]*")
_BEGINS = re.compile(r"\s*[xX]?\d")
_FEN = re.compile(r"\s*[\"']?[BW]:", re.IGNORECASE)


class BoardInput:
    """Whole boards typed or pasted instead of moves, as the checkers thesis has it.

    A game that can be played so has in its `notation.py`: `write_digits(position, before)` shows a
    board and marks what has changed, `read_next_board(position, text)` finds the move to a board.
    """

    help = (
        f"Paste the board after your move: {ROWS} rows of digits (0 empty, 1 black man, 2 black "
        "king, 3 white man, 4 white king; an x before a digit is ignored), or one line as "
        "CheckerBoard copies it (W:W21,...:B1,...). An empty line discards the rows typed so far. "
        "Moves in the game's notation work as well."
    )

    def __init__(self, game: Game) -> None:
        form = BOARD_INPUT.find(game)
        if form is None:
            listed = ", ".join(BOARD_INPUT.games())
            raise ValueError(
                f"Boards cannot be pasted in {game.name}, only in {listed}. "
                "Type moves instead: --input move."
            )
        self._form = form
        self._announced = -1  # the turn that was announced last

    def read(self, session: TerminalGame, screen: Screen, ask: Callable[[str], str]) -> str:
        """A board, a command or a move."""
        if self._announced != session.ply:
            self._announced = session.ply
            self._head(session, screen, session.ply)
        screen.show("Paste the board")
        rows: list[str] = []
        while True:
            line = ask("")
            if not (_BEGINS.match(line) if rows else _ROW.fullmatch(line)):
                # Rows end with an empty line; any other line stands by itself.
                return line if line.strip() else "\n".join(rows)
            rows.append(line)
            if len(rows) == ROWS:
                return "\n".join(rows)

    def is_board(self, text: str) -> bool:
        """Whether a text is meant as a board, even a bad one."""
        return "\n" in text or bool(_FEN.match(text) or _ROW.fullmatch(text))

    def move(self, position: Position, text: str) -> Any:
        """The move from a position to a board; a `NotationError` says why there is none."""
        return self._form.read_next_board(position, text)

    def show_turn(self, session: TerminalGame, screen: Screen) -> None:
        """Show the board, with what the last move has changed."""
        screen.show(self._form.write_digits(session.position, session.before))
        self._announced = -1

    def show_change(self, session: TerminalGame, screen: Screen) -> None:
        """Show what a move at the terminal has changed."""
        self.show_turn(session, screen)
        screen.show("")

    def show_reply(self, session: TerminalGame, screen: Screen, seconds: float) -> None:
        """Show the opponent's turn: its number, the board, and the time it took."""
        self._head(session, screen, session.ply - 1)
        self.show_change(session, screen)
        screen.show(f"Time elapsed this turn: {seconds:.2f} seconds")

    def _head(self, session: TerminalGame, screen: Screen, ply: int) -> None:
        side = session.game.colours.index(session.mover(ply))
        screen.show(f"Turn number {ply + 1}\nPlayer {side + 1}'s turn")
