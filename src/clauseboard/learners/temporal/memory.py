"""Rote memory: every board seen, what came of it, and the boards reached from it, in SQLite.

A board is a number with a digit for each cell: 0 if it is empty, and else which piece stands there.
In checkers that is a number of 32 digits of base 5: 1 a black man, 2 a black king, 3 a white man,
4 a white king; the first digit is square 1. The same board with the other side to move is a board
of its own.

The games of one training have numbers, and are taken in once: who is killed and plays a game again
does not count it twice. Each game is one transaction, whoever else writes into the file.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import sqlite3
import threading
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.evaluation import sides_of
from clauseboard.game import Game

VERSION = 1
"""Of the tables; another one is refused."""

_MARK = 0x436C_624D
"""What tells our files from those of other programs (SQLite's application_id): "ClbM"."""

_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE games (
    training TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (training, number)
) WITHOUT ROWID;
CREATE TABLE boards (
    board TEXT NOT NULL,
    side INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    first_won INTEGER NOT NULL,
    second_won INTEGER NOT NULL,
    PRIMARY KEY (board, side)
) WITHOUT ROWID;
CREATE TABLE reached (
    board TEXT NOT NULL,
    side INTEGER NOT NULL,
    next TEXT NOT NULL,
    PRIMARY KEY (board, side, next)
) WITHOUT ROWID;
"""

Key = tuple[str, int]
"""A board's number, and its side to move: 0 for the first colour, 1 for the second."""

_LINE = re.compile(r"(\d+):((?: \d+,)* \d+)?")


class Numbering:
    """Boards of a game as numbers, written as text with a digit for each cell.

    >>> from clauseboard.game import load_game
    >>> game = load_game("checkers")
    >>> Numbering(game).of([game.start()])
    ['11111111111100000000333333333333']
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        bits = [(bit.cell, bit.piece) for bit in game.bits()]
        cells = list(dict.fromkeys(cell for cell, _ in bits if cell is not None))
        pieces = list(dict.fromkeys(piece for cell, piece in bits if cell is not None))
        self.base = 1 + len(pieces)
        if self.base > 10:
            raise ValueError(f"{game.name} has {len(pieces)} kinds of piece, and digits for 9.")
        self._digits = np.zeros((len(bits), len(cells)), np.uint8)
        for n, (cell, piece) in enumerate(bits):
            if cell is not None:
                self._digits[n, cells.index(cell)] = 1 + pieces.index(piece)

    def of(self, positions: Sequence[Any]) -> list[str]:
        """The numbers of positions."""
        return self.of_rows(self.game.encode(positions))

    def of_rows(self, rows: NDArray[np.uint8]) -> list[str]:
        """The numbers of boards given as bits."""
        digits = ord("0") + rows @ self._digits
        return [row.tobytes().decode("ascii") for row in digits.astype(np.uint8)]

    def keys(self, positions: Sequence[Any]) -> list[Key]:
        """The numbers of positions, with the sides to move."""
        sides = sides_of(self.game, positions).tolist()
        return list(zip(self.of(positions), sides, strict=True))


class Memory:
    """A file of boards. Close it, or use it in a `with`; what was kept stays, whatever happens."""

    def __init__(self, path: str | Path, game: Game, create: bool = True) -> None:
        self.path = Path(path)
        self.game = game
        self._lock = threading.Lock()
        if not create and not self.path.is_file():
            raise ValueError(f"There is no memory {str(self.path)!r}; training makes one.")
        with self._explained():
            # Every statement is a transaction of its own, unless told otherwise.
            self._file = sqlite3.connect(
                self.path, timeout=30, isolation_level=None, check_same_thread=False
            )
        try:
            self._prepare()
        except BaseException:
            self._file.close()
            raise

    def _prepare(self) -> None:
        with self._explained():
            mark, version = self._pragma("application_id"), self._pragma("user_version")
            if mark != _MARK and self._one("SELECT COUNT(*) FROM sqlite_master"):
                raise ValueError(f"{self.path} is a database of another kind; name another file.")
            if mark == _MARK and version != VERSION:
                raise ValueError(
                    f"{self.path} has boards as version {version} kept them; this one reads "
                    f"version {VERSION}. Name another file."
                )
            if mark != _MARK:
                self._file.execute("PRAGMA journal_mode = WAL")
                self._make_tables()
            # A killed run loses nothing; only when the power fails may the last games be missing.
            self._file.execute("PRAGMA synchronous = NORMAL")
            about = dict(self._file.execute("SELECT name, value FROM about"))
        ours = _about(self.game)
        if about != ours:
            theirs = f"{about.get('game')} ({about.get('cells')} cells)"
            raise ValueError(
                f"{self.path} remembers boards of {theirs}, version {about.get('rules')}; "
                f"not of {ours['game']} ({ours['cells']} cells), version {ours['rules']}."
            )

    def _make_tables(self) -> None:
        with self._transaction():
            if self._pragma("application_id") != _MARK:  # another process may have been faster
                for statement in filter(str.strip, _TABLES.split(";")):
                    self._file.execute(statement)
                self._file.executemany(
                    "INSERT INTO about VALUES (?, ?)", list(_about(self.game).items())
                )
                self._file.execute(f"PRAGMA user_version = {VERSION}")
                self._file.execute(f"PRAGMA application_id = {_MARK}")

    def add_game(
        self, training: str, number: int, boards: Sequence[Key], winner: str | None
    ) -> bool:
        """Take in the boards of a game, in their order; False if that game was taken in before."""
        first, second = (int(winner == colour) for colour in self.game.colours)
        with self._lock, self._explained(), self._transaction():
            new = self._file.execute(
                "INSERT OR IGNORE INTO games VALUES (?, ?)", (training, number)
            ).rowcount
            if not new:
                return False
            self._file.executemany(
                "INSERT INTO boards VALUES (?, ?, 1, ?, ?) ON CONFLICT DO UPDATE SET "
                "seen = seen + 1, first_won = first_won + excluded.first_won, "
                "second_won = second_won + excluded.second_won",
                [(*key, first, second) for key in boards],
            )
            self._file.executemany(
                "INSERT OR IGNORE INTO reached VALUES (?, ?, ?)",
                [(*key, after) for key, (after, _) in itertools.pairwise(boards)],
            )
        return True

    def look_up(self, keys: Sequence[Key]) -> list[tuple[int, int, int]]:
        """For each board: how often it was seen, and in how many games either side won."""
        found = []
        with self._lock, self._explained():
            for key in keys:
                row = self._file.execute(
                    "SELECT seen, first_won, second_won FROM boards WHERE board = ? AND side = ?",
                    key,
                ).fetchone()
                found.append(row or (0, 0, 0))
        return found

    def reached(self, key: Key) -> list[str]:
        """The boards that were reached from a board, in the order of their numbers."""
        with self._lock, self._explained():
            rows = self._file.execute(
                "SELECT next FROM reached WHERE board = ? AND side = ? ORDER BY next", key
            ).fetchall()
        return [after for (after,) in rows]

    def __len__(self) -> int:
        """How many different boards there are."""
        with self._lock, self._explained():
            return int(self._one("SELECT COUNT(*) FROM boards"))

    def boards_seen(self) -> int:
        """How many boards came up in all games, each as often as it did: the n of the formula."""
        with self._lock, self._explained():
            return int(self._one("SELECT COALESCE(SUM(seen), 0) FROM boards"))

    def export(self, path: str | Path) -> int:
        """Write all boards as text, a line each, `number: number, number`; how many there are.

        Left of the colon is a board, and right of it are those that were reached from it, whichever
        side was to move. `read_export` reads it.
        """
        path = Path(path)
        beside = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.part")
        n = 0
        try:
            with self._lock, self._explained(), beside.open("w", encoding="ascii") as file:
                for board, after in self._lines():
                    file.write(f"{board}:{' ' if after else ''}{', '.join(after)}\n")
                    n += 1
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
        return n

    def _lines(self) -> Iterator[tuple[str, list[str]]]:
        rows = self._file.execute(
            "SELECT DISTINCT boards.board, next FROM boards LEFT JOIN reached "
            "ON reached.board = boards.board AND reached.side = boards.side "
            "ORDER BY boards.board, next"
        )
        board: str | None = None
        after: list[str] = []
        for here, following in rows:
            if here != board:
                if board is not None:
                    yield board, after
                board, after = here, []
            if following is not None:
                after.append(following)
        if board is not None:
            yield board, after

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _pragma(self, name: str) -> Any:
        return self._one(f"PRAGMA {name}")

    def _one(self, question: str) -> Any:
        return self._file.execute(question).fetchone()[0]

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing, also if this process is killed."""
        self._file.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._file.execute("ROLLBACK")
            raise
        self._file.execute("COMMIT")

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Say in plain words what SQLite's errors mean for the file."""
        try:
            yield
        except sqlite3.Error as error:
            raise ValueError(f"{self.path}: {_why(error, self.path)}") from error


def _about(game: Game) -> dict[str, str]:
    """What must be equal for boards to be the same boards."""
    cells = {bit.cell for bit in game.bits() if bit.cell is not None}
    return {"game": game.name, "rules": str(game.version), "cells": str(len(cells))}


def _why(error: sqlite3.Error, path: Path) -> str:
    said = str(error)
    if "not a database" in said or "malformed" in said or "no such table" in said:
        return "it is no memory of boards, or a damaged one; name another file."
    if "full" in said:
        return "the disk is full; the games so far are kept, so make room and go on."
    if "readonly" in said or "unable to open" in said:
        if not path.resolve().parent.is_dir():
            return f"there is no folder {path.parent}."
        return "it cannot be opened and written to; look at its rights and those of its folder."
    if "locked" in said:
        return "another program holds it; try again when that is done."
    return f"{said}."


def read_export(path: str | Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The boards of a text that `Memory.export` has written, and those reached from each."""
    with Path(path).open(encoding="ascii", errors="replace") as file:
        for number, line in enumerate(file, 1):
            found = _LINE.fullmatch(line.rstrip("\n"))
            if found is None:
                raise ValueError(
                    f"{path}, line {number}: {line.strip()[:80]!r} is not written as "
                    "`number: number, number`."
                )
            board, after = found.groups()
            yield board, tuple(after.strip().split(", ")) if after else ()
