"""Hex cells that need no thought: dead ones, captured ones, and moves that others make needless.

A cell is *dead* if its colour never matters. That is certain where the six cells around it, in
whatever way the empty ones of them are filled, do not change colour four times on the way round:
then no chain needs to go through the cell. The places beyond the board have the colour of the side
that owns the edge.

All else follows by looking at a cell with one more stone beside it:

- Two empty cells are *captured* by a side if a stone of it on either makes the other dead: it
  answers there, and both are as good as its own.
- A move is *vulnerable* if an answer of the opponent makes it dead. Any winning move that is left
  then would have won a stone sooner, so that the quickest win is never a vulnerable move.
- A move is *dominated* by a cell beside it on which the same side's stone would make it dead.

Boards are those of `connections.py`; all cells of a board are looked at together, bit by bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.games.hex.connections import STRIDE, board_of
from clauseboard.kernels.bits import ONE, ZERO
from clauseboard.kernels.compiler import helper

NOWHERE = -1
"""No direction; the six are numbered round a cell, so that opposite ones differ by 3."""

_7, _8 = np.uint64(7), np.uint64(8)
_NOT_FIRST = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
_NOT_LAST = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
_FIRST = np.uint64(0x0101_0101_0101_0101)


@helper
def beside(cells, direction: int):
    """Those places whose neighbour in a direction is one of the cells."""
    if direction == 0:
        return (cells & _NOT_FIRST) >> ONE
    if direction == 1:
        return (cells & _NOT_FIRST) << _7
    if direction == 2:
        return cells << _8
    if direction == 3:
        return (cells & _NOT_LAST) << ONE
    if direction == 4:
        return (cells & _NOT_LAST) >> _7
    return cells >> _8


@helper
def opposite(direction: int) -> int:
    """The direction back."""
    return direction + 3 if direction < 3 else direction - 3


@helper
def rings(own, other, size: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Two words a direction: whose neighbour there can be own, and whose can be other."""
    board = board_of(size)
    top = (ONE << np.uint64(size)) - ONE
    bottom = top << np.uint64(STRIDE * (size - 1))
    left = board & _FIRST
    right = left << np.uint64(size - 1)
    can_own = (
        ~(beside(other, 0) | right),
        ~(beside(other, 1) | right),
        ~beside(other, 2),
        ~(beside(other, 3) | left),
        ~(beside(other, 4) | left),
        ~beside(other, 5),
    )
    can_other = (
        ~beside(own, 0),
        ~(beside(own, 1) | top),
        ~(beside(own, 2) | top),
        ~beside(own, 3),
        ~(beside(own, 4) | bottom),
        ~(beside(own, 5) | bottom),
    )
    return can_own, can_other


@helper
def alive(can_own, can_other, own_at: int, other_at: int):
    """The cells around which four changes of colour are possible.

    The neighbour in the direction `own_at` is taken to be own, and that in `other_at` other.
    """
    # Where the n-th of alternating colours on the way round can be: own first (a), other first (b).
    a1, a2, a3, a4 = ZERO, ZERO, ZERO, ZERO
    b1, b2, b3, b4 = ZERO, ZERO, ZERO, ZERO
    for n in range(6):
        mine = can_own[n] if n != other_at else ZERO
        theirs = can_other[n] if n != own_at else ZERO
        a4 |= a3 & theirs
        a3 |= a2 & mine
        a2 |= a1 & theirs
        a1 |= mine
        b4 |= b3 & mine
        b3 |= b2 & theirs
        b2 |= b1 & mine
        b1 |= theirs
    return a4 | b4


@helper
def captured_by(is_own: bool, free, can_own, can_other):
    """All pairs of cells that a side has captured; pairs may overlap."""
    captured = ZERO
    for there in range(3):
        back = there + 3
        if is_own:
            near = free & ~alive(can_own, can_other, there, NOWHERE)
            far = free & ~alive(can_own, can_other, back, NOWHERE)
        else:
            near = free & ~alive(can_own, can_other, NOWHERE, there)
            far = free & ~alive(can_own, can_other, NOWHERE, back)
        captured |= (near & beside(far, there)) | (far & beside(near, back))
    return captured


@helper
def fill_in(own, other, size: int) -> tuple[Any, Any, Any]:
    """Fill dead and captured cells; return both sides' stones, and which of own are dead cells.

    The winner stays the same. Who wins with stones on captured cells needs these cells, and has to
    answer there; dead ones nobody needs.
    """
    all_dead = ZERO
    while True:
        can_own, can_other = rings(own, other, size)
        free = board_of(size) & ~(own | other)
        dead = free & ~alive(can_own, can_other, NOWHERE, NOWHERE)
        all_dead |= dead
        gained, lost = dead, ZERO
        # One at a time: a cell may be captured by either side, if the other does nothing.
        if gained == ZERO:
            gained = captured_by(True, free, can_own, can_other)
        if gained == ZERO:
            lost = captured_by(False, free, can_own, can_other)
        if gained | lost == ZERO:
            return own, other, all_dead
        own |= gained
        other |= lost


@helper
def fill_in_defence(own, other, size: int):
    """The stones of other, with dead cells and those that it has captured.

    Own still needs as many stones to win as before: one on such a cell is wasted.
    """
    while True:
        can_own, can_other = rings(own, other, size)
        free = board_of(size) & ~(own | other)
        lost = free & ~alive(can_own, can_other, NOWHERE, NOWHERE)
        if lost == ZERO:
            lost = captured_by(False, free, can_own, can_other)
        if lost == ZERO:
            return other
        other |= lost


@helper
def needless(own, other, moves, size: int) -> tuple[Any, Any]:
    """Those moves of own that need not be tried, and where the opponent kills vulnerable ones."""
    can_own, can_other = rings(own, other, size)
    free = board_of(size) & ~(own | other)
    vulnerable, killers, dominated, needed = ZERO, ZERO, ZERO, ZERO
    for there in range(6):
        killed = moves & beside(free, there) & ~alive(can_own, can_other, NOWHERE, there)
        killed &= ~vulnerable
        vulnerable |= killed
        killers |= beside(killed, opposite(there))
    for there in range(6):
        worse = moves & beside(free, there) & ~alive(can_own, can_other, there, NOWHERE)
        # What makes others needless is needed itself, or else something still better is.
        worse &= ~(dominated | needed)
        dominated |= worse
        needed |= beside(worse, opposite(there)) & ~dominated
    return vulnerable | dominated, killers
