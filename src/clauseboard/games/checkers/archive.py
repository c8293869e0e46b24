"""Files of checkers games in PDN: read as a stream that no broken game stops, and written.

    archive = Archive("games.pdn")
    for record in archive:
        ...
    print(archive.report)

A game that cannot be replayed is left out, and the report says on which line and why. Memory does
not grow with the file. Lines are read as UTF-8, or as Latin-1 where they are none.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from clauseboard.game import AmbiguousMoveError, IllegalMoveError, NotationError, Outcome
from clauseboard.games.checkers.board import BLACK, WHITE
from clauseboard.games.checkers.notation import (
    read_move,
    read_move_loosely,
    read_path,
    write_position,
)
from clauseboard.games.checkers.rules import Checkers, CheckersMove, CheckersPosition
from clauseboard.games.checkers.tokens import RESULTS, Token, tokens
from clauseboard.games.report import Report, decoded

AS_PLAYED = Checkers(quiet_moves=None, repetitions=None)
"""The rules of records: only people ended these games early, never a counter."""

_HARD_SPACE = "\u00a0"  # keeps a move on the line of its number

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


@dataclass
class _Draft:
    """What has been read of a game that may not be complete."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[Token] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)
    variations: list[tuple[int, str]] = field(default_factory=list)
    result: str | None = None
    open_variations: int = 0
    words: list[str] = field(default_factory=list)
    unclosed: int = 0

    def begun(self) -> bool:
        """Whether there is more than tags, so that another tag belongs to another game."""
        return bool(self.moves or self.result or self.open_variations or self.unclosed)

    def empty(self) -> bool:
        return not (self.tags or self.begun())


class Archive:
    """The games of a file, or of any lines; `report` tells of the latest time through it.

    `strict=False` also takes games in which a jump was overlooked, or not finished. `one_zero` is
    the side that has won when the result is 1-0: black, who begins, unless told otherwise.
    """

    def __init__(
        self,
        source: str | Path | Iterable[str],
        *,
        strict: bool = True,
        game: Checkers = AS_PLAYED,
        one_zero: str = BLACK,
    ) -> None:
        if one_zero not in (BLACK, WHITE):
            raise ValueError(f"one_zero={one_zero!r} is neither {BLACK!r} nor {WHITE!r}.")
        self.source, self.strict, self.game, self.one_zero = source, strict, game, one_zero
        self.report = Report()

    def __iter__(self) -> Iterator[Record]:
        self.report = Report()
        name = str(self.source) if isinstance(self.source, str | Path) else ""
        for draft in _drafts(tokens(_lines(self.source))):
            try:
                record = self._replayed(draft)
            except _DroppedError as dropped:
                self.report.drop(name, dropped.line, dropped.reason, str(dropped))
            else:
                self.report.keep()
                yield record

    def _replayed(self, draft: _Draft) -> Record:
        kind = draft.tags.get("GameType", GAME_TYPE)
        if kind.split(",")[0].strip() != GAME_TYPE:
            raise _DroppedError(draft.line, "another kind of draughts", f"its GameType is {kind!r}")
        if draft.unclosed:
            raise _DroppedError(draft.unclosed, "a comment not closed", "the comment never ends")
        if draft.open_variations:
            raise _DroppedError(draft.line, "a variation not closed", "a bracket never closes")
        if not draft.moves:
            raise _DroppedError(draft.line, "no moves", "the game has no moves")
        try:
            fen = draft.tags.get("FEN")
            start = self.game.read_position(fen) if fen else self.game.start()
        except NotationError as error:
            raise _DroppedError(draft.line, "a set-up that cannot be", str(error)) from error
        moves, last = self._moves(start, draft.moves)
        outcome = self._outcome(draft)
        self._note(draft, outcome, last)
        return Record(
            start,
            moves,
            outcome,
            draft.tags,
            tuple(draft.comments),
            tuple(draft.variations),
            draft.line,
        )

    def _moves(
        self, start: CheckersPosition, texts: list[Token]
    ) -> tuple[tuple[CheckersMove, ...], CheckersPosition]:
        position, n = start, 0
        moves: list[CheckersMove] = []
        while n < len(texts):
            try:
                move, used = self._move(position, [token.text for token in texts[n : n + 12]])
            except NotationError as error:
                reason = _REASONS.get(type(error), "a move that cannot be read")
                message = f"move {len(moves) + 1}: {error}"
                raise _DroppedError(texts[n].line, reason, message) from error
            n += used
            moves.append(move)
            position = position.after(move)
        return tuple(moves), position

    def _move(self, position: CheckersPosition, texts: list[str]) -> tuple[CheckersMove, int]:
        """The next move, and of how many texts it is made."""
        try:
            return read_move(position, texts[0]), 1
        except IllegalMoveError:
            # Old files write a chain jump by jump: "11x18 18x25" is the one move "11x18x25".
            joined = _joined(position, texts)
            if joined is not None:
                return joined
            if self.strict:
                raise
        return read_move_loosely(position, texts[0]), 1

    def _outcome(self, draft: _Draft) -> Outcome | None:
        result = draft.tags.get("Result", draft.result)
        result = RESULTS.get(result or "", result)
        result = draft.result if result in ("*", None) else result
        if result == "1/2-1/2":
            return Outcome(None, "as recorded")
        if result in ("1-0", "0-1"):
            loser = self.game.other(self.one_zero)
            return Outcome(self.one_zero if result == "1-0" else loser, "as recorded")
        return None

    def _note(self, draft: _Draft, outcome: Outcome | None, last: CheckersPosition) -> None:
        """Count what is odd about a game that is kept."""
        tag = draft.tags.get("Result")
        if draft.result and tag and draft.result != "*" and tag not in ("*", draft.result):
            self.report.notes["a result that its tag contradicts"] += 1
        if draft.words:
            self.report.notes["comments without braces"] += 1
        if outcome is None:
            self.report.notes["no result"] += 1
        ended = last.outcome()
        if ended and ended.winner and outcome and outcome.winner != ended.winner:
            self.report.notes["a result that the board contradicts"] += 1


