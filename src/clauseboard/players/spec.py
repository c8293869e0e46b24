"""Players in one line of text: "tsetlin:machine=black.tm,search=mcts,simulations=1000"."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Mapping

_NAME = r"[A-Za-z][\w-]*"
# A value is quoted as Python does it, or in brackets without others inside, or has no comma.
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_BRACKETED = r"\{[^{}]*\}|\([^()]*\)|\[[^\[\]]*\]"
_VALUE = rf"{_QUOTED}|{_BRACKETED}|(?:[^,'\"({{\[][^,]*)?"
_OPTION = re.compile(rf"\s*({_NAME})\s*=\s*({_VALUE})\s*(?:,|$)")
_WORDS = {"true": True, "false": False, "none": None}
_PLAIN = re.compile(r"[^\s,'\"(){}\[\]]+")


def read_spec(text: str) -> tuple[str, dict[str, object]]:
    """The name and the options of a player, from "name" or "name:key=value,key=value".

    Values are numbers, true, false and none, or text, which stands in quotes if it holds a comma.

    >>> read_spec("engine:command='gnugo --mode gtp', seconds=0.5")
    ('engine', {'command': 'gnugo --mode gtp', 'seconds': 0.5})
    """
    name, colon, rest = text.partition(":")
    name = name.strip()
    if not re.fullmatch(_NAME, name) or (colon and not rest.strip()):
        raise ValueError(f"{text!r} is not a player; write it as {_EXAMPLE}.")
    options: dict[str, object] = {}
    place = 0
    while place < len(rest):
        option = _OPTION.match(rest, place)
        if option is None:
            raise ValueError(
                f"In the player {text!r}, {rest[place:].strip()!r} is not an option; write them "
                f"as {_EXAMPLE}, and values with a comma in quotes."
            )
        key = option[1].replace("-", "_")
        if key in options:
            raise ValueError(f"The player {text!r} has the option {option[1]!r} twice.")
        options[key] = read_value(option[2].strip())
        place = option.end()
    return name, options


def write_spec(name: str, options: Mapping[str, object]) -> str:
    """The line that `read_spec` reads back, if every option can be written in a line.

    >>> write_spec("random", {})
    'random'
    >>> write_spec("tsetlin", {"machine": "a,b.tm", "zero": True})
    "tsetlin:machine='a,b.tm',zero=True"
    """
    written = ",".join(f"{key}={_written(value)}" for key, value in options.items())
    return f"{name}:{written}" if written else name


def named_files(text: str) -> tuple[str, ...]:
    """The files that a player's options name, also where an option describes a player itself.

    >>> named_files("tsetlin:machine=there-is-no-such-file.tm")
    ()
    """
    try:
        _, options = read_spec(text)
    except ValueError:
        return ()
    files: list[str] = []
    for value in options.values():
        if isinstance(value, str):
            files += [value] if os.path.isfile(value) else named_files(value)
    return tuple(files)


_EXAMPLE = "name:key=value,key=value"


def read_value(text: str) -> object:
    """A value as Python writes it, or true, false or none; all else is text.

    >>> read_value("7"), read_value("true"), read_value("(9, -9)"), read_value("draw")
    (7, True, (9, -9), 'draw')
    """
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return text


def _written(value: object) -> str:
    if isinstance(value, str):
        # Text that would be read as something else, or not as one value, is quoted.
        plain = _PLAIN.fullmatch(value) is not None and read_value(value) == value
        return value if plain else repr(value)
    if value is None or isinstance(value, bool | int | float | dict | list | tuple):
        return repr(value)
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else f"<{type(value).__name__}>"
