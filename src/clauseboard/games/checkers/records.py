"""A game of checkers as it was written down, and how it is written as PDN."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from clauseboard.game import Outcome
from clauseboard.games.checkers.board import BLACK, WHITE
from clauseboard.games.checkers.notation import write_position
from clauseboard.games.checkers.rules import Checkers, CheckersMove, CheckersPosition
from clauseboard.games.checkers.tokens import MOST_OPEN, SCORE, Span, one_line

AS_PLAYED = Checkers(quiet_moves=None, repetitions=None)
"""The rules of records: only people ended these games early, never a counter."""

_HARD_SPACE = "\0"  # keeps what belongs together on one line

GAME_TYPE = "21"
"""What PDN calls this game among all kinds of draughts."""


@dataclass(frozen=True)
class Record:
    """A game as it was written down."""

    start: CheckersPosition
    moves: tuple[CheckersMove, ...]
    outcome: Outcome | None = None
    """Who won by the record, or None where it does not say."""
    tags: Mapping[str, str] = field(default_factory=dict)
    comments: tuple[tuple[int, str], ...] = ()
    """Comments, each with the number of moves before it."""
    variations: tuple[tuple[int, str], ...] = ()
    """Other moves that someone mentions, as text, each with the number of moves before it."""
    line: int = 0
    """Where the game begins in its file."""

    def positions(self) -> Iterator[CheckersPosition]:
        """The position at the start and after each move."""
        position = self.start
        yield position
        for move in self.moves:
            position = position.after(move)
            yield position


def write_record(record: Record, one_zero: str = BLACK) -> str:
    """A game in PDN, with its tags, comments and variations.

    What could not be read again is refused; lines within a comment or variation become one.
    """
    result = "*"
    if record.outcome is not None:
        winner = record.outcome.winner
        result = "1/2-1/2" if winner is None else "1-0" if winner == one_zero else "0-1"
    tags = dict.fromkeys(("Event", "Site", "Date", "Round", "Black", "White"), "?")
    tags |= {k: v for k, v in record.tags.items() if k not in ("FEN", "SetUp")}
    tags |= {"Result": result, "GameType": GAME_TYPE}
    if record.start.board != AS_PLAYED.start().board or record.start.to_move != BLACK:
        tags |= {"SetUp": "1", "FEN": write_position(record.start)}
    lines = [_tag(name, value) for name, value in tags.items()]
    said: dict[int, list[str]] = {}
    for n, text in record.comments:
        said.setdefault(n, []).append(_comment(text))
    for n, text in record.variations:
        said.setdefault(n, []).append(_variation(text))
    for n in said:
        if not 0 <= n <= len(record.moves):
            raise ValueError(f"Something is said after move {n} of {len(record.moves)}.")
    words = said.get(0, [])
    for n, (position, move) in enumerate(zip(record.positions(), record.moves, strict=False)):
        number = (n + (record.start.to_move == WHITE)) // 2 + 1
        dots = f"{number}.{_HARD_SPACE}" if position.to_move == BLACK else ""
        dots = f"{number}...{_HARD_SPACE}" if position.to_move == WHITE and n == 0 else dots
        words.append(dots + _written(position, move))
        words += said.get(n + 1, [])
    body: list[str] = []
    # A comment that holds a brace ends with its line.
    for part in " ".join([*words, result]).split("\n"):
        body += [part] if part.startswith(";") else _wrapped(part)
    return "\n".join([*lines, "", *body, ""]).replace(_HARD_SPACE, " ")


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 79, break_long_words=False, break_on_hyphens=False)


def _tag(name: str, value: str) -> str:
    if not re.fullmatch(r"\w+", name):
        raise ValueError(f"{name!r} is no name of a tag: it is made of letters, digits and _.")
    if re.search(r"[\r\n\0]", value):
        raise ValueError(f"The tag {name} cannot hold {value!r}: it has to stay on one line.")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _comment(text: str) -> str:
    """A comment in braces, or on a line of its own where it holds a closing one."""
    plain = one_line(text.replace("\0", " "))
    if "}" in plain:
        return f"\n;{_HARD_SPACE}{plain}\n"
    return _together(f"{{{plain}}}")


def _variation(text: str) -> str:
    plain = one_line(text.replace("\0", " "))
    if Span("variation", 0).take(f"{plain})", 0) != len(plain) + 1:
        raise ValueError(f"The variation {text!r} has brackets or braces that do not match.")
    return _together(f"({plain})")


def _together(text: str) -> str:
    """Keep a line from beginning with what looks like another game (see `tokens`)."""
    if len(text) - 2 > MOST_OPEN:
        raise ValueError(
            f"{text[:40]!r}... has {len(text) - 2:,} characters; {MOST_OPEN:,} can be read again."
        )
    text = text.replace(" [", f"{_HARD_SPACE}[")
    return re.sub(rf"({SCORE}) (?=\d)", rf"\g<1>{_HARD_SPACE}", text)


def _written(position: CheckersPosition, move: CheckersMove) -> str:
    """A move in short, or with its path where it is one that only a careless record has."""
    return position.write_move(move) if move in position.possible_moves else str(move)
