"""The rules of Go, in plain Python: chains, liberties, ko, superko, suicide, the end and its count.

`kernels.py` has the same rules for playouts and search, a thousand times as fast; the tests compare
the two.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from clauseboard.checks import flag, real_number, whole_number
from clauseboard.game import Ending, IllegalMoveError, Outcome, Position
from clauseboard.games.go import kernels
from clauseboard.games.go.board import (
    LARGEST,
    SMALLEST,
    handicap_points,
    names,
    neighbours,
    numbers,
)
from clauseboard.games.plugins import ModularGame

EMPTY, BLACK, WHITE = 0, 1, 2
"""What a point of `GoPosition.board` holds."""


@dataclass(frozen=True)
class GoMove:
    """A stone at a point, or a pass if the point is None.

    Points are numbered line by line from the top left corner.
    """

    point: int | None

    @property
    def is_pass(self) -> bool:
        """Whether no stone is played."""
        return self.point is None


PASS = GoMove(None)


@dataclass(frozen=True)
class Chain:
    """Stones of one colour that are connected, and the empty points beside them."""

    stones: frozenset[int]
    liberties: frozenset[int]


def chains(board: bytes, size: int) -> dict[int, Chain]:
    """The chain of every stone on a board, by the stone's point."""
    beside = neighbours(size)
    chain_at: dict[int, Chain] = {}
    for start in range(size * size):
        if board[start] == EMPTY or start in chain_at:
            continue
        stones, liberties, to_visit = {start}, set(), [start]
        while to_visit:
            for point in beside[to_visit.pop()]:
                if board[point] == EMPTY:
                    liberties.add(point)
                elif board[point] == board[start] and point not in stones:
                    stones.add(point)
                    to_visit.append(point)
        chain = Chain(frozenset(stones), frozenset(liberties))
        chain_at.update(dict.fromkeys(stones, chain))
    return chain_at


