"""The Go Text Protocol, version 2: commands, replies to them, and what their words mean in a game.

A command is one line: perhaps a number that the reply repeats, a name, and arguments. A reply
begins with `=`, or with `?` if the command failed, and ends with an empty line.

    >>> read_command("7 play black D5  # a joseki")
    Command(number='7', name='play', arguments=('black', 'D5'))
    >>> write_reply("D5", number="7")
    '=7 D5\\n\\n'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
