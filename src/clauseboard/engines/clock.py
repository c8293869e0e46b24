"""The clocks of the Go Text Protocol: how long a move may take with what is left."""

from __future__ import annotations

from dataclasses import dataclass

LEAST = 0.05
"""Seconds that a move may take though there is no time left."""
MOVES_TO_GO = 30
"""Over how many moves the main time is spread."""
SHARE = 0.9
"""What is used of the time of a move; the rest is for the way there and back."""


@dataclass
class GtpClock:
    """One side's time: `left` seconds in all, or for `moves` moves if that is not 0.

    As the protocol has it, the main time comes first, then so many moves in each period.

    >>> clock = GtpClock.settings(main=300, period=30, moves=5)
    >>> round(clock.seconds_for_a_move(), 1)
    14.4
    >>> clock.spend(400)
    >>> clock.left, clock.moves
    (30, 5)
    """

    left: float
    moves: int
    period: float
    period_moves: int

    @classmethod
    def settings(cls, main: float, period: float, moves: int) -> GtpClock | None:
        """The clock of `time_settings`; None if there is no limit, which "0 1 0" means."""
        if period > 0 and moves == 0:
            return None
        return cls(main, 0, period, moves) if main > 0 else cls(period, moves, period, moves)

    def seconds_for_a_move(self) -> float:
        """How long the next move may take."""
        if self.moves:
            return max(LEAST, SHARE * self.left / self.moves)
        later = self.period / self.period_moves if self.period_moves else 0.0
        return max(LEAST, SHARE * (self.left / MOVES_TO_GO + later))

    def spend(self, seconds: float) -> None:
        """Take the time of a move off; a new period begins where one is over."""
        self.left = max(0.0, self.left - seconds)
        if self.moves:
            self.moves -= 1
            over = self.moves == 0
        else:
            over = self.left == 0
        if over and self.period_moves:
            self.left, self.moves = self.period, self.period_moves
