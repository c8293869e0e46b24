"""The file of a data set, and what can be asked of one."""

import contextlib
import dataclasses
import json
import random
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.datasets import DataSet, load_dataset
from clauseboard.datasets.dataset import alike, source_page
from clauseboard.game import load_game

GAME = load_game("go", size=2)


def some(n=40, seed=1, **changes):
    """Random boards of Go on four points."""
    rng = np.random.default_rng(seed)
    bits = np.zeros((n, 8), np.uint8)
    bits[np.arange(n), rng.integers(0, 8, n)] = 1
    parts = {
        "game": GAME,
        "bits": GAME.bits(),
        "packed": np.packbits(bits, axis=1, bitorder="little"),
        "labels": rng.integers(0, 3, n).astype(np.uint8),
        "games": np.arange(n, dtype=np.int64) // 2,
        "plies": np.ones(n, np.int32),
        "to_move": rng.integers(0, 2, n).astype(np.uint8),
        "folds": (np.arange(n) // 2 % 5).astype(np.uint8),
        "n_folds": 5,
        "view": "board",
        "manifest": {"composition": "some", "é": [1, None]},
    }
    return DataSet(**parts | changes)


def same(one, other):
    return all(
        np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b
        for a, b in (
            (getattr(one, field.name), getattr(other, field.name))
            for field in dataclasses.fields(DataSet)
        )
    )


@given(st.integers(0, 60), st.integers(0, 1000))
@settings(max_examples=20)
def test_saved_and_loaded_it_is_the_same(tmp_path_factory, n, seed):
    path = tmp_path_factory.mktemp("data") / "data.npz"
    data = some(n, seed)
    data.save(path)
    assert same(load_dataset(path), data)
    written = path.read_bytes()
    load_dataset(str(path)).save(path)
    assert path.read_bytes() == written


def test_numpy_opens_the_file(tmp_path):
    data = some()
    data.save(tmp_path / "data.npz")
    with np.load(tmp_path / "data.npz", allow_pickle=False) as arrays:
        assert arrays["labels"].tolist() == data.labels.tolist()
        assert arrays["packed"].tolist() == data.packed.tolist()


def test_bits_and_results():
    data = some()
    assert data.X.shape == (40, 8)
    assert data.X.sum(axis=1).tolist() == [1] * 40
    assert data.classes == ("black", "white", "draw")
    assert data.bit_names == tuple(bit.name for bit in GAME.bits())
    assert data.y.tolist() == [data.classes[label] for label in data.labels]
    black, white = data.results("black"), data.results("white")
    for label, own, other in zip(data.labels, black, white, strict=True):
        assert (own, other) == ((1, 0), (0, 1), (2, 2))[label]


def test_splits_are_apart_and_whole():
    data = some()
    for fold, (train, test) in enumerate(data.splits()):
        assert sorted([*train, *test]) == list(range(40))
        assert set(data.games[train]).isdisjoint(data.games[test])
        assert (data.folds[test] == fold).all()
        assert [part.tolist() for part in data.split(fold)] == [train.tolist(), test.tolist()]


def test_scikit_learn_takes_it():
    from sklearn.model_selection import cross_val_score
    from sklearn.naive_bayes import BernoulliNB

    scores = cross_val_score(BernoulliNB(), **some(200).for_sklearn())
    assert len(scores) == 5
    assert (scores >= 0).all()


def test_some_of_the_boards():
    data = some()
    first = data.take(data.to_move == 0)
    assert first.X.tolist() == data.X[data.to_move == 0].tolist()
    assert first.folds.tolist() == data.folds[data.to_move == 0].tolist()
    assert data.take([3, 1]).games.tolist() == [1, 0]
    assert len(data.take([])) == 0


@pytest.mark.parametrize("view", ["board", "mover"])
def test_a_row_as_a_position(view):
    data = some(view=view)
    for row in range(10):
        position = data.position(row)
        side = data.to_move[row] if view == "board" else 0
        assert position.to_move == GAME.colours[side]
        assert GAME.encode([position])[0].tolist() == data.X[row].tolist()


def test_it_says_what_it_is():
    assert repr(some()) == "<DataSet: some of load_game('go', size=2), 40 boards of 8 bits>"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"labels": np.full(40, 3, np.uint8)}, "labels go from 3 to 3"),
        ({"to_move": np.full(40, 2, np.uint8)}, "to_move go from 2 to 2"),
        ({"folds": np.full(40, 5, np.uint8)}, "folds go from 5 to 5"),
        ({"plies": np.full(40, -1, np.int32)}, "plies go from -1 to -1"),
        ({"games": np.arange(39)}, "40 boards need as many games"),
        ({"packed": np.zeros((40, 2), np.uint8)}, "8 bits are packed in 1 bytes"),
        ({"view": "top"}, "view='top' must be one of None, 'board', 'mover'"),
        ({"bits": GAME.bits()[:7]}, "7 bits are too few to show a board"),
    ],
)
def test_what_does_not_fit_is_refused(changes, told):
    with pytest.raises(ValueError, match=told):
        some(**changes)


@pytest.mark.parametrize("fold", [5, -1, True, 1.0])
def test_no_such_fold(fold):
    with pytest.raises(ValueError, match=f"fold={fold} must be an integer from 0 to 4"):
        some().split(fold)


