"""Whole games between networks; a template, compiled for each game (`search.compiled_rules`).

Each side looks one move ahead: of the boards after its legal moves it takes the one that its
network likes best. Where a side has to capture, captures may be played out first, so that the
network is asked about boards on which none is on. A move that ends the game counts for what it is:
nothing is better than a win nor worse than a loss, and a draw is a board of which the network says
one half. Of moves that are equally good one is drawn at random.

Where repetitions make a draw, a board that has been there before is worth what a draw is, as in
alpha-beta: else a network that likes a board best would go back to it until it is drawn.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from clauseboard.kernels.bits import ONE, STREAM_STEP, ZERO, lowest_one, mixed
from clauseboard.kernels.compiler import helper, kernel, tuple_of
from clauseboard.kernels.evaluators import MOVER, sigmoid
from clauseboard.learners.swarm.network import CapturesAhead, SwarmGames, SwarmNetworks
from clauseboard.search.compiled_rules import DRAW, stack_of

# ruff: noqa: F821
rules: Any

STATES, SCRATCHES = stack_of(rules.STATE), stack_of(rules.SCRATCH)
FLAT = rules.STATE.partition("[")[0] + "[:,::1]"
_11, _32 = np.uint64(11), np.uint64(32)
_UNIT = 1.0 / (1 << 53)


GAMES = tuple_of(
    SwarmGames, "int64[:,::1]", "float64[:,::1]", "uint64[::1]", "int64[::1]", "int64[::1]",
    "uint8[:,:,:,::1]", "int64[:,::1]",
)  # fmt: skip
AHEAD = tuple_of(
    CapturesAhead, STATES, FLAT, SCRATCHES, "int64[:,::1]", "int64[::1]", "float64[::1]"
)  # fmt: skip


@helper
def below(word, n: int):
    """A random number from 0 to n - 1 from 64 random bits."""
    return np.int64(((word >> _32) * np.uint64(n)) >> _32)


@helper
def share(word) -> float:
    """A random number from 0 to 1, but not 1, from 64 random bits."""
    return np.float64(word >> _11) * _UNIT


@helper
def output_sum(networks, who: int) -> float:
    """What network `who` has at its output before the last sigmoid, for one board.

    That sigmoid is left out since it changes no order. Only bits that are there are added: a
    network is a few kilobytes so, and many of them stay in the cache.
    """
    hidden, top, features, sums = networks
    n_units = sums.shape[0]
    for unit in range(n_units):
        sums[unit] = top[who, 0, unit]
    n_bytes = features.shape[2]
    for first in range(0, n_bytes, 8):
        left = ZERO
        for byte in range(first, min(first + 8, n_bytes)):
            left |= np.uint64(features[0, 0, byte]) << np.uint64(8 * (byte - first))
        while left != ZERO:
            bit = 8 * first + lowest_one(left)
            left &= left - ONE
            for unit in range(n_units):
                sums[unit] += hidden[who, bit, unit]
    total = top[who, 1, n_units]
    for unit in range(n_units):
        total += top[who, 1, unit] * sigmoid(sums[unit])
    return total


@helper
def came_up(keys, ply: int, key) -> int:
    """How often a board has been there among the first `ply` ones."""
    n = 0
    for earlier in range(ply):
        if keys[earlier] == key:
            n += 1
    return n


@helper
def looked_at(state, settings, scratch, codes, deeper: bool, networks, who: int):
    """What a board is worth to its side to move, and how many captures are to be played out.

    Only if it may go `deeper` are there any; then no worth is less than the one that is told.
    """
    goes_on = rules.at_rest(state, settings)
    if not goes_on:
        n_moves = rules.list_moves(state, settings, scratch, codes)
        if n_moves == 0:
            winner = rules.result(state, settings, scratch)
            if winner == DRAW:
                return 0.0, 0
            return math.inf if winner == rules.side_to_move(state) else -math.inf, 0
        if deeper and not rules.is_quiet(state, settings, scratch):
            return -math.inf, n_moves
    rules.write_bits(state, settings, MOVER, networks.features)
    return output_sum(networks, who), 0


@helper
def played_out(ahead, settings, networks, who: int) -> float:
    """What the first of the states is worth to its side to move, by network `who`.

    While a side has to capture, and there is room in `ahead`, captures are played: each side takes
    the one that is best for it in the end.
    """
    states, flat, scratches, codes, left, worth = ahead
    last = states.shape[0] - 1
    ply = 0
    left[0] = -1
    while True:
        if left[ply] < 0:
            worth[ply], left[ply] = looked_at(
                states[ply], settings, scratches[ply], codes[ply], ply < last, networks, who
            )
        if left[ply] > 0:
            left[ply] -= 1
            for i in range(flat.shape[1]):
                flat[ply + 1, i] = flat[ply, i]
            rules.play(states[ply + 1], settings, scratches[ply], codes[ply, left[ply]])
            ply += 1
            left[ply] = -1
        elif ply == 0:
            return worth[0]
        else:
            ply -= 1
            worth[ply] = max(worth[ply], -worth[ply + 1])


@kernel(
    f"void(float64[:,:,::1], float64[:,:,::1], {GAMES}, {rules.STATE}, {rules.STATE}, {AHEAD},"
    f" int64[::1], {rules.SCRATCH}, int64[::1], int64, int64, int64)"
)
def play_games(
    hidden, top, games, start, state, ahead, settings,
    scratch, codes, longest: int, repetitions: int, opening: int,
) -> None:  # fmt: skip
    """Play a game for each counter of random numbers: who won (or `DRAW`), and how many moves.

    The first `opening` moves are drawn at random, and a share of the later ones. It is a draw after
    `longest` moves, or when a board is there for the third time, if `repetitions` is 3 (0: as often
    as you like).
    """
    pairs, explore, counters, results, lengths, boards, sides = games
    networks = SwarmNetworks(
        hidden, top, np.zeros((1, 1, boards.shape[3]), np.uint8), np.empty(hidden.shape[2])
    )
    keys = np.empty(longest + 1, np.uint64)
    child = ahead.states[0]
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
                    value = 0.0
                    if repetitions == 0 or came_up(keys, ply + 1, rules.key(child)) == 0:
                        value = played_out(ahead, settings, networks, who)
                        if rules.side_to_move(child) != side:
                            value = -value
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
