"""One set of clauses for all moves, over what is seen around a move (`search.around`).

A *lesson* is a board with some of its moves: those that a search went to, each with its share, and
others drawn at random, each of which stands for many. A Tsetlin Machine finds clauses that tell the
ones from the others. What they weigh is found for all of them together: the weights under which the
shares of the moves (softmax over a board) are most likely.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Game
from clauseboard.learners.tsetlin.move_votes import CLASSES, likely_votes
from clauseboard.search.around import Surroundings, surroundings_of, unpacked
from clauseboard.selfplay.finding import Taste, clauses_of
from clauseboard.selfplay.self_play import Counts, OwnGame
from clauseboard.selfplay.weighing import (
    UNIT,
    Literals,
    fires,
    largest,
    single_literals,
    voting_machine,
)
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier

OTHERS = 15
"""Moves of a board, besides those that a search went to, that are learned from."""

DECIDED = 0.95
"""A board that its player thinks worth more than this, or less than the negative, is left out:
where every move wins or loses, the one that was made says nothing."""

RARE = 0.0005
"""The share of the moves in which two bits must be seen together to be worth a clause."""

SIEVED = 16384
"""Boards by which the clauses to be kept are chosen: enough for that, and what fires on them, a
byte for every move and every clause, fits into the memory of a small machine."""

BATCH = 256
"""Boards between two steps downhill."""


@dataclass(frozen=True, eq=False)
class MoveLessons:
    """Moves of many boards, a row each; the rows of a board come one after the other.

    `shares` says how good a move is: what a search visited it, squared, adding up to 1 for a board.
    `extra` is the logarithm of how many moves a row stands for. `first` is the first row of each
    board, with the number of rows at its end, and `games` the game that each board is of.
    """

    rows: NDArray[np.uint8]
    shares: NDArray[np.float64]
    extra: NDArray[np.float64]
    first: NDArray[np.int64]
    games: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.games)

    def of(self, boards: NDArray[np.int64]) -> MoveLessons:
        """Some of the boards, in this order."""
        rows, first = self.rows_of(boards)
        return MoveLessons(
            self.rows[rows], self.shares[rows], self.extra[rows], first, self.games[boards]
        )

    def rows_of(self, boards: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the rows of some boards are, one board after the other; and, among them, the first
        of each board, with their number at the end."""
        sizes = np.diff(self.first)[boards]
        first = np.concatenate([[0], np.cumsum(sizes)])
        return np.repeat(self.first[boards] - first[:-1], sizes) + np.arange(first[-1]), first


def move_lessons(
    game: Game,
    games: Iterable[OwnGame],
    others: int | None = OTHERS,
    seed: int = 0,
    seen: Surroundings | None = None,
) -> MoveLessons:
    """The boards of some games on which the player chose a move; `others` None takes all moves.

    What is around a move is `seen` as the game tells, unless told otherwise.
    """
    seen = seen or surroundings_of(game)
    draws = np.random.default_rng(seed)
    rows, shares, extra, sizes, of = [], [], [], [], []
    for number, played in enumerate(games):
        position = game.start()
        for n, text in enumerate(played.moves):
            move = position.read_move(text)
            turn = n - played.n_given
            if turn >= 0 and abs(played.values[turn]) <= DECIDED:
                share = _shares(position, move, played.counts[turn])
                kept, many = _learned_from(share, others, draws)
                rows.append(seen.rows(position)[kept])
                shares.append(share[kept])
                extra.append(np.log(many))
                sizes.append(len(kept))
                of.append(number)
            position = position.play(move)
    if not rows:
        raise ValueError("The games have no board to learn from; play longer or more of them.")
    return MoveLessons(
        np.concatenate(rows),
        np.concatenate(shares),
        np.concatenate(extra),
        np.concatenate([[0], np.cumsum(sizes)]),
        np.array(of, np.int64),
    )


def pattern_machine(lessons: MoveLessons, game: Game, taste: Taste) -> TsetlinMachineClassifier:
    """A machine that votes for moves by what is around them."""
    seen = surroundings_of(game)
    found = find_patterns(lessons, seen, taste)
    clauses, weights = weigh_patterns(
        lessons, found, seen, most=taste.moves_kept, epochs=taste.move_epochs, seed=taste.seed
    )
    clauses, weights = merged(clauses, weights, seen.implied)
    owners = (weights < 0).astype(np.intp)
    classes = np.array(CLASSES)
    return voting_machine(clauses, np.abs(weights), owners, classes, list(seen.names))


