"""The file of games: no game twice, and plain words for every trouble with a file."""

import itertools
import os
import sqlite3

import pytest

from clauseboard.arena.playing import GameRecord, MatchStore


def game(number, reason="so"):
    return GameRecord(number, ("a", "b"), 1, ("a1", "b2"), "red", reason)


def test_games_come_back_by_number(tmp_path):
    path = tmp_path / "games.sqlite"
    with MatchStore(path) as store:
        store.add_match("m", {"seed": 1})
        store.add_match("m", {"seed": 1})
        for number in (2, 0, 1):
            assert store.add("m", game(number))
        store.add_match("other", {})
        store.add("other", game(7))
    with MatchStore(path) as store:
        assert store.games("m") == [game(0), game(1), game(2)]
        assert store.game("m", 2) == game(2)
        assert store.games("nobody's") == []
        assert store.matches() == {"m": {"seed": 1}, "other": {}}


def test_no_game_is_kept_twice(tmp_path):
    with MatchStore(tmp_path / "games.sqlite") as one, MatchStore(tmp_path / "games.sqlite") as two:
        one.add_match("m", {})
        assert one.add("m", game(0, "first"))
        assert not two.add("m", game(0, "second"))
        assert [record.reason for record in two.games("m")] == ["first"]


def test_a_game_is_on_the_disk_at_once(tmp_path):
    with MatchStore(tmp_path / "games.sqlite") as store:
        store.add_match("m", {})
        store.add("m", game(0))
        with sqlite3.connect(tmp_path / "games.sqlite") as other:
            rows = other.execute("SELECT match, number, first, second, winner, n_moves FROM games")
            assert rows.fetchall() == [("m", 0, "a", "b", "red", 2)]
        other.close()


def test_no_database(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("These are my notes, and no database at all. " * 20)
    before = path.read_bytes()
    with pytest.raises(OSError, match=r"notes.txt: it is not an SQLite database"):
        MatchStore(path)
    assert path.read_bytes() == before


def test_a_database_of_another_program(tmp_path):
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE songs (title TEXT)")
    other.close()
    with pytest.raises(ValueError, match="a database of another program"):
        MatchStore(path)


def test_another_version(tmp_path):
    path = tmp_path / "games.sqlite"
    MatchStore(path).close()
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 99")
    file.close()
    with pytest.raises(ValueError, match="as version 99 kept them; this one reads version 1"):
        MatchStore(path)


def test_no_folder(tmp_path):
    with pytest.raises(OSError, match="there is no folder"):
        MatchStore(tmp_path / "missing" / "games.sqlite")


def test_a_folder_instead_of_a_file(tmp_path):
    with pytest.raises(OSError, match="it cannot be written;"):
        MatchStore(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_a_folder_that_cannot_be_written_to(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(OSError, match="it cannot be written;"):
            MatchStore(tmp_path / "games.sqlite")
    finally:
        tmp_path.chmod(0o700)


def test_a_file_that_may_only_be_read(tmp_path):
    with MatchStore(tmp_path / "games.sqlite") as store:
        store.add_match("m", {})
        store._file.execute("PRAGMA query_only = 1")
        with pytest.raises(OSError, match="it cannot be written;"):
            store.add("m", game(0))


def test_a_full_disk_keeps_what_is_there(tmp_path):
    with MatchStore(tmp_path / "games.sqlite") as store:
        store.add_match("m", {})
        pages = store._file.execute("PRAGMA page_count").fetchone()[0]
        store._file.execute(f"PRAGMA max_page_count = {pages + 2}")
        numbers = itertools.count()
        with pytest.raises(OSError, match="the disk is full; the games so far are kept"):
            list(iter(lambda: store.add("m", game(next(numbers), "x" * 1000)), False))
    with MatchStore(tmp_path / "games.sqlite") as store:
        kept = [record.number for record in store.games("m")]
    assert kept == list(range(next(numbers) - 1))
    assert kept


def test_a_file_that_another_program_holds(tmp_path):
    with MatchStore(tmp_path / "games.sqlite") as store:
        store.add_match("m", {})
        store._file.execute("PRAGMA busy_timeout = 1")
        other = sqlite3.connect(tmp_path / "games.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(OSError, match="another program is using it"):
            store.add("m", game(0))
        other.close()