class _DroppedError(Exception):
    """Raised inside the reader where a game cannot be kept."""

    def __init__(self, line: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.line, self.reason = line, reason


_REASONS: dict[type, str] = {
    IllegalMoveError: "a move that is not legal",
    AmbiguousMoveError: "a move that is ambiguous",
}


def _joined(position: CheckersPosition, texts: list[str]) -> tuple[CheckersMove, int] | None:
    """The one move that several texts are together, and how many they are; mostly there is none."""
    try:
        path = read_path(texts[0])
        used = 1
        while used < len(texts) and (further := read_path(texts[used]))[0] == path[-1]:
            path += further[1:]
            used += 1
    except NotationError:
        return None
    if used == 1:
        return None
    for jump in position.jumps():
        if jump.path == path:
            return read_move(position, "x".join(map(str, path))), used
    return None


def _lines(source: str | Path | Iterable[str]) -> Iterator[str]:
    """The lines of a file, whatever its line ends, each in the encoding that it is in."""
    if not isinstance(source, str | Path):
        yield from source
        return
    # Latin-1 keeps every byte as it is, so that each line can be looked at again.
    with open(source, encoding="latin-1", newline=None) as file:
        for line in file:
            yield decoded(line.encode("latin-1"))


def _drafts(found: Iterator[Token]) -> Iterator[_Draft]:
    """Gather tokens into games; a new one begins with tags, after a result, or at move 1."""
    draft = _Draft(1)
    aside: list[str] = []
    for token in found:
        kind = token.kind
        new = (kind == "tag" and draft.begun()) or (
            not draft.open_variations
            and (
                (kind in ("number", "move") and draft.result is not None)
                or (
                    kind == "number" and token.text == "1" and not token.value and bool(draft.moves)
                )
            )
        )
        if new:
            yield draft
            draft = _Draft(token.line)
            aside = []
        if draft.empty():
            draft.line = token.line
        n_moves = len(draft.moves)
        if kind == "unclosed":
            draft.unclosed = token.line
        elif kind == "(":
            draft.open_variations += 1
        elif kind == ")":
            draft.open_variations = max(0, draft.open_variations - 1)
            if aside and not draft.open_variations:
                draft.variations.append((n_moves, " ".join(aside)))
                aside = []
        elif draft.open_variations:
            aside.append(f"{{{token.text}}}" if kind == "comment" else token.text)
        elif kind == "tag":
            draft.tags[token.text] = token.value
        elif kind == "move":
            draft.moves.append(token)
        elif kind == "result":
            draft.result = token.text
        elif kind == "comment":
            draft.comments.append((n_moves, token.text))
        elif kind == "word":
            draft.words.append(token.text)
            draft.comments.append((n_moves, token.text))
    if not draft.empty():
        yield draft


def write_record(record: Record, one_zero: str = BLACK) -> str:
    """A game in PDN, with its tags, comments and variations."""
    result = "*"
    if record.outcome is not None:
        winner = record.outcome.winner
        result = "1/2-1/2" if winner is None else "1-0" if winner == one_zero else "0-1"
    tags = dict.fromkeys(("Event", "Site", "Date", "Round", "Black", "White"), "?")
    tags |= dict(record.tags) | {"Result": result, "GameType": GAME_TYPE}
    if record.start.board != AS_PLAYED.start().board or record.start.to_move != BLACK:
        tags |= {"SetUp": "1", "FEN": write_position(record.start)}
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    said: dict[int, list[str]] = {}
    for n, text in record.comments:
        said.setdefault(n, []).append("{" + text.replace("}", ")") + "}")
    for n, text in record.variations:
        said.setdefault(n, []).append(f"({text})")
    words = said.get(0, [])
    for n, (position, move) in enumerate(zip(record.positions(), record.moves, strict=False)):
        number = (n + (record.start.to_move == WHITE)) // 2 + 1
        dots = f"{number}.{_HARD_SPACE}" if position.to_move == BLACK else ""
        dots = f"{number}...{_HARD_SPACE}" if position.to_move == WHITE and n == 0 else dots
        words.append(dots + _written(position, move))
        words += said.get(n + 1, [])
    text = " ".join([*words, result])
    wrapped = textwrap.wrap(text, 79, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", *wrapped, ""]).replace(_HARD_SPACE, " ")


def _written(position: CheckersPosition, move: CheckersMove) -> str:
    """A move in short, or with its path where it is one that only a careless record has."""
    return position.write_move(move) if move in position.possible_moves else str(move)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
