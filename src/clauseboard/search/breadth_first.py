"""Every line of some moves, the boards at their ends scored, and the scores averaged upwards.

A board at the end scores 1 if a win of the side that searches is predicted, 0.5 for a draw and 0
for a loss. A move counts what the replies to it count on average, and a reply what the moves after
it do; the move with the highest average is chosen, one of them at random if there are several.

A finished game scores like a forced end: 9 where the side that searches has won, -9 where it has
lost, however many moves it took, and 0.5 for a draw. It is not judged by the evaluator. So what
ends a game counts for much even after averaging, and nothing is played on from there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import flag
from clauseboard.evaluation import Evaluator, Judgements, Limit
from clauseboard.game import Position
from clauseboard.search.batch import (
    BatchSearch,
    Boards,
    LimitedEvaluator,
    Rows,
    Scored,
    Scores,
    first_with,
    walk,
)

DRAWN = 0.5


@dataclass
class BreadthFirst(BatchSearch):
    """Average the scores of all boards `depth` moves on.

    - `depth`: an odd number, so that the last move is one of the side that searches.
    - `forced_score`: what a finished game scores that is won, and one that is lost.
    - `confidence`: score boards by the evaluator's value, from 0 for -1 to 1 for 1, and not only
      by the end of the game that is predicted.
    - `sees_last_end`: whether boards at full depth are looked at for finished games, too, and not
      only those before; a won board there was left to the machine when this search was first used.
    """

    uses: ClassVar[str] = "either"

    depth: int = 3
    forced_score: tuple[float, float] = (9.0, -9.0)
    confidence: bool = False
    sees_last_end: bool = True

    def __post_init__(self) -> None:
        self._check_depth()
        flag("confidence", self.confidence)
        flag("sees_last_end", self.sees_last_end)
        forced = self.forced_score
        if (
            not isinstance(forced, tuple | list)
            or len(forced) != 2
            or not all(_is_number(score) for score in forced)
            or forced[0] < forced[1]
        ):
            raise ValueError(
                f"forced_score={forced!r} is not what a win and a loss score, such as (9, -9): two "
                "numbers, the first of them not below the second."
            )

    def scores(self, position: Position, evaluator: Evaluator) -> Scores:
        """The averaged score of each of `position.moves()`, as it is: not scaled to a value."""
        return self._search(position, LimitedEvaluator(position, evaluator, Limit()))[1].scores

    def _look(self, first: Boards, depth: int, judge: LimitedEvaluator) -> Scored:
        win, loss = self.forced_score

        def score(boards: Boards, rows: Rows) -> Scores:
            scores = judge.ends(boards, rows, win, DRAWN, loss)
            blind = boards.distance == depth and not self.sees_last_end
            asked = (boards.counts[rows] > 0) | blind
            if asked.any():
                judgements = judge.judge(boards, rows[asked])
                scores[asked] = self._predicted(boards, rows[asked], judgements, judge)
            return scores

        scores, tails = walk(first, depth - 1, judge, score, average)
        return Scored(first, scores, tails, np.zeros(len(first), np.int64))

    def _predicted(
        self, boards: Boards, rows: Rows, judgements: Judgements, judge: LimitedEvaluator
    ) -> Scores:
        """Scores from 0 to 1 by what an evaluator says."""
        values = judge.values(boards, rows, judgements)
        if self.confidence:
            return (1 + values) / 2
        if judgements.votes is None:
            return (1 + np.sign(values)) / 2
        scored = {judge.colour: 1.0, None: DRAWN}
        of_column = np.array([scored.get(winner, 0.0) for winner in judgements.winners])
        return of_column[judgements.predicted()]

    def _values(self, scores: Scores, ends: list[Any], judge: LimitedEvaluator) -> Scores:
        """Scores of 0 to 1 as values of -1 to 1; what forced ends add to that is cut off."""
        return np.clip(2 * scores - 1, -1, 1)


SEARCH = BreadthFirst


def average(scores: Scores, starts: Rows, ours: NDArray[np.bool_]) -> tuple[Scores, Rows]:
    """The mean below each board; expected is what scores best for the side to move there."""
    sizes = np.diff(starts, append=len(scores))
    # Rounded, so that averages that are equal on paper are equal here, and ties are ties.
    means = np.round(np.add.reduceat(scores, starts) / sizes, 12)
    best = np.where(ours, np.maximum.reduceat(scores, starts), np.minimum.reduceat(scores, starts))
    return means, first_with(best, scores, starts)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
