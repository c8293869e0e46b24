"""The compositions of Go: the board at the end of each game, or after so many of its moves.

Games that do not say who won, that have too few moves or another size of board, or whose moves are
not legal are left out, and counted by the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from clauseboard.game import Bit
from clauseboard.games.datasets import Composition, Rows
from clauseboard.games.go.extracting import Wanted, extract
from clauseboard.games.go.rules import Go
from clauseboard.games.records import Report
from clauseboard.games.solving import Progress


@dataclass(frozen=True)
class End(Composition):
    """The board at the end of each game on boards of `size` with at least `at_least` moves."""

    name: ClassVar[str] = "end"
    text: ClassVar[str] = "the board at the end of each game"
    reasons: ClassVar[tuple[str, ...]] = ("another size", "no result", "too few moves")

    size: int = 9
    at_least: int = 0

    def __post_init__(self) -> None:
        Go(size=self.size)
        _check_moves("at_least", self.at_least, 0)

    @property
    def game(self) -> Go:
        """The rules of the boards, with the usual komi; games with another one are noted."""
        return Go(size=self.size)

    def bits(self) -> tuple[Bit, ...]:
        """The bits of a row, in their order."""
        return self.game.bits()

    def wanted(self) -> Wanted:
        """Which board of a game it is."""
        return Wanted(self.game, None, self.at_least)

    def rows(
        self,
        sources: Sequence[Path],
        report: Report,
        *,
        jobs: int = 1,
        told: Progress | None = None,
    ) -> Iterator[Rows]:
        """The boards of SGF files, of folders of them, or of tars, in their order."""
        return extract(sources, self.wanted(), report, jobs, told)


@dataclass(frozen=True)
class After(End):
    """The board after `moves` moves of each game that has `at_least` so many, or more.

    Without `at_least`, those that have `moves` moves.
    """

    name: ClassVar[str] = "after"
    text: ClassVar[str] = "the board after so many moves of each game that is long enough"

    moves: int = 80

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_moves("moves", self.moves, 1)
        if 0 < self.at_least < self.moves:
            raise ValueError(
                f"at_least={self.at_least} moves are too few for a board after {self.moves}; leave "
                f"it out, or name {self.moves} or more."
            )

    def wanted(self) -> Wanted:
        """Which board of a game it is."""
        return Wanted(self.game, self.moves, max(self.at_least, self.moves))


COMPOSITIONS: tuple[type[Composition], ...] = (End, After)


def _check_moves(name: str, value: int, least: int) -> None:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or value < least:
        raise ValueError(f"{name}={value!r} is no whole number of moves from {least} on.")
