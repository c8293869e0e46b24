"""Particle swarm: many networks that move through the space of weights, each drawn to two bests.

After some games against others each particle has a fitness: 1 for a win, -2 for a loss, 0 for a
draw. It remembers the weights with which it did best, and knows the best ones among its
neighbours. Its velocity and place then change by

    velocity = inertia * velocity + own_pull * r1 * (own best - place)
                                  + swarm_pull * r2 * (neighbours' best - place)
    place = place + velocity

where r1 and r2 are random numbers from 0 to 1 for each weight. Inertia 1 is the formula of the
neural-network checkers thesis; with it a swarm flies apart, so that the usual value is less.

A fitness hangs on luck and on who the others were. With `rejudge` the own best plays the same
games again, in every round, as the place that would replace it: same opponents, same openings,
same colours. What counts of a best one among its neighbours is its mean fitness over all its
rounds. Without it a fitness once reached stands, as in the thesis.

The thesis repeats this for a number of rounds, or until an error is small enough. Here the error is
the share of games that the leader does not win against random moves.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from clauseboard.checks import one_of
from clauseboard.game import Game
from clauseboard.learners import (
    StepReport,
    Trainer,
    changed_options,
    check_options,
    check_threads,
    option,
)
from clauseboard.learners.swarm.network import (
    MOST_HIDDEN,
    NetworkFile,
    NetworkShape,
    NetworkStack,
    Numbers,
    PlayedGames,
    forward,
    load_training,
    named_figures,
    play,
    save_network,
    searchable,
    wins_against_chance,
    worths_of,
)

WIN, LOSS = 1.0, -2.0
"""What a game adds to the fitness; a draw adds nothing."""

YARDSTICK = 40
"""Games against a player of random moves after each round: to see progress, nothing is learned."""

FIGURES = ("fitness", "mean fitness", "against chance", "first won", "second won", "drawn")
"""What is known of a round: fitness of the leader and of all, the leader's share of wins against
chance, and how the games of the round ended."""

DOUBT = 4
"""Rounds after which a fitness is believed by half; who did well once was often just lucky."""

Made = TypeVar("Made")

TOPOLOGIES = ("global", "ring", "von_neumann")


@dataclass(frozen=True)
class SwarmOptions:
    """What can be set of a swarm."""

    rounds: int = option(40, "rounds: every particle plays its games, then moves", 1)
    particles: int = option(20, "number of networks in the swarm", 2, 100_000)
    games: int = option(100, "games per particle and round, with alternating colours", 1, 100_000)
    hidden: int = option(10, "hidden units of each network", 1, MOST_HIDDEN)
    spread: float = option(0.7, "initial weights are drawn from -spread to spread", 0, 1e3)
    inertia: float = option(
        0.73, "share of its velocity that a particle keeps; the thesis has 1", 0, 2
    )
    own_pull: float = option(1.5, "pull towards the particle's own best weights (c1)", 0, 10)
    swarm_pull: float = option(1.5, "pull towards its neighbours' best weights (c2)", 0, 10)
    max_speed: float = option(0.3, "largest change of a weight per round; 0: no limit", 0, 1e6)
    topology: str = option("global", "neighbours of a particle: global, ring or von_neumann")
    rejudge: bool = option(
        True, "play the own best weights again every round; the thesis has False"
    )
    explore: float = option(0.5, "share of the opponents' moves that are random", 0, 1)
    captures: bool = option(True, "play captures out before evaluating a board")
    balanced: bool = option(True, "a board is worth to one side what it costs the other side")
    biases: bool = option(True, "hidden units and output have biases; the thesis has False")
    opening: int = option(4, "number of random moves at the start of a game", 0, 1000)
    longest: int = option(
        100, "number of moves, of both sides, after which a game is a draw", 1, 10_000
    )
    worth: Mapping[str, float] | None = option(
        None, "input values of the pieces, such as {'king':2}"
    )
    min_error: float | None = option(
        None,
        "stop when the best network wins all but this share of 40 games against random moves",
        0,
        1,
    )
    seed: int = option(1, "random seed; the result does not depend on n_jobs", 0)
    n_jobs: int = option(1, "number of threads that play games; -1: one per core")

    def __post_init__(self) -> None:
        check_options(self)
        one_of("topology", self.topology, TOPOLOGIES)
        check_threads(self.n_jobs)


def neighbours(topology: str, n: int) -> NDArray[np.int64]:
    """Whose best weights each particle knows, its own among them: particles × neighbours.

    `von_neumann` lays the particles in a rectangle whose edges meet, as near to a square as their
    number allows; neighbours are above, below, left and right.

    >>> neighbours("ring", 4).tolist()
    [[3, 0, 1], [0, 1, 2], [1, 2, 3], [2, 3, 0]]
    """
    each = np.arange(n)
    if topology == "global":
        return np.broadcast_to(each, (n, n)).copy()
    if topology == "ring":
        return np.stack([(each - 1) % n, each, (each + 1) % n], axis=1)
    columns = next(k for k in range(int(n**0.5), 0, -1) if n % k == 0)
    rows = n // columns
    row, column = np.divmod(each, columns)
    steps = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
    return np.stack(
        [(row + down) % rows * columns + (column + right) % columns for down, right in steps],
        axis=1,
    )


@dataclass
class Swarm:
    """A swarm between two rounds; each array has a row for each particle.

    `fitness` is the mean of the own best weights over `ages` rounds; `history` has a row of
    `FIGURES` for each round that was played.
    """

    shape: NetworkShape
    options: SwarmOptions
    place: Numbers
    velocity: Numbers
    best: Numbers
    fitness: Numbers
    ages: NDArray[np.int64]
    history: Numbers

    @classmethod
    def begin(cls, shape: NetworkShape, options: SwarmOptions) -> Swarm:
        """Particles at random places, at rest."""
        rng = np.random.default_rng([options.seed, 0])
        place = rng.uniform(-options.spread, options.spread, (options.particles, shape.size))
        if not options.biases:
            # What is 0 in every particle stays so: they are only drawn to each other.
            place[:, shape.bias_places()] = 0.0
        n = len(place)
        return cls(
            shape, options, place, np.zeros_like(place), place.copy(), np.full(n, -np.inf),
            np.zeros(n, np.int64), np.zeros((0, len(FIGURES))),
        )  # fmt: skip

    def leader(self) -> Numbers:
        """The best weights of all."""
        return self.best[int(np.argmax(self.standing()))]

    def standing(self) -> Numbers:
        """How good the own bests are held to be: their fitness, less what may be luck.

        One that has played few rounds is drawn towards the mean of all.
        """
        if not self.ages.all():
            return self.fitness
        usual = self.fitness.mean()
        return usual + (self.fitness - usual) * self.ages / (self.ages + DOUBT)

    def advance(self) -> None:
        """Play a round, learn whose weights are best, and move."""
        rng = np.random.default_rng([self.options.seed, 1 + len(self.history)])
        now, before, ends = self._judged(rng)
        self._remember(now, before)
        self._move(rng)
        chance = wins_against_chance(
            self.shape.stack(self.leader()), 0, YARDSTICK, len(self.history),
            captures=self.options.captures,
        )  # fmt: skip
        figures = [self.fitness[np.argmax(self.standing())], now.mean(), chance[0], *ends]
        self.history = np.concatenate([self.history, [figures]])

    def _judged(self, rng: np.random.Generator) -> tuple[Numbers, Numbers, Numbers]:
        """The fitness of every place and of every own best, and how the games ended.

        Opponents are drawn from the other particles: the places, and with `rejudge` the own bests.
        """
        options = self.options
        n, games = options.particles, options.games
        rejudged = options.rejudge and bool(self.ages.any())
        weights = np.concatenate([self.place, self.best]) if rejudged else self.place
        networks = self.shape.stack(weights)
        others = rng.integers(n - 1, size=(n, games))
        others += others >= np.arange(n)[:, None]  # anyone but oneself
        others += n * rng.integers(len(weights) // n, size=(n, games))
        counters = rng.integers(0, 2**64, (n, games), np.uint64)

        def judge(who: int) -> tuple[float, NDArray[np.int64]]:
            return self._fitness(networks, who, others[who % n], counters[who % n])

        judged = in_threads(judge, range(len(weights)), options.n_jobs)
        fitness = np.array([total for total, _ in judged])
        ends = np.sum([counts for _, counts in judged], axis=0).astype(np.float64)
        return fitness[:n], fitness[n:] if rejudged else self.fitness, ends

    def _fitness(
        self,
        networks: NetworkStack,
        who: int,
        others: NDArray[np.int64],
        counters: NDArray[np.uint64],
    ) -> tuple[float, NDArray[np.int64]]:
        """What one network gets in its games, and how many the first, the second, nobody won."""
        options = self.options
        own = np.arange(len(others)) % 2
        pairs = np.where(own[:, None] == (0, 1), who, others[:, None])
        played = play(
            networks, pairs, counters, longest=options.longest, opening=options.opening,
            explore=options.explore * np.eye(2)[1 - own], captures=options.captures,
        )  # fmt: skip
        ends = np.bincount(played.results, minlength=3)
        return float(played.scores(own, WIN, LOSS).sum()), ends

    def _remember(self, now: Numbers, before: Numbers) -> None:
        """Make places own bests where they did better; elsewhere take in what was played again."""
        better = now > before
        again = ~better if before is not self.fitness else np.zeros_like(better)
        self.best[better] = self.place[better]
        self.ages[better] = 0
        self.fitness[better] = 0.0
        for which, fitness in ((better, now), (again, before)):
            self.ages[which] += 1
            self.fitness[which] += (fitness[which] - self.fitness[which]) / self.ages[which]

    def _move(self, rng: np.random.Generator) -> None:
        options = self.options
        near = neighbours(options.topology, options.particles)
        leaders = near[np.arange(len(near)), np.argmax(self.standing()[near], axis=1)]
        own, swarm = rng.random((2, *self.place.shape))
        self.velocity = (
            options.inertia * self.velocity
            + options.own_pull * own * (self.best - self.place)
            + options.swarm_pull * swarm * (self.best[leaders] - self.place)
        )
        if options.max_speed > 0:
            np.clip(self.velocity, -options.max_speed, options.max_speed, out=self.velocity)
        self.place = self.place + self.velocity


def in_threads(function: Callable[[int], Made], work: Iterable[int], n_jobs: int) -> list[Made]:
    """What a function gives for each number, in order, by some threads; kernels hold no lock."""
    threads = effective_n_jobs(n_jobs)
    if threads == 1:
        return [function(n) for n in work]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(function, work))


class NetworkTrainer(Trainer):
    """Trains networks round by round; `state` is what is learned, between two rounds."""

    name: ClassVar[str]
    figures: ClassVar[tuple[str, ...]]
    changeable: ClassVar[tuple[str, ...]] = ("rounds", "n_jobs")
    step_name = "round"

    def __init__(self, state: Any) -> None:
        self.state = state
        self.game, self.options = state.shape.game, state.options

    @classmethod
    def load(cls, path: Path, data: Path | None = None, **changes: Any) -> Self:
        """What was saved, ready to go on."""
        saved = load_training(path, cls.name)
        try:
            options = cls.Options(**saved.options)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path} is damaged: {error}") from error
        history = saved.array("history", len(saved.arrays.get("history", ())), len(cls.figures))
        return cls(cls.restored(saved, changed_options(cls, options, changes), history))

    @classmethod
    @abstractmethod
    def restored(cls, saved: NetworkFile, options: Any, history: Numbers) -> Any:
        """The state that was saved."""

    def good_enough(self) -> bool:
        """Whether training ends before its last round."""
        return False

    def steps(self) -> Iterator[StepReport]:
        """Play and learn, round by round."""
        state, rounds = self.state, self.options.rounds
        for step in range(len(state.history) + 1, rounds + 1):
            if self.good_enough():
                return
            state.advance()
            yield StepReport(
                step, rounds, named_figures(self.game, self.figures, state.history[-1])
            )


class SwarmTrainer(NetworkTrainer):
    """A swarm, round by round; the network that is saved for players is the leader's."""

    Options = SwarmOptions
    name = "swarm"
    figures = FIGURES
    changeable = (*NetworkTrainer.changeable, "min_error")
    small: ClassVar = {"particles": 4, "games": 4, "hidden": 2}

    @classmethod
    def begin(cls, game: Game, options: SwarmOptions, data: Path | None = None) -> Self:
        """Particles at random places."""
        worth = worths_of(game, options.worth)
        shape = NetworkShape(searchable(game), options.hidden, worth, options.balanced)
        return cls(Swarm.begin(shape, options))

    @classmethod
    def restored(cls, saved: NetworkFile, options: SwarmOptions, history: Numbers) -> Swarm:
        """A swarm that was saved."""
        n, size = options.particles, saved.shape.size
        return Swarm(
            saved.shape,
            options,
            saved.array("place", n, size),
            saved.array("velocity", n, size),
            saved.array("best", n, size),
            saved.array("fitness", n) if len(history) else np.full(n, -np.inf),
            saved.array("ages", n, dtype=np.int64),
            history,
        )

    def good_enough(self) -> bool:
        """Whether the leader's error in the last round is as small as `min_error`."""
        least, history = self.options.min_error, self.state.history
        if least is None or not len(history):
            return False
        return bool(1 - history[-1, FIGURES.index("against chance")] <= least + 1e-9)

    def save(self, path: Path) -> None:
        """Save the leader's network, and the whole swarm."""
        swarm = self.state
        names = ("place", "velocity", "best", "ages", "history")
        arrays = {name: getattr(swarm, name) for name in names}
        if len(swarm.history):  # before the first round there is no fitness
            arrays["fitness"] = swarm.fitness
        save_network(path, swarm.shape, swarm.leader(), self.name, self.options, arrays)


