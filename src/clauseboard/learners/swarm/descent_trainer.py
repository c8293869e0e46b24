"""Trains the same networks by gradient descent: `clauseboard train swarm-descent`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from clauseboard.game import Game
from clauseboard.learners.swarm.descent import FIGURES, Descent, DescentOptions
from clauseboard.learners.swarm.files import load_training, save_network
from clauseboard.learners.swarm.network import Shape, worths_of
from clauseboard.learners.swarm.play import searchable, told
from clauseboard.learners.training import Progress, Trainer, changed_options

NAME = "swarm-descent"


class DescentTrainer(Trainer):
    """Gradient descent, round by round."""

    Options = DescentOptions
    changeable = ("rounds", "n_jobs")
    small: ClassVar = {"games": 20, "hidden": 3}
    step_name = "round"

    def __init__(self, descent: Descent) -> None:
        self.descent = descent
        self.game, self.options = descent.shape.game, descent.options

    @classmethod
    def begin(cls, game: Game, options: DescentOptions, data: Path | None = None) -> Self:
        """A network with random weights."""
        shape = Shape(searchable(game), options.hidden, worths_of(game, options.worth))
        return cls(Descent.begin(shape, options))

    @classmethod
    def load(cls, path: Path, data: Path | None = None, **changes: Any) -> Self:
        """A network that was saved, with what its descent remembers."""
        kept = load_training(path, NAME)
        try:
            options = DescentOptions(**kept.options)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path} is damaged: {error}") from error
        size = kept.shape.size
        descent = Descent(
            kept.shape,
            changed_options(cls, options, changes),
            kept.weights,
            kept.array("slope", size),
            kept.array("square", size),
            int(kept.array("taken", 1, dtype=np.int64)[0]),
            kept.array("history", len(kept.arrays.get("history", ())), len(FIGURES)),
        )
        return cls(descent)

    def steps(self) -> Iterator[Progress]:
        """Play and learn, round by round."""
        descent, rounds = self.descent, self.options.rounds
        for step in range(len(descent.history) + 1, rounds + 1):
            descent.advance()
            figures = told(self.game, FIGURES, descent.history[-1])
            yield Progress(step, rounds, figures)

    def save(self, path: Path) -> None:
        """Keep the network, and what its descent remembers."""
        descent = self.descent
        arrays = {
            "slope": descent.slope,
            "square": descent.square,
            "taken": np.array([descent.taken], np.int64),
            "history": descent.history,
        }
        save_network(path, descent.shape, descent.weights, NAME, self.options, arrays)


TRAINER = DescentTrainer
