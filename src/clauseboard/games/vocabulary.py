"""What a game calls things, for sentences about its boards and for the page in the browser.

`games/<game>/vocabulary.py` gives a `Vocabulary`: the pieces, the parts of the board that have a
name, and the ways to show a board otherwise; and what `games.plugins.PagePlugin` says, so that the
game can be played by clicks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Game
from clauseboard.games.plugins import VOCABULARY


@dataclass(frozen=True)
class Region:
    """Cells that have a name of their own, and perhaps a side whose they are."""

    name: str
    cells: frozenset[str]
    owner: str | None = None


@dataclass(frozen=True, eq=False)
class Picture:
    """Another way to show a board: bit i of the picture is bit `source[i]` of the board.

    Where `exchanges` is true, the colours change places, and so do their wins.
    """

    name: str
    source: NDArray[np.intp]
    exchanges: bool = False


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The words of one game."""

    at: str
    """A man is "on" a square, a stone "at" a point."""
    pieces: Mapping[str, tuple[str, str, str]]
    """For the piece of a bit its colour, and what one and several of its kind are called."""
    regions: tuple[Region, ...] = ()
    pictures: tuple[Picture, ...] = ()
    """All symmetries but the one that changes nothing; with it they are a group."""
    never: frozenset[str] = frozenset()
    """Names of bits that are 0 on every board that the rules allow."""


def vocabulary_of(game: Game) -> Vocabulary:
    """The words of a game.

    >>> from clauseboard.game import load_game
    >>> sorted(vocabulary_of(load_game("hex", size=3)).pieces)
    ['blue', 'red']
    """
    return VOCABULARY.of(game).vocabulary(game)


_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve"


def in_words(number: int) -> str:
    """A number as people write it.

    >>> in_words(4), in_words(353)
    ('four', '353')
    """
    words = _NUMBERS.split()
    return words[number] if number < len(words) else f"{number:,}"


def counted(number: int, one: str, several: str) -> str:
    """So many things in words.

    >>> counted(1, "man", "men"), counted(2, "man", "men")
    ('a man', 'two men')
    """
    return f"a {one}" if number == 1 else f"{in_words(number)} {several}"


# ---- the page in the browser


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
