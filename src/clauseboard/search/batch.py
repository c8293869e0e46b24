"""What searches share that judge whole levels of a tree at once.

They look at the boards some moves on, score them in large batches, and carry the scores upwards.
Boards are expanded a part of a level at a time, so that memory stays small at any depth.

`Boards` lie equally far from the position that is searched. There are two kinds, which give the
same moves, results and judgements: one holds positions and serves every game and evaluator; the
other holds states in arrays that kernels expand (`search.compiled_rules`), for evaluators that see
no more than bits. Only of repetitions (superko, a position that comes up for the third time) the
second kind knows nothing beyond the first move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import whole_number
from clauseboard.evaluation import (
    VIEWS,
    BitEvaluator,
    Evaluator,
    Judgements,
    Limit,
    seconds_now,
    sides_of,
)
from clauseboard.game import IllegalMoveError, Position
from clauseboard.kernels.compiler import specialised
from clauseboard.player import Candidate, Choice, Cost
from clauseboard.search import Search
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
    """Boards held as states, which the kernels of `board_template` expand and pack."""

    def __init__(self, game: Any, rules: CompiledRules, states: NDArray[Any]) -> None:
        self.game, self.rules, self.states = game, rules, states
        self.kernels = specialised("clauseboard.search.board_template", rules)
        self.settings = rules.settings_of(game)
        self.room = rules.new_scratch(game), np.empty(rules.most_moves(game), np.int64)
        self.sides, self.counts, self.results = np.empty((3, len(states)), np.int64)
        self.kernels.count_moves(
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


Scores = NDArray[np.float64]

AT_A_TIME = 1 << 16
"""Boards that are expanded and judged together; fewer if the clock has to be looked at."""
AT_A_TIME_BY_THE_CLOCK = 1 << 12


class EnoughError(Exception):
    """The limit of a search is reached."""


class LimitedEvaluator:
    """An evaluator asked for one side, which counts the boards and keeps to the limit."""

    def __init__(self, position: Any, evaluator: Evaluator, limit: Limit) -> None:
        self.evaluator, self.limit = evaluator, limit
        self.colour: str = position.to_move
        self.side = position.game.colours.index(position.to_move)
        self.colours: tuple[str, str] = position.game.colours
        self.nodes = 0
        self.started = seconds_now()
        self.at_most = AT_A_TIME if limit.seconds is None else AT_A_TIME_BY_THE_CLOCK
        self.has_answer = False
        """Whether there is something to fall back on; before that, no limit holds."""

    def seconds(self) -> float:
        """How long it has taken so far."""
        return seconds_now() - self.started

    def judge(self, boards: Boards, rows: Rows) -> Judgements:
        """What the evaluator says of some boards; `EnoughError` if the limit forbids to ask."""
        limit = self.limit
        if self.has_answer and (
            (limit.nodes is not None and self.nodes + len(rows) > limit.nodes)
            or (limit.seconds is not None and self.seconds() > limit.seconds)
        ):
            raise EnoughError
        self.nodes += len(rows)
        return boards.judge(rows, self.evaluator)

    def values(self, boards: Boards, rows: Rows, judgements: Judgements) -> Scores:
        """The values of judged boards for the side that searches."""
        return np.where(boards.sides[rows] == self.side, judgements.values, -judgements.values)

    def certain(self, boards: Boards, rows: Rows, draw: float) -> Scores:
        """Scores of finished games by `CERTAIN`, for the side that searches."""
        won = CERTAIN - boards.distance
        return self.ends(boards, rows, won, draw, -won)

    def ends(self, boards: Boards, rows: Rows, win: float, draw: float, loss: float) -> Scores:
        """Scores of finished games, for the side that searches."""
        results = boards.results[rows]
        return np.where(results == DRAW, draw, np.where(results == self.side, win, loss))


@dataclass(frozen=True)
class Scored:
    """What a search knows of the moves it looked at, one row each."""

    boards: Boards
    scores: Scores
    tails: Rows
    """The codes of the moves that are expected after each, up to -1."""
    visits: Rows


class BatchSearch(Search):
    """A search by batches: looks `depth` moves ahead, or fewer if the limit says so."""

    depth: int
    odd: ClassVar[bool] = True
    """Whether the last move that is looked at has to be one of the side that searches."""

    def _check_depth(self) -> None:
        whole_number("depth", self.depth, 1)
        if self.odd and self.depth % 2 == 0:
            raise ValueError(f"depth={self.depth!r} must be an odd number of moves (1, 3, 5, …).")

    @abstractmethod
    def _look(self, first: Boards, depth: int, judge: LimitedEvaluator) -> Scored:
        """Score the boards after each move by what lies `depth` moves from the position."""

    def _values(self, scores: Scores, ends: list[Any], judge: LimitedEvaluator) -> Scores:
        """Values from -1 to 1, from scores and the positions at the ends of the lines.

        By default what the evaluator says of the ends; 1 and -1 where the score is certain.
        """
        judged = judge.evaluator.judge(ends).values
        values = np.array(
            [v if p.to_move == judge.colour else -v for v, p in zip(judged, ends, strict=True)]
        )
        return np.where(is_certain(scores), np.sign(scores), values)

    def find(
        self, position: Any, evaluator: Evaluator, limit: Limit | None = None, seed: int = 0
    ) -> Choice:
        """Find a move.

        The limit's depth counts if it is less than that of the search. With a limit of seconds or
        nodes (boards judged) it looks one step deeper at a time, until the limit ends it; what is
        not finished by then is left out. The first depth is always looked at.
        """
        judge = LimitedEvaluator(position, evaluator, limit or Limit())
        depth, found = self._search(position, judge)
        order = _best_first(found.scores, seed)
        boards = found.boards
        lines = [boards.replay(position, [boards.codes[row], *found.tails[row]]) for row in order]
        values = self._values(found.scores[order], [end for _, end in lines], judge)
        candidates = tuple(
            Candidate(line[0], float(value), line, int(found.visits[row]))
            for (line, _), value, row in zip(lines, values, order, strict=True)
        )
        best = candidates[0]
        cost = Cost(judge.seconds(), judge.nodes, depth=depth)
        return Choice(best.move, best.value, best.line, candidates, cost)

    def _search(self, position: Any, judge: LimitedEvaluator) -> tuple[int, Scored]:
        """The depth that was reached, and what was found there."""
        first = first_boards(position, judge.evaluator)
        limit, step = judge.limit, 2 if self.odd else 1
        deepest = min(self.depth, limit.depth or self.depth)
        deepest -= (deepest - 1) % step
        bounded = limit.seconds is not None or limit.nodes is not None
        depths = range(1, deepest + 1, step) if bounded else (deepest,)
        for depth in depths:
            try:
                found = self._look(first, depth, judge)
            except EnoughError:
                break
            reached = depth
            judge.has_answer = True
        return reached, found


def _best_first(scores: Scores, seed: int) -> Rows:
    """The rows from the highest score to the lowest, equal ones in an order drawn by the seed."""
    drawn = np.random.default_rng(seed).permutation(len(scores))
    return np.lexsort((drawn, -scores))


# ---- carrying scores upwards

Score = Callable[[Boards, Rows], Scores]
"""Scores some boards that are the end of what is looked at, because of the depth or the rules."""

Gather = Callable[[Scores, Rows, NDArray[np.bool_]], tuple[Scores, Rows]]
"""Scores boards by those below them: `gather(scores, starts, ours)`.

