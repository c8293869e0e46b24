"""What Go calls things: stones, corners, edges and the centre; and the eight ways to turn a board.

The komi is white's, so that to exchange the colours is no symmetry of Go.
"""

from __future__ import annotations

import functools

import numpy as np

from clauseboard.games.go.board import names, symmetries
from clauseboard.games.go.rules import Go
from clauseboard.games.vocabulary import Picture, Region, Vocabulary

WAYS = (
    "the same turned a quarter",
    "the same turned half round",
    "the same turned three quarters",
    "its mirror image at a diagonal",
    "its mirror image, top and bottom exchanged",
    "its mirror image at the other diagonal",
    "its mirror image, left and right exchanged",
)
"""What the symmetries of `board.symmetries` are called, without the first, which is none."""


@functools.cache
def vocabulary(game: Go) -> Vocabulary:
    """The words of Go on a board of this size."""
    size = game.size
    grid = np.array(names(size)).reshape(size, size)
    regions = [Region("corner", frozenset({str(grid[y, x])})) for y in (0, -1) for x in (0, -1)]
    edges = {"top": grid[0], "bottom": grid[-1], "left": grid[:, 0], "right": grid[:, -1]}
    regions += [Region(f"{side} edge", frozenset(map(str, line))) for side, line in edges.items()]
    if size % 2:
        regions.append(Region("centre", frozenset({str(grid[size // 2, size // 2])})))
    pieces = {f"{colour} stone": (colour, "stone", "stones") for colour in game.colours}
    pictures = [
        Picture(name, np.concatenate([way, size * size + way]))
        for name, way in zip(WAYS, symmetries(size)[1:], strict=True)
    ]
    return Vocabulary("at", pieces, tuple(regions), tuple(pictures))
