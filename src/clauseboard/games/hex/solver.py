"""Who wins a Hex position, and by which moves: exactly, on boards up to 8 × 8.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=3).read_position(".../.R./... blue")
    >>> solution = Solver(3).solve(position)
    >>> solution.winner
    'red'
    >>> solution.moves_at_most
    2

A solution comes with its reason: the *carrier*, the empty cells that the winner needs. Whatever
is played elsewhere, the winner wins within the carrier. If it has n cells and the loser is to
move, n // 2 stones are enough, and (n + 1) // 2 if the winner is; see `solver_kernels.py`.

A solver keeps a table of what it has learnt, so that the next position is solved faster. Boards
up to 6 × 6 take seconds at most; 7 × 7 takes some patience and 8 × 8 a lot.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.hex.boards import Boards, check_boards
from clauseboard.games.hex.rules import (
    BLUE,
    RED,
    Hex,
    HexMove,
    HexPosition,
    Swap,
    cells_of,
    transposed,
)
from clauseboard.words import STREAM_STEP, mixed

LARGEST = 8
"""The largest board whose cells fit into one word."""

TABLE = 2**20
"""Entries of the table, 48 bytes each, unless told otherwise."""


@dataclass(frozen=True)
class Solution:
    """Who wins, and the empty cells that the win needs, in the order of the board.

    `moves_at_most` is how many more stones the winner needs: at most, not at best.
    """

    winner: str
    carrier: tuple[HexMove, ...]
    moves_at_most: int


class Solver:
    """Solves positions of one size, and remembers; `entries`, a power of 2, is how many."""

    def __init__(self, size: int, entries: int = TABLE) -> None:
        from clauseboard.games.hex import solver_kernels as kernels

        if not 1 <= size <= LARGEST:
            raise ValueError(f"The solver takes boards of size 1 to {LARGEST}, not {size}.")
        if entries < 1 or entries & (entries - 1):
            raise ValueError(f"The table has a power of 2 of entries, not {entries}.")
        self.size = size
        self._kernels = kernels
        self._memory = kernels.memory(entries)

    @property
    def judged(self) -> int:
        """How many positions have been judged so far: the work done."""
        return int(self._memory[-1][0])

    # ---- who wins

    def solve(self, position: HexPosition) -> Solution:
        """Who wins a position if both play as well as possible.

        Where a swap is possible its side wins, for either the swap or a stone does; then, and on
        an empty board with swaps, no cells carry the win, and the number of moves is that of
        cells.
        """
        self._check(position)
        over = position.outcome()
        if over is not None and over.winner is not None:
            return Solution(over.winner, (), 0)
        if _swap_decides(position):
            return Solution(BLUE, (), self.size**2)
        red, blue = _spread(position.red, self.size), _spread(position.blue, self.size)
        won, carrier = self._solve(red, blue, position.to_move == RED)
        winner = position.to_move if won else position.game.other(position.to_move)
        cells = tuple(cell for cell in cells_of(self.size) if carrier >> _place(cell) & 1)
        return Solution(winner, cells, (len(cells) + won) // 2)

    def winning_moves(self, position: HexPosition) -> tuple[HexMove | Swap, ...]:
        """All moves that win, in the order of `position.moves()`; none if the position is lost.

        Symmetric ones and roundabout ones are among them.
        """
        winner = self.solve(position).winner
        if winner != position.to_move:
            return ()
        lost: set[HexMove | Swap] = set()
        won = []
        for move in position.moves():
            if move in lost:
                continue
            after = self.solve(position.play(move))
            if after.winner == winner:
                won.append(move)
            elif after.carrier and not _swap_decides(position):
                # What beats this move beats every other that does not touch it.
                lost.update(cell for cell in position.moves() if cell not in after.carrier)
        return tuple(won)

    def label(self, game: Hex, boards: Boards, to_move: NDArray[np.int8]) -> NDArray[np.int8]:
        """The winner of each board, 0 for red and 1 for blue; see `boards.py`.

        `to_move` is 0 or 1 for each board. No swaps are thought of.
        """
        self._check_size(game.size)
        boards = check_boards(game, boards)
        sides = np.ascontiguousarray(to_move, np.int8)
        if sides.shape != boards.shape[:1] or np.any((sides != 0) & (sides != 1)):
            raise ValueError(f"To move is 0 or 1 for each of {len(boards)} boards, not {to_move}.")
        found = np.empty(len(boards), np.int8)
        self._kernels.solve_many(boards[:, :, 0].copy(), sides, self.size, found, *self._memory)
        return found

    # ---- play

    def best_move(self, position: HexPosition, seed: int = 0) -> HexMove | Swap:
        """The move that wins in the fewest moves, or else the one that holds out longest.

        Both as far as the solver's proofs tell (`Solution.moves_at_most`). The seed decides
        between moves that are as good as each other.
        """
        if position.outcome() is not None:
            raise ValueError(f"There is no move any more: {position.outcome()}, in {position!r}.")
        won = self.winning_moves(position)
        sign = 1 if won else -1
        rated = [
            (sign * self.solve(position.play(move)).moves_at_most, move)
            for move in won or position.moves()
        ]
        best = min(rate for rate, _ in rated)
        moves = [move for rate, move in rated if rate == best]
        with np.errstate(over="ignore"):
            draw = mixed(np.uint64(seed % 2**64) + STREAM_STEP)
        return moves[int(draw) % len(moves)]

    def principal_line(self, position: HexPosition, seed: int = 0) -> Iterator[HexMove | Swap]:
        """Best moves of both sides in turn, to the end of the game."""
        while position.outcome() is None:
            move = self.best_move(position, seed)
            yield move
            position = position.play(move)

    # ---- inside

    def _solve(self, red: int, blue: int, red_moves: bool) -> tuple[bool, int]:
        """Whether the side to move wins, and the carrier, in rows of eight places."""
        own, other = (red, blue) if red_moves else (transposed(blue, 8), transposed(red, 8))
        result, found = self._kernels.solve(
            np.uint64(own), np.uint64(other), self.size, *self._memory
        )
        carrier = int(found) if red_moves else transposed(int(found), 8)
        return result == self._kernels.WON, carrier

    def _check(self, position: HexPosition) -> None:
        self._check_size(position.game.size)

    def _check_size(self, size: int) -> None:
        if size != self.size:
            raise ValueError(f"This solver is for boards of size {self.size}, not {size}.")


def best_move(position: HexPosition, seed: int = 0) -> HexMove | Swap:
    """The best move by a solver kept for this size of board; see `Solver.best_move`.

    >>> from clauseboard.game import load_game
    >>> print(best_move(load_game("hex", size=3).start()))
    b2
    """
    return solver_for(position.game.size).best_move(position, seed)


@functools.cache
def solver_for(size: int) -> Solver:
    """The one solver for a size that is shared; it must not be used by two threads at once."""
    return Solver(size)


def _swap_decides(position: HexPosition) -> bool:
    """Whether blue wins for the sake of the swap alone."""
    empty = not position.red and not position.blue
    # The only move on a board of one cell wins, so that nobody is left to swap.
    return position.may_swap or (position.game.swap and empty and position.game.size > 1)


def _place(cell: HexMove) -> int:
    return 8 * cell.row + cell.column


def _spread(stones: int, size: int) -> int:
    """Stones in rows of eight places."""
    row = (1 << size) - 1
    return sum((stones >> n * size & row) << 8 * n for n in range(size))
