"""Weights for clauses, all fitted together, and which clauses are worth a weight.

A Tsetlin Machine weighs each clause by itself. The weights that clauses should have next to each
other minimise one convex loss, softmax with an L2 penalty. Clauses that are missed least are
dropped until few enough are left; the others take over what they can of a dropped one's work.
Weights are rounded to hundredths, so that the result is an ordinary machine: short, fast, exact in
its sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clauseboard.tsetlin.classifier import Calibration, TsetlinMachineClassifier
from clauseboard.tsetlin.packing import View
from clauseboard.tsetlin.training import Banks

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    SparseTable: TypeAlias = csr_array[np.float64]

Floats = NDArray[np.float64]
Fired = NDArray[np.float32]
"""Which clauses fire on which samples, as 0 and 1: samples by clauses."""

Literals = NDArray[np.bool_]
"""A clause a row, a literal a column: the bits of a sample, then the same bits negated."""

Labels = NDArray[np.generic]
"""The class of each sample; or the classes that there are."""

Objective = Callable[[Floats], tuple[float, Floats]]
"""The loss for some weights, and its gradient."""

Bounds = Sequence[tuple[float | None, float | None]]
"""The least and the most that each weight may be."""

UNIT = 100
"""Votes that are a factor of e in the odds."""

ROWS = 1 << 12
"""Samples that are evaluated at a time."""

ITERATIONS = 100
"""L-BFGS iterations, at most."""

MEMORY = 20
"""Gradients that L-BFGS remembers."""

CACHED_NUMBERS = 1 << 18
"""Numbers of a dense table that fit in the cache: three times as fast as all at once."""

CLASS_ITERATIONS = 60
"""L-BFGS iterations for the weights of classes."""

ROUGH_ITERATIONS = 25
"""The same where it is only asked which clauses hardly count."""

DROPPED_BY_SIZE = 1200
"""While there are more clauses than this, those with the smallest weights are dropped."""

KEPT_BY_SIZE = 0.5
"""The share of the clauses that stays each time that clauses are dropped by size."""

KEPT_EACH_TIME = 0.4
"""The share that stays, at least, between two fits when clauses are dropped one by one."""

DROPPED_AT_A_TIME = 64
"""Clauses that are dropped before the table of curvatures is made smaller."""


# ---- clauses


def single_literals(n_bits: int) -> Literals:
    """A clause for every bit and for every negated bit."""
    return np.eye(2 * n_bits, dtype=np.bool_)


def single(clauses: Literals) -> NDArray[np.bool_]:
    """Which clauses have one literal."""
    return clauses.sum(axis=1) == 1


def fires(bits: NDArray[np.uint8], clauses: Literals) -> Fired:
    """Which clauses fire on which samples, as 0 and 1: samples by clauses."""
    n_bits = bits.shape[1]
    needed, forbidden = clauses[:, :n_bits], clauses[:, n_bits:]
    # Each literal that does not hold counts one; a clause fires if there is none.
    change = (forbidden.astype(np.float32) - needed.astype(np.float32)).T
    missing = bits.astype(np.float32) @ change + needed.sum(axis=1, dtype=np.float32)
    return (missing < 0.5).astype(np.float32)


def firing(bits: NDArray[np.uint8], clauses: Literals) -> SparseTable:
    """Which clauses fire on which samples, as a sparse table: most are silent on most samples.

    >>> bits = np.array([[0, 1], [1, 1]], np.uint8)
    >>> firing(bits, np.array([[1, 0, 0, 0], [0, 1, 1, 0]], np.bool_)).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    from scipy.sparse import csr_array

    places, counts = [], [np.zeros(1, np.int64)]
    for part in slices(len(bits), ROWS):
        fired = fires(bits[part], clauses) > 0
        places.append(np.nonzero(fired)[1].astype(np.int32))
        counts.append(fired.sum(axis=1))
    indices = np.concatenate([*places, np.zeros(0, np.int32)])
    starts = np.cumsum(np.concatenate(counts)).astype(np.int32)
    return csr_array((np.ones(len(indices)), indices, starts), (len(bits), len(clauses)))


