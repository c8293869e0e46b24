"""Board-game players whose every judgement can be read.

>>> import clauseboard as cb
>>> game = cb.load_game("hex", size=4)
>>> position = game.start()
>>> position = position.play(position.read_move("b3"))
>>> cb.load_player("solver", game).choose(position).value
1.0

Nothing is imported before it is used: `import clauseboard` alone takes a few milliseconds.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clauseboard.arena import play_match
    from clauseboard.datasets import load_dataset
    from clauseboard.explaining import explain
    from clauseboard.game import load_game
    from clauseboard.players import load_player
    from clauseboard.tsetlin import TsetlinMachineClassifier, TsetlinMachineRegressor

__version__ = "0.1.0"

__all__ = [
    "TsetlinMachineClassifier",
    "TsetlinMachineRegressor",
    "explain",
    "load_dataset",
    "load_game",
    "load_player",
    "play_match",
]

_HOME = {
    "TsetlinMachineClassifier": "clauseboard.tsetlin",
    "TsetlinMachineRegressor": "clauseboard.tsetlin",
    "explain": "clauseboard.explaining",
    "load_dataset": "clauseboard.datasets",
    "load_game": "clauseboard.game",
    "load_player": "clauseboard.players",
    "play_match": "clauseboard.arena",
}


def __getattr__(name: str) -> object:
    """Import a name of the front door when it is first used (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module 'clauseboard' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
