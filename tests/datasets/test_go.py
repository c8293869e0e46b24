"""Data sets of Go: the boards against sgfmill, quick reading against slow, and broken archives."""

import io
import os
import random
import tarfile

import numpy as np
import pytest

from clauseboard.datasets import build
from clauseboard.game import NotationError
from clauseboard.games.datasets import load_composition
from clauseboard.games.go import datasets
from clauseboard.games.go.records import read_plain, read_sgf
from clauseboard.games.records import Report
from clauseboard.games.sgf_files import game_texts
from naive.go_games import LABELS, board_after, random_moves, some_games, written

SIZE = 5
GAMES = some_games(30)
TEXTS = [written(points, SIZE, result) for points, result in GAMES]


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text("".join(TEXTS))
    return path


def rows_of(composition, path, jobs=1):
    report = Report()
    parts = list(composition.rows([path], report, jobs=jobs))
    return parts, report


def bits_of(parts, n_bits=2 * SIZE * SIZE):
    packed = np.concatenate([part.packed for part in parts])
    return np.unpackbits(packed, axis=1, count=n_bits, bitorder="little").tolist()


def all_of(parts, name):
    return np.concatenate([getattr(part, name) for part in parts]).tolist()


# ---------------------------------------------------------------------------- the right boards


@pytest.mark.parametrize("moves", [None, 1, 10, 25])
@pytest.mark.parametrize("at_least", [0, 25, 30])
def test_boards_are_those_of_sgfmill(archive, moves, at_least):
    name, options = ("end", {}) if moves is None else ("after", {"moves": moves})
    parts, report = rows_of(
        load_composition("go", name, size=SIZE, at_least=at_least, **options), archive
    )
    least = max(at_least, moves or 0)
    chosen = [(points, result) for points, result in GAMES if len(points) >= least]
    assert 0 < len(chosen) <= len(GAMES)
    plies = [len(points) if moves is None else moves for points, _ in chosen]
    wanted = [board_after(p, SIZE, n) for (p, _), n in zip(chosen, plies, strict=True)]
    assert bits_of(parts) == wanted
    assert all_of(parts, "labels") == [LABELS[result] for _, result in chosen]
    assert all_of(parts, "plies") == plies
    assert all_of(parts, "to_move") == [n % 2 for n in plies]
    assert all_of(parts, "games") == list(range(len(chosen)))
    assert report.kept == len(chosen)
    assert report.reasons.get("too few moves", 0) == len(GAMES) - len(chosen)


@pytest.mark.parametrize(
    ("moves", "at_least"),
    [(None, 0), (100, 0), (95, 0), (90, 0), (90, 100), (85, 0), (80, 0), (80, 90)],
)
def test_the_eight_sets_of_the_thesis(tmp_path, moves, at_least):
    games = some_games(4, size=9, seed=2)
    draws = random.Random(5)
    games += [(random_moves(draws, 9, n), "B+4") for n in (79, 84, 88, 92, 97, 101, 110)]
    path = tmp_path / "nine.sgf"
    path.write_text("".join(written(points, 9, result) for points, result in games))
    name, options = ("end", {}) if moves is None else ("after", {"moves": moves})
    composition = load_composition("go", name, at_least=at_least, **options)
    parts, _ = rows_of(composition, path)
    least = max(at_least, moves or 0)
    chosen = [points for points, _ in games if len(points) >= least]
    assert chosen
    wanted = [board_after(points, 9, len(points) if moves is None else moves) for points in chosen]
    assert bits_of(parts, 162) == wanted


def test_a_data_set_of_them(archive):
    data = build(load_composition("go", "after", size=SIZE, moves=10), [archive], n_folds=3)
    row = 4
    chosen = [points for points, _ in GAMES if len(points) >= 10]
    position = data.position(row)
    assert data.game.encode([position])[0].tolist() == board_after(chosen[row], SIZE, 10)
    assert position.to_move == "black"
    assert data.manifest["games"]["read"] == len(GAMES)
    assert list(data.manifest["games"]["dropped"]) == ["too few moves"]
    assert data.manifest["options"] == {"size": SIZE, "at_least": 0, "moves": 10}


def test_jobs_change_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets, "AT_A_TIME", 7)
    archive = tmp_path / "folder"
    archive.mkdir()
    for number, text in enumerate(TEXTS):
        (archive / f"{number:02}.sgf").write_text(text)
    for name, text in (("05b", ""), ("17b", "(;SZ[5];B[aa])"), ("29b", "no game")):
        (archive / f"{name}.sgf").write_text(text)
    composition = load_composition("go", "end", size=SIZE)
    alone, report = rows_of(composition, archive)
    both, report_of_both = rows_of(composition, archive, jobs=2)
    assert len(alone) == 5
    assert report.reasons == {"not SGF": 2, "no result": 1}
    assert report == report_of_both
    for name in ("packed", "labels", "games", "plies", "to_move", "keys"):
        assert all_of(alone, name) == all_of(both, name)


