"""What Hex calls things: stones, edges, the corners (acute and obtuse) and the centre."""

from __future__ import annotations

import functools

import numpy as np

from clauseboard.games.hex.encoding import symmetries
from clauseboard.games.hex.rules import BLUE, RED, Hex, cells_of
from clauseboard.games.vocabulary import Picture, Region, Vocabulary

WAYS = {
    "half turned": "the same half turned",
    "reversed": "the same for the other side",
    "reversed and half turned": "the same half turned for the other side",
}


@functools.cache
def vocabulary(game: Hex) -> Vocabulary:
    """The words of Hex on a board of this size."""
    size = game.size
    grid = np.array([str(cell) for cell in cells_of(size)]).reshape(size, size)
    corners = {"acute": (grid[0, 0], grid[-1, -1]), "obtuse": (grid[0, -1], grid[-1, 0])}
    regions = [
        Region(f"{kind} corner", frozenset({str(cell)}))
        for kind, cells in corners.items()
        for cell in cells
    ]
    edges = (
        ("top", RED, grid[0]),
        ("bottom", RED, grid[-1]),
        ("left", BLUE, grid[:, 0]),
        ("right", BLUE, grid[:, -1]),
    )
    regions += [
        Region(f"{side} edge", frozenset(map(str, line)), whose) for side, whose, line in edges
    ]
    if size % 2:
        regions.append(Region("centre", frozenset({str(grid[size // 2, size // 2])})))
    pieces = {colour: (colour, "stone", "stones") for colour in game.colours}
    pictures = [Picture(WAYS[s.name], s.source, s.exchanges) for s in symmetries(game)[1:]]
    return Vocabulary("at", pieces, tuple(regions), tuple(pictures))
