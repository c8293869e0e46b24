"""Trains networks by a particle swarm: `clauseboard train swarm`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from clauseboard.game import Game
from clauseboard.learners.swarm.files import load_training, save_network
from clauseboard.learners.swarm.network import Shape, worths_of
from clauseboard.learners.swarm.play import searchable, told
from clauseboard.learners.swarm.swarm import FIGURES, Swarm, SwarmOptions
from clauseboard.learners.training import Progress, Trainer, changed_options

NAME = "swarm"


class SwarmTrainer(Trainer):
    """A swarm, round by round; the network that is kept for players is the leader's."""

    Options = SwarmOptions
    changeable = ("rounds", "n_jobs")
    small: ClassVar = {"particles": 4, "games": 4, "hidden": 2}
    step_name = "round"

    def __init__(self, swarm: Swarm) -> None:
        self.swarm = swarm
        self.game, self.options = swarm.shape.game, swarm.options

    @classmethod
    def begin(cls, game: Game, options: SwarmOptions, data: Path | None = None) -> Self:
        """Particles at random places."""
        worth = worths_of(game, options.worth)
        shape = Shape(searchable(game), options.hidden, worth, options.balanced)
        return cls(Swarm.begin(shape, options))

    @classmethod
    def load(cls, path: Path, data: Path | None = None, **changes: Any) -> Self:
        """A swarm that was saved."""
        kept = load_training(path, NAME)
        try:
            options = SwarmOptions(**kept.options)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path} is damaged: {error}") from error
        n, size = options.particles, kept.shape.size
        history = kept.array("history", len(kept.arrays.get("history", ())), len(FIGURES))
        swarm = Swarm(
            kept.shape,
            changed_options(cls, options, changes),
            kept.array("place", n, size),
            kept.array("velocity", n, size),
            kept.array("best", n, size),
            kept.array("fitness", n) if len(history) else np.full(n, -np.inf),
            kept.array("ages", n, dtype=np.int64),
            history,
        )
        return cls(swarm)

    def steps(self) -> Iterator[Progress]:
        """Play and move, round by round."""
        swarm, rounds = self.swarm, self.options.rounds
        for step in range(len(swarm.history) + 1, rounds + 1):
            swarm.advance()
            figures = told(self.game, FIGURES, swarm.history[-1])
            yield Progress(step, rounds, figures)

    def save(self, path: Path) -> None:
        """Keep the leader's network, and the whole swarm."""
        swarm = self.swarm
        arrays = {
            "place": swarm.place,
            "velocity": swarm.velocity,
            "best": swarm.best,
            "ages": swarm.ages,
            "history": swarm.history,
        }
        if len(swarm.history):  # before, nobody has played and no number says how well
            arrays["fitness"] = swarm.fitness
        save_network(path, swarm.shape, swarm.leader(), NAME, self.options, arrays)


TRAINER = SwarmTrainer
