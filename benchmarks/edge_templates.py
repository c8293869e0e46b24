"""Edge templates of Hex as bits around a move, for `choices.py`; not seen by any player.

A stone on the second, third or fourth line from an edge of its side is joined to that edge, even if
the other side moves first, while some cells below it have no stone of the other side: its *edge
template*. Run as a program, this asks the solver: every template below holds, and none of its cells
can be spared.

    python benchmarks/edge_templates.py
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.hex import Hex, HexPosition
from clauseboard.games.hex.solving import LARGEST, solver_for
from clauseboard.search.compiled_rules import MoveFeatures, move_features_of, unpacked

Cells = tuple[tuple[int, int], ...]


def _rows(*columns: tuple[int, int]) -> Cells:
    """The cells of rows one below the other, each from one column to another, without (0, 0)."""
    return tuple(
        (row, column)
        for row, (first, last) in enumerate(columns)
        for column in range(first, last + 1)
        if (row, column) != (0, 0)
    )


def _mirrored(cells: Cells) -> Cells:
    return tuple((row, -column - row) for row, column in cells)


_SECOND = _rows((0, 0), (-1, 0))
_THIRD = _rows((-1, 0), (-2, 0), (-3, 0))
_FOURTH = _rows((-1, 0), (-3, 1), (-4, 1), (-5, 1))
TEMPLATES: dict[int, tuple[Cells, ...]] = {
    2: (_SECOND,),
    3: (_THIRD, _mirrored(_THIRD)),
    4: (_FOURTH, _mirrored(_FOURTH)),
}
"""By the line of a stone, the cells that its templates need: rows and columns from the stone, with
the edge below."""

NAMES = (
    "makes an edge template on line 2",
    "makes an edge template on line 3",
    "makes an edge template on line 4",
    "is in an own edge template",
    "is in an edge template of the other's",
    "is in an own edge template that the last move broke into",
    "is where the other could make an edge template",
)


class EdgesSeen(MoveFeatures):
    """What is around a move of Hex, and edge templates."""

    def rows(self, position: Any) -> NDArray[np.uint8]:
        """Packed bits, a row for each of `position.moves()`."""
        n_usual = len(self.names) - len(NAMES)
        usual = unpacked(super().rows(position), n_usual)
        codes = [self._rules.code_of(position, move) for move in position.moves()]
        both = np.concatenate([usual, edge_bits(position, codes)], axis=1)
        return np.packbits(both, axis=1, bitorder="little")


def edges_seen(game: Hex) -> EdgesSeen:
    """The usual bits and those of edge templates, which are alike however the board lies."""
    usual = move_features_of(game)
    n_usual = len(usual.names)
    added = np.tile(np.arange(n_usual, n_usual + len(NAMES)), (len(usual.ways), 1))
    parts = {field.name: getattr(usual, field.name) for field in dataclasses.fields(usual)}
    parts["names"] = (*usual.names, *NAMES)
    parts["ways"] = np.concatenate([usual.ways, added], axis=1)
    return EdgesSeen(**parts)


def edge_bits(position: Any, codes: list[int]) -> NDArray[np.uint8]:
    """What templates say of some moves, a row each."""
    size = position.game.size
    side = position.game.colours.index(position.to_move)
    stones = (position.red, position.blue)
    own, other = stones[side], stones[1 - side]
    last = 0 if position.last is None else 1 << position.last
    safe = taken = broken = 0
    for cell in range(size * size):
        if own >> cell & 1:
            for _, area in areas(size, side, cell):
                if not area & other:
                    safe |= area
                elif area & other == last:
                    broken |= area
        elif other >> cell & 1:
            for _, area in areas(size, 1 - side, cell):
                taken |= 0 if area & own else area
    bits = np.zeros((len(codes), len(NAMES)), np.uint8)
    for row, code in enumerate(codes):
        if code < size * size:  # not the swap
            for line, area in areas(size, side, code):
                bits[row, line - 2] |= not area & other
            within = [bool(which >> code & 1) for which in (safe, taken, broken)]
            theirs = any(not area & own for _, area in areas(size, 1 - side, code))
            bits[row, 3:] = [*within, theirs]
    return bits


@functools.cache
def areas(size: int, side: int, cell: int) -> tuple[tuple[int, int], ...]:
    """The line and the cells, as a mask, of each template that a stone of a side can have."""
    row, column = divmod(cell, size)
    if side == 1:
        row, column = column, row
    found = []
    for turned in (False, True):
        at = (size - 1 - row, size - 1 - column) if turned else (row, column)
        for cells in TEMPLATES.get(size - at[0], ()):
            there = [(at[0] + down, at[1] + right) for down, right in cells]
            if all(0 <= c < size for _, c in there):
                if turned:
                    there = [(size - 1 - r, size - 1 - c) for r, c in there]
                if side == 1:
                    there = [(c, r) for r, c in there]
                found.append((size - at[0], sum(1 << r * size + c for r, c in there)))
    return tuple(found)


# ---- are they templates?


def holds(line: int, cells: Cells, column: int) -> bool:
    """Whether a stone joins its edge when the other side, to move, has all but these cells."""
    size = LARGEST
    row = size - line
    # A wall of own stones leads up from the stone to the far edge.
    own = sum(1 << r * size + column for r in range(row + 1))
    free = sum(1 << (row + down) * size + column + right for down, right in cells)
    other = ((1 << size * size) - 1) & ~own & ~free
    position = HexPosition(Hex(size=size, swap=False), own, other, "blue")
    return solver_for(size).solve(position).winner == "red"


def main() -> None:
    """Ask the solver, and draw the templates."""
    for line, shapes in TEMPLATES.items():
        for cells in shapes:
            column = -min(right for _, right in cells)
            needed = all(not holds(line, tuple(set(cells) - {cell}), column) for cell in cells)
            print(f"line {line}, {len(cells)} cells: joined {holds(line, cells, column)}, "
                  f"every cell needed {needed}")  # fmt: skip
            for down in range(line):
                across = range(-column, 1 + max(right for _, right in cells))
                marks = {(0, 0): "R", **dict.fromkeys(cells, "o")}
                print(" " * down, " ".join(marks.get((down, right), ".") for right in across))


if __name__ == "__main__":
    main()
