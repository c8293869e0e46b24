"""Weights of many clauses on a processor, quickly: most clauses are silent on most boards.

Which clauses fire where is kept as a sparse table, so that a step costs as much as there are votes.
The way downhill is L-BFGS's, on a scale on which every clause bends the loss about alike. The loss
of values has one lowest point, which is the one that Newton's method finds (`weighing`).
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.selfplay.weighing import UNIT, chances_of, fires, largest, single

Floats = NDArray[np.float64]

ROWS = 1 << 12
"""Boards that are looked at together."""

STEPS = 100
"""Steps downhill, at most."""

ENOUGH = 30_000
"""Boards by which it is told which clauses count; all of them tell what these weigh."""


def weigh(
    boards: NDArray[np.uint8],
    values: Floats,
    clauses: NDArray[np.bool_],
    *,
    most: int = 1000,
    penalty: float = 1.0,
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """The clauses that count most, at most `most`, and their weights; as `weighing.weigh`.

    Clauses of one literal come before all others.

    >>> boards = np.array([[0, 0], [1, 0], [0, 1], [1, 1]] * 50, np.uint8)
    >>> weigh(boards, np.array([-0.5, 0.5, -0.5, 0.5] * 50), np.eye(4, dtype=bool)[:1])[1].tolist()
    [104]
    """
    chances = chances_of(values)
    some, weights = _some(len(boards)), np.zeros(len(clauses))
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


def weigh_moves(
    boards: NDArray[np.uint8],
    good: NDArray[np.bool_],
    clauses: NDArray[np.bool_],
    codes: NDArray[np.int64],
    *,
    most: int = 6000,
    penalty: float = 1.0,
) -> tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]:
    """The clauses that tell most about moves, at most `most`; their weights, and their codes."""
    order = np.argsort(codes, kind="stable")
    clauses, codes = clauses[order], codes[order]
    weights = np.zeros(len(clauses))
    if len(clauses) > most:
        some = _some(len(boards))
        table = firing(boards[some], clauses)
        weights = move_weights(table, codes, good[some], penalty, weights)
        kept = largest(np.abs(weights) * _spread(table), most)
        clauses, codes, weights = clauses[kept], codes[kept], weights[kept]
    weights = move_weights(firing(boards, clauses), codes, good, penalty, weights)
    votes = np.rint(weights * UNIT).astype(np.int64)
    left = votes != 0
    return clauses[left], votes[left], codes[left]


def firing(boards: NDArray[np.uint8], clauses: NDArray[np.bool_]) -> Any:
    """Which clauses fire on which boards, as a sparse table of ones: boards by clauses.

    >>> boards = np.array([[0, 1], [1, 1]], np.uint8)
    >>> firing(boards, np.array([[1, 0, 0, 0], [0, 1, 1, 0]], np.bool_)).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    from scipy.sparse import csr_array

    places, counts = [], [np.zeros(1, np.int64)]
    for first in range(0, len(boards), ROWS):
        fired = fires(boards[first : first + ROWS], clauses) > 0
        places.append(np.nonzero(fired)[1].astype(np.int32))
        counts.append(fired.sum(axis=1))
    indices = np.concatenate([*places, np.zeros(0, np.int32)])
    starts = np.cumsum(np.concatenate(counts)).astype(np.int32)
    return csr_array((np.ones(len(indices)), indices, starts), (len(boards), len(clauses)))


def value_weights(table: Any, chances: Floats, penalty: float, begin: Floats) -> Floats:
    """Weights under which the sum of the clauses that fire is the best logarithm of the odds.

    `begin` are weights to begin with, which only matter for the time it takes.
    """
    fired = table.sum(axis=0)

    def slope(weights: Floats) -> tuple[float, Floats]:
        sums = table @ weights
        loss = float((np.logaddexp(0.0, sums) - chances * sums).sum())
        off = 1 / (1 + np.exp(-sums)) - chances
        return loss, table.T @ off

    return _lowest(slope, penalty, penalty + fired / 4, begin)


def move_weights(
    table: Any, codes: NDArray[np.int64], good: NDArray[np.bool_], penalty: float, begin: Floats
) -> Floats:
    """Weights under which the good moves together get the largest share after softmax.

    `codes` tells of which move each clause speaks, in ascending order; `good` has a row for each
    board and a column for each code, and at least one good move in a row.
    """
    n_codes = good.shape[1]
    ends = np.searchsorted(codes, np.arange(n_codes + 1))
    spans = [slice(*both) for both in itertools.pairwise(ends)]
    columns = table.tocsc()
    parts = [columns[:, span].tocsr() for span in spans]
    fired = table.sum(axis=0)

    def slope(weights: Floats) -> tuple[float, Floats]:
        sums = np.stack([part @ weights[span] for part, span in zip(parts, spans, strict=True)], 1)
        sums -= sums.max(axis=1, keepdims=True)
        all_, best = np.exp(sums), np.exp(sums) * good
        whole, wanted = all_.sum(axis=1), np.maximum(best.sum(axis=1), 1e-300)
        loss = float((np.log(whole) - np.log(wanted)).sum())
        off = all_ / whole[:, None] - best / wanted[:, None]
        found = [part.T @ off[:, code] for code, part in enumerate(parts)]
        return loss, np.concatenate(found)

    return _lowest(slope, penalty, penalty + fired / n_codes, begin)


def _some(n_boards: int) -> NDArray[np.intp]:
    """Every board, or enough of them, spread evenly."""
    return np.unique(np.linspace(0, n_boards - 1, min(n_boards, ENOUGH)).astype(np.intp))


def _spread(table: Any) -> Floats:
    """How much each clause's firing varies over the boards."""
    share = table.sum(axis=0) / max(table.shape[0], 1)
    spread: Floats = np.sqrt(share * (1 - share))
    return spread


def _lowest(slope: Any, penalty: float, bend: Floats, begin: Floats) -> Floats:
    """Where the loss and what weights cost are lowest; `bend` is how much each weight bends it."""
    from scipy.optimize import minimize

    scale = 1 / np.sqrt(bend)

    def scaled(at: Floats) -> tuple[float, Floats]:
        weights = at * scale
        loss, down = slope(weights)
        return loss + penalty / 2 * float(weights @ weights), (down + penalty * weights) * scale

    options = {"maxiter": STEPS, "maxfun": 2 * STEPS, "maxcor": 20, "gtol": 1e-2, "ftol": 1e-9}
    found = minimize(scaled, begin / scale, jac=True, method="L-BFGS-B", options=options)
    weights: Floats = found.x * scale
    return weights
