"""Every line of some moves, the boards at their ends scored, and the first move of the top board.

The score is the votes for a win of the side that searches, less those for a win of the other one;
or the value, if the evaluator has no votes. The other side's moves are not weighed: the line may
lead where it would never go. Boards reached by several orders of moves are there several times.

With `sees_end`, what finished games decide is worked out as it should be, by the best moves of
both sides: a move that wins by force within the depth is chosen, shortest first; one after which
the other side can win is avoided; and lines into which one side would not go, since they lose, are
left out. A drawn game scores 0. Without it finished games are boards like any others, as the
evaluator judges them; nothing is played on from there either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from clauseboard.checks import flag, whole_number
from clauseboard.evaluation import Evaluator, Limit
from clauseboard.game import Position
from clauseboard.search.batch import (
    BatchSearch,
    Boards,
    LimitedEvaluator,
    Rows,
    Scored,
    Scores,
    first_boards,
    top_board,
    walk,
)


@dataclass(frozen=True)
class Top:
    """The boards with the highest scores, best first: positions, scores, moves that lead there."""

    positions: tuple[Position, ...]
    scores: Scores
    paths: tuple[tuple[Any, ...], ...]

    def __len__(self) -> int:
        return len(self.positions)


@dataclass
class FullWidth(BatchSearch):
    """The first move towards the board with the highest score, of all boards `depth` moves on.

    - `depth`: an odd number, so that the last move is one of the side that searches.
    - `sees_end`: whether finished games count for what they are.
    """

    uses: ClassVar[str] = "either"

    depth: int = 3
    sees_end: bool = True

    def __post_init__(self) -> None:
        self._check_depth()
        flag("sees_end", self.sees_end)

    def _look(self, first: Boards, depth: int, judge: LimitedEvaluator) -> Scored:
        def score(boards: Boards, rows: Rows) -> Scores:
            scores = judge.certain(boards, rows, 0.0)
            asked = (boards.counts[rows] > 0) | (not self.sees_end)
            if asked.any():
                scores[asked] = judged(boards, rows[asked], judge)
            return scores

        scores, tails = walk(first, depth - 1, judge, score, top_board)
        return Scored(first, scores, tails, np.zeros(len(first), np.int64))

    def top(self, position: Position, evaluator: Evaluator, k: int = 100) -> Top:
        """The k boards with the highest scores at full depth, or where a game ended before.

        All of them are judged by the evaluator, whatever `sees_end`; of equal ones those count
        that come first in the order of moves.
        """
        whole_number("k", k, 1)
        judge = LimitedEvaluator(position, evaluator, Limit())
        best: list[tuple[float, list[int]]] = []

        def keep(boards: Boards, rows: Rows) -> Scores:
            scores = judged(boards, rows, judge) if len(rows) else np.zeros(0)
            ranked = np.argsort(-scores, kind="stable")[:k]
            best.extend((float(scores[i]), boards.path(rows[i])) for i in ranked)
            best.sort(key=lambda entry: -entry[0])
            del best[k:]
            return scores

        first = first_boards(position, evaluator)
        walk(first, self.depth - 1, judge, keep, top_board)
        lines = [first.replay(position, codes) for _, codes in best]
        return Top(
            tuple(end for _, end in lines),
            np.array([score for score, _ in best]),
            tuple(line for line, _ in lines),
        )


SEARCH = FullWidth


def judged(boards: Boards, rows: Rows, judge: LimitedEvaluator) -> Scores:
    """The scores of boards by the evaluator alone."""
    judgements = judge.judge(boards, rows)
    if judgements.votes is None:
        return judge.values(boards, rows, judgements)
    return judgements.margins(judge.colour).astype(np.float64)
