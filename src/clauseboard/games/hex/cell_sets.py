"""Sets of Hex cells in kernels, for boards of up to 15 × 15: four 64-bit words each.

A set is a tuple of four words, so that it is a value: kernels hold it in registers, and four words
are one instruction of most processors. Bit b of word w is cell 64 * w + b, as in `kernels.py`; the
two places after the last cell may stand for the edges of the board.
"""

from __future__ import annotations

import numpy as np

from clauseboard.kernels.bits import ONE, SIX_BITS, ZERO, count_ones, lowest_one
from clauseboard.kernels.compiler import helper

WORDS = 4
LARGEST = 15
"""The largest board whose cells and two edges fit into a set."""


@helper
def no_cells():
    """The empty set."""
    return (ZERO, ZERO, ZERO, ZERO)


@helper
def one_cell(cell: int):
    """The set of one cell."""
    bit, word = ONE << (np.uint64(cell) & SIX_BITS), cell >> 6
    return (
        bit if word == 0 else ZERO,
        bit if word == 1 else ZERO,
        bit if word == 2 else ZERO,
        bit if word == 3 else ZERO,
    )


@helper
def load(rows, n: int):
    """The set in a row of an array."""
    return (rows[n, 0], rows[n, 1], rows[n, 2], rows[n, 3])


@helper
def put(rows, n: int, cells) -> None:
    """Write a set into a row of an array."""
    rows[n, 0] = cells[0]
    rows[n, 1] = cells[1]
    rows[n, 2] = cells[2]
    rows[n, 3] = cells[3]


@helper
def union(a, b):
    """The cells of either set."""
    return (a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3])


@helper
def common(a, b):
    """The cells of both sets."""
    return (a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3])


@helper
def without(a, b):
    """The cells of the first set that are not in the second."""
    return (a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3])


@helper
def is_empty(a) -> bool:
    """Whether a set has no cell."""
    return (a[0] | a[1]) | (a[2] | a[3]) == ZERO


@helper
def meet(a, b) -> bool:
    """Whether two sets have a cell in common."""
    return ((a[0] & b[0]) | (a[1] & b[1])) | ((a[2] & b[2]) | (a[3] & b[3])) != ZERO


@helper
def is_within(a, b) -> bool:
    """Whether all cells of the first set are in the second."""
    return ((a[0] & ~b[0]) | (a[1] & ~b[1])) | ((a[2] & ~b[2]) | (a[3] & ~b[3])) == ZERO


@helper
def size_of(a) -> int:
    """The number of cells."""
    return count_ones(a[0]) + count_ones(a[1]) + count_ones(a[2]) + count_ones(a[3])


@helper
def first_of(a):
    """The lowest cell of a set as a set; the empty set if there is none."""
    if a[0] != ZERO:
        return (a[0] & (~a[0] + ONE), ZERO, ZERO, ZERO)
    if a[1] != ZERO:
        return (ZERO, a[1] & (~a[1] + ONE), ZERO, ZERO)
    if a[2] != ZERO:
        return (ZERO, ZERO, a[2] & (~a[2] + ONE), ZERO)
    return (ZERO, ZERO, ZERO, a[3] & (~a[3] + ONE))


@helper
def number_of(a) -> int:
    """The number of the lowest cell of a set that is not empty."""
    if a[0] != ZERO:
        return lowest_one(a[0])
    if a[1] != ZERO:
        return 64 + lowest_one(a[1])
    if a[2] != ZERO:
        return 128 + lowest_one(a[2])
    return 192 + lowest_one(a[3])


@helper
def keep(carriers, count: int, most: int, carrier) -> int:
    """Add a set to a list of rows, smallest first, unless one in it is part of the new one.

    Return the new length, or -1 if the list stays as it was. Sets of which the new one is a part
    are taken out, and the largest if the list is full.
    """
    cells = size_of(carrier)
    place = 0
    while place < count and size_of(load(carriers, place)) <= cells:
        if is_within(load(carriers, place), carrier):
            return -1
        place += 1
    if place == most:
        return -1
    kept = place
    for n in range(place, count):
        later = load(carriers, n)
        if not is_within(carrier, later):
            put(carriers, kept, later)
            kept += 1
    if kept == most:
        kept -= 1
    n = kept
    while n > place:
        put(carriers, n, load(carriers, n - 1))
        n -= 1
    put(carriers, place, carrier)
    return kept + 1
