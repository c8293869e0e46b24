"""The words of a PDN file: tags, moves, results, comments, and where each of them stands.

Files written by hand have comments without braces, spaces inside moves, comments that are never
closed; so this takes a file as it comes, line by line, and never gives up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple, TextIO

from clauseboard.game import NotationError
from clauseboard.games.checkers.notation import MOVE, SIGN, read_path
from clauseboard.games.checkers.rules import Checkers
from clauseboard.games.records import decoded

MOST_OPEN = 1 << 16
"""Characters of a comment or a variation that are kept; one that is longer costs its game."""

MOST_BETWEEN = 1 << 20
"""Lines, words and sixteens of characters without a tag, a move or a result; what has more of them
is no PDN."""
LONGEST_LINE = 1 << 16
"""Characters of a line that are read at once."""

TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]++|\\.)*+)"\s*\]')
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
OF_A_GAME = ("tag", "move", "result")


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


def text_lines(file: TextIO) -> Iterator[str]:
    """The lines of a file that is open as Latin-1, each in the encoding that it is in.

    Latin-1 keeps every byte as it is, so that each line can be looked at again. A line that is very
    long comes in parts, which end at a space if there is one.
    """
    rest = ""
    while part := file.readline(LONGEST_LINE):
        line, rest = rest + part, ""
        if len(part) == LONGEST_LINE and (cut := line.rfind(" ") + 1):
            line, rest = line[:cut], line[cut:]
        yield decoded(line.encode("latin-1"))
    if rest:
        yield decoded(rest.encode("latin-1"))


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
    """The tokens of the lines of a file, one line at a time; a `ValueError` if it is no PDN.

    >>> [token.text for token in tokens(["1. 11-15! 23-19 {good}", "2. 8-11 *"])]
    ['1', '11-15', '23-19', 'good', '2', '8-11', '*']
    """
    span: Span | None = None
    carried, carried_from, line, before = "", 0, 0, ""
    n_between = 0
    for line, text in enumerate(lines, 1):
        if n_between > MOST_BETWEEN:
            raise ValueError(f"This is no PDN: there is no game in much text up to line {line}.")
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
        n_between += 1 + len(found) + len(text) // 16
        if any(token.kind in OF_A_GAME for token in found):
            n_between = 0
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
            # Only behind nothing but tags, or a line of many brackets would be read over and over.
            alone = not found or found[-1].kind == "tag"
            token, at = _token(line, text, at, alone)
            if token is not None:
                found.append(token if found else token._replace(first=True))
    if found:
        found[-1] = found[-1]._replace(last=True)
    return found, span, ""


def _token(line: int, text: str, at: int, alone: bool) -> tuple[Token | None, int]:
    """The token that begins here, None if it tells nothing, and where it ends.

    `alone`: a tag that begins here may fill the rest of the line.
    """
    if text[at] == "[" and (
        tag := TAG.match(text, at) or (TAG_LINE.match(text, at) if alone else None)
    ):
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


# ---- the tokens of a PDN file gathered into games, none of which has been replayed yet
# A game begins with tags, after a result, or at move 1. Tags begin another game also after an
# empty line that follows tags, or where one of them is there already.

MOST_PARTS = 20_000
"""Moves, tags and comments that a game may have; a file of nothing but words fills no memory."""


@dataclass
class Draft:
    """What has been read of a game that may not be complete."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[Token] = field(default_factory=list)
    comments: list[tuple[int, str, bool]] = field(default_factory=list)
    """Comments after so many texts of moves, and whether it is a doubtful one of these texts."""
    variations: list[tuple[int, str]] = field(default_factory=list)
    result: str | None = None
    asterisk: Token | None = None
    """The `*` that is the result so far; before another move it was only praise."""
    words: bool = False
    unclosed: Token | None = None
    blank: bool = False
    """Whether an empty line follows the tags."""
    heading: int = 0
    """A line that begins with plain words where no game is going on: its moves are words too."""
    parts: int = 0

    def begun(self) -> bool:
        """Whether there is more than tags, so that another tag belongs to another game."""
        return bool(self.moves or self.result or self.unclosed)

    def empty(self) -> bool:
        """Whether no game has begun, though there may be words before it."""
        return not (self.tags or self.begun())

    def add(self, token: Token) -> None:
        """Take a token that belongs to this game."""
        kind, n_moves = token.kind, len(self.moves)
        self.parts += kind not in ("blank", "number")
        if self.empty():
            self.line = token.line
        if kind == "blank":
            self.blank = bool(self.tags)
        elif kind == "unclosed":
            self.unclosed = token
        elif kind == "result":
            self.result = token.text
            self.asterisk = token if token.value == "*" else None
        elif self.parts > MOST_PARTS:
            pass
        elif kind == "tag":
            self.tags[token.text] = token.value
        elif kind == "move" and self.heading != token.line:
            if token.value:
                self.comments.append((n_moves, token.text, True))
            self.moves.append(token)
            self._go_on()
        elif kind == "variation":
            self.variations.append((n_moves, token.text))
        elif kind == "comment":
            self.comments.append((n_moves, token.text, False))
        elif kind in ("word", "move"):
            self.words = True
            self.comments.append((n_moves, token.text, False))
            if token.first and (self.empty() or self.result is not None):
                self.heading = token.line
        elif kind == "number":
            self.heading = 0
            self._go_on()

    def _go_on(self) -> None:
        if self.asterisk:
            self.result = self.asterisk = None


