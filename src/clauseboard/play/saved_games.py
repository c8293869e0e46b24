"""Games in files: PDN or SGF, which other programs read, too.

The players' names say which side the person played, so that the game can continue. Rules for which
PDN and SGF have no field stand in a header of our own.
"""

from __future__ import annotations

import ast
import dataclasses
import datetime
import functools
import itertools
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from clauseboard.files import read_bytes
from clauseboard.game import Game, NotationError, Outcome, load_game
from clauseboard.games.plugins import RECORDS
from clauseboard.games.records import Noted, Recorded, RecordNotes, read_recorded

PERSON = "person"
"""The name of a person in a file."""
MOST_MOVES = 2000
"""Moves of a record that a request may hold; long games of people have some hundreds."""

LARGEST = 1 << 28
"""Bytes of a file that a game is read from."""
LONGEST_RULES = 1000
"""Characters of rules that are written down."""

EVENT = "Clauseboard"
"""The event of the games that are played here."""
_RULES = {".pdn": "Rules", ".sgf": "RULES"}
"""The header of the rules, by the kind of file."""

_OURS = re.compile(r"(?:\[Event \"|\bEV\[)Clauseboard[\"\],]")
_GAME = re.compile(r"(?:\[Rules \"|RULES\[|Clauseboard, )(load_game\(.{0,200}?\))[\"\]]")
"""The rules that a file of ours names; those of earlier versions did so in the event."""


class SavedGame(NamedTuple):
    """A game that was read: its rules, positions, moves and outcome (None: it can continue)."""

    game: Any
    positions: list[Any]
    moves: list[Any]
    outcome: Outcome | None
    players: Mapping[str, str]
    notes: RecordNotes = RecordNotes()

    @property
    def opponent_and_colour(self) -> tuple[str | None, str | None]:
        """The opponent in one line and the person's colour, where a person played one side."""
        people = [colour for colour, name in self.players.items() if name == PERSON]
        if len(people) != 1:
            return None, None
        return self.players[self.game.other(people[0])], people[0]


def suffixes_of(game: Game) -> tuple[str, ...]:
    """The file name endings of a game, the usual one first."""
    return RECORDS.of(game).SUFFIXES


def write_game(
    game: Game,
    moves: Sequence[Any],
    outcome: Outcome | None,
    players: Mapping[str, str],
    start: Any = None,
    notes: RecordNotes | None = None,
    comments: Noted = (),
) -> str:
    """A game as text, finished or not; `start` is a position that was set up, if any.

    `notes` is what another record says of the game, which is kept; `comments` come on top.
    """
    notes = notes or RecordNotes()
    event = EVENT if notes == RecordNotes() else ""  # a record that was loaded has its own
    if not _is_told(game):
        headers = {**notes.headers, _RULES[suffixes_of(game)[0]]: repr(game)}
        notes = dataclasses.replace(notes, headers=headers)
    if new := tuple(each for each in comments if each not in notes.comments):
        notes = dataclasses.replace(notes, comments=(*notes.comments, *new))
    return RECORDS.of(game).write_game(game, moves, outcome, players, event, 1, start, notes)


@functools.lru_cache(maxsize=64)
def _is_told(game: Game) -> bool:
    """Whether a file has fields for all rules of a game; a trial tells."""
    start = game.start()
    players = dict.fromkeys(game.colours, "?")
    text = RECORDS.of(game).write_game(game, [start.moves()[0]], None, players, EVENT, 1)
    told: Game = read_text(text, game).game
    return told == game


def read_game(path: Path, name: str | None = None, **parameters: Any) -> SavedGame:
    """The first game in a file, from the usual start; of this game, if it is named.

    Parameters of the game replace the rules that the file names.
    """
    record = read_recorded(path, game=name)
    if record.positions[0] != record.game.start():
        raise ValueError(f"The game in {path} begins from a set-up board, not from the start.")
    text = read_bytes(path, LARGEST).decode("utf-8", "replace")
    rules = load_game(record.game.name, **parameters) if parameters else rules_in(text)
    return _replayed(record, rules, f"the game in {path}")


def read_text(text: str, game: Game) -> SavedGame:
    """The first game in a text of PDN or SGF, which may begin from any position."""
    if not text.strip():
        raise ValueError("The record is empty.")
    with tempfile.TemporaryDirectory(prefix="clauseboard-") as folder:
        path = Path(folder) / "The record"  # as errors name it
        path.write_text(text, "utf-8", errors="replace")
        record = read_recorded(path, game=game.name)
    if len(record.moves) > MOST_MOVES:
        raise ValueError(f"The record has {len(record.moves)} moves; {MOST_MOVES} is the most.")
    return _replayed(record, rules_in(text), "the record")


def _replayed(record: Recorded, rules: Any, where: str) -> SavedGame:
    """A record replayed by these rules, if they are of its game, or else by its own."""
    if rules is None or rules.name != record.game.name:
        rules = record.game
    start = record.positions[0]
    positions = [
        rules.start()
        if start == record.game.start()
        else rules.read_position(record.game.write_position(start))
    ]
    for number, move in enumerate(record.moves, 1):
        try:
            positions.append(positions[-1].play(move))
        except NotationError as error:
            raise ValueError(f"Move {number} of {where}: {error}") from None
    kept = {name: t for name, t in record.notes.headers.items() if name not in _RULES.values()}
    notes = dataclasses.replace(record.notes, headers=kept)
    return SavedGame(rules, positions, list(record.moves), record.outcome, record.players, notes)


def rules_in(text: str) -> Any:
    """The rules that a file of ours names, or None.

    >>> rules_in('[Rules "load_game(\\'hex\\', size=5)"]')
    load_game('hex', size=5)
    """
    written = _GAME.search(text)
    if written is None:
        return None
    try:
        return read_rules(written[1])
    except (ValueError, SyntaxError, TypeError, AttributeError):
        return None


def read_rules(written: str) -> Any:
    """A game from its `repr`, which is only read and never run.

    >>> read_rules("load_game('hex', size=5)")
    load_game('hex', size=5)
    """
    if len(written) > LONGEST_RULES:
        raise ValueError(f"{written[:40]!r}... is no game.")
    call = ast.parse(written, mode="eval").body
    if not isinstance(call, ast.Call) or len(call.args) != 1:
        raise ValueError(f"{written!r} is no game.")
    settings = {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
    return load_game(ast.literal_eval(call.args[0]), **settings)


def is_ours(path: Path) -> bool:
    """Whether a file holds a single game, saved by this program."""
    text = read_bytes(path, LARGEST).decode("utf-8", "replace")
    games = text.count("[Event ") or len(re.findall(r"\(;[^()]*GM\[", text))
    return len(_OURS.findall(text)) == 1 == games


def free_name(game: Game, folder: Path, day: datetime.date | None = None) -> Path:
    """An unused file name with the game and the date: hex-2026-03-01.sgf."""
    stem = f"{game.name}-{day or datetime.date.today()}"
    names = (f"{stem}{'' if n == 1 else f'-{n}'}{suffixes_of(game)[0]}" for n in itertools.count(1))
    return next(folder / name for name in names if not (folder / name).exists())
