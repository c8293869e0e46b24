"""Weights for clauses, all fitted together.

A Tsetlin Machine finds clauses one by one. The weights they should have next to each other minimise
one convex loss: logistic for the values of boards, softmax for moves. It is minimised by L-BFGS
with an L2 penalty. Clauses that contribute little are dropped, the others are fitted again, and
weights are rounded to hundredths, so that the result is an ordinary machine: short, fast, and exact
in its sums. Local patterns of moves have many more rows and are fitted by Adam. (For classes see
`tsetlin.clause_classifier`.)

All of it runs on the CPU, in one thread and in a fixed order of sums: the device on which clauses
are found, and the number of jobs, make no difference to the weights.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clauseboard.explanation import UNIT
from clauseboard.search.compiled_rules import MoveFeatures, unpacked
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier
from clauseboard.tsetlin.joint_weights import (
    ROWS,
    Floats,
    Labels,
    Literals,
    fires,
    firing,
    largest,
    scaled_minimum,
    single,
    slices,
    voting_machine,
)

if TYPE_CHECKING:
    from clauseboard.selfplay.training_set import MoveTrainingSet
    from clauseboard.tsetlin.joint_weights import SparseTable

ENOUGH_BOARDS = 30_000
"""Boards on which clauses are selected; the weights of those that are kept come from all boards."""

ENOUGH_FOR_PATTERNS = 16384
"""Boards on which patterns are selected: what fires on them, a byte for every move and clause, fits
into the memory of a small machine."""

BATCH = 256
"""Boards between two steps of Adam."""


# ---- values of boards


def weigh(
    boards: NDArray[np.uint8],
    values: Floats,
    clauses: Literals,
    *,
    most: int = 1000,
    penalty: float = 1.0,
) -> tuple[Literals, NDArray[np.int64]]:
    """The clauses that count most, at most `most` of them, and their weights in `UNIT`.

    `values` from -1 to 1 are chances of a win, (1 + value) / 2. `penalty` is what a weight costs:
    as if each clause had been seen that often on boards that tell nothing. Clauses of one literal
    are kept before all others: without them nothing says what a piece is worth by itself.

    >>> boards = np.array([[0, 0], [1, 0], [0, 1], [1, 1]] * 50, np.uint8)
    >>> weigh(boards, np.array([-0.5, 0.5, -0.5, 0.5] * 50), np.eye(4, dtype=bool)[:1])[1].tolist()
    [104]
    """
    chances = (1 + np.clip(values, -1, 1)) / 2
    some, weights = some_boards(len(boards)), np.zeros(len(clauses))
    # A first cut, half of the way, keeps clauses that only count once others are gone.
    for keep in ((most + len(clauses)) // 2, most):
        if len(clauses) > keep:
            table = firing(boards[some], clauses)
            weights = value_weights(table, chances[some], penalty, weights)
            counts = np.where(single(clauses), np.inf, np.abs(weights) * _spread(table))
            kept = largest(counts, keep)
            clauses, weights = clauses[kept], weights[kept]
    weights = value_weights(firing(boards, clauses), chances, penalty, weights)
    votes = np.rint(weights * UNIT).astype(np.int64)
    return clauses[votes != 0], votes[votes != 0]


def value_weights(table: SparseTable, chances: Floats, penalty: float, start: Floats) -> Floats:
    """Weights under which the sum of the clauses that fire is the best logarithm of the odds.

    The minimum is unique, so `start` matters only for the time it takes.
    """

    def objective(weights: Floats) -> tuple[float, Floats]:
        sums = table @ weights
        loss = float((np.logaddexp(0.0, sums) - chances * sums).sum())
        error = 1 / (1 + np.exp(-sums)) - chances
        return loss, table.T @ error

    return scaled_minimum(objective, penalty, penalty + table.sum(axis=0) / 4, start)


# ---- moves, by what is on the whole board


def weigh_moves(
    boards: NDArray[np.uint8],
    good: NDArray[np.bool_],
    clauses: Literals,
    codes: NDArray[np.int64],
    *,
    most: int = 6000,
    penalty: float = 1.0,
) -> tuple[Literals, NDArray[np.int64], NDArray[np.int64]]:
    """The clauses that tell most about moves, at most `most`; their weights, and their codes."""
    order = np.argsort(codes, kind="stable")
    clauses, codes = clauses[order], codes[order]
    weights = np.zeros(len(clauses))
    if len(clauses) > most:
        some = some_boards(len(boards))
        table = firing(boards[some], clauses)
        weights = move_weights(table, codes, good[some], penalty, weights)
        kept = largest(np.abs(weights) * _spread(table), most)
        clauses, codes, weights = clauses[kept], codes[kept], weights[kept]
    weights = move_weights(firing(boards, clauses), codes, good, penalty, weights)
    votes = np.rint(weights * UNIT).astype(np.int64)
    left = votes != 0
    return clauses[left], votes[left], codes[left]


def move_weights(
    table: SparseTable,
    codes: NDArray[np.int64],
    good: NDArray[np.bool_],
    penalty: float,
    start: Floats,
) -> Floats:
    """Weights under which the good moves together get the largest share after softmax.

    `codes` has the move that each clause is about, in ascending order; `good` has a row for each
    board and a column for each code, with at least one good move in a row.
    """
    n_codes = good.shape[1]
    ends = np.searchsorted(codes, np.arange(n_codes + 1))
    spans = [slice(*both) for both in itertools.pairwise(ends)]
    columns = table.tocsc()
    parts = [columns[:, span].tocsr() for span in spans]

    def objective(weights: Floats) -> tuple[float, Floats]:
        sums = np.stack([part @ weights[span] for part, span in zip(parts, spans, strict=True)], 1)
        sums -= sums.max(axis=1, keepdims=True)
        all_, best = np.exp(sums), np.exp(sums) * good
        whole, wanted = all_.sum(axis=1), np.maximum(best.sum(axis=1), 1e-300)
        loss = float((np.log(whole) - np.log(wanted)).sum())
        error = all_ / whole[:, None] - best / wanted[:, None]
        slopes = [part.T @ error[:, code] for code, part in enumerate(parts)]
        return loss, np.concatenate(slopes)

    return scaled_minimum(objective, penalty, penalty + table.sum(axis=0) / n_codes, start)


# ---- moves, by what is around them


def weigh_patterns(
    moves: MoveTrainingSet,
    clauses: Literals,
    seen: MoveFeatures,
    *,
    most: int = 600,
    epochs: int = 10,
    rate: float = 0.03,
    penalty: float = 1e-5,
    seed: int = 0,
) -> tuple[Literals, NDArray[np.int64]]:
    """The clauses that tell most about moves, at most `most`, and their weights in `UNIT`.

    Every board is rotated or reflected in a way drawn at random. The weights are those under which
    the shares of the moves are likeliest, fitted by `epochs` passes of Adam.
    """
    draws = np.random.default_rng(seed)
    bits = unpacked(moves.rows, len(seen.names))
    ways = np.repeat(draws.integers(len(seen.ways), size=len(moves)), np.diff(moves.first))
    bits = np.take_along_axis(bits, seen.ways[ways], axis=1)
    if len(clauses) > most:
        boards = np.arange(len(moves))
        if len(boards) > ENOUGH_FOR_PATTERNS:
            boards = np.sort(draws.choice(boards, ENOUGH_FOR_PATTERNS, replace=False))
        fired = _fired(bits[moves.rows_of(boards)[0]], clauses)
        weights = share_weights(moves.of(boards), fired, epochs, rate, penalty, draws)
        share = fired.mean(axis=0)
        clauses = clauses[largest(np.abs(weights) * np.sqrt(share * (1 - share)), most)]
    weights = share_weights(moves, _fired(bits, clauses), epochs, rate, penalty, draws)
    votes = np.rint(weights * UNIT).astype(np.int64)
    return clauses[votes != 0], votes[votes != 0]


def share_weights(
    moves: MoveTrainingSet,
    fired: NDArray[np.uint8],
    epochs: int,
    rate: float,
    penalty: float,
    draws: np.random.Generator,
) -> Floats:
    """Weights under which the shares of the moves, after softmax over a board, are likeliest."""
    weights, mean, square = (np.zeros(fired.shape[1], np.float32) for _ in range(3))
    step = 0
    for epoch in range(epochs):
        # The steps get smaller towards the end, so that the last boards do not count most.
        pace = rate * (1 - epoch / epochs)
        order = draws.permutation(len(moves))
        for part in slices(len(order), BATCH):
            boards = np.sort(order[part])
            rows, first_rows = moves.rows_of(boards)
            starts = first_rows[:-1]
            shown = fired[rows].astype(np.float32)
            sums = shown @ weights + moves.extra[rows]
            highest = np.maximum.reduceat(sums, starts)
            board_of = np.repeat(np.arange(len(boards)), np.diff(first_rows))
            chance = np.exp(sums - highest[board_of])
            chance /= np.add.reduceat(chance, starts)[board_of]
            error = (chance - moves.shares[rows]).astype(np.float32)
            slope = error @ shown / len(boards) + penalty * weights
            step += 1
            mean += 0.1 * (slope - mean)
            square += 0.01 * (slope * slope - square)
            usual = np.sqrt(square / (1 - 0.99**step)) + 1e-8
            weights -= pace * mean / (1 - 0.9**step) / usual
    return weights.astype(np.float64)


def _fired(bits: NDArray[np.uint8], clauses: Literals) -> NDArray[np.uint8]:
    """Which clauses fire on which rows, a byte each: looked at many times, found once."""
    fired = np.empty((len(bits), len(clauses)), np.uint8)
    for part in slices(len(bits), 2 * ROWS):
        fired[part] = fires(bits[part], clauses)
    return fired


# ---- machines of clauses and weights


def win_loss_machine(
    clauses: Literals,
    weights: NDArray[np.int64],
    bit_names: list[str],
    worth_one: float,
    sources: Sequence[str] | None = None,
) -> TsetlinMachineClassifier:
    """A machine of clauses: those with a weight above 0 vote for a win, the others for a loss.

    `worth_one` is the lead, as a logarithm of the odds, that a value of 1 means; `sources` says
    what found each clause.
    """
    owners = (weights > 0).astype(np.intp)
    classes = np.array(["loss", "win"])
    machine = voting_machine(clauses, np.abs(weights), owners, classes, bit_names, sources)
    machine.threshold = max(1.0, worth_one * UNIT / 2)
    return machine


def class_machine(
    clauses: Literals, weights: NDArray[np.int64], labels: Labels, bit_names: list[str]
) -> TsetlinMachineClassifier:
    """A machine of clauses that vote for or against classes; `labels` has the class of each."""
    classes, owners = np.unique(labels, return_inverse=True)
    return voting_machine(clauses, weights, owners.astype(np.intp), classes, bit_names)


# ---- inside


def some_boards(n_boards: int) -> NDArray[np.intp]:
    """Every board, or enough of them, spread evenly."""
    return np.unique(np.linspace(0, n_boards - 1, min(n_boards, ENOUGH_BOARDS)).astype(np.intp))


def _spread(table: SparseTable) -> Floats:
    """How much each clause's firing varies over the boards."""
    share = table.sum(axis=0) / max(table.shape[0], 1)
    spread: Floats = np.sqrt(share * (1 - share))
    return spread
