"""Many reasons as few: equal ones merged, and those that are each other's picture joined.

Nothing is lost on the way: the votes of what comes out add up to the votes of what went in, for
each end of the game.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.explanation import Reason
from clauseboard.game import Game
from clauseboard.games.vocabulary import vocabulary_of

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