def test_equal_games_have_equal_keys_and_others_do_not(tmp_path):
    path = tmp_path / "twice.sgf"
    path.write_text(
        TEXTS[0] + TEXTS[1] + TEXTS[0] + "(;SZ[5]RE[B+4];B[ba])(;SZ[5]RE[B+4]AB[aa];B[ba])"
    )
    parts, _ = rows_of(load_composition("go", "end", size=SIZE), path)
    first, second, third, plain, odd = map(tuple, all_of(parts, "keys"))
    assert first == third
    assert len({first, second, plain, odd}) == 4


def test_little_is_held_at_a_time(monkeypatch):
    """A first part comes before more than one part of the texts has been read."""
    taken = 0

    def texts(path, report):
        nonlocal taken
        for number in range(5000):
            taken += 1
            yield "many.sgf", number + 1, TEXTS[number % len(TEXTS)].encode()

    monkeypatch.setattr(datasets, "game_texts", texts)
    rows = load_composition("go", "end", size=SIZE).rows(["many.sgf"], Report())
    assert len(next(rows)) == datasets.AT_A_TIME == taken
    next(rows)
    assert taken == 2 * datasets.AT_A_TIME


def test_progress_ends_at_one(archive, monkeypatch):
    monkeypatch.setattr(datasets, "AT_A_TIME", 7)
    shares = []
    composition = load_composition("go", "end", size=SIZE)
    list(composition.rows([archive], Report(), progress=shares.append))
    assert len(shares) == 5
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert shares[0] < 0.5


# ---------------------------------------------------------------------------- what is left out


def test_each_reason_is_counted_and_each_oddity_noted(tmp_path):
    path = tmp_path / "odd.sgf"
    path.write_text(
        "(;SZ[5]KM[7]RE[B+1];B[aa])\n"
        "(;SZ[9]KM[7]RE[B+1];B[aa])\n"
        "(;SZ[5]KM[7];B[aa])\n"
        "(;SZ[5]KM[7]RE[Void];B[aa])\n"
        "(;SZ[5]KM[7]RE[B+1];B[aa];W[aa])\n"
        "(;SZ[5]KM[6.5]RE[W+R];B[aa])\n"
        "(;SZ[5]KM[7]AB[bb]RE[W+R];W[aa])\n"
        "(;SZ[5]KM[7]RE[0](;B[aa];W[bb])(;B[cc]))\n"
        "(;GM[2]SZ[5];B[aa])\n"
    )
    parts, report = rows_of(load_composition("go", "end", size=SIZE), path)
    assert report.read == 9
    assert report.reasons == {
        "another size": 1, "no result": 2, "illegal move": 1, "another game": 1,
    }  # fmt: skip
    assert report.notes == {"a komi of 6.5": 1, "stones set up, or white to begin": 1}
    assert all_of(parts, "labels") == [0, 1, 1, 2]
    assert all_of(parts, "to_move") == [1, 1, 0, 0]
    lines = {drop.reason: drop.line for drop in report.drops}
    assert lines == {"another size": 2, "no result": 4, "illegal move": 5, "another game": 9}


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("end", {"size": 1}, "size=1 must be an integer from 2 to 19"),
        ("end", {"size": "9"}, "size='9' must be an integer from 2 to 19"),
        ("end", {"at_least": -1}, "at_least=-1 must be an integer >= 0"),
        ("after", {"moves": 0}, "moves=0 must be an integer >= 1"),
        ("after", {"moves": True}, "moves=True"),
        ("after", {"moves": 80, "at_least": 79}, "at_least=79 moves are too few"),
        ("middle", {}, "go has no composition 'middle'"),
    ],
)
def test_wrong_options(name, options, said):
    with pytest.raises(ValueError, match=said):
        load_composition("go", name, **options)


# ---------------------------------------------------------------------------- quick reading


def same_as_slowly(text):
    """Whether a text was read quickly; if so, the slow way must have read the same."""
    quick = read_plain(text)
    if quick is None:
        return False
    record = read_sgf(text)
    assert quick.points.tolist() == [-1 if m.point is None else m.point for m in record.moves]
    assert (quick.size, quick.result) == (record.game.size, record.result)
    assert quick.komi == record.game.points_for_white
    assert not any(record.start.board)
    assert record.start.to_move == "black"
    return True


