"""Votes counted board by board in compiled code, as a search does."""

import numpy as np

from clauseboard.kernels.clause_table import TILE_WORDS, add_board_votes
from clauseboard.kernels.compiler import kernel


@kernel(
    "int64(uint8[:,:,::1], uint64[:,:,::1], uint64[:,:,::1], int64[::1], int64[::1],"
    " uint64[:,:,::1], int64[::1], int64[:,::1], int64)"
)
def count_one_by_one(
    features,
    table,
    out,
    weights,
    owners,
    planes,
    n_planes,
    votes,
    repeats,
):
    """Count votes as a search does, board by board; the result keeps the work alive."""
    fired = np.empty((1, 1, TILE_WORDS), np.uint64)
    total = 0
    for repeat in range(repeats):
        board = repeat % features.shape[0]
        votes[board] = 0
        for tile in range(table.shape[0]):
            add_board_votes(
                features, board, tile, table, out, weights, owners, planes, n_planes, fired, votes
            )
        total += votes[board, 0]
    return total
