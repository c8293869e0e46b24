"""Importing boards as the author of the checkers thesis publishes them: text files and arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from clauseboard.cli.main import app
from clauseboard.datasets import load_dataset
from clauseboard.datasets.importing import import_folds
from clauseboard.papers.boards import BoardSet, read_boards


def write_folds(folder, X, results, folds, end="\n"):
    """Text files as in his repository, with the training files that are not needed."""
    folder.mkdir(exist_ok=True)
    for fold in range(int(folds.max()) + 1):
        for part, rows in (("test", folds == fold), ("train", folds != fold)):
            lines = [
                ",".join(map(str, [*x, y])) for x, y in zip(X[rows], results[rows], strict=True)
            ]
            (folder / f"{fold}{part}statickfold.data").write_text(
                end.join([*lines, ""]), newline=""
            )


def some_boards(n=60, n_folds=3, seed=1):
    """Boards with at most one piece on a square, and no man on the row where it is crowned."""
    rng = np.random.default_rng(seed)
    pieces = rng.integers(12, size=(n, 32))
    X = np.stack([pieces == kind for kind in range(4)], axis=1)
    X[:, 0, 28:] = X[:, 2, :4] = False
    X = X.reshape(n, 128).astype(np.uint8)
    return X, rng.integers(3, size=n).astype(np.uint8), np.sort(np.arange(n) % n_folds)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_rows_results_and_folds_stay_as_they_are(tmp_path, end):
    X, results, folds = some_boards()
    write_folds(tmp_path / "StandardEnd", X, results, folds, end)
    data = import_folds(tmp_path / "StandardEnd", "standard-end")
    assert (data.X == X).all()
    assert (data.results("black") == results).all()
    assert (data.folds == folds).all()
    assert data.n_folds == 3
    assert data.bit_names[0] == "black man on 1"
    assert data.manifest["sources"][0]["files"] == 6


@given(st.integers(2, 5), st.integers(0, 1000))
def test_text_and_arrays_give_the_same(tmp_path_factory, n_folds, seed):
    folder = tmp_path_factory.mktemp("folds")
    X, results, folds = some_boards(n=20, n_folds=n_folds, seed=seed)
    write_folds(folder / "text", X, results, folds)
    np.savez(folder / "a.npz", boards=np.packbits(X, axis=1), result=results, fold=folds)
    text = import_folds(folder / "text", "end-to-eight", unique=True)
    arrays = import_folds(folder / "a.npz", "end-to-eight", unique=True)
    for name in ("packed", "labels", "folds"):
        assert (getattr(text, name) == getattr(arrays, name)).all()
    assert text.manifest["settings"]["unique"]


def test_tables_take_an_imported_set(tmp_path):
    X, results, folds = some_boards()
    write_folds(tmp_path / "text", X, results, folds)
    import_folds(tmp_path / "text", "end-second-third", unique=True).save(tmp_path / "made.npz")
    boards = read_boards(tmp_path / "made.npz")
    assert boards.kind == BoardSet("checkers", "end-second-third", True)
    assert not boards.generated
    assert (boards.X == X).all()
    assert (boards.results == results).all()


def test_metadata_of_both_kinds_is_named(tmp_path):
    numbers = np.array([[1, 2, 0, 0, 4, 5, 3], [12, 3, 1, 0, 2, 4, 4]])
    digits = np.concatenate([(numbers[:, [n]] >> [3, 2, 1, 0]) & 1 for n in range(7)], axis=1)
    values = np.concatenate([numbers == n for n in (1, 2, 3, 4)], axis=1).astype(np.uint8)
    results, folds = np.array([0, 2]), np.array([0, 1])
    for name, bits, expected in (
        ("digits", digits, ["own men: digit 8", "own men: digit 4"]),
        ("values", values, ["own kings: 1", "opponent's men: 3"]),
    ):
        write_folds(tmp_path / name, bits, results, folds)
        data = import_folds(tmp_path / name, "metadata")
        fired = {data.bit_names[n] for n in np.flatnonzero(data.X[1])}
        assert fired.issuperset(expected), fired
        assert data.view is None


def test_the_command_and_what_it_shows(tmp_path):
    X, results, folds = some_boards()
    write_folds(tmp_path / "StandardEnd", X, results, folds)
    out = tmp_path / "made.npz"
    arguments = ["data", "import", tmp_path / "StandardEnd", "standard-end", "--out", out]
    done = CliRunner().invoke(app, list(map(str, arguments)))
    assert done.exit_code == 0, done.output
    assert "Command: clauseboard data import StandardEnd standard-end --out made.npz" in done.stdout
    assert "games read" not in done.stdout
    shown = CliRunner().invoke(app, ["data", "show", str(out), "--boards", "1"])
    assert "Row 0: " in shown.stdout
    assert "game 0" not in shown.stdout
    assert len(load_dataset(out)) == 60


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda text: text.replace(",1,", ",2,", 1), "line"),
        (lambda text: text.replace(",", ";", 1), "line 1: a row must be 128 bits"),
        (lambda text: text.replace("\n", ",0\n", 1), "this one has 130 columns"),
        (lambda text: text[:-30], "line 20"),
        (lambda text: "", "line 1"),
    ],
)
def test_damaged_text_is_refused_with_its_line(tmp_path, spoil, words):
    X, results, folds = some_boards()
    write_folds(tmp_path / "text", X, results, folds)
    file = tmp_path / "text" / "1teststatickfold.data"
    file.write_text(spoil(file.read_text()))
    with pytest.raises(ValueError, match=words):
        import_folds(tmp_path / "text", "standard-end")


def test_missing_and_doubled_folds_and_other_files_are_refused(tmp_path):
    X, results, folds = some_boards()
    folder = tmp_path / "text"
    write_folds(folder, X, results, folds)
    (folder / "1teststatickfold.data").rename(folder / "away")
    with pytest.raises(ValueError, match="fold 1 is missing"):
        import_folds(folder, "standard-end")
    (folder / "away").rename(folder / "1teststatickfold.data")
    (folder / "2teststatickfoldwhite.data").write_text("")
    with pytest.raises(ValueError, match="two files for fold 2"):
        import_folds(folder, "standard-end")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="there is none"):
        import_folds(tmp_path / "empty", "standard-end")
    with pytest.raises(ValueError, match="no composition 'every-ply'"):
        import_folds(folder, "every-ply")
    (tmp_path / "a.txt").write_text("0,1")
    with pytest.raises(ValueError, match="neither a folder of text files"):
        import_folds(tmp_path / "a.txt", "standard-end")
    with pytest.raises(ValueError, match="There is no file"):
        import_folds(tmp_path / "nothing.npz", "standard-end")