@dataclass(frozen=True, repr=False)
class GoPosition(Position[GoMove]):
    """A Go board, whose turn it is, and what the rules need to know of the past.

    `board` has a byte for each point: 0 empty, 1 black, 2 white. `ko` is the point at which the ko
    rule forbids to play, `passes` the number of passes in a row just before, `prisoners` the
    stones that black and white have taken. `earlier` holds all boards there were, this one
    included, if the game forbids to repeat them.
    """

    game: Go
    board: bytes
    to_move: str
    ko: int | None = None
    passes: int = 0
    moves_played: int = 0
    prisoners: tuple[int, int] = (0, 0)
    earlier: frozenset[bytes] = frozenset()
    last: tuple[int | None, int | None] = field(default=(None, None), compare=False)
    """The codes of the last move and of the one before (points; their number for a pass), where
    they are known; positions that differ in them are the same."""

    @cached_property
    def chains(self) -> dict[int, Chain]:
        """The chain of every stone, by the stone's point."""
        return chains(self.board, self.game.size)

    @property
    def colour(self) -> int:
        """The side to move as a number: 1 black, 2 white."""
        return BLACK if self.to_move == "black" else WHITE

    def after(self, point: int) -> tuple[bytes, int, int]:
        """The board after a stone at an empty point; enemies that it took, own stones lost."""
        board, mine = bytearray(self.board), self.colour
        board[point] = mine
        beside = neighbours(self.game.size)[point]
        taken: set[int] = set()
        for other in beside:
            if self.board[other] == 3 - mine and self.chains[other].liberties == {point}:
                taken |= self.chains[other].stones
        for stone in taken:
            board[stone] = EMPTY
        if taken or any(self.board[other] == EMPTY for other in beside):
            return bytes(board), len(taken), 0
        friends = [self.chains[other] for other in beside if self.board[other] == mine]
        if any(len(friend.liberties) > 1 for friend in friends):
            return bytes(board), 0, 0
        lost = {point}.union(*(friend.stones for friend in friends))
        for stone in lost:
            board[stone] = EMPTY
        return bytes(board), 0, len(lost)

    def why_not(self, move: GoMove) -> str | None:
        """Why a move is not legal here, or None if it is."""
        if self.outcome() is not None:
            return "the game is over"
        return None if move.point is None else self._why_no_stone(move.point)

    def _why_no_stone(self, point: int) -> str | None:
        """Why there can be no stone at a point, while the game goes on."""
        if not 0 <= point < len(self.board):
            return f"points are numbered 0 to {len(self.board) - 1}"
        if self.board[point] != EMPTY:
            return f"there is a {'black' if self.board[point] == BLACK else 'white'} stone already"
        if point == self.ko:
            return "the ko rule forbids to take back at once"
        beside = neighbours(self.game.size)[point]
        if not self.game.superko and any(self.board[other] == EMPTY for other in beside):
            return None
        board, _, lost = self.after(point)
        if lost and not self.game.suicide:
            return "it would be suicide"
        if board in self.earlier:
            return "it would repeat an earlier board"
        return None

    def moves(self) -> tuple[GoMove, ...]:
        """The legal moves: points from the top left corner line by line, and then the pass."""
        if self.outcome() is not None:
            return ()
        points = range(len(self.board))
        return (*(GoMove(point) for point in points if self._why_no_stone(point) is None), PASS)

    def play(self, move: GoMove) -> GoPosition:
        """The position after a move."""
        reason = self.why_not(move)
        if reason is not None:
            raise IllegalMoveError(
                f"{move} is not legal for {self.to_move}: {reason}.",
                position=self.game.write_position(self),
            )
        if move.point is None:
            return self._next(len(self.board), self.board, None, self.passes + 1, 0, 0)
        board, taken, lost = self.after(move.point)
        ko = self._ko_after(move.point, taken)
        return self._next(move.point, board, ko, 0, taken, lost)

    def _ko_after(self, point: int, taken: int) -> int | None:
        """The point that is forbidden next: where one stone was taken by one with one liberty."""
        beside, mine = neighbours(self.game.size)[point], self.colour
        if taken != 1 or any(self.board[other] in (EMPTY, mine) for other in beside):
            return None
        return next(other for other in beside if self.chains[other].liberties == {point})

    def _next(
        self, code: int, board: bytes, ko: int | None, passes: int, taken: int, lost: int
    ) -> GoPosition:
        black, white = self.prisoners
        mine, theirs = (black, white) if self.to_move == "black" else (white, black)
        mine, theirs = mine + taken, theirs + lost
        return GoPosition(
            game=self.game,
            board=board,
            to_move=self.game.other(self.to_move),
            ko=ko,
            passes=passes,
            moves_played=self.moves_played + 1,
            prisoners=(mine, theirs) if self.to_move == "black" else (theirs, mine),
            earlier=self.earlier | {board} if self.game.superko else self.earlier,
            last=(code, self.last[0]),
        )

    def outcome(self) -> Outcome | None:
        """The result by area once both sides have passed, or once `max_moves` are played."""
        most = self.game.max_moves
        if self.passes >= 2:
            end, ending = "two passes", Ending.SCORE
        elif most is not None and self.moves_played >= most:
            end, ending = f"{most} moves were played", Ending.MOVE_LIMIT
        else:
            return None
        counted = score(self)
        return Outcome(counted.winner, f"{end}, {counted}", ending)

    def __str__(self) -> str:
        return self.game.text(self)


