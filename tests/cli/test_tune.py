"""`clauseboard tune`: both kinds of search from the command line, and bad input."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from clauseboard.cli import experiment
from clauseboard.cli.main import app

SMALL = ("--clauses", "4", "--threshold", "8", "--epochs", "2", "--folds", "1", "--jobs", "1")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A small file of plain arrays: who wins shows in two bits."""
    rng = np.random.default_rng(1)
    X = rng.integers(2, size=(120, 128), dtype=np.uint8)
    path = tmp_path_factory.mktemp("data") / "some.npz"
    np.savez(
        path, boards=np.packbits(X, axis=1), result=X[:, 0] + X[:, 40],
        fold=(np.arange(120) % 4).astype(np.uint8),
    )  # fmt: skip
    return path


def tune(*words):
    return CliRunner().invoke(app, ["tune", *map(str, words)])


@pytest.mark.parametrize("by", ["thirds", "doubling"])
def test_one_at_a_time(tmp_path, file, by):
    words = (file, "--by", by, "--rounds", 1, *SMALL, "--most-clauses", 16, "--out", tmp_path)
    result = tune(*words)
    assert result.exit_code == 0, result.exception
    assert result.stdout.startswith("Best of ")
    assert "which was held out and tested once" in result.stdout
    page = json.loads((tmp_path / f"some_{by}.json").read_text("utf-8"))
    assert page["by"] == by
    assert all(trial["settings"]["clauses"] <= 16 for trial in page["trials"])
    markdown = (tmp_path / f"some_{by}.md").read_text("utf-8")
    assert markdown.startswith("# Settings for a machine")
    again = tune(*words, "--json")
    assert json.loads(again.stdout)["trials"] == page["trials"]


def test_a_study(tmp_path, file):
    pytest.importorskip("optuna")
    words = (file, "--by", "optuna", "--trials", 3, *SMALL, "--no-weighted", "--out", tmp_path)
    result = tune(*words, "--json")
    assert result.exit_code == 0, result.exception
    page = json.loads(result.stdout)
    assert len(page["trials"]) == 3
    assert "not weighted" in page["guess"]
    assert (tmp_path / "study.sqlite").is_file()
    pytest.importorskip("matplotlib")
    assert (tmp_path / "some_optuna_history.png").read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib(tmp_path, file, monkeypatch):
    monkeypatch.setattr(experiment, "can_draw", lambda: False)
    result = tune(file, "--rounds", 1, *SMALL, "--most-clauses", 4, "--out", tmp_path)
    assert result.exit_code == 0
    assert "No plots: they need Matplotlib" in result.stderr
    assert list(tmp_path.glob("*.png")) == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--by", "luck"), "by='luck' must be one of 'thirds', 'doubling', 'optuna'"),
        (("--by", "optuna", "--cluster", "x"), "Optuna needs no --cluster"),
        (("--test-fold", "5"), "There is no fold 5; there are 1 to 4"),
        (("--folds", "4"), "choose from 1 to 3"),
        (("--device", "tpu"), "neither 'cpu' nor 'gpu'"),
    ],
)
def test_bad_input(tmp_path, file, words, told):
    result = tune(file, *words, "--out", tmp_path)
    assert isinstance(result.exception, ValueError)
    assert told in str(result.exception)


def test_no_such_file(tmp_path):
    result = tune(tmp_path / "none.npz", "--out", tmp_path)
    assert "There is no file" in str(result.exception)
