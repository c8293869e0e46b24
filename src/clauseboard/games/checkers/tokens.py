"""The words of a PDN file: tags, moves, results, comments, and where each of them stands.

Files written by hand have comments without braces, spaces inside moves, comments that are never
closed; so this takes a file as it comes, line by line, and never gives up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from clauseboard.games.checkers.notation import MOVE, SIGN

MOST_OPEN = 1 << 16
"""Characters of a comment or a variation that are kept; one that is longer costs its game."""

TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
TAG_LINE = re.compile(r'\[\s*(\w+)\s+"(.*)"\s*\]\s*$')
"""A tag alone on its line, which may have careless quotes inside."""
TAG_AHEAD = re.compile(
    rf'\s*(?:{TAG.pattern}|\[\s*(?:Event|Site|Date|Round|White|Black|Result|GameType|FEN)\s+")'
)

_SCORE = r"1/2{0}1/2|½{0}½|2{0}0|1{0}[01]|0{0}[012]".format(r"\s*[-\u2013\u2014]\s*")
SCORE = rf"(?:{_SCORE}|\*|1/2|½)"
RESULT = re.compile(rf"((?:{_SCORE}|\*)(?![\d/])|(?:1/2|½)(?=\s*$))")
"""A result; half a point alone is one only at the end of a line."""
RESULT_LAST = re.compile(rf"(?:^|\s){RESULT.pattern}\s*$")
GAME_AHEAD = re.compile(r"\s*1\s*\.(?!\s*\.)")
MOVE_AHEAD = re.compile(rf"\s*{MOVE.pattern}")

NUMBER = re.compile(r"(\d+)\s*\.(\s*\.\.)?")
BRACKET = re.compile(r"[(){}]")
MARKS = re.compile(r"[!?*]+|\$\d+")
LAST_MOVE = re.compile(rf"\d{{1,2}}(?:\s*{SIGN}\s*\d{{1,2}})*\s*(?:{SIGN}\s*)?$")
"""What ends a line and may go on in the next one: a move, or the beginning of one."""
NEVER_AFTER_A_MOVE = re.compile(r"[\d_]")
WORD = re.compile(r"[^\s{}()\[;]+|\[")
NO_MOVE = re.compile(r"\d+(?:[-xX:\u00d7\u2013_]\d*)+[!?*.,]*")
"""Digits and the signs of moves; where it is no move it must have been meant as one."""

PLAIN_WORD = rf"(?:\d+\.|(?!{_SCORE})\d{{1,2}}(?:[-x]\d{{1,2}})+)"
PLAIN = re.compile(rf"(?:{PLAIN_WORD} +){{1,400}}(?!$|\s|{SIGN}|\.)")
"""How most lines begin: with numbers and moves, spaces between them, and nothing that goes on."""

RESULTS = {"2-0": "1-0", "0-2": "0-1", "1-1": "1/2-1/2", "½-½": "1/2-1/2", "0-0": "*"}
"""Other ways to write a result; 0-0 says that it does not count."""
HALVES = {"1/2": "1/2-1/2", "½": "1/2-1/2"}
SCORES = ("1-0", "0-1", "1/2-1/2", "*")


class Token(NamedTuple):
    """A piece of a file: the line it is on, what kind of thing it is, and its text.

    Kinds are "tag" (with its name and value), "move" (also what must have been meant as one; its
    value is "doubtful" where it may be part of a comment without braces), "number" (its value says
    whether more dots follow, as before white's move), "result", "comment", "word" (a comment
    without braces), "variation", "blank" (an empty line) and "unclosed" (a comment or a variation
    that a new game runs into, or that is too long).
    """

    line: int
    kind: str
    text: str
    value: str = ""
    first: bool = False
    """Whether it is the first on its line."""
    last: bool = False
    """Whether it is the last on its line."""


def result_of(text: str) -> str | None:
    """What a result says, in the usual way of writing it; None if it is none.

    >>> [result_of(text) for text in ("2-0", "0 - 1", "1/2-1/2", "?")]
    ['1-0', '0-1', '1/2-1/2', None]
    """
    plain = re.sub(r"\s*[-\u2013\u2014]\s*", "-", text.strip())
    plain = RESULTS.get(plain, plain)
    return plain if plain in SCORES else None


def one_line(text: str) -> str:
    """A text with every run of spaces and line ends as one space."""
    return " ".join(text.split())


class Span:
    """A comment or a variation that is being read, maybe over many lines.

    Inside a variation there may be others, and comments, in which a bracket means nothing.
    """

    def __init__(self, kind: str, line: int) -> None:
        self.kind, self.line = kind, line
        self.depth = 1
        self.in_comment = kind == "comment"
        self.parts: list[str] = []
        self.size = 0

    def take(self, text: str, at: int) -> int:
        """Read on in a line: where the span has ended, or -1 if it has not."""
        for sign in BRACKET.finditer(text, at):
            if self.in_comment:
                self.in_comment = sign[0] != "}"
                self.depth -= self.kind == "comment" and not self.in_comment
            else:
                self.in_comment = sign[0] == "{"
                self.depth += (sign[0] == "(") - (sign[0] == ")")
            if not self.depth:
                self._keep(text[at : sign.start()])
                return sign.end()
        self._keep(text[at:])
        return -1

    def _keep(self, text: str) -> None:
        self.size += len(text)
        if self.size <= MOST_OPEN:
            self.parts.append(text)

    def token(self, closed: bool) -> Token:
        """What it is in the end."""
        if not closed:
            return Token(self.line, "unclosed", self.kind, "not closed")
        if self.size > MOST_OPEN:
            return Token(self.line, "unclosed", self.kind, "too long")
        return Token(self.line, self.kind, one_line(" ".join(self.parts)))


def tokens(lines: Iterable[str]) -> Iterator[Token]:
    """The tokens of the lines of a file, one line at a time.

    >>> [token.text for token in tokens(["1. 11-15! 23-19 {good}", "2. 8-11 *"])]
    ['1', '11-15', '23-19', 'good', '2', '8-11', '*']
    """
    span: Span | None = None
    carried, carried_from, line, before = "", 0, 0, ""
    for line, text in enumerate(lines, 1):
        if span and _begins_a_game(text, before):
            yield span.token(closed=False)
            span = None
        before = text
        if span is None and text.startswith("%"):
            continue
        if carried and not _goes_on(carried, text):
            yield from _line_tokens(carried_from, carried)[0]
            carried = ""
        joined = f"{carried} {text}" if carried else text
        found, span, carried = _line_tokens(line, joined, span, text_follows=True)
        carried_from = line if text.strip() else carried_from
        yield from _plain_words(found)
        if span is None and not text.strip():
            yield Token(line, "blank", "")
    if carried:
        yield from _line_tokens(carried_from, carried)[0]
    if span:
        yield span.token(closed=False)


def _begins_a_game(text: str, before: str) -> bool:
    """Whether a line must be the beginning of a game, so that what is open was never closed."""
    if TAG_AHEAD.match(text):
        return True
    if GAME_AHEAD.match(text):
        return not before.strip() or bool(RESULT_LAST.search(before))
    return bool(MOVE_AHEAD.match(text) and RESULT_LAST.search(before))


def _goes_on(carried: str, text: str) -> bool:
    """Whether a move at the end of a line goes on in the next one."""
    if re.match(rf"\s*{SIGN}\s*\d", text):
        return True
    unfinished = re.search(rf"{SIGN}\s*$", carried) is not None
    return unfinished and re.match(r"\s*(?:\d{1,2}(?!\s*\.|\d)|$)", text) is not None


def _line_tokens(
    line: int, text: str, span: Span | None = None, text_follows: bool = False
) -> tuple[list[Token], Span | None, str]:
    """The tokens of a line, what is still open at its end, and the move that may not be whole."""
    found: list[Token] = []
    at = 0
    if span is None and (plain := PLAIN.match(text)):
        at = plain.end()
        found = [
            Token(line, "number", word[:-1]) if word[-1] == "." else Token(line, "move", word)
            for word in plain[0].split()
        ]
        found[0] = found[0]._replace(first=True)
    while at < len(text):
        if span:
            end = span.take(text, at)
            if end < 0:
                return found, span, ""
            found.append(span.token(closed=True))
            span, at = None, end
        elif text[at].isspace():
            at += 1
        elif text[at] in "{(":
            span, at = Span("comment" if text[at] == "{" else "variation", line), at + 1
        elif text[at] == ";":
            found.append(Token(line, "comment", one_line(text[at + 1 :])))
            break
        elif text_follows and LAST_MOVE.match(text, at) and not RESULT.match(text, at):
            return found, None, text[at:].strip()
        else:
            token, at = _token(line, text, at)
            if token is not None:
                found.append(token if found else token._replace(first=True))
    if found:
        found[-1] = found[-1]._replace(last=True)
    return found, span, ""


def _token(line: int, text: str, at: int) -> tuple[Token | None, int]:
    """The token that begins here, None if it tells nothing, and where it ends."""
    if text[at] == "[" and (tag := TAG.match(text, at) or TAG_LINE.match(text, at)):
        value = re.sub(r"\\(.)", r"\1", tag[2]).strip()
        return Token(line, "tag", tag[1], value), tag.end()
    if result := RESULT.match(text, at):
        score = HALVES.get(result[0]) or result_of(result[0]) or "*"
        return Token(line, "result", score, result[0]), result.end()
    move = MOVE.match(text, at)
    if move and not NEVER_AFTER_A_MOVE.match(text, move.end()):
        marks = MARKS.match(text, move.end())
        return Token(line, "move", move[0]), marks.end() if marks else move.end()
    if number := NUMBER.match(text, at):
        return Token(line, "number", number[1], (number[2] or "").strip()), number.end()
    if marks := MARKS.match(text, at):
        return None, marks.end()
    word = WORD.match(text, at)
    if word is None:
        return None, at + 1
    if NO_MOVE.fullmatch(word[0]):
        return Token(line, "move", word[0]), word.end()
    return (Token(line, "word", word[0]) if word[0].strip(".") else None), word.end()


def _plain_words(found: list[Token]) -> Iterator[Token]:
    """The tokens of a line, where a move with plain words on both sides is marked as doubtful.

    What cannot be a move is a word after a plain word: "played 12-10-1841".
    """
    if not any(token.kind == "word" for token in found):
        yield from found
        return
    for n, token in enumerate(found):
        before, after = found[max(n - 1, 0)], found[min(n + 1, len(found) - 1)]
        if token.kind != "move" or not _says_something(before):
            yield token
        elif not MOVE.fullmatch(token.text):
            yield token._replace(kind="word")
        else:
            yield token._replace(value="doubtful") if _says_something(after) else token


def _says_something(token: Token) -> bool:
    return token.kind == "word" and any(map(str.isalpha, token.text))
