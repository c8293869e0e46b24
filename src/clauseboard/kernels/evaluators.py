"""The kernel that reads a compiled evaluator (`evaluation.Compiled`), whatever learner it is of."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from clauseboard.evaluation import Compiled
from clauseboard.kernels.bits import ONE, ZERO, lowest_one
from clauseboard.kernels.clause_table import TILE_WORDS, add_board_votes
from clauseboard.kernels.compiler import helper, kernel

COMPILED = (
    "Tuple((int64, int64, float64, float64, int64, uint64[:,:,::1], uint64[:,:,::1], int64[::1],"
    " int64[::1], uint64[:,:,::1], int64[::1], float64[:,::1], float64[:,::1]))"
)
"""The type of `Compiled.arguments()`, for the signatures of kernels."""

(
    KIND, VIEW, SCALE, OFFSET, N_OUTPUTS, TABLE, OUT, WEIGHTS, OWNERS, PLANES, N_PLANES, NUMBERS,
    TOP,
) = range(13)  # fmt: skip

CLAUSES, LINEAR, NETWORK = Compiled.CLAUSES, Compiled.LINEAR, Compiled.NETWORK
MOVE_FEATURES, CONCEPTS = Compiled.MOVE_FEATURES, Compiled.CONCEPTS
BOARD, MOVER = 0, 1
"""Views, by their numbers."""

COUNTS = 64
"""Counts of a concept that are told apart: 0 to 63, and leads from -32 to 31."""

CONCEPT_BITS = 8
CONCEPT_MASK = (1 << CONCEPT_BITS) - 1
"""A row of a table over concepts is about a concept (its last bits), in one of three ways."""


@helper
def add_up_clauses(evaluator, features, fired, votes) -> None:
    """Count the votes of a clause table on one board into `votes[0]`, one number an output."""
    for output in range(evaluator[N_OUTPUTS]):
        votes[0, output] = 0
    table = evaluator[TABLE]
    for tile in range(table.shape[0]):
        add_board_votes(
            features, 0, tile, table, evaluator[OUT], evaluator[WEIGHTS], evaluator[OWNERS],
            evaluator[PLANES], evaluator[N_PLANES], fired, votes,
        )  # fmt: skip


@helper
def add_up_bytes(numbers, features, unit: int) -> float:
    """The sum of the numbers of one unit over the bytes of a board."""
    total = 0.0
    for byte in range(features.shape[2]):
        total += numbers[256 * byte + np.int64(features[0, 0, byte]), unit]
    return total


@helper
def add_up_four(numbers, features, unit: int):
    """The sums of four units at once: they lie side by side, so that one load brings them all."""
    one, two, three, four = 0.0, 0.0, 0.0, 0.0
    for byte in range(features.shape[2]):
        row = 256 * byte + np.int64(features[0, 0, byte])
        one += numbers[row, unit]
        two += numbers[row, unit + 1]
        three += numbers[row, unit + 2]
        four += numbers[row, unit + 3]
    return one, two, three, four


@helper
def network_sum(numbers, top, features) -> float:
    """What the hidden units of a network bring to its output."""
    total = 0.0
    n_units = top.shape[1]
    unit = 0
    while unit + 4 <= n_units:
        one, two, three, four = add_up_four(numbers, features, unit)
        total += top[1, unit] * sigmoid(top[0, unit] + one)
        total += top[1, unit + 1] * sigmoid(top[0, unit + 1] + two)
        total += top[1, unit + 2] * sigmoid(top[0, unit + 2] + three)
        total += top[1, unit + 3] * sigmoid(top[0, unit + 3] + four)
        unit += 4
    while unit < n_units:
        total += top[1, unit] * sigmoid(top[0, unit] + add_up_bytes(numbers, features, unit))
        unit += 1
    return total


@helper
def sigmoid(x: float) -> float:
    """From 0 to 1, one half at 0; no overflow at either end."""
    # Without a branch: the sign of x is hard to guess.
    upper = 1.0 / (1.0 + math.exp(-abs(x)))
    return upper if x >= 0.0 else 1.0 - upper


@helper
def value_of(evaluator, side: int, features, fired, votes) -> float:
    """The value of a board for the side to move.

    `features[0, 0]` is the board in the evaluator's view; `fired` (1, 1, TILE_WORDS) and `votes`
    (1, outputs) are room.
    """
    kind = evaluator[KIND]
    value = 0.0
    if kind == CLAUSES:
        add_up_clauses(evaluator, features, fired, votes)
        value = (np.float64(votes[0, 0]) - evaluator[OFFSET]) / evaluator[SCALE]
    elif kind == LINEAR:
        total = add_up_bytes(evaluator[NUMBERS], features, 0)
        value = (total - evaluator[OFFSET]) / evaluator[SCALE]
    elif kind == NETWORK:
        total = network_sum(evaluator[NUMBERS], evaluator[TOP], features)
        value = 2.0 * sigmoid(total - evaluator[OFFSET]) - 1.0
    value = min(max(value, -1.0), 1.0)
    return -value if side == 1 and evaluator[VIEW] == BOARD else value


@helper
def within(count: int) -> int:
    """A count, or the nearest that a table has."""
    return min(max(count, 0), COUNTS - 1)


@helper
def concept_votes(evaluator, side: int, counts) -> float:
    """The votes for the side to move: those of its clauses, less those of the other side's.

    `counts` has the numbers of the first colour, then of the second. Each row of the table is about
    one of them, as `owners` says: what we have of a concept, what they have, or our lead. For each
    count it marks the clauses that this makes false, and `numbers` has what the clauses vote
    that ask for nothing else. For the other side's clauses "we" and "they" change places.
    """
    table, rows, alone, weights = (
        evaluator[TABLE], evaluator[OWNERS], evaluator[NUMBERS], evaluator[WEIGHTS],
    )  # fmt: skip
    n_concepts = counts.shape[0] // 2
    ours, theirs = side * n_concepts, (1 - side) * n_concepts
    total = 0.0
    for k in range(table.shape[2]):
        false_for_us = false_for_them = evaluator[OUT][0, 0, k]
        for n in range(rows.shape[0]):
            kind, concept = rows[n] >> CONCEPT_BITS, rows[n] & CONCEPT_MASK
            mine, other = counts[ours + concept], counts[theirs + concept]
            if kind == 1:
                mine, other = other, mine
            elif kind == 2:
                mine, other = mine - other + COUNTS // 2, other - mine + COUNTS // 2
            mine, other = within(mine), within(other)
            if k == 0:
                total += alone[n, mine] - alone[n, other]
            false_for_us |= table[n, mine, k]
            false_for_them |= table[n, other, k]
        # What both sides have cancels.
        left = ~false_for_us & false_for_them
        while left != ZERO:
            total += np.float64(weights[64 * k + lowest_one(left)])
            left &= left - ONE
        left = false_for_us & ~false_for_them
        while left != ZERO:
            total -= np.float64(weights[64 * k + lowest_one(left)])
            left &= left - ONE
    return total


@helper
def concept_value(evaluator, side: int, counts) -> float:
    """The value of a board for the side to move, from its counts."""
    value = concept_votes(evaluator, side, counts) / evaluator[SCALE]
    return min(max(value, -1.0), 1.0)


@kernel(f"void({COMPILED}, int64[:,::1], int64[::1], float64[::1])")
def judge_counts(evaluator, counts, sides, values) -> None:
    """Write the value of each row of counts for the side to move."""
    for row in range(counts.shape[0]):
        values[row] = concept_value(evaluator, sides[row], counts[row])


@kernel(f"void({COMPILED}, {COMPILED}, uint8[:,::1], int64[::1], float64[::1])")
def judge_boards(first, second, bits, sides, values) -> None:
    """Write the value of each row of packed bits, by the evaluator for its side to move."""
    features = np.empty((1, 1, bits.shape[1]), np.uint8)
    fired = np.empty((1, 1, TILE_WORDS), np.uint64)
    votes = np.zeros((1, max(first[N_OUTPUTS], second[N_OUTPUTS])), np.int64)
    for row in range(bits.shape[0]):
        features[0, 0, :] = bits[row]
        if sides[row] == 0:
            values[row] = value_of(first, 0, features, fired, votes)
        else:
            values[row] = value_of(second, 1, features, fired, votes)


def values_of(
    evaluators: tuple[Compiled, Compiled], bits: NDArray[np.uint8], sides: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The values of rows of packed bits by compiled evaluators, one for each side to move.

    >>> from clauseboard.evaluation import linear
    >>> judge = linear([0.5, -0.25])
    >>> values_of((judge, judge), np.array([[1], [1], [3]], np.uint8), np.array([0, 1, 0]))
    array([ 0.5 , -0.5 ,  0.25])
    """
    values = np.empty(len(bits))
    first, second = (evaluator.arguments() for evaluator in evaluators)
    rows = np.require(bits, np.uint8, ["C", "W"])
    judge_boards(first, second, rows, np.require(sides, np.int64, ["C", "W"]), values)
    return values