def distinct(fired: Fired, rare: int) -> NDArray[np.intp]:
    """The clauses that are not rare, and of those that fire alike the first."""
    counts = fired.sum(axis=0)
    common = np.flatnonzero((counts >= rare) & (counts <= len(fired) - rare))
    columns = np.packbits(fired[:, common] > 0, axis=0).T
    first: dict[bytes, int] = {}
    for place, column in zip(common, columns, strict=True):
        first.setdefault(column.tobytes(), int(place))
    return np.array(list(first.values()), np.intp)


def shortened(bits: NDArray[np.uint8], clauses: Literals, spare: float = 0.0) -> Literals:
    """Clauses without the literals that hardly matter; each once.

    Machines find "9 men or more, 8 men or more", where one follows from the other, and ask for what
    is nearly always so. A clause loses literals, those first that matter least, as long as it fires
    on no more than a share `spare` of the samples on which it did not fire before.

    >>> bits = np.array([[0, 0, 1], [1, 0, 1], [1, 1, 1]], np.uint8)
    >>> both = np.array([[True, True, True, False, False, False]])
    >>> np.flatnonzero(shortened(bits, both)).tolist()
    [1]
    """
    true = np.ascontiguousarray(np.concatenate([bits, 1 - bits], axis=1).T.astype(np.bool_))
    shorter = np.zeros_like(clauses)
    for clause, short in zip(clauses, shorter, strict=True):
        needed = np.flatnonzero(clause)
        allowed = true[needed].all(axis=0).sum() + spare * len(bits)
        while len(needed) > 1:
            fired = [true[needed[needed != literal]].all(axis=0).sum() for literal in needed]
            # Of those that matter equally the last goes: rather a negated literal than a plain one.
            least = len(fired) - 1 - int(np.argmin(fired[::-1]))
            if fired[least] > allowed:
                break
            needed = np.delete(needed, least)
        short[needed] = True
    return np.unique(shorter, axis=0)


# ---- weights of classes


