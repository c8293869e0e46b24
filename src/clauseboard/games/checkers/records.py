"""A game of checkers as it was written down, and how it is written as PDN."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clauseboard.checks import one_of
from clauseboard.game import AmbiguousMoveError, IllegalMoveError, NotationError, Outcome
from clauseboard.games.checkers.notation import (
    read_move,
    read_move_loosely,
    read_path,
    write_position,
)
from clauseboard.games.checkers.pdn_games import (
    HALVES,
    MOST_OPEN,
    MOST_PARTS,
    SCORE,
    Draft,
    Span,
    Token,
    drafts,
    one_line,
    result_of,
    text_lines,
    tokens,
)
from clauseboard.games.checkers.rules import BLACK, WHITE, Checkers, CheckersMove, CheckersPosition
from clauseboard.games.records import Recorded, RecordNotes, Report

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
        raise ValueError(f"{name!r} is not a tag name: it must consist of letters, digits and _.")
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
            f"{text[:40]!r}... has {len(text) - 2:,} characters; at most {MOST_OPEN:,} can be "
            "read back."
        )
    text = text.replace(" [", f"{_HARD_SPACE}[")
    return re.sub(rf"({SCORE}) (?=\d)", rf"\g<1>{_HARD_SPACE}", text)


def _written(position: CheckersPosition, move: CheckersMove) -> str:
    """A move in short, or with its path where it is one that only a careless record has."""
    return position.write_move(move) if move in position.possible_moves else str(move)


# ---- files of checkers games in PDN
# read as a stream that no broken game stops, and written.  A game that cannot be replayed is left
# out, and the report says on which line and why. Memory does not grow with the file. Lines are
# read as UTF-8, or as Latin-1 where they are none.


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
        one_of("one_zero", one_zero, (BLACK, WHITE))
        self.source, self.strict, self.game, self.one_zero = source, strict, game, one_zero
        self.report = Report()

    def __iter__(self) -> Iterator[Record]:
        self.report = Report()
        name = str(self.source) if isinstance(self.source, str | Path) else ""
        for draft in drafts(tokens(_lines(self.source))):
            try:
                record = self.replayed(draft)
            except DroppedError as dropped:
                self.report.drop(name, dropped.line, dropped.reason, str(dropped))
            else:
                self.report.keep()
                yield record

    def replayed(self, draft: Draft) -> Record:
        """The game that a draft is; a `DroppedError` if it cannot be kept."""
        self.check(draft)
        try:
            fen = draft.tags.get("FEN")
            start = self.game.read_position(fen) if fen else self.game.start()
        except NotationError as error:
            raise DroppedError(draft.line, "a set-up that cannot be", str(error)) from error
        played = self._played(start, draft.moves)
        if not played.moves:
            raise DroppedError(draft.line, "no moves", "what looks like moves is words")
        outcome = self.outcome(draft)
        self.note(draft, outcome, played.last)
        return Record(
            start,
            tuple(played.moves),
            outcome,
            draft.tags,
            tuple(
                (played.made[n], text)
                for n, text, doubtful in draft.comments
                if played.left_out or not doubtful
            ),
            tuple((played.made[n], text) for n, text in draft.variations),
            draft.line,
        )

    def check(self, draft: Draft) -> None:
        """Raise a `DroppedError` where a draft is no game, whatever its moves are."""
        kind = draft.tags.get("GameType", GAME_TYPE)
        if kind.split(",")[0].strip() != GAME_TYPE:
            raise DroppedError(draft.line, "another kind of draughts", f"its GameType is {kind!r}")
        if draft.unclosed:
            what, how = draft.unclosed.text, draft.unclosed.value
            raise DroppedError(draft.unclosed.line, f"a {what} {how}")
        if draft.parts > MOST_PARTS:
            message = f"it has more than {MOST_PARTS} moves, tags and comments"
            raise DroppedError(draft.line, "a game too long", message)
        if not draft.moves:
            raise DroppedError(draft.line, "no moves")

    def _played(self, start: CheckersPosition, texts: list[Token]) -> _Played:
        """The moves of a game; doubtful ones count all or not at all, whichever can be replayed."""
        doubtful = [token for token in texts if token.value]
        try:
            with_all = self._replay(start, texts)
        except DroppedError:
            if not doubtful:
                raise
            return self._replay(start, texts, leave_out=True)
        if doubtful:
            try:
                self._replay(start, texts, leave_out=True)
            except DroppedError:
                return with_all
            message = f"{doubtful[-1].text!r} may be a move, or part of the words around it"
            raise DroppedError(doubtful[-1].line, "a move among plain words", message)
        return with_all

    def _replay(
        self, start: CheckersPosition, texts: list[Token], leave_out: bool = False
    ) -> _Played:
        played, n = _Played(start, leave_out), 0
        while n < len(texts):
            if leave_out and texts[n].value:
                played.made.append(len(played.moves))
                n += 1
                continue
            try:
                move, used = self._move(played.last, [token.text for token in texts[n : n + 12]])
            except NotationError as error:
                reason = _REASONS.get(type(error), "a move that cannot be read")
                message = f"move {len(played.moves) + 1}: {error}"
                raise DroppedError(texts[n].line, reason, message) from error
            n += used
            played.moves.append(move)
            played.made += used * [len(played.moves)]
            played.last = played.last.after(move)
        return played

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

    def outcome(self, draft: Draft) -> Outcome | None:
        """Who won by the record, or None where it does not say."""
        tag = draft.tags.get("Result", "")
        found = (result_of(tag), draft.result, HALVES.get(tag))
        result = next((said for said in found if said not in ("*", None)), None)
        if result == "1/2-1/2":
            return Outcome(None, "as recorded")
        if result in ("1-0", "0-1"):
            loser = self.game.other(self.one_zero)
            return Outcome(self.one_zero if result == "1-0" else loser, "as recorded")
        return None

    def note(self, draft: Draft, outcome: Outcome | None, last: CheckersPosition) -> None:
        """Count what is odd about a game that is kept."""
        known = {result_of(draft.tags.get("Result", "")), draft.result} - {"*", None}
        if len(known) > 1:
            self.report.notes["a result that its tag contradicts"] += 1
        if draft.words:
            self.report.notes["comments without braces"] += 1
        if outcome is None:
            self.report.notes["no result"] += 1
        ended = last.outcome()
        if ended and ended.winner and outcome and outcome.winner != ended.winner:
            self.report.notes["a result that the board contradicts"] += 1


@dataclass
class _Played:
    """Moves that were replayed, and where they lead."""

    last: CheckersPosition
    left_out: bool
    """Whether doubtful moves were taken for words."""
    moves: list[CheckersMove] = field(default_factory=list)
    made: list[int] = field(default_factory=lambda: [0])
    """The moves that are made after so many texts: a chain may be written jump by jump."""


class DroppedError(Exception):
    """Why a game cannot be kept: in few words, what else there is, and on which line it is seen."""

    def __init__(self, line: int, reason: str, message: str = "") -> None:
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
    with open(source, encoding="latin-1", newline=None) as file:
        yield from text_lines(file)


# ---- how a game that was played, or has been begun, is written into a file
# as PDN.

SUFFIXES: tuple[str, ...] = (".pdn",)


def write_game(
    game: Checkers,
    moves: Sequence[CheckersMove],
    outcome: Outcome | None,
    players: Mapping[str, str],
    event: str,
    number: int,
    start: CheckersPosition | None = None,
    notes: RecordNotes | None = None,
) -> str:
    """A game from its start; see `games.plugins.RecordsPlugin`.

    How a game of an event ended, if it did, stands in a comment after the last move.
    """
    notes = notes or RecordNotes()
    tags = {"Event": event, "Round": str(number)} if event else {}
    tags |= notes.headers
    tags |= {colour.capitalize(): name for colour, name in players.items()}
    said = notes.comments
    if event and outcome is not None:
        said = (*said, (len(moves), str(outcome)))
    first = start or game.start()
    return write_record(Record(first, tuple(moves), outcome, tags, said, notes.variations)) + "\n"


_TAGS = ("Result", "GameType", "FEN", "SetUp")
"""Tags that the game itself tells."""


def _notes(record: Record) -> RecordNotes:
    apart = (*_TAGS, *map(str.capitalize, AS_PLAYED.colours))
    headers = {name: text for name, text in record.tags.items() if name not in apart}
    return RecordNotes(headers, record.comments, record.variations)


# ---- games of checkers from PDN, as `games.records` wants them


def read_games(path: Path, report: Report) -> Iterator[Recorded]:
    """The games of a file that can be replayed."""
    archive = Archive(path)
    for record in archive:
        tags = {colour: record.tags.get(colour.capitalize(), "?") for colour in AS_PLAYED.colours}
        positions = tuple(record.positions())
        yield Recorded(AS_PLAYED, positions, record.moves, record.outcome, tags, _notes(record))
    report.add(archive.report)
