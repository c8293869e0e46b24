"""The points of a Go board: their numbers, names and neighbours, and where handicap stones go.

Points are numbered line by line from the top left corner; "A1" is the bottom left one.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

SMALLEST, LARGEST = 2, 19
LETTERS = "ABCDEFGHJKLMNOPQRST"
"""The columns from left to right: no I, which is too like a J."""


@functools.cache
def names(size: int) -> tuple[str, ...]:
    """The names of all points, in the order of their numbers.

    >>> names(2)
    ('A2', 'B2', 'A1', 'B1')
    """
    return tuple(f"{LETTERS[x]}{size - y}" for y in range(size) for x in range(size))


@functools.cache
def numbers(size: int) -> dict[str, int]:
    """The number of each point by its name."""
    return {name: point for point, name in enumerate(names(size))}


@functools.cache
def neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    """For each point the two to four points beside it.

    >>> neighbours(3)[0], neighbours(3)[4]
    ((1, 3), (1, 3, 5, 7))
    """

    def beside(point: int) -> tuple[int, ...]:
        y, x = divmod(point, size)
        around = ((y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x))
        return tuple(v * size + u for v, u in around if 0 <= v < size and 0 <= u < size)

    return tuple(beside(point) for point in range(size * size))


def star_lines(size: int) -> tuple[int, ...]:
    """The lines, from 0, on whose crossings star points lie; none on boards that are too small.

    >>> star_lines(9), star_lines(10), star_lines(19), star_lines(5)
    ((2, 4, 6), (2, 7), (3, 9, 15), ())
    """
    if size < 7:
        return ()
    near = 2 if size < 13 else 3
    far = size - 1 - near
    return (near, size // 2, far) if size % 2 and size >= 9 else (near, far)


def star_points(size: int) -> tuple[tuple[int, int], ...]:
    """The star points as (row, column): nine on large boards, the corners and the centre on others.

    >>> len(star_points(19)), star_points(9)
    (9, ((2, 2), (2, 6), (4, 4), (6, 2), (6, 6)))
    """
    lines = star_lines(size)
    middle = size // 2 if len(lines) == 3 else None
    return tuple(
        (row, column)
        for row in lines
        for column in lines
        if size >= 15 or (row == middle) == (column == middle)
    )


def handicap_points(size: int, stones: int) -> tuple[int, ...]:
    """Where handicap stones go: the fixed placement of the Go Text Protocol, version 2.

    >>> [names(9)[point] for point in handicap_points(9, 5)]
    ['C3', 'G7', 'C7', 'G3', 'E5']
    """
    if stones == 0:
        return ()
    lines = star_lines(size)
    most = {0: 0, 2: 4, 3: 9}[len(lines)]
    if not 2 <= stones <= 9:
        raise ValueError(f"The handicap is 0 or 2 to 9 stones, not {stones!r}.")
    if stones > most:
        why = (
            f"has star points for {most} stones at most"
            if most
            else "is too small for star points; the smallest that has them is 7x7"
        )
        raise ValueError(
            f"A handicap of {stones} stones cannot be given: a {size}x{size} board {why}."
        )
    low, middle, high = lines[0], size // 2, lines[-1]
    corners = [(high, low), (low, high), (low, low), (high, high)]
    sides = [(middle, low), (middle, high), (high, middle), (low, middle)]
    chosen = corners[:stones] + sides[: 2 * ((stones - 4) // 2)] if stones > 4 else corners[:stones]
    if stones >= 5 and stones % 2:
        chosen.append((middle, middle))
    return tuple(y * size + x for y, x in chosen)


@functools.cache
def symmetries(size: int) -> NDArray[np.intp]:
    """The eight ways to turn and mirror a board, 8 × points; the first one changes nothing.

    A board turned the k-th way is `board[symmetries(size)[k]]`.
    """
    square = np.arange(size * size).reshape(size, size)
    ways = [np.rot90(way, turn) for way in (square, square.T) for turn in range(4)]
    table = np.stack([way.ravel() for way in ways])
    table.flags.writeable = False
    return table
