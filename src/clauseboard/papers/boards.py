"""Boards to learn from, with their results and folds; and where the tables get them from.

Boards come from the files given, are derived from those, or are generated. How, differs by game: a
module `<game>_boards.py` implements `BoardMaker`.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from clauseboard.datasets import DataSet, load_dataset
from clauseboard.datasets.importing import has_arrays, import_folds
from clauseboard.papers import RunSize

RESULTS = ("loss", "win", "draw")
"""The meaning of 0, 1 and 2, for the first colour of the game."""

Rows = NDArray[np.intp] | NDArray[np.bool_]
"""Numbers of rows, or which of them."""


@dataclass(frozen=True)
class BoardSet:
    """A set of boards of a game: a composition, with or without duplicates."""

    game: str
    composition: str
    unique: bool = False

    def __str__(self) -> str:
        return f"{self.game} {self.composition}{', unique' if self.unique else ''}"

    def take(self, run: Run) -> LabelledBoards:
        """The boards of this set."""
        return run.boards(self)


@dataclass(frozen=True, eq=False)
class LabelledBoards:
    """Packed boards, the first bit lowest, with the result and the fold of each."""

    kind: BoardSet
    source: str
    """Where they come from, in words."""
    generated: bool
    packed: NDArray[np.uint8]
    n_bits: int
    results: NDArray[np.uint8]
    folds: NDArray[np.uint8]
    n_folds: int
    alike: bool = False
    """Whether they were generated in the way in which the document made its own."""
    whole: str | None = None
    """The digest of the boards that these are a part of."""

    def __len__(self) -> int:
        return len(self.packed)

    @cached_property
    def digest(self) -> str:
        """A digest of all the boards, results and folds."""
        whole = hashlib.sha256(f"{self.n_bits} {self.n_folds} {self.packed.shape}".encode())
        for array in (self.packed, self.results, self.folds):
            whole.update(np.ascontiguousarray(array).tobytes())
        return whole.hexdigest()

    @property
    def X(self) -> NDArray[np.uint8]:  # noqa: N802 (what the field calls it)
        """The boards as 0 and 1: boards × bits."""
        return np.unpackbits(self.packed, axis=1, count=self.n_bits, bitorder="little")

    def take(self, rows: Rows) -> LabelledBoards:
        """Some of the boards, in their folds."""
        return replace(
            self, packed=self.packed[rows], results=self.results[rows], folds=self.folds[rows]
        )

    def part(self, rows: Rows) -> LabelledBoards:
        """Some of the boards, for a single task; a report describes the whole set."""
        return replace(self.take(rows), whole=self.digest)

    @property
    def origin(self) -> str:
        """The digest of the whole set."""
        return self.whole or self.digest

    def at_most(self, n_boards: int | None) -> LabelledBoards:
        """No more than `n_boards`: the first boards of every fold, equally many of each."""
        if n_boards is None or n_boards >= len(self):
            return self
        per_fold = max(1, n_boards // self.n_folds)
        rows = [np.flatnonzero(self.folds == fold)[:per_fold] for fold in range(self.n_folds)]
        return self.take(np.sort(np.concatenate(rows)))

    def only_unique(self) -> LabelledBoards:
        """Without boards that are the same, with the same result, as an earlier one."""
        return replace(self.take(self.first_of_each()), kind=replace(self.kind, unique=True))

    def first_of_each(self) -> NDArray[np.intp]:
        """The first of boards that are the same and have the same result, in their order."""
        both = np.column_stack([self.packed, self.results])
        return np.sort(np.unique(both, axis=0, return_index=True)[1])

    def page(self) -> dict[str, object]:
        """The description of the boards in a report."""
        counts = np.bincount(self.results, minlength=len(RESULTS))
        return {
            "kind": str(self.kind),
            "source": self.source,
            "generated": self.generated,
            "alike": self.alike,
            "boards": len(self),
            "bits": self.n_bits,
            "folds": self.n_folds,
            "share": {
                name: round(100 * int(count) / len(self), 2)
                for name, count in zip(RESULTS, counts, strict=True)
            },
            "sha256": self.digest,
        }


def generated_boards(
    data: DataSet, kind: BoardSet, source: str, alike: bool = False
) -> LabelledBoards:
    """The boards of a data set that was built from generated games."""
    results = data.results(data.game.colours[0])
    return LabelledBoards(
        kind, source, True, data.packed, len(data.bits), results, data.folds, data.n_folds, alike
    )


class BoardMaker(Protocol):
    """The module `<game>_boards`."""

    ALIKE: tuple[str, ...]
    """Compositions whose files are never the document's own, but made in the same way."""

    def derived(
        self, kind: BoardSet, found: Mapping[BoardSet, LabelledBoards]
    ) -> LabelledBoards | None:
        """The boards of a set made from those of another, if possible."""

    def generated(
        self, kind: BoardSet, n_boards: int | None, folder: Path | None, jobs: int, device: str
    ) -> LabelledBoards:
        """Boards made from scratch, about `n_boards`; games that take long stay in `folder`."""

    def composition_name(self, composition: str, options: Mapping[str, object]) -> str:
        """The composition of a data set's file; a game may tell some apart by their options."""

    def planes(self, X: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], tuple[int, int, int]]:
        """Boards with the bits of a square side by side, as a window needs them; their shape."""