def test_plain_games_are_read_plain():
    assert all(same_as_slowly(text.encode()) for text in TEXTS)


@pytest.mark.parametrize(
    "text",
    [
        "(;SZ[9];B[aa];W[tt];B[bb])",
        "(;SZ[19]RE[B+\n2];B[aa];W[ss])",
        "(;;B[aa])",
        "(;SZ[9])",
        "(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[-3.5]PB[Ann];B[aa] C[;W(bb)] ;W[bb] )  ",
    ],
)
def test_odd_but_plain(text):
    assert same_as_slowly(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "(;SZ[9](;B[aa])(;B[bb]))",
        "(;SZ[9]HA[2]AB[aa][bb];W[cc])",
        "(;SZ[9];W[cc])",
        "(;SZ[9];B[cc];B[dd])",
        "(;SZ[9];B[cc];W[cc])",
        "(;SZ[9];B[jj])",
        "(;SZ[9];B[];W[];B[])",
        "(;SZ[9];B[aa];W[];B[];W[bb])",
        "(;SZ[9]SZ[9];B[aa])",
        "(;SZ[9]KM[x];B[aa])",
        "(;SZ[9]KM[1e3];B[aa])",
        "(;SZ[25];B[aa])",
        "(;SZ[9]CA[Shift-JIS];B[aa])",
        "(;GM[2]SZ[9];B[aa])",
        "(;SZ[9]PB[a\\]b];B[aa])",
        "(;SZ[9];B[aa]C[;W[bb])",
        "(;SZ[9];B[aa]C[é])",
        "(;SZ[9];B[aa]",
        "",
    ],
)
def test_what_is_not_plain_is_left_to_the_slow_way(text):
    assert read_plain(text.encode()) is None


def mutated(text, draws):
    """A text with a few bytes changed, left out, doubled or moved."""
    raw = bytearray(text)
    for _ in range(draws.randint(1, 4)):
        at = draws.randrange(len(raw))
        kind = draws.randrange(5)
        if kind == 0:
            raw[at] = draws.randrange(256)
        elif kind == 1:
            del raw[at : at + draws.randint(1, 30)]
        elif kind == 2:
            raw[at:at] = draws.choice(
                [b"(;", b")", b"[", b"]", b";", b"\\", b"B[aa]", b"W[]", b"RE[]"]
            )
        elif kind == 3:
            raw[at:at] = raw[at : at + draws.randint(1, 40)]
        else:
            raw[at] = draws.choice(b"()[];\\BWabct \n")
        raw = raw or bytearray(b"(")
    return bytes(raw)


def check_mutations(n, seed, tmp_path):
    draws = random.Random(seed)
    good = [text.encode() for text in TEXTS]
    texts = [mutated(draws.choice(good), draws) for _ in range(n)]
    quickly = 0
    for text in texts:
        try:
            quickly += same_as_slowly(text)
        except NotationError:  # quick where slow refuses
            pytest.fail(f"{text!r} was read quickly only")
    assert 0 < quickly < n
    composition = load_composition("go", "end", size=SIZE)
    kept = dropped = 0
    for start in range(0, n, 100):
        path = tmp_path / "bad.sgf"
        path.write_bytes(b"\n".join(texts[start : start + 100]))
        parts, report = rows_of(composition, path)
        assert report.kept == sum(map(len, parts))
        assert report.read >= report.kept > 0
        kept, dropped = kept + report.kept, dropped + report.dropped
    assert dropped > 0
    # Where a game loses its end and the next one its beginning, two are seen as one.
    assert kept + dropped > 0.9 * n


def test_mutations(tmp_path):
    check_mutations(400, 1, tmp_path)


@pytest.mark.long
def test_ten_thousand_mutations(tmp_path):
    check_mutations(10_000, 2, tmp_path)


# ---------------------------------------------------------------------------- archives


def tar_of(path, members, mode="w"):
    """A tar of names and texts; what is a `TarInfo` already is put in as it is."""
    with tarfile.open(path, mode) as archive:
        for member, text in members:
            info = member if isinstance(member, tarfile.TarInfo) else tarfile.TarInfo(member)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text))
    return path


def link(name, target, kind):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def test_file_folder_and_tars_give_the_same(tmp_path, archive):
    composition = load_composition("go", "end", size=SIZE)
    wanted = bits_of(rows_of(composition, archive)[0])
    folder = tmp_path / "folder" / "below"
    folder.mkdir(parents=True)
    members = [(f"below/{n:03}.sgf", text.encode()) for n, text in enumerate(TEXTS)]
    for name, text in members:
        (tmp_path / "folder" / name).write_bytes(text)
    assert bits_of(rows_of(composition, folder.parent)[0]) == wanted
    for ending, mode in (("tar", "w"), ("tar.gz", "w:gz"), ("tar.bz2", "w:bz2"), ("txz", "w:xz")):
        path = tar_of(tmp_path / f"games.{ending}", members, mode)
        assert bits_of(rows_of(composition, path)[0]) == wanted


