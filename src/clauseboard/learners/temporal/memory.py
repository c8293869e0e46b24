"""Rote memory: every board seen, what came of it, and the boards reached from it, in SQLite.

A board is a number with a digit for each cell: 0 if it is empty, and else which piece stands there.
In checkers that is a number of 32 digits of base 5: 1 a black man, 2 a black king, 3 a white man,
4 a white king; the first digit is square 1. The same board with the other side to move is a board
of its own.

The games of one training have numbers and count once, also where a training is killed and plays a
game again. Each game is one transaction, so that several processes may write into the file.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from clauseboard.evaluation import sides_of
from clauseboard.files import replaced
from clauseboard.game import Game, Position
from clauseboard.sqlite_store import Database

_TABLES = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    training TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (training, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS boards (
    board TEXT NOT NULL,
    side INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    first_won INTEGER NOT NULL,
    second_won INTEGER NOT NULL,
    PRIMARY KEY (board, side)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reached (
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

    def of(self, positions: Sequence[Position]) -> list[str]:
        """The numbers of positions."""
        return self.of_rows(self.game.encode(positions))

    def of_rows(self, rows: NDArray[np.uint8]) -> list[str]:
        """The numbers of boards given as bits."""
        digits = ord("0") + rows @ self._digits
        return [row.tobytes().decode("ascii") for row in digits.astype(np.uint8)]

    def keys(self, positions: Sequence[Position]) -> list[Key]:
        """The numbers of positions, with the sides to move."""
        sides = sides_of(self.game, positions).tolist()
        return list(zip(self.of(positions), sides, strict=True))


class Memory(Database):
    """A file of boards. Close it, or use it in a `with`; what was kept stays, whatever happens."""

    tables: ClassVar[str] = _TABLES
    mark: ClassVar[int] = 0x436C_624D  # "ClbM"
    version: ClassVar[int] = 1
    content: ClassVar[str] = "boards"
    trouble: ClassVar[type[Exception]] = ValueError

    def __init__(self, path: str | Path, game: Game, create: bool = True) -> None:
        if not create and not Path(path).is_file():
            raise ValueError(f"There is no memory {str(path)!r}; training makes one.")
        self.game = game
        super().__init__(path)

    def _prepare(self) -> None:
        super()._prepare()
        about, ours = dict(self._rows("SELECT name, value FROM about")), _about(self.game)
        if about != ours:
            theirs = f"{about.get('game')} ({about.get('cells')} cells)"
            raise ValueError(
                f"{self.path} remembers boards of {theirs}, version {about.get('rules')}; "
                f"not of {ours['game']} ({ours['cells']} cells), version {ours['rules']}."
            )

    def _fill(self) -> None:
        for row in _about(self.game).items():
            self._run("INSERT OR IGNORE INTO about VALUES (?, ?)", row)

    def add_game(
        self, training: str, number: int, boards: Sequence[Key], winner: str | None
    ) -> bool:
        """Take in the boards of a game, in their order; False if that game was taken in before."""
        first, second = (int(winner == colour) for colour in self.game.colours)
        with self._explained(), self._together():
            new = self._run("INSERT OR IGNORE INTO games VALUES (?, ?)", (training, number))
            if not new.rowcount:
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
        with self._explained():
            for key in keys:
                row = self._file.execute(
                    "SELECT seen, first_won, second_won FROM boards WHERE board = ? AND side = ?",
                    key,
                ).fetchone()
                found.append(row or (0, 0, 0))
        return found

    def reached(self, key: Key) -> list[str]:
        """The boards that were reached from a board, in the order of their numbers."""
        rows = self._rows(
            "SELECT next FROM reached WHERE board = ? AND side = ? ORDER BY next", key
        )
        return [after for (after,) in rows]

    def __len__(self) -> int:
        """How many different boards there are."""
        return self._one("SELECT COUNT(*) FROM boards")

    def boards_seen(self) -> int:
        """How many boards came up in all games, each as often as it did: the n of the formula."""
        return self._one("SELECT COALESCE(SUM(seen), 0) FROM boards")

    def export(self, path: str | Path) -> int:
        """Write all boards as text, a line each, `number: number, number`; how many there are.

        Left of the colon is a board, and right of it are those that were reached from it, whichever
        side was to move. `read_export` reads it.
        """
        n = 0
        with self._explained(), replaced(Path(path)) as file:
            for board, after in self._lines():
                file.write(f"{board}:{' ' if after else ''}{', '.join(after)}\n".encode())
                n += 1
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

    def _one(self, question: str) -> int:
        """The number that answers a question."""
        return int(self._rows(question)[0][0])


def _about(game: Game) -> dict[str, str]:
    """What must be equal for boards to be the same boards."""
    cells = {bit.cell for bit in game.bits() if bit.cell is not None}
    return {"game": game.name, "rules": str(game.version), "cells": str(len(cells))}


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
