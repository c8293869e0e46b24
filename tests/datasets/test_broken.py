"""Empty, broken, huge and hostile files: a report, never a crash, nothing lost in silence."""

import functools
import os
import random

import numpy as np
import pytest

from clauseboard.datasets import build
from clauseboard.games.checkers import datasets as extracting
from clauseboard.games.checkers.datasets import parts
from clauseboard.games.checkers.records import Archive
from clauseboard.games.datasets import load_composition
from clauseboard.games.records import Report
from naive import datasets as naive

NOISE = [
    b"", b"\0", b"\n\n", b"{", b"}", b"(", b")", b";", b"%", b"[", b"]", b'"', b"\\", b"*", b"-",
    b"x", b"1-0", b"0-1", b"1/2-1/2", b"1.", b"1. 11-15", b"...", b"99-99", b"32x23x14", b"\r",
    b"\xff\xfe", b"\xef\xbb\xbf", b'[Event "x"]', b'[FEN "W:WK1:BK32"]', b'[FEN "nothing"]',
    b'[GameType "20"]', b'[Result "*"]', b"forfeit", b"{wrong result}", "½".encode(), b"9" * 400,
    b"{" * 50, b"(" * 50,
]  # fmt: skip


def mutated(text, rng):
    """A file with a few things wrong with it."""
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(text) + 1)
        until = min(at + rng.choice([0, 1, 1, 5, 40, 400]), len(text))
        kind = rng.randrange(5)
        if kind == 0:
            text = text[:at] + text[until:]
        elif kind == 1:
            text = text[:at] + rng.choice(NOISE) + text[at:]
        elif kind == 2:
            text = text[:at] + rng.choice(NOISE) + text[until:]
        elif kind == 3:
            text = text[:at] + text[at:until] * 2 + text[until:]
        else:
            to = rng.randrange(len(text) + 1)
            text = text[:at] + text[to : to + 300] + text[at:]
    return text


def good_files():
    return [naive.as_pdn(naive.random_games(seed, n_games=4)).encode() for seed in range(5)]


def check(path, rng, monkeypatch):
    """Read a file whole and in parts, and compare with the archive, which replays all slowly."""
    composition = load_composition("checkers", "standard-end", odd=True, strict=rng.random() < 0.7)
    whole = Report()
    rows = list(composition.rows([path], whole))
    size = rng.choice([50, 300, 2000])
    with monkeypatch.context() as patch:
        patch.setattr(extracting, "parts", functools.partial(parts, size=size))
        cut = Report()
        in_parts = list(composition.rows([path], cut))
    assert cut == whole
    joined = [np.concatenate([part.packed for part in some]) for some in (rows, in_parts)]
    assert np.array_equal(*joined)
    archive = Archive(path, strict=composition.strict)
    records = [record for record in archive if record.outcome is not None]
    boards = [list(record.positions())[-1] for record in records]
    assert len(joined[0]) == whole.kept == len(boards)
    assert np.array_equal(
        np.unpackbits(joined[0], axis=1, bitorder="little"), composition.game.encode(boards)
    )
    games_there = 0 if "not PDN" in whole.reasons else whole.read
    assert games_there == archive.report.read
    usual = Report()
    kept = list(load_composition("checkers", "end-to-eight").rows([path], usual))
    assert usual.read == whole.read
    assert len({game for part in kept for game in part.games.tolist()}) == usual.kept


def fuzz(folder, n_files, seed, monkeypatch):
    rng, good = random.Random(seed), good_files()
    for _ in range(n_files):
        path = folder / "broken.pdn"
        path.write_bytes(mutated(rng.choice(good), rng))
        check(path, rng, monkeypatch)


def test_mutations(tmp_path, monkeypatch):
    fuzz(tmp_path, 100, 1, monkeypatch)


@pytest.mark.long
def test_ten_thousand_mutations(tmp_path, monkeypatch):
    fuzz(tmp_path, 10_000, 2, monkeypatch)


