"""The tokens of a PDN file gathered into games, none of which has been replayed yet.

A game begins with tags, after a result, or at move 1. Tags begin another game also after an empty
line that follows tags, or where one of them is there already.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from clauseboard.game import NotationError
from clauseboard.games.checkers.notation import read_path
from clauseboard.games.checkers.rules import Checkers
from clauseboard.games.checkers.tokens import Token

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
