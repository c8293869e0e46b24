"""A file of records that grows while a program runs: SQLite, with its errors in plain words.

What is written stays, whatever happens to the program; several programs may write to one file, and
several threads may use one object. `Database` is the base class of all such files; a subclass names
the tables.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

DAMAGE = (
    ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError,
    MemoryError,
)  # fmt: skip
"""What may come of reading values that nobody ever wrote."""
PATIENCE = 30.0
"""Seconds to wait for another program that has locked the file, unless told otherwise."""


class Database:
    """An SQLite file of one kind. Close it, or use it in a `with`."""

    tables: ClassVar[str]
    """The statements that make the tables, each with IF NOT EXISTS."""
    mark: ClassVar[int]
    """What tells these files from those of other programs (SQLite's application_id)."""
    version: ClassVar[int]
    """Of the tables; another one is refused."""
    content: ClassVar[str]
    """What is kept in it, such as "games"."""
    patience: ClassVar[float] = PATIENCE
    """Seconds to wait for another program that has locked the file."""
    trouble: ClassVar[type[Exception]] = OSError
    """The exception that reports SQLite's errors."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = threading.RLock()
        self._place: tuple[int, int] | None = None
        with self._explained():
            # Every statement is a transaction of its own.
            self._file = sqlite3.connect(
                self.path, timeout=self.patience, isolation_level=None, check_same_thread=False
            )
        try:
            self._prepare()
            self._place = self._where()
        except BaseException:
            self._file.close()
            raise

    def _prepare(self) -> None:
        with self._explained():
            # In this order: another process may just be making the tables and the mark.
            empty = not self._file.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
            mark, version = self._pragma("application_id"), self._pragma("user_version")
            if not (empty and mark == 0) and mark != self.mark:
                raise ValueError(f"{self.path} is a database of another program; name another.")
            if mark == self.mark and version != self.version:
                raise ValueError(
                    f"{self.path} has {self.content} as version {version} kept them; this one "
                    f"reads version {self.version}. Name another file."
                )
            self._write_ahead()
            # A killed run loses nothing; only when the power fails may the last entries be missing.
            self._file.execute("PRAGMA synchronous = NORMAL")
        if mark != self.mark:
            # Another process may do the same: whoever is second changes nothing.
            with self._together():
                for statement in filter(str.strip, self.tables.split(";")):
                    self._run(statement)
                self._fill()
                self._run(f"PRAGMA application_id = {self.mark}")
                self._run(f"PRAGMA user_version = {self.version}")

    def _write_ahead(self) -> None:
        """Have others read while one writes.

        Where another process does the same at this moment, SQLite does not always wait by itself.
        """
        ends = time.monotonic() + PATIENCE
        while True:
            try:
                self._file.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                busy = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
                if not busy or time.monotonic() > ends:
                    raise
                time.sleep(0.02)

    def _fill(self) -> None:
        """Put into a new file what it is to begin with; done twice it is as if done once."""

    def _pragma(self, name: str) -> int:
        return self._file.execute(f"PRAGMA {name}").fetchone()[0]

    def _run(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run one statement; errors are explained in plain words."""
        if self._place and self._where() != self._place:
            # SQLite would go on writing to a file that nobody can open any more.
            raise self.trouble(f"{self.path} was deleted or replaced; nothing is kept any more.")
        with self._explained():
            return self._file.execute(statement, values)

    def _where(self) -> tuple[int, int] | None:
        """What tells the file from any other that is put in its place."""
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _rows(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """All rows of a query."""
        with self._explained():
            return self._file.execute(statement, values).fetchall()

    @contextlib.contextmanager
    def _together(self) -> Iterator[None]:
        """A transaction: all statements are done or none, with none of another thread's between."""
        with self._lock:
            self._run("BEGIN IMMEDIATE")
            try:
                yield
                self._run("COMMIT")
            except BaseException:
                # A full disk has ended the transaction already.
                if self._file.in_transaction:
                    self._file.rollback()
                raise

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Use the file, one thread at a time; explain SQLite's errors in plain words."""
        try:
            with self._lock:
                yield
        except sqlite3.Error as error:
            raise self.trouble(f"{self.path}: {self._why(error)}") from error

    @contextlib.contextmanager
    def _undamaged(self) -> Iterator[None]:
        """Read what is in the tables; a `ValueError` if it is not what was ever written."""
        try:
            yield
        except DAMAGE as error:
            raise ValueError(
                f"{self.path} is damaged: the {self.content} in it cannot be read "
                f"({type(error).__name__}); name another file."
            ) from error

    def _why(self, error: sqlite3.Error) -> str:
        # The primary code; extended ones have more above the lowest byte.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return "it is not an SQLite database, or it is damaged; name another file."
        if code == sqlite3.SQLITE_FULL:
            return f"the disk is full; the {self.content} so far are kept: make room and try again."
        if code == sqlite3.SQLITE_IOERR:
            return (
                f"the disk does not take it; it may be full. The {self.content} so far are kept: "
                "make room and try again."
            )
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            # Unlike `Path.resolve` this takes a link to itself for what it is.
            if not Path(os.path.realpath(self.path)).parent.is_dir():
                return f"there is no folder {self.path.parent}."
            return "it cannot be written; check the permissions of the file and of its folder."
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return "another program is using it; try again when that is done."
        return f"{error}."