def test_no_such_colour():
    with pytest.raises(ValueError, match="'red' is not a colour; there are 'black' and 'white'"):
        some().results("red")


def test_no_boards_to_show():
    with pytest.raises(ValueError, match="not boards that can be shown"):
        some(view=None).position(0)


def test_nowhere_to_save(tmp_path):
    with pytest.raises(ValueError, match="there is no folder"):
        some().save(tmp_path / "none" / "data.npz")


# ---- damaged files


def rewritten(path, page=None, **arrays):
    """Write the file anew with parts of its page or its arrays changed; None leaves one out."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    if page is not None:
        parts["page.json"] = json.dumps(json.loads(parts["page.json"]) | page).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            if name.removesuffix(".npy") not in arrays:
                archive.writestr(name, content)
        for name, array in arrays.items():
            if array is not None:
                with archive.open(f"{name}.npy", "w") as part:
                    np.save(part, array)


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ({"game": "chess"}, "is damaged: There is no game 'chess'"),
        ({"game": 7}, "is damaged"),
        ({"parameters": {"size": "x"}}, "is damaged"),
        ({"parameters": [1]}, "is damaged"),
        ({"parameters": {"width": 2}}, "is damaged"),
        ({"bits": [["one"]]}, "is damaged"),
        ({"bits": None}, "is damaged"),
        ({"bits": [[1, 2, 3]] * 8}, "is damaged"),
        ({"manifest": 3}, "is damaged"),
        ({"n_folds": "ten"}, "is damaged"),
        ({"n_folds": 1}, "is damaged"),
        ({"n_folds": 10**9}, "is damaged: n_folds=1000000000 must be an integer"),
        ({"view": "top"}, "is damaged"),
        ({"game_version": 99}, "made by version 99 of the rules of go, and these are version"),
        ({"version": 2}, "newer than this program's"),
        ({"format": "clauseboard something"}, "holds clauseboard something, not"),
    ],
)
def test_a_page_that_cannot_be(tmp_path, page, told):
    path = tmp_path / "data.npz"
    some().save(path)
    rewritten(path, page)
    with pytest.raises(ValueError, match=told):
        load_dataset(path)


@pytest.mark.parametrize(
    ("arrays", "told"),
    [
        ({"labels": None}, "it has no labels"),
        ({"packed": None}, "it has no packed"),
        ({"labels": np.zeros(39, np.uint8)}, r"labels has shape \(39,\)"),
        ({"labels": np.zeros(40, np.int64)}, "labels has shape .* and type int64"),
        ({"packed": np.zeros((40, 2), np.uint8)}, "packed has shape"),
        ({"packed": np.zeros(40, np.uint8)}, "packed has shape"),
        ({"folds": np.full(40, 9, np.uint8)}, "is damaged: folds go from 9 to 9"),
    ],
)
def test_arrays_that_cannot_be(tmp_path, arrays, told):
    path = tmp_path / "data.npz"
    some().save(path)
    rewritten(path, **arrays)
    with pytest.raises(ValueError, match=told):
        load_dataset(path)


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"", "is empty"), (b"hello", "another kind"), (b"PK\x03\x04rest", "cut short")],
)
def test_no_data_set_at_all(tmp_path, content, told):
    path = tmp_path / "data.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=told):
        load_dataset(path)


def test_a_file_with_any_byte_changed_is_read_or_refused(tmp_path):
    path = tmp_path / "data.npz"
    some().save(path)
    whole, rng = path.read_bytes(), random.Random(5)
    for _ in range(300):
        broken = bytearray(whole)
        for _ in range(rng.choice([1, 1, 5])):
            broken[rng.randrange(len(broken))] = rng.randrange(256)
        path.write_bytes(broken[: rng.choice([len(broken), rng.randrange(len(broken))])])
        with contextlib.suppress(ValueError):
            assert len(load_dataset(path)) == 40


# ---- what is alike


@given(st.lists(st.tuples(st.binary(min_size=9, max_size=9), st.integers(0, 2)), max_size=40))
def test_alike(rows):
    rows = [(bytes(byte & 1 for byte in row[:2]) + bytes(7), label) for row, label in rows]
    packed = np.array([list(row) for row, _ in rows], np.uint8).reshape(-1, 9)
    labels = np.array([label for _, label in rows], np.uint8)
    ids, first = alike(packed, labels)
    for n, row in enumerate(rows):
        assert first[n] == (row not in rows[:n])
        assert [ids[n] == ids[m] for m in range(len(rows))] == [row == other for other in rows]
    assert alike(packed)[1].sum() == len({row for row, _ in rows})


def test_sources_are_hashed(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.pdn").write_bytes(b"abc")
    page = source_page(tmp_path / "a" / "x.pdn")
    assert page == {
        "name": "x.pdn",
        "bytes": 3,
        "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    }
    folder = source_page(tmp_path / "a")
    assert (folder["files"], folder["bytes"]) == (1, 3)
    (tmp_path / "a" / "x.pdn").rename(tmp_path / "a" / "y.pdn")
    assert source_page(tmp_path / "a")["sha256"] != folder["sha256"]
    with pytest.raises(ValueError, match="There is no file or folder"):
        source_page(tmp_path / "b")
