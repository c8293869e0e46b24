"""In how few stones a Hex win can be forced: exact, by asking whether n are enough, for n upwards.

The attacker is always red of `connections.py`, whoever moves, and wins if the chain is closed with
the last of its stones or sooner. As in `proof_search.py` every yes comes with a carrier, outside
of which the defender may have all cells; so the defender only has to be tried where the carriers
of all attacks that went through so far overlap. A first one is had by letting the attacker move
twice: what does not work then does not work at all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.games.hex.connections import (
    FULL,
    HALF,
    N_HALF,
    STRIDE,
    around,
    board_of,
    connect,
)
from clauseboard.games.hex.inferior_cells import fill_in_defence, needless
from clauseboard.games.hex.proof_search import must_play
from clauseboard.games.squares import reflected
from clauseboard.kernels.bits import ONE, STREAM_STEP, ZERO, count_ones, mixed
from clauseboard.kernels.compiler import helper, kernel

MEMORY = "Tuple((uint64[:,::1], uint64[:,:,::1], uint64[:,::1], int64[:,::1], uint64[::1]))"
"""The type of what `new_memory` makes."""

NO, YES, GIVEN_UP = 0, 1, 2
ATTACKER, DEFENDER = 0, 1
NO_NUMBER = 255
"""More stones than any board has cells."""

_BYTE, _8, _16 = np.uint64(255), np.uint64(8), np.uint64(16)


@helper
def spread(reached, own):
    """Cells, and all that chains of stones lead to from there."""
    before = ZERO
    while reached != before:
        before = reached
        reached |= around(reached) & own
    return reached


@helper
def paths(own, free, stones: int, size: int, layers) -> tuple[int, Any]:
    """How many stones the shortest path needs, and all cells on paths of at most `stones`."""
    top = (ONE << np.uint64(size)) - ONE
    bottom = top << np.uint64(STRIDE * (size - 1))
    shortest = NO_NUMBER
    reached = spread(own & top, own)
    if reached & bottom != ZERO:
        return 0, ZERO
    for n in range(1, stones + 1):
        reached = spread(reached | ((around(reached) | top) & free), own)
        layers[n] = reached
        if shortest == NO_NUMBER and reached & bottom != ZERO:
            shortest = n
    cells = ZERO
    reached = spread(own & bottom, own)
    for n in range(1, stones + 1):
        reached = spread(reached | ((around(reached) | bottom) & free), own)
        cells |= reached & layers[stones + 1 - n]
    return shortest, cells & free


@helper
def tightest(own, free, moves, stones: int, size: int, layers):
    """Where a stone of the defender leaves the fewest cells on paths of so many stones."""
    best, fewest = ZERO, NO_NUMBER
    while moves != ZERO:
        bit = moves & (~moves + ONE)
        moves ^= bit
        _, cells = paths(own, free ^ bit, stones, size, layers)
        if count_ones(cells) < fewest:
            best, fewest = bit, count_ones(cells)
    return best


@helper
def place_of(own, other, to_move: int, table):
    """The number of the entry where a position belongs, emptied if another one is in it.

    It holds both sides' stones, a carrier, and from the lowest byte: the fewest stones known to be
    enough, one more than the most known not to be, and who moves.
    """
    word = mixed(own + mixed(other + np.uint64(to_move + 1) * STREAM_STEP))
    place = np.int64(word & np.uint64(table.shape[0] - 1))
    entry = table[place]
    if entry[0] != own or entry[1] != other or entry[3] >> _16 != np.uint64(to_move):
        entry[0] = own
        entry[1] = other
        entry[3] = _BYTE | np.uint64(to_move) << _16
    return place


@helper
def looked_up(own, other, to_move: int, stones: int, table) -> tuple[int, Any]:
    """The entry of the table about so many stones, or GIVEN_UP if there is none."""
    entry = table[place_of(own, other, to_move, table)]
    if np.uint64(stones) >= entry[3] & _BYTE:
        return YES, entry[2]
    if np.uint64(stones) < entry[3] >> _8 & _BYTE:
        return NO, ZERO
    return GIVEN_UP, ZERO


@helper
def note_yes(own, other, to_move: int, table, stones: int, carrier) -> None:
    """Enter that so many stones are enough."""
    entry = table[place_of(own, other, to_move, table)]
    if np.uint64(stones) < entry[3] & _BYTE:
        entry[2] = carrier
        entry[3] = (entry[3] & ~_BYTE) | np.uint64(stones)


@helper
def note_no(own, other, to_move: int, table, stones: int) -> None:
    """Enter that so many stones are not enough."""
    entry = table[place_of(own, other, to_move, table)]
    if np.uint64(stones) >= entry[3] >> _8 & _BYTE:
        entry[3] = (entry[3] & ~(_BYTE << _8)) | np.uint64(stones + 1) << _8


@helper
def plans_tell(own, other, stones: int, to_move: int, size: int, memory) -> tuple[int, Any, Any]:
    """Whether plans settle the matter, or GIVEN_UP; the carrier; and where the attacker may move.

    A plan with n cells needs no more than half of them, since the players take turns there.
    """
    _, plans, lists, counts, _ = memory
    free = board_of(size) & ~(own | other)
    n_half, n_full = connect(own, other, size, plans, lists, counts)
    if n_full > 0 and count_ones(lists[FULL, 0]) // 2 <= stones:
        return YES, lists[FULL, 0], free
    if to_move == ATTACKER and n_half > 0 and (count_ones(lists[HALF, 0]) + 1) // 2 <= stones:
        return YES, lists[HALF, 0], free
    if n_full > 0 or (n_half > 0 and to_move == ATTACKER):
        return GIVEN_UP, ZERO, free
    n_half, n_full = connect(reflected(other), reflected(own), size, plans, lists, counts)
    if n_full > 0 or (n_half > 0 and to_move == DEFENDER):
        return NO, ZERO, free
    must, _ = must_play(lists[HALF], n_half, reflected(free))
    return GIVEN_UP, ZERO, reflected(must)


@kernel(f"Tuple((int64, uint64))(uint64, uint64, int64, int64, int64, {MEMORY}, int64[::1])")
def forced(own, other, stones: int, to_move: int, size: int, memory, effort) -> tuple[int, Any]:
    """Whether the attacker, who has the stones `own`, wins with so many more; and the carrier.

    The answer is GIVEN_UP when `effort[0]`, the number of positions left to look at, is used up.
    """
    table, layers = memory[0], memory[4]
    # Not a constant: Numba would call another function, for that constant, which is not kept.
    not_to_move = 1 - to_move
    shortest, cells, before = 0, board_of(size) & ~(own | other), ZERO
    while cells != before:
        # What is on no path short enough is as good as the defender's.
        before = cells
        other = fill_in_defence(own, board_of(size) & ~(own | cells), size)
        shortest, cells = paths(own, board_of(size) & ~(own | other), stones, size, layers)
        if shortest == 0:
            return YES, ZERO
        if shortest > stones:
            return NO, ZERO
    free = cells
    answer, carrier = looked_up(own, other, to_move, stones, table)
    if answer != GIVEN_UP:
        return answer, carrier
    if effort[0] <= 0:
        return GIVEN_UP, ZERO
    effort[0] -= 1
    answer, carrier, must = plans_tell(own, other, stones, to_move, size, memory)
    if answer == YES:
        note_yes(own, other, to_move, table, stones, carrier)
        return YES, carrier
    if answer == NO:
        note_no(own, other, to_move, table, NO_NUMBER - 1)
        return NO, ZERO
    if to_move == ATTACKER:
        pruned, _ = needless(own, other, cells & must, size)
        cells &= must & ~pruned
        while cells != ZERO:
            bit = cells & (~cells + ONE)
            cells ^= bit
            answer, carrier = forced(
                own | bit, other, stones - 1, not_to_move, size, memory, effort
            )
            if answer == YES:
                note_yes(own, other, to_move, table, stones, carrier | bit)
                return YES, carrier | bit
            if answer == GIVEN_UP:
                return GIVEN_UP, ZERO
        note_no(own, other, to_move, table, stones)
        return NO, ZERO
    must, union = cells, ZERO
    while must != ZERO:
        bit = tightest(own, free, must, stones, size, layers)
        answer, carrier = forced(own, other | bit, stones, not_to_move, size, memory, effort)
        if answer == NO:
            note_no(own, other, to_move, table, stones)
        if answer != YES:
            return answer, ZERO
        must &= carrier
        union |= carrier
    note_yes(own, other, to_move, table, stones, union)
    return YES, union


def new_memory(entries: int) -> tuple[Any, ...]:
    """The arrays that `forced` works in, without `effort`; of so many entries (a power of 2)."""
    table = np.zeros((entries, 4), np.uint64)
    table[:, 3] = _BYTE
    return (
        table,
        np.zeros((3, 64, N_HALF), np.uint64),  # these three as in `proof_search.new_memory`
        np.zeros((4, 64), np.uint64),
        np.zeros((3, 64), np.int64),
        np.zeros(66, np.uint64),  # for the lengths of paths, what is reached from the top
    )
