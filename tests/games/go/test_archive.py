"""Archives: folders, files of many games, tars; nothing broken stops them, nothing is lost."""

import io
import os
import random
import tarfile
import tracemalloc

import pytest

from clauseboard.games import sgf_files
from clauseboard.games.go.records import read_archive, read_games
from clauseboard.games.records import Report, read_recorded

GOOD = "(;GM[1]SZ[9]KM[7]PB[{}];B[ee];W[cc](;B[dd])(;B[ff]))"


def good(name):
    return GOOD.format(name)


def players(path, report=None):
    return [record.texts["PB"] for record in read_archive(path, report)]


def test_a_file_of_many_games(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text("what is this?\n" + good("a") + good("b") + "\n\n" + good("c") + "\nbye")
    report = Report()
    assert players(path, report) == ["a", "b", "c"]
    assert (report.read, report.kept, report.dropped) == (3, 3, 0)
    assert str(report) == "3 games read, 3 kept, 0 dropped"


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ("(;GM[1]SZ[9];B[ee];W[ee])", "illegal move"),
        ("(;GM[1]SZ[9];B[ee];W[cc", "not SGF"),
        ("(;GM[1]SZ[9];B[ee](;W[cc]", "not SGF"),
        ("(;GM[1]SZ[9];B[ee]C[never closed;W[cc", "not SGF"),
        ("(;GM[1]SZ[9];B[ee]C[escaped \\] and never closed)", "not SGF"),
        ("(;GM[1]SZ[25];B[ee])", "board size"),
        ("(;GM[1]SZ[9]KM[x])", "property"),
        ("(;GM[2]SZ[9])", "another game"),
        ("(;SZ[9] what? ;B[ee])", "not SGF"),
        ("(;)", None),
    ],
)
def test_a_broken_game_is_dropped_and_the_next_one_read(tmp_path, broken, reason):
    path = tmp_path / "games.sgf"
    path.write_text(f"{good('a')}\n\n{broken}\n{good('b')}\n")
    report = Report()
    records = list(read_archive(path, report))
    assert [r.texts["PB"] for r in records if r.texts] == ["a", "b"]
    assert report.read == 3
    if reason is None:
        assert report.kept == 3
        return
    assert report.kept == 2
    assert report.reasons == {reason: 1}
    (drop,) = report.drops
    assert (drop.file, drop.line, drop.reason) == (str(path), 3, reason)
    assert str(drop).startswith(f"{path}, line 3: {reason}: ")
    assert f"1 for {reason}" in str(report)


def test_a_comment_may_quote_a_game(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[1]SZ[9]PB[a]C[as in\n(;GM[1\\]SZ[9\\];B[ee\\])];B[ee])\n" + good("b"))
    assert players(path) == ["a", "b"]


@pytest.mark.parametrize("begins", ["PB[x]SZ[9]", "KM[7]SZ[9]", "AB[dd]SZ[9]", "C[so]SZ[9]"])
def test_after_a_game_without_end_the_others_are_kept(tmp_path, begins):
    path = tmp_path / "games.sgf"
    game = f"(;{begins};B[aa]"
    path.write_text(f"{game}\n{game})\n{game})\n")
    report = Report()
    assert len(list(read_archive(path, report))) == 2
    assert [(drop.line, drop.reason) for drop in report.drops] == [(1, "not SGF")]


def test_a_folder_in_the_order_of_names(tmp_path):
    (tmp_path / "2").mkdir()
    (tmp_path / "2" / "x.sgf").write_text(good("third"))
    (tmp_path / "b.SGF").write_text(good("second"))
    (tmp_path / "a.sgf").write_text(good("first"))
    (tmp_path / "notes.txt").write_text(good("never"))
    (tmp_path / "empty.sgf").write_text("")
    (tmp_path / "latin.sgf").write_bytes(good("Åse").encode("latin-1"))
    report = Report()
    assert players(tmp_path, report) == ["first", "second", "Åse", "third"]
    assert (report.read, report.kept) == (5, 4)
    assert report.drops[0].file.endswith("empty.sgf")
    assert report.reasons == {"not SGF": 1}


def make_tar(path, games, mode):
    with tarfile.open(path, mode) as made:
        for name, text in games.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            made.addfile(member, io.BytesIO(text.encode()))


@pytest.mark.parametrize(
    ("name", "mode"), [("a.tar", "w"), ("a.tar.gz", "w:gz"), ("a.tgz", "w:gz")]
)
def test_a_tar(tmp_path, name, mode):
    games = {
        "x/1.sgf": good("a"),
        "x/2.sgf": "(;SZ[9",
        "readme": good("no"),
        "3.sgf": good("b") * 2,
    }
    make_tar(tmp_path / name, games, mode)
    report = Report()
    assert players(tmp_path / name, report) == ["a", "b", "b"]
    assert (report.read, report.kept) == (4, 3)
    assert report.drops[0].file == f"{tmp_path / name}:x/2.sgf"


