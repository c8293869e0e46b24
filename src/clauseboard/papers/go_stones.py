"""Players of Go that put a stone at every turn, as those of the Go thesis do: nobody passes.

By the rules a pass is a move, and two of them end a game; a search that may pass finds such ends,
and a machine is no longer asked. Where there is no point left to play, a pass is all there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clauseboard.evaluation import Limit
from clauseboard.games.go.rules import PASS
from clauseboard.player import Choice
from clauseboard.players.random import RandomPlayer
from clauseboard.search.batch import Judge, Scores
from clauseboard.search.expanding import Boards
from clauseboard.search.width_depth import WidthDepth

PASS_CODE = 81
"""The code of a pass on a board of nine lines; see `games.go.searching`."""


@dataclass
class NoPassSearch(WidthDepth):
    """Looks at stones only. The evaluator has to be one that sees bits."""

    def _best(self, boards: Boards, side: int, judge: Judge) -> tuple[Boards, Scores]:
        stones = boards.codes != PASS_CODE
        has_stones = np.isin(boards.parents, boards.parents[stones])
        return super()._best(boards.take(np.flatnonzero(stones | ~has_stones)), side, judge)


class NoPassRandomPlayer(RandomPlayer):
    """Puts a stone at any point at which it may."""

    plays_at_random = False  # in the sense of the arena, which would let it pass

    def choose(self, position: Any, limit: Limit | None = None) -> Choice:
        """Any stone; a pass if there is none."""
        stones = [move for move in position.moves() if not move.is_pass] or [PASS]
        return Choice(stones[self.picker(position.to_move)(len(stones))], value=0.0)
