"""Machines that tell how a game ends: win, loss or draw, or any other classes.

As for players (`finding`, `weighing`), Tsetlin Machines find clauses, and what these should weigh
beside each other is found by one regression over all of them, here with a sum for each class
(softmax). What is left is one machine of clauses with whole numbers for weights.

    >>> boards = np.random.default_rng(0).integers(2, size=(900, 4)).astype(np.uint8)
    >>> told = np.array(["loss", "draw", "win"])[boards[:, 0] + (boards[:, 1] & boards[:, 2])]
    >>> recipe = Recipe((Search(20, max_literals=3, specificity=3.0),), penalty=0.1)
    >>> machine = result_machine(boards, told, ["king", "free", "near", "noise"], recipe)
    >>> machine.score(boards, told)
    1.0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.selfplay.finding import clauses_of
from clauseboard.selfplay.weighing import (
    UNIT,
    Literals,
    fires,
    largest,
    move_machine_of,
    single,
    single_literals,
)
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier

FEW_BOARDS = 12_000
"""On so many boards it is found out which clauses count at all; on all, what they weigh."""

AT_ONCE = 3
"""At least one clause of so many stays each time that clauses are left out."""

TOGETHER = 1 << 18
"""Numbers that are looked at together, few enough to stay in the cache: three times as fast."""

MEMORY = 20
"""Steps whose slopes are remembered in going downhill."""


@dataclass(frozen=True)
class Search:
    """A Tsetlin Machine that looks for clauses: how many a class, how long, how fine."""

    n_clauses: int = 300
    max_literals: int | None = 8
    specificity: float = 5.0
    epochs: int = 8


@dataclass(frozen=True)
class Recipe:
    """How a machine is made: who looks for clauses, how many are kept, and what weights cost.

    `penalty` is as in `weighing.weigh`. Clauses that fire on fewer than `rare` boards, or are
    silent on as few, are left out. With `shorter` above 0 clauses lose what they can do without, if
    they then fire on no more than this share of boards beyond those on which they did.
    """

    searches: tuple[Search, ...] = (Search(), Search(max_literals=4, specificity=3.0))
    kept: int = 1000
    penalty: float = 30.0
    rare: int = 10
    steps: int = 60
    shorter: float = 0.0


def result_machine(
    boards: NDArray[np.uint8],
    results: NDArray[Any],
    names: Sequence[str],
    recipe: Recipe | None = None,
    seed: int = 1,
) -> TsetlinMachineClassifier:
    """One machine that tells the results of boards: clauses over named bits, weighed together."""
    recipe = recipe or Recipe()
    clauses = find_clauses(boards, results, recipe, seed)
    clauses, weights = weigh_results(boards, results, clauses, recipe, seed)
    return machine_of(clauses, weights, np.unique(results), names)


def find_clauses(
    boards: NDArray[np.uint8], results: NDArray[Any], recipe: Recipe, seed: int = 1
) -> Literals:
    """The clauses that the machines of a recipe find, and every single bit; each once."""
    n_bits = boards.shape[1]
    found = [single_literals(n_bits)]
    for n, search in enumerate(recipe.searches):
        machine = TsetlinMachineClassifier(
            n_clauses=search.n_clauses,
            specificity=search.specificity,
            max_literals=search.max_literals,
            epochs=search.epochs,
            random_state=seed + n,
        )
        found.append(clauses_of(machine.fit(boards, results, progress=False), n_bits))
    together = np.unique(np.concatenate(found), axis=0)
    # A bit that is not set says nothing that the same bit, set, does not say the other way round.
    negated = single(together) & together[:, n_bits:].any(axis=1)
    return together[~negated]


def weigh_results(
    boards: NDArray[np.uint8],
    results: NDArray[Any],
    clauses: Literals,
    recipe: Recipe,
    seed: int = 1,
) -> tuple[Literals, NDArray[np.int64]]:
    """The clauses that count most, at most `recipe.kept`, and a weight of each for each class.

    Of clauses that fire on the same boards only the shortest is looked at. The weights of a clause
    are in `UNIT`, with the middle one at 0, since only what lies between them counts.
    """
    classes, labels = np.unique(results, return_inverse=True)
    some = np.random.default_rng(seed).permutation(len(boards))[:FEW_BOARDS]
    clauses = clauses[np.argsort(clauses.sum(axis=1), kind="stable")]
    rows = fires(boards[some], clauses)
    left = _worth_looking(rows, recipe.rare)
    clauses, rows = clauses[left], np.ascontiguousarray(rows[:, left])
    start, penalty = None, recipe.penalty * len(some) / len(boards)
    while len(clauses) > recipe.kept:
        start = _descended(rows, labels[some], len(classes), penalty, recipe.steps, start)
        counts = np.ptp(start[:-1], axis=1) * rows.std(axis=0)
        # Not all at once: some clauses count only when others are gone.
        most = max(recipe.kept, len(clauses) // AT_ONCE)
        kept = largest(counts, most)
        clauses, start = clauses[kept], start[[*kept, -1]]
        rows = np.ascontiguousarray(rows[:, kept])
    if recipe.shorter:
        clauses, start = shortened(boards, clauses, recipe.shorter), None
    weights = _descended(
        fires(boards, clauses), labels, len(classes), recipe.penalty, recipe.steps, start
    )
    clauses, weights = _with_beginning(clauses, weights)
    votes = np.rint(UNIT * (weights - np.median(weights, axis=1, keepdims=True))).astype(np.int64)
    speak = votes.any(axis=1)
    return clauses[speak], votes[speak]


def shortened(boards: NDArray[np.uint8], clauses: Literals, spare: float = 0.0) -> Literals:
    """Clauses without the literals that hardly matter; each once.

    Machines find "9 men or more, 8 men or more", where the one follows from the other, and ask for
    what is nearly always so. A clause loses literals, those first that matter least, as long as it
    fires on no more than a share `spare` of the boards on which it did not before.

    >>> boards = np.array([[0, 0, 1], [1, 0, 1], [1, 1, 1]], np.uint8)
    >>> both = np.array([[True, True, True, False, False, False]])
    >>> np.flatnonzero(shortened(boards, both)).tolist()
    [1]
    """
    true = np.ascontiguousarray(np.concatenate([boards, 1 - boards], axis=1).T.astype(np.bool_))
    shorter = np.zeros_like(clauses)
    for clause, short in zip(clauses, shorter, strict=True):
        needed = np.flatnonzero(clause)
        allowed = true[needed].all(axis=0).sum() + spare * len(boards)
        while len(needed) > 1:
            fired = [true[needed[needed != one]].all(axis=0).sum() for one in needed]
            # Of those that matter equally the last goes: rather what must not be than what must.
            least = len(fired) - 1 - int(np.argmin(fired[::-1]))
            if fired[least] > allowed:
                break
            needed = np.delete(needed, least)
        short[needed] = True
    return np.unique(shorter, axis=0)


def machine_of(
    clauses: Literals, weights: NDArray[np.int64], classes: NDArray[Any], names: Sequence[str]
) -> TsetlinMachineClassifier:
    """A machine in which each clause votes for or against each class with its weight."""
    spoken, of = np.nonzero(weights)
    return move_machine_of(clauses[spoken], weights[spoken, of], classes[of], list(names))


# ---- inside


def _worth_looking(rows: NDArray[np.float32], rare: int) -> NDArray[np.intp]:
    """The clauses that are not rare, and of those that fire alike the first."""
    fired = rows.sum(axis=0)
    common = np.flatnonzero((fired >= rare) & (fired <= len(rows) - rare))
    columns = np.packbits(rows[:, common] > 0, axis=0).T
    return common[np.sort(np.unique(columns, axis=0, return_index=True)[1])]


def _with_beginning(
    clauses: Literals, weights: NDArray[np.float64]
) -> tuple[Literals, NDArray[np.float64]]:
    """The same with the last weights, which always count, given to a bit and to its negation.

    A clause without literals never fires; but of a bit and its negation just one does.
    """
    n_bits = clauses.shape[1] // 2
    beginning = np.zeros((2, 2 * n_bits), np.bool_)
    beginning[0, 0] = beginning[1, n_bits] = True
    always = weights[-1]
    same = (clauses == beginning[0]).all(axis=1)
    known = weights[:-1][same].sum(axis=0)
    return (
        np.concatenate([clauses[~same], beginning]),
        np.concatenate([weights[:-1][~same], [always + known, always]]),
    )


def _descended(
    rows: NDArray[np.float32],
    labels: NDArray[np.intp],
    n_classes: int,
    penalty: float,
    steps: int,
    start: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Weights of clauses (columns of `rows`) for classes; the last ones always count, and are free.

    Of all weights the best by softmax, or what `steps` steps downhill come to (L-BFGS).
    """
    from scipy.optimize import minimize

    shape = (rows.shape[1] + 1, n_classes)
    wanted = np.eye(n_classes, dtype=np.float32)[labels]

    size = max(1, TOGETHER // shape[0])
    parts = [slice(first, first + size) for first in range(0, len(rows), size)]

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(shape)
        by_clause, always = weights[:-1].astype(np.float32), weights[-1].astype(np.float32)
        lack = penalty / 2 * float(np.square(weights[:-1]).sum())
        slope = penalty * weights
        slope[-1] = 0
        for part in parts:
            sums = rows[part] @ by_clause + always
            sums -= sums.max(axis=1, keepdims=True)
            shares = np.exp(sums)
            total = shares.sum(axis=1, keepdims=True)
            lack += float(np.log(total).sum() - (sums * wanted[part]).sum())
            off = shares / total - wanted[part]
            slope[:-1] += (off.T @ rows[part]).T
            slope[-1] += off.sum(axis=0)
        return lack, slope.ravel()

    begin = np.zeros(shape) if start is None else start
    options = {"maxiter": steps, "maxcor": MEMORY}
    found = minimize(loss, begin.ravel(), jac=True, method="L-BFGS-B", options=options)
    return found.x.reshape(shape)
