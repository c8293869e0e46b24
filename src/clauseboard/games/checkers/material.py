"""What a side can win in men within some moves: a search that counts pieces and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.games.checkers.kernels import (
    BLACK,
    EVERY,
    MOST_MOVES,
    MOST_WAITING,
    WHITE,
    generate,
    jumpers,
    put,
)
from clauseboard.kernels.bits import ZERO, count_ones
from clauseboard.kernels.compiler import helper, kernel

MAN, KING, LOST = 2, 3, 1000
"""What pieces are worth, and what it costs not to be able to move."""


@helper
def balance(black: Any, white: Any, kings: Any, side: int) -> int:
    """What the side to move has more than the other."""
    ours = black if side == BLACK else white
    theirs = white if side == BLACK else black
    return MAN * (count_ones(ours) - count_ones(theirs)) + (KING - MAN) * (
        count_ones(ours & kings) - count_ones(theirs & kings)
    )


@helper
def can_jump(black: Any, white: Any, kings: Any, side: int) -> bool:
    """Whether the side to move must jump."""
    rising = black if side == BLACK else white & kings
    falling = white if side == WHITE else black & kings
    theirs = white if side == BLACK else black
    return jumpers(rising, falling, theirs, EVERY & ~(black | white)) != ZERO


@kernel("int64(uint64, uint64, uint64, int64, int64)")
def best_balance(black: Any, white: Any, kings: Any, side: int, depth: int) -> int:
    """The balance that the side to move can count on after `depth` moves of best play.

    A line ends only where nobody is about to jump, so that no exchange is cut in half: it may get
    as much longer as there are pieces to take. (Alpha-beta, with its own stack.)
    """
    most = depth + 24
    boards = np.empty((most + 1, MOST_MOVES, 3), np.uint64)
    waiting = np.empty((MOST_WAITING, 2), np.uint64)
    n_boards = np.zeros(most + 1, np.int64)
    following = np.zeros(most + 1, np.int64)
    # The best so far for the side to move at each level, and what the other side will not allow.
    best = np.full(most + 1, -2 * LOST, np.int64)
    limit = np.full(most + 1, 2 * LOST, np.int64)
    root = np.empty((1, 3), np.uint64)
    put(root, 0, BLACK, black, white, kings)
    level = 0
    going_down = True
    while True:
        if going_down:
            now = root[0] if level == 0 else boards[level - 1, following[level - 1] - 1]
            black, white, kings = now[0], now[1], now[2]
            to_move = side ^ (level & 1)
            if level >= depth and not can_jump(black, white, kings, to_move):
                value = balance(black, white, kings, to_move)
            else:
                below = boards[level]
                n = generate(black, white, kings, to_move, False, below, waiting)
                value = -LOST
                if n > 0:
                    n_boards[level] = n
                    following[level] = 1
                    best[level] = -2 * LOST if level == 0 else -limit[level - 1]
                    limit[level] = 2 * LOST if level == 0 else -best[level - 1]
                    level += 1
                    continue
        else:
            value = best[level]
        if level == 0:
            return value
        # The board has its value: hand it up, and go on to the next board beside it, if any.
        level -= 1
        best[level] = max(best[level], -value)
        going_down = best[level] < limit[level] and following[level] < n_boards[level]
        if going_down:
            following[level] += 1
            level += 1


# What pieces of checkers are worth, for who counts them.

WORTH = {"man": 1.0, "king": 1.5}
