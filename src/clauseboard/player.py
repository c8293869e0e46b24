"""Players, and what they choose: Player, Choice, Candidate, Cost."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.explanation import Explanation
from clauseboard.game import Game


@dataclass(frozen=True)
class Cost:
    """What a choice took."""

    seconds: float = 0.0
    nodes: int = 0
    simulations: int = 0
    depth: int = 0


@dataclass(frozen=True)
class Candidate:
    """A move that was looked at: its value for the mover, the line expected after it, visits."""

    move: Any
    value: float
    line: tuple[Any, ...] = ()
    visits: int = 0


@dataclass(frozen=True)
class Choice:
    """A move, its value from -1 to 1 for the mover, and how it came about.

    `line` begins with the move. `candidates` are the moves looked at, best first. The explanation
    is made when it is asked for; None if the player has none. `resigns`: gives up instead.
    """

    move: Any
    value: float | None = None
    line: tuple[Any, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    cost: Cost = field(default_factory=Cost, compare=False)
    resigns: bool = False
    explain: Callable[[], Explanation] | None = field(default=None, repr=False, compare=False)

    @functools.cached_property
    def explanation(self) -> Explanation | None:
        """Why this move."""
        return None if self.explain is None else self.explain()


Listener = Callable[[Choice], None]
"""Told what would be chosen so far, again and again, while a choice is being made."""


class Player(ABC):
    """Chooses moves. `name` is what reports call it.

    Whoever wants to know what it thinks meanwhile sets `listener`; not every player says so.
    """

    name: str
    listener: Listener | None = None

    def begin(self, game: Game, colour: str, seed: int) -> None:  # noqa: B027
        """Get ready for a game: forget the last one, and draw what is random from this seed.

        Whoever plays one side against itself calls it once for each side that it plays.
        """

    @abstractmethod
    def choose(self, position: Any, limit: Limit | None = None) -> Choice:
        """Choose a move in a position in which the game goes on."""

    def close(self) -> None:  # noqa: B027
        """Let go of what the player holds: a process, a file."""

    def __str__(self) -> str:
        return self.name
