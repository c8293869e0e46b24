"""Reasons as they are shown: equal ones merged, symmetric ones joined, shared out over the cells.

Nothing is lost on the way: the votes of the arguments add up to the votes of the reasons, and so do
the shares of the cells, for each end of the game.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.explanation import Explanation, Reason
from clauseboard.game import Game
from clauseboard.games.vocabulary import vocabulary_of

Shares = dict[str | None, Fraction]
"""The votes of reasons, each split evenly over the cells that the reason mentions.

They are fractions so that they add up exactly. None stands for reasons that mention no cell.
"""


def shares(explanation: Explanation, about: str | None) -> Shares:
    """The share of each cell in the votes about one end of the game; they add up to these votes."""
    # First whole votes by the number of cells they are split over: fractions are slow to add.
    sums: defaultdict[tuple[str | None, int], int] = defaultdict(int)
    for reason in explanation.reasons:
        if reason.about == about:
            cells = reason.cells
            for cell in cells:
                sums[cell, len(cells)] += reason.votes
    found: Shares = {}
    for (cell, split), votes in sums.items():
        found[cell] = found.get(cell, Fraction(0)) + Fraction(votes, split)
    return found


def lead_shares(explanation: Explanation, colour: str) -> Shares:
    """The share of each cell in the lead of a colour: votes for its win less those for a loss."""
    found = shares(explanation, colour)
    for cell, share in shares(explanation, explanation.position.game.other(colour)).items():
        found[cell] = found.get(cell, Fraction(0)) - share
    return found


def heat(explanation: Explanation, colour: str) -> dict[str, float]:
    """The cells from -1 to 1 for a picture: what speaks most for or against a colour is 1 or -1.

    A judge with concepts marks the cells of its lines, one without reasons those of its terms.
    Where it is known who owns the cells in the end, that is shown.
    """
    found: dict[str | None, float] = {}
    sign = 1 if colour == explanation.position.to_move else -1
    if explanation.owners:
        return {cell: sign * share for cell, share in explanation.owners.items() if share}
    if any(line.cells for line in explanation.lines):
        for line in explanation.lines:
            for cell in line.cells:
                found[cell] = found.get(cell, 0.0) + sign * line.votes / len(line.cells)
    elif explanation.reasons:
        found = {cell: float(share) for cell, share in lead_shares(explanation, colour).items()}
    else:
        for term in explanation.terms:
            found[term.cell] = found.get(term.cell, 0.0) + sign * term.amount
    most = max((abs(share) for cell, share in found.items() if cell is not None), default=0.0)
    return {cell: share / most for cell, share in found.items() if cell is not None and share}


Pattern = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers of the bits that are needed, and of those that are forbidden."""


@dataclass(frozen=True)
class Argument:
    """Reasons that are shown as one, the strongest first.

    `pictures` says for each of the others how it comes from the first: "its mirror image".
    """

    reasons: tuple[Reason, ...]
    pictures: tuple[str, ...] = ()

    @property
    def votes(self) -> int:
        """What all of them vote, negative if they vote against."""
        return sum(reason.votes for reason in self.reasons)

    @property
    def first(self) -> Reason:
        """The strongest of them."""
        return self.reasons[0]

    @property
    def about(self) -> str | None:
        """The end of the game that they vote on: a win of this colour, or None for a draw."""
        return self.first.about


def merge(reasons: Iterable[Reason]) -> list[Reason]:
    """Equal reasons as one, their votes added, the strongest first; what cancels is left out.

    >>> one = Reason((), (), 3, True, "red")
    >>> [reason.votes for reason in merge([one, one, Reason((), (), 4, False, "red")])]
    [2]
    """
    totals: dict[Any, int] = {}
    first: dict[Any, Reason] = {}
    for reason in reasons:
        key = key_of(reason)
        first.setdefault(key, reason)
        totals[key] = totals.get(key, 0) + reason.votes
    merged = [with_votes(first[key], total) for key, total in totals.items() if total]
    return sorted(merged, key=lambda reason: -reason.weight)


def key_of(reason: Reason) -> Hashable:
    """What equal reasons share: the end of the game that they speak of, and their bits."""
    return reason.about, frozenset(reason.needed), frozenset(reason.forbidden)


def with_votes(reason: Reason, votes: int) -> Reason:
    """The same reason with other votes, negative if they are against."""
    return dataclasses.replace(reason, weight=abs(votes), favours=votes > 0)


def join(reasons: Iterable[Reason], game: Game) -> list[Argument]:
    """Reasons as arguments, the strongest first: equal ones merged, symmetrical ones joined.

    Only reasons that vote on the same end, and the same way, are joined; so a symmetry that
    exchanges the colours joins none.
    """
    turns = _turns(game)
    numbers = {bit: n for n, bit in enumerate(game.bits())}
    groups: dict[Any, list[tuple[Reason, Pattern | None]]] = {}
    for reason in merge(reasons):
        pattern = _pattern(reason, numbers)
        alike = (
            reason if pattern is None else min([pattern, *(_moved(pattern, t) for _, t in turns)])
        )
        groups.setdefault((reason.about, reason.favours, alike), []).append((reason, pattern))
    arguments = [
        Argument(
            tuple(reason for reason, _ in group),
            tuple(_picture(group[0][1], pattern, turns) for _, pattern in group[1:]),
        )
        for group in groups.values()
    ]
    return sorted(arguments, key=lambda argument: -abs(argument.votes))


def _turns(game: Game) -> list[tuple[str, NDArray[np.intp]]]:
    """The names of the symmetries that keep the colours, and where each puts every bit."""
    pictures = [picture for picture in vocabulary_of(game).pictures if not picture.exchanges]
    return [(picture.name, np.argsort(picture.source)) for picture in pictures]


def _pattern(reason: Reason, numbers: dict[Any, int]) -> Pattern | None:
    """The bits of a reason by their numbers; None if it has others than the board's."""
    bits = (*reason.needed, *reason.forbidden)
    if not all(bit in numbers for bit in bits):
        return None
    needed, forbidden = (
        tuple(sorted(numbers[bit] for bit in part)) for part in (reason.needed, reason.forbidden)
    )
    return needed, forbidden


def _moved(pattern: Pattern, turn: NDArray[np.intp]) -> Pattern:
    needed, forbidden = (tuple(sorted(turn[list(part)].tolist())) for part in pattern)
    return needed, forbidden


def _picture(
    first: Pattern | None, other: Pattern | None, turns: list[tuple[str, NDArray[np.intp]]]
) -> str:
    """How the other pattern comes from the first."""
    if first is None or other is None:
        return "the same"
    return next(name for name, turn in turns if _moved(first, turn) == other)