def find_patterns(lessons: MoveLessons, seen: Surroundings, taste: Taste) -> Literals:
    """Clauses of a machine that tells good moves from others, and all single bits; each once.

    With `only_there`, what is not there is left out of them, and every two bits that are seen
    together are a clause, too: a machine finds many clauses that say that a move is like most, in
    ever other words, and few pairs.
    """
    draws = np.random.default_rng(taste.seed)
    n_bits = len(seen.names)
    rows, labels = [], []
    for start, end in zip(lessons.first[:-1], lessons.first[1:], strict=True):
        share = lessons.shares[start:end]
        rest = np.flatnonzero(share == 0)
        if len(rest):
            good = draws.choice(end - start, p=share)
            rows += [start + good, *(start + draws.choice(rest, 2))]
            labels += [1, 0, 0]
    if not rows:
        raise ValueError("On no board is a move better than others; let the player search longer.")
    bits = unpacked(lessons.rows[rows], n_bits)
    ways = seen.ways[draws.integers(len(seen.ways), size=len(bits))]
    bits = np.take_along_axis(bits, ways, axis=1)
    machine = taste.finder(
        taste.move_clauses, taste.move_clauses / 4, taste.move_literals, taste.move_epochs
    )
    machine.fit(np.ascontiguousarray(bits), np.array(labels), progress=False)
    found = clauses_of(machine, n_bits)
    if taste.only_there:
        found[:, n_bits:] = False
        found = np.concatenate([found, pairs_seen(unpacked(lessons.rows, n_bits))])
        return np.unique(found[found.any(axis=1)], axis=0)
    # A single bit that is not there says nothing that the bit itself does not say.
    negated = single_literals(n_bits)[n_bits:]
    return found[~(found[:, None] == negated[None]).all(axis=2).any(axis=1)]


def pairs_seen(bits: NDArray[np.uint8]) -> Literals:
    """A clause for every two bits that are set together in a share of at least `RARE` of the rows.

    >>> pairs_seen(np.array([[1, 1, 0], [0, 1, 1], [1, 1, 0]], np.uint8)).astype(int).tolist()
    [[1, 1, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0]]
    """
    n_bits = bits.shape[1]
    together = np.zeros((n_bits, n_bits))
    for start in range(0, len(bits), 1 << 16):
        part = bits[start : start + (1 << 16)].astype(np.float32)
        together += part.T @ part
    first, second = np.nonzero(np.triu(together, 1) >= max(RARE * len(bits), 1.0))
    pairs = np.zeros((len(first), 2 * n_bits), np.bool_)
    pairs[np.arange(len(first)), first] = pairs[np.arange(len(first)), second] = True
    return pairs


def weigh_patterns(
    lessons: MoveLessons,
    clauses: Literals,
    seen: Surroundings,
    *,
    most: int = 600,
    epochs: int = 10,
    rate: float = 0.03,
    penalty: float = 1e-5,
    seed: int = 0,
) -> tuple[Literals, NDArray[np.int64]]:
    """The clauses that tell most about moves, at most `most`, and their weights in `UNIT`.

    Every board is seen in one of the ways in which it may lie, drawn at random. The weights are
    found by going downhill with steps of Adam's, `epochs` times through the boards.
    """
    draws = np.random.default_rng(seed)
    bits = unpacked(lessons.rows, len(seen.names))
    of = np.repeat(draws.integers(len(seen.ways), size=len(lessons)), np.diff(lessons.first))
    bits = np.take_along_axis(bits, seen.ways[of], axis=1)
    if len(clauses) > most:
        boards = np.arange(len(lessons))
        if len(boards) > SIEVED:
            boards = np.sort(draws.choice(boards, SIEVED, replace=False))
        fired = _fired(bits[lessons.rows_of(boards)[0]], clauses)
        weights = _descended(lessons.of(boards), fired, epochs, rate, penalty, draws)
        share = fired.mean(axis=0)
        counts = np.abs(weights) * np.sqrt(share * (1 - share))
        clauses = clauses[largest(counts, most)]
    weights = _descended(lessons, _fired(bits, clauses), epochs, rate, penalty, draws)
    votes = np.rint(weights * UNIT).astype(np.int64)
    return clauses[votes != 0], votes[votes != 0]


