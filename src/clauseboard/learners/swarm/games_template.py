"""Whole games between networks; a template, compiled for each game (`search.board`).

Each side looks one move ahead: of the boards after its legal moves it takes the one that its
network likes best. A move that ends the game counts for what it is: nothing is better than a win
nor worse than a loss, and a draw is a board of which the network says one half. Of moves that are
equally good one is drawn at random.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from clauseboard.compiled import helper, kernel
from clauseboard.judging import MOVER, sigmoid
from clauseboard.search.board import DRAW
from clauseboard.words import STREAM_STEP, mixed

# ruff: noqa: F821
rules: Any

_11, _32 = np.uint64(11), np.uint64(32)
_UNIT = 1.0 / (1 << 53)

if hasattr(rules, "at_rest"):
    at_rest = rules.at_rest
else:

    @helper
    def at_rest(state: Any, settings: Any) -> bool:
        """Whether it is plain, without a list of moves, that the game goes on."""
        return False


@helper
def below(word: Any, n: int) -> Any:
    """A random number from 0 to n - 1 from 64 random bits."""
    return np.int64(((word >> _32) * np.uint64(n)) >> _32)


@helper
def share(word: Any) -> float:
    """A random number from 0 to 1, but not 1, from 64 random bits."""
    return np.float64(word >> _11) * _UNIT


@helper
def output_sum(hidden: Any, top: Any, who: int, features: Any, sums: Any) -> float:
    """What network `who` has at its output before the last sigmoid, for one board.

    That sigmoid is left out since it changes no order. Only bits that are there are added: a
    network is a few kilobytes so, and many of them stay in the cache.
    """
    n_units = sums.shape[0]
    for unit in range(n_units):
        sums[unit] = top[who, 0, unit]
    for byte in range(features.shape[2]):
        left = np.int64(features[0, 0, byte])
        bit = 8 * byte
        while left != 0:
            if left & 1 != 0:
                for unit in range(n_units):
                    sums[unit] += hidden[who, bit, unit]
            left >>= 1
            bit += 1
    total = top[who, 1, n_units]
    for unit in range(n_units):
        total += top[who, 1, unit] * sigmoid(sums[unit])
    return total


@helper
def came_up(keys: Any, ply: int, key: Any) -> int:
    """How often a board has been there among the first `ply` ones."""
    n = 0
    for earlier in range(ply):
        if keys[earlier] == key:
            n += 1
    return n


@helper
def liking(
    child: Any, side: int, hidden: Any, top: Any, who: int, settings: Any, scratch: Any, codes: Any,
    features: Any, sums: Any, keys: Any, ply: int, repetitions: int,
) -> float:  # fmt: skip
    """How much network `who` likes a board for the side that has just moved there.

    Where repetitions make a draw, a board that has been there before is worth what a draw is, as
    in alpha-beta: else a network that likes a board best would go back to it until it is drawn.
    """
    if repetitions > 0 and came_up(keys, ply, rules.key(child)) > 0:
        return 0.0
    goes_on = at_rest(child, settings)
    if not goes_on and rules.list_moves(child, settings, scratch, codes) == 0:
        winner = rules.result(child, settings, scratch)
        if winner == DRAW:
            return 0.0
        return math.inf if winner == side else -math.inf
    rules.write_bits(child, settings, MOVER, features)
    total = output_sum(hidden, top, who, features, sums)
    return total if rules.side_to_move(child) == side else -total


@kernel(
    f"void(float64[:,:,::1], float64[:,:,::1], int64[:,::1], {rules.STATE}, {rules.STATE},"
    f" {rules.STATE}, int64[::1], {rules.SCRATCH}, {rules.SCRATCH}, int64[::1], int64[::1], int64,"
    " int64, int64, float64[:,::1], uint64[::1], int64[::1], int64[::1], uint8[:,:,:,::1],"
    " int64[:,::1])"
)
def play_games(
    hidden: Any, top: Any, pairs: Any, start: Any, state: Any, child: Any, settings: Any,
    scratch: Any, beyond: Any, codes: Any, replies: Any, longest: int, repetitions: int,
    opening: int, explore: Any, counters: Any, results: Any, lengths: Any, boards: Any, sides: Any,
) -> None:  # fmt: skip
    """Play a game for each counter of random numbers: who won (or `DRAW`), and how many moves.

    `hidden` and `top` are networks (see `network.Stack`), and `pairs` the two that play a game, the
    one that begins first. The first `opening` moves are drawn at random, and of the later ones of
    each side a share, `explore[game, side]`. It is a draw after `longest` moves, or when a board is
    there for the third time, if `repetitions` is 3 (0: as often as you like). The boards with a
    side to move are kept in `boards` (games × moves × 1 × bytes), as far as there is room, with
    `sides`.
    """
    features = np.zeros((1, 1, boards.shape[3]), np.uint8)
    sums = np.empty(hidden.shape[2])
    keys = np.empty(longest + 1, np.uint64)
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
            keys[ply] = rules.key(state)
            if repetitions > 0 and came_up(keys, ply, keys[ply]) + 1 >= repetitions:
                break
            side = rules.side_to_move(state)
            if ply < boards.shape[1]:
                rules.write_bits(state, settings, MOVER, boards[game, ply : ply + 1])
                sides[game, ply] = side
            at_random = ply < opening
            if not at_random and explore[game, side] > 0.0:
                counter += STREAM_STEP
                at_random = share(mixed(counter)) < explore[game, side]
            chosen = codes[0]
            if at_random:
                counter += STREAM_STEP
                chosen = codes[below(mixed(counter), n_moves)]
            elif n_moves > 1:
                who = pairs[game, side]
                best = 0.0
                alike = 0
                for k in range(n_moves):
                    child[:] = state
                    rules.play(child, settings, scratch, codes[k])
                    value = liking(
                        child, side, hidden, top, who, settings, beyond, replies, features, sums,
                        keys, ply + 1, repetitions,
                    )  # fmt: skip
                    if alike == 0 or value > best:
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
