"""Hex connections that cannot be cut, for boards that fit into single words.

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
"""

from __future__ import annotations

import numpy as np

from clauseboard.kernels.bits import ONE, ZERO, count_ones, lowest_one
from clauseboard.kernels.compiler import helper, kernel

N_FULL, N_HALF, N_WINS = 4, 12, 24
"""How many plans are kept: of each kind for a point, and from edge to edge."""

STRIDE = 8
_7, _8, _9 = np.uint64(7), np.uint64(8), np.uint64(9)
_NOT_FIRST = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
_NOT_LAST = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
_TURN_1, _TURN_2 = np.uint64(0x5555_5555_5555_5555), np.uint64(0x3333_3333_3333_3333)
_TURN_4, _TURN_8 = np.uint64(0x0F0F_0F0F_0F0F_0F0F), np.uint64(0x00FF_00FF_00FF_00FF)
_TURN_16 = np.uint64(0x0000_FFFF_0000_FFFF)
_2, _4, _16, _32 = np.uint64(2), np.uint64(4), np.uint64(16), np.uint64(32)

HALF, FULL, NEAR, LINKED = 0, 1, 2, 3
"""Rows of `lists`."""


# ---- cells


@helper
def board_of(size: int):
    """All cells of a board."""
    row = (ONE << np.uint64(size)) - ONE
    cells = ZERO
    for n in range(size):
        cells |= row << np.uint64(STRIDE * n)
    return cells


@helper
def around(cells):
    """The neighbours of cells, some of which may lie outside the board."""
    inner, outer = cells & _NOT_FIRST, cells & _NOT_LAST
    return inner >> ONE | outer << ONE | cells >> _8 | cells << _8 | outer >> _7 | inner << _7


@helper
def turned(cells, size: int):
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
def keep(plans, count: int, most: int, carrier) -> int:
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
def points_of(own, free, near):
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
def link(own, points, near, linked) -> None:
    """Write for each point those beside it, or with two empty cells between: one of them is sure.

    The two cells between are a bridge where the points are cells two steps apart.
    """
    rest = points
    while rest != ZERO:
        point = lowest_one(rest)
        rest &= rest - ONE
        others = near[point] & points
        empty = near[point] & ~own
        further = points & ~others & ~(ONE << np.uint64(point))
        while further != ZERO:
            other = lowest_one(further)
            both = empty & near[other]
            if both & (both - ONE) != ZERO:
                others |= ONE << np.uint64(other)
            further &= further - ONE
        linked[point] = others


@helper
def add_half(half, n_half, full, n_full, point: int, carrier) -> bool:
    """Note a half plan for a point, and the full ones it completes; whether there are any."""
    for n in range(n_full[point]):
        if full[point, n] & ~carrier == ZERO:
            return False
    plans = half[point]
    count = keep(plans, n_half[point], N_HALF, carrier)
    if count < 0:
        return False
    n_half[point] = count
    completes = False
    common, union = carrier, carrier
    for n in range(count):
        plan = plans[n]
        if plan & carrier == ZERO:
            longer = keep(full[point], n_full[point], N_FULL, plan | carrier)
            if longer > 0:
                n_full[point] = longer
                completes = True
        if common & ~plan != ZERO:
            common &= plan
            union |= plan
            if common == ZERO:
                longer = keep(full[point], n_full[point], N_FULL, union)
                if longer > 0:
                    n_full[point] = longer
                    completes = True
                common, union = carrier, carrier
    return completes


@helper
def connect_edge(own, points, near, linked, edge, full, n_full, half, n_half) -> None:
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
        rest = linked[point]
        while rest != ZERO:
            other = lowest_one(rest)
            other_bit = ONE << np.uint64(other)
            rest ^= other_bit
            adjacent = near[point] & other_bit != ZERO
            both = near[point] & near[other] & ~own
            for n in range(n_full[point]):
                carrier = full[point, n]
                if carrier & other_bit != ZERO:
                    continue
                if not adjacent:
                    between = both & ~carrier
                    lowest = between & (~between + ONE)
                    second = (between ^ lowest) & (~(between ^ lowest) + ONE)
                    if second == ZERO:
                        continue
                    carrier |= lowest | second
                if is_stone:
                    count = keep(full[other], n_full[other], N_FULL, carrier)
                    if count > 0:
                        n_full[other] = count
                        fresh |= other_bit
                elif add_half(half, n_half, full, n_full, other, carrier | bit):
                    fresh |= other_bit


@kernel("UniTuple(int64, 2)(uint64, uint64, int64, uint64[:,:,::1], uint64[:,::1], int64[:,::1])")
def connect(own, other, size: int, plans, lists, counts) -> tuple[int, int]:
    """Find plans from the top to the bottom; return how many half and how many full ones.

    `lists[HALF]` is given the carriers of the half ones, and `lists[FULL]` those of the full ones,
    smallest first. All three arrays are memory to work in, see `solver.py`.
    """
    free = board_of(size) & ~(own | other)
    near, linked = lists[NEAR], lists[LINKED]
    top = (ONE << np.uint64(size)) - ONE
    bottom = top << np.uint64(STRIDE * (size - 1))
    points = points_of(own, free, near)
    link(own, points, near, linked)
    above, below, half = plans[0], plans[1], plans[2]
    connect_edge(own, points, near, linked, top, above, counts[0], half, counts[2])
    connect_edge(own, points, near, linked, bottom, below, counts[1], half, counts[2])
    n_half, n_full = 0, 0
    while points != ZERO:
        point = lowest_one(points)
        bit = ONE << np.uint64(point)
        points ^= bit
        for i in range(counts[0, point]):
            for j in range(counts[1, point]):
                upper, lower = above[point, i], below[point, j]
                if upper & lower != ZERO:
                    continue
                if bit & own != ZERO:
                    count = keep(lists[FULL], n_full, N_WINS, upper | lower)
                    n_full = count if count > 0 else n_full
                else:
                    count = keep(lists[HALF], n_half, N_WINS, upper | lower | bit)
                    n_half = count if count > 0 else n_half
    return n_half, n_full
