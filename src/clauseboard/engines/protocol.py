"""The lines of the Go Text Protocol, version 2: commands, and replies to them.

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

_CONTROLS = dict.fromkeys((*range(32), 127)) | {ord("\t"): " ", ord("\n"): "\n"}
_COMMAND = re.compile(r"(?:([0-9]+)(?: +|$))?([^ ]*) *(.*)")
_REPLY = re.compile(r"([=?])([0-9]*)(?: +|$)(.*)")


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
    found = _COMMAND.fullmatch(text)
    assert found is not None
    return Command(found[1] or "", found[2], tuple(found[3].split()))


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
    found = _REPLY.fullmatch(first)
    if found is None:
        return None
    return Reply(found[1] == "=", found[2], "\n".join([found[3], *rest]).strip())
