"""Temporal differences: after every move the weights go a step towards what the next board says.

    U(s) <- U(s) + a (R(s) + U(s') - U(s)),    a = 50 / (49 + n)

R is the result when the game ends (1 if the first colour has won, -1 if the second, 0 for a draw),
and n the number of boards seen so far: over all games, the same board counted as often as it comes.

U of a board is that of the board at the end of the line which the search expects: what minimax
says of it. A board in the midst of an exchange would otherwise be taken for a lost one. Only the
weights can change, and they do so along the gradient of U:

    c <- c + a (R(s) + U(s') - U(s)) (1 - U(s)^2) F / lead
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clauseboard.evaluation import BitEvaluator
from clauseboard.game import Game, Outcome
from clauseboard.learners.temporal.evaluator import HeuristicEvaluator
from clauseboard.learners.temporal.heuristic import FeatureSet, Heuristic, Numbers
from clauseboard.search.base import Search, load_search

SLOWNESS = 49


def rate(n: int) -> float:
    """The learning coefficient a, when n boards have been seen.

    >>> [rate(n) for n in (1, 51, 951)]
    [1.0, 0.5, 0.05]
    """
    return (SLOWNESS + 1) / (SLOWNESS + n)


def stepped(weights: Numbers, features: Numbers, target: float, a: float, lead: float) -> Numbers:
    """The weights after one temporal difference; `target` is R(s) + U(s')."""
    predicted = np.tanh(weights @ features / lead)
    slope = (1 - predicted**2) / lead
    return weights + a * (target - predicted) * slope * features


def result_of(game: Game, outcome: Outcome | None) -> float:
    """What a game brought the first colour: 1, -1, or 0 for a draw and for no end."""
    if outcome is None or outcome.winner is None:
        return 0.0
    return 1.0 if outcome.winner == game.colours[0] else -1.0


@dataclass(frozen=True)
class Lesson:
    """A game that was played to learn from it.

    `boards` are all of it, the last one too; `course` has the weights after each change, the first
    row being those before.
    """

    boards: tuple[Any, ...]
    outcome: Outcome | None
    course: Numbers

    @property
    def weights(self) -> Numbers:
        """What was learned."""
        return self.course[-1]


@dataclass(frozen=True)
class Schooling:
    """How games are played to learn from: what the search and the openings are.

    `opening`: up to so many moves at the start are drawn at random. `explore`: the chance of a move
    at random later on, from which nothing is learned. `longest`: moves after which it is a draw.
    """

    features: FeatureSet
    depth: int
    lead: float
    opening: int
    explore: float
    longest: int

    def play(self, weights: Numbers, n: int, rng: random.Random) -> Lesson:
        """Play a game against oneself and learn after every move; n boards were seen before."""
        game = self.features.game
        position, boards = opened(game, rng.randrange(self.opening + 1), rng)
        search = quick_search(self.depth)
        course = [weights]
        before: Numbers | None = None
        while (outcome := position.outcome()) is None and len(boards) <= self.longest:
            heuristic = Heuristic(self.features, weights, self.lead)
            evaluator = HeuristicEvaluator(heuristic)
            choice = search.find(position, evaluator, seed=rng.getrandbits(63))
            features, predicted = self._expected(heuristic, position, choice.line)
            if before is not None:
                weights = stepped(weights, before, predicted, rate(n + len(boards)), self.lead)
                course.append(weights)
            before, move = features, choice.move
            if rng.random() < self.explore:
                before, move = None, rng.choice(position.moves())
            position = position.play(move)
            boards.append(position)
        if before is not None:
            result = result_of(game, outcome)
            weights = stepped(weights, before, result, rate(n + len(boards)), self.lead)
            course.append(weights)
        return Lesson(tuple(boards), outcome, np.stack(course))

    def _expected(
        self, heuristic: Heuristic, position: Any, line: Sequence[Any]
    ) -> tuple[Numbers | None, float]:
        """The features at the end of a line, and U; if the game is over there, only its result."""
        for move in line:
            position = position.play(move)
        outcome = position.outcome()
        if outcome is not None:
            return None, result_of(heuristic.features.game, outcome)
        return self.features.of([position])[0], float(heuristic.predictions([position])[0])


def quick_search(depth: int) -> Search:
    """Alpha-beta for weights that change with every move, so that a table would be in vain."""
    return load_search("alpha_beta", depth=depth, table_bits=0, endgames=False)


def opened(game: Game, moves: int, rng: random.Random) -> tuple[Any, list[Any]]:
    """A position after some random moves in which the game goes on, and all boards up to it."""
    while True:
        position = game.start()
        boards = [position]
        for _ in range(moves):
            if position.outcome() is None:
                position = position.play(rng.choice(position.moves()))
                boards.append(position)
        if position.outcome() is None:
            return position, boards


def share_of_points(
    first: BitEvaluator,
    second: BitEvaluator,
    games: int,
    depth: int,
    seed: int,
    opening: int = 4,
    longest: int = 200,
) -> float:
    """What one judge scores against another, from 0 to 1; a draw is half a point.

    Games come in pairs from the same random opening, once with either colour.
    """
    game = first.game
    rng = random.Random(seed)
    points = 0.0
    for number in range(games):
        if number % 2 == 0:
            start, _ = opened(game, opening, rng)
        position, moves = start, 0
        judges = (first, second) if number % 2 == 0 else (second, first)
        searches = [quick_search(depth) for _ in judges]
        while (outcome := position.outcome()) is None and moves < longest:
            side = game.colours.index(position.to_move)
            found = searches[side].find(position, judges[side], seed=rng.getrandbits(63))
            position, moves = position.play(found.move), moves + 1
        result = result_of(game, outcome)
        points += (1 + (result if number % 2 == 0 else -result)) / 2
    return points / games