@dataclass(frozen=True, repr=False)
class Go(ModularGame[GoPosition, GoMove]):
    """Go on a square board, counted by area.

    - `size`: lines of the board, 2 to 19.
    - `komi`: points given to white; None means 7, or 0.5 if there is a handicap.
    - `handicap`: 0, or 2 to 9 black stones on the star points; white then begins.
    - `superko`: forbid stones that repeat any earlier board (positional superko). The simple ko
      rule always holds.
    - `suicide`: allow a stone that takes nothing and leaves its own chain without liberties; that
      chain is then taken off, be it one stone (the board then stays as it was) or many.
    - `max_moves`: moves, passes among them, after which the game ends and is counted.

    >>> position = Go(size=3).start()
    >>> for text in ("B2", "pass", "pass"):
    ...     position = position.play(position.read_move(text))
    >>> print(position.outcome())
    black wins: two passes, 9 to 0 and komi 7
    """

    size: int = 9
    komi: float | None = None
    handicap: int = 0
    superko: bool = False
    suicide: bool = False
    max_moves: int | None = None

    name: ClassVar[str] = "go"
    version: ClassVar[int] = 1
    colours: ClassVar[tuple[str, str]] = ("black", "white")

    def __post_init__(self) -> None:
        numbers: dict[str, float] = {
            "size": whole_number("size", self.size, SMALLEST, LARGEST),
            "handicap": whole_number("handicap", self.handicap, 0, 9),
        }
        if self.komi is not None:
            numbers["komi"] = real_number("komi", self.komi)
        if self.max_moves is not None:
            numbers["max_moves"] = whole_number("max_moves", self.max_moves, 1)
        handicap_points(self.size, self.handicap)
        flag("superko", self.superko)
        flag("suicide", self.suicide)
        # NumPy's numbers would make a `repr` that cannot be typed in.
        for name, number in numbers.items():
            object.__setattr__(self, name, number)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Go) and self._rules == other._rules

    def __hash__(self) -> int:
        return hash(self._rules)

    @property
    def _rules(self) -> tuple[Any, ...]:
        """What makes games equal: the komi that counts, be it given or the usual one."""
        komi, flags = self.points_for_white, (self.superko, self.suicide)
        return self.size, komi, self.handicap, *flags, self.max_moves

    @property
    def points_for_white(self) -> float:
        """The komi that counts."""
        if self.komi is not None:
            return float(self.komi)
        return 0.5 if self.handicap else 7.0

    @property
    def first_to_move(self) -> str:
        """Black, or white if there is a handicap."""
        return "white" if self.handicap else "black"

    def position(self, board: bytes, to_move: str, **rest: Any) -> GoPosition:
        """A position with this board and no known past; `rest` are fields of `GoPosition`."""
        return GoPosition(
            game=self,
            board=board,
            to_move=to_move,
            earlier=frozenset([board]) if self.superko else frozenset(),
            **rest,
        )

    def start(self) -> GoPosition:
        """The empty board, or one with handicap stones."""
        board = bytearray(self.size**2)
        for point in handicap_points(self.size, self.handicap):
            board[point] = BLACK
        return self.position(bytes(board), self.first_to_move)


# ---- the count


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
        """The side with more area, the komi counted; None for a draw."""
        if self.margin == 0:
            return None
        return "black" if self.margin > 0 else "white"

    @property
    def result(self) -> str:
        """The result as SGF and GTP write it: "B+3.5", "W+2" or "0"."""
        return "0" if self.winner is None else f"{self.winner[0].upper()}+{abs(self.margin):g}"

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
    whole_number("n", n, 1)
    whole_number("seed", seed, 0, 2**64 - 1)
    size = position.game.size
    scores, owned = np.empty(n, np.int16), np.zeros((size * size, 2), np.int32)
    # A side that passed may have meant to end the game; the playout begins anew.
    kernels.playouts(state_of(position, passes=0), 3 * size * size, np.uint64(seed), scores, owned)
    return scores, owned


def dead_by_playouts(position: GoPosition, n: int = 1000, seed: int = 0) -> tuple[str, ...]:
    """Stones whose chain ends as the opponent's area in more than half of `n` random playouts.

    Random players find captures but no tesujis. That is enough for stones on a finished board that
    both sides would call dead, not for problems of life and death, nor for a seki.
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
    """The state of a position for the kernels, which do not follow superko."""
    state = kernels.new_state(position.game.size)
    board = np.frombuffer(position.board, np.uint8)
    ko = -1 if position.ko is None else position.ko
    passed = position.passes if passes is None else passes
    kernels.set_up(state, board.copy(), position.colour, ko, passed)
    return state
