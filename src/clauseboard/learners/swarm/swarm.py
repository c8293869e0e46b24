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

from clauseboard.checks import flag, real_number, whole_number
from clauseboard.game import Game
from clauseboard.learners.swarm.games import named_figures, play, searchable, wins_against_chance
from clauseboard.learners.swarm.network import (
    MOST_HIDDEN,
    NetworkFile,
    NetworkShape,
    NetworkStack,
    Numbers,
    load_training,
    save_network,
    worths_of,
)
from clauseboard.learners.training import (
    StepReport,
    Trainer,
    changed_options,
    check_threads,
    option,
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

    rounds: int = option(40, "how often every particle plays and moves")
    particles: int = option(20, "networks in the swarm")
    games: int = option(100, "games of each particle a round, colours swapped in turn")
    hidden: int = option(10, "hidden units of a network")
    spread: float = option(0.7, "how far from 0 the weights begin, either way")
    inertia: float = option(0.73, "how much of its velocity a particle keeps; 1 is the thesis")
    own_pull: float = option(1.5, "pull of a particle's own best weights (c1)")
    swarm_pull: float = option(1.5, "pull of its neighbours' best weights (c2)")
    max_speed: float = option(0.3, "the most that a weight may change a round; 0 is no limit")
    topology: str = option("global", "who a particle's neighbours are: global, ring, von_neumann")
    rejudge: bool = option(True, "own bests play again each round; False is the thesis")
    explore: float = option(0.5, "share of the others' moves that are drawn at random")
    captures: bool = option(True, "captures are played out before a board is judged")
    balanced: bool = option(True, "a board is worth to one side what it costs the other")
    opening: int = option(4, "moves at the start of a game that are drawn at random")
    longest: int = option(100, "moves of both sides after which a game is a draw")
    worth: Mapping[str, float] | None = option(
        None, "what pieces are worth as inputs, such as {'king':2}"
    )
    seed: int = option(1, "random seed: the same seed gives the same swarm, whatever n_jobs")
    n_jobs: int = option(1, "threads that play games; -1 is one a core")

    def __post_init__(self) -> None:
        for name, least, most in (
            ("rounds", 1, None), ("particles", 2, 100_000), ("games", 1, 100_000),
            ("hidden", 1, MOST_HIDDEN), ("opening", 0, 1000), ("longest", 1, 10_000),
            ("seed", 0, None),
        ):  # fmt: skip
            whole_number(name, getattr(self, name), least, most)
        for name, high in (
            ("spread", 1e3),
            ("inertia", 2),
            ("own_pull", 10),
            ("swarm_pull", 10),
            ("max_speed", 1e6),
            ("explore", 1),
        ):
            real_number(name, getattr(self, name), 0, high)
        if self.topology not in TOPOLOGIES:
            listed = ", ".join(map(repr, TOPOLOGIES))
            raise ValueError(f"topology={self.topology!r} is none of {listed}.")
        for name in ("rejudge", "captures", "balanced"):
            flag(name, getattr(self, name))
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
    changeable = ("rounds", "n_jobs")
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

    def steps(self) -> Iterator[StepReport]:
        """Play and learn, round by round."""
        state, rounds = self.state, self.options.rounds
        for step in range(len(state.history) + 1, rounds + 1):
            state.advance()
            yield StepReport(
                step, rounds, named_figures(self.game, self.figures, state.history[-1])
            )


class SwarmTrainer(NetworkTrainer):
    """A swarm, round by round; the network that is saved for players is the leader's."""

    Options = SwarmOptions
    name = "swarm"
    figures = FIGURES
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

    def save(self, path: Path) -> None:
        """Save the leader's network, and the whole swarm."""
        swarm = self.state
        names = ("place", "velocity", "best", "ages", "history")
        arrays = {name: getattr(swarm, name) for name in names}
        if len(swarm.history):  # before the first round there is no fitness
            arrays["fitness"] = swarm.fitness
        save_network(path, swarm.shape, swarm.leader(), self.name, self.options, arrays)
