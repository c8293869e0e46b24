"""Archives of Hex games: nothing stops the reader, and nothing is dropped in silence."""

import os
import tarfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.game import load_game
from clauseboard.games.hex.records import read_archive, write_moves
from clauseboard.games.records import Report


def read(paths, **options):
    report = Report()
    return [write_moves(record) for record in read_archive(paths, report, **options)], report


def test_broken_games_between_good_ones(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_bytes(
        b"Some words before the first game.\n"
        b"(;FF[4]GM[11];B[a1];W[b2])(;FF[4]GM[11];B[a1];W[a1])\n"
        b"(;FF[4]GM[11]C[the end is missing;B[a1]\n"
        b"\n"
        b"(\n;GM[11]\n;B[c3]\n(;W[d4])\n(;W[e5]))\n"
        b"(;GM[1]SZ[9];B[aa])\n"
        b"(;PB[" + "Ö".encode("latin-1") + b"];B[f6])\n"
    )
    games, report = read([path])
    assert games == ["a1 b2", "c3 d4", "f6"]
    assert (report.read, report.kept) == (6, 3)
    assert [(one.line, one.reason) for one in report.drops] == [
        (2, "illegal move"),
        (3, "not SGF"),
        (10, "another game"),
    ]
    assert all(one.file == str(path) for one in report.drops)
    assert (
        str(report.drops[2]) == f"{path}, line 10: another game: GM[1] is not Hex, which is GM[11]."
    )
    assert str(report).splitlines() == [
        "6 games read, 3 kept, 3 dropped",
        "  1 for illegal move",
        "  1 for not SGF",
        "  1 for another game",
    ]


def test_games_without_any_header_are_all_read(tmp_path):
    path = tmp_path / "bare.sgf"
    path.write_text("(;B[a1])(;B[b1];W[b1])\n(;B[c1])\n")
    games, report = read([path])
    assert games == ["a1", "c1"]
    assert report.reasons == {"illegal move": 1}


@pytest.mark.parametrize(
    ("text", "kept", "lines"),
    [
        ("(;GM[11]SZ[5];B[a1];W[b2])\n(;X\n", 1, [2]),
        ("(;B[a1];W[b2])\n" * 3 + "(;B[a1", 3, [4]),
        ("\n\n\n(;B[a1];W[b2])\n\n(;B[a1];W[a1])\n\n\n(;B[b1];W[b1])\n", 1, [6, 9]),
        ("\n" * 6 + "(\n\n;GM[11];B[a1];W[a1])", 0, [7]),
        ("(;GM[11]SZ[5]C[as in (;PB[x\\] of old];B[a1];W[b2])", 1, []),
        ("", 0, [1]),
    ],
)
def test_what_is_kept_and_on_which_lines_the_rest_is(tmp_path, text, kept, lines):
    path = tmp_path / "games.sgf"
    path.write_text(text)
    games, report = read(path)
    assert games == ["a1 b2"] * kept
    assert [drop.line for drop in report.drops] == lines
    assert report.read == kept + len(lines)


def test_a_folder_and_a_tar(tmp_path):
    folder = tmp_path / "games" / "below"
    folder.mkdir(parents=True)
    (folder / "a.hsgf").write_text("(;GM[11];B[a1])")
    (folder.parent / "b.SGF").write_text("(;GM[11];B[b1])(;GM[11]")
    (folder.parent / "readme.txt").write_text("no game")
    assert read(tmp_path / "games")[0] == ["b1", "a1"]
    tar = tmp_path / "games.tar.gz"
    with tarfile.open(tar, "w:gz") as made:
        made.add(folder.parent, "games")
    games, report = read(os.fspath(tar))
    assert sorted(games) == ["a1", "b1"]
    assert report.reasons == {"not SGF": 1}
    assert report.drops[0].file == f"{tar}:games/b.SGF"
    assert [write_moves(record) for record in read_archive(folder)] == ["a1"]


def test_a_path_that_is_not_there():
    with pytest.raises(FileNotFoundError, match="There is no file or folder 'nowhere'"):
        next(read_archive("nowhere"))


def test_lists_of_moves_a_line_each(tmp_path):
    path = tmp_path / "games.txt"
    path.write_bytes(b"\xef\xbb\xbfa1 swap c3\n\n# a remark\na1 l1\nb2,c3\nno moves here\n")
    games, report = read([path])
    assert games == ["a1 swap c3", "b2 c3"]
    assert [(one.line, one.reason) for one in report.drops] == [
        (4, "unreadable move"),
        (6, "unreadable move"),
    ]


@pytest.mark.parametrize("size", [2, 5, 11])
def test_a_game_tells_which_sizes_are_wanted(tmp_path, size):
    path, lists = tmp_path / "games.sgf", tmp_path / "games.txt"
    path.write_text("".join(f"(;GM[11]SZ[{n}];B[a1])\n" for n in (2, 5, 11)))
    lists.write_text("b2\n")
    games, report = read([path, lists], game=load_game("hex", size=size))
    assert games == ["a1", "b2"]
    assert report.reasons == {"another size": 2}


def test_files_that_cannot_be_read_are_noted(tmp_path):
    good = tmp_path / "good.txt"
    good.write_text("a1\n")
    empty = tmp_path / "empty.sgf"
    empty.write_text("")
    words = tmp_path / "words.sgf"
    words.write_text("no game at all")
    remarks = tmp_path / "remarks.txt"
    remarks.write_text("# nothing else\n\n")
    games, report = read([tmp_path / "missing.sgf", str(good), empty, words, remarks])
    assert games == ["a1"]
    assert report.reasons == {"not readable": 1, "not SGF": 3}
    assert report.read == report.kept + report.dropped == 5


def test_games_come_one_at_a_time(tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("a1\n" * 1000)
    report = Report()
    next(read_archive([path], report))
    assert report.read == 1


BITS = [
    b"(;GM[11]",
    b"(;",
    b";B[a1]",
    b";W[b2]",
    b")",
    b"(",
    b"[",
    b"]",
    b"\\",
    b"\n",
    b"\xff",
    b"PB[",
]


@settings(max_examples=150)
@given(st.lists(st.sampled_from(BITS), max_size=20), st.sampled_from(["sgf", "txt"]))
def test_nothing_stops_the_reader(tmp_path_factory, pieces, kind):
    path = tmp_path_factory.mktemp("archive") / f"games.{kind}"
    good = b"\n(;GM[11];B[c3])\n" if kind == "sgf" else b"\nc3\n"
    path.write_bytes(b"".join(pieces) + good)
    games, report = read([path])
    assert report.read == report.kept + report.dropped
    assert len(games) == report.kept
    # Whatever stands before it, a game that begins anew is read.
    assert games[-1] == "c3"
