"""Counting the votes of a trained machine, without looking at clauses that do not fire.

For four features at a time and each of their sixteen patterns, a table holds the clauses that
this pattern makes false, one bit a clause. ORing one row for each four features of a board gives
the clauses that do not fire; the others' weights are added up. That is the same few hundred
words for any board, however long the clauses are, and as quick for one board as for many.

Clauses without literals (which vote only while training) and those that need a bit and its
negation never fire and are left out; equal clauses of a class are merged into one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.compiled import helper, kernel
from clauseboard.lanes import LANES, load_lanes, no_lanes, store_lanes
from clauseboard.learners.tsetlin.packing import View
from clauseboard.words import ONE, SIX_BITS, ZERO, lowest_one

TILE_WORDS = 4 * LANES
"""Words of clauses that are worked on together: their sixteen rows a group fit the cache."""

BOARDS_AT_A_TIME = 256


@helper
def add_board_votes(
    features: Any,
    board: int,
    tile: int,
    table: Any,
    out: Any,
    weights: Any,
    owners: Any,
    fired: Any,
    votes: Any,
) -> None:
    """Add what the clauses of one tile vote on one board to votes[board]; `fired` is room."""
    n_groups = table.shape[1] // 16
    fired_0, fired_1, fired_2, fired_3 = no_lanes(), no_lanes(), no_lanes(), no_lanes()
    for patch in range(features.shape[1]):
        false_0 = load_lanes(out, tile, 0, 0)
        false_1 = load_lanes(out, tile, 0, LANES)
        false_2 = load_lanes(out, tile, 0, 2 * LANES)
        false_3 = load_lanes(out, tile, 0, 3 * LANES)
        for group in range(n_groups):
            pattern = int(features[board, patch, group >> 1]) >> (4 * (group & 1)) & 15
            row = 16 * group + pattern
            false_0 |= load_lanes(table, tile, row, 0)
            false_1 |= load_lanes(table, tile, row, LANES)
            false_2 |= load_lanes(table, tile, row, 2 * LANES)
            false_3 |= load_lanes(table, tile, row, 3 * LANES)
        fired_0 |= ~false_0
        fired_1 |= ~false_1
        fired_2 |= ~false_2
        fired_3 |= ~false_3
    store_lanes(fired, 0, 0, 0, fired_0)
    store_lanes(fired, 0, 0, LANES, fired_1)
    store_lanes(fired, 0, 0, 2 * LANES, fired_2)
    store_lanes(fired, 0, 0, 3 * LANES, fired_3)
    for k in range(TILE_WORDS):
        word = tile * TILE_WORDS + k
        left = fired[0, 0, k]
        total = 0
        while left != ZERO:
            total += weights[64 * word + lowest_one(left)]
            left &= left - ONE
        votes[board, owners[word]] += total


@kernel(
    "void(uint8[:,:,::1], uint64[:,:,::1], uint64[:,:,::1], int64[::1], int64[::1], int64[:,::1])"
)
def count_votes(features: Any, table: Any, out: Any, weights: Any, owners: Any, votes: Any) -> None:
    """Add the votes on boards of packed features (boards × patches × bytes) to `votes`.

    `out` marks the places of tiles that hold no clause, `weights` are signed, and owners[word]
    is the class of the 64 clauses of a word.
    """
    n_boards = features.shape[0]
    fired = np.empty((1, 1, TILE_WORDS), np.uint64)
    for first in range(0, n_boards, BOARDS_AT_A_TIME):
        for tile in range(table.shape[0]):
            for board in range(first, min(first + BOARDS_AT_A_TIME, n_boards)):
                add_board_votes(features, board, tile, table, out, weights, owners, fired, votes)


@kernel("void(uint64[:,::1], int64[::1], int64, uint64[:,:,::1], uint64[:,:,::1])")
def fill_table(include: Any, slots: Any, n_features: int, table: Any, out: Any) -> None:
    """Enter clauses, given by their included literals, into the slots of an empty table."""
    for clause in range(include.shape[0]):
        slot = slots[clause]
        tile = slot // (64 * TILE_WORDS)
        word = slot // 64 % TILE_WORDS
        bit = ONE << (np.uint64(slot) & SIX_BITS)
        out[tile, 0, word] &= ~bit
        for k in range(include.shape[1]):
            left = include[clause, k]
            while left != ZERO:
                literal = 64 * k + lowest_one(left)
                left &= left - ONE
                feature = literal % n_features
                needed = 1 if literal < n_features else 0
                for pattern in range(16):
                    if (pattern >> (feature % 4)) & 1 != needed:
                        table[tile, 16 * (feature // 4) + pattern, word] |= bit


@dataclass(frozen=True)
class VoteTable:
    """A machine compiled for counting votes. Made by `compile_votes`."""

    view: View
    n_classes: int
    table: NDArray[np.uint64]
    out: NDArray[np.uint64]
    weights: NDArray[np.int64]
    owners: NDArray[np.int64]

    def add_votes(self, features: NDArray[np.uint8], votes: NDArray[np.int64]) -> None:
        """Add the votes of packed boards (`View.pack_features`) to `votes`."""
        count_votes(features, self.table, self.out, self.weights, self.owners, votes)


def compile_votes(
    view: View, include: NDArray[np.uint64], signed_weights: NDArray[np.int32]
) -> VoteTable:
    """Compile the clauses `include[class, clause, word]` with their signed weights."""
    n_classes = len(include)
    literals, weights, slots, owners = [], [], [], []
    n_words = 0
    for class_ in range(n_classes):
        merged, totals = _merged(include[class_], signed_weights[class_], view)
        literals.append(merged)
        slots.append(64 * n_words + np.arange(len(merged)))
        words = -(-len(merged) // 64)
        padded = np.zeros(64 * words, np.int64)
        padded[: len(merged)] = totals
        weights.append(padded)
        owners += [class_] * words
        n_words += words
    n_tiles = max(1, -(-n_words // TILE_WORDS))
    spare = n_tiles * TILE_WORDS - n_words
    table = np.zeros((n_tiles, 16 * 2 * -(-view.n_features // 8), TILE_WORDS), np.uint64)
    out = np.full((n_tiles, 1, TILE_WORDS), ~np.uint64(0))
    fill_table(
        np.ascontiguousarray(np.concatenate(literals)),
        np.concatenate(slots).astype(np.int64),
        view.n_features,
        table,
        out,
    )
    return VoteTable(
        view=view,
        n_classes=n_classes,
        table=table,
        out=out,
        weights=np.concatenate([*weights, np.zeros(64 * spare, np.int64)]),
        owners=np.array(owners + [0] * spare, np.int64),
    )


def _merged(
    include: NDArray[np.uint64], weights: NDArray[np.int32], view: View
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The clauses of one class that can fire, each once, with the sum of its weights."""
    able = can_fire(include, view)
    include, weights = np.ascontiguousarray(include[able]), weights[able]
    if len(include) == 0:
        return include, weights.astype(np.int64)
    whole_rows = include.view(np.dtype((np.void, include.dtype.itemsize * include.shape[1])))
    _, first, group = np.unique(whole_rows.ravel(), return_index=True, return_inverse=True)
    totals = np.bincount(group.ravel(), weights=weights, minlength=len(first))
    kept = totals != 0
    return include[first][kept], totals[kept].astype(np.int64)


