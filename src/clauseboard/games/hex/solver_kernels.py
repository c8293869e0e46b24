"""Exact Hex in single words: connections that cannot be cut, and a search that returns its proof.

A board has rows of eight places whatever its size, so that a side's stones are one word up to
8 × 8, reflecting is three swaps of bits, and a cell's neighbours lie at fixed distances. Every
function sees the board with its own side as red, which joins top and bottom; for the other side
both the colours and the board are reversed.

A *carrier* is a set of empty cells within which a side carries its plan through, whatever is
played elsewhere. A plan is *full* if it works although the other side moves first, *half* if its
side has to move first. `connect` finds plans by two rules (Anshelevich's H-search, here with one
end always at an edge of the board):

- two full plans that meet in a point and share no cell make one plan: full if the point is a
  stone, half if it is an empty cell, which must be played first;
- half plans that have no cell common to all of them make a full plan: whichever cell the other
  side takes, one of them is untouched.

`solve` searches on from there. If a move loses, then to the opponent's half plan with some
carrier; a move outside that carrier would lose to the same plan. So only moves in the carriers of
all that failed are left to try (the *must-play*), and when none is left, the union of these
carriers carries the opponent's full plan. A won position gets a carrier in the same way, so that
what is learnt deep in the tree prunes everything above it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.compiled import helper, kernel
from clauseboard.words import ONE, STREAM_STEP, ZERO, count_ones, lowest_one, mixed

N_FULL, N_HALF, N_WINS = 4, 12, 24
"""How many plans are kept: of each kind for a point, and from edge to edge."""

STRIDE = 8
_7, _8, _9, _14, _28 = (np.uint64(n) for n in (7, 8, 9, 14, 28))
_NOT_FIRST = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
_NOT_LAST = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
_SWAP_1, _SWAP_2 = np.uint64(0x00AA_00AA_00AA_00AA), np.uint64(0x0000_CCCC_0000_CCCC)
_SWAP_4 = np.uint64(0x0000_0000_F0F0_F0F0)
_TURN_1, _TURN_2 = np.uint64(0x5555_5555_5555_5555), np.uint64(0x3333_3333_3333_3333)
_TURN_4, _TURN_8 = np.uint64(0x0F0F_0F0F_0F0F_0F0F), np.uint64(0x00FF_00FF_00FF_00FF)
_TURN_16 = np.uint64(0x0000_FFFF_0000_FFFF)
_2, _4, _16, _32 = np.uint64(2), np.uint64(4), np.uint64(16), np.uint64(32)

UNKNOWN, LOST, WON = 0, 1, 2
HALF, FULL, NEAR = 0, 1, 2



# ---- cells


@helper
def board_of(size: int) -> Any:
    """All cells of a board."""
    row = (ONE << np.uint64(size)) - ONE
    cells = ZERO
    for n in range(size):
        cells |= row << np.uint64(STRIDE * n)
    return cells


@helper
def around(cells: Any) -> Any:
    """The neighbours of cells, some of which may lie outside the board."""
    inner, outer = cells & _NOT_FIRST, cells & _NOT_LAST
    return inner >> ONE | outer << ONE | cells >> _8 | cells << _8 | outer >> _7 | inner << _7


@helper
def reflected(cells: Any) -> Any:
    """Rows become columns."""
    swap = (cells ^ (cells >> _7)) & _SWAP_1
    cells = cells ^ swap ^ (swap << _7)
    swap = (cells ^ (cells >> _14)) & _SWAP_2
    cells = cells ^ swap ^ (swap << _14)
    swap = (cells ^ (cells >> _28)) & _SWAP_4
    return cells ^ swap ^ (swap << _28)


@helper
def turned(cells: Any, size: int) -> Any:
    """The board turned by 180 degrees: the bits of the word in reverse order, moved back."""
    cells = ((cells >> ONE) & _TURN_1) | ((cells & _TURN_1) << ONE)
    cells = ((cells >> _2) & _TURN_2) | ((cells & _TURN_2) << _2)
    cells = ((cells >> _4) & _TURN_4) | ((cells & _TURN_4) << _4)
    cells = ((cells >> _8) & _TURN_8) | ((cells & _TURN_8) << _8)
    cells = ((cells >> _16) & _TURN_16) | ((cells & _TURN_16) << _16)
    cells = (cells >> _32) | (cells << _32)
    return cells >> (_9 * np.uint64(STRIDE - size))


# ---- plans


@helper
def keep(plans: Any, count: int, most: int, carrier: Any) -> int:
    """Add a carrier to a list, smallest first, unless one in it is part of the new one.

    Return the new length, or -1 if the list stays as it was. Carriers of which the new one is a
    part are taken out, and the largest if the list is full.
    """
    ones = count_ones(carrier)
    place = 0
    while place < count and count_ones(plans[place]) <= ones:
        if plans[place] & ~carrier == ZERO:
            return -1
        place += 1
    if place == most:
        return -1
    kept = place
    for n in range(place, count):
        if carrier & ~plans[n] != ZERO:
            plans[kept] = plans[n]
            kept += 1
    if kept == most:
        kept -= 1
    n = kept
    while n > place:
        plans[n] = plans[n - 1]
        n -= 1
    plans[place] = carrier
    return kept + 1


@helper
def points_of(own: Any, free: Any, near: Any) -> Any:
    """The points plans lead to: each empty cell, and one stone for each chain.

    `near[point]` is given the neighbours of the cell or chain. Return the points.
    """
    points = free
    rest = free
    while rest != ZERO:
        cell = lowest_one(rest)
        near[cell] = around(ONE << np.uint64(cell)) & (own | free)
        rest &= rest - ONE
    rest = own
    while rest != ZERO:
        chain, before = rest & (~rest + ONE), ZERO
        points |= chain
        first = lowest_one(chain)
        while chain != before:
            before = chain
            chain |= around(chain) & own
        near[first] = around(chain) & free
        rest &= ~chain
        # A cell beside the chain is beside its first stone, which stands for all of it.
        beside = near[first]
        while beside != ZERO:
            cell = lowest_one(beside)
            near[cell] = (near[cell] & ~chain) | ONE << np.uint64(first)
            beside &= beside - ONE
    return points


@helper
def add_half(half: Any, n_half: Any, full: Any, n_full: Any, point: int, carrier: Any) -> bool:
    """Note a half plan for a point, and the full ones it completes; whether there are any."""
    for n in range(n_full[point]):
        if full[point, n] & ~carrier == ZERO:
            return False
    plans = half[point]
    count = keep(plans, n_half[point], N_HALF, carrier)
    if count < 0:
        return False
    n_half[point] = count
    found = False
    common, union = carrier, carrier
    for n in range(count):
        plan = plans[n]
        if plan & carrier == ZERO:
            longer = keep(full[point], n_full[point], N_FULL, plan | carrier)
            if longer > 0:
                n_full[point] = longer
                found = True
        if common & ~plan != ZERO:
            common &= plan
            union |= plan
            if common == ZERO:
                longer = keep(full[point], n_full[point], N_FULL, union)
                if longer > 0:
                    n_full[point] = longer
                    found = True
                common, union = carrier, carrier
    return found


@helper
def connect_edge(
    own: Any, points: Any, near: Any, edge: Any, full: Any, n_full: Any, half: Any, n_half: Any
) -> None:
    """Find plans that connect points with one edge of the board, given as the cells along it."""
    rest = points
    fresh = ZERO
    while rest != ZERO:
        point = lowest_one(rest)
        bit = ONE << np.uint64(point)
        rest ^= bit
        n_full[point] = 0
        n_half[point] = 0
        # Of a chain, only the first stone is a point.
        touches = bit & edge != ZERO
        if bit & own != ZERO and not touches:
            chain, before = bit, ZERO
            while chain != before:
                before = chain
                chain |= around(chain) & own
            touches = chain & edge != ZERO
        if touches:
            full[point, 0] = ZERO
            n_full[point] = 1
            fresh |= bit
    while fresh != ZERO:
        point = lowest_one(fresh)
        bit = ONE << np.uint64(point)
        fresh ^= bit
        is_stone = bit & own != ZERO
        rest = points & ~bit
        while rest != ZERO:
            other = lowest_one(rest)
            other_bit = ONE << np.uint64(other)
            rest ^= other_bit
            adjacent = near[point] & other_bit != ZERO
            both = near[point] & near[other] & ~own
            if not adjacent and both & (both - ONE) == ZERO:
                continue
            for n in range(n_full[point]):
                carrier = full[point, n]
                if carrier & other_bit != ZERO:
                    continue
                if not adjacent:
                    between = both & ~carrier
                    one = between & (~between + ONE)
                    two = (between ^ one) & (~(between ^ one) + ONE)
                    if two == ZERO:
                        continue
                    carrier |= one | two
                if is_stone:
                    count = keep(full[other], n_full[other], N_FULL, carrier)
                    if count > 0:
                        n_full[other] = count
                        fresh |= other_bit
                elif add_half(half, n_half, full, n_full, other, carrier | bit):
                    fresh |= other_bit


@kernel("UniTuple(int64, 2)(uint64, uint64, int64, uint64[:,:,::1], uint64[:,::1], int64[:,::1])")
def connect(
    own: Any, other: Any, size: int, plans: Any, lists: Any, counts: Any
) -> tuple[int, int]:
    """Find plans from the top to the bottom; return how many half and how many full ones.

    `lists[HALF]` is given the carriers of the half ones, and `lists[FULL]` those of the full ones,
    smallest first. All three arrays are memory to work in, see `solver.py`.
    """
    free = board_of(size) & ~(own | other)
    near = lists[NEAR]
    top = (ONE << np.uint64(size)) - ONE
    bottom = top << np.uint64(STRIDE * (size - 1))
    points = points_of(own, free, near)
    above, below, half = plans[0], plans[1], plans[2]
    connect_edge(own, points, near, top, above, counts[0], half, counts[2])
    connect_edge(own, points, near, bottom, below, counts[1], half, counts[2])
    n_half, n_full = 0, 0
    while points != ZERO:
        point = lowest_one(points)
        bit = ONE << np.uint64(point)
        points ^= bit
        for i in range(counts[0, point]):
            for j in range(counts[1, point]):
                one, two = above[point, i], below[point, j]
                if one & two != ZERO:
                    continue
                if bit & own != ZERO:
                    count = keep(lists[FULL], n_full, N_WINS, one | two)
                    n_full = count if count > 0 else n_full
                else:
                    count = keep(lists[HALF], n_half, N_WINS, one | two | bit)
                    n_half = count if count > 0 else n_half
    return n_half, n_full


# ---- search


@helper
def must_play(plans: Any, count: int, free: Any) -> tuple[Any, Any]:
    """The cells common to half plans, and the union of those plans that made them fewer."""
    common, union = free, ZERO
    for n in range(count):
        if common & ~plans[n] != ZERO:
            common &= plans[n]
            union |= plans[n]
    return common, union


@helper
def place_of(own: Any, other: Any, size: int, table: Any) -> tuple[int, Any, Any, bool]:
    """Where a position belongs in the table, as it is kept there, and whether it is turned."""
    own_turned, other_turned = turned(own, size), turned(other, size)
    is_turned = own_turned < own or (own_turned == own and other_turned < other)
    if is_turned:
        own, other = own_turned, other_turned
    mask = np.uint64(table.shape[0] - 1)
    return np.int64(mixed(own + mixed(other + STREAM_STEP)) & mask), own, other, is_turned


@helper
def look_up(own: Any, other: Any, size: int, table: Any) -> tuple[int, Any]:
    """What the table knows of a position: LOST or WON with the winner's carrier, or UNKNOWN."""
    place, own, other, is_turned = place_of(own, other, size, table)
    entry = table[place]
    if entry[0] != own or entry[1] != other or entry[3] == ZERO:
        return UNKNOWN, ZERO
    carrier = turned(entry[2], size) if is_turned else entry[2]
    return np.int64(entry[3]), carrier


