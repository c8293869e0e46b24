"""The words of Go, its symmetries by name, and what the page needs.

Exchanging the colours is no symmetry of Go, because of the komi.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

import numpy as np

from clauseboard.games.drawing import Svg
from clauseboard.games.go import drawing
from clauseboard.games.go.board import names, numbers, symmetries
from clauseboard.games.go.rules import Go, GoMove, GoPosition, dead_by_playouts, regions, score
from clauseboard.games.go.settling import open_chains
from clauseboard.games.vocabulary import (
    Cell,
    Count,
    Engine,
    Picture,
    Region,
    Setting,
    Vocabulary,
    grid_cells,
)

WAYS = (
    "the same turned a quarter",
    "the same turned half round",
    "the same turned three quarters",
    "its mirror image at a diagonal",
    "its mirror image, top and bottom exchanged",
    "its mirror image at the other diagonal",
    "its mirror image, left and right exchanged",
)
"""The names of `board.symmetries`, without the first, which changes nothing."""


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


# ---- the page: a click is a stone; after two passes dead stones are taken off

_HANDICAPS = ((0, "none"), *((n, f"{n} black stones") for n in range(2, 10)))

TITLE = "Go"
RECORD = "SGF"
SETTINGS: tuple[Setting, ...] = (
    Setting("size", "Board", "choice", 9, tuple((n, f"{n} by {n}") for n in (5, 7, 9, 13, 19))),
    Setting("komi", "Points for white (komi)", "number", 7.0, least=-100, most=100),
    Setting("handicap", "Handicap", "choice", 0, _HANDICAPS),
    Setting("superko", "No position may repeat (superko)", "flag", False),
)
_GNU_GO = "gnugo --mode gtp --chinese-rules --capture-all-dead"
"""By area, as we count, and with dead stones taken off by moves before the end."""
ENGINES: tuple[Engine, ...] = (
    Engine("gnugo-1", "GNU Go, level 1", f"{_GNU_GO} --level 1"),
    Engine("gnugo-10", "GNU Go, level 10", f"{_GNU_GO} --level 10"),
)


def cells(game: Go) -> list[Cell]:
    """The points."""
    centres = [drawing.centre_of(game.size, point) for point in range(game.size**2)]
    return grid_cells(names(game.size), centres, drawing.UNIT / 2)


def pieces(game: Go) -> dict[str, str]:
    """A black and a white stone."""
    drawn = {}
    for colour, fill in zip(game.colours, drawing.FILLS, strict=True):
        svg = Svg(drawing.UNIT, drawing.UNIT, colour)
        drawing.draw_stone(svg, (0.0, 0.0), fill)
        svg.gloss(0.0, 0.0, 0.46 * drawing.UNIT)
        drawn[f"{colour} stone"] = "".join(svg.shapes)
    return drawn


def pieces_on(position: GoPosition) -> dict[str, str]:
    """The stone on each point that has one."""
    stones = zip(names(position.game.size), position.board, strict=True)
    return {name: f"{position.game.colours[stone - 1]} stone" for name, stone in stones if stone}


def path(game: Go, move: GoMove) -> list[str]:
    """The point; nothing for a pass."""
    return [] if move.point is None else [names(game.size)[move.point]]


def touched(position: GoPosition, move: GoMove) -> list[str]:
    """The point of the stone."""
    return path(position.game, move)


def count(position: GoPosition, dead: Iterable[str] = ()) -> Count | None:
    """The count by area once the game is over, without the chains of these stones."""
    if position.outcome() is None:
        return None
    size, colours = position.game.size, position.game.colours
    chosen = list(dead)
    counted = score(position, chosen)
    gone = {
        stone for name in chosen for stone in position.chains[numbers(size)[name.upper()]].stones
    }
    board = bytes(0 if point in gone else stone for point, stone in enumerate(position.board))
    territory = {
        names(size)[point]: colours[owner - 1]
        for owner, region in regions(board, size)
        if owner
        for point in region
    }
    totals = dict(zip(colours, map(float, counted.area), strict=True))
    totals[colours[1]] += counted.komi
    stones = "stone" if len(gone) == 1 else "stones"
    off = f", {len(gone)} dead {stones} taken off" if gone else ""
    return Count(
        counted.winner,
        f"two passes, {counted}{off}" if position.passes >= 2 else f"{counted}{off}",
        totals,
        counted.komi,
        territory,
        tuple(names(size)[stone] for stone in sorted(gone)),
    )


def find_open(position: GoPosition) -> tuple[str, ...]:
    """A stone of each chain whose life is open by random games."""
    return open_chains(position)


def find_dead(position: GoPosition) -> tuple[str, ...]:
    """The stones that random games find dead: a suggestion."""
    return dead_by_playouts(position)
