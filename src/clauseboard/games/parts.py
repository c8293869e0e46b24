"""The files that a game may have in its folder, or not: `truths.py`, `symmetries.py` and so on."""

from __future__ import annotations

import functools
import importlib
import importlib.util
from types import ModuleType

from clauseboard.game import Game


def part_of(game: Game, part: str) -> ModuleType | None:
    """The module `games/<game>/<part>.py`, or None where the game has none.

    >>> from clauseboard.game import load_game
    >>> part_of(load_game("go"), "truths") is None
    True
    """
    return _found(f"clauseboard.games.{game.name}.{part}")


@functools.cache
def _found(name: str) -> ModuleType | None:
    # Kept, for where there is no such file the folder would be looked through each time.
    return None if importlib.util.find_spec(name) is None else importlib.import_module(name)
