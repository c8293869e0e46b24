"""A file of records that grows while a program runs: SQLite, with its troubles in plain words.

What is written is there at once and stays, whatever happens to the program; several programs may
write into one file, and several threads use one object. `Database` is what all such files share; a
class made of it says which tables there are.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Self

PATIENCE = 30.0
"""Seconds to wait for another program that holds the file."""


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
    trouble: ClassVar[type[Exception]] = OSError
    """The error that tells of what SQLite finds wrong."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = threading.RLock()
        with self._explained():
            # Every statement is a transaction of its own.
            self._file = sqlite3.connect(
                self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
        try:
            self._prepare()
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
                if "locked" not in str(error) or time.monotonic() > ends:
                    raise
                time.sleep(0.02)

    def _fill(self) -> None:
        """Put into a new file what it is to begin with; done twice it is as if done once."""

    def _pragma(self, name: str) -> int:
        return self._file.execute(f"PRAGMA {name}").fetchone()[0]

    def _run(self, statement: str, values: Any = ()) -> sqlite3.Cursor:
        """One statement; what is wrong is told in plain words."""
        with self._explained():
            return self._file.execute(statement, values)

    def _rows(self, statement: str, values: Any = ()) -> list[Any]:
        """All rows that a question finds."""
        with self._explained():
            return self._file.execute(statement, values).fetchall()

    @contextlib.contextmanager
    def _together(self) -> Iterator[None]:
        """Statements that are all done or none of them; no other thread's come between them."""
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
        """Use the file, one thread at a time; say in plain words what SQLite's errors mean."""
        try:
            with self._lock:
                yield
        except sqlite3.Error as error:
            raise self.trouble(f"{self.path}: {self._why(error)}") from error

    def _why(self, error: sqlite3.Error) -> str:
        said, path = str(error), self.path
        if any(words in said for words in ("not a database", "malformed", "no such table")):
            return "it is no SQLite database, or a damaged one; name another file."
        if "full" in said:
            return (
                f"the disk is full; the {self.content} so far are kept, so make room and run it "
                "again."
            )
        if "disk I/O" in said:
            return (
                f"the disk does not take it; it may be full. The {self.content} so far are kept, "
                "so look after it and run it again."
            )
        if "readonly" in said or "unable to open" in said:
            if not path.resolve().parent.is_dir():
                return f"there is no folder {path.parent}."
            return "it cannot be written to; look at its rights and those of its folder."
        if "locked" in said:
            return "another program holds it; try again when that is done."
        return f"{said}."
