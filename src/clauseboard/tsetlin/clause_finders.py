"""Where clauses come from: Tsetlin Machines, the paths of boosted trees, and people.

>>> bits = np.random.default_rng(0).integers(2, size=(600, 4)).astype(np.uint8)
>>> labels = (bits[:, 0] & bits[:, 2]).astype(np.intp)
>>> clauses = tree_clauses(bits, labels, TreeSearch(n_trees=20, depth=2))
>>> [0, 2] in [np.flatnonzero(clause).tolist() for clause in clauses]
True
>>> np.flatnonzero(written_clauses([("rain", "not wind")], ["rain", "wind"])).tolist()
[0, 3]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clauseboard.tsetlin.classifier import TsetlinMachineClassifier
from clauseboard.tsetlin.clauses import Clause
from clauseboard.tsetlin.inference import can_fire
from clauseboard.tsetlin.joint_weights import Floats, Literals, single_literals
from clauseboard.tsetlin.packing import View

WrittenClause = Clause | str | Sequence[str]
"""A clause that a person gives: names of bits, negated by a "not " before them."""

MOST_ROWS = 30_000
"""Samples that a tree looks at, at most."""

SHARE = 0.5
"""Each tree looks at this share of the samples and of the bits, so that trees differ."""


# ---- Tsetlin Machines


@dataclass(frozen=True)
class MachineSearch:
    """A Tsetlin Machine that finds clauses: its parameters."""

    n_clauses: int = 300
    max_literals: int | None = 8
    specificity: float = 5.0
    epochs: int = 8


MACHINES = (MachineSearch(), MachineSearch(max_literals=4, specificity=3.0))
"""Two machines find more than one: one looks for longer clauses, the other for shorter ones."""


def machine_clauses(
    bits: NDArray[np.uint8],
    labels: NDArray[np.generic],
    search: MachineSearch,
    sample_weight: Floats | None = None,
    *,
    seed: int = 0,
    n_jobs: int | None = None,
    device: str = "cpu",
) -> Literals:
    """The clauses that a Tsetlin Machine learns; each once."""
    machine = TsetlinMachineClassifier(
        n_clauses=search.n_clauses,
        threshold=2 * search.n_clauses,
        specificity=search.specificity,
        max_literals=search.max_literals,
        epochs=search.epochs,
        block_size=64,
        random_state=seed,
        n_jobs=n_jobs,
        device=device,
    )
    machine.fit(bits, labels, sample_weight, progress=False)
    return learned_clauses(machine)


def learned_clauses(machine: TsetlinMachineClassifier) -> Literals:
    """The clauses of all classes of a machine that can fire; each once."""
    banks = machine.banks_
    return np.unique(
        unpacked_clauses(banks.include.reshape(-1, banks.include.shape[-1]), banks.view), axis=0
    )


def unpacked_clauses(include: NDArray[np.uint64], view: View) -> Literals:
    """Packed clauses that can fire, unpacked."""
    include = include[can_fire(include, view)]
    bits = np.unpackbits(
        include.view(np.uint8), axis=1, count=2 * view.n_features, bitorder="little"
    )
    return bits.astype(np.bool_)


# ---- boosted trees


@dataclass(frozen=True)
class TreeSearch:
    """Boosted trees whose paths are clauses: how many, how deep, and how fast they learn.

    A node of a tree has `fewest` samples at least.
    """

    n_trees: int = 40
    depth: int = 5
    rate: float = 0.2
    fewest: int = 30


def tree_clauses(
    bits: NDArray[np.uint8],
    labels: NDArray[np.intp],
    search: TreeSearch,
    sample_weight: Floats | None = None,
    *,
    seed: int = 0,
) -> Literals:
    """The paths from the roots to all nodes of boosted trees; each once.

    One tree serves all classes: each of its leaves changes the sums of every class, by the softmax
    loss's slope and curvature there. Splits are those by which the loss falls most.
    """
    draws = np.random.default_rng(seed)
    n_rows, n_bits = bits.shape
    n_classes = int(labels.max()) + 1
    wanted = np.eye(n_classes, dtype=np.float32)[labels]
    each = (
        np.ones(n_rows, np.float32) if sample_weight is None else sample_weight.astype(np.float32)
    )
    share = (each @ wanted) / each.sum()
    sums = np.tile(np.log(np.maximum(share, 1e-6)).astype(np.float32), (n_rows, 1))
    numbers = bits.astype(np.float32)
    paths: list[NDArray[np.bool_]] = []
    for _ in range(search.n_trees if n_classes > 1 else 0):
        shares = np.exp(sums - sums.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        slopes = each[:, None] * (shares - wanted)
        curves = each[:, None] * shares * (1 - shares)
        facts = np.concatenate([slopes, curves, np.ones((n_rows, 1), np.float32)], axis=1)
        rows = np.sort(draws.permutation(n_rows)[: min(MOST_ROWS, -(-n_rows // 2))])
        columns = np.sort(draws.permutation(n_bits)[: max(1, round(SHARE * n_bits))])
        seen = numbers[np.ix_(rows, columns)]
        paths += _grow(bits, facts, rows, columns, seen, sums, search)
    return np.unique(np.array(paths, np.bool_).reshape(-1, 2 * n_bits), axis=0)


def _grow(
    bits: NDArray[np.uint8],
    facts: NDArray[np.float32],
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    seen: NDArray[np.float32],
    sums: NDArray[np.float32],
    search: TreeSearch,
) -> list[NDArray[np.bool_]]:
    """Grow a tree level by level, add its leaves to the sums of all rows, and return its paths.

    `facts` has the slopes, the curvatures and a 1 of each row; `seen` the chosen rows and columns.
    """
    n_bits, n_classes = bits.shape[1], sums.shape[1]

    def gain(facts: NDArray[np.float32]) -> NDArray[np.float32]:
        slopes, curves = facts[..., :n_classes], facts[..., n_classes:-1]
        by_class: NDArray[np.float32] = slopes**2 / (curves + 1)
        return by_class.sum(axis=-1)

    every: list[NDArray[np.bool_]] = []
    level, node = [np.zeros(2 * n_bits, np.bool_)], np.zeros(len(bits), np.intp)
    for depth in range(search.depth + 1):
        # The facts of each row in the column of its node; rows in leaves (-1) are in none.
        by_node = np.zeros((len(rows), len(level), facts.shape[1]), np.float32)
        inside = np.flatnonzero(node[rows] >= 0)
        by_node[inside, node[rows][inside]] = facts[rows][inside]
        whole = by_node.sum(axis=0)
        splits = np.full(len(level), -1)
        if depth < search.depth:
            right = (seen.T @ by_node.reshape(len(rows), -1)).reshape(-1, *whole.shape)
            left = whole - right
            gains = gain(right) + gain(left) - gain(whole)
            gains[np.minimum(left[..., -1], right[..., -1]) < search.fewest] = 0.0
            best = gains.argmax(axis=0)
            splits = np.where(gains.max(axis=0) > 1e-6, columns[best], -1)
        children: list[NDArray[np.bool_]] = []
        below = np.full(len(bits), -1)
        for place, (path, bit) in enumerate(zip(level, splits, strict=True)):
            here = np.flatnonzero(node == place)
            if bit < 0:
                slopes, curves = whole[place, :n_classes], whole[place, n_classes:-1]
                sums[here] -= search.rate * slopes / (curves + 1)
                continue
            for value, literal in ((0, bit + n_bits), (1, bit)):
                longer = path.copy()
                longer[literal] = True
                below[here[bits[here, bit] == value]] = len(children)
                children.append(longer)
        every += children
        level, node = children, below
        if not level:
            break
    return every


# ---- people


def written_clauses(clauses: Iterable[WrittenClause], bit_names: Sequence[str]) -> Literals:
    """Clauses as people write them: names of bits, or "not " and the name."""
    places = {name: k for k, name in enumerate(bit_names)}
    n_bits = len(places)
    rows = []
    for clause in clauses:
        if isinstance(clause, Clause):
            literals = list(clause.literals)
        else:
            literals = [clause] if isinstance(clause, str) else list(clause)
        row = np.zeros(2 * n_bits, np.bool_)
        for literal in literals:
            if literal in places:
                row[places[literal]] = True
            elif literal.startswith("not ") and literal[4:] in places:
                row[n_bits + places[literal[4:]]] = True
            else:
                raise ValueError(
                    f"The clause {clause!r} needs {literal!r}, which is no bit, nor 'not ' and a "
                    f"bit; bits are {', '.join(map(repr, list(places)[:5]))}, ..."
                )
        if not row.any() or (row[:n_bits] & row[n_bits:]).any():
            raise ValueError(
                f"The clause {clause!r} can never fire: it needs literals, none with its opposite."
            )
        rows.append(row)
    return np.array(rows, np.bool_).reshape(-1, 2 * n_bits)


def single_bits(n_bits: int) -> Literals:
    """A clause for every bit. A negated bit says the same, the other way round."""
    return single_literals(n_bits)[:n_bits]
