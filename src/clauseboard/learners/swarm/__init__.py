"""Judges boards by a network, as `clauseboard train swarm` or `train swarm-descent` makes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from clauseboard.game import Game

if TYPE_CHECKING:
    from clauseboard.evaluation import Evaluator
    from clauseboard.learners import Trainer

OPTIONS: Mapping[str, str] = {"network": "the file of a network"}
SEARCH = "alpha_beta"
USUAL: Mapping[str, object] = {"depth": 1, "endgames": False}
"""One move ahead, captures played out, and no more, as the networks of a swarm were trained: they
win fewer games if they look further. A board that comes up again counts as a draw, in training,
too. With `quiescence=False` it is the player of the thesis. Those of gradient descent
gain by `search=alpha_beta,depth=3`."""
TRAINERS: Sequence[str] = ("swarm", "swarm-descent")


def make_evaluator(game: Game, *, network: str | Path | None = None) -> Evaluator:
    """The evaluator for a player's options."""
    from clauseboard.learners.swarm.network import NetworkEvaluator

    if network is None:
        raise ValueError(
            "Name the file of a network, as network=FILE; `clauseboard train swarm` makes one."
        )
    return NetworkEvaluator.load(network, game)


def load_trainer(name: str) -> type[Trainer]:
    """One of the two ways to train a network."""
    from clauseboard.learners.swarm.swarm import DescentTrainer, SwarmTrainer

    return SwarmTrainer if name == "swarm" else DescentTrainer
