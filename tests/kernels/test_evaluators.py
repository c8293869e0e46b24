"""The kernel that reads evaluators as data, held against plain sums."""

from __future__ import annotations

import math

import numpy as np
import pytest

from clauseboard.evaluation import Compiled, linear, network
from clauseboard.kernels.evaluators import values_of
from clauseboard.tsetlin.inference import compile_votes
from clauseboard.tsetlin.packing import View

N_BITS = 21


def clipped(value):
    return min(max(value, -1.0), 1.0)


@pytest.fixture
def boards():
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 2, (60, N_BITS), np.uint8)
    sides = rng.integers(0, 2, 60)
    return rows, np.packbits(rows, axis=1, bitorder="little"), sides


def signed(value, side, view):
    return -value if side == 1 and view == "board" else value


@pytest.mark.parametrize("view", ["board", "mover"])
@pytest.mark.parametrize(("scale", "offset"), [(1.0, 0.0), (7.5, 1.25), (40.0, -3.0)])
def test_linear_sums(boards, view, scale, offset):
    rows, bits, sides = boards
    weights = np.random.default_rng(5).normal(size=N_BITS)
    judge = linear(weights, scale=scale, offset=offset, view=view)
    expected = [
        signed(
            clipped((sum(w for w, bit in zip(weights, row, strict=True) if bit) - offset) / scale),
            side,
            view,
        )
        for row, side in zip(rows, sides, strict=True)
    ]
    assert values_of((judge, judge), bits, sides) == pytest.approx(expected)


@pytest.mark.parametrize("units", [1, 3, 10])
def test_networks(boards, units):
    rows, bits, sides = boards
    rng = np.random.default_rng(units)
    hidden, bias = rng.normal(size=(N_BITS, units)), rng.normal(size=units)
    output, last = rng.normal(size=units), 0.3
    judge = network(hidden, bias, output, last)

    def sigmoid(x):
        return 1 / (1 + math.exp(-x))

    expected = []
    for row, side in zip(rows, sides, strict=True):
        inner = [
            sigmoid(bias[u] + sum(hidden[b, u] * row[b] for b in range(N_BITS)))
            for u in range(units)
        ]
        outer = sigmoid(last + sum(output[u] * inner[u] for u in range(units)))
        expected.append(signed(2 * outer - 1, side, "board"))
    assert values_of((judge, judge), bits, sides) == pytest.approx(expected)


@pytest.mark.parametrize("by_digits", [False, True])
@pytest.mark.parametrize("n_clauses", [1, 70, 3000])
def test_clauses(boards, n_clauses, by_digits):
    rows, bits, sides = boards
    rng = np.random.default_rng(n_clauses)
    view = View.of(N_BITS, None, None)
    literals = rng.random((n_clauses, 2 * N_BITS)) < 0.08
    weights = rng.integers(-20, 20, n_clauses).astype(np.int32)
    padded = np.zeros((n_clauses, 64 * view.n_words), np.uint8)
    padded[:, : 2 * N_BITS] = literals
    include = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
    table = compile_votes(view, include[None], weights[None])
    digits = {"planes": table.planes, "n_planes": table.n_planes} if by_digits else {}
    judge = Compiled(
        Compiled.CLAUSES, scale=90.0, table=table.table, out=table.out, weights=table.weights,
        owners=table.owners, **digits,
    )  # fmt: skip
    expected = []
    for row, side in zip(rows, sides, strict=True):
        seen = np.concatenate([row, 1 - row]).astype(bool)
        votes = sum(
            int(weight)
            for needs, weight in zip(literals, weights, strict=True)
            if needs.any() and not (needs & ~seen).any()
        )
        expected.append(signed(clipped(votes / 90), side, "board"))
    assert values_of((judge, judge), bits, sides).tolist() == expected


def test_each_side_has_its_evaluator(boards):
    _, bits, sides = boards
    first, second = linear([0.0] * N_BITS, offset=-0.5), linear([0.0] * N_BITS, offset=0.25)
    expected = [0.5 if side == 0 else 0.25 for side in sides]
    # The second one's value is below zero for the first colour, and so above it for the second.
    assert values_of((first, second), bits, sides) == pytest.approx(expected)


def test_nothing_is_worth_nothing(boards):
    _, bits, sides = boards
    nothing = Compiled(Compiled.NOTHING)
    assert not values_of((nothing, nothing), bits, sides).any()
