"""The words of Hex, its symmetries by name, and what the page needs."""

from __future__ import annotations

import functools

import numpy as np

from clauseboard.games.drawing import Svg
from clauseboard.games.hex.drawing import CORNERS, SIDE, STONE, centre_of, draw_stone, stones_on
from clauseboard.games.hex.encoding import symmetries
from clauseboard.games.hex.rules import (
    BLUE,
    RED,
    Hex,
    HexMove,
    HexPosition,
    Swap,
    cells_of,
    winning_chain,
)
from clauseboard.games.vocabulary import (
    Cell,
    Engine,
    Picture,
    Region,
    Setting,
    Vocabulary,
    grid_cells,
)

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


# ---- the page: a click is a stone, and blue's first answer may be a swap

TITLE = "Hex"
RECORD = "SGF"
SETTINGS: tuple[Setting, ...] = (
    Setting("size", "Board", "choice", 11, tuple((n, f"{n} by {n}") for n in range(3, 15))),
    Setting("swap", "Blue may take over the first stone (swap)", "flag", True),
)
ENGINES: tuple[Engine, ...] = (Engine("mohex", "MoHex", "mohex"),)


def cells(game: Hex) -> list[Cell]:
    """The hexagons; up and down go along a column, which slants."""
    board = cells_of(game.size)
    centres = [centre_of(cell.row, cell.column) for cell in board]
    return grid_cells([str(cell) for cell in board], centres, SIDE, CORNERS)


def pieces(game: Hex) -> dict[str, str]:
    """A red and a blue stone."""
    drawn = {}
    for colour in game.colours:
        svg = Svg(2 * SIDE, 2 * SIDE, colour)
        draw_stone(svg, 0.0, 0.0, STONE, colour)
        svg.gloss(0.0, 0.0, STONE)
        drawn[colour] = "".join(svg.shapes)
    return drawn


def pieces_on(position: HexPosition) -> dict[str, str]:
    """The stone on each cell that has one."""
    return stones_on(position)


def path(game: Hex, move: HexMove | Swap) -> list[str]:
    """The cell; nothing for a swap."""
    return [] if isinstance(move, Swap) else [str(move)]


TRAINING = {"size": 5}
"""A board that is solved, on which a machine learns within a minute."""


def winning_cells(position: HexPosition) -> list[str]:
    """The cells of the winning chain; none while the game goes on."""
    return [str(cell) for cell in winning_chain(position)]


def touched(position: HexPosition, move: HexMove | Swap) -> list[str]:
    """The cell of the stone; after a swap, that of the only stone there is."""
    return path(position.game, move) or list(stones_on(position))
