"""The compositions of checkers: which boards of recorded games make a data set.

Games that do not say who won, that comments call irregular, that break the pattern of records, or
whose moves are not legal are left out, one reason at a time (see `oddities`, `archive`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Bit
from clauseboard.games.checkers import encoding
from clauseboard.games.checkers.board import BLACK, WHITE
from clauseboard.games.checkers.extracting import Extract, Wanted, extract_files
from clauseboard.games.checkers.oddities import REASONS
from clauseboard.games.checkers.records import AS_PLAYED
from clauseboard.games.checkers.rules import Checkers
from clauseboard.games.datasets import Composition, Rows
from clauseboard.games.records import Report
from clauseboard.games.solving import Progress

TURN = Bit("white to move", None, "white to move")


@dataclass(frozen=True)
class StandardEnd(Composition):
    """The board at the end of each game.

    `strict=False` also takes games in which a jump was overlooked, `odd=True` those that comments
    call irregular or that break the pattern; `one_zero` is who has won by 1-0, black as a rule.
    """

    name: ClassVar[str] = "standard-end"
    text: ClassVar[str] = "the board at the end of each game"
    rounds: ClassVar[int | None] = 0
    """Rounds that are taken back one by one, for one more board each; None: every move."""
    reasons: ClassVar[tuple[str, ...]] = ("no moves", "no result", *REASONS)

    strict: bool = True
    odd: bool = False
    one_zero: str = BLACK

    def __post_init__(self) -> None:
        switches = [field.name for field in fields(self) if isinstance(field.default, bool)]
        for option in switches:
            if not isinstance(getattr(self, option), bool):
                raise ValueError(f"{option}={getattr(self, option)!r} is neither True nor False.")
        if self.one_zero not in (BLACK, WHITE):
            raise ValueError(f"one_zero={self.one_zero!r} is neither {BLACK!r} nor {WHITE!r}.")

    @property
    def game(self) -> Checkers:
        """The rules of records: only people ended these games early."""
        return AS_PLAYED

    def bits(self) -> tuple[Bit, ...]:
        """The bits of a row, in their order."""
        return encoding.BITS

    def packed(self, found: Extract) -> NDArray[Any]:
        """The boards as packed bits."""
        return encoding.packed_squares(found.boards)

    def rows(
        self,
        sources: Sequence[Path],
        report: Report,
        *,
        jobs: int = 1,
        told: Progress | None = None,
    ) -> Iterator[Rows]:
        """The boards of files of PDN, or of folders with .pdn files, in their order."""
        wanted = Wanted(self.rounds, self.strict, self.odd, self.one_zero)
        width = -(-len(self.bits()) // 8)
        for found in extract_files(list(_files(sources)), wanted, report, jobs, told):
            packed = np.ascontiguousarray(self.packed(found), "<u8").view(np.uint8)[:, :width]
            yield Rows(packed, found.labels, found.games, found.plies, found.to_move, found.keys)


class EndSecondThird(StandardEnd):
    """The board at the end of each game, and those one and two rounds before."""

    name = "end-second-third"
    text = "the board at the end, and those one and two rounds before"
    rounds = 2
    several = True


class EndToEight(StandardEnd):
    """The board at the end of each game, and those one to eight rounds before."""

    name = "end-to-eight"
    text = "the board at the end, and those one to eight rounds before"
    rounds = 8
    several = True


@dataclass(frozen=True)
class Metadata(StandardEnd):
    """Seven numbers of the board at the end of each game (see `encoding.MEASURES`).

    They are written as binary numbers; `levels=True` has a bit for each value that is reached.
    """

    name: ClassVar[str] = "metadata"
    text: ClassVar[str] = "seven numbers of the board at the end of each game"
    view: ClassVar[str | None] = None

    levels: bool = False

    def bits(self) -> tuple[Bit, ...]:
        """The bits of a row, in their order."""
        return encoding.LEVEL_BITS if self.levels else encoding.DIGIT_BITS

    def packed(self, found: Extract) -> NDArray[Any]:
        """The numbers as packed bits."""
        pack = encoding.packed_levels if self.levels else encoding.packed_digits
        return pack(found.boards)


class EveryPly(StandardEnd):
    """The board after every move, and whose turn it is."""

    name = "every-ply"
    text = "the board after every move, and whose turn it is"
    rounds = None
    several = True

    def bits(self) -> tuple[Bit, ...]:
        """The bits of a row, in their order."""
        return (*encoding.BITS, TURN)

    def packed(self, found: Extract) -> NDArray[Any]:
        """The boards as packed bits, and a third word for the turn."""
        turn = found.to_move.astype(np.uint64).reshape(-1, 1)
        return np.hstack([encoding.packed_squares(found.boards), turn])


COMPOSITIONS: tuple[type[Composition], ...] = (
    StandardEnd,
    EndSecondThird,
    EndToEight,
    Metadata,
    EveryPly,
)


def _files(sources: Sequence[Path]) -> Iterator[Path]:
    """The files themselves, and the .pdn files of folders in the order of their names."""
    for source in sources:
        if source.is_dir():
            below = (path for path in source.rglob("*") if path.is_file())
            yield from sorted(path for path in below if path.suffix.lower() == ".pdn")
        else:
            yield source
