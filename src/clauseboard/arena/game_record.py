"""A game that was played in the arena: its moves, its seed, how it ended, what each move took.

>>> record = GameRecord(0, ("ann", "bob"), seed=7, moves=("b2", "a1"), winner="red", reason="won")
>>> record.winner_name(("red", "blue"))
'ann'
>>> GameRecord.read(record.write()) == record
True
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

from clauseboard.game import Ending, Outcome


@dataclass(frozen=True)
class Thought:
    """What a player said of a move, from -1 to 1 for itself, and what the move took."""

    value: float | None = None
    seconds: float = 0.0
    nodes: int = 0
    simulations: int = 0
    depth: int = 0


@dataclass(frozen=True)
class GameRecord:
    """A game of a match. `players` are the names of who began and who replied.

    The first `n_given` moves are the opening, which nobody chose. `thoughts` has one entry for
    each move after it, unless the players do not think. `late` counts, for both players, the moves
    that took far longer than allowed.
    """

    number: int
    players: tuple[str, str]
    seed: int
    moves: tuple[str, ...]
    winner: str | None
    reason: str
    n_given: int = 0
    swapped: bool = False
    """Whether the match's second player began."""
    thoughts: tuple[Thought, ...] = ()
    late: tuple[int, int] = (0, 0)
    ending: Ending = Ending.UNKNOWN

    @property
    def outcome(self) -> Outcome:
        """How the game ended."""
        return Outcome(self.winner, self.reason, self.ending)

    def winner_name(self, colours: tuple[str, str]) -> str | None:
        """The name of the player who won; None for a draw."""
        return None if self.winner is None else self.players[colours.index(self.winner)]

    def points(self, colours: tuple[str, str]) -> float:
        """What the player who began scored: 1, 0.5 for a draw, or 0."""
        return 0.5 if self.winner is None else float(self.winner == colours[0])

    def write(self) -> str:
        """The record as JSON."""
        page = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        page["moves"] = " ".join(self.moves)
        page["thoughts"] = [dataclasses.astuple(thought) for thought in self.thoughts]
        return json.dumps(page, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> GameRecord:
        """A record from what `write` wrote."""
        page: dict[str, Any] = json.loads(text)
        page["thoughts"] = tuple(Thought(*values) for values in page["thoughts"])
        page["moves"] = tuple(page["moves"].split())
        page["ending"] = Ending.noted(page.get("ending"), page["reason"])
        page["players"], page["late"] = tuple(page["players"]), tuple(page["late"])
        return cls(**page)