# ------------------------------------------------------------------ gradient descent

# The other way to the weights of the same network. In each round the network plays against itself,
# a share of the moves drawn at random. For every board of these games the output is to be 1 if the
# side to move there won the game, 0 if it lost, and one half for a draw. The cross-entropy between
# the two is made smaller by Adam (Kingma and Ba 2015), in small batches.
#
# By default all moves are drawn at random. A player that goes for the boards that win most often in
# random games plays better than at random, for that is one step of policy improvement; boards of
# its own greedy games taught the network less about playing one move ahead.

DESCENT_FIGURES = ("loss", "against chance", "first won", "second won", "drawn", "boards")
"""What is known of a round: the mean cross-entropy on its boards before they were learned, the
share of wins against chance after it, how its games ended, and how many boards they had."""

SLICES = 8
"""Parts in which the games of a round are played, by whatever number of threads."""

FORGETS, FORGETS_SQUARES, TINY = 0.9, 0.999, 1e-8
"""What Adam keeps of the mean of gradients and of their squares, and a number against zero."""


@dataclass(frozen=True)
class DescentOptions:
    """What can be set of gradient descent."""

    rounds: int = option(40, "rounds: play games, then learn from them", 1)
    games: int = option(1000, "games per round", 1, 1_000_000)
    hidden: int = option(10, "hidden units of the network", 1, MOST_HIDDEN)
    rate: float = option(0.001, "learning rate", 0, 10)
    batch: int = option(256, "boards per step", 1, 1_000_000)
    passes: int = option(1, "passes over the boards of a round", 1, 1000)
    explore: float = option(1.0, "share of random moves; 1: all of them", 0, 1)
    opening: int = option(4, "number of random moves at the start of a game", 0, 1000)
    longest: int = option(
        100, "number of moves, of both sides, after which a game is a draw", 1, 10_000
    )
    worth: Mapping[str, float] | None = option(
        None, "input values of the pieces, such as {'king':2}"
    )
    seed: int = option(1, "random seed; the result does not depend on n_jobs", 0)
    n_jobs: int = option(1, "number of threads that play games; -1: one per core")

    def __post_init__(self) -> None:
        check_options(self)
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
        return cls(
            shape, options, weights, zeros[0], zeros[1], 0, np.zeros((0, len(DESCENT_FIGURES)))
        )

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
    figures = DESCENT_FIGURES
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
