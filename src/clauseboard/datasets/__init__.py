"""Data sets: boards of games as named bits, who won, and ten folds; one file each.

>>> from clauseboard.datasets import load_dataset
>>> load_dataset("no-such-file.npz")
Traceback (most recent call last):
    ...
ValueError: There is no file 'no-such-file.npz' to read a clauseboard data set from.

Here they are built: a composition's boards, less draws and duplicates, in folds, with counts. What
a game can be made into is in its own `datasets.py` (see `games.datasets`); what is alike for all
games is done here.

    composition = load_composition("checkers", "end-to-eight")
    data = build(composition, ["oca.pdn"], unique=True, jobs=2)
    data.save("end-to-eight.npz")
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import whole_number
from clauseboard.datasets.dataset import (
    MOST_FOLDS,
    DataSet,
    alike,
    boards_page,
    games_page,
    head_page,
    load_dataset,
)
from clauseboard.games.datasets import DRAW, Composition, Rows
from clauseboard.games.records import Report
from clauseboard.games.solving import Progress
from clauseboard.kernels.bits import STREAM_STEP, mixed
from clauseboard.kernels.compiler import kernel

__all__ = ["DataSet", "build", "load_dataset"]


def build(
    composition: Composition,
    sources: Iterable[str | os.PathLike[str]] = (),
    *,
    unique: bool = False,
    draws: bool = True,
    n_folds: int = 10,
    seed: int = 1,
    jobs: int = 1,
    command: str = "",
    report: Report | None = None,
    progress: Progress | None = None,
) -> DataSet:
    """The data set that a composition makes of its sources.

    `unique`: of boards that are the same and have the same result, only the first stays; where a
    game gives several boards, games with the same moves and result are first reduced to one, then
    the folds are made, and then the boards are looked at. `draws=False` leaves drawn games out.
    `seed` decides which game is in which fold. `report` grows with the games; it says of each
    dropped one why. The data set does not depend on `jobs`.
    """
    whole_number("n_folds", n_folds, 2, MOST_FOLDS)
    whole_number("jobs", jobs, 1)
    paths = [Path(source) for source in sources]
    if composition.from_files and not paths:
        raise ValueError(f"{composition.name} is made from files of games; name one or more.")
    if paths and not composition.from_files:
        raise ValueError(f"{composition.name} makes its games itself; it reads no {paths[0]}.")
    settings = {"unique": unique, "draws": draws, "n_folds": n_folds, "seed": seed}
    head = head_page(composition, paths, settings, command)
    counts = Report() if report is None else report
    rows = joined(composition.rows(paths, counts, jobs=jobs, progress=progress))
    if not len(rows):
        raise ValueError(f"No board is left for a data set. {_in_one_line(counts)}")
    removed: dict[str, int] = {}
    if not draws:
        rows = _less(rows, rows.labels != DRAW, "draws", removed)
    if unique and composition.several:
        rows = _less(rows, _first_of_games(rows), "boards of games that are there twice", removed)
    elif unique:
        rows = _less(rows, alike(rows.packed, rows.labels)[1], "duplicates", removed)
    if not len(rows):
        raise ValueError(f"No board is left for a data set: all {removed['draws']} are of draws.")
    folds = make_folds(rows.labels, rows.games, n_folds, seed)
    if unique and composition.several:
        first = alike(rows.packed, rows.labels)[1]
        rows, folds = _less(rows, first, "duplicates", removed), folds[first]
    classes = (*composition.game.colours, "draw")
    manifest = {
        **head,
        "games": games_page(composition, counts),
        "removed": removed,
        "boards": boards_page(rows.packed, rows.labels, folds, classes),
    }
    return DataSet(
        composition.game, composition.bits(), rows.packed, rows.labels, rows.games, rows.plies,
        rows.to_move, folds, n_folds, composition.view, manifest,
    )  # fmt: skip


def joined(parts: Iterable[Rows]) -> Rows:
    """All rows as one; none at all if there are none."""
    all_parts = list(parts)
    if not all_parts:
        none: Any = np.empty(0, np.uint8)
        return Rows(np.empty((0, 0), np.uint8), none, none, none, none, none)
    names = (field.name for field in fields(Rows))
    return Rows(*(np.concatenate([getattr(part, name) for part in all_parts]) for name in names))


def _less(rows: Rows, kept: NDArray[np.bool_], what: str, removed: dict[str, int]) -> Rows:
    """The rows that are kept; those that are not are counted."""
    removed[what] = int(len(rows) - kept.sum())
    return Rows(*(getattr(rows, field.name)[kept] for field in fields(Rows)))


def _first_of_games(rows: Rows) -> NDArray[np.bool_]:
    """Which rows are of a game whose moves and result no game before had."""
    ids, first = alike(rows.keys.view(np.uint8).reshape(len(rows), -1), rows.labels)
    first_game = np.empty(int(ids.max()) + 1, np.int64)
    first_game[ids[first]] = rows.games[first]
    return rows.games == first_game[ids]


def _in_one_line(report: Report) -> str:
    reasons = ", ".join(f"{count:,} for {reason}" for reason, count in report.reasons.most_common())
    summary = f"{report.read:,} games were read and {report.kept:,} kept"
    return f"{summary}; dropped: {reasons}." if reasons else f"{summary}."


def make_folds(
    labels: NDArray[np.uint8], games: NDArray[np.int64], n_folds: int = 10, seed: int = 1
) -> NDArray[np.uint8]:
    """The fold of each board, from 0 on: whole games together, results shared out evenly.

    A game goes to the fold where its results are rarest so far, of several to the one with the
    fewest boards: the games of one result after those of another, large ones first, games alike in
    an order drawn by the seed. Of games with one board each, no two folds then differ by more than
    one board of any result, nor by more than one in all.

    >>> labels, games = np.array([0, 0, 1, 1], np.uint8), np.arange(4)
    >>> folds = make_folds(labels, games, n_folds=2)
    >>> sorted(folds[:2].tolist()), sorted(folds[2:].tolist())
    ([0, 1], [0, 1])
    """
    whole_number("n_folds", n_folds, 2, MOST_FOLDS)
    whole_number("seed", seed, 0, (1 << 64) - 1)
    if len(labels) != len(games):
        raise ValueError(f"{len(labels)} results do not fit {len(games)} numbers of games.")
    names, group = np.unique(games, return_inverse=True)
    if len(names) < n_folds:
        raise ValueError(f"{len(names)} games are too few for {n_folds} folds.")
    n_labels = int(labels.max()) + 1
    cells = np.bincount(group * n_labels + labels, minlength=len(names) * n_labels)
    counts = cells.reshape(-1, n_labels).astype(np.int64)
    drawn = np.empty(len(names), np.uint64)
    draw(names.astype(np.int64), np.uint64(seed), drawn)
    order = np.lexsort((drawn, -counts.sum(axis=1), counts.argmax(axis=1)))
    folds = np.empty(len(names), np.uint8)
    deal(counts, order.astype(np.int64), folds, np.zeros((n_folds, n_labels + 1), np.int64))
    return folds[group]


@kernel("void(int64[::1], uint64, uint64[::1])")
def draw(games, seed, drawn) -> None:
    """A random word for each game, by the seed and its number, whatever others there are."""
    stream = mixed(seed + STREAM_STEP)
    for n in range(len(games)):
        drawn[n] = mixed(stream + np.uint64(games[n]) * STREAM_STEP)


@kernel("void(int64[:, ::1], int64[::1], uint8[::1], int64[:, ::1])")
def deal(counts, order, folds, held) -> None:
    """The fold of each game, where `counts` has its boards of each result: games × results.

    `held` is folds × (results + 1), all 0: the boards of each result in a fold, and those of all.
    """
    n_folds, n_results = len(held), counts.shape[1]
    totals = np.zeros(n_results, np.int64)
    for game in range(len(counts)):
        for result in range(n_results):
            totals[result] += counts[game, result]
    for place in range(len(order)):
        game = order[place]
        best, least = 0, 0.0
        for fold in range(n_folds):
            # The share of each result that a fold has, weighed by what the game would add to it.
            share = 0.0
            for result in range(n_results):
                if counts[game, result] != 0:
                    share += held[fold, result] * counts[game, result] / totals[result]
            fewer = held[fold, n_results] < held[best, n_results]
            if fold == 0 or share < least or (share == least and fewer):
                best, least = fold, share
        folds[game] = best
        for result in range(n_results):
            held[best, result] += counts[game, result]
            held[best, n_results] += counts[game, result]
