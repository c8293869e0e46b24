"""What a page needs to know of a game, so that it can be played there by clicks.

`games.plugins.PagePlugin` says what `games/<game>/page.py` has, made of the classes here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from clauseboard.game import Game
from clauseboard.games.vocabulary import vocabulary_of


@dataclass(frozen=True)
class Setting:
    """A parameter of the rules that a person may choose; `choices` are values with their titles."""

    name: str
    title: str
    kind: Literal["choice", "flag", "number"]
    default: Any
    choices: tuple[tuple[Any, str], ...] = ()
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True)
class Engine:
    """Another program: its name here, and the command that starts it, whose first word is it."""

    name: str
    title: str
    command: str


@dataclass(frozen=True)
class Cell:
    """A cell in the picture: its middle, its outline, and where the arrow keys lead from it.

    The outline is a polygon, or, without one, a circle of the radius `r`.
    """

    id: str
    x: float
    y: float
    r: float
    points: str = ""
    up: str | None = None
    down: str | None = None
    left: str | None = None
    right: str | None = None


@dataclass(frozen=True)
class Count:
    """A finished game counted without the stones that are dead."""

    winner: str | None
    text: str
    totals: Mapping[str, float]
    komi: float
    territory: Mapping[str, str] = field(default_factory=dict)
    dead: tuple[str, ...] = ()


def piece_title(game: Game, piece: str) -> str:
    """What a piece is called.

    >>> from clauseboard.game import load_game
    >>> piece_title(load_game("go"), "white stone"), piece_title(load_game("hex"), "red")
    ('white stone', 'red stone')
    """
    colour, one, _ = vocabulary_of(game).pieces[piece]
    return f"{colour} {one}"


def grid_cells(
    names: Sequence[str],
    centres: Sequence[tuple[float, float]],
    radius: float,
    corners: Sequence[tuple[float, float]] = (),
) -> list[Cell]:
    """The cells of a board with as many rows as columns, named row by row from the top left.

    `corners` are those of a cell around its middle; without them cells are circles.
    """
    size = math.isqrt(len(names))
    cells = []
    for n, (name, (x, y)) in enumerate(zip(names, centres, strict=True)):
        row, column = divmod(n, size)
        cells.append(
            Cell(
                name,
                x,
                y,
                radius,
                outline(x, y, corners),
                up=names[n - size] if row else None,
                down=names[n + size] if row < size - 1 else None,
                left=names[n - 1] if column else None,
                right=names[n + 1] if column < size - 1 else None,
            )
        )
    return cells


def outline(x: float, y: float, corners: Sequence[tuple[float, float]]) -> str:
    """A polygon around a point, as SVG writes it."""
    return " ".join(f"{x + right:.2f},{y + down:.2f}" for right, down in corners)