def drafts(found: Iterator[Token]) -> Iterator[Draft]:
    """The games, one after the other, as far as they have been read."""
    draft = Draft(1)
    before = Token(0, "blank", "")
    for token, following in _with_next(found):
        if _is_new(draft, before, token, following):
            yield draft
            draft = Draft(token.line)
        draft.add(token)
        before = token
    if not draft.empty():
        yield draft


def _with_next(found: Iterator[Token]) -> Iterator[tuple[Token, Token | None]]:
    """Each token with the one after it."""
    token = next(found, None)
    while token is not None:
        following = next(found, None)
        yield token, following
        token = following


def _is_new(draft: Draft, before: Token, token: Token, following: Token | None) -> bool:
    """Whether a token begins another game."""
    if draft.unclosed and draft.unclosed.value == "not closed":
        return token.kind != "blank"
    if token.kind == "tag":
        return draft.begun() or (bool(draft.tags) and (draft.blank or token.text in draft.tags))
    if token.kind == "move":
        ended = draft.result is not None and (draft.asterisk is None or draft.asterisk.last)
        return ended and draft.heading != token.line
    if token.kind != "number" or not (draft.moves or draft.result):
        return False
    first = token.text == "1" and not token.value
    if draft.result is not None:
        return first or draft.asterisk is None
    if not first or following is None or following.kind != "move":
        return False
    # "As in game 1." begins none, though a move may follow.
    in_words = before.kind == "word" and before.line == token.line
    return token.first or (not in_words and _is_first_move(following.text))


def _is_first_move(text: str) -> bool:
    try:
        return read_path(text) in _FIRST_MOVES
    except NotationError:
        return False


_FIRST_MOVES = {move.path for move in Checkers().start().possible_moves}


# ---- games of an archive that are no plain games of checkers
# what is odd about them, rule by rule. Someone forfeited, the result is said to be wrong, a rule
# was overlooked: the board at the end tells little of who won. Comments say so in plain English;
# each rule here looks for a few words. What breaks the pattern of an archive (a position that was
# set up, words between the moves, two results) is told apart as well.

FORFEIT = "a comment about a forfeit"
WRONG_RESULT = "a comment about a wrong result"
OVERLOOKED_RULE = "a comment about an overlooked rule"
SET_UP = "a position that was set up"
WORDS = "words between the moves"
TWO_RESULTS = "two results that differ"

_RESULT = r"(?:result|score|outcome)s?"
_WRONG = r"(?:wrong|incorrect|erroneous|mistaken|false|in error|disputed|doubtful|not correct)"
_ACTUAL = r"(?:a |an )?(?:win|won|loss|lost|draw|drawn|1-0|0-1|1/2-1/2)"
_JUMP = r"(?:jump|jumps|jumped|jumping|capture|captures|captured|exchange|take|huff)"
_RULE = r"(?:rule|rules|jump|jumps|capture|captures|take|takes)"

