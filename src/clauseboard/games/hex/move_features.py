"""What a player sees around a cell of Hex before putting a stone there (`search.compiled_rules`).

Everything is as the side to move sees it, whose edges lie above and below: for blue the board is
reflected, so that one set of patterns serves both sides. What lies beyond an edge counts as a stone
of the side that owns the edge, which is what an edge is worth; beyond a corner there is nothing.

Of the cells up to two steps away six are beside the cell, six are a *bridge* away (two free cells
lie between, and the other side can take only one of them), and six lie straight behind those beside
it. The order of each six is clockwise from above, so that the board turned by half a turn is the
same with the sixes turned by three.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.hex.kernels import BLUE, has_stone
from clauseboard.games.squares import set_bit, step_text
from clauseboard.kernels.bits import ONE, ZERO
from clauseboard.kernels.compiler import helper

_BESIDE = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
_BRIDGES = ((-2, 1), (-1, 2), (1, 1), (2, -1), (1, -2), (-1, -1))
_BEHIND = tuple((2 * row, 2 * column) for row, column in _BESIDE)
STEPS = (*_BESIDE, *_BRIDGES, *_BEHIND)
"""Rows and columns from the cell to each of those that are seen."""

_ROWS = np.array([row for row, _ in STEPS], np.int64)
_COLUMNS = np.array([column for _, column in STEPS], np.int64)
N_CELLS = len(STEPS)

SAVES, BREAKS, BRIDGE, BRIDGES, JOINS, CUTS, TOUCHES, MEETS = range(2 * N_CELLS, 2 * N_CELLS + 8)
OWN_EDGE = MEETS + 1
OTHER_EDGE = OWN_EDGE + 4
LAST = OTHER_EDGE + 4
SWAP = LAST + 4
N_BITS = SWAP + 1
N_BYTES = -(-N_BITS // 8)

_SIX = np.uint64(63)
_6 = np.uint64(6)
_8 = np.uint64(8)
_TURN = 2
"""The row of a state whose first word has the side to move, and above it the last move."""


NAMES: tuple[str, ...] = (
    *(f"own stone {step_text(*step)}" for step in STEPS),
    *(f"other's stone {step_text(*step)}" for step in STEPS),
    "saves a bridge",
    "breaks a bridge",
    "makes a bridge",
    "makes two bridges",
    "joins own stones",
    "cuts other's stones",
    "touches an own stone",
    "touches other's stone",
    *(f"own edge within {lines}" for lines in range(1, 5)),
    *(f"other's edge within {lines}" for lines in range(1, 5)),
    *(f"last move within {steps}" for steps in range(1, 5)),
    "swaps",
)
"""What the bits are called; up is towards an own edge."""

IMPLIES: tuple[tuple[str, str], ...] = (
    *((name, "touches an own stone") for name in NAMES[:6]),
    *((name, "touches other's stone") for name in NAMES[N_CELLS : N_CELLS + 6]),
    ("saves a bridge", "touches an own stone"),
    ("saves a bridge", "touches other's stone"),
    ("breaks a bridge", "touches other's stone"),
    ("makes two bridges", "makes a bridge"),
    ("joins own stones", "touches an own stone"),
    ("cuts other's stones", "touches other's stone"),
    ("own edge within 1", "touches an own stone"),
    ("other's edge within 1", "touches other's stone"),
    ("last move within 1", "touches other's stone"),
    *itertools.pairwise(f"own edge within {lines}" for lines in range(1, 5)),
    *itertools.pairwise(f"other's edge within {lines}" for lines in range(1, 5)),
    *itertools.pairwise(f"last move within {steps}" for steps in range(1, 5)),
)
"""Where the first bit is set, the second one is set, too. Beyond an edge lie its owner's stones."""

SAID = {
    "saves a bridge": ("it saves a bridge", "it saves no bridge"),
    "breaks a bridge": ("it breaks into a bridge", "it breaks into no bridge"),
    "makes a bridge": ("it makes a bridge", "it makes no bridge"),
    "makes two bridges": ("it makes two bridges", "it makes fewer than two bridges"),
    "joins own stones": ("it joins own stones or edges", "it joins no own stones or edges"),
    "cuts other's stones": (
        "it cuts the other's stones or edges apart",
        "it cuts none of the other's stones or edges apart",
    ),
    "touches an own stone": (
        "it touches an own stone or edge",
        "it touches no own stone or edge",
    ),
    "touches other's stone": (
        "it touches the other's stone or edge",
        "it touches none of the other's stones or edges",
    ),
    "swaps": ("it swaps", "it is no swap"),
    **{
        f"{whose} edge within {lines}": (
            f"it is on line {lines} from {some} edge or nearer"
            if lines > 1
            else f"it is at {some} edge",
            f"it is further than line {lines} from {some} edge",
        )
        for whose, some in (("own", "an own"), ("other's", "the other's"))
        for lines in range(1, 5)
    },
    **{
        f"last move within {steps}": (
            f"the last move is within {steps} {'step' if steps == 1 else 'steps'}",
            f"the last move is further than {steps} {'step' if steps == 1 else 'steps'} away",
        )
        for steps in range(1, 5)
    },
}
"""For each bit that is on no cell, what it says of a move, and what it says if it is not set."""