def maker_of(kind: BoardSet) -> BoardMaker:
    """The module that makes boards of a game."""
    return cast(BoardMaker, importlib.import_module(f"clauseboard.papers.{kind.game}_boards"))


class Run:
    """One run of an experiment: its size, and the boards for it by their set."""

    def __init__(
        self,
        size: RunSize,
        files: Sequence[str | Path] = (),
        folder: Path | None = None,
        jobs: int = 1,
        device: str = "cpu",
        opponent: str | None = None,
    ) -> None:
        self.size, self.folder, self.jobs, self.device = size, folder, jobs, device
        self.opponent = opponent
        """A player in the place of those of a document that are not at hand."""
        self._given: dict[BoardSet, LabelledBoards] = {}
        self._used: dict[BoardSet, LabelledBoards] = {}
        self._files: dict[BoardSet, Path] = {}
        for file in files:
            boards = read_boards(file)
            if boards.kind in self._given:
                raise ValueError(f"{file}: {boards.kind} boards are given twice; leave one out.")
            self._given[boards.kind] = boards
            self._files[boards.kind] = Path(file)

    def boards(self, kind: BoardSet) -> LabelledBoards:
        """The boards of a set, no more than the most that the size allows."""
        if kind not in self._used:
            maker = maker_of(kind)
            boards = self._given.get(kind) or maker.derived(kind, self._given)
            if boards is None:
                limits = self.size.boards, self.folder, self.jobs, self.device
                boards = maker.generated(kind, *limits)
            self._used[kind] = boards.at_most(self.size.boards)
        return self._used[kind]

    def used(self) -> list[LabelledBoards]:
        """The boards that were asked for so far."""
        return list(self._used.values())

    def unused(self) -> list[Path]:
        """Files from which nothing was taken."""
        taken = {boards.source for boards in self.used()}
        return [file for kind, file in self._files.items() if self._given[kind].source not in taken]


def read_boards(path: str | Path) -> LabelledBoards:
    """The boards of a file: one of our data sets, or plain arrays `boards`, `result` and `fold`.

    Plain arrays are taken for final boards; `clauseboard data import` makes a data set of others.
    """
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"There is no file {str(path)!r} to take boards from.")
    data = import_folds(path, "standard-end") if has_arrays(path) else load_dataset(path)
    manifest = data.manifest
    composition = str(manifest.get("composition", "boards"))
    unique = bool(manifest.get("settings", {}).get("unique", False))
    kind = BoardSet(data.game.name, composition, unique)
    maker = maker_of(kind)
    options = manifest.get("options", {})
    kind = replace(kind, composition=maker.composition_name(composition, options))
    alike = kind.composition in maker.ALIKE
    return replace(generated_boards(data, kind, path.name, alike), generated=alike)
