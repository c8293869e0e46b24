"""Two clocks of a game, of which one runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass
class Clock:
    """What is left to each side, in seconds; what `running` has used since `since` comes off.

    >>> clock = Clock.fresh(("red", "blue"), minutes=1, increment=2)
    >>> clock.turn("red", now=100.0)
    >>> clock.turn("blue", now=110.0)
    >>> clock.left("red", now=115.0), clock.left("blue", now=115.0)
    (52.0, 55.0)
    """

    remaining: dict[str, float]
    increment: float
    running: str | None = None
    since: float = 0.0

    @classmethod
    def fresh(cls, colours: Sequence[str], minutes: float, increment: float) -> Clock:
        """Clocks at the start of a game."""
        return cls(dict.fromkeys(colours, 60.0 * minutes), increment)

    def left(self, colour: str, now: float) -> float:
        """The seconds that a side has left, 0 if its time is up."""
        used = now - self.since if colour == self.running else 0.0
        return max(0.0, self.remaining[colour] - used)

    def turn(self, colour: str | None, now: float, earned: bool = True) -> None:
        """Let another side's clock run, or none; who has moved is given the increment."""
        if self.running is not None:
            self.remaining[self.running] = self.left(self.running, now)
            if earned and colour not in (None, self.running):
                self.remaining[self.running] += self.increment
        self.running, self.since = colour, now

    def expired(self, now: float) -> str | None:
        """The side whose time is up."""
        if self.running is not None and self.left(self.running, now) <= 0:
            return self.running
        return None

    def kept(self, now: float) -> dict[str, Any]:
        """The clocks for a file; while the program does not run, neither do they."""
        remaining = {colour: self.left(colour, now) for colour in self.remaining}
        return {"remaining": remaining, "increment": self.increment}