def told(path, name="standard-end"):
    """What is said where no board is left, and the report."""
    report = Report()
    with pytest.raises(ValueError, match="No board is left for a data set") as error:
        build(load_composition("checkers", name), [path], report=report)
    return str(error.value), report


@pytest.mark.parametrize(
    "content",
    [b"", b"\n" * 1000, b"\0" * 5000, b"hello", bytes(range(256)) * 20, b"\xff\xfe1\x00.\x00"],
)
def test_files_without_a_game(tmp_path, content):
    path = tmp_path / "games.pdn"
    path.write_bytes(content)
    said, report = told(path)
    assert report.kept == 0
    assert report.read == 1
    assert "1 games were read and 0 kept; dropped: 1 for " in said
    assert report.drops[0].file == str(path)


def test_a_folder_without_files(tmp_path):
    said, report = told(tmp_path)
    assert said.endswith("0 games were read and 0 kept.")
    assert report.read == 0


@pytest.mark.parametrize("opening", ["{", "(", "[", ";", "%", "1. 11-15 "])
def test_a_huge_line_costs_one_game(tmp_path, opening):
    good = naive.as_pdn(naive.random_games(3, n_games=3))
    path = tmp_path / "games.pdn"
    path.write_text(opening + "a" * 3_000_000 + "\n" + good)
    report = Report()
    list(load_composition("checkers", "standard-end").rows([path], report))
    assert report.kept in (2, 3)
    assert report.read in (3, 4)


def test_a_game_without_end(tmp_path):
    path = tmp_path / "games.pdn"
    path.write_text("11-15 22-17 " * 30_000)
    assert told(path)[1].reasons == {"a game too long": 1}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_a_file_that_may_not_be_read(tmp_path):
    path = tmp_path / "games.pdn"
    path.write_text("1. 11-15 1-0")
    path.chmod(0)
    with pytest.raises(OSError, match="Permission"):
        build(load_composition("checkers", "standard-end"), [path])


def test_a_file_that_goes_away_is_told(tmp_path, monkeypatch):
    path = tmp_path / "games.pdn"
    path.write_text("1. 11-15 1-0")

    def gone(*_):
        raise OSError("gone")

    monkeypatch.setattr(extracting, "parts", gone)
    said, report = told(path)
    assert report.reasons == {"not readable": 1}
    assert "1 for not readable" in said


# ---- wrong options of `build`


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"jobs": 0}, "jobs=0 must be an integer >= 1"),
        ({"jobs": True}, "jobs=True"),
        ({"n_folds": 1}, "n_folds=1"),
        ({"n_folds": 9}, "4 games are too few for 9 folds"),
        ({"n_folds": 4, "seed": -1}, "seed=-1"),
    ],
)
def test_wrong_options(tmp_path, options, told):
    path = tmp_path / "games.pdn"
    path.write_bytes(good_files()[0])
    with pytest.raises(ValueError, match=told):
        build(load_composition("checkers", "standard-end"), [path], **options)


def test_no_source():
    with pytest.raises(ValueError, match="standard-end is made from files of games"):
        build(load_composition("checkers", "standard-end"))


def test_a_source_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match="There is no file or folder"):
        build(load_composition("checkers", "standard-end"), [tmp_path / "none.pdn"])


def test_nothing_but_draws(tmp_path):
    path = tmp_path / "games.pdn"
    path.write_text("1. 11-15 22-17 1/2-1/2\n\n" * 12)
    with pytest.raises(ValueError, match="all 12 are of draws"):
        build(load_composition("checkers", "standard-end"), [path], draws=False)


def test_a_process_that_is_killed_is_told(tmp_path, monkeypatch):
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    def killed(tasks):
        yield from ()
        raise TerminatedWorkerError("killed")

    path = tmp_path / "games.pdn"
    path.write_bytes(good_files()[0])
    monkeypatch.setattr(extracting, "parts", functools.partial(parts, size=300))
    monkeypatch.setattr("joblib.Parallel", lambda **_: killed)
    with pytest.raises(ValueError, match="A process that read games was ended from outside"):
        build(load_composition("checkers", "standard-end"), [path], jobs=2)
