"""What a data set of a game can be made of: the compositions, which each game has of its own.

A game that has data sets has a file `datasets.py` with a tuple `COMPOSITIONS` of classes derived
from `Composition`, which are found by their names. Such a class is a frozen dataclass whose fields
are its options. It turns sources (files of records, or nothing where it makes its games itself)
into `Rows`; all that is alike for every game is done elsewhere (`clauseboard.datasets`):
draws and duplicates taken out, folds, counts, the file.
"""

from __future__ import annotations

import dataclasses
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import known_name
from clauseboard.game import Bit, Game
from clauseboard.games.plugins import DATASETS
from clauseboard.games.records import Report
from clauseboard.games.solving import Progress

DRAW = 2
"""The label of a draw; 0 and 1 are the game's colours, in their order."""


@dataclass(frozen=True)
class Rows:
    """Boards of some games, packed, with what is known of each; as many rows in every array."""

    packed: NDArray[np.uint8]
    """The bits, eight to a byte, the first one lowest: rows by bytes."""
    labels: NDArray[np.uint8]
    """Who wins: 0 the first colour, 1 the second, 2 nobody."""
    games: NDArray[np.int64]
    """The number of the game; rows of one number are kept together in one fold."""
    plies: NDArray[np.int32]
    """Moves made before the board, or stones on it."""
    to_move: NDArray[np.uint8]
    """Whose turn it is: 0 the first colour, 1 the second."""
    keys: NDArray[np.uint64]
    """Two words that tell the moves of its game from those of others: rows by 2; see `key`."""

    def __post_init__(self) -> None:
        n = len(self.packed)
        for field in dataclasses.fields(self):
            if len(getattr(self, field.name)) != n:
                found = len(getattr(self, field.name))
                raise ValueError(f"{n} boards need as many {field.name}, not {found}.")

    def __len__(self) -> int:
        return len(self.packed)


def key(moves: bytes) -> tuple[int, int]:
    """Two words for the moves of a game, which differ where the moves do.

    >>> key(b"11-15 23-19") == key(b"11-15 23-19"), key(b"11-15") == key(b"11-16")
    (True, False)
    """
    digest = hashlib.blake2b(moves, digest_size=16).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")


class Composition(ABC):
    """One way to make boards of games; a frozen dataclass whose fields are its options."""

    name: ClassVar[str]
    text: ClassVar[str]
    """What it is, in one line for the help of the command."""
    several: ClassVar[bool] = False
    """Whether a game gives several boards; then games that are there twice go before the folds."""
    from_files: ClassVar[bool] = True
    """Whether it is made from files of records; if not, it makes its games itself."""
    reasons: ClassVar[tuple[str, ...]] = ()
    """Why a game may be dropped, in the order of the checks; other reasons come last."""
    view: ClassVar[str | None] = "board"
    """How the game's own bits, which come first, show the board; None: they are others."""

    @property
    @abstractmethod
    def game(self) -> Game:
        """The rules of the boards."""

    @abstractmethod
    def bits(self) -> tuple[Bit, ...]:
        """The bits of a row, in their order."""

    @abstractmethod
    def rows(
        self,
        sources: Sequence[Path],
        report: Report,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> Iterator[Rows]:
        """The boards, some games at a time, in the order of the sources whatever `jobs` is.

        Every game is counted in the report, kept or dropped.
        """

    def options(self) -> dict[str, Any]:
        """Its options by name, as a manifest keeps them."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}  # type: ignore[arg-type]


def compositions(game: str) -> dict[str, type[Composition]]:
    """The compositions of a game by name.

    >>> list(compositions("checkers"))
    ['standard-end', 'end-second-third', 'end-to-eight', 'metadata', 'every-ply']
    """
    return {kind.name: kind for kind in DATASETS.of(game).COMPOSITIONS}


def load_composition(game: str, name: str, **options: Any) -> Composition:
    """A composition of a game by its name, with options.

    >>> load_composition("checkers", "middle")
    Traceback (most recent call last):
        ...
    ValueError: checkers has no composition 'middle'; there are 'standard-end', \
'end-second-third', 'end-to-eight', 'metadata', 'every-ply'.
    """
    known = compositions(game)
    known_name(f"{game} has no composition", name, known)
    fields = [field.name for field in dataclasses.fields(known[name])]  # type: ignore[arg-type]
    for option in options:
        if option not in fields:
            listed = f"it has {', '.join(map(repr, fields))}" if fields else "it has none"
            raise ValueError(f"{name} of {game} has no option {option!r}; {listed}.")
    return known[name](**options)
