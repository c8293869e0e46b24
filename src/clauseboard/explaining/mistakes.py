"""Mistakes: moves that cost much, by chances or by points; and slides, which have no such move.

A slide is a side that loses its chances bit by bit:

>>> chances = [0.6, 0.55, 0.56, 0.5, 0.49, 0.41, 0.42, 0.33]
>>> slide = find_slide(dict(enumerate(chances)), last=7)
>>> slide.first, slide.last, slide.sentence("black")
(0, 7, "Between moves 1 and 7 black's chance of winning fell from 60 % to 33 %.")
>>> find_slide(dict(enumerate(chances)), last=7, after=3) is None  # a mark tells of what was before
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from clauseboard.explanation import percent

POINTS = 5.0
"""So many points given away are a mistake in a game that is open."""
DECIDED = 0.9
"""A game is decided if its result, from -1 to 1, is expected to be so far from even."""
LONGEST = 40
"""Moves of both sides over which chances are compared."""
FALL = 0.2
"""A chance of winning that falls by so much is told of."""


def is_mistake(loss: float, least: float, points: float, best: float) -> bool:
    """Whether a move costs too much: `least` of the result, which is from -1 to 1, or `POINTS`.

    `points` are those that it gives away, and `best` is what the best move was worth. Points of a
    game that is decided are no mistake, nor are those of a move that is as good as the best.

    >>> is_mistake(0.05, 0.3, 7.5, best=0.4), is_mistake(0.05, 0.3, 7.5, best=0.95)
    (True, False)
    """
    return loss >= least or (points >= POINTS and loss > 0 and abs(best) < DECIDED)


@dataclass(frozen=True)
class Slide:
    """How the chance of a side fell: from the one after `first` moves to that after `last`."""

    first: int
    last: int
    before: float
    now: float

    def sentence(self, colour: str) -> str:
        """What happened, in words."""
        return (
            f"Between moves {self.first + 1} and {self.last} {colour}'s chance of winning fell "
            f"from {percent(self.before)} to {percent(self.now)}."
        )


def find_slide(chances: Mapping[int, float], last: int, after: int = 0) -> Slide | None:
    """How far a side's chance has fallen after `last` moves from its best shortly before.

    `chances` has the side's chances by the number of moves played, as far as they are known; what
    was before `after` moves does not count, since something was said of it already. None if the
    chance has not fallen by `FALL`.
    """
    known = [n for n in chances if max(after, last - LONGEST) <= n < last]
    if last not in chances or not known:
        return None
    first = max(known, key=lambda n: (chances[n], n))
    if chances[first] - chances[last] < FALL:
        return None
    return Slide(first, last, chances[first], chances[last])
