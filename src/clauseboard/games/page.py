"""What a page needs to know of a game, so that it can be played there by clicks.

A game says it in a file `page.py` of its folder:

- `TITLE`, and `SETTINGS`: the parameters that a person may choose, as `Setting`s;
- `RECORD`: what the format of its files is called;
- `ENGINES`: other programs that play it, as `Engine`s, which are offered where they are installed;
- `cells(game)`: where the cells lie in the picture of `game.draw()`, as `Cell`s;
- `pieces(game)`: a picture of each piece, around the point 0, 0;
- `pieces_on(position)`: the piece on each cell that has one;
- `path(game, move)`: the cells to be clicked in turn; none for a pass or a swap;
- `touched(position, move)`: the cells that a move changed; `position` is the one after it;
- and, where the end is counted, `count(position, dead)`, a `Count`, and `find_dead(position)`.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Literal

from clauseboard.game import Game, game_names
from clauseboard.games.vocabulary import words_of


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


def page_of(game: Game | str) -> ModuleType:
    """The `page.py` of a game."""
    name = game if isinstance(game, str) else game.name
    return importlib.import_module(f"clauseboard.games.{name}.page")


def games_with_page() -> tuple[str, ...]:
    """The games that can be played on a page."""
    found = importlib.util.find_spec
    return tuple(name for name in game_names() if found(f"clauseboard.games.{name}.page"))


def piece_title(game: Game, piece: str) -> str:
    """What a piece is called.

    >>> from clauseboard.game import load_game
    >>> piece_title(load_game("go"), "white stone"), piece_title(load_game("hex"), "red")
    ('white stone', 'red stone')
    """
    colour, one, _ = words_of(game).pieces[piece]
    return f"{colour} {one}"


def outline(x: float, y: float, corners: list[tuple[float, float]]) -> str:
    """A polygon around a point, as SVG writes it."""
    return " ".join(f"{x + right:.2f},{y + down:.2f}" for right, down in corners)
