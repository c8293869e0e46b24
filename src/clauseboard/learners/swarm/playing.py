"""Judges boards by a network, as `clauseboard train swarm` or `train swarm-descent` makes it."""

from __future__ import annotations

from typing import Any

from clauseboard.evaluation import Evaluator
from clauseboard.game import Game
from clauseboard.learners.swarm.evaluator import NetworkEvaluator

SEARCH = "full_width"
USUAL = {"depth": 1}
"""One move ahead, as the networks of a swarm were trained; what these say of boards that no such
player would come to is worth little. Those of gradient descent gain by search=alpha_beta."""

OPTIONS = {"network": "the file of a network"}


def evaluator(game: Game, *, network: Any = None) -> Evaluator:
    """The evaluator that some options mean."""
    if network is None:
        raise ValueError(
            "Name the file of a network, as network=FILE; `clauseboard train swarm` makes one."
        )
    return NetworkEvaluator.load(network, game)
