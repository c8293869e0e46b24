"""Gradient descent on the results of games: the other way to the weights of the same network.

In each round the network plays against itself, a share of the moves drawn at random. For every
board of these games the output is to be 1 if the side to move there won the game, 0 if it lost,
and one half for a draw. The cross-entropy between the two is made smaller by Adam (Kingma and Ba
2015), in small batches.

By default all moves are drawn at random. A player that goes for the boards that win most often in
random games plays better than at random, for that is one step of policy improvement; boards of its
own greedy games taught the network less about playing one move ahead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import real_number, whole_number
from clauseboard.game import Game
from clauseboard.learners.swarm.games import PlayedGames, play, searchable, wins_against_chance
from clauseboard.learners.swarm.network import (
    MOST_HIDDEN,
    NetworkFile,
    NetworkShape,
    Numbers,
    forward,
    save_network,
    worths_of,
)
from clauseboard.learners.swarm.swarm import YARDSTICK, NetworkTrainer, in_threads
from clauseboard.learners.training import check_threads, option

FIGURES = ("loss", "against chance", "first won", "second won", "drawn", "boards")
"""What is known of a round: the mean cross-entropy on its boards before they were learned, the
share of wins against chance after it, how its games ended, and how many boards they had."""

SLICES = 8
"""Parts in which the games of a round are played, by whatever number of threads."""

FORGETS, FORGETS_SQUARES, TINY = 0.9, 0.999, 1e-8
"""What Adam keeps of the mean of gradients and of their squares, and a number against zero."""


@dataclass(frozen=True)
class DescentOptions:
    """What can be set of gradient descent."""

    rounds: int = option(40, "how often games are played and learned from")
    games: int = option(1000, "games a round")
    hidden: int = option(10, "hidden units of the network")
    rate: float = option(0.001, "how far a step goes")
    batch: int = option(256, "boards a step")
    passes: int = option(1, "how often a round's boards are gone through")
    explore: float = option(1.0, "share of moves that are drawn at random; 1 is all")
    opening: int = option(4, "moves at the start of a game that are drawn at random")
    longest: int = option(100, "moves of both sides after which a game is a draw")
    worth: Mapping[str, float] | None = option(
        None, "what pieces are worth as inputs, such as {'king':2}"
    )
    seed: int = option(1, "random seed: the same seed gives the same network, whatever n_jobs")
    n_jobs: int = option(1, "threads that play games; -1 is one a core")

    def __post_init__(self) -> None:
        for name, least, most in (
            ("rounds", 1, None), ("games", 1, 1_000_000), ("hidden", 1, MOST_HIDDEN),
            ("batch", 1, 1_000_000), ("passes", 1, 1000), ("opening", 0, 1000),
            ("longest", 1, 10_000), ("seed", 0, None),
        ):  # fmt: skip
            whole_number(name, getattr(self, name), least, most)
        real_number("rate", self.rate, 0, 10)
        real_number("explore", self.explore, 0, 1)
        check_threads(self.n_jobs)


def loss_and_gradient(
    shape: NetworkShape, weights: Numbers, inputs: Numbers, targets: Numbers
) -> tuple[float, Numbers]:
    """The mean cross-entropy of rows of inputs, and its slope along each weight."""
    units, outputs = forward(shape, weights, inputs)
    safe = np.clip(outputs, 1e-12, 1 - 1e-12)
    loss = -float(np.mean(targets * np.log(safe) + (1 - targets) * np.log(1 - safe)))
    gradient = np.empty_like(weights)
    to_hidden, biases, to_output, _ = shape.parts(gradient)
    error = (outputs - targets) / len(targets)
    back = np.outer(error, shape.parts(weights)[2]) * units * (1 - units)
    to_hidden[:] = inputs.T @ back
    biases[:] = back.sum(axis=0)
    to_output[:] = units.T @ error
    gradient[-1] = error.sum()
    return loss, gradient


@dataclass
class Descent:
    """A network between two rounds, with Adam's means of gradients and of their squares."""

    shape: NetworkShape
    options: DescentOptions
    weights: Numbers
    slope: Numbers
    square: Numbers
    taken: int
    history: Numbers

    @classmethod
    def begin(cls, shape: NetworkShape, options: DescentOptions) -> Descent:
        """A network with random weights."""
        weights = shape.random_weights(np.random.default_rng([options.seed, 0]))
        zeros = np.zeros((2, shape.size))
        return cls(shape, options, weights, zeros[0], zeros[1], 0, np.zeros((0, len(FIGURES))))

    def advance(self) -> None:
        """Play a round of games and learn from it."""
        rng = np.random.default_rng([self.options.seed, 1 + len(self.history)])
        played = self._play(rng)
        boards = np.concatenate([part.boards for part in played])
        targets = 0.5 + 0.5 * np.concatenate([part.gains for part in played])
        bits = np.unpackbits(boards, axis=1, bitorder="little", count=len(self.shape.game.bits()))
        inputs = bits @ self.shape.inputs_of_bits()
        loss, _ = loss_and_gradient(self.shape, self.weights, inputs, targets)
        for _ in range(self.options.passes):
            order = rng.permutation(len(inputs))
            for start in range(0, len(order), self.options.batch):
                batch = order[start : start + self.options.batch]
                self._learn(inputs[batch], targets[batch])
        network = self.shape.stack(self.weights)
        chance = wins_against_chance(network, 0, YARDSTICK, len(self.history))
        ends = np.sum([np.bincount(part.results, minlength=3) for part in played], axis=0)
        figures = [loss, chance[0], *ends, len(boards)]
        self.history = np.concatenate([self.history, [figures]])

    def _play(self, rng: np.random.Generator) -> list[PlayedGames]:
        options = self.options
        network = self.shape.stack(self.weights)
        counters = rng.integers(0, 2**64, options.games, np.uint64)
        parts: list[NDArray[np.uint64]] = np.array_split(counters, SLICES)

        def play_part(n: int) -> PlayedGames:
            return play(
                network, (0, 0), parts[n], longest=options.longest,
                opening=options.opening, explore=(options.explore, options.explore), record=True,
            )  # fmt: skip

        return in_threads(play_part, range(SLICES), options.n_jobs)

    def _learn(self, inputs: Numbers, targets: Numbers) -> None:
        """One step of Adam."""
        _, gradient = loss_and_gradient(self.shape, self.weights, inputs, targets)
        self.taken += 1
        self.slope = FORGETS * self.slope + (1 - FORGETS) * gradient
        self.square = FORGETS_SQUARES * self.square + (1 - FORGETS_SQUARES) * gradient**2
        slope = self.slope / (1 - FORGETS**self.taken)
        square = self.square / (1 - FORGETS_SQUARES**self.taken)
        self.weights = self.weights - self.options.rate * slope / (np.sqrt(square) + TINY)


