"""The clocks of the Go Text Protocol: how long a move may take with what is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clauseboard.player import Choice, Listener

LEAST = 0.05
"""Seconds that a move may take though there is no time left."""
MOVES_TO_GO = 30
"""Over how many moves the main time is spread, unless the game says otherwise."""
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

    def seconds_for_a_move(self, moves_to_go: int = MOVES_TO_GO) -> float:
        """How long the next move may take; the main time is spread over `moves_to_go` moves."""
        if self.moves:
            return max(LEAST, SHARE * self.left / self.moves)
        later = self.period / self.period_moves if self.period_moves else 0.0
        return max(LEAST, SHARE * (self.left / moves_to_go + later))

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


class EarlyStop:
    """Saves the rest of a move's time once no other move can catch up with the best one.

    It listens to a player that thinks, passes on what it hears, and is asked whether to stop: when
    another listener says so, or when the best move has more visits ahead of the second than there
    are simulations to come at the speed so far.
    """

    def __init__(
        self, seconds: float, listener: Listener | None, is_stopped: Callable[[], bool] | None
    ) -> None:
        self.seconds, self._listener, self._is_stopped = seconds, listener, is_stopped
        self._decided = False

    def hear(self, choice: Choice) -> None:
        """Look at the best choice so far."""
        visits = sorted((one.visits for one in choice.candidates), reverse=True)
        spent = choice.cost.seconds
        if len(visits) > 1 and spent > 0:
            to_come = choice.cost.simulations / spent * max(self.seconds - spent, 0.0)
            self._decided = visits[0] - visits[1] > to_come
        if self._listener is not None:
            self._listener(choice)

    def is_stopped(self) -> bool:
        """Whether the player is to choose now."""
        return self._decided or (self._is_stopped is not None and self._is_stopped())
