"""Machines for playing: clauses that Tsetlin Machines find, weighed together.

A Tsetlin Machine learns which boards are won, or which move is good; its clauses, each once, and
every single bit are the candidates. `fit_weights` selects and weighs them. What is left is one
machine of clauses with integer weights.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from clauseboard.explanation import UNIT
from clauseboard.game import Game
from clauseboard.learners.tsetlin.move_votes import CLASSES, likely_votes
from clauseboard.search.compiled_rules import MoveFeatures, move_features_of, unpacked
from clauseboard.selfplay.fit_weights import (
    class_machine,
    weigh,
    weigh_moves,
    weigh_patterns,
    win_loss_machine,
)
from clauseboard.selfplay.settings import MachineSettings
from clauseboard.selfplay.training_set import NO_MOVE, MoveTrainingSet, TrainingSet
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier
from clauseboard.tsetlin.clause_finders import learned_clauses, unpacked_clauses
from clauseboard.tsetlin.joint_weights import Literals, single_literals, voting_machine


def clause_finder(
    settings: MachineSettings, n_clauses: int, threshold: float, max_literals: int, epochs: int
) -> TsetlinMachineClassifier:
    """A machine that is trained for its clauses."""
    return TsetlinMachineClassifier(
        n_clauses=n_clauses,
        threshold=max(1.0, threshold),
        specificity=settings.specificity,
        max_literals=max_literals,
        block_size=64,
        epochs=epochs,
        random_state=settings.seed,
        device=settings.device,
        n_jobs=settings.n_jobs,
    )


def clauses_of(machine: TsetlinMachineClassifier, n_bits: int) -> Literals:
    """The clauses of all classes that can fire, and those of single literals; each once."""
    return np.unique(np.concatenate([single_literals(n_bits), learned_clauses(machine)]), axis=0)


# ---- values of boards


def find_clauses(data: TrainingSet, settings: MachineSettings) -> Literals:
    """Clauses that a Tsetlin Machine learns from wins and losses; each once, with single bits.

    A value is a chance: a board is shown as won with that chance, and otherwise as lost.
    """
    draws = np.random.default_rng(settings.seed)
    won = draws.random(len(data)) < (1 + data.values) / 2
    n_clauses = settings.n_clauses
    machine = clause_finder(
        settings, n_clauses, n_clauses / 4, settings.max_literals, settings.epochs
    )
    machine.fit(data.boards, won.astype(np.int64), progress=False)
    return clauses_of(machine, data.boards.shape[1])


def value_machine(
    data: TrainingSet, names: list[str], settings: MachineSettings
) -> TsetlinMachineClassifier:
    """A machine that evaluates boards."""
    clauses = find_clauses(data, settings)
    if settings.second_literals:
        second = replace(
            settings,
            max_literals=settings.second_literals,
            specificity=settings.second_specificity,
            seed=settings.seed + 1,
        )
        clauses = np.unique(np.concatenate([clauses, find_clauses(data, second)]), axis=0)
    clauses, weights = weigh(
        data.boards, data.values, clauses, most=settings.kept, penalty=settings.penalty
    )
    return win_loss_machine(clauses, weights, names, settings.worth_one)


# ---- moves


def move_machine(
    data: TrainingSet, names: list[str], settings: MachineSettings
) -> TsetlinMachineClassifier | None:
    """A machine that votes for moves; None if the settings want none, or no move is known."""
    known = data.moves != NO_MOVE
    if not settings.move_clauses or not known.any():
        return None
    n_clauses = settings.move_clauses
    machine = clause_finder(
        settings, n_clauses, 2.0 * n_clauses, settings.move_literals, settings.move_epochs
    )
    data = data.where(known)
    machine.fit(data.boards, data.moves, progress=False)
    clauses, codes = _move_clauses(machine, data.boards.shape[1])
    clauses, weights, codes = weigh_moves(
        data.boards,
        data.good,
        clauses,
        codes,
        most=settings.moves_kept,
        penalty=settings.penalty,
    )
    return class_machine(clauses, weights, codes, names)


def _move_clauses(
    machine: TsetlinMachineClassifier, n_bits: int
) -> tuple[Literals, NDArray[np.int64]]:
    """The clauses of each class, and every bit for every class; each once, with its class."""
    banks = machine.banks_
    clauses, codes = [], []
    for bank, code in enumerate(machine.classes_):
        both = [single_literals(n_bits)[:n_bits], unpacked_clauses(banks.include[bank], banks.view)]
        own = np.unique(np.concatenate(both), axis=0)
        clauses.append(own)
        codes.append(np.full(len(own), code, np.int64))
    return np.concatenate(clauses), np.concatenate(codes)


# ---- moves by what is around them: one set of clauses for all moves
#
# A machine tells the moves that a search preferred from others. The weights of its clauses are
# those under which the shares of the moves (softmax over a board) are likeliest.

RARE = 0.0005
"""The share of the moves in which two bits must be seen together to be worth a clause."""


def pattern_machine(
    moves: MoveTrainingSet, game: Game, settings: MachineSettings
) -> TsetlinMachineClassifier:
    """A machine that votes for moves by what is around them."""
    seen = move_features_of(game)
    clauses = find_patterns(moves, seen, settings)
    clauses, weights = weigh_patterns(
        moves,
        clauses,
        seen,
        most=settings.moves_kept,
        epochs=settings.move_epochs,
        seed=settings.seed,
    )
    clauses, weights = merged(clauses, weights, seen.implied)
    owners = (weights < 0).astype(np.intp)
    classes = np.array(CLASSES)
    return voting_machine(clauses, np.abs(weights), owners, classes, list(seen.names))


def find_patterns(
    moves: MoveTrainingSet, seen: MoveFeatures, settings: MachineSettings
) -> Literals:
    """Clauses of a machine that tells good moves from others, and all single bits; each once.

    With `only_there` the clauses lose their negated literals, and every pair of bits that are seen
    together is a clause, too: the machine alone finds few pairs, and many clauses that say in other
    words that a move is like most.
    """
    draws = np.random.default_rng(settings.seed)
    n_bits = len(seen.names)
    rows, labels = [], []
    for start, end in itertools.pairwise(moves.first):
        share = moves.shares[start:end]
        rest = np.flatnonzero(share == 0)
        if len(rest):
            good = draws.choice(end - start, p=share)
            rows += [start + good, *(start + draws.choice(rest, 2))]
            labels += [1, 0, 0]
    if not rows:
        raise ValueError(
            "No board has a move that is better than the others; let the player search longer."
        )
    bits = unpacked(moves.rows[rows], n_bits)
    ways = seen.ways[draws.integers(len(seen.ways), size=len(bits))]
    bits = np.take_along_axis(bits, ways, axis=1)
    n_clauses = settings.move_clauses
    machine = clause_finder(
        settings, n_clauses, n_clauses / 4, settings.move_literals, settings.move_epochs
    )
    machine.fit(np.ascontiguousarray(bits), np.array(labels), progress=False)
    clauses = clauses_of(machine, n_bits)
    if settings.only_there:
        clauses[:, n_bits:] = False
        clauses = np.concatenate([clauses, pairs_seen(unpacked(moves.rows, n_bits))])
        return np.unique(clauses[clauses.any(axis=1)], axis=0)
    # A negated single bit says nothing that the bit itself does not say.
    negated = single_literals(n_bits)[n_bits:]
    return clauses[~(clauses[:, None] == negated[None]).all(axis=2).any(axis=1)]


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


def merged(
    clauses: Literals, weights: NDArray[np.int64], implied: NDArray[np.bool_]
) -> tuple[Literals, NDArray[np.int64]]:
    """The same votes by fewer and shorter clauses.

    A clause loses literals that others of its literals imply; equal clauses become one with all
    their votes; clauses that cannot fire are dropped.

    >>> implied = np.array([[False, True], [False, False]])  # the first bit implies the second
    >>> clauses = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 0, 1]], np.bool_)
    >>> clauses, votes = merged(clauses, np.array([5, 2, 7]), implied)
    >>> clauses.astype(int).tolist(), votes.tolist()
    ([[1, 0, 0, 0]], [7])
    """
    n_bits = len(implied)
    said = implied.astype(np.int64)
    there, missing = clauses[:, :n_bits], clauses[:, n_bits:]
    follows = there @ said > 0
    # If a bit is missing, so are all that imply it.
    needless = np.concatenate([follows, missing @ said.T > 0], axis=1)
    can_fire = ~((follows | there) & missing).any(axis=1)
    shorter, place = np.unique((clauses & ~needless)[can_fire], axis=0, return_inverse=True)
    votes = np.zeros(len(shorter), np.int64)
    np.add.at(votes, place.ravel(), weights[can_fire])
    return shorter[votes != 0], votes[votes != 0]


def move_accuracy(machine: TsetlinMachineClassifier, moves: MoveTrainingSet) -> dict[str, float]:
    """How well a machine predicts moves, on a set with all moves; see `vote_accuracy`."""
    bits = unpacked(moves.rows, len(machine.bit_names_))
    return vote_accuracy(likely_votes(machine, bits), moves)


def vote_accuracy(votes: NDArray[np.int64], moves: MoveTrainingSet) -> dict[str, float]:
    """How well votes, one number a row, predict moves, on a set with all moves.

    "first" is how often the best move has most votes, "in five" how often it is among the first
    five (moves with as many votes share the places), "loss" the mean logarithmic loss, in nats.
    """
    first, five, lost = 0.0, 0.0, 0.0
    for start, end in itertools.pairwise(moves.first):
        share, sums = moves.shares[start:end], votes[start:end] / UNIT
        best = sums[share.argmax()]
        above, alike = int((sums > best).sum()), int((sums == best).sum())
        first += (above == 0) / alike
        five += min(1.0, max(0.0, (5 - above) / alike))
        lost -= float(share @ (sums - np.logaddexp.reduce(sums)))
    n = max(len(moves), 1)
    return {"first": first / n, "in five": five / n, "loss": lost / n}
