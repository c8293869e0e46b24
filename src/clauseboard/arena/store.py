"""Where the games of matches are kept: an SQLite file, into which each goes as it ends.

A game has its match and its number there, so that no game is counted twice: not after a run that
was killed, nor when two runs write into one file.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clauseboard.arena.game_record import GameRecord

VERSION = 1
"""Of the tables; another one is refused."""

_MARK = 0x436C_6264
"""What tells our files from those of other programs (SQLite's application_id): "Clbd"."""

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


class Store:
    """A file of games. Close it, or use it in a `with`; what was kept stays, whatever happens."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        with self._explained():
            # Every statement is a transaction of its own.
            self._file = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        try:
            self._prepare()
        except BaseException:
            self._file.close()
            raise

    def _prepare(self) -> None:
        with self._explained():
            mark, version = self._pragma("application_id"), self._pragma("user_version")
            empty = not self._file.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
            if not (empty and mark == 0) and mark != _MARK:
                raise ValueError(f"{self.path} is a database of another program; name another.")
            if mark == _MARK and version != VERSION:
                raise ValueError(
                    f"{self.path} has games as version {version} kept them; this one reads "
                    f"version {VERSION}. Name another file."
                )
            self._file.execute("PRAGMA journal_mode = WAL")
            # A killed run loses nothing; only when the power fails may the last games be missing.
            self._file.execute("PRAGMA synchronous = NORMAL")
            if mark != _MARK:
                self._file.executescript(
                    f"BEGIN IMMEDIATE; {_TABLES} PRAGMA application_id = {_MARK}; "
                    f"PRAGMA user_version = {VERSION}; COMMIT;"
                )

    def _pragma(self, name: str) -> int:
        return self._file.execute(f"PRAGMA {name}").fetchone()[0]

    def add_match(self, match: str, settings: dict[str, Any]) -> None:
        """Note what a match is; twice is the same as once."""
        with self._explained():
            self._file.execute(
                "INSERT OR IGNORE INTO matches VALUES (?, ?)", (match, json.dumps(settings))
            )

    def matches(self) -> dict[str, dict[str, Any]]:
        """The settings of every match in the file, by its id."""
        with self._explained():
            rows = self._file.execute("SELECT id, settings FROM matches").fetchall()
        return {match: json.loads(settings) for match, settings in rows}

    def add(self, match: str, record: GameRecord) -> bool:
        """Keep a game, at once; False if there is one with its number already."""
        row = (
            *(match, record.number, *record.players, record.winner, record.reason),
            *(len(record.moves), record.write()),
        )
        with self._explained():
            done = self._file.execute(
                "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row
            )
        return done.rowcount == 1

    def games(self, match: str) -> list[GameRecord]:
        """The games of a match, by their numbers."""
        with self._explained():
            rows = self._file.execute(
                "SELECT record FROM games WHERE match = ? ORDER BY number", (match,)
            ).fetchall()
        return [GameRecord.read(text) for (text,) in rows]

    def game(self, match: str, number: int) -> GameRecord:
        """One game of a match, which is there."""
        with self._explained():
            row = self._file.execute(
                "SELECT record FROM games WHERE match = ? AND number = ?", (match, number)
            ).fetchone()
        return GameRecord.read(row[0])

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Say in plain words what SQLite's errors mean for the file."""
        try:
            yield
        except sqlite3.Error as error:
            raise OSError(f"{self.path}: {_why(error, self.path)}") from error


def _why(error: sqlite3.Error, path: Path) -> str:
    said = str(error)
    if "not a database" in said or "malformed" in said:
        return "it is no SQLite database, or a damaged one; name another file."
    if "full" in said:
        return "the disk is full; the games so far are kept, so make room and run it again."
    if "readonly" in said or "unable to open" in said:
        if not path.parent.is_dir():
            return f"there is no folder {path.parent}."
        return "it cannot be written to; look at its rights and those of its folder."
    if "locked" in said:
        return "another program holds it; try again when that is done."
    return f"{said}."
