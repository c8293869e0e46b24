"""From every board the few best moves, some moves deep, and the first move of the best end board.

Which moves are best, the evaluator says with its votes: first boards on which a win of the side
that moves is predicted, by the votes for it; then predicted draws, by the votes for a draw; then
wins of the other side, the one with the fewest votes first. The moves of both sides are chosen so,
each for its own side, by the same evaluator. At the end the same order, for the side that searches,
finds the best board. An evaluator without votes is asked for its values instead.

A finished game is no longer judged, nor played on: a won one stands above all others, a lost one
below, and a drawn one above all that are only predicted to be drawn. It is an end board wherever
it lies. If the other side has a winning reply among those looked at, the move before it is lost;
if all its replies looked at lose, that move is won; else replies that lose are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import whole_number
from clauseboard.evaluation import Judgements
from clauseboard.search.batch import (
    BatchSearch,
    Boards,
    LimitedEvaluator,
    Rows,
    Scored,
    Scores,
    top_board,
)
from clauseboard.search.compiled_rules import DRAW

SPAN = 2.0**40
"""What lies between a predicted win and a predicted draw: more than there are votes."""


@dataclass
class WidthDepth(BatchSearch):
    """Look `depth` moves ahead, from every board at its `width` best moves.

    The boards of the tree are width + width² + … + width^depth, where there are moves enough; a
    candidate's visits are those that begin with it. Many more are judged, to choose them.
    """

    uses: ClassVar[str] = "either"
    odd: ClassVar[bool] = False

    width: int = 3
    depth: int = 7

    def __post_init__(self) -> None:
        self._check_depth()
        whole_number("width", self.width, 1)

    def _look(self, first: Boards, depth: int, judge: LimitedEvaluator) -> Scored:
        kept, standings = self._best(first, judge.side, judge)
        return Scored(kept, *self._deeper(kept, standings, depth - 1, judge))

    def _deeper(
        self, boards: Boards, standings: Scores, depth: int, judge: LimitedEvaluator
    ) -> tuple[Scores, Rows, Rows]:
        """Standings of boards by those `depth` moves on, the lines expected, and boards counted."""
        standings, visits = standings.copy(), np.ones(len(boards), np.int64)
        tails = np.full((len(boards), depth), -1, np.int64)
        if depth == 0:
            return standings, tails, visits
        for family in boards.families(judge.at_most):
            side = int(boards.sides[family.parents[0]])
            below, found = self._best(family, side, judge)
            found, further, counted = self._deeper(below, found, depth - 1, judge)
            rows, starts = np.unique(below.parents, return_index=True)
            ours = np.full(len(rows), side == judge.side)
            standings[rows], chosen = top_board(found, starts, ours)
            tails[rows] = np.column_stack([below.codes, further])[chosen]
            visits[rows] += np.add.reduceat(counted, starts)
        return standings, tails, visits

    def _best(self, boards: Boards, side: int, judge: LimitedEvaluator) -> tuple[Boards, Scores]:
        """The best of each parent's boards for the side that moved there, and their standings.

        The standings are those for the side that searches.
        """
        open_ = np.flatnonzero(boards.counts)
        judgements = judge.judge(boards, open_) if len(open_) else None

        def standings(of: int) -> Scores:
            won = judge.certain(boards, np.arange(len(boards)), SPAN / 2)
            result = won if of == judge.side else np.where(boards.results == DRAW, won, -won)
            if judgements is not None:
                result[open_] = standing(judgements, of, boards.sides[open_], judge.colours)
            return result

        chosen = best_of_each(standings(side), boards.parents, self.width)
        return boards.take(chosen), standings(judge.side)[chosen]


SEARCH = WidthDepth


def standing(judgements: Judgements, side: int, to_move: Rows, colours: tuple[str, str]) -> Scores:
    """How boards stand for a side: higher is better, by the end predicted and then by votes."""
    if judgements.votes is None:
        return np.where(to_move == side, judgements.values, -judgements.values)
    predicted = judgements.predicted()
    votes = judgements.votes[np.arange(len(judgements)), predicted].astype(np.float64)
    ends = {None: 0.0, colours[side]: 1.0, colours[1 - side]: -1.0}
    end = np.array([ends[winner] for winner in judgements.winners])[predicted]
    return np.where(end == 0, votes, end * (SPAN + votes))


def best_of_each(standings: Scores, parents: Rows, width: int) -> NDArray[np.intp]:
    """The rows of the `width` best boards of each parent, best first; of equal ones the first."""
    order = np.lexsort((-standings, parents))
    _, starts, sizes = np.unique(parents, return_index=True, return_counts=True)
    place = np.arange(len(parents)) - np.repeat(starts, sizes)
    return order[place < width]
