"""Clauses of a machine and what they voted during searches: added up, chosen, and drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from clauseboard.games.drawing import clause_signs
from clauseboard.games.go.drawing import LETTER, clause_text
from clauseboard.papers.go_games import GAME
from clauseboard.papers.table import Drawing

if TYPE_CHECKING:
    from clauseboard.explaining.clause_statistics import ClauseCount

FOR, AGAINST = "for", "against"
HOW = {
    "TP": "votes for it, rightly",
    "FP": "votes for it, wrongly",
    "TN": "votes against it, rightly",
    "FN": "votes against it, wrongly",
    FOR: "votes for it",
    AGAINST: "votes against it",
}
"""Ways to count the votes of a clause; the last two whether they are right or not."""


def clause_rows(counts: Iterable[ClauseCount]) -> list[list[Any]]:
    """What JSON keeps: colour, number, boards on which it fired, those on which it was right."""
    return [[one.reason.about, one.index, one.fired, one.right] for one in counts if one.fired]


def added(evaluator: Any, results: Iterable[Mapping[str, Any]]) -> list[ClauseCount]:
    """All clauses of a machine, with what they did in some tasks."""
    from clauseboard.explaining.clause_statistics import count_clauses

    fired: Counter[tuple[str | None, int]] = Counter()
    right: Counter[tuple[str | None, int]] = Counter()
    for result in results:
        for colour, index, times, rightly in result["clauses"]:
            fired[colour, index] += times
            right[colour, index] += rightly
    nothing = np.zeros((0, -(-len(GAME.bits()) // 8)), np.uint8)
    blank = count_clauses(evaluator, nothing, np.zeros(0), np.zeros(0))
    keys = [(one.reason.about, one.index) for one in blank]
    return [
        replace(one, fired=fired[key], right=right[key])
        for one, key in zip(blank, keys, strict=True)
    ]


@dataclass(frozen=True)
class Shown:
    """A clause that a figure shows: whose win it speaks of, and by what it was chosen."""

    figure: str
    colour: str
    how: str
    """One of `HOW`."""
    place: int = 0
    """0 is the first one."""
    by_weight: bool = False
    """Whether it is the weight that counts, and not the votes that were cast."""
    signs: int | None = None
    """How many signs the published one has."""
    absent: int | None = None
    """How many of these say what must not be there."""

    @property
    def row(self) -> str:
        """What its row is called."""
        most = "highest weight" if self.by_weight else f"number {self.place + 1}"
        return f"figure {self.figure}: {self.colour}'s win, {HOW[self.how]}, {most}"

    def chosen(self, counts: Sequence[ClauseCount]) -> ClauseCount | None:
        """The clause of ours that stands in its place; None if there are too few."""
        found = [one for one in counts if one.reason.about == self.colour]
        if self.by_weight:
            found = [one for one in found if one.reason.favours == (self.how == FOR)]
            found.sort(key=lambda one: -one.reason.weight)
        else:
            votes = _votes(self.how)
            found = [one for one in found if votes(one)]
            found.sort(key=lambda one: -votes(one))
        return found[self.place] if self.place < len(found) else None

    def drawing(self, counts: Sequence[ClauseCount]) -> list[Drawing]:
        """The clause on a board, and what it did; nothing if there is none."""
        one = self.chosen(counts)
        if one is None:
            return []
        told = (
            f"Figure {self.figure}: clause {one.index} on {self.colour}'s win, {HOW[self.how]}; "
            f"weight {one.reason.weight:,}, {_votes(self.how)(one):,} such votes"
        )
        needed, forbidden = one.reason.needed, one.reason.forbidden
        picture = GAME.draw(needed=needed, forbidden=forbidden)
        return [Drawing(told, clause_text(GAME, needed, forbidden), picture)]


def _votes(how: str) -> Callable[[ClauseCount], int]:
    """The votes of a clause, counted in one of the ways of `HOW`: boards times its weight."""

    def votes(one: ClauseCount) -> int:
        if how in (FOR, AGAINST):
            return one.reason.weight * one.fired * (one.reason.favours == (how == FOR))
        return one.weighted[how]

    return votes


def signs_of(one: ClauseCount | None) -> list[str]:
    """The signs that a clause has on the board."""
    if one is None:
        return []
    return list(clause_signs(one.reason.needed, one.reason.forbidden, LETTER).values())
