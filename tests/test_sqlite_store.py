"""Files of records: two programs that begin one at the same moment."""

import os
import sqlite3

import pytest

from clauseboard import sqlite_store as storing
from clauseboard.arena.playing import MatchStore
from clauseboard.sqlite_store import Database


class Notes(Database):
    tables = "CREATE TABLE IF NOT EXISTS notes (text TEXT)"
    mark = 4711
    version = 1
    content = "notes"


def busy(times):
    """A connection that another one keeps from writing ahead, so many times."""

    class Busy(sqlite3.Connection):
        left = times

        def execute(self, statement, *values):
            if "journal_mode" in statement and self.left:
                self.left -= 1
                error = sqlite3.OperationalError("database is locked")
                error.sqlite_errorcode = sqlite3.SQLITE_BUSY
                raise error
            return super().execute(statement, *values)

    return Busy


def connecting(monkeypatch, times):
    real = sqlite3.connect
    monkeypatch.setattr(
        storing.sqlite3, "connect", lambda *a, **more: real(*a, **more, factory=busy(times))
    )


def test_a_file_that_another_program_begins_is_waited_for(tmp_path, monkeypatch):
    connecting(monkeypatch, 3)
    with Notes(tmp_path / "notes") as notes:
        assert notes._rows("PRAGMA journal_mode") == [("wal",)]
        notes._run("INSERT INTO notes VALUES ('kept')")
    with Notes(tmp_path / "notes") as notes:
        assert notes._rows("SELECT text FROM notes") == [("kept",)]


def test_it_is_not_waited_for_without_end(tmp_path, monkeypatch):
    connecting(monkeypatch, 10**9)
    monkeypatch.setattr(storing, "PATIENCE", 0.1)
    with pytest.raises(OSError, match="another program is using it"):
        Notes(tmp_path / "notes")


@pytest.mark.parametrize("how", ["deleted", "replaced"])
@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be deleted there")
def test_a_file_that_is_gone_takes_nothing(tmp_path, how):
    path = tmp_path / "games.sqlite"
    with MatchStore(path) as store:
        store.add_match("a", {})
        path.unlink()
        if how == "replaced":
            path.write_bytes(b"")
        with pytest.raises(OSError, match="was deleted or replaced"):
            store.add_match("b", {})


def test_a_link_to_itself_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(OSError, match="it cannot be written"):
        Notes(tmp_path / "loop")
