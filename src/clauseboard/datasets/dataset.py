"""A data set: boards as packed bits, who won, which game and which fold; one file without pickle.

    data = load_dataset("checkers.npz")
    cross_val_score(LogisticRegression(), **data.for_sklearn())

The file is a zip of arrays, which `numpy.load` can open too, and of a page of JSON: the game, the
names of the bits, and the manifest, which says where the boards are from and what was left out.
The same data set gives the same bytes.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard import array_file
from clauseboard.checks import whole_number
from clauseboard.game import Bit, Game, load_game

FORMAT = "clauseboard data set"
VERSION = 1
LARGEST = 1 << 31
"""Bytes that a file may hold, unpacked."""

MOST_FOLDS = 255

RESULTS = ("loss", "win", "draw")
"""What 0, 1 and 2 mean in `results`."""

ARRAYS = {"labels": np.uint8, "games": np.int64, "plies": np.int32, "to_move": np.uint8,
          "folds": np.uint8}  # fmt: skip
"""What is known of each board, and how it is kept."""


@dataclass(frozen=True, eq=False)
class DataSet:
    """Boards of games, in the order of the games; every array has one entry a board."""

    game: Game
    bits: tuple[Bit, ...]
    """What the bits of a row mean."""
    packed: NDArray[np.uint8]
    """The bits, eight to a byte, the first one lowest: boards by bytes."""
    labels: NDArray[np.uint8]
    """The winner, as an index into `classes`."""
    games: NDArray[np.int64]
    """The number of the game; the boards of a game are all in one fold."""
    plies: NDArray[np.int32]
    """Moves made before the board, or stones on it."""
    to_move: NDArray[np.uint8]
    """Whose turn it is, as a place in the game's colours."""
    folds: NDArray[np.uint8]
    """The fold in which a board is test data; in all others it is training data."""
    n_folds: int
    view: str | None
    """How the first bits show the board, as `game.encode` has it; None: they are others."""
    manifest: Mapping[str, Any]
    """Where the boards are from, and what was left out."""

    def __post_init__(self) -> None:
        whole_number("n_folds", self.n_folds, 2, MOST_FOLDS)
        n = len(self.packed)
        if self.packed.shape != (n, -(-len(self.bits) // 8)):
            raise ValueError(
                f"{len(self.bits)} bits are packed in {-(-len(self.bits) // 8)} bytes; the boards "
                f"have the shape {self.packed.shape}."
            )
        if self.view not in (None, "board", "mover"):
            raise ValueError(f"view={self.view!r} is neither 'board' nor 'mover' nor None.")
        if self.view is not None and len(self.bits) < len(self.game.bits()):
            raise ValueError(f"{len(self.bits)} bits are too few to show a board.")
        for name, most in (
            ("labels", len(self.classes)), ("to_move", 2), ("folds", self.n_folds),
            ("games", None), ("plies", None),
        ):  # fmt: skip
            values = getattr(self, name)
            if values.shape != (n,):
                raise ValueError(f"{n} boards need as many {name}, not {values.shape}.")
            if n and (values.min() < 0 or (most is not None and values.max() >= most)):
                raise ValueError(
                    f"{name} go from {values.min()} to {values.max()}, which none can."
                )

    def __len__(self) -> int:
        return len(self.packed)

    def __repr__(self) -> str:
        name = self.manifest.get("composition", "boards")
        return f"<DataSet: {name} of {self.game!r}, {len(self):,} boards of {len(self.bits)} bits>"

    @property
    def classes(self) -> tuple[str, ...]:
        """The possible results: a win of either colour, by its name, or "draw"."""
        return (*self.game.colours, "draw")

    @property
    def bit_names(self) -> tuple[str, ...]:
        """The names of the bits, in their order."""
        return tuple(bit.name for bit in self.bits)

    @property
    def X(self) -> NDArray[np.uint8]:  # noqa: N802 (what the field calls it)
        """The boards as 0 and 1, unpacked anew each time: boards × bits."""
        return np.unpackbits(self.packed, axis=1, count=len(self.bits), bitorder="little")

    @property
    def y(self) -> NDArray[np.str_]:
        """The winner of each board, by name."""
        return np.array(self.classes)[self.labels]

    def results(self, colour: str) -> NDArray[np.uint8]:
        """The results as one side sees them: 0 its loss, 1 its win, 2 a draw.

        A machine that is to judge for the other side learns the same boards with these inverted.
        """
        if colour not in self.game.colours:
            first, second = self.game.colours
            raise ValueError(f"{colour!r} is no colour; they are {first!r} and {second!r}.")
        own = self.game.colours.index(colour)
        return np.where(self.labels == 2, 2, self.labels == own).astype(np.uint8)

    def split(self, fold: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The numbers of the training boards and of the test boards of a fold, from 0 on."""
        test = self.folds == whole_number("fold", fold, 0, self.n_folds - 1)
        return np.flatnonzero(~test), np.flatnonzero(test)

    def splits(self) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """`split` of every fold."""
        return (self.split(fold) for fold in range(self.n_folds))

    def for_sklearn(self) -> dict[str, Any]:
        """What scikit-learn's `cross_val_score` and its like take after the estimator, by name."""
        return {"X": self.X, "y": self.y, "groups": self.games, "cv": list(self.splits())}

    def take(self, rows: Any) -> DataSet:
        """Some of the boards, by their numbers or by a mask, in their folds; the manifest stays."""
        chosen = {name: getattr(self, name)[rows] for name in ("packed", *ARRAYS)}
        return dataclasses.replace(self, **chosen)

    def position(self, row: int) -> Any:
        """The position that a row shows."""
        if self.view is None:
            raise ValueError(f"The bits of {self!r} are no boards that could be shown.")
        n_bits = len(self.game.bits())
        bits = np.unpackbits(self.packed[row], count=len(self.bits), bitorder="little")
        side = self.to_move[row] if self.view == "board" else 0
        return self.game.decode(bits[:n_bits], self.game.colours[side])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file; an older one stays whole if that is interrupted."""
        path = Path(path)
        if not path.parent.is_dir():
            raise ValueError(f"{path} cannot be written: there is no folder {path.parent}.")
        page = {
            "game": self.game.name,
            "game_version": self.game.version,
            "parameters": dataclasses.asdict(self.game),  # type: ignore[call-overload]
            "bits": [dataclasses.astuple(bit) for bit in self.bits],
            "n_folds": self.n_folds,
            "view": self.view,
            "manifest": self.manifest,
        }
        arrays = {name: getattr(self, name).astype(kind) for name, kind in ARRAYS.items()}
        array_file.write(path, FORMAT, VERSION, page, {"packed": self.packed, **arrays})


def load_dataset(path: str | os.PathLike[str]) -> DataSet:
    """Read a data set; a `ValueError` that says what is wrong with the file, if something is."""
    path = Path(path)
    page, arrays = array_file.read(path, FORMAT, VERSION, LARGEST)
    try:
        game = load_game(page["game"], **page["parameters"])
        bits = tuple(Bit(*bit) for bit in page["bits"])
        version, n_folds, view = page["game_version"], page["n_folds"], page["view"]
        manifest = page["manifest"]
        if not isinstance(manifest, dict) or not all(isinstance(bit.name, str) for bit in bits):
            raise ValueError("its page is not what it should be")
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is damaged: {error}.") from error
    if version != game.version:
        raise ValueError(
            f"{path} was made by version {version} of the rules of {game.name}, and these are "
            f"version {game.version}; build it again."
        )
    packed = arrays.get("packed")
    n = len(packed) if packed is not None and packed.ndim == 2 else 0
    array_file.expect(path, arrays, "packed", (n, -(-len(bits) // 8)), np.uint8)
    about_boards = {
        name: array_file.expect(path, arrays, name, (n,), kind) for name, kind in ARRAYS.items()
    }
    try:
        return DataSet(
            game,
            bits,
            arrays["packed"],
            n_folds=n_folds,
            view=view,
            manifest=manifest,
            **about_boards,
        )
    except (ValueError, TypeError) as error:
        raise ValueError(f"{path} is damaged: {error}") from error
