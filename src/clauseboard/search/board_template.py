"""A game's functions for kernels as kernels of their own, for Python to call.

`compiled_rules` says what each is for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.kernels.bits import copy_into
from clauseboard.kernels.compiler import kernel

# ruff: noqa: F821 (`rules` is put here when the kernels are compiled for a game)
rules: Any


@kernel(f"int64({rules.STATE})")
def side_to_move(state) -> int:
    """0 for the first colour, 1 for the second."""
    return rules.side_to_move(state)


@kernel(f"Tuple((int64, int64))({rules.STATE}, int64[::1], {rules.SCRATCH}, int64[::1])")
def list_moves(state, settings, scratch, codes) -> tuple[int, int]:
    """Write the codes of the legal moves; how many there are, and the result if there are none."""
    count = rules.list_moves(state, settings, scratch, codes)
    return count, rules.result(state, settings, scratch) if count == 0 else -1


@kernel(f"boolean({rules.STATE}, int64[::1], {rules.SCRATCH}, int64[::1])")
def is_quiet(state, settings, scratch, codes) -> bool:
    """Whether no capture is on."""
    rules.list_moves(state, settings, scratch, codes)
    return rules.is_quiet(state, settings, scratch)


@kernel(f"boolean({rules.STATE}, int64[::1])")
def at_rest(state, settings) -> bool:
    """Whether it is plain, without a list of moves, that the game goes on and no capture is on."""
    return rules.at_rest(state, settings)


@kernel(f"void({rules.STATE}, int64[::1], {rules.SCRATCH}, int64[::1], int64)")
def play(state, settings, scratch, codes, code: int) -> None:
    """Make a move in place."""
    if rules.PLAY_NEEDS_MOVES:
        rules.list_moves(state, settings, scratch, codes)
    rules.play(state, settings, scratch, code)


@kernel(f"void({rules.STATE}, int64[::1], int64, uint8[:,:,::1])")
def write_bits(state, settings, view: int, features) -> None:
    """Write the packed bits of the board into features[0, 0]."""
    rules.write_bits(state, settings, view, features)


@kernel(f"uint64({rules.STATE})")
def key(state):
    """A hash of the board and the side to move."""
    return rules.key(state)


@kernel(f"Tuple((int64, uint64))({rules.STATE}, int64[::1], {rules.SCRATCH}, uint64)")
def play_out(state, settings, scratch, counter) -> tuple[int, Any]:
    """Play random moves to the end, in place: the result and the counter of random numbers."""
    return rules.play_out(state, settings, scratch, counter)


@kernel(f"Tuple((boolean, int64, int64))({rules.STATE}, int64[::1], {rules.KNOWLEDGE})")
def exact_value(state, settings, knowledge) -> tuple[bool, int, int]:
    """Whether anything is known for certain, the value for the side to move, moves to the end."""
    return rules.exact_value(state, settings, knowledge)


# ------------------------------------------------------------------ many boards at once

STATES = rules.STATE.replace("[", "[:,", 1)
"""The type of many states: an array with one dimension more."""

OPEN = -1
"""The result of a game that goes on."""


@kernel(
    f"void({STATES}, int64[::1], {rules.SCRATCH}, int64[::1], int64[::1], int64[::1], int64[::1])"
)
def count_moves(states, settings, scratch, codes, sides, counts, results) -> None:
    """Write of each state whose turn it is, how many moves there are, and the result, or `OPEN`."""
    for row in range(states.shape[0]):
        state = states[row]
        sides[row] = rules.side_to_move(state)
        counts[row] = rules.list_moves(state, settings, scratch, codes)
        results[row] = OPEN
        if counts[row] == 0:
            results[row] = rules.result(state, settings, scratch)


@kernel(
    f"void({STATES}, int64[::1], int64[::1], {rules.SCRATCH}, int64[::1], {STATES}, int64[::1],"
    " int64[::1])"
)
def expand(states, rows, settings, scratch, codes, children, parents, played) -> None:
    """Write the children of some states in order, the row each one comes from, and its move."""
    n = 0
    for row in rows:
        for k in range(rules.list_moves(states[row], settings, scratch, codes)):
            child = children[n]
            copy_into(child, states[row])
            rules.play(child, settings, scratch, codes[k])
            parents[n] = row
            played[n] = codes[k]
            n += 1


@kernel(f"void({STATES}, int64[::1], int64[::1], int64, uint8[:,:,::1])")
def pack(states, rows, settings, view: int, bits) -> None:
    """Write the packed bits of some states in a view, one row (1 × bytes) each."""
    for n in range(rows.shape[0]):
        rules.write_bits(states[rows[n]], settings, view, bits[n : n + 1])


# ------------------------------------------------------------------ features of moves


@kernel(f"void({rules.STATE}, int64[::1], {rules.SCRATCH}, int64[::1], uint8[:,::1])")
def write_move_rows(state, settings, scratch, codes, rows) -> None:
    """Write the packed bits of what is around each move into a row."""
    features = np.empty((1, 1, rows.shape[1]), np.uint8)
    for n in range(codes.shape[0]):
        rules.write_move_features(state, settings, scratch, codes[n], features)
        rows[n] = features[0, 0]
