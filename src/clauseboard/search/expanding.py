"""Boards by the thousand: all that can come up after so many moves, judged in batches.

`Boards` lie equally far from the position that is searched. There are two kinds, which give the
same moves, results and judgements: one holds positions and serves every game and evaluator; the
other holds states in arrays that kernels expand (`search.compiled_rules`), for evaluators that see no more
than bits. Only of repetitions (superko, a position that comes up for the third time) the second
kind knows nothing beyond the first move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from clauseboard.evaluation import VIEWS, BitEvaluator, Evaluator, Judgements, sides_of
from clauseboard.game import IllegalMoveError, Position
from clauseboard.kernels.compiler import specialised
from clauseboard.search.compiled_rules import DRAW, CompiledRules, compiled_rules_of

Rows = NDArray[np.int64]

OPEN = -1
"""The result of a game that goes on; see `search.compiled_rules` for the others."""

MOST_BYTES = 1 << 24
"""Room for states that are expanded together: those of Go are large."""


class Boards(ABC):
    """Boards equally far from a position, ordered by those above them, and then by their moves.

    One row each: the row `parents` of the board `above` that it comes from, the code of the move
    that leads here (numbers that only `move` can read), whose turn it is (`sides`), the result or
    `OPEN`, and the number of moves (`counts`), which is 0 if the game is over.
    """

    above: Boards | None = None
    parents: Rows
    codes: Rows
    sides: Rows
    results: Rows
    counts: Rows

    def __len__(self) -> int:
        return len(self.parents)

    @property
    def distance(self) -> int:
        """How many moves away the position is that is searched."""
        return 1 if self.above is None else 1 + self.above.distance

    @abstractmethod
    def children(self, rows: Rows) -> Boards:
        """The boards one move on from some rows."""

    @abstractmethod
    def judge(self, rows: Rows, evaluator: Any) -> Judgements:
        """What an evaluator says of some rows."""

    @abstractmethod
    def move(self, position: Any, code: int) -> Any:
        """The move that a code means in a position."""

    @abstractmethod
    def take(self, rows: Rows) -> Self:
        """Some of these boards, in the order of the rows."""

    def families(self, at_most: int) -> Iterator[Boards]:
        """The boards one move on, parent by parent: at most so many at a time, or of one parent."""
        rows = np.flatnonzero(self.counts)
        ends = np.cumsum(self.counts[rows])
        start = done = 0
        while start < len(rows):
            end = max(start + 1, int(np.searchsorted(ends, done + at_most, "right")))
            yield self.children(rows[start:end])
            start, done = end, int(ends[end - 1])

    def path(self, row: int) -> list[int]:
        """The codes of the moves that lead to a board."""
        before = self.above.path(self.parents[row]) if self.above is not None else []
        return [*before, int(self.codes[row])]

    def replay(self, position: Any, codes: Sequence[int]) -> tuple[tuple[Any, ...], Any]:
        """The moves that codes (up to -1) mean from a position on, and where they lead.

        They end early where the rules know of a repetition that the states leave out.
        """
        line: list[Any] = []
        for code in codes:
            if code < 0 or position.outcome() is not None:
                break
            move = self.move(position, int(code))
            try:
                position = position.play(move)
            except IllegalMoveError:
                break
            line.append(move)
        return tuple(line), position


def first_boards(position: Any, evaluator: Evaluator) -> Boards:
    """The boards after each move of a position; how they are held, the evaluator decides."""
    if position.outcome() is not None:
        raise ValueError(f"There is no move to find: the game is over, {position.outcome()}.")
    rules = compiled_rules_of(position.game) if isinstance(evaluator, BitEvaluator) else None
    if rules is not None:
        return StateBoards.of(position, rules)
    first = PositionBoards([position]).children(np.zeros(1, np.int64))
    first.above = None
    return first


class PositionBoards(Boards):
    """Boards held as positions; the code of a move is its number among `position.moves()`."""

    def __init__(self, positions: Sequence[Position]) -> None:
        self.positions = positions
        game = positions[0].game
        self.parents = self.codes = np.zeros(len(positions), np.int64)
        self.sides = sides_of(game, positions)
        self.results = np.array([_result(game, position) for position in positions], np.int64)
        self.moves = [position.moves() for position in positions]
        self.counts = np.array([len(moves) for moves in self.moves], np.int64)

    def children(self, rows: Rows) -> PositionBoards:
        """The boards one move on from some rows."""
        below = PositionBoards([self.positions[r].play(m) for r in rows for m in self.moves[r]])
        below.above = self
        below.parents = np.repeat(rows, self.counts[rows])
        below.codes = np.concatenate([np.arange(self.counts[r]) for r in rows])
        return below

    def judge(self, rows: Rows, evaluator: Evaluator) -> Judgements:
        """What an evaluator says of some rows."""
        return evaluator.judge([self.positions[row] for row in rows])

    def move(self, position: Any, code: int) -> Any:
        """The move that a code means in a position."""
        return position.moves()[code]

    def take(self, rows: Rows) -> PositionBoards:
        """Some of these boards, in the order of the rows."""
        some = object.__new__(PositionBoards)
        some.positions = [self.positions[row] for row in rows]
        some.moves = [self.moves[row] for row in rows]
        return _with_rows(some, self, rows)


def _result(game: Any, position: Any) -> int:
    outcome = position.outcome()
    if outcome is None:
        return OPEN
    return DRAW if outcome.winner is None else game.colours.index(outcome.winner)


def _with_rows(some: Any, boards: Boards, rows: Rows) -> Any:
    some.above = boards.above
    for name in ("parents", "codes", "sides", "results", "counts"):
        setattr(some, name, getattr(boards, name)[rows])
    return some


class StateBoards(Boards):
    """Boards held as states, which the kernels of `expand_template` expand and pack."""

    def __init__(self, game: Any, rules: CompiledRules, states: NDArray[Any]) -> None:
        self.game, self.rules, self.states = game, rules, states
        self.kernels = specialised("clauseboard.search.board_template", rules)
        self.settings = rules.settings_of(game)
        self.room = rules.new_scratch(game), np.empty(rules.most_moves(game), np.int64)
        self.sides, self.counts, self.results = np.empty((3, len(states)), np.int64)
        self.kernels.look_at(
            states, self.settings, *self.room, self.sides, self.counts, self.results
        )

    @classmethod
    def of(cls, position: Any, rules: CompiledRules) -> StateBoards:
        """The first boards as states. What ends a game here, the rules themselves say."""
        game, moves = position.game, position.moves()
        children = [position.play(move) for move in moves]
        boards = cls(game, rules, np.stack([rules.state_of(child) for child in children]))
        boards.parents = np.zeros(len(moves), np.int64)
        boards.codes = np.array([rules.code_of(position, move) for move in moves], np.int64)
        boards.results = np.array([_result(game, child) for child in children], np.int64)
        boards.counts[boards.results != OPEN] = 0
        return boards

    def families(self, at_most: int) -> Iterator[Boards]:
        """The boards one move on, as above; fewer at a time if the states are large."""
        return super().families(min(at_most, 1 + MOST_BYTES // self.states[:1].nbytes))

    def children(self, rows: Rows) -> StateBoards:
        """The boards one move on from some rows."""
        n = int(self.counts[rows].sum())
        states = np.empty((n, *self.states.shape[1:]), self.states.dtype)
        parents, codes = np.empty((2, n), np.int64)
        self.kernels.expand(self.states, rows, self.settings, *self.room, states, parents, codes)
        below = StateBoards(self.game, self.rules, states)
        below.above, below.parents, below.codes = self, parents, codes
        return below

    def judge(self, rows: Rows, evaluator: BitEvaluator) -> Judgements:
        """What an evaluator says of some rows."""
        bits = np.empty((len(rows), 1, -(-len(self.game.bits()) // 8)), np.uint8)
        view = VIEWS.index(evaluator.view)
        self.kernels.pack(self.states, rows, self.settings, view, bits)
        return evaluator.judge_bits(bits[:, 0], self.sides[rows])

    def move(self, position: Any, code: int) -> Any:
        """The move that a code means in a position."""
        return self.rules.move_of(position, code)

    def take(self, rows: Rows) -> StateBoards:
        """Some of these boards, in the order of the rows."""
        some = object.__new__(StateBoards)
        vars(some).update(vars(self) | {"states": self.states[rows]})
        return _with_rows(some, self, rows)
