"""Whole games between two networks; a template, compiled for each game (`search.board`).

Each side looks one move ahead: of the boards after its legal moves it takes the one that its
network likes best. A move that ends the game counts for what it is: a win is 1, a loss -1, a draw
0. Of moves that are equally good one is drawn at random.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.compiled import helper, kernel
from clauseboard.judging import COMPILED, MOVER, N_OUTPUTS, value_of
from clauseboard.search.board import DRAW
from clauseboard.voting import TILE_WORDS
from clauseboard.words import STREAM_STEP, mixed

# ruff: noqa: F821
rules: Any

_11, _32 = np.uint64(11), np.uint64(32)
_UNIT = 1.0 / (1 << 53)


@helper
def below(word: Any, n: int) -> Any:
    """A random number from 0 to n - 1 from 64 random bits."""
    return np.int64(((word >> _32) * np.uint64(n)) >> _32)


@helper
def share(word: Any) -> float:
    """A random number from 0 to 1, but not 1, from 64 random bits."""
    return np.float64(word >> _11) * _UNIT


@helper
def value_after(
    child: Any, side: int, evaluator: Any, settings: Any, scratch: Any, codes: Any,
    features: Any, fired: Any, votes: Any,
) -> float:  # fmt: skip
    """What a board is worth to the side that has just moved there."""
    if rules.list_moves(child, settings, scratch, codes) == 0:
        winner = rules.result(child, settings, scratch)
        if winner == DRAW:
            return 0.0
        return 1.0 if winner == side else -1.0
    next_side = rules.side_to_move(child)
    rules.write_bits(child, settings, MOVER, features)
    value = value_of(evaluator, next_side, features, fired, votes)
    return value if next_side == side else -value


@kernel(
    f"void({COMPILED}, {COMPILED}, {rules.STATE}, {rules.STATE}, {rules.STATE}, int64[::1],"
    f" {rules.SCRATCH}, {rules.SCRATCH}, int64[::1], int64[::1], int64, int64, float64[::1],"
    " uint64[::1], int64[::1], int64[::1], uint8[:,:,:,::1], int64[:,::1])"
)
def play_games(
    first: Any, second: Any, start: Any, state: Any, child: Any, settings: Any,
    scratch: Any, beyond: Any, codes: Any, replies: Any, longest: int, opening: int, explore: Any,
    counters: Any, results: Any, lengths: Any, boards: Any, sides: Any,
) -> None:  # fmt: skip
    """Play a game for each counter of random numbers: who won (or `DRAW`), and how many moves.

    `first` judges for the side that begins. The first `opening` moves are drawn at random, and of
    the later ones of each side a share, `explore[side]`. After `longest` moves it is a draw.
    The boards with a side to move are kept in `boards` (games × moves × 1 × bytes), as far as there
    is room, with `sides`.
    """
    features = np.zeros((1, 1, boards.shape[3]), np.uint8)
    fired = np.empty((1, 1, TILE_WORDS), np.uint64)
    votes = np.zeros((1, max(first[N_OUTPUTS], second[N_OUTPUTS])), np.int64)
    for game in range(counters.shape[0]):
        counter = counters[game]
        state[:] = start
        results[game] = DRAW
        ply = 0
        while ply < longest:
            n_moves = rules.list_moves(state, settings, scratch, codes)
            if n_moves == 0:
                results[game] = rules.result(state, settings, scratch)
                break
            side = rules.side_to_move(state)
            if ply < boards.shape[1]:
                rules.write_bits(state, settings, MOVER, boards[game, ply : ply + 1])
                sides[game, ply] = side
            at_random = ply < opening
            if not at_random and explore[side] > 0.0:
                counter += STREAM_STEP
                at_random = share(mixed(counter)) < explore[side]
            chosen = codes[0]
            if at_random:
                counter += STREAM_STEP
                chosen = codes[below(mixed(counter), n_moves)]
            elif n_moves > 1:
                judge = first if side == 0 else second
                best = -2.0
                alike = 0
                for k in range(n_moves):
                    child[:] = state
                    rules.play(child, settings, scratch, codes[k])
                    value = value_after(
                        child, side, judge, settings, beyond, replies, features, fired, votes
                    )
                    if value > best:
                        best = value
                        chosen = codes[k]
                        alike = 1
                    elif value == best:
                        # Each of the moves that are alike ends up chosen equally often.
                        alike += 1
                        counter += STREAM_STEP
                        if below(mixed(counter), alike) == 0:
                            chosen = codes[k]
            rules.play(state, settings, scratch, chosen)
            ply += 1
        lengths[game] = ply
