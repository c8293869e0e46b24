"""Boards to learn from, with their results and folds, as the tasks of experiments take them."""

from __future__ import annotations

import hashlib
import importlib
import zipfile
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.datasets import load_dataset

RESULTS = ("loss", "win", "draw")
"""What 0, 1 and 2 mean; for the first colour of the game."""

BITS_OF_A_BOARD = 128
ARRAYS = ("boards", "result", "fold")
"""In a plain file of arrays, as the author of the checkers thesis has his.

There the first bit is highest.
"""


@dataclass(frozen=True)
class BoardSet:
    """Which boards of a game: a composition, and whether boards that are the same are one."""

    game: str
    composition: str
    unique: bool

    def __str__(self) -> str:
        return f"{self.game} {self.composition}{', unique' if self.unique else ''}"


@dataclass(frozen=True, eq=False)
class LabelledBoards:
    """Packed boards, the first bit lowest, with the result and the fold of each."""

    kind: BoardSet
    source: str
    """Where they are from, in words."""
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
        """What tells these boards from others."""
        whole = hashlib.sha256(f"{self.n_bits} {self.n_folds} {self.packed.shape}".encode())
        for array in (self.packed, self.results, self.folds):
            whole.update(np.ascontiguousarray(array).tobytes())
        return whole.hexdigest()

    @property
    def X(self) -> NDArray[np.uint8]:  # noqa: N802 (what the field calls it)
        """The boards as 0 and 1: boards × bits."""
        return np.unpackbits(self.packed, axis=1, count=self.n_bits, bitorder="little")

    def take(self, rows: NDArray[Any]) -> LabelledBoards:
        """Some of the boards, in their folds."""
        return replace(
            self, packed=self.packed[rows], results=self.results[rows], folds=self.folds[rows]
        )

    def part(self, rows: NDArray[Any]) -> LabelledBoards:
        """Some of the boards, for a task that is on these; a report tells of the whole."""
        return replace(self.take(rows), whole=self.digest)

    @property
    def origin(self) -> str:
        """The digest of the whole."""
        return self.whole or self.digest

    def at_most(self, n_boards: int | None) -> LabelledBoards:
        """The first boards of every fold, as many of each, so that all are together as told."""
        if n_boards is None or n_boards >= len(self):
            return self
        a_fold = max(1, n_boards // self.n_folds)
        rows = [np.flatnonzero(self.folds == fold)[:a_fold] for fold in range(self.n_folds)]
        return self.take(np.sort(np.concatenate(rows)))

    def only_unique(self) -> LabelledBoards:
        """Of boards that are the same and have the same result, only the first; in their folds."""
        both = np.column_stack([self.packed, self.results])
        first = np.sort(np.unique(both, axis=0, return_index=True)[1])
        return replace(self.take(first), kind=replace(self.kind, unique=True))

    def page(self) -> dict[str, Any]:
        """What a report says of them."""
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


def of_game(kind: BoardSet) -> Any:
    """The file `<game>_boards.py`, which knows what boards of a game there are to be had."""
    return importlib.import_module(f"clauseboard.papers.{kind.game}_boards")


def read_boards(path: str | Path) -> LabelledBoards:
    """The boards of a file: one of our data sets, or plain arrays `boards`, `result` and `fold`."""
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"There is no file {str(path)!r} to take boards from.")
    try:
        with zipfile.ZipFile(path) as archive:
            plain = all(f"{name}.npy" in archive.namelist() for name in ARRAYS)
    except zipfile.BadZipFile:
        plain = False
    return _read_arrays(path) if plain else _read_dataset(path)


def _read_dataset(path: Path) -> LabelledBoards:
    data = load_dataset(path)
    manifest = data.manifest
    composition = str(manifest.get("composition", "boards"))
    unique = bool(manifest.get("settings", {}).get("unique", False))
    kind = BoardSet(data.game.name, composition, unique)
    # A game may tell boards of one composition apart by its options.
    named = getattr(of_game(kind), "composition_name", None)
    if named is not None:
        kind = replace(kind, composition=named(composition, manifest.get("options", {})))
    # Or know that files of one are never the document's own, but made in the same way.
    alike = kind.composition in getattr(of_game(kind), "ALIKE", ())
    return LabelledBoards(
        kind, path.name, alike, data.packed, len(data.bits),
        data.results(data.game.colours[0]), data.folds, data.n_folds, alike,
    )  # fmt: skip


def _read_arrays(path: Path) -> LabelledBoards:
    """Final boards of checkers games, as the author of the checkers thesis keeps them."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            boards, results, folds = (arrays[name] for name in ARRAYS)
    except (ValueError, OSError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path} is damaged: {error}.") from error
    n = len(boards)
    if boards.dtype != np.uint8 or boards.shape != (n, BITS_OF_A_BOARD // 8) or not n:
        raise ValueError(
            f"{path}: boards are rows of {BITS_OF_A_BOARD // 8} bytes, not {boards.shape} of "
            f"{boards.dtype}."
        )
    for name, values, most in (("result", results, len(RESULTS)), ("fold", folds, 255)):
        whole = values.dtype.kind in "iu" and values.shape == (n,)
        if not whole or values.min() < 0 or values.max() >= most:
            raise ValueError(f"{path}: {name} is no array of {n} whole numbers below {most}.")
    packed = np.packbits(np.unpackbits(boards, axis=1), axis=1, bitorder="little")
    folds = folds.astype(np.uint8)
    return LabelledBoards(
        BoardSet("checkers", "standard-end", False), path.name, False, packed, BITS_OF_A_BOARD,
        results.astype(np.uint8), folds, int(folds.max()) + 1,
    )  # fmt: skip
