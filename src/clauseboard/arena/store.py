"""Where the games of matches are kept: an SQLite file, into which each goes as it ends.

A game has its match and its number there, so that no game is counted twice: not after a run that
was killed, nor when two runs write into one file.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar

from clauseboard.arena.game_record import GameRecord
from clauseboard.sqlite_store import Database

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


class Store(Database):
    """A file of games. Close it, or use it in a `with`; what was kept stays, whatever happens."""

    tables: ClassVar[str] = _TABLES
    mark: ClassVar[int] = 0x436C_6264  # "Clbd"
    version: ClassVar[int] = 1
    content: ClassVar[str] = "games"

    def add_match(self, match: str, settings: dict[str, Any]) -> None:
        """Note what a match is; twice is the same as once."""
        self._run("INSERT OR IGNORE INTO matches VALUES (?, ?)", (match, json.dumps(settings)))

    def matches(self) -> dict[str, dict[str, Any]]:
        """The settings of every match in the file, by its id."""
        rows = self._rows("SELECT id, settings FROM matches")
        return {match: json.loads(settings) for match, settings in rows}

    def add(self, match: str, record: GameRecord) -> bool:
        """Keep a game, at once; False if there is one with its number already."""
        row = (
            *(match, record.number, *record.players, record.winner, record.reason),
            *(len(record.moves), record.write()),
        )
        done = self._run("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return done.rowcount == 1

    def games(self, match: str) -> list[GameRecord]:
        """The games of a match, by their numbers."""
        rows = self._rows("SELECT record FROM games WHERE match = ? ORDER BY number", (match,))
        return [GameRecord.read(text) for (text,) in rows]

    def game(self, match: str, number: int) -> GameRecord:
        """One game of a match, which is there."""
        (row,) = self._rows(
            "SELECT record FROM games WHERE match = ? AND number = ?", (match, number)
        )
        return GameRecord.read(row[0])
