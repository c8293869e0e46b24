"""Judges boards by a network, as `clauseboard train swarm` or `train swarm-descent` makes it."""

from __future__ import annotations

from typing import Any

from clauseboard.evaluation import Evaluator
from clauseboard.game import Game
from clauseboard.learners.swarm.evaluator import NetworkEvaluator

SEARCH = "alpha_beta"
USUAL = {"depth": 1, "endgames": False}
"""One move ahead, captures played out, and no more, as the networks of a swarm were trained: they
win fewer games if they look further. A board that comes up again counts as a draw, in training,
too. With `quiescence=False` it is the player of the thesis. Those of gradient descent
gain by `search=alpha_beta,depth=3`."""

OPTIONS = {"network": "the file of a network"}


def evaluator(game: Game, *, network: Any = None) -> Evaluator:
    """The evaluator that some options mean."""
    if network is None:
        raise ValueError(
            "Name the file of a network, as network=FILE; `clauseboard train swarm` makes one."
        )
    return NetworkEvaluator.load(network, game)