COMMENTS: dict[str, re.Pattern[str]] = {
    FORFEIT: re.compile(
        r"\bforfeit|\b(?:by|on|through) default\b|\bdefaulted\b"
        r"|\b(?:lost|loses?|loss|won|wins?) (?:on|by) time\b|\btime (?:forfeit|expired|ran out)"
        r"|\b(?:did not|failed to|didn't) (?:appear|show|turn up|arrive)\b",
        re.IGNORECASE,
    ),
    WRONG_RESULT: re.compile(
        rf"\b{_WRONG} {_RESULT}\b|\b{_RESULT}\b[^.;]{{0,40}}\b{_WRONG}\b"
        rf"|\b{_RESULT} (?:should|ought to) (?:be|have been)\b"
        rf"|\bshould (?:be|have been|read) {_ACTUAL}(?![\w/])"
        rf"|\b(?:actual|real|true|correct) {_RESULT}\b"
        rf"|\b(?:wrongly|incorrectly|erroneously) (?:given|listed|recorded|scored|reported)\b"
        rf"|\b(?:given|listed|recorded|scored|reported) (?:wrongly|incorrectly|erroneously)\b",
        re.IGNORECASE,
    ),
    OVERLOOKED_RULE: re.compile(
        rf"\boverlook\w*\b[^.;]{{0,40}}\b{_RULE}\b|\b{_RULE}\b[^.;]{{0,40}}\boverlook"
        rf"|\bmissed\b[^.;]{{0,20}}\b{_JUMP}\b|\b(?:must|should|had to) (?:have )?{_JUMP}\b"
        rf"|\b(?:did not|didn't|failed to|forgot to|neglected to) {_JUMP}\b"
        r"|\billegal|\bagainst the rules?\b|\bout of turn\b|\bhuff(?:ed|s)?\b|\bmoved twice\b"
        r"|\bwrong (?:colou?r|side|piece)\b|\bimpossible move\b",
        re.IGNORECASE,
    ),
}
"""What comments are looked through for, in this order."""

REASONS = (*COMMENTS, TWO_RESULTS, SET_UP, WORDS)
"""All that can be odd, in the order in which it is looked for."""

MOST_SHOWN = 80
"""Characters of a comment that are quoted."""


def oddity(draft: Draft) -> tuple[int, str, str] | None:
    """What is odd about a game: the line, the reason, and more about it; None if nothing is.

    >>> from clauseboard.games.checkers.pdn_games import drafts
    >>> from clauseboard.games.checkers.pdn_games import tokens
    >>> (draft,) = drafts(tokens(["1. 11-15 23-19", "2. 8-11 {White forfeited.} 1-0"]))
    >>> oddity(draft)
    (2, 'a comment about a forfeit', "it says 'White forfeited.'")
    """
    for n_moves, text in _comments(draft):
        for reason, words in COMMENTS.items():
            if found := words.search(text):
                line = draft.moves[n_moves - 1].line if n_moves else draft.line
                return line, reason, f"it says {_part(text, found.start())!r}"
    known = {result_of(draft.tags.get("Result", "")), draft.result} - {"*", None}
    if len(known) > 1:
        tag = draft.tags["Result"]
        detail = f"its tag says {tag!r}, and the moves end in {draft.result!r}"
        return draft.line, TWO_RESULTS, detail
    if "FEN" in draft.tags:
        return draft.line, SET_UP, f"it begins at {_part(draft.tags['FEN'], 0)!r}"
    # Words before the first move or after the last may be the heading of a game.
    between = [text for n_moves, text in _comments(draft) if 0 < n_moves < len(draft.moves)]
    if draft.words and between:
        return draft.line, WORDS, f"there is text without braces, such as {_part(between[0], 0)!r}"
    return None


def _comments(draft: Draft) -> list[tuple[int, str]]:
    """The comments by the number of moves before them; words without braces come as one text."""
    return [
        (n_moves, " ".join(text for _, text, _ in some))
        for n_moves, some in groupby(draft.comments, key=lambda comment: comment[0])
    ]


def _part(text: str, at: int) -> str:
    """A comment, or the part of a long one that begins shortly before a place."""
    begin = 0 if len(text) <= MOST_SHOWN else max(at - MOST_SHOWN // 2, 0)
    shown = text[begin : begin + MOST_SHOWN]
    return f"{'...' if begin else ''}{shown}{'...' if begin + MOST_SHOWN < len(text) else ''}"