def test_path_tricks_in_a_tar_write_nothing(tmp_path):
    text = TEXTS[0].encode()
    before = tmp_path / "outside.sgf"
    path = tar_of(
        tmp_path / "tricks.tar",
        [
            ("../outside.sgf", text),
            (str(tmp_path / "absolute.sgf"), text),
            (link("link.sgf", "/etc/passwd", tarfile.SYMTYPE), b""),
            (link("hard.sgf", "../../outside.sgf", tarfile.LNKTYPE), b""),
            (link("pipe.sgf", "", tarfile.FIFOTYPE), b""),
            (link("folder.sgf", "", tarfile.DIRTYPE), b""),
            ("notes.txt", b"not a game"),
            ("a" * 300 + ".sgf", text),
        ],
    )
    parts, report = rows_of(load_composition("go", "end", size=SIZE), path)
    assert sum(map(len, parts)) == 3
    assert report.reasons == {"no file": 3}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["tricks.tar"]
    assert not before.exists()


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_cut_off_tar(tmp_path, mode):
    whole = tar_of(
        tmp_path / "whole.tar", [(f"{n}.sgf", t.encode()) for n, t in enumerate(TEXTS)], mode
    )
    raw = whole.read_bytes()
    cut = tmp_path / "cut.tar"
    cut.write_bytes(raw[: len(raw) // 2])
    parts, report = rows_of(load_composition("go", "end", size=SIZE), cut)
    assert report.kept == sum(map(len, parts)) < len(TEXTS)
    assert report.dropped >= 1


def test_damaged_tars_are_reported(tmp_path):
    draws = random.Random(3)
    composition = load_composition("go", "end", size=SIZE)
    members = [(f"{n}.sgf", text.encode()) for n, text in enumerate(TEXTS[:4])]
    for number in range(120):
        mode = ("w", "w:gz", "w:bz2", "w:xz")[number % 4]
        path = tar_of(tmp_path / "bad.tar", members, mode)
        raw = bytearray(path.read_bytes())
        for _ in range(draws.randint(1, 5)):
            # Mostly the headers: their first bytes.
            at = draws.randrange(min(len(raw), 600) if draws.random() < 0.7 else len(raw))
            raw[at] = draws.randrange(256)
        path.write_bytes(raw)
        parts, report = rows_of(composition, path)
        assert report.kept == sum(map(len, parts))


@pytest.mark.parametrize("raw", [b"", b"\0" * 1024, b"no tar at all", b"\x1f\x8b\x08"])
def test_a_tar_that_is_none(tmp_path, raw):
    path = tmp_path / "none.tar"
    path.write_bytes(raw)
    parts, report = rows_of(load_composition("go", "end", size=SIZE), path)
    assert sum(map(len, parts)) == 0
    assert report.kept == 0


def test_empty_junk_and_huge_files(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.sgf").write_bytes(b"")
    (folder / "b.sgf").write_bytes(bytes(range(256)) * 40)
    (folder / "c.sgf").write_bytes(b"(;GM[1]SZ[5];B[aa]C[" + b"x" * (3 << 20))
    (folder / "d.sgf").write_bytes(b"(;" * 50_000)
    (folder / "e.sgf").write_text(TEXTS[0])
    (folder / "f.sgf").symlink_to(tmp_path / "nowhere")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "g.sgf")
    parts, report = rows_of(load_composition("go", "end", size=SIZE), folder)
    assert sum(map(len, parts)) == report.kept == 1
    assert report.reasons["too long"] >= 1
    files = {os.path.basename(drop.file) for drop in report.drops}
    assert {"a.sgf", "b.sgf", "c.sgf", "d.sgf", "f.sgf"} <= files
    assert "e.sgf" not in files
    assert not hasattr(os, "mkfifo") or "g.sgf" in files


def test_no_such_archive():
    with pytest.raises(FileNotFoundError, match=r"There is no file or folder 'none\.sgf'"):
        list(game_texts("none.sgf", Report()))


def test_nothing_left_is_one_sentence(tmp_path):
    path = tmp_path / "none.sgf"
    path.write_text("(;SZ[9];B[aa])")
    with pytest.raises(ValueError, match=r"No board is left .* 1 for no result"):
        build(load_composition("go", "end"), [path])