def can_fire(include: NDArray[np.uint64], view: View) -> NDArray[np.bool_]:
    """Which clauses have a literal at all, and none together with its negation."""
    bits = np.unpackbits(include.view(np.uint8), axis=-1, bitorder="little")
    positive = bits[..., : view.n_features]
    negated = bits[..., view.n_features : 2 * view.n_features]
    return np.any(bits, axis=-1) & ~np.any(positive & negated, axis=-1)


@kernel(
    "int64(uint8[:,:,::1], uint64[:,:,::1], uint64[:,:,::1], int64[::1], int64[::1],"
    " int64[:,::1], int64)"
)
def _judge_one_by_one(
    features: Any, table: Any, out: Any, weights: Any, owners: Any, votes: Any, repeats: int
) -> int:
    """Judge boards as a search does, one after the other; the result keeps the work alive."""
    fired = np.empty((1, 1, TILE_WORDS), np.uint64)
    total = 0
    for repeat in range(repeats):
        board = repeat % features.shape[0]
        votes[board] = 0
        for tile in range(table.shape[0]):
            add_board_votes(features, board, tile, table, out, weights, owners, fired, votes)
        total += votes[board, 0]
    return total


def time_one_board(machine: Any, X: Any, repeats: int = 20_000) -> float:
    """Microseconds that one board costs inside a compiled kernel; for `benchmarks/`."""
    table = machine.vote_table()
    features = table.view.pack_features(np.ascontiguousarray(X, np.uint8))
    votes = np.zeros((len(features), table.n_classes), np.int64)
    arrays = (features, table.table, table.out, table.weights, table.owners, votes)
    _judge_one_by_one(*arrays, repeats)
    best = np.inf
    for _ in range(5):
        start = time.perf_counter()
        _judge_one_by_one(*arrays, repeats)
        best = min(best, time.perf_counter() - start)
    return 1e6 * best / repeats
