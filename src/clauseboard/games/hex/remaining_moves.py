"""How many moves are left of a Hex game that is decided: the loser holds out, the winner hurries.

Up to 8 x 8 the winner's moves are counted by the solver (`shortest_win.py`), as far as that takes
little effort. Else they are estimated: from the shortest way from edge to edge and from the cells
that keep the winner connected by H-search, after the best replies of both sides.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=4).read_position("..../..R./.R../.B.. blue")
    >>> found = longest_resistance(position)
    >>> [str(move) for move in found.moves], [str(move) for move in found.best], found.left
    (['c1', 'd1', 'a4'], ['a4'], 4)
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.hex.cell_sets import LARGEST
from clauseboard.games.hex.chains import Workspace
from clauseboard.games.hex.encoding import SIDES, words_of
from clauseboard.games.hex.rules import HexMove, HexPosition, cells_of
from clauseboard.games.hex.solving import ALWAYS_EXACT, AT_ONCE, FEW_ENTRIES, Solver, solver_for
from clauseboard.games.hex.solving import LARGEST as LARGEST_SOLVED
from clauseboard.kernels.compiler import JIT_DISABLED

EFFORT = 2**15
"""Positions that the solver looks at to count, and once more to compare moves."""

SEARCHES = 1000
"""Boards on which connections are looked for, after which no further moves are compared."""

WIDE, REPLIES, FURTHER = 8, 3, 5
"""How many moves of a lost side are compared by one more exchange; and how many replies to each,
and moves after these, are looked at."""

PER_MOVE, PER_CELL, PER_CAPTURED, AT_LEAST = 0.49, 0.19, 0.115, 0.7
"""How many moves a winner that is connected needs: by the moves of the shortest way, the cells that
keep it connected, and those it has captured. Fitted to 169 positions of 7 x 7 that the solver
counted."""

UNSEEN = 2.0
"""More moves than the shortest way has are needed where no reply is found that connects."""


@dataclass(frozen=True)
class HexResistance:
    """The `moves` of a lost side that hold out longest, and the `best` of them.

    These leave the winner the fewest `answers` that keep its win, where they are counted. `left`
    is how many moves the winner still needs. If that `is_exact`, so are the moves; else they are
    estimated, and `left` is how many it needs at least: whatever it plays if that `is_proven`, or
    else if it stays surely connected. Where not even a reply is found that connects it (`is_seen`
    is false), it needs so many in any case.
    """

    moves: tuple[HexMove, ...]
    best: tuple[HexMove, ...]
    answers: int | None
    left: int
    is_exact: bool = False
    is_proven: bool = False
    is_seen: bool = True


@functools.lru_cache(maxsize=64)
def longest_resistance(position: HexPosition, solved: bool = True) -> HexResistance | None:
    """The moves after which the winner needs most moves; None where no count is possible.

    It is taken for granted that every move loses. Up to 8 x 8 the solver counts, if it is not
    denied. What it leaves open is estimated: first come moves after which no reply is found that
    connects the winner at once, and of these those with the longest way from edge to edge; then
    those after which it needs most moves by the best replies.
    """
    if not _can_count(position):
        return None
    size, counter = position.game.size, MoveCounter(position, position.game.other(position.to_move))
    known = None
    if solved and size <= LARGEST_SOLVED:
        known = _solver(size).longest(position, None if size <= ALWAYS_EXACT else EFFORT)
    if known is None:
        return counter.longest()
    moves, stones, is_certain = known.moves, known.stones, known.is_certain
    if is_certain and size <= AT_ONCE:
        wins = solver_for(size, FEW_ENTRIES).winning_moves
        answers = [len(wins(position.play(move))) for move in moves]
        fewest = min(answers)
        least = tuple(move for move, n in zip(moves, answers, strict=True) if n == fewest)
        return HexResistance(moves, least, fewest, stones, is_exact=True, is_proven=True)
    best = counter.longest(moves).best
    return HexResistance(moves if is_certain else best, best, None, stones, is_certain, True)


@functools.lru_cache(maxsize=64)
def soonest_wins(position: HexPosition) -> tuple[HexMove, ...]:
    """The moves after which the side to move, which has won, needs the fewest moves to the end.

    There are none where no move is found after which it is surely connected.
    """
    if not _can_count(position):
        return ()
    size = position.game.size
    if size <= LARGEST_SOLVED:
        effort = None if size <= ALWAYS_EXACT else EFFORT
        known = _solver(size).soonest(position, effort)
        if known is not None:
            return known.moves
    return MoveCounter(position, position.to_move).soonest()


def _solver(size: int) -> Solver:
    """A solver: where effort is bounded a new one, that has not learnt more in one game than in
    another, so that moves are the same in both."""
    return solver_for(size, FEW_ENTRIES) if size <= ALWAYS_EXACT else Solver(size, FEW_ENTRIES)


def _can_count(position: HexPosition) -> bool:
    """Whether there are moves, none of which is a swap or may be answered by one.

    Without the compiler all of it would take too long.
    """
    if JIT_DISABLED or position.game.size > LARGEST:
        return False
    moves = position.moves()
    may_swap = any(not isinstance(move, HexMove) for move in moves) or position.may_be_swapped
    return bool(moves) and not may_swap


class _Way(NamedTuple):
    """The shortest ways of a winner: how many moves they have, and their empty cells."""

    moves: int
    cells: int


class _Links(NamedTuple):
    """Whether a winner is connected, though the other side moves.

    If so: the cells that keep it so, and about how many moves it still needs. Else the cells that
    connect it by a move; none are known where there are none.
    """

    is_sure: bool
    cells: int
    left: float = 0.0


class MoveCounter:
    """Counts the moves that a winner still has to make; the cells of a set are bits of a number."""

    def __init__(self, position: HexPosition, winner: str) -> None:
        self.size = size = position.game.size
        self.winner = SIDES.index(winner)
        stones = position.red, position.blue
        self.own, self.other = stones[self.winner], stones[1 - self.winner]
        self.room, self.searches = Workspace(size), 0
        self.whole = (1 << size * size) - 1
        first = sum(1 << size * row for row in range(size))
        self.not_first, self.not_last = self.whole & ~first, self.whole & ~(first << size - 1)
        top = (1 << size) - 1
        columns, rows = (first, first << size - 1), (top, top << size * (size - 1))
        self.edges = columns if self.winner else rows
        self._ways: dict[tuple[int, int], _Way] = {}
        self._links: dict[tuple[int, int], _Links] = {}

    # ---- what either side plays

    def longest(self, among: Iterable[HexMove] | None = None) -> HexResistance:
        """The moves of the other side after which the winner needs most; if need be, among some."""
        own, other, board = self.own, self.other, cells_of(self.size)
        if among is None:
            cells = self._worth_trying(own, other)
        else:
            cells = sum(1 << board.index(move) for move in among)
        after = {bit: self._after(own, other | bit, 1) for bit in _bits(cells)}
        unseen = {bit: self.way(own, other | bit).moves for bit, n in after.items() if n is None}
        if unseen:
            moves = self._most(unseen)
            return HexResistance(moves, moves, None, max(unseen.values()), is_seen=False)
        moves = self._most(self._further({bit: n for bit, n in after.items() if n is not None}))
        first = 1 << board.index(moves[0])
        return HexResistance(moves, moves, None, self._at_least(own, other | first))

    def soonest(self) -> tuple[HexMove, ...]:
        """The moves of the winner that keep it connected and leave it the fewest."""
        left = dict(self._connecting(self.own, self.other))
        least = min(left.values(), default=0.0)
        board = cells_of(self.size)
        return tuple(board[bit.bit_length() - 1] for bit in sorted(left) if left[bit] == least)

    def _most(self, left: dict[int, int] | dict[int, float]) -> tuple[HexMove, ...]:
        """The moves after which most are left."""
        board, most = cells_of(self.size), max(left.values())
        return tuple(board[bit.bit_length() - 1] for bit in sorted(left) if left[bit] == most)

    def _further(self, left: dict[int, float]) -> dict[int, float]:
        """The moves that seem to last longest by one more exchange, if that is not too many."""
        deeper: dict[int, float] = {}
        for bit in sorted(left, key=lambda bit: (-left[bit], bit))[:WIDE]:
            if deeper and self.searches >= SEARCHES:
                break
            n = self._after(self.own, self.other | bit, 2, max(deeper.values(), default=0.0))
            assert n is not None  # some reply connects
            deeper[bit] = n
        return deeper

    # ---- how many moves are left

    def _after(self, own: int, other: int, exchanges: int, least: float = 0.0) -> float | None:
        """How many moves the winner, whose turn it is, has to make if it stays connected.

        None where no reply is found that keeps it so. A number up to `least` may be too great.
        """
        if (needed := self.way(own, other).moves) <= 1:
            return needed
        best: float | None = None
        replies = sorted(self._connecting(own, other, exchanges == 1), key=lambda reply: reply[1])
        if exchanges == 1:
            return 1 + replies[0][1] if replies else None
        for bit, _ in replies[:REPLIES]:
            left = 1 + self._before(own | bit, other, exchanges - 1, best)
            best = left if best is None else min(best, left)
            if best <= least:
                break
        return best

    def _before(self, own: int, other: int, exchanges: int, most: float | None) -> float:
        """How many moves a winner that is connected has to make if the other side moves.

        Where `most` is reached with the move before, the number may be too small.
        """
        if not (way := self.way(own, other)).moves:
            return 0.0
        best = 0.0
        for bit in self._intrusions(own, other):
            left = self._after(own, other | bit, exchanges, best)
            best = max(best, way.moves + UNSEEN if left is None else left)
            if most is not None and 1 + best >= most:
                break
        return best

    def _intrusions(self, own: int, other: int) -> list[int]:
        """A few moves that hinder the winner most: it has to answer, or its way is longer."""

        def hinders(bit: int) -> tuple[bool, float, int]:
            links, way = self.linked(own, other | bit), self.way(own, other | bit)
            return not links.is_sure, links.left if links.is_sure else way.moves, bit

        cells = _bits(self._worth_trying(own, other))
        return sorted(cells, key=hinders, reverse=True)[:FURTHER]

    def _worth_trying(self, own: int, other: int) -> int:
        """Where the other side may hinder the winner: all empty cells if that is not known."""
        links, free = self.linked(own, other), self.whole & ~(own | other)
        return (links.cells | self.way(own, other).cells) & free if links.is_sure else free

    def _connecting(
        self, own: int, other: int, is_last: bool = False
    ) -> Iterator[tuple[int, float]]:
        """Replies that keep the winner connected, each with what it then needs, about.

        If it `is_last`, only those are of interest that need less than those before them.
        """
        way, links = self.way(own, other), self.linked(own, other)
        cells = links.cells & ~(own | other)
        if links.is_sure or not cells:
            cells |= way.cells
        best = float("inf")
        for bit in (*_bits(cells & way.cells), *_bits(cells & ~way.cells)):
            moves = way.moves - 1 if bit & way.cells else way.moves
            if is_last and AT_LEAST + PER_MOVE * moves >= best:
                return
            after = self.linked(own | bit, other)
            if after.is_sure:
                best = min(best, after.left)
                yield bit, after.left

    def _at_least(self, own: int, other: int) -> int:
        """How many moves the winner, whose turn it is, needs at least if its reply connects it.

        What counts is the shortest way after that reply and one more move of the other side.
        """
        best, free = self.size**2, self.whole & ~(own | other)
        for n, bit in sorted((self.way(own | bit, other).moves, bit) for bit in _bits(free)):
            if 1 + n >= best:
                break
            if self.linked(own | bit, other).is_sure:
                blocks = _bits(self.way(own | bit, other).cells)
                after = (self.way(own | bit, other | block).moves for block in blocks)
                best = min(best, 1 + max(after, default=n))
        return best

    # ---- what keeps the winner connected

    def linked(self, own: int, other: int) -> _Links:
        """What is found of the winner's connection if the other side is to move."""
        known = self._links.get((own, other))
        if known is None:
            known = self._links[own, other] = self._search(own, other)
        return known

    def _search(self, own: int, other: int) -> _Links:
        way = self.way(own, other).moves
        if not way:
            return _Links(True, 0)
        self.searches += 1
        n_bytes = 8 * words_of(self.size)
        both = (other, own) if self.winner else (own, other)
        data = b"".join(stones.to_bytes(n_bytes, "little") for stones in both)
        connected = self.room.find(np.frombuffer(data, "<u8").astype(np.uint64).reshape(2, -1))
        plans = self.room.full_plans(self.winner, 1, self.size**2)
        if not (connected[self.winner] or len(plans)):
            halves = self.room.half_wins(self.winner)
            return _Links(False, _cells(np.bitwise_or.reduce(halves)) if len(halves) else 0)
        captured = _cells(self.room.captured[self.winner])
        cells = 0 if connected[self.winner] else min(map(_cells, plans), key=int.bit_count)
        left = AT_LEAST + PER_MOVE * way + PER_CELL * cells.bit_count()
        return _Links(True, cells | captured, left + PER_CAPTURED * captured.bit_count())

    # ---- the moves from edge to edge

    def way(self, own: int, other: int) -> _Way:
        """The shortest ways from edge to edge if the other side does not move."""
        known = self._ways.get((own, other))
        if known is None:
            known = self._ways[own, other] = self._shortest(own, other)
        return known

    def _shortest(self, own: int, other: int) -> _Way:
        """What is reached from either edge by 0, 1, ... moves, and what is on a shortest way."""
        layers = []
        for near, far in (self.edges, self.edges[::-1]):
            reached = [self._spread(near & own, own)]
            while not reached[-1] & far:
                more = (self._around(reached[-1]) | near) & ~other
                reached.append(self._spread(reached[-1] | more, own))
            layers.append(reached)
        first, second = layers
        needed, cells = len(first) - 1, 0
        for n in range(1, needed + 1):
            cells |= first[n] & second[needed + 1 - n]
        return _Way(needed, cells & ~(own | other))

    def _spread(self, reached: int, own: int) -> int:
        """Cells, and the winner's chains that they touch."""
        before = 0
        while reached != before:
            before, reached = reached, reached | self._around(reached) & own
        return reached

    def _around(self, cells: int) -> int:
        """These cells and all beside them."""
        size = self.size
        east, west = cells << 1 & self.not_first, cells >> 1 & self.not_last
        up_or_down = cells << size | cells >> size | west << size | east >> size
        return (cells | east | west | up_or_down) & self.whole


def _cells(words: NDArray[np.uint64]) -> int:
    """The words of a set as one number."""
    return sum(int(word) << 64 * n for n, word in enumerate(words))


def _bits(cells: int) -> list[int]:
    """The bits of a set, from the lowest on."""
    bits = []
    while cells:
        bits.append(cells & -cells)
        cells &= cells - 1
    return bits
