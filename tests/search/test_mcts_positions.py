"""Monte-Carlo tree search in a game without a `compiled_rules` module: by its positions alone."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from clauseboard.evaluation import Evaluator, Judgements
from clauseboard.game import Outcome
from clauseboard.search.mcts import MonteCarlo
from clauseboard.search.mcts_trees import PositionTree


@dataclass(frozen=True)
class NimPosition:
    """Take one to three matches; who takes the last one has won."""

    game: Any
    left: int
    to_move: str = "first"

    def moves(self):
        return tuple(range(1, min(3, self.left) + 1))

    def play(self, move):
        return NimPosition(self.game, self.left - move, self.game.other(self.to_move))

    def outcome(self):
        return Outcome(self.game.other(self.to_move), "the last match") if not self.left else None


class Nim:
    name = "nim"
    colours = ("first", "second")

    def other(self, colour):
        return "second" if colour == "first" else "first"


class Zero(Evaluator):
    def judge(self, positions):
        return Judgements(np.zeros(len(positions)))


@pytest.mark.parametrize("left", [5, 6, 7])
def test_a_game_is_searched_by_its_positions(left):
    position = NimPosition(Nim(), left)
    search = MonteCarlo(simulations=400, rollouts=2, mix=1.0)
    choice = search.find(position, Zero())
    assert isinstance(search._tree, PositionTree)
    assert choice.move == left % 4
    assert choice.value == 1.0
    lost = MonteCarlo(simulations=400, rollouts=2, mix=1.0).find(NimPosition(Nim(), 4), Zero())
    assert lost.value == -1.0
