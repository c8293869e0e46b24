"""Folds: whole games kept together, each fold with the same share of every result.

A game goes to the fold where its results are rarest so far, of several to the one with the fewest
boards: the games of one result after those of another, large ones first, games alike in an order
drawn by the seed. Of games with one board each, no two folds then differ by more than one board of
any result, nor by more than one in all.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MOST_FOLDS = 255


def make_folds(
    labels: NDArray[np.uint8], games: NDArray[np.int64], n_folds: int = 10, seed: int = 1
) -> NDArray[np.uint8]:
    """The fold of each board, from 0 on.

    >>> labels, games = np.array([0, 0, 1, 1], np.uint8), np.arange(4)
    >>> folds = make_folds(labels, games, n_folds=2)
    >>> sorted(folds[:2].tolist()), sorted(folds[2:].tolist())
    ([0, 1], [0, 1])
    """
    check_folds(n_folds)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 1 << 64:
        raise ValueError(f"seed={seed!r} is no whole number from 0 to {(1 << 64) - 1}.")
    if len(labels) != len(games):
        raise ValueError(f"{len(labels)} results do not fit {len(games)} numbers of games.")
    names, group = np.unique(games, return_inverse=True)
    if len(names) < n_folds:
        raise ValueError(f"{len(names)} games are too few for {n_folds} folds.")
    from clauseboard.datasets.fold_kernels import deal, draw

    n_labels = int(labels.max()) + 1
    cells = np.bincount(group * n_labels + labels, minlength=len(names) * n_labels)
    counts = cells.reshape(-1, n_labels).astype(np.int64)
    drawn = np.empty(len(names), np.uint64)
    draw(names.astype(np.int64), np.uint64(seed), drawn)
    order = np.lexsort((drawn, -counts.sum(axis=1), counts.argmax(axis=1)))
    folds = np.empty(len(names), np.uint8)
    deal(counts, order.astype(np.int64), folds, np.zeros((n_folds, n_labels + 1), np.int64))
    return folds[group]


def check_folds(n_folds: int) -> None:
    """Refuse what is no number of folds."""
    whole = isinstance(n_folds, int | np.integer) and not isinstance(n_folds, bool)
    if not whole or not 2 <= n_folds <= MOST_FOLDS:
        raise ValueError(f"n_folds={n_folds!r} is no whole number from 2 to {MOST_FOLDS}.")
