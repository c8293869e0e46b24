"""The exact search of the Hex solver: it returns not only who wins but also the reason.

Boards, plans and carriers are those of `connections.py`. If a move loses, then to the opponent's
half plan with some carrier; a move outside that carrier would lose to the same plan. So only moves
in the carriers of all that failed are left to try (the *must-play*), and when none is left, the
union of these carriers carries the opponent's full plan. A won position gets a carrier in the same
way, so that what is learnt deep in the tree prunes everything above it.

Before anything else, dead and captured cells are filled (`inferior_cells.py`), and moves are left
out that others make needless. A carrier says that the winner wins although the loser has all cells
outside it. What makes a cell dead or captured still does so then, since stones are only added; so
the winner needs the cells it has captured, and those where it kills moves that were left out, and
nothing else.

Which move is looked at next is decided by proof numbers: about how many positions are still to be
solved before the side to move has won (proof) or lost (disproof).
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
    turned,
)
from clauseboard.games.hex.inferior_cells import fill_in, needless
from clauseboard.games.squares import reflected
from clauseboard.kernels.bits import ONE, STREAM_STEP, ZERO, count_ones, lowest_one, mixed
from clauseboard.kernels.compiler import helper, kernel

MEMORY = (
    "Tuple((uint64[:,::1], uint64[:,:,::1], uint64[:,::1], int64[:,::1], int64[:,:,::1],"
    " int64[::1]))"
)
"""The type of what `new_memory` makes."""

LOST, WON = 0, 1
NEVER = 1 << 40
"""The proof number of what is impossible."""


@helper
def must_play(plans, count: int, free) -> tuple[Any, Any]:
    """The cells common to half plans, and the union of those plans that made them fewer."""
    common, union = free, ZERO
    for n in range(count):
        if common & ~plans[n] != ZERO:
            common &= plans[n]
            union |= plans[n]
    return common, union


@helper
def place_of(own, other, size: int, table) -> tuple[Any, Any, Any, bool]:
    """Where a position belongs in the table, as it is kept there, and whether it is turned."""
    own_turned, other_turned = turned(own, size), turned(other, size)
    is_turned = own_turned < own or (own_turned == own and other_turned < other)
    if is_turned:
        own, other = own_turned, other_turned
    mask = np.uint64(table.shape[0] - 1)
    return np.int64(mixed(own + mixed(other + STREAM_STEP)) & mask), own, other, is_turned


@helper
def store(own, other, size: int, table, must, carrier, proof: int, disproof: int) -> None:
    """Enter a position in the table, in place of what was there."""
    place, own, other, is_turned = place_of(own, other, size, table)
    entry = table[place]
    entry[0] = own
    entry[1] = other
    entry[2] = turned(must, size) if is_turned else must
    entry[3] = turned(carrier, size) if is_turned else carrier
    entry[4] = np.uint64(proof)
    entry[5] = np.uint64(disproof)


@helper
def judge(own, other, size: int, memory) -> tuple[Any, Any, Any, Any]:
    """What is known of a filled position: must-play, carrier, proof and disproof number.

    It is taken from the table, or worked out and entered there.
    """
    table, plans, lists, counts, _, tally = memory
    place, kept_own, kept_other, is_turned = place_of(own, other, size, table)
    entry = table[place]
    if entry[0] == kept_own and entry[1] == kept_other and entry[4] + entry[5] != ZERO:
        must, carrier = entry[2], entry[3]
        if is_turned:
            must, carrier = turned(must, size), turned(carrier, size)
        return must, carrier, np.int64(entry[4]), np.int64(entry[5])
    tally[0] += 1
    free = board_of(size) & ~(own | other)
    n_half, n_full = connect(own, other, size, plans, lists, counts)
    if n_half + n_full > 0:
        must, carrier = ZERO, lists[FULL if n_full > 0 else HALF, 0]
        proof, disproof = 0, NEVER
    else:
        n_half, n_full = connect(reflected(other), reflected(own), size, plans, lists, counts)
        must, carrier = must_play(lists[HALF], n_half, reflected(free))
        if n_full > 0:
            must, carrier = ZERO, lists[FULL, 0]
        must, carrier = reflected(must), reflected(carrier)
        if must != ZERO:
            pruned, killers = needless(own, other, must, size)
            must &= ~pruned
            # Where no plan is known and yet no move can help, all cells are needed to say so.
            carrier = free if must == ZERO and n_half == 0 else carrier | killers
        proof, disproof = 1, count_ones(must)
        if must == ZERO:
            proof = NEVER
    store(own, other, size, table, must, carrier, proof, disproof)
    return must, carrier, proof, disproof


@helper
def widened(carrier, proof: int, disproof: int, captured, lost):
    """The carrier of a filled position as that of the position before: the winner has to answer.

    `captured` are the cells filled for the side to move, and `lost` those for the other side.
    """
    if proof == 0:
        return carrier | captured
    return carrier | lost if disproof == 0 else carrier


@kernel(f"Tuple((uint64, int64, int64))(uint64, uint64, int64, int64, int64, {MEMORY})")
def search(
    own, other, proof_limit: int, disproof_limit: int, size: int, memory
) -> tuple[Any, int, int]:
    """Depth-first proof-number search until a number reaches its limit.

    Return the carrier, which is the winner's once one of the numbers is 0, and the numbers.
    """
    table, stack = memory[0], memory[4]
    had, they_had = own, other
    own, other, dead = fill_in(own, other, size)
    captured, lost = own & ~(had | dead), other & ~they_had
    must, carrier, proof, disproof = judge(own, other, size, memory)
    if proof == 0 or disproof == 0:
        return widened(carrier, proof, disproof, captured, lost), proof, disproof
    their_own = reflected(other)
    moves = stack[count_ones(own | other)]
    rest = must
    count = 0
    while rest != ZERO:
        cell = lowest_one(rest)
        bit = ONE << np.uint64(cell)
        rest ^= bit
        mine = reflected(own | bit)
        new_own, new_other, dead = fill_in(their_own, mine, size)
        _, theirs, win, loss = judge(new_own, new_other, size, memory)
        theirs = widened(theirs, win, loss, new_own & ~(their_own | dead), new_other & ~mine)
        if loss == 0:
            carrier = reflected(theirs) | bit
            store(own, other, size, table, ZERO, carrier, 0, NEVER)
            return carrier | captured, 0, NEVER
        if win == 0:
            carrier |= reflected(theirs)
            must &= reflected(theirs)
            rest &= must
        moves[count, 0], moves[count, 1], moves[count, 2] = cell, win, loss
        count += 1
    while True:
        kept = 0
        best = 0
        proof, second, disproof, most = NEVER, NEVER, 0, 0
        for n in range(count):
            if must >> np.uint64(moves[n, 0]) & ONE == ZERO:
                continue
            moves[kept, 0], moves[kept, 1], moves[kept, 2] = moves[n, 0], moves[n, 1], moves[n, 2]
            most = max(most, moves[n, 1])
            if moves[n, 2] < proof:
                proof, second = moves[n, 2], proof
                best = kept
            elif moves[n, 2] < second:
                second = moves[n, 2]
            kept += 1
        count = kept
        # Not the sum: moves fall together, and positions are reached in several ways.
        disproof = most + count - 1
        if count == 0:
            proof, disproof = NEVER, 0
        if disproof == 0 or proof >= proof_limit or disproof >= disproof_limit:
            store(own, other, size, table, must, carrier, proof, disproof)
            return widened(carrier, proof, disproof, captured, lost), proof, disproof
        bit = ONE << np.uint64(moves[best, 0])
        theirs, win, loss = search(
            their_own,
            reflected(own | bit),
            disproof_limit - disproof + moves[best, 1],
            min(proof_limit, second + 1 + second // 4),
            size,
            memory,
        )
        if loss == 0:
            carrier = reflected(theirs) | bit
            store(own, other, size, table, ZERO, carrier, 0, NEVER)
            return carrier | captured, 0, NEVER
        if win == 0:
            carrier |= reflected(theirs)
            must &= reflected(theirs)
        moves[best, 1], moves[best, 2] = win, loss


@kernel(f"Tuple((int64, uint64))(uint64, uint64, int64, {MEMORY})")
def solve(own, other, size: int, memory) -> tuple[int, Any]:
    """Whether the side to move, here always red, has WON or LOST, and the winner's carrier."""
    carrier, proof, _ = search(own, other, NEVER, NEVER, size, memory)
    return WON if proof == 0 else LOST, carrier