@helper
def store(own: Any, other: Any, size: int, table: Any, result: int, carrier: Any) -> None:
    """Enter a solved position in the table, in place of what was there."""
    place, own, other, is_turned = place_of(own, other, size, table)
    entry = table[place]
    entry[0] = own
    entry[1] = other
    entry[2] = turned(carrier, size) if is_turned else carrier
    entry[3] = np.uint64(result)


@kernel(
    "Tuple((int64, uint64))(uint64, uint64, uint64, uint64, int64, uint64[:,::1],"
    " uint64[:,:,::1], uint64[:,::1], int64[:,::1], uint64[:,:,::1], int64[::1])"
)
def solve(
    own: Any,
    other: Any,
    must: Any,
    union: Any,
    size: int,
    table: Any,
    plans: Any,
    lists: Any,
    counts: Any,
    stack: Any,
    tally: Any,
) -> tuple[int, Any]:
    """Whether the side to move, here always red, has WON or LOST, and the winner's carrier.

    `must` are the cells to try, the others being known to lose to plans with the carrier `union`.
    """
    known, carrier = look_up(own, other, size, table)
    if known != UNKNOWN:
        return known, carrier
    tally[0] += 1
    n_half, n_full = connect(own, other, size, plans, lists, counts)
    tally[1] += 1
    if n_full + n_half > 0:
        carrier = lists[FULL if n_full > 0 else HALF, 0]
        store(own, other, size, table, WON, carrier)
        return WON, carrier
    free = board_of(size) & ~(own | other)
    moves = stack[count_ones(own | other)]
    n_moves = 0
    rest = must
    while rest != ZERO:
        bit = rest & (~rest + ONE)
        rest ^= bit
        known, carrier = look_up(reflected(other), reflected(own | bit), size, table)
        carrier = reflected(carrier)
        if known == LOST:
            store(own, other, size, table, WON, carrier | bit)
            return WON, carrier | bit
        if known == WON:
            must &= carrier
            rest &= carrier
            union |= carrier
            continue
        n_half, n_full = connect(own | bit, other, size, plans, lists, counts)
        tally[1] += 1
        their_must, their_union = must_play(lists[HALF], n_half, free ^ bit)
        if n_full > 0:
            their_must, their_union = ZERO, lists[FULL, 0]
        if their_must == ZERO:
            store(own, other, size, table, WON, their_union | bit)
            return WON, their_union | bit
        score = np.uint64(count_ones(their_must))
        n = n_moves
        while n > 0 and moves[n - 1, 3] > score:
            moves[n] = moves[n - 1]
            n -= 1
        moves[n, 0], moves[n, 1], moves[n, 2], moves[n, 3] = bit, their_must, their_union, score
        n_moves += 1
    for n in range(n_moves):
        bit = moves[n, 0]
        if must & bit == ZERO:
            continue
        result, carrier = solve(
            reflected(other),
            reflected(own | bit),
            reflected(moves[n, 1]),
            reflected(moves[n, 2]),
            size,
            table,
            plans,
            lists,
            counts,
            stack,
            tally,
        )
        carrier = reflected(carrier)
        if result == LOST:
            store(own, other, size, table, WON, carrier | bit)
            return WON, carrier | bit
        must &= carrier
        union |= carrier
    store(own, other, size, table, LOST, union)
    return LOST, union