BEYOND = (
    "it is on line 2 from an own edge or nearer",
    "it is on line 2 from the other's edge or nearer",
)
"""What it says of a move that an own stone, or one of the other side, is beyond an edge: cells up
to two steps away are seen, so that it is on the first or the second line."""

_HALF_TURN = [6 * (n // 6) + (n + 3) % 6 for n in range(2 * N_CELLS)]
WAYS: NDArray[np.intp] = np.array(
    [range(N_BITS), [*_HALF_TURN, *range(2 * N_CELLS, N_BITS)]], np.intp
)
"""For each symmetry, the bit that is seen as each bit."""


def cell_seen(size: int, side: int, code: int, step: int) -> int | None:
    """The cell that a step leads to from the cell of a move; None where there is none."""
    row, column = divmod(code, size)
    up, right = STEPS[step] if side == 0 else STEPS[step][::-1]
    row, column = row + up, column + right
    return row * size + column if 0 <= row < size and 0 <= column < size else None


@helper
def _turned(six, places: int):
    """Six bits turned: bit j becomes what bit j + places was."""
    places_ = np.uint64(places)
    return ((six >> places_) | (six << (_6 - places_))) & _SIX


@helper
def write_move_features(state, settings, scratch, code: int, features) -> None:
    """Write the packed bits of what is around a move into features[0, 0]."""
    size = settings[0]
    for byte in range(N_BYTES):
        features[0, 0, byte] = 0
    if code == size * size:
        set_bit(features, SWAP)
        return
    turn = state[_TURN, 0]
    side = np.int64(turn & ONE)
    row, column = code // size, code % size
    if side == BLUE:
        row, column = column, row
    own, other = ZERO, ZERO
    for n in range(N_CELLS):
        next_row, next_column = row + _ROWS[n], column + _COLUMNS[n]
        in_rows = 0 <= next_row < size
        in_columns = 0 <= next_column < size
        mine, theirs = False, False
        if in_rows and in_columns:
            cell = next_row * size + next_column
            if side == BLUE:
                cell = next_column * size + next_row
            mine = has_stone(state, side, cell)
            theirs = has_stone(state, 1 - side, cell)
        else:
            mine, theirs = in_columns, in_rows
        if mine:
            own |= ONE << np.uint64(n)
            set_bit(features, n)
        if theirs:
            other |= ONE << np.uint64(n)
            set_bit(features, N_CELLS + n)

    near, far = own & _SIX, other & _SIX
    free = ~(near | far) & _SIX
    if near & _turned(near, 2) & _turned(far, 1) != ZERO:
        set_bit(features, SAVES)
    if far & _turned(far, 2) & _turned(free, 1) != ZERO:
        set_bit(features, BREAKS)
    bridges = (own >> _6) & free & _turned(free, 1)
    if bridges != ZERO:
        set_bit(features, BRIDGE)
        if bridges & (bridges - ONE) != ZERO:
            set_bit(features, BRIDGES)
    # A run of neighbours begins where the one before it is not of the same side.
    runs = near & ~_turned(near, 5)
    if runs != ZERO and runs & (runs - ONE) != ZERO:
        set_bit(features, JOINS)
    runs = far & ~_turned(far, 5)
    if runs != ZERO and runs & (runs - ONE) != ZERO:
        set_bit(features, CUTS)
    if near != ZERO:
        set_bit(features, TOUCHES)
    if far != ZERO:
        set_bit(features, MEETS)

    to_own, to_other = min(row, size - 1 - row), min(column, size - 1 - column)
    last = np.int64(turn >> _8) - 1
    apart = 5  # one more than any bit tells
    if last >= 0:
        down, right = code // size - last // size, code % size - last % size
        apart = (abs(down) + abs(right) + abs(down + right)) // 2
    for n in range(4):
        if to_own <= n:
            set_bit(features, OWN_EDGE + n)
        if to_other <= n:
            set_bit(features, OTHER_EDGE + n)
        if apart <= n + 1:
            set_bit(features, LAST + n)