def class_weights(
    fired: Fired,
    labels: NDArray[np.intp],
    n_classes: int,
    penalty: float,
    start: Floats | None = None,
    sample_weight: Floats | None = None,
    iterations: int = CLASS_ITERATIONS,
) -> Floats:
    """Softmax weights of clauses for classes, clauses × classes; the last row is the intercept.

    The intercept has no penalty. The minimum is unique but for what all classes have in common, so
    `start` matters only for the time it takes.
    """
    shape = (fired.shape[1] + 1, n_classes)
    wanted = np.eye(n_classes, dtype=np.float32)[labels]
    counts = np.ones(len(fired)) if sample_weight is None else sample_weight
    each = counts.astype(np.float32)[:, None]
    parts = list(slices(len(fired), max(1, CACHED_NUMBERS // shape[0])))

    def objective(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        by_clause, always = weights[:-1].astype(np.float32), weights[-1].astype(np.float32)
        loss = penalty / 2 * float(np.square(weights[:-1]).sum())
        slope = penalty * weights
        slope[-1] = 0
        for part in parts:
            sums = fired[part] @ by_clause + always
            sums -= sums.max(axis=1, keepdims=True)
            shares = np.exp(sums)
            total = shares.sum(axis=1, keepdims=True)
            loss += float(
                (each[part] * np.log(total)).sum() - (each[part] * sums * wanted[part]).sum()
            )
            error = each[part] * (shares / total - wanted[part])
            slope[:-1] += (error.T @ fired[part]).T
            slope[-1] += error.sum(axis=0)
        return loss, slope.ravel()

    begin = np.zeros(shape) if start is None else start
    return minimum(objective, begin.ravel(), maxiter=iterations).reshape(shape)


def most_useful(
    fired: Fired,
    labels: NDArray[np.intp],
    n_classes: int,
    penalty: float,
    most: int,
    sample_weight: Floats | None = None,
) -> NDArray[np.intp]:
    """The clauses that are missed most, at most so many.

    Many clauses are first dropped by the size of what they say. Then they go one by one, always the
    one without which the loss grows least when all others adapt their weights to it: that is known
    from the loss's curvature (Hassibi and Stork, "Optimal Brain Surgeon", 1993), taken to be the
    same for all classes. Weights are fitted again in between.
    """
    kept = np.arange(fired.shape[1])
    weights: Floats | None = None
    while len(kept) > most:
        by_size = len(kept) > DROPPED_BY_SIZE
        weights = class_weights(
            fired,
            labels,
            n_classes,
            penalty,
            weights,
            sample_weight,
            ROUGH_ITERATIONS if by_size else CLASS_ITERATIONS,
        )
        if by_size:
            wanted = max(most, DROPPED_BY_SIZE, int(KEPT_BY_SIZE * len(kept)))
            left = largest(np.ptp(weights[:-1], axis=1) * fired.std(axis=0), wanted)
            weights = weights[[*left, -1]]
        else:
            wanted = max(most, int(KEPT_EACH_TIME * len(kept)))
            left, weights = _dropped_one_by_one(fired, weights, penalty, wanted, sample_weight)
        kept = kept[left]
        fired = np.ascontiguousarray(fired[:, left])
    return kept


def _dropped_one_by_one(
    fired: Fired, weights: Floats, penalty: float, most: int, sample_weight: Floats | None
) -> tuple[NDArray[np.intp], Floats]:
    """The clauses that are left when all but `most` have been dropped, and weights adapted to that.

    On a quadratic loss with the inverse curvature `inverse`, a clause of weights w is dropped at
    the cost of w² / inverse_ii, and the other weights that are then best follow from its column.
    """
    from scipy.linalg.blas import dger

    n_clauses, n_classes = len(weights) - 1, weights.shape[1]
    weights = weights - weights.mean(axis=1, keepdims=True)
    sums = fired @ weights[:-1].astype(np.float32) + weights[-1].astype(np.float32)
    shares = np.exp(sums - sums.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    bend = (shares * (1 - shares)).sum(axis=1, dtype=np.float64) / max(1, n_classes - 1)
    if sample_weight is not None:
        bend *= sample_weight
    table = np.concatenate([fired, np.ones((len(fired), 1), np.float32)], axis=1)
    curvature = (table.T @ (table * bend.astype(np.float32)[:, None])).astype(np.float64)
    # The intercept has no penalty; a little keeps the curvature of constant samples invertible.
    curvature[np.diag_indices(len(curvature))] += [*[penalty] * n_clauses, 1e-3]
    inverse = np.asfortranarray(np.linalg.inv(curvature))
    places = np.arange(n_clauses + 1)
    while len(places) - 1 > most:
        # Now and then what was dropped is left out of the table, which is the faster for it.
        gone = np.zeros(len(places), np.bool_)
        for _ in range(min(DROPPED_AT_A_TIME, len(places) - 1 - most)):
            costs = np.square(weights).sum(axis=1) / np.diag(inverse)
            costs[gone], costs[-1] = np.inf, np.inf
            drop = int(costs.argmin())
            gone[drop] = True
            column = inverse[:, drop] / inverse[drop, drop]
            weights = weights - np.outer(column, weights[drop])
            # A product without a copy of the table: it is symmetric, so its layout does not matter.
            inverse = dger(-1.0, column, inverse[drop].copy(), a=inverse, overwrite_a=1)
            inverse[drop, drop] = 1.0
        left = np.flatnonzero(~gone)
        places, weights = places[left], weights[left]
        inverse = np.asfortranarray(inverse[np.ix_(left, left)])
    return places[:-1], weights


def whole_votes(clauses: Literals, weights: Floats) -> tuple[Literals, NDArray[np.int64]]:
    """Weights of classes in `UNIT`; the intercept, the last row, becomes clauses.

    Only differences between classes count, so the middle one of a clause's weights becomes 0.
    Clauses without votes are dropped.
    """
    clauses, weights = _intercept_as_clauses(clauses, weights)
    votes = np.rint(UNIT * (weights - np.median(weights, axis=1, keepdims=True))).astype(np.int64)
    speak = votes.any(axis=1)
    return clauses[speak], votes[speak]


def _intercept_as_clauses(clauses: Literals, weights: Floats) -> tuple[Literals, Floats]:
    """The intercept given to a literal and to its negation, one of which fires.

    A clause without literals would never fire. A literal that is a clause already is taken first.
    """
    n_bits = clauses.shape[1] // 2
    alone = np.flatnonzero(single(clauses))
    literal = int(np.argmax(clauses[alone[0]])) if len(alone) else 0
    either = single_literals(n_bits)[[literal, (literal + n_bits) % (2 * n_bits)]]
    always = weights[-1]
    own = [weights[:-1][(clauses == half).all(axis=1)].sum(axis=0) for half in either]
    others = ~(clauses[:, None] == either).all(axis=2).any(axis=1)
    return (
        np.concatenate([clauses[others], either]),
        np.concatenate([weights[:-1][others], [always + own[0], always + own[1]]]),
    )


# ---- machines of clauses and votes


def voting_machine(
    clauses: Literals,
    weights: NDArray[np.int64],
    owners: NDArray[np.intp],
    classes: Labels,
    bit_names: Sequence[str],
    sources: Sequence[str] | None = None,
) -> TsetlinMachineClassifier:
    """A machine of given clauses and weights; even places vote for a class, odd ones against it.

    `sources` says of each clause what found it.
    """
    groups = [
        [np.flatnonzero((owners == k) & (np.sign(weights) == sign)) for sign in (1, -1)]
        for k in range(len(classes))
    ]
    n_clauses = 2 * max(1, max(len(chosen) for pair in groups for chosen in pair))
    n_bits = len(bit_names)
    view = View.of(n_bits, None, None)
    # A place that is left over holds a clause without literals, which never fires.
    automata = np.zeros((len(classes), n_clauses, 1, view.n_words), np.uint64)
    votes = np.ones((len(classes), n_clauses), np.int32)
    found_by: list[list[str | None]] = [[None] * n_clauses for _ in classes]
    for bank, pair in enumerate(groups):
        for parity, chosen in enumerate(pair):
            places = slice(parity, 2 * len(chosen) + parity, 2)
            packed = np.zeros((len(chosen), 8 * view.n_words), np.uint8)
            bits = np.packbits(clauses[chosen], axis=1, bitorder="little")
            packed[:, : bits.shape[1]] = bits
            automata[bank, places, 0] = packed.view(np.uint64)
            votes[bank, places] = np.abs(weights[chosen])
            if sources is not None:
                found_by[bank][places] = [sources[n] for n in chosen.tolist()]
    # It is never trained; with these settings every version reads its file.
    machine = TsetlinMachineClassifier(
        n_clauses=n_clauses, specificity=9.0, block_size=64, random_state=0
    )
    machine.n_features_in_ = n_bits
    machine.bit_names_ = list(bit_names)
    machine.classes_ = classes
    machine._calibration = Calibration(temperature=float(UNIT))
    machine.history_ = []
    machine._sources = None if sources is None else found_by
    streams = np.zeros(len(classes), np.uint64)
    machine.banks_ = Banks(view, automata, votes, streams, np.random.default_rng(0))
    machine._forget_tables()
    return machine


def machine_of_votes(
    clauses: Literals, votes: NDArray[np.int64], classes: Labels, bit_names: Sequence[str]
) -> TsetlinMachineClassifier:
    """A machine in which each clause casts its votes (clauses × classes) for or against classes."""
    rows, owners = np.nonzero(votes)
    return voting_machine(clauses[rows], votes[rows, owners], owners, classes, bit_names)


# ---- inside


def largest(counts: Floats, n: int) -> NDArray[np.intp]:
    """Where the `n` largest are, in ascending order of places; of equals the first.

    >>> largest(np.array([3.0, 1.0, 7.0, 3.0]), 2).tolist()
    [0, 2]
    """
    return np.sort(np.argsort(-counts, kind="stable")[:n])


def slices(n: int, size: int) -> Iterator[slice]:
    """`n` things, so many at a time."""
    return (slice(first, first + size) for first in range(0, n, size))


def scaled_minimum(
    loss: Objective,
    penalty: float | Floats,
    curvature: Floats,
    start: Floats,
    bounds: Bounds | None = None,
) -> Floats:
    """The minimum of a loss plus the L2 penalty, on a scale on which all weights curve it alike.

    `bounds` may keep weights from one side of 0.
    """
    scale = 1 / np.sqrt(curvature)

    def scaled(at: Floats) -> tuple[float, Floats]:
        weights = at * scale
        value, slope = loss(weights)
        cost = float((penalty * weights) @ weights) / 2
        return value + cost, (slope + penalty * weights) * scale

    limits = {"maxiter": ITERATIONS, "maxfun": 2 * ITERATIONS, "gtol": 1e-2, "ftol": 1e-9}
    return minimum(scaled, start / scale, bounds, **limits) * scale


def minimum(
    loss: Objective, start: Floats, bounds: Bounds | None = None, **options: float
) -> Floats:
    """The minimum of a convex loss, by L-BFGS."""
    from scipy.optimize import minimize

    options = {"maxcor": MEMORY, **options}
    result: Floats = minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options
    ).x
    return result
