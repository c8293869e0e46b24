"""Boards of Hex for experiments, made as the Hex thesis made its own, which are not at hand.

Perfect games are the solver's, in the place of MoHex's. The doubled ones are made of them. For the
searched ones machines look for the boards that they think most of, and learn from the solver's
word about them; see `hex_searching`. For a few boards only, all is done on a smaller board.
"""

from __future__ import annotations

import functools
import math
import os
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from clauseboard.datasets import DataSet, build
from clauseboard.games.datasets import load_composition
from clauseboard.papers.boards import Boards, Kind

PERFECT = Kind("hex", "perfect", False)
"""What the thesis calls the 17k dataset."""

DOUBLED = Kind("hex", "doubled", False)
"""Each board of those a second time, with the colours exchanged and the board reflected."""

EXCHANGED = Kind("hex", "doubled, not reflected", False)
"""The same without the reflection: the 35k dataset, as the thesis tells of it."""

SEARCHED = Kind("hex", "searched", False)
"""The boards that searches found: the 287k dataset without the 17k that it contains."""

ALIKE = ("perfect", "doubled", EXCHANGED.composition, "searched")
"""Compositions whose files are made in the way of the thesis."""

FEW = 1000
"""No more boards than this are those of the smaller board."""

SIZE, SMALL_SIZE = 6, 4
SEED = 1


def composition_name(composition: str, options: Mapping[str, Any]) -> str:
    """The composition of a file, told apart by what the thesis's boards differ in."""
    if composition == "doubled" and options.get("as_published"):
        return EXCHANGED.composition
    if composition == "searched" and options.get("with_perfect", True):
        return "searched, with perfect games"
    if options.get("last", "both") != "both":
        return f"{composition}, last={options['last']}"
    return composition


def made(kind: Kind, found: Mapping[Kind, Boards]) -> Boards | None:
    """Doubled boards out of perfect ones that are at hand."""
    perfect = found.get(PERFECT)
    if perfect is None or kind not in (DOUBLED, EXCHANGED):
        return None
    return doubled(perfect, kind)


def generated(kind: Kind, n_boards: int | None) -> Boards:
    """The boards of a kind; as many as in the thesis, or about as many as told."""
    if kind in (DOUBLED, EXCHANGED):
        return doubled(perfect_games(_size(n_boards)), kind)
    if kind == SEARCHED:
        return searched(n_boards)
    if kind != PERFECT:
        raise ValueError(f"Boards of the kind {kind} cannot be generated; give a file of them.")
    return perfect_games(_size(n_boards))


def _size(n_boards: int | None) -> int:
    return SIZE if n_boards is None or n_boards > FEW else SMALL_SIZE


@functools.cache
def perfect_games(size: int) -> Boards:
    """All boards of perfect games, one game for each pair of first stones."""
    # To begin processes takes longer than the games on a small board.
    jobs = 1 if size < SIZE else os.cpu_count() or 1
    data = build(load_composition("hex", "perfect", size=size), jobs=jobs)
    return _boards(data, PERFECT, f"perfect games of the solver on {size} by {size}")


@functools.cache
def searched(n_boards: int | None) -> Boards:
    """Boards that searches found, in any order, so that the first ones are of all iterations."""
    from clauseboard.papers.hex_searching import searches_at, write_iterations

    perfect, plan = perfect_games(_size(n_boards)), searches_at(n_boards)
    size = _size(n_boards)
    with tempfile.TemporaryDirectory() as folder:
        write_iterations(perfect, plan, Path(folder))
        composition = load_composition("hex", "searched", size=size, with_perfect=False)
        data = build(composition, [folder])
    source = f"{plan.iterations} times {plan.boards} searches on {size} by {size}"
    found = _boards(data, SEARCHED, source)
    return found.take(np.random.default_rng(SEED).permutation(len(found)))


def side_of(boards: Boards) -> int:
    """How many cells a side of the board has; each cell has a bit for either colour."""
    return math.isqrt(boards.n_bits // 2)


def doubled(perfect: Boards, kind: Kind) -> Boards:
    """Each board and, after it, the same with the colours exchanged; in the same fold."""
    side = side_of(perfect)
    X = perfect.X.reshape(len(perfect), 2, side, side)
    copies = X[:, ::-1]
    if kind == DOUBLED:
        # Each colour has sides of its own, so that the board has to be turned over, too.
        copies = copies.swapaxes(2, 3)
    both = np.stack([X, copies], axis=1).reshape(2 * len(perfect), -1)
    return replace(
        perfect,
        kind=kind,
        packed=np.packbits(both, axis=1, bitorder="little"),
        results=np.stack([perfect.results, 1 - perfect.results], axis=1).ravel(),
        folds=np.repeat(perfect.folds, 2),
    )


def _boards(data: DataSet, kind: Kind, source: str) -> Boards:
    return Boards(
        kind, source, True, data.packed, len(data.bits), data.results(data.game.colours[0]),
        data.folds, data.n_folds, alike=True,
    )  # fmt: skip