The boards below lie side by side, those of each parent from its start on; `ours` tells of each
parent whether the side that searches is to move. Returns the scores of the parents, and for each
the row of the board below that is expected.
"""


def walk(
    boards: Boards, depth: int, judge: LimitedEvaluator, score: Score, gather: Gather
) -> tuple[Scores, Rows]:
    """Score boards by what lies `depth` moves further on; with the codes of the moves expected."""
    if depth == 0:
        return score(boards, np.arange(len(boards))), np.empty((len(boards), 0), np.int64)
    scores, tails = np.empty(len(boards)), np.full((len(boards), depth), -1, np.int64)
    over = np.flatnonzero(boards.counts == 0)
    scores[over] = score(boards, over)
    for below in boards.families(judge.at_most):
        found, further = walk(below, depth - 1, judge, score, gather)
        rows, starts = np.unique(below.parents, return_index=True)
        scores[rows], chosen = gather(found, starts, boards.sides[rows] == judge.side)
        tails[rows] = np.column_stack([below.codes, further])[chosen]
    return scores, tails


def first_with(wanted: Scores, scores: Scores, starts: Rows) -> Rows:
    """For each parent the first row below it that has the score that is wanted there."""
    sizes = np.diff(starts, append=len(scores))
    rows = np.arange(len(scores))
    found = np.where(scores == np.repeat(wanted, sizes), rows, len(scores))
    return np.minimum.reduceat(found, starts)


CERTAIN = 2.0**50
"""The score of a won game, less the moves that it takes; its negative is that of a lost one.

It is far above all votes, and numbers of this size are still told apart by ones.
"""


def is_certain(scores: Scores) -> NDArray[np.bool_]:
    """Which scores are those of games that are, or cannot but be, won or lost."""
    return np.abs(scores) > CERTAIN / 2


def top_board(scores: Scores, starts: Rows, ours: NDArray[np.bool_]) -> tuple[Scores, Rows]:
    """Score boards by the top one of all that lie below them, and by what games end in.

    Where the other side moves, one lost board below is enough to lose, and all have to be won to
    win. Else the other side is taken to avoid what loses, and for the rest to go where our top
    board is.
    """
    highest, lowest = np.maximum.reduceat(scores, starts), np.minimum.reduceat(scores, starts)
    avoiding = np.where(is_certain(scores), -np.inf, scores)
    theirs = np.where(is_certain(lowest), lowest, np.maximum.reduceat(avoiding, starts))
    best = np.where(ours, highest, theirs)
    return best, first_with(best, scores, starts)
