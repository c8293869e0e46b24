"""The Hex solver: who wins a position and by which moves, exactly, on boards up to 8 × 8.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=3).read_position(".../.R./... blue")
    >>> proof = Solver(3).solve(position)
    >>> proof.winner, proof.moves_at_most
    ('red', 2)

A proof has its *carrier*, the empty cells that the winner needs: whatever is played elsewhere, the
winner wins within the carrier. If it has n cells and the loser is to move, n // 2 stones are
enough, and (n + 1) // 2 if the winner is; see `proof_search.py`. `moves_at_most` is such a bound;
`fewest_moves` is exact, see `shortest_win.py`.

A solver keeps tables of what it has solved, so that the next position is solved faster. Boards up
to 6 × 6 take a second at most, 7 × 7 minutes, 8 × 8 much longer. Threads may share a solver; a
lock lets in one at a time.
"""

from __future__ import annotations

import functools
import random
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import whole_number
from clauseboard.game import Ending, Outcome
from clauseboard.games.hex import proof_search, shortest_win
from clauseboard.games.hex.encoding import SIDES, Boards, boards_of, check_boards
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
from clauseboard.games.solving import Progress, Solution, Truth, won_words

LARGEST = 8
"""The largest board whose cells fit into one word."""

TABLE = 2**20
"""The usual number of entries of the table, 48 bytes each."""

ALWAYS_EXACT = 5
"""Up to this size the fewest moves to the win are always counted to the end."""

EFFORT = 2**16
"""On larger boards they are given up after looking at so many positions."""


@dataclass(frozen=True)
class Proof:
    """The winner, and the empty cells that the win needs, in the order of the board.

    `moves_at_most` is an upper bound of how many more stones the winner needs.
    """

    winner: str
    carrier: tuple[HexMove, ...]
    moves_at_most: int


@dataclass(frozen=True)
class Length:
    """The moves after which a game lasts longest, or is over soonest, and the winner's `stones`.

    Unless it `is_certain`, the stones are how many it needs at least, and there may be other moves.
    """

    moves: tuple[HexMove, ...]
    stones: int
    is_certain: bool


