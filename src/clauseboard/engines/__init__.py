"""Talking to other programs: the Go Text Protocol for every game, and OpenSpiel.

Here is the protocol, version 2: commands, replies to them, and what their words mean in a game. A
command is one line: perhaps a number that the reply repeats, a name, and arguments. A reply begins
with `=`, or with `?` if the command failed, and ends with an empty line.

    >>> read_command("7 play black D5  # a joseki")
    Command(number='7', name='play', arguments=('black', 'D5'))
    >>> write_reply("D5", number="7")
    '=7 D5\\n\\n'
"""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from clauseboard.game import Game, Move, Position
from clauseboard.games.plugins import GTP, GTP_SWAP, GtpPlugin

_CONTROLS = dict.fromkeys((*range(32), 127)) | {ord("\t"): " ", ord("\n"): "\n"}
_COMMAND = re.compile(r"(?:([0-9]+)(?: +|$))?([^ ]*) *(.*)")
_REPLY = re.compile(r"([=?])([0-9]*)(?: +|$)(.*)")


Dialect = GtpPlugin[Game, Position, Move]
"""What the words of the protocol mean in a game."""


class EngineError(RuntimeError):
    """Another program failed: it hangs, died, or said what it must not. The text is the reason."""


@dataclass(frozen=True)
class Command:
    """A command: its number as it was written, or nothing; its name; its arguments."""

    number: str
    name: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reply:
    """A reply: whether the command succeeded, its number, and what was said."""

    succeeded: bool
    number: str
    text: str


def cleaned(text: str) -> str:
    """A text without control characters; a tab becomes a space, and line feeds stay."""
    return text.translate(_CONTROLS)


def read_command(line: str) -> Command | None:
    """The command of a line, or None if there is nothing in it but spaces and comments."""
    text = cleaned(line).replace("\n", "").partition("#")[0].strip(" ")
    if not text:
        return None
    parts = _COMMAND.fullmatch(text)
    assert parts is not None
    return Command(parts[1] or "", parts[2], tuple(parts[3].split()))


def write_reply(text: str = "", number: str = "", succeeded: bool = True) -> str:
    """A reply as it is sent: without empty lines but the last one, which ends it.

    There is always a space behind the sign and the number, which HexGui insists on.
    """
    lines = [line.rstrip() for line in cleaned(text).split("\n")]
    # Only the first line may be empty: a board begins below the sign.
    kept = [lines[0], *(line for line in lines[1:] if line)]
    body = "\n".join(kept)
    return f"{'=' if succeeded else '?'}{number} {body}\n\n"


def read_reply(lines: Sequence[str]) -> Reply | None:
    """The reply that some lines are, without the empty one; None if they are no reply."""
    first, *rest = [cleaned(line).replace("\n", "") for line in lines] or [""]
    parts = _REPLY.fullmatch(first)
    if parts is None:
        return None
    return Reply(parts[1] == "=", parts[2], "\n".join([parts[3], *rest]).strip())


INTERRUPT = "# interrupt"
MOST_WAITING = 1000
"""Lines that are read before those before them are answered."""


class CommandReader:
    """Lines of the input, read in a thread of their own, so that one can come while another works.

    >>> reader = CommandReader(["genmove black", "# interrupt", "quit"])
    >>> [(line, reader.is_interrupted()) for line in reader]
    [('genmove black', True), ('quit', False)]
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._waiting: queue.Queue[str | None] = queue.Queue(MOST_WAITING)
        self._n_read = self._n_taken = self._n_interrupted = 0
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._read, args=(lines,), daemon=True)
        self._thread.start()

    def _read(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                if line.strip() == INTERRUPT:
                    # It is meant for what was sent before it, which may not have begun yet.
                    self._n_interrupted = self._n_read
                else:
                    self._n_read += 1
                    self._waiting.put(line)
        except BaseException as error:
            self._fault = error
        self._waiting.put(None)

    def __iter__(self) -> Iterator[str]:
        while (line := self._waiting.get()) is not None:
            self._n_taken += 1
            yield line
        if self._fault is not None:
            raise self._fault

    def is_interrupted(self) -> bool:
        """Whether the line that was taken last is to be done with at once."""
        return self._n_taken <= self._n_interrupted

    def is_awaited(self) -> bool:
        """Whether another line is there, or the input has ended, or there was an interrupt."""
        return not self._waiting.empty() or self.is_interrupted()


def dialect_of(game: Game) -> Dialect:
    """The words of a game."""
    dialect = GTP.find(game)
    if dialect is None:
        raise ValueError(f"{game.name} cannot be played with other programs: it has no gtp.py.")
    return dialect


def word_for(dialect: Dialect, colour: str) -> str:
    """The word for a colour that is sent."""
    return next(word for word, meant in dialect.COLOURS.items() if meant == colour)


def exchanges(game: Game, move: Move) -> bool:
    """Whether the players take each other's colour over there with this move."""
    swaps = GTP_SWAP.find(game)
    return swaps is not None and swaps.exchanges(move)
