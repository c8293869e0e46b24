"""Files of games: an SQLite file that a match resumes from, and PDN or SGF for other programs.

Each game is written as it ends. In the SQLite file it has its match and its number, so that no game
is counted twice: not after a run that was killed, nor when two runs write to one file. How a game
is written for other programs is in `games/<game>/records.py`.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from clauseboard.arena.playing import GameRecord
from clauseboard.files import replaced
from clauseboard.games.plugins import RECORDS
from clauseboard.sqlite_store import Database

if TYPE_CHECKING:
    from clauseboard.arena.match import Match

_TABLES = """
CREATE TABLE IF NOT EXISTS matches (
    id TEXT PRIMARY KEY,
    settings TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    match TEXT NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    winner TEXT,
    reason TEXT NOT NULL,
    n_moves INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
"""


class MatchStore(Database):
    """An SQLite file of matches. Close it, or use it in a `with`."""

    tables: ClassVar[str] = _TABLES
    mark: ClassVar[int] = 0x436C_6264  # "Clbd"
    version: ClassVar[int] = 1
    content: ClassVar[str] = "games"

    def add_match(self, match: str, settings: Mapping[str, object]) -> None:
        """Keep the settings of a match; twice is the same as once."""
        self._run("INSERT OR IGNORE INTO matches VALUES (?, ?)", (match, json.dumps(settings)))

    def matches(self) -> dict[str, dict[str, object]]:
        """The settings of every match in the file, by its id."""
        rows = self._rows("SELECT id, settings FROM matches")
        with self._undamaged():
            return {match: dict(json.loads(settings)) for match, settings in rows}

    def add(self, match: str, record: GameRecord) -> bool:
        """Keep a game; False if there is one with its number already."""
        row = (
            *(match, record.number, *record.players, record.winner, record.reason),
            *(len(record.moves), record.write()),
        )
        done = self._run("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return done.rowcount == 1

    def games(self, match: str) -> list[GameRecord]:
        """The games of a match, by their numbers."""
        rows = self._rows("SELECT record FROM games WHERE match = ? ORDER BY number", (match,))
        with self._undamaged():
            return [GameRecord.read(text) for (text,) in rows]

    def game(self, match: str, number: int) -> GameRecord:
        """One game of a match, which must be there."""
        (row,) = self._rows(
            "SELECT record FROM games WHERE match = ? AND number = ?", (match, number)
        )
        with self._undamaged():
            return GameRecord.read(row[0])


class GameFile:
    """A PDN or SGF file to which games are added as they end.

    It begins with the games that an earlier run has kept. An existing file is overwritten only if
    it holds games of these matches and no others, so that a typing error costs nobody an archive.
    """

    def __init__(self, path: str | Path, kept: Iterable[tuple[Match, list[GameRecord]]]) -> None:
        self.path = Path(path)
        kept = list(kept)
        for match, _ in kept:
            suffixes = RECORDS.of(match.game).SUFFIXES
            if self.path.suffix.lower() not in suffixes:
                listed = " or ".join(suffixes)
                raise ValueError(f"Games of {match.game.name} go to a file named *{listed}.")
        self._refuse_other_games([event_of(match) for match, _ in kept])
        with replaced(self.path) as file:
            for match, records in kept:
                file.writelines(written_game(match, record).encode() for record in records)
        self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115

    def _refuse_other_games(self, ours: list[str]) -> None:
        if not self.path.exists() or self.path.stat().st_size == 0:
            return
        text = self.path.read_text("utf-8", "replace")
        starts = max(text.count("[Event "), text.count("(;"))
        if not starts or starts != sum(text.count(event) for event in ours):
            raise ValueError(
                f"{self.path} has other games than those of this match; name another file."
            )

    def add(self, match: Match, record: GameRecord) -> None:
        """Add a game; it is in the file, whole, when this returns."""
        game, end = written_game(match, record).encode(), self._file.seek(0, os.SEEK_END)
        try:
            n_written = self._file.write(game)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from None
        if n_written < len(game):
            self._file.truncate(end)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def written_game(match: Match, record: GameRecord) -> str:
    """A game of a match in the notation of other programs; its event names the match."""
    position, moves = match.game.start(), []
    for text in record.moves:
        moves.append(position.read_move(text))
        position = position.play(moves[-1])
    return RECORDS.of(match.game).write_game(
        match.game,
        moves,
        None if record.is_broken_off else record.outcome,
        dict(zip(match.game.colours, record.players, strict=True)),
        event_of(match),
        record.number + 1,
    )


def event_of(match: Match) -> str:
    """The event that the games of a match have."""
    return f"Clauseboard match {match.id}"
