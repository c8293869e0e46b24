"""The rules of Hex, in plain Python.

Two sides put stones on the cells of a rhombus, one in turn, for good. Red begins and wins by a
chain of red stones from the top to the bottom; blue wins by one from the left to the right.
Exactly one of them has such a chain when the board is full, so that there is no draw.

A cell is numbered row * size + column, from the top left. The stones of a side are one Python
integer, with a bit for each cell; `kernels.py` has the same bits in 64-bit words.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=2).start()
    >>> for text in ("a1", "b1", "a2"):
    ...     position = position.play(position.read_move(text))
    >>> print(position)
      a b
    1 R B
     2 R .
    red wins: red connected top and bottom
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from clauseboard.checks import flag, whole_number
from clauseboard.game import Ending, IllegalMoveError, Outcome, Position
from clauseboard.games.plugins import ModularGame

LARGEST = 19
"""The largest size of a board: its columns are a to s."""

RED, BLUE = "red", "blue"
SIDES = {RED: "top and bottom", BLUE: "left and right"}


@dataclass(frozen=True, order=True)
class HexMove:
    """A stone on a cell; rows count from the top and columns from the left, both from 0.

    >>> print(HexMove(row=1, column=2))
    c2
    """

    row: int
    column: int

    def __str__(self) -> str:
        return f"{chr(ord('a') + self.column)}{self.row + 1}"


@dataclass(frozen=True)
class Swap:
    """The second player takes over the first move."""

    def __str__(self) -> str:
        return "swap"


SWAP = Swap()


@dataclass(frozen=True, repr=False)
class HexPosition(Position[HexMove | Swap]):
    """The stones of both sides, a bit for each cell, and whose turn it is.

    Make one with `Hex.start`, `Hex.position` or `Hex.read_position`; this class checks nothing.
    """

    game: Hex
    red: int
    blue: int
    to_move: str
    last: int | None = field(default=None, compare=False)
    """The cell of the last stone, where it is known; positions that differ in it are the same."""

    @cached_property
    def winner(self) -> str | None:
        """The side that has connected its sides of the board; only the last to move can have."""
        stones, colour = (self.blue, BLUE) if self.to_move == RED else (self.red, RED)
        return colour if connected(stones, colour, self.game.size) else None

    def moves(self) -> tuple[HexMove | Swap, ...]:
        """The empty cells row by row, then the swap if it is allowed; none if the game is over."""
        if self.winner is not None:
            return ()
        cells = cells_of(self.game.size)
        taken = f"{self.red | self.blue:0{len(cells)}b}"
        empty = itertools.compress(cells, map("0".__eq__, reversed(taken)))
        return (*empty, SWAP) if self.may_swap else tuple(empty)

    @property
    def may_swap(self) -> bool:
        """Whether the side to move may take over the first move: only as the first reply."""
        first_reply = self.red.bit_count() == 1 and not self.blue and self.to_move == BLUE
        return self.game.swap and first_reply and self.winner is None

    @property
    def may_be_swapped(self) -> bool:
        """Whether blue may take over the move that is made here: only the first one."""
        empty = not self.red | self.blue and self.to_move == RED
        return self.game.swap and empty and self.game.size > 1

    def unswapped(self) -> HexPosition | None:
        """The same board for one who does not swap; None if there is nothing to swap."""
        if not self.may_swap:
            return None
        return dataclasses.replace(self, game=dataclasses.replace(self.game, swap=False))

    def play(self, move: HexMove | Swap) -> HexPosition:
        """The position after a move.

        A swap turns the red stone into a blue one on the cell reflected at the long diagonal
        (a3 becomes c1), which is worth to blue what the red one was worth to red. Then it is
        red's turn.
        """
        if self.winner is not None:
            raise self._illegal(f"{move} is not possible: {self.outcome()}.")
        if isinstance(move, Swap):
            if not self.may_swap:
                raise self._illegal(
                    f"{move} is not possible here; only blue's first move may be one, and only "
                    "with swap=True."
                )
            stone = transposed(self.red, self.game.size)
            return HexPosition(self.game, 0, stone, RED, stone.bit_length() - 1)
        size = self.game.size
        if not (0 <= move.row < size and 0 <= move.column < size):
            raise self._illegal(f"{move} is not on a board of size {size}.")
        cell = move.row * size + move.column
        stone = 1 << cell
        if (self.red | self.blue) & stone:
            owner = RED if self.red & stone else BLUE
            raise self._illegal(f"{move} has a {owner} stone already.")
        if self.to_move == RED:
            return HexPosition(self.game, self.red | stone, self.blue, BLUE, cell)
        return HexPosition(self.game, self.red, self.blue | stone, RED, cell)

    def outcome(self) -> Outcome | None:
        """Who connected which sides, or None if the game goes on."""
        if self.winner is None:
            return None
        return Outcome(
            self.winner, f"{self.winner} connected {SIDES[self.winner]}", Ending.CONNECTED
        )

    def half_turned(self) -> HexPosition:
        """The position with the board turned by 180 degrees; all else stays."""
        size = self.game.size
        red, blue = half_turned(self.red, size), half_turned(self.blue, size)
        return HexPosition(self.game, red, blue, self.to_move)

    def reversed(self) -> HexPosition:
        """The position with the colours exchanged, the board reflected, and the other to move.

        What was good for red is as good for blue now: who won has lost.
        """
        size = self.game.size
        red, blue = transposed(self.blue, size), transposed(self.red, size)
        return HexPosition(self.game, red, blue, self.game.other(self.to_move))

    def __str__(self) -> str:
        return self.game.text(self)

    def _illegal(self, problem: str) -> IllegalMoveError:
        return IllegalMoveError(problem, position=self.game.write_position(self))


@dataclass(frozen=True, repr=False)
class Hex(ModularGame[HexPosition, HexMove | Swap]):
    """Hex on a board of `size` × `size` cells; with `swap`, blue may take over red's first move.

    >>> Hex(size=20)
    Traceback (most recent call last):
        ...
    ValueError: size=20 must be an integer from 1 to 19.
    """

    name: ClassVar[str] = "hex"
    version: ClassVar[int] = 1
    colours: ClassVar[tuple[str, str]] = (RED, BLUE)

    size: int = 11
    swap: bool = False

    def __post_init__(self) -> None:
        # NumPy's numbers would make a `repr` that cannot be typed in.
        object.__setattr__(self, "size", whole_number("size", self.size, 1, LARGEST))
        flag("swap", self.swap)

    def start(self) -> HexPosition:
        """The empty board, red to move."""
        return HexPosition(self, 0, 0, RED)

    def position(self, red: int, blue: int, to_move: str) -> HexPosition:
        """A position by its stones, a bit for each cell; a `ValueError` if it cannot come up.

        Either side may have begun, so that a reversed position is one, too.
        """
        if to_move not in self.colours:
            raise ValueError(f"It is the turn of 'red' or 'blue', not of {to_move!r}.")
        if (red | blue) >> self.size**2:
            raise ValueError(f"There is a stone outside the board of size {self.size}.")
        if red & blue:
            cell = cells_of(self.size)[(red & blue).bit_length() - 1]
            raise ValueError(f"{cell} cannot have a red stone and a blue one.")
        counts = {RED: red.bit_count(), BLUE: blue.bit_count()}
        behind = counts[self.other(to_move)] - counts[to_move]
        if behind not in (0, 1):
            raise ValueError(
                f"It cannot be {to_move}'s turn with {counts[RED]} red and {counts[BLUE]} blue "
                "stones: the side to move has as many as the other one, or one fewer."
            )
        if connected(red if to_move == RED else blue, to_move, self.size):
            raise ValueError(
                f"It cannot be {to_move}'s turn, since {to_move} has connected {SIDES[to_move]}."
            )
        return HexPosition(self, red, blue, to_move)


@functools.cache
def cells_of(size: int) -> tuple[HexMove, ...]:
    """The cells of a board, row by row."""
    return tuple(HexMove(row, column) for row in range(size) for column in range(size))


@functools.cache
def _edges(size: int) -> tuple[int, int, int, int]:
    """The bits of the cells along the top, the bottom, the left and the right."""
    top = (1 << size) - 1
    left = sum(1 << row * size for row in range(size))
    return top, top << size * (size - 1), left, left << size - 1


def connected(stones: int, colour: str, size: int) -> bool:
    """Whether a chain of these stones joins the two sides of a colour.

    The stones that are reached from one side grow by their neighbours until no more are found. A
    cell has neighbours to the left and right, above and above right, below and below left.
    """
    if stones.bit_count() < size:
        return False
    top, bottom, left, right = _edges(size)
    start, goal = (top, bottom) if colour == RED else (left, right)
    reached, before = stones & start, 0
    while reached != before:
        if reached & goal:
            return True
        before = reached
        leftward, rightward = reached & ~left, reached & ~right
        reached |= leftward >> 1 | rightward << 1 | reached >> size | reached << size
        reached |= rightward >> size - 1 | leftward << size - 1
        reached &= stones
    return False


def winning_chain(position: HexPosition) -> tuple[HexMove, ...]:
    """A shortest chain of the winner's stones from side to side; none while the game goes on.

    >>> [str(cell) for cell in winning_chain(Hex(size=2).read_position("R./RB blue"))]
    ['a1', 'a2']
    """
    winner, size = position.winner, position.game.size
    if winner is None:
        return ()
    stones = position.red if winner == RED else position.blue
    cells = cells_of(size)
    left = {cell for n, cell in enumerate(cells) if stones >> n & 1}

    def along(cell: HexMove) -> int:
        return cell.row if winner == RED else cell.column

    chains: list[tuple[HexMove, ...]]
    chains = [(cell,) for cell in cells if cell in left and along(cell) == 0]
    for chain in chains:
        row, column = chain[-1].row, chain[-1].column
        if along(chain[-1]) == size - 1:
            return chain
        for down, right in ((1, -1), (1, 0), (0, 1), (0, -1), (-1, 1), (-1, 0)):
            beside = HexMove(row + down, column + right)
            if beside in left:
                left.remove(beside)
                chains.append((*chain, beside))
    return ()


def transposed(stones: int, size: int) -> int:
    """The stones reflected at the long diagonal from the top left: rows become columns."""
    result = 0
    while stones:
        cell = stones.bit_length() - 1
        stones ^= 1 << cell
        result |= 1 << cell % size * size + cell // size
    return result


def half_turned(stones: int, size: int) -> int:
    """The stones with the board turned by 180 degrees."""
    return int(f"{stones:0{size * size}b}"[::-1], 2)
