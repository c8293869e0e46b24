"""Clauses as a table: which of them fire on a board, and what their weights add up to.

For four features at a time and each of their sixteen patterns, a table holds the clauses that
this pattern makes false, one bit a clause. ORing one row for each four features of a board gives
the clauses that do not fire; the others' weights are added up. That is the same few hundred
words for any board, however long the clauses are, and as quick for one board as for many.

Where many clauses fire, to add up their weights one by one would take longest. The weights of a
word of 64 clauses are much alike, since clauses are sorted by them, so that what they have above
the first one is a few binary digits: `planes` has a word for each digit, and counting the ones in
it tells how many clauses that fire have that digit.
"""

from __future__ import annotations

import numpy as np

from clauseboard.kernels.bits import ONE, SIX_BITS, ZERO, count_ones, lowest_one
from clauseboard.kernels.compiler import helper, kernel
from clauseboard.kernels.simd import LANES, load_lanes, no_lanes, store_lanes

TILE_WORDS = 4 * LANES
"""Words of clauses that are worked on together: their sixteen rows a group fit the cache."""

BOARDS_AT_A_TIME = 256


@helper
def add_board_votes(
    features, board: int, tile: int, table, out, weights, owners, planes, n_planes, fired, votes
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
        n_fired, most = count_ones(left), n_planes[word]
        total = 0
        if n_fired > most:
            # Many at once: what all weigh at least, and the rest digit by digit.
            total = weights[64 * word] * n_fired
            for plane in range(most):
                total += count_ones(left & planes[tile, plane, k]) << plane
        else:
            while left != ZERO:
                total += weights[64 * word + lowest_one(left)]
                left &= left - ONE
        votes[board, owners[word]] += total


@kernel(
    "void(uint8[:,:,::1], uint64[:,:,::1], uint64[:,:,::1], int64[::1], int64[::1],"
    " uint64[:,:,::1], int64[::1], int64[:,::1])"
)
def count_votes(features, table, out, weights, owners, planes, n_planes, votes) -> None:
    """Add the votes on boards of packed features (boards × patches × bytes) to `votes`.

    `out` marks the places of tiles that hold no clause, `weights` are signed, and owners[word]
    is the class of the 64 clauses of a word. `planes` (tiles × digits × words) and n_planes[word]
    are for where more clauses than that fire.
    """
    n_boards = features.shape[0]
    fired = np.empty((1, 1, TILE_WORDS), np.uint64)
    for first in range(0, n_boards, BOARDS_AT_A_TIME):
        for tile in range(table.shape[0]):
            for board in range(first, min(first + BOARDS_AT_A_TIME, n_boards)):
                add_board_votes(
                    features, board, tile, table, out, weights, owners, planes, n_planes, fired,
                    votes,
                )  # fmt: skip


@kernel("void(uint64[:,::1], int64[::1], int64, uint64[:,:,::1], uint64[:,:,::1])")
def fill_table(include, slots, n_features: int, table, out) -> None:
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