@pytest.mark.parametrize("keep", [0.3, 0.9])
@pytest.mark.parametrize(("name", "mode"), [("a.tar", "w"), ("a.tar.gz", "w:gz")])
def test_a_tar_that_is_cut_off_gives_what_it_has(tmp_path, name, mode, keep):
    path = tmp_path / name
    rng = random.Random(1)
    noise = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=3000)) for _ in range(60)]
    games = {f"{i}.sgf": f"(;SZ[9]PB[{i}]C[{noise[i]}])" for i in range(60)}
    make_tar(path, games, mode)
    data = path.read_bytes()
    path.write_bytes(data[: int(keep * len(data))])
    report = Report()
    found = players(path, report)
    assert found == [str(i) for i in range(len(found))]
    assert 0 < len(found) < 60
    assert report.dropped > 0
    assert report.read == report.kept + report.dropped


def test_what_is_no_tar_is_dropped(tmp_path):
    path = tmp_path / "a.tar"
    path.write_text("hello")
    report = Report()
    assert players(path, report) == []
    assert report.reasons == {"not readable": 1}


def test_a_file_that_is_not_there():
    with pytest.raises(FileNotFoundError, match="There is no file or folder 'nowhere'"):
        next(read_archive("nowhere"))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything may be read here")
def test_a_file_that_may_not_be_read(tmp_path):
    (tmp_path / "a.sgf").write_text(good("a"))
    (tmp_path / "a.sgf").chmod(0)
    (tmp_path / "b.sgf").write_text(good("b"))
    report = Report()
    assert players(tmp_path, report) == ["b"]
    assert report.reasons == {"not readable": 1}


def test_a_link_to_nowhere_is_dropped(tmp_path):
    (tmp_path / "a.sgf").symlink_to(tmp_path / "gone.sgf")
    (tmp_path / "b.sgf").write_text(good("b"))
    report = Report()
    assert players(tmp_path, report) == ["b"]
    assert report.reasons == {"not readable": 1}


def test_a_folder_that_cannot_be_entered_is_dropped(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.sgf").write_text(good("a"))
    (tmp_path / "b.sgf").write_text(good("b"))
    enter = os.scandir

    def scandir(folder):
        if os.fspath(folder).endswith("a"):
            raise PermissionError(13, "Permission denied", os.fspath(folder))
        return enter(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    report = Report()
    assert players(tmp_path, report) == ["b"]
    assert report.reasons == {"not readable": 1}
    assert report.drops[0].file == str(tmp_path / "a")


def test_the_rules_are_those_asked_for(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text("(;SZ[9]PB[a];B[ab];W[ii];B[ba];W[aa])")
    assert list(read_archive(path)) == []
    (record,) = read_archive(path, suicide=True)
    assert record.game.suicide


def test_a_recorded_game_has_suicide_where_it_happened(tmp_path):
    """Of a game that was saved by such rules, and of nothing else that is wrong."""
    path = tmp_path / "games.sgf"
    happened, not_so = "(;SZ[9];B[ab];W[ii];B[ba];W[aa])", "(;SZ[9];B[ab];W[ii])"
    taken = "(;SZ[9];B[ab];W[ab])"
    path.write_text(happened + not_so + taken)
    report = Report()
    first, second = read_games(path, report)
    assert (first.game.suicide, second.game.suicide) == (True, False)
    assert first.positions[-1].board == first.positions[-2].board
    assert report.reasons == {"illegal move": 1}
    assert read_recorded(path, game="go").moves == first.moves


def test_the_list_of_drops_has_an_end(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[2])\n" * 10)
    report = Report(most_listed=3)
    assert list(read_archive(path, report)) == []
    assert report.dropped == 10
    assert [drop.line for drop in report.drops] == [1, 2, 3]


def test_a_game_without_end_is_dropped(tmp_path, monkeypatch):
    monkeypatch.setattr(sgf_files, "MOST_BYTES", 200_000)
    path = tmp_path / "games.sgf"
    endless = "(;GM[1]SZ[9]" + "\n(;B[ee]" * 60_000
    path.write_text(f"{good('a')}\n{endless}\n{good('b')}")
    report = Report()
    assert players(path, report) == ["a", "b"]
    assert report.reasons["too long"] >= 1
    assert report.drops[0].line == 2


def test_reading_holds_one_game_at_a_time(tmp_path):
    path = tmp_path / "games.sgf"
    with path.open("w") as file:
        for i in range(4000):
            file.write(f"(;GM[1]SZ[9]PB[{i}]C[{'x' * 2000}];B[ee])\n")
    report = Report()
    # The first game of all brings the compiler along, which is not what is measured.
    next(read_archive(path))
    tracemalloc.start()
    count = sum(1 for _ in read_archive(path, report))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 4000
    assert path.stat().st_size > 8_000_000
    assert peak < 2_000_000
