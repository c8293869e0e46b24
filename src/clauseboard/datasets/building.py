"""Building a data set: a composition's boards, less draws and duplicates, in folds, with counts.

What a game can be made into is in its own `datasets.py` (see `games.datasets`). Here is what is
alike for all of them.

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

from clauseboard.datasets.dataset import DataSet
from clauseboard.datasets.folds import check_folds, make_folds
from clauseboard.datasets.manifest import alike, boards_page, games_page, head_page
from clauseboard.games.datasets import DRAW, Composition, Rows
from clauseboard.games.records import Report
from clauseboard.games.solving import Progress


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
    told: Progress | None = None,
) -> DataSet:
    """The data set that a composition makes of its sources.

    `unique`: of boards that are the same and have the same result, only the first stays; where a
    game gives several boards, games with the same moves and result are first reduced to one, then
    the folds are made, and then the boards are looked at. `draws=False` leaves drawn games out.
    `seed` decides who is in which fold. `report` grows with the games; it says of each dropped one
    why. The data set does not depend on `jobs`.
    """
    check_folds(n_folds)
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise ValueError(f"jobs={jobs!r} is no whole number from 1 on.")
    paths = [Path(source) for source in sources]
    if composition.from_files and not paths:
        raise ValueError(f"{composition.name} is made from files of games; name one or more.")
    if paths and not composition.from_files:
        raise ValueError(f"{composition.name} makes its games itself; it reads no {paths[0]}.")
    settings = {"unique": unique, "draws": draws, "n_folds": n_folds, "seed": seed}
    head = head_page(composition, paths, settings, command)
    counts = Report() if report is None else report
    rows = joined(composition.rows(paths, counts, jobs=jobs, told=told))
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
    found = list(parts)
    if not found:
        none: Any = np.empty(0, np.uint8)
        return Rows(np.empty((0, 0), np.uint8), none, none, none, none, none)
    return Rows(
        *(np.concatenate([getattr(part, field.name) for part in found]) for field in fields(Rows))
    )


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
    told = f"{report.read:,} games were read and {report.kept:,} kept"
    return f"{told}; dropped: {reasons}." if reasons else f"{told}."