class DescentTrainer(NetworkTrainer):
    """Gradient descent, round by round: `clauseboard train swarm-descent`."""

    Options = DescentOptions
    name = "swarm-descent"
    figures = FIGURES
    small: ClassVar = {"games": 20, "hidden": 3}

    @classmethod
    def begin(cls, game: Game, options: DescentOptions, data: Path | None = None) -> Self:
        """A network with random weights."""
        shape = NetworkShape(searchable(game), options.hidden, worths_of(game, options.worth))
        return cls(Descent.begin(shape, options))

    @classmethod
    def restored(cls, saved: NetworkFile, options: DescentOptions, history: Numbers) -> Descent:
        """A network that was saved, with the state of its descent."""
        size = saved.shape.size
        slope, square = saved.array("slope", size), saved.array("square", size)
        taken = int(saved.array("taken", 1, dtype=np.int64)[0])
        return Descent(saved.shape, options, saved.weights, slope, square, taken, history)

    def save(self, path: Path) -> None:
        """Save the network, and the state of its descent."""
        descent = self.state
        arrays = {
            "slope": descent.slope,
            "square": descent.square,
            "taken": np.array([descent.taken], np.int64),
            "history": descent.history,
        }
        save_network(path, descent.shape, descent.weights, self.name, self.options, arrays)