class Solver:
    """Solves positions of one size, and remembers; `entries`, a power of 2, is how many."""

    def __init__(self, size: int, entries: int = TABLE) -> None:
        whole_number("size", size, 1, LARGEST)
        if entries < 1 or entries & (entries - 1):
            raise ValueError(f"entries={entries} must be a power of 2.")
        self.size = size
        self._memory = proof_search.new_memory(entries)
        self._shortest_memory = shortest_win.new_memory(entries)
        self._lock = threading.Lock()

    @property
    def judged(self) -> int:
        """How many positions have been judged so far: the work done."""
        return int(self._memory[-1][0])

    # ---- who wins

    def solve(self, position: HexPosition) -> Proof:
        """Who wins a position if both play as well as possible.

        Where a swap is possible its side wins, for either the swap or a stone does; then, and on
        an empty board with swaps, no cells carry the win, and the number of moves is that of
        cells.
        """
        self._check(position.game)
        over = position.outcome()
        if over is not None and over.winner is not None:
            return Proof(over.winner, (), 0)
        if _swap_decides(position):
            return Proof(BLUE, (), self.size**2)
        won, carrier = self._solve(position)
        winner = position.to_move if won else position.game.other(position.to_move)
        cells = tuple(cell for cell in cells_of(self.size) if carrier >> _place(cell) & 1)
        return Proof(winner, cells, (len(cells) + won) // 2)

    def winning_moves(self, position: HexPosition) -> tuple[HexMove | Swap, ...]:
        """All moves that win, in the order of `position.moves()`; none if the position is lost.

        Symmetric ones and roundabout ones are among them.
        """
        self._check(position.game)
        if position.outcome() is not None or (_swap_decides(position) and not position.may_swap):
            return ()
        own, other = self._seen_by(position.to_move, position)
        with self._lock:
            cells = int(proof_search.winning(own, other, self.size, self._memory))
        won = cells if position.to_move == RED else transposed(cells, 8)
        return tuple(
            move
            for move in position.moves()
            if (
                self.solve(position.play(move)).winner == position.to_move
                if isinstance(move, Swap)
                else won >> _place(move) & 1
            )
        )

    def label(self, game: Hex, boards: Boards, to_move: NDArray[np.int8]) -> NDArray[np.int8]:
        """The winner of each board, 0 for red and 1 for blue; swaps are not considered.

        `to_move` is 0 or 1 for each board.
        """
        words, sides = self._checked(game, boards, to_move)
        winners = np.empty(len(words), np.int8)
        with self._lock:
            proof_search.solve_many(words, sides, self.size, winners, self._memory)
        return winners

    def label_moves(
        self, game: Hex, boards: Boards, to_move: NDArray[np.int8]
    ) -> NDArray[np.uint64]:
        """All winning moves of each board as a word, a bit for each cell in the order of the board.

        There are none where the position is lost or the game is over; swaps are not considered.
        """
        words, sides = self._checked(game, boards, to_move)
        moves = np.empty(len(words), np.uint64)
        with self._lock:
            proof_search.winning_many(words, sides, self.size, moves, self._memory)
        return moves

    # ---- play

    def fewest_moves(self, position: HexPosition, effort: int | None = None) -> int | None:
        """How many more stones the winner needs if both play as well as possible: exactly.

        The winner hurries and the loser holds out. None if that is not known after `effort`
        positions (without one: no limit up to size 5, else 65,536), or if a swap decides.
        """
        return self._fewest(position, self.solve(position).winner, self._effort(effort))

    def best_move(
        self, position: HexPosition, seed: int = 0, effort: int | None = None
    ) -> HexMove | Swap:
        """The move that wins in the fewest moves, or else the one that holds out longest.

        This is exact up to size 5, and on larger boards where the effort is enough, as for
        `fewest_moves`; if it is not, `Proof.moves_at_most` decides. The seed decides between
        moves that are equally good.
        """
        if position.outcome() is not None:
            raise ValueError(f"The game is over: {position.outcome()}, in {position!r}.")
        won = self.winning_moves(position)
        left = self._effort(effort)
        tried = won or position.moves()
        moves = random.Random(seed).sample(tried, len(tried))
        winner = position.to_move if won else position.game.other(position.to_move)
        stones = self._fewest(position, winner, left)
        # The first best move in a random order, so that all best moves are equally likely.
        if stones is not None:
            wanted = shortest_win.YES if won else shortest_win.NO
            for move in moves:
                if self._enough(position.play(move), winner, stones - 1, left) == wanted:
                    return move
        sign = 1 if won else -1
        return min(moves, key=lambda move: sign * self.solve(position.play(move)).moves_at_most)

    def longest(self, position: HexPosition, effort: int | None = None) -> Length | None:
        """The moves that hold out longest, and how many stones the winner then needs.

        It is taken for granted that every move loses; None if it turns out otherwise. After so much
        `effort` (as for `fewest_moves`), the moves after which so many are needed at least.
        """
        winner, left = position.game.other(position.to_move), self._effort(effort)
        stones, is_certain = self._at_least(position, winner, left)
        if stones > self.size**2:
            return None
        for enough in range(stones, 0, -1):
            left = self._effort(effort)
            moves = self._moves(position, winner, enough - 1, left, shortest_win.NO)
            if moves:
                is_certain &= enough == stones and left[0] > 0
                return Length(moves, enough, is_certain)
        return None

    def soonest(self, position: HexPosition, effort: int | None = None) -> Length | None:
        """The moves that win in the fewest stones, and how many these are.

        None if the position is not won, or if that is not known after so much `effort`.
        """
        winner, left = position.to_move, self._effort(effort)
        stones, is_certain = self._at_least(position, winner, left)
        if not is_certain or stones > self.size**2:
            return None
        left = self._effort(effort)
        moves = self._moves(position, winner, stones - 1, left, shortest_win.YES)
        return Length(moves, stones, left[0] > 0) if moves else None

    def principal_line(self, position: HexPosition, seed: int = 0) -> Iterator[HexMove | Swap]:
        """Best moves of both sides in turn, to the end of the game."""
        while position.outcome() is None:
            move = self.best_move(position, seed)
            yield move
            position = position.play(move)

    # ---- inside

    def _solve(self, position: HexPosition) -> tuple[bool, int]:
        """Whether the side to move wins, and the carrier, in rows of eight places."""
        own, other = self._seen_by(position.to_move, position)
        with self._lock:
            result, cells = proof_search.solve(own, other, self.size, self._memory)
        carrier = int(cells) if position.to_move == RED else transposed(int(cells), 8)
        return result == proof_search.WON, carrier

    def _fewest(self, position: HexPosition, winner: str, effort: NDArray[np.int64]) -> int | None:
        """How many more stones the winner needs, or None if that takes too much effort."""
        if _swap_decides(position):
            return None
        stones, is_certain = self._at_least(position, winner, effort)
        return stones if is_certain and stones <= self.size**2 else None

    def _at_least(
        self, position: HexPosition, winner: str, effort: NDArray[np.int64]
    ) -> tuple[int, bool]:
        """How many more stones the winner needs at least, and whether these are enough.

        More than there are cells if it does not win.
        """
        stones, most = 0, self.size**2
        while stones <= most:
            answer = self._enough(position, winner, stones, effort)
            if answer != shortest_win.NO:
                return stones, answer == shortest_win.YES
            stones += 1
        return stones, True

    def _moves(
        self,
        position: HexPosition,
        winner: str,
        stones: int,
        effort: NDArray[np.int64],
        wanted: int,
    ) -> tuple[HexMove, ...]:
        """The moves after which the answer to whether so many stones are enough is as wanted."""
        moves = (move for move in position.moves() if isinstance(move, HexMove))
        return tuple(
            move
            for move in moves
            if self._enough(position.play(move), winner, stones, effort) == wanted
        )

    def _enough(
        self, position: HexPosition, winner: str, stones: int, effort: NDArray[np.int64]
    ) -> int:
        """Whether so many stones are enough for the winner: YES, NO or GIVEN_UP."""
        own, other = self._seen_by(winner, position)
        attacks = position.to_move == winner
        side = shortest_win.ATTACKER if attacks else shortest_win.DEFENDER
        memory = self._shortest_memory
        with self._lock:
            answer, _ = shortest_win.forced(own, other, stones, side, self.size, memory, effort)
        return int(answer)

    def _seen_by(self, colour: str, position: HexPosition) -> tuple[np.uint64, np.uint64]:
        """The stones of a side and of the other, turned so that the side joins top and bottom."""
        red, blue = _spread(position.red, self.size), _spread(position.blue, self.size)
        own, other = (red, blue) if colour == RED else (transposed(blue, 8), transposed(red, 8))
        return np.uint64(own), np.uint64(other)

    def _effort(self, effort: int | None) -> NDArray[np.int64]:
        """The number of positions that may still be looked at; the kernel counts it down."""
        if effort is None:
            effort = EFFORT if self.size > ALWAYS_EXACT else 2**62
        return np.array([whole_number("effort", effort)], np.int64)

    def _checked(
        self, game: Hex, boards: Boards, to_move: NDArray[np.int8]
    ) -> tuple[NDArray[np.uint64], NDArray[np.int8]]:
        """Boards and sides to move, as kernels take them."""
        self._check(game)
        boards = check_boards(game, boards)
        sides = np.ascontiguousarray(to_move, np.int8)
        if sides.shape != boards.shape[:1] or np.any((sides != 0) & (sides != 1)):
            raise ValueError(f"to_move must be 0 or 1 for each of {len(boards)} boards: {to_move}.")
        return boards[:, :, 0].copy(), sides

    def _check(self, game: Hex) -> None:
        if game.size != self.size:
            raise ValueError(f"This solver is for boards of size {self.size}, not {game.size}.")


@functools.cache
def solver_for(size: int, entries: int = TABLE) -> Solver:
    """The solver for a size that all callers and threads share."""
    return Solver(size, entries)


def _swap_decides(position: HexPosition) -> bool:
    """Whether blue wins because of the swap alone."""
    empty = not position.red and not position.blue
    # The only move on a board of one cell wins, so that there is no swap.
    return position.may_swap or (position.game.swap and empty and position.game.size > 1)


def _place(cell: HexMove) -> int:
    return 8 * cell.row + cell.column


def _spread(stones: int, size: int) -> int:
    """Stones in rows of eight places."""
    row = (1 << size) - 1
    return sum((stones >> n * size & row) << 8 * n for n in range(size))


# ---- the plug-in of `games.plugins`

QUICK = False

AT_ONCE = 6
"""Boards up to this size are solved in a moment."""
FEW_ENTRIES = 2**16
"""Entries of the tables for that: a process that plays games has no memory to spare."""

LARGEST_LABELLED = 7
"""Larger boards take too long to be solved by the thousand."""


def check(game: Hex) -> None:
    """Refuse boards that are too large for the solver."""
    if game.size > LARGEST:
        raise ValueError(f"The solver takes boards of size 1 to {LARGEST}, not {game.size}.")


def best_move(position: HexPosition, seed: int) -> tuple[HexMove | Swap, str]:
    """A move that wins soonest or loses latest, and the winner; see `Solver.best_move`."""
    check(position.game)
    solver = solver_for(position.game.size)
    return solver.best_move(position, seed), solver.solve(position).winner


def solve(position: HexPosition, progress: Progress | None = None) -> Solution:
    """The winner, and every move that wins; sizes up to 6 take seconds, 7 minutes, 8 longer."""
    check(position.game)
    solver = solver_for(position.game.size)
    winner = solver.solve(position).winner
    stones = solver.fewest_moves(position)
    plies = None if stones is None else max(0, 2 * stones - (winner == position.to_move))
    line = tuple(solver.principal_line(position))
    return Solution(winner, solver.winning_moves(position), line, plies)


def solved_end(position: HexPosition) -> Outcome | None:
    """Who wins a small board, and in how many moves, where they can be counted in a moment.

    >>> from clauseboard.game import load_game
    >>> solved_end(load_game("hex", size=3).read_position(".../.R./... blue")).reason
    'Red wins in 2 moves.'
    """
    size = position.game.size
    if size > AT_ONCE or position.outcome() is not None:
        return None
    solver = solver_for(size, FEW_ENTRIES)
    winner = solver.solve(position).winner
    return Outcome(winner, won_words(winner, solver.fewest_moves(position, EFFORT)), Ending.SOLVED)


def truths(game: Hex, positions: Sequence[HexPosition]) -> list[Truth | None]:
    """The winner and every move that wins; None on large boards, and where there may be a swap."""
    truth_of: list[Truth | None] = [None] * len(positions)
    if game.size > LARGEST_LABELLED:
        return truth_of
    rows = [n for n, p in enumerate(positions) if p.outcome() is None and not p.may_swap]
    boards = boards_of(game, [positions[n] for n in rows])
    sides = np.array([SIDES.index(positions[n].to_move) for n in rows], np.int8)
    solver = solver_for(game.size)
    cells = cells_of(game.size)
    for n, word in zip(rows, solver.label_moves(game, boards, sides), strict=True):
        good = tuple(cell for k, cell in enumerate(cells) if int(word) >> k & 1)
        mover = positions[n].to_move
        truth_of[n] = Truth(mover if good else game.other(mover), good)
    return truth_of