def merged(
    clauses: Literals, weights: NDArray[np.int64], implied: NDArray[np.bool_]
) -> tuple[Literals, NDArray[np.int64]]:
    """The same votes by fewer and shorter clauses.

    What another of its literals implies is left out of a clause; of those that are equal then there
    is one, with all their votes. Clauses that cannot fire are left out.

    >>> implied = np.array([[False, True], [False, False]])  # the first bit says the second
    >>> clauses = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 0, 1]], np.bool_)
    >>> clauses, votes = merged(clauses, np.array([5, 2, 7]), implied)
    >>> clauses.astype(int).tolist(), votes.tolist()
    ([[1, 0, 0, 0]], [7])
    """
    n_bits = len(implied)
    said = implied.astype(np.int64)
    there, missing = clauses[:, :n_bits], clauses[:, n_bits:]
    follows = there @ said > 0
    # A bit that is missing says that all that imply it are missing.
    needless = np.concatenate([follows, missing @ said.T > 0], axis=1)
    can_fire = ~((follows | there) & missing).any(axis=1)
    shorter, place = np.unique((clauses & ~needless)[can_fire], axis=0, return_inverse=True)
    votes = np.zeros(len(shorter), np.int64)
    np.add.at(votes, place.ravel(), weights[can_fire])
    return shorter[votes != 0], votes[votes != 0]


def told_right(machine: TsetlinMachineClassifier, lessons: MoveLessons) -> dict[str, float]:
    """How a machine does on lessons with all moves; see `how_right`."""
    return how_right(
        likely_votes(machine, unpacked(lessons.rows, len(machine.bit_names_))), lessons
    )


def how_right(votes: NDArray[Any], lessons: MoveLessons) -> dict[str, float]:
    """How votes, one number a row, do on lessons with all moves.

    That is how often the best move is the first by votes, and among the first five (of moves with
    as many votes, each is as likely to come first); and the mean logarithmic loss, in nats.
    """
    first, five, lost = 0.0, 0.0, 0.0
    for start, end in itertools.pairwise(lessons.first):
        share, sums = lessons.shares[start:end], votes[start:end] / UNIT
        best = sums[share.argmax()]
        above, alike = int((sums > best).sum()), int((sums == best).sum())
        first += (above == 0) / alike
        five += min(1.0, max(0.0, (5 - above) / alike))
        lost -= float(share @ (sums - np.logaddexp.reduce(sums)))
    n = max(len(lessons), 1)
    return {"first": first / n, "in five": five / n, "loss": lost / n}


# ---- inside


def _shares(position: Any, move: Any, counts: Counts) -> NDArray[np.float64]:
    """How good each move is, by where a search went; the one made is among the best."""
    moves = position.moves()
    share = np.zeros(len(moves))
    for place, visits in counts:
        share[place] = float(visits) ** 2
    share[moves.index(move)] = max(share.max(), 1.0)
    return share / share.sum()


def _learned_from(
    share: NDArray[np.float64], others: int | None, draws: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The moves of a board to learn from, and how many moves each stands for."""
    rest = np.flatnonzero(share == 0)
    if others is None or len(rest) <= others:
        return np.arange(len(share)), np.ones(len(share))
    good, chosen = np.flatnonzero(share), draws.choice(rest, others, replace=False)
    many = np.repeat([1.0, len(rest) / others], [len(good), len(chosen)])
    return np.concatenate([good, chosen]), many


def _fired(bits: NDArray[np.uint8], clauses: Literals) -> NDArray[np.uint8]:
    """Which clauses fire on which rows, a byte each: looked at many times, found once."""
    fired = np.empty((len(bits), len(clauses)), np.uint8)
    for start in range(0, len(bits), 8192):
        part = slice(start, start + 8192)
        fired[part] = fires(bits[part], clauses)
    return fired


def _descended(
    lessons: MoveLessons,
    fired: NDArray[np.uint8],
    epochs: int,
    rate: float,
    penalty: float,
    draws: np.random.Generator,
) -> NDArray[np.float64]:
    """Weights under which the shares of the moves are most likely."""
    n = fired.shape[1]
    weights, first, second = (np.zeros(n, np.float32) for _ in range(3))
    step = 0
    for turn in range(epochs):
        # The steps get smaller towards the end, so that the last boards do not count most.
        pace = rate * (1 - turn / epochs)
        order = draws.permutation(len(lessons))
        for at in range(0, len(order), BATCH):
            boards = np.sort(order[at : at + BATCH])
            rows, first_rows = lessons.rows_of(boards)
            starts = first_rows[:-1]
            shown = fired[rows].astype(np.float32)
            sums = shown @ weights + lessons.extra[rows]
            highest = np.maximum.reduceat(sums, starts)
            of = np.repeat(np.arange(len(boards)), np.diff(first_rows))
            chance = np.exp(sums - highest[of])
            chance /= np.add.reduceat(chance, starts)[of]
            off = (chance - lessons.shares[rows]).astype(np.float32)
            slope = off @ shown / len(boards) + penalty * weights
            step += 1
            first += 0.1 * (slope - first)
            second += 0.01 * (slope * slope - second)
            usual = np.sqrt(second / (1 - 0.99**step)) + 1e-8
            weights -= pace * first / (1 - 0.9**step) / usual
    return weights.astype(np.float64)