@kernel(f"uint64(uint64, uint64, int64, {MEMORY})")
def winning(own, other, size: int, memory):
    """All moves that win for the side to move, if nobody has won yet."""
    won = ZERO
    result, _ = solve(own, other, size, memory)
    rest = board_of(size) & ~(own | other) if result == WON else ZERO
    while rest != ZERO:
        bit = rest & (~rest + ONE)
        rest ^= bit
        result, theirs = solve(reflected(other), reflected(own | bit), size, memory)
        if result == LOST:
            won |= bit
        else:
            # What beats this move beats every other that does not touch it.
            rest &= reflected(theirs)
    return won


@helper
def spaced(stones, size: int):
    """Stones without gaps between the rows, in rows of eight places."""
    row_mask = (ONE << np.uint64(size)) - ONE
    cells = ZERO
    for row in range(size):
        cells |= ((stones >> np.uint64(size * row)) & row_mask) << np.uint64(STRIDE * row)
    return cells


@helper
def closed_up(cells, size: int):
    """The reverse of `spaced`."""
    row_mask = (ONE << np.uint64(size)) - ONE
    stones = ZERO
    for row in range(size):
        stones |= ((cells >> np.uint64(STRIDE * row)) & row_mask) << np.uint64(size * row)
    return stones


@helper
def has_chain(own, size: int) -> bool:
    """Whether stones join the top and the bottom."""
    top = (ONE << np.uint64(size)) - ONE
    chain, before = own & top, ZERO
    while chain != before:
        before = chain
        chain |= around(chain) & own
    return chain >> np.uint64(STRIDE * (size - 1)) != ZERO


