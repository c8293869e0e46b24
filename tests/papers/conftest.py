"""Small boards, and a table that is made in no time."""

from __future__ import annotations

import numpy as np
import pytest

from clauseboard.papers.boards import BoardSet, LabelledBoards


@pytest.fixture(scope="session")
def boards():
    """400 boards of 128 bits in ten folds; who wins shows in two of the bits, mostly."""
    rng = np.random.default_rng(1)
    X = rng.integers(2, size=(400, 128), dtype=np.uint8)
    results = np.where(rng.random(400) < 0.1, rng.integers(3, size=400), X[:, 0] + X[:, 40])
    return LabelledBoards(
        BoardSet("checkers", "standard-end", False), "made up", False,
        np.packbits(X, axis=1, bitorder="little"), 128, results.astype(np.uint8),
        (np.arange(400) % 10).astype(np.uint8), 10,
    )  # fmt: skip


@pytest.fixture
def plain_file(tmp_path, boards):
    """The boards as the author of the checkers thesis keeps his."""
    path = tmp_path / "plain.npz"
    np.savez(path, boards=np.packbits(boards.X, axis=1), result=boards.results, fold=boards.folds)
    return path
