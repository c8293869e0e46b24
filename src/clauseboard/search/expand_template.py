"""Kernels that expand many boards at once; a template, compiled for each game (`search.board`)."""

from __future__ import annotations

from typing import Any

from clauseboard.kernels.compiler import kernel

# ruff: noqa: F821
rules: Any

STATES = rules.STATE.replace("[", "[:,", 1)
"""The type of many states: an array with one dimension more."""

OPEN = -1
"""The result of a game that goes on."""


@kernel(
    f"void({STATES}, int64[::1], {rules.SCRATCH}, int64[::1], int64[::1], int64[::1], int64[::1])"
)
def look_at(
    states: Any, settings: Any, scratch: Any, codes: Any, sides: Any, counts: Any, results: Any
) -> None:
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
def expand(
    states: Any,
    rows: Any,
    settings: Any,
    scratch: Any,
    codes: Any,
    children: Any,
    parents: Any,
    played: Any,
) -> None:
    """Write the children of some states in order, the row each one comes from, and its move."""
    n = 0
    for row in rows:
        for k in range(rules.list_moves(states[row], settings, scratch, codes)):
            child = children[n]
            child[:] = states[row]
            rules.play(child, settings, scratch, codes[k])
            parents[n] = row
            played[n] = codes[k]
            n += 1


@kernel(f"void({STATES}, int64[::1], int64[::1], int64, uint8[:,:,::1])")
def pack(states: Any, rows: Any, settings: Any, view: int, bits: Any) -> None:
    """Write the packed bits of some states in a view, one row (1 × bytes) each."""
    for n in range(rows.shape[0]):
        rules.write_bits(states[rows[n]], settings, view, bits[n : n + 1])