@kernel(f"void(uint64[:,::1], int8[::1], int64, int8[::1], {MEMORY})")
def solve_many(boards, to_move, size: int, winners, memory) -> None:
    """Write the winner of each board, 0 for red and 1 for blue; boards without gaps in the rows."""
    for n in range(boards.shape[0]):
        own, other = spaced(boards[n, 0], size), spaced(boards[n, 1], size)
        if to_move[n] != 0:
            own, other = reflected(other), reflected(own)
        result, _ = solve(own, other, size, memory)
        winners[n] = to_move[n] if result == WON else 1 - to_move[n]


@kernel(f"void(uint64[:,::1], int8[::1], int64, uint64[::1], {MEMORY})")
def winning_many(boards, to_move, size: int, moves, memory) -> None:
    """Write all winning moves of each board; none where the game is over."""
    for n in range(boards.shape[0]):
        own, other = spaced(boards[n, 0], size), spaced(boards[n, 1], size)
        if to_move[n] != 0:
            own, other = reflected(other), reflected(own)
        moves[n] = ZERO
        if not has_chain(own, size) and not has_chain(reflected(other), size):
            won = winning(own, other, size, memory)
            moves[n] = closed_up(reflected(won) if to_move[n] != 0 else won, size)


def new_memory(entries: int) -> tuple[Any, ...]:
    """The arrays that `solve` works in, with a table of so many entries (a power of 2)."""
    return (
        np.zeros((entries, 6), np.uint64),  # the table
        np.zeros((3, 64, N_HALF), np.uint64),  # plans of the points: to top, to bottom, half
        np.zeros((4, 64), np.uint64),  # plans from edge to edge, HALF and FULL; NEAR, LINKED
        np.zeros((3, 64), np.int64),  # how many plans each point has
        np.zeros((64, 64, 3), np.int64),  # for each number of stones the moves and their numbers
        np.zeros(1, np.int64),  # how many positions were judged
    )
