"""What a player sees around a point of Go before putting a stone there (`search.compiled_rules`).

Everything is as the side to move sees it. The cells are those of the square of five by five points
with the move in its middle, line by line from the top; the edge of the board is told by four bits
for one step and four for two steps. The other bits are what the stone does: chains that it takes,
threatens or saves, and the liberties that its own chain has then, which are counted truly and not
as pseudo-liberties. How far two points are from each other is |x| + |y| + the larger of both: 2 is
beside, 3 is diagonal.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.go.kernels import (
    CAPTURED,
    CHAIN,
    COLOUR,
    EDGE,
    INFO,
    NEXT,
    NOTHING,
    SIDE,
    STONES,
    around,
    is_eye,
)
from clauseboard.games.squares import set_bit, step_text
from clauseboard.kernels.compiler import helper

STEPS = tuple((y, x) for y in range(-2, 3) for x in range(-2, 3) if (y, x) != (0, 0))
"""Lines and columns from the point to each of those that are seen."""

_LINES = np.array([y for y, _ in STEPS], np.int64)
_COLUMNS = np.array([x for _, x in STEPS], np.int64)
N_CELLS = len(STEPS)

EDGES = 2 * N_CELLS
"""One step up, right, down, left, and then two steps."""
LINE = EDGES + 8
TAKES, TAKES_MORE, TAKES_LAST, THREATENS, THREATENS_LAST, SAVES = range(LINE + 4, LINE + 10)
LIBERTIES = SAVES + 1
EYE, KO = LIBERTIES + 3, LIBERTIES + 4
NEAR_LAST = KO + 1
NEAR_BEFORE = NEAR_LAST + 6
AFTER_PASS = NEAR_BEFORE + 4
PASS = AFTER_PASS + 1
N_BITS = PASS + 1
N_BYTES = -(-N_BITS // 8)

_LAST_STEPS = np.array([2, 3, 4, 5, 6, 8], np.int64)
_BEFORE_STEPS = np.array([2, 3, 4, 6], np.int64)

LAST_MOVE, MOVE_BEFORE = CAPTURED + 2, CAPTURED + 3
"""Two more numbers in `INFO`: codes of the last two moves, plus 1; 0 if there were none."""

_SIDES = ("up", "right", "down", "left")


NAMES: tuple[str, ...] = (
    *(f"own stone {step_text(*step)}" for step in STEPS),
    *(f"other's stone {step_text(*step)}" for step in STEPS),
    *(f"edge {steps} {side}" for steps in (1, 2) for side in _SIDES),
    *(f"line {line} or lower" for line in range(1, 5)),
    "takes a chain",
    "takes two stones or more",
    "takes the last stone",
    "threatens a chain",
    "threatens the last stone",
    "saves a chain",
    *(f"{count} liberties or more" for count in (2, 3, 4)),
    "fills an own eye",
    "takes a ko",
    *(f"last move within {steps}" for steps in _LAST_STEPS),
    *(f"move before within {steps}" for steps in _BEFORE_STEPS),
    "after a pass",
    "passes",
)
"""What the bits are called."""

IMPLIES: tuple[tuple[str, str], ...] = (
    *((f"edge {line} {side}", f"line {line} or lower") for line in (1, 2) for side in _SIDES),
    *itertools.pairwise(f"line {line} or lower" for line in range(1, 5)),
    *itertools.pairwise(f"{count} liberties or more" for count in (4, 3, 2)),
    *itertools.pairwise(f"last move within {steps}" for steps in _LAST_STEPS),
    *itertools.pairwise(f"move before within {steps}" for steps in _BEFORE_STEPS),
    ("takes two stones or more", "takes a chain"),
    ("takes the last stone", "takes a chain"),
    ("takes a ko", "takes a chain"),
    ("threatens the last stone", "threatens a chain"),
    ("saves a chain", "2 liberties or more"),
)
"""Where the first bit is set, the second one is set, too."""


def _said(name: str) -> tuple[str, str]:
    """What a bit says of a move, and what it says if it is not set."""
    what, *rest = name.split()
    if what == "edge":
        where = {"up": "above", "down": "below"}.get(rest[1], f"to the {rest[1]}")
        steps = "1 step" if rest[0] == "1" else f"{rest[0]} steps"
        return f"the edge is {steps} {where}", f"the edge is not {steps} {where}"
    if what == "line":
        return f"it is on {name}", f"it is above line {rest[0]}"
    if rest[:1] == ["liberties"]:
        return f"it has {name}", f"it has fewer than {what} liberties"
    if rest[-2:-1] == ["within"]:
        other = "the last move" if what == "last" else "the move before"
        near = {"2": "beside", "3": "beside or diagonal to"}.get(rest[-1], f"within {rest[-1]} of")
        return f"it is {near} {other}", f"it is not {near} {other}"
    return _SAID[name]


_SAID = {
    "takes a chain": ("it takes a chain", "it takes nothing"),
    "takes two stones or more": ("it takes two stones or more", "it takes fewer than two stones"),
    "takes the last stone": ("it takes the last stone", "it does not take the last stone"),
    "threatens a chain": ("it threatens a chain", "it threatens no chain"),
    "threatens the last stone": (
        "it threatens the last stone",
        "it does not threaten the last stone",
    ),
    "saves a chain": ("it saves a chain", "it saves no chain"),
    "fills an own eye": ("it fills an own eye", "it fills no own eye"),
    "takes a ko": ("it takes a ko", "it takes no ko"),
    "after a pass": ("it comes after a pass", "it does not come after a pass"),
    "passes": ("it passes", "it is no pass"),
}
SAID = {name: _said(name) for name in NAMES[2 * N_CELLS :]}
"""For each bit that is on no cell, what it says of a move, and what it says if it is not set."""

BEYOND = ("", "")
"""What it says of a move that an own stone, or one of the other side, is beyond the edge: there is
none."""


def _ways() -> NDArray[np.intp]:
    """The eight ways in which a board can lie: for each, the bit that is seen as each bit."""
    place = {step: n for n, step in enumerate(STEPS)}
    ways = []
    for turn in range(8):
        seen = np.arange(N_BITS)
        for n, (y, x) in enumerate(STEPS):
            source = place[_turned(turn, y, x)]
            seen[n], seen[N_CELLS + n] = source, N_CELLS + source
        for n, (y, x) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
            source = ((-1, 0), (0, 1), (1, 0), (0, -1)).index(_turned(turn, y, x))
            seen[EDGES + n], seen[EDGES + 4 + n] = EDGES + source, EDGES + 4 + source
        ways.append(seen)
    return np.array(ways, np.intp)


def _turned(turn: int, y: int, x: int) -> tuple[int, int]:
    """A step on a board turned by so many quarters, and reflected from 4 on."""
    for _ in range(turn % 4):
        y, x = x, -y
    return (y, -x) if turn >= 4 else (y, x)


WAYS = _ways()
"""For each symmetry, the bit that is seen as each bit."""


def cell_seen(size: int, side: int, code: int, step: int) -> int | None:
    """The point that a step leads to from the point of a move; None where there is none."""
    line, column = divmod(code, size)
    line, column = line + STEPS[step][0], column + STEPS[step][1]
    return line * size + column if 0 <= line < size and 0 <= column < size else None


@helper
def add_liberties(state, head: int, without: int, scratch, count: int, most: int) -> int:
    """Mark the liberties of a chain, but for one place; how many are marked, up to `most`.

    `scratch[0]` is the mark, which a new count makes new; `scratch[1 + place]` is what is marked.
    """
    stone = head
    while True:
        for beside in around(state, stone):
            if (
                state[COLOUR, beside] == NOTHING
                and beside != without
                and scratch[1 + beside] != scratch[0]
            ):
                scratch[1 + beside] = scratch[0]
                count += 1
        stone = state[NEXT, stone]
        if stone == head or count >= most:
            return count


@helper
def _apart(size: int, code: int, other: int) -> int:
    """How far two points are from each other."""
    y, x = abs(code // size - other // size), abs(code % size - other % size)
    return y + x + max(y, x)


@helper
def write_move_features(state, settings, scratch, code: int, features) -> None:
    """Write the packed bits of what is around a move into features[0, 0]."""
    size = settings[0]
    for byte in range(N_BYTES):
        features[0, 0, byte] = 0
    last, before = np.int64(state[INFO, LAST_MOVE]) - 1, np.int64(state[INFO, MOVE_BEFORE]) - 1
    if last == size * size:
        set_bit(features, AFTER_PASS)
    if code == size * size:
        set_bit(features, PASS)
        return
    line, column = code // size, code % size
    place = code + line + size + 2
    side = state[INFO, SIDE]
    for n in range(N_CELLS):
        next_line, next_column = line + _LINES[n], column + _COLUMNS[n]
        if 0 <= next_line < size and 0 <= next_column < size:
            colour = state[COLOUR, place + _LINES[n] * (size + 1) + _COLUMNS[n]]
            if colour == side:
                set_bit(features, n)
            elif colour != NOTHING:
                set_bit(features, N_CELLS + n)
    for n in range(2):
        if line == n:
            set_bit(features, EDGES + 4 * n)
        if column == size - 1 - n:
            set_bit(features, EDGES + 4 * n + 1)
        if line == size - 1 - n:
            set_bit(features, EDGES + 4 * n + 2)
        if column == n:
            set_bit(features, EDGES + 4 * n + 3)
    lowest = min(min(line, size - 1 - line), min(column, size - 1 - column))
    for n in range(4):
        if lowest <= n:
            set_bit(features, LINE + n)

    _write_deeds(state, scratch, place, side, _place_of(size, last), features)
    if 0 <= last < size * size:
        apart = _apart(size, code, last)
        for n in range(6):
            if apart <= _LAST_STEPS[n]:
                set_bit(features, NEAR_LAST + n)
    if 0 <= before < size * size:
        apart = _apart(size, code, before)
        for n in range(4):
            if apart <= _BEFORE_STEPS[n]:
                set_bit(features, NEAR_BEFORE + n)


@helper
def _place_of(size: int, code: int) -> int:
    """The place of a point in a state; 0 where there is no point."""
    return code + code // size + size + 2 if 0 <= code < size * size else 0


@helper
def _write_deeds(state, scratch, place: int, side: int, last: int, features) -> None:
    """Write what a stone takes, threatens and saves, and its liberties."""
    taken: Any = 0
    in_danger, only_enemies = False, True
    for beside in around(state, place):
        colour = state[COLOUR, beside]
        if colour in (NOTHING, EDGE):
            only_enemies &= colour == EDGE
            continue
        head = np.int64(state[CHAIN, beside])
        scratch[0] += 1
        count = add_liberties(state, head, 0, scratch, 0, 3)
        if colour == side:
            only_enemies = False
            in_danger |= count == 1
        elif count <= 2:
            is_last = last > 0 and state[CHAIN, last] == head
            if count == 1:
                # A chain that touches the place twice counts twice, and has two stones anyway.
                taken += np.int64(state[STONES, head])
                set_bit(features, TAKES)
                if is_last:
                    set_bit(features, TAKES_LAST)
            else:
                set_bit(features, THREATENS)
                if is_last:
                    set_bit(features, THREATENS_LAST)
    if taken > 1:
        set_bit(features, TAKES_MORE)
    if taken == 1 and only_enemies:
        set_bit(features, KO)

    # Who takes stones gains a liberty; that it may gain more hardly matters.
    scratch[0] += 1
    liberties = 0
    for beside in around(state, place):
        colour = state[COLOUR, beside]
        if colour == side:
            liberties = add_liberties(
                state, np.int64(state[CHAIN, beside]), place, scratch, liberties, 4
            )
        elif colour == NOTHING and scratch[1 + beside] != scratch[0]:
            scratch[1 + beside] = scratch[0]
            liberties += 1
    if taken > 0:
        liberties += 1
    for n in range(3):
        if liberties >= n + 2:
            set_bit(features, LIBERTIES + n)
    if in_danger and liberties >= 2:
        set_bit(features, SAVES)
    if is_eye(state, place, side):
        set_bit(features, EYE)
