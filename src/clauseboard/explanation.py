"""Why a position is judged as it is: Reason and Explanation, all that pictures know of a learner.

The reasons of an explanation add up, exactly, to the votes of the board that it explains. For a
move that was found by search this is the board at the end of the expected line, and it says so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from clauseboard.game import Bit, Move, Position
from clauseboard.html_parts import notebook_part, sized, table


@dataclass(frozen=True)
class Reason:
    """A clause that fired: what it needs, what it forbids, and how it votes.

    `about` is the end of the game that it votes on: a win of this colour, or None for a draw.
    `note` says what else is to be known, such as that the clause would fire elsewhere, too.
    """

    needed: tuple[Bit, ...]
    forbidden: tuple[Bit, ...]
    weight: int
    favours: bool
    about: str | None
    text: str = ""
    note: str = ""

    @property
    def votes(self) -> int:
        """The weight, negative where the clause votes against."""
        return self.weight if self.favours else -self.weight

    @property
    def cells(self) -> tuple[str | None, ...]:
        """The cells that it speaks of, each once; None stands for what is on no cell.

        >>> Reason((Bit("stone at a1", "a1", "stone"),), (), 3, True, "red").cells
        ('a1',)
        """
        return tuple(dict.fromkeys(bit.cell for bit in (*self.needed, *self.forbidden))) or (None,)


@dataclass(frozen=True)
class Term:
    """A part of a sum that is no clause: a feature and its weight, or a piece taken away.

    `text` says what it is about, by which terms of two boards are set side by side; `detail`, what
    else is to be known of it on this board.
    """

    text: str
    amount: float
    cell: str | None = None
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({self.detail})" if self.detail else self.text


UNIT = 100
"""Votes of a line that are one point: a factor of e in the odds of winning."""
CERTAIN = 10 * UNIT
"""Votes of a result that is certain; no chance counts for more."""


def votes_of(chance: float) -> float:
    """A chance as votes of a line, not rounded: the logarithm of the odds in hundredths.

    >>> round(votes_of(0.75)), votes_of(0.5), votes_of(1.0)
    (110, 0.0, 1000.0)
    """
    if not 0 < chance < 1:
        return float(CERTAIN if chance >= 1 else -CERTAIN)
    return min(max(UNIT * math.log(chance / (1 - chance)), -CERTAIN), CERTAIN)


def chance_of_votes(votes: float) -> float:
    """The chance that votes of lines add up to.

    >>> round(chance_of_votes(110), 2), chance_of_votes(0)
    (0.75, 0.5)
    """
    return 1 / (1 + math.exp(-votes / UNIT))


def percent(chance: float) -> str:
    """A chance as it is written; what is only nearly certain is not called certain.

    >>> percent(0.614), percent(0.9991), percent(1.0)
    ('61 %', '99 %', '100 %')
    """
    shown = round(100 * chance)
    return f"{min(max(shown, 1), 99) if 0 < chance < 1 else shown} %"


def split(total: int, amounts: Sequence[float]) -> list[int]:
    """Whole numbers near these amounts that add up to the total, which is near their sum.

    All are rounded down, and the largest remainders up.

    >>> split(10, [3.3, 3.3, 3.4]), split(-2, [-1.5, -0.5])
    ([3, 3, 4], [-1, -1])
    """
    whole = [math.floor(amount) for amount in amounts]
    by_remainder = sorted(range(len(whole)), key=lambda n: whole[n] - amounts[n])
    every, some = divmod(total - sum(whole), len(whole))
    for place, n in enumerate(by_remainder):
        whole[n] += every + (place < some)
    return whole


@dataclass(frozen=True)
class LineClause:
    """A clause under a line of an account: its conditions in words, and how it votes.

    `votes` are for the side to move on the board explained, in hundredths of a point. `source`
    says what found the clause, where that is known.
    """

    text: str
    votes: int
    cells: tuple[str, ...] = ()
    source: str | None = None

    @property
    def listed(self) -> str:
        """The conditions, and what found the clause, as lists of clauses show it."""
        return self.text if self.source is None else f"{self.text} (source: {self.source})"


@dataclass(frozen=True)
class Line:
    """One concept of an account: a sentence that is true on this board, and what it counts.

    `votes` are for the side to move on the board explained. Those of the clauses add up to them,
    and those of all lines to the judgement. `stake` is what hangs on something open, in votes,
    where that is more than it counts on average: the line stands in an account as if it counted so.
    """

    concept: str
    text: str
    votes: int
    cells: tuple[str, ...] = ()
    clauses: tuple[LineClause, ...] = ()
    stake: int = 0

    @property
    def weight(self) -> int:
        """By which lines are put in order."""
        return max(abs(self.votes), self.stake)

    @property
    def points(self) -> float:
        """The votes in points."""
        return self.votes / UNIT


@dataclass(frozen=True)
class Explanation:
    """What was judged, by whom, and why.

    `position` is the board that is explained, and `line` the moves that lead to it from the one
    that was asked about; `ahead` are those that the search expects from there on. `value` is for
    the side to move in `position`. A judge of moves instead
    explains a `move` that is to be made there. `about_terms` says what the terms are, and
    `terms_add_up` is false where to add them up would mean nothing. `lines` are the concepts of a
    judge that has some; `chance` is the calibrated chance of the side to move, where it is known.
    `unit` is what the lines count, where that is not the logarithm of odds; `owners` says whose
    each cell is in the end, from -1 to 1 for the side to move, and `aim` what the move is for, as
    the rest of a sentence. `alone` explains the board after the move by a judge of boards that does
    not search, where the search has none of its own; its `contrast` says on what they differ.
    """

    position: Position
    value: float
    judge: str
    votes: Mapping[str | None, int] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()
    terms: tuple[Term, ...] = ()
    line: tuple[Move, ...] = ()
    move: Move = None
    about_terms: str = ""
    terms_add_up: bool = True
    lines: tuple[Line, ...] = ()
    chance: float | None = None
    unit: str = ""
    owners: Mapping[str, float] = field(default_factory=dict)
    ahead: tuple[Move, ...] = ()
    aim: str = ""
    alone: Explanation | None = None
    contrast: str = ""

    def value_for(self, colour: str) -> float:
        """The value as this side sees it."""
        return self.value if colour == self.position.to_move else -self.value

    @property
    def is_settled(self) -> bool:
        """Whether the result is certain, by the rules, a table or a solver (`settled`)."""
        return len(self.lines) == 1 and self.lines[0].concept in SETTLING

    def lead(self, colour: str) -> int:
        """The votes for a win of this colour, less those for a win of the other one."""
        other = self.position.game.other(colour)
        return self.votes.get(colour, 0) - self.votes.get(other, 0)

    def _repr_html_(self) -> str:
        """For notebooks: the board that is judged, its value, and the concepts, if there are any.

        `explaining.Account` tells more, in sentences.
        """
        side = self.position.to_move
        chance = "" if self.chance is None else f", a chance of {percent(self.chance)}"
        rows = [[f"{line.points:+.2f}", line.concept, line.text] for line in self.lines]
        told = f"<p>{self.value:+.3f} for {side}{chance}, judged by {escape(self.judge)}</p>"
        lines = [table((f"# points for {side}", "= concept", "because"), rows)] if rows else []
        return notebook_part([sized(self.position.game.draw(self.position)), told, *lines])


RULES, TABLE, SOLVER, CONNECTION = SETTLING = ("rules", "endgame table", "solver", "connection")
"""The concepts of lines that are certain."""
SEARCH = "search"
"""The concept of the line of what a search found beyond the board that is explained."""


def settled(
    position: Position,
    winner: str | None,
    judge: str,
    concept: str,
    text: str,
    line: Sequence[Move],
    cells: tuple[str, ...] = (),
) -> Explanation:
    """The explanation of a board whose result is certain: one line, by the rules or by a table."""
    value = 0.0 if winner is None else 1.0 if winner == position.to_move else -1.0
    lines = (Line(concept, text, round(value * CERTAIN), cells),)
    chance = (1 + value) / 2
    return Explanation(position, value, judge, line=tuple(line), lines=lines, chance=chance)
