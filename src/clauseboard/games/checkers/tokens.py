"""The words of a PDN file: tags, moves, results, comments, and where each of them stands.

Files written by hand have comments without braces, spaces inside moves, comments that are never
closed; so this takes a file as it comes, line by line, and never gives up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from clauseboard.games.checkers.notation import MOVE, SIGN

TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
TAG_LINE = re.compile(r'\[\s*(\w+)\s+"(.*)"\s*\]\s*$')
"""A tag alone on its line, which may have careless quotes inside."""

USUAL_TAG = re.compile(r'\s*\[\s*(Event|Site|Date|Round|White|Black|Result|GameType|FEN)\s+"')
RESULT = re.compile(r"(1-0|0-1|2-0|0-2|1-1|0-0|1/2-1/2|½-½|\*)(?![\d/])")
NUMBER = re.compile(r"(\d+)\s*\.(\s*\.\.)?")
MARKS = re.compile(r"[!?*]+|\$\d+")
UNFINISHED_MOVE = re.compile(rf"\d{{1,2}}\s*{SIGN}\s*$")
WORD = re.compile(r"[^\s{}()\[;]+|\[")

RESULTS = {"2-0": "1-0", "0-2": "0-1", "1-1": "1/2-1/2", "½-½": "1/2-1/2", "0-0": "*"}
"""Other ways to write a result; 0-0 says that it does not count."""


@dataclass(frozen=True)
class Token:
    """A piece of a file: the line it is on, what kind of thing it is, and its text.

    Kinds are "tag" (with its name and value), "move", "number" (its value says whether more dots
    follow, as before white's move), "result", "comment", "word" (a comment without braces), "(",
    ")" and "unclosed" (a comment that a new game runs into).
    """

    line: int
    kind: str
    text: str
    value: str = ""


def tokens(lines: Iterable[str]) -> Iterator[Token]:
    """The tokens of the lines of a file, one line at a time.

    >>> [token.text for token in tokens(["1. 11-15! 23-19 {good}", "2. 8-11 *"])]
    ['1', '11-15', '23-19', 'good', '2', '8-11', '*']
    """
    comment: list[str] = []
    opened = 0  # the line on which the comment that is open began; 0: none is
    carried = ""
    line = 0
    for line, text in enumerate(lines, 1):
        rest = f"{carried} {text}" if carried else text
        carried = ""
        if opened and USUAL_TAG.match(rest):
            yield Token(opened, "unclosed", " ".join(comment))
            opened = 0
        if not opened and rest.startswith("%"):
            continue
        at = 0
        while at < len(rest):
            if opened:
                end = rest.find("}", at)
                comment.append(rest[at : end if end >= 0 else None].strip())
                if end < 0:
                    break
                yield Token(opened, "comment", " ".join(filter(None, comment)))
                opened, at = 0, end + 1
                continue
            first = rest[at]
            if first.isspace():
                at += 1
            elif first == "{":
                comment, opened, at = [], line, at + 1
            elif first == ";":
                yield Token(line, "comment", rest[at + 1 :].strip())
                break
            elif first in "()":
                yield Token(line, first, first)
                at += 1
            elif UNFINISHED_MOVE.match(rest, at):
                carried = rest[at:].strip()
                break
            else:
                token, at = _token(line, rest, at)
                if token is not None:
                    yield token
    if carried:
        yield Token(line, "word", carried)
    if opened:
        yield Token(opened, "unclosed", " ".join(comment))


def _token(line: int, text: str, at: int) -> tuple[Token | None, int]:
    """The token that begins here, None if it tells nothing, and where it ends."""
    if tag := TAG.match(text, at) or TAG_LINE.match(text, at):
        value = re.sub(r"\\(.)", r"\1", tag[2]).strip()
        return Token(line, "tag", tag[1], value), tag.end()
    if result := RESULT.match(text, at):
        return Token(line, "result", RESULTS.get(result[0], result[0])), result.end()
    if move := MOVE.match(text, at):
        marks = MARKS.match(text, move.end())
        return Token(line, "move", move[0]), marks.end() if marks else move.end()
    if number := NUMBER.match(text, at):
        return Token(line, "number", number[1], (number[2] or "").strip()), number.end()
    if marks := MARKS.match(text, at):
        return None, marks.end()
    word = WORD.match(text, at)
    if word is None:
        return None, at + 1
    return (Token(line, "word", word[0]) if word[0].strip(".") else None), word.end()
