"""What a game calls things, for sentences about its boards.

`games/<game>/vocabulary.py` gives a `Vocabulary`: the pieces, the parts of the board that have a
name, and the ways to show a board otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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
