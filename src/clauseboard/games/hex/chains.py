"""The chains of a Hex position, what they are connected to, and the moves that are left.

    >>> from clauseboard.game import load_game
    >>> game = load_game("hex", size=5)
    >>> position = game.read_position("...../...../..R../...../..... blue")
    >>> red = find_connections(position)["red"]
    >>> [str(cell) for cell in red.chains[0].cells], sorted(red.chains[0].joined)
    (['c3'], ['bottom', 'top'])
    >>> red.is_won, [str(cell) for cell in must_play(position)]
    (True, [])

All of it is what `h_search.py` proves; what it does not find may still be so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import whole_number
from clauseboard.games.hex import h_search
from clauseboard.games.hex.cell_sets import LARGEST
from clauseboard.games.hex.encoding import SIDES, boards_of
from clauseboard.games.hex.rules import Hex, HexMove, HexPosition, cells_of

Cells = frozenset[HexMove]

EDGES = {"red": ("top", "bottom"), "blue": ("left", "right")}
"""The edges that each side connects, in the order of the kernel."""


@dataclass(frozen=True)
class HexChain:
    """A chain of stones, and the edges that it is surely connected to, each with a carrier.

    The carrier is the empty cells that the connection needs; none where a stone touches the edge.
    """

    cells: tuple[HexMove, ...]
    joined: dict[str, Cells]


@dataclass(frozen=True)
class SideConnections:
    """What one side has connected.

    `full` are carriers of plans that connect its edges although the other side moves, `half` of
    those that need a move first. It relies on the cells that it has `captured`, too: it answers in
    one of two if the other side plays there. `filled` are its stones with these and dead cells.
    """

    colour: str
    has_chain: bool
    full: tuple[Cells, ...]
    half: tuple[Cells, ...]
    captured: Cells
    filled: Cells
    chains: tuple[HexChain, ...]

    @property
    def is_won(self) -> bool:
        """Whether it connects its edges whatever the other side does."""
        return self.has_chain or bool(self.full)

    @cached_property
    def wins_by_moving(self) -> bool:
        """Whether it connects its edges if it is to move."""
        return self.is_won or bool(self.half)


class Workspace:
    """Room for the search on boards of one size."""

    def __init__(self, size: int) -> None:
        self.size = whole_number("size", size, 1, LARGEST)
        self.board = np.zeros((size + 2) ** 2, np.int8)
        self.captured = np.zeros((2, h_search.WORDS), np.uint64)
        self.sides = h_search.new_memory(size), h_search.new_memory(size)

    def find(self, stones: NDArray[np.uint64]) -> tuple[int, int]:
        """Search a board, given as the words of both sides; whether either has connected."""
        red, blue = self.sides
        return h_search.find_plans(stones, self.size, self.board, self.captured, red, blue)

    def half_wins(self, side: int) -> NDArray[np.uint64]:
        """The carriers of the plans that win if the side is to move."""
        memory = self.sides[side]
        first_edge = self.size**2
        return memory[h_search.HALF][first_edge, : memory[h_search.HALF_COUNTS][first_edge]]

    def full_plans(self, side: int, edge: int, point: int) -> NDArray[np.uint64]:
        """The carriers of the plans that connect a point with the first (0) or second edge."""
        memory = self.sides[side]
        index = memory[h_search.N_ANCHORS][0] - 2 + edge
        count = memory[h_search.FULL_COUNTS][index, point]
        return memory[h_search.FULL][index, point, :count]

    def holds(self, stones: NDArray[np.uint64], side: int, depth: int = 0) -> bool:
        """Whether a side connects although the other one moves first.

        It has a full plan, or it wins by moving after each cell that all its half plans need: every
        other cell leaves one of them.
        """
        if self.find(stones)[side] or len(self.full_plans(side, 1, self.size**2)):
            return True
        replies = self._needed_by_all(side)
        return replies is not None and all(
            self.wins_moving(with_stone(stones, 1 - side, cell), side, depth) for cell in replies
        )

    def wins_moving(self, stones: NDArray[np.uint64], side: int, depth: int = 0) -> bool:
        """Whether a side that is to move connects.

        It has a plan; or, where it has to answer threats and there is `depth` left, one of the
        answers `holds`.
        """
        connected = self.find(stones)
        for one in (side, 1 - side):
            if connected[one] or len(self.full_plans(one, 1, self.size**2)):
                return one == side
        if len(self.half_wins(side)):
            return True
        answers = self._needed_by_all(1 - side) if depth else None
        return answers is not None and any(
            self.holds(with_stone(stones, side, cell), side, depth - 1) for cell in answers
        )

    def _needed_by_all(self, side: int) -> list[int] | None:
        """The cells that are in all half plans of a side; None if it has none."""
        plans = self.half_wins(side)
        return numbers_in(np.bitwise_and.reduce(plans)) if len(plans) else None


def with_stone(stones: NDArray[np.uint64], side: int, cell: int) -> NDArray[np.uint64]:
    """The words of a board with one more stone."""
    more = stones.copy()
    more[side, cell // 64] |= np.uint64(1 << cell % 64)
    return more


def find_connections(position: HexPosition) -> dict[str, SideConnections]:
    """What each side has connected, by its colour."""
    room = Workspace(position.game.size)
    connected = room.find(boards_of(position.game, [position])[0])
    return {
        colour: _side(position, side, bool(connected[side]), room)
        for side, colour in enumerate(SIDES)
    }


def must_play(position: HexPosition) -> tuple[HexMove, ...]:
    """The only moves that may still win, in the order of the board; none if all lose.

    Where the other side does not threaten to connect, these are all cells but dead and captured
    ones; where the side to move has won whatever it plays, all empty cells.
    """
    sides = find_connections(position)
    mover, other = sides[position.to_move], sides[position.game.other(position.to_move)]
    if other.is_won:
        return ()
    if mover.is_won:
        return tuple(move for move in position.moves() if isinstance(move, HexMove))
    taken = mover.filled | other.filled
    cells = frozenset(cells_of(position.game.size)) - taken
    for carrier in other.half:
        cells &= carrier
    return tuple(sorted(cells))


def _side(position: HexPosition, side: int, has_chain: bool, room: Workspace) -> SideConnections:
    game, colour = position.game, SIDES[side]
    stones = position.red if side == 0 else position.blue
    board = cells_of(game.size)
    places = room.board.reshape(game.size + 2, -1)[1:-1, 1:-1].ravel()
    filled = frozenset(cell for n, cell in enumerate(board) if places[n] == 1 << side)
    first_edge = game.size**2
    return SideConnections(
        colour,
        has_chain,
        () if has_chain else _sets(game, room.full_plans(side, 1, first_edge)),
        () if has_chain else _sets(game, room.half_wins(side)),
        _sets(game, room.captured[side : side + 1])[0],
        filled,
        () if has_chain else _chains(game, side, stones, room),
    )


def _chains(game: Hex, side: int, stones: int, room: Workspace) -> tuple[HexChain, ...]:
    """The chains of real stones; filled cells and edges may join some of them to one point."""
    point_of = room.sides[side][h_search.POINT_OF]
    n_cells = game.size**2
    board = cells_of(game.size)
    chains = []
    for cells in _touching(board, stones):
        point = int(point_of[cells[0]])
        joined = {}
        for edge, name in enumerate(EDGES[SIDES[side]]):
            if point == n_cells + edge:
                joined[name] = Cells()
            else:
                carriers = _sets(game, room.full_plans(side, edge, point))
                if carriers:
                    joined[name] = carriers[0]
        chains.append(HexChain(tuple(board[cell] for cell in cells), joined))
    return tuple(chains)


def _touching(board: Sequence[HexMove], stones: int) -> Iterator[list[int]]:
    """The numbers of stones that touch each other, chain by chain."""
    number = {cell: n for n, cell in enumerate(board) if stones >> n & 1}
    while number:
        chain = [next(iter(number))]
        number.pop(chain[0])
        for cell in chain:
            for row, column in ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)):
                beside = HexMove(cell.row + row, cell.column + column)
                if number.pop(beside, None) is not None:
                    chain.append(beside)
        yield sorted(board.index(cell) for cell in chain)


def _sets(game: Hex, rows: NDArray[np.uint64]) -> tuple[Cells, ...]:
    return tuple(cells_in(game, row) for row in rows)


def cells_in(game: Hex, words: Sequence[np.uint64] | NDArray[np.uint64]) -> Cells:
    """The cells whose bits are set in the words of a set."""
    board = cells_of(game.size)
    numbers = numbers_in(words)
    return frozenset(board[n] for n in numbers)


def numbers_in(words: Iterable[np.uint64]) -> list[int]:
    """The numbers of the bits that are set, from the lowest on."""
    whole = sum(int(word) << 64 * n for n, word in enumerate(words))
    return [n for n in range(whole.bit_length()) if whole >> n & 1]
