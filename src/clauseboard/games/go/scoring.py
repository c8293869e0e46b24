"""Counting a Go position: area, territory, and stones that are dead by hand or by playouts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clauseboard.games.go.board import names, neighbours, numbers

if TYPE_CHECKING:
    from clauseboard.games.go.rules import GoPosition


@dataclass(frozen=True)
class GoScore:
    """The count of a position, in pairs: black's first, then white's.

    `stones` are those left on the board, `territory` the empty points that only one colour
    reaches, `prisoners` the stones taken during the game and those taken off as dead.
    """

    stones: tuple[int, int]
    territory: tuple[int, int]
    prisoners: tuple[int, int]
    komi: float

    @property
    def area(self) -> tuple[int, int]:
        """Stones and territory: what the game's result is counted by."""
        return self.stones[0] + self.territory[0], self.stones[1] + self.territory[1]

    @property
    def margin(self) -> float:
        """Black's area less white's and the komi."""
        return self.area[0] - self.area[1] - self.komi

    @property
    def territory_margin(self) -> float:
        """Black's territory and prisoners less white's and the komi: a report, no result."""
        black, white = (self.territory[i] + self.prisoners[i] for i in range(2))
        return black - white - self.komi

    @property
    def winner(self) -> str | None:
        """Who has more area, the komi counted; None if nobody has."""
        if self.margin == 0:
            return None
        return "black" if self.margin > 0 else "white"

    def __str__(self) -> str:
        return f"{self.area[0]} to {self.area[1]} and komi {self.komi:g}"


def score(position: GoPosition, dead: Iterable[str] = ()) -> GoScore:
    """Count a position, without the stones that are dead.

    `dead` names points, such as "D5" or "d5"; the whole chain of each is taken off.

    >>> from clauseboard.game import load_game
    >>> game = load_game("go", size=3, komi=0.5)
    >>> position = game.read_position(".b./bb./..w black")
    >>> print(score(position))
    4 to 1 and komi 0.5
    >>> print(score(position, dead=["C1"]))
    9 to 0 and komi 0.5
    """
    size = position.game.size
    board = bytearray(position.board)
    prisoners = list(position.prisoners)
    for name in dead:
        point = numbers(size).get(name.strip().upper())
        if point is None or not position.board[point]:
            raise ValueError(
                f"There is no stone at {name!r} to be dead; the position is "
                f"{position.game.write_position(position)!r}."
            )
        for stone in position.chains[point].stones:
            if board[stone]:
                prisoners[2 - board[stone]] += 1
                board[stone] = 0
    territory = [0, 0]
    for owner, region in regions(bytes(board), size):
        if owner:
            territory[owner - 1] += len(region)
    return GoScore(
        stones=(board.count(1), board.count(2)),
        territory=(territory[0], territory[1]),
        prisoners=(prisoners[0], prisoners[1]),
        komi=position.game.points_for_white,
    )


def regions(board: bytes, size: int) -> list[tuple[int, frozenset[int]]]:
    """The connected empty regions, each with the colour that alone reaches it, or 0."""
    beside = neighbours(size)
    seen: set[int] = set()
    areas = []
    for start in range(size * size):
        if board[start] or start in seen:
            continue
        region, colours, to_visit = {start}, set(), [start]
        while to_visit:
            for point in beside[to_visit.pop()]:
                if board[point]:
                    colours.add(board[point])
                elif point not in region:
                    region.add(point)
                    to_visit.append(point)
        seen |= region
        areas.append((colours.pop() if len(colours) == 1 else 0, frozenset(region)))
    return areas


def playouts(position: GoPosition, n: int = 1000, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Play a position to its end `n` times at random.

    Returns black's area less white's (without komi) at each end, and for each point how often it
    ended as black's and as white's (points × 2). A playout stops after three moves a point.
    """
    from clauseboard.games.go import kernels

    if n < 1:
        raise ValueError(f"n is a number of playouts from 1, not {n!r}.")
    if not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise ValueError(f"seed is a whole number from 0 to 2**64 - 1, not {seed!r}.")
    size = position.game.size
    scores, owned = np.empty(n, np.int16), np.zeros((size * size, 2), np.int32)
    # A side that passed may have meant to end the game; the playout begins anew.
    kernels.playouts(state_of(position, passes=0), 3 * size * size, np.uint64(seed), scores, owned)
    return scores, owned


def dead_by_playouts(position: GoPosition, n: int = 1000, seed: int = 0) -> tuple[str, ...]:
    """Stones whose chain ends as the opponent's area in more than half of `n` random playouts.

    Random players find captures, no tesujis: fit to clear stones that both sides would agree are
    dead off a finished board, not to solve problems of life and death. In a seki they fail.
    """
    _, owned = playouts(position, n, seed)
    dead = []
    for chain in dict.fromkeys(position.chains.values()):
        stones = sorted(chain.stones)
        enemy = 2 - position.board[stones[0]]
        if owned[stones, enemy].mean() > n / 2:
            dead += stones
    return tuple(names(position.game.size)[stone] for stone in sorted(dead))


def state_of(position: GoPosition, passes: int | None = None) -> np.ndarray:
    """The state that the kernels know a position by; they do not know of superko."""
    from clauseboard.games.go import kernels

    state = kernels.new_state(position.game.size)
    board = np.frombuffer(position.board, np.uint8)
    ko = -1 if position.ko is None else position.ko
    passed = position.passes if passes is None else passes
    kernels.set_up(state, board.copy(), position.colour, ko, passed)
    return state
