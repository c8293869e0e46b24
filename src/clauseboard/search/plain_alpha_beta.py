"""Alpha-beta over positions, in plain Python: for evaluators that are no data, and games as well.

It gives the scores of the kernels (see `alpha_beta`), and has no table. Boards one move before the
end of a line are judged together with those beside them, since evaluators like batches.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from clauseboard.evaluation import Evaluator, seconds_now
from clauseboard.kernels.compiler import specialised
from clauseboard.search.alpha_beta import (
    BEYOND,
    INFINITE,
    MOST_DEPTH,
    ONE_POINT,
    WIN,
    AlphaBeta,
    Result,
    grain_of,
    knowledge_of,
    times_to_draw,
)
from clauseboard.search.compiled_rules import compiled_rules_of

Found = tuple[int, tuple[Any, ...]]
"""A score for the side to move, and the line that leads to it."""


class _StoppedError(Exception):
    """The limit is reached."""


class PlainWork:
    """A search of one position."""

    def __init__(self, search: AlphaBeta, evaluator: Evaluator) -> None:
        self.search, self.evaluator = search, evaluator
        self.nodes = 0

    def start(self, position: Any, moves: Sequence[Any]) -> None:
        """Get ready for the moves of one position."""
        self.position = position
        self.draw = round(self.search.draw_score * ONE_POINT)
        self.judged: dict[Any, int] = {}
        self.best_replies: dict[Any, Any] = {}
        rules = compiled_rules_of(position.game)
        self.rules: Any = rules
        self.path: list[int] = []
        if rules is not None:
            self.kernels = specialised("clauseboard.search.board_template", rules)
            self.settings = rules.settings_of(position.game)
            self.knowledge = knowledge_of(rules, position.game, self.search.endgames)
            self.before = rules.keys_before(position).tolist()
            self.times = times_to_draw(position.game)

    def iterate(
        self,
        depth: int,
        moves: Sequence[Any],
        most: int | None,
        deadline: float | None,
        is_stopped: Callable[[], bool] | None = None,
    ) -> bool:
        """Search to one depth, the moves in their order; whether it was finished."""
        self.most, self.deadline, self.is_stopped = most, deadline, is_stopped
        self.n_judged = 0
        self.found: list[Result] = []
        best = -INFINITE
        try:
            self._visit()
            self.path = [self._key(self.rules.state_of(self.position))] if self._repeats() else []
            for move in moves:
                alpha = -INFINITE if self.search.every_move else best
                after = self.position.play(move)
                score, line = self._score(after, depth - 1, -INFINITE, -alpha, 1)
                # Fail-soft: what is not better than the best so far is a bound from above.
                exact = -score > alpha
                self.found.append(Result(move, -score, exact, (move, *line) if exact else (move,)))
                best = max(best, -score)
        except _StoppedError:
            return False
        return True

    def results(self) -> list[Result]:
        """What the last iteration has found, as far as it came."""
        return self.found

    def moves_of(self, line: Sequence[Any]) -> tuple[Any, ...]:
        """The moves of a line."""
        return tuple(line)

    def is_settled(self, depth: int) -> bool:
        """Whether to look deeper would change nothing."""
        best = max(one.score for one in self.found)
        return self.n_judged == 0 or WIN - abs(best) <= depth

    # ---- inside

    def _visit(self) -> None:
        if (self.most is not None and self.nodes >= self.most) or (
            self.deadline is not None and seconds_now() >= self.deadline
        ):
            raise _StoppedError
        if self.is_stopped is not None and self.is_stopped():
            raise _StoppedError
        self.nodes += 1

    def _repeats(self) -> bool:
        return self.rules is not None and self.rules.REPEATS

    def _key(self, state: Any) -> int:
        return int(self.kernels.key(state))

    def _score(self, position: Any, depth: int, alpha: int, beta: int, ply: int) -> Found:
        self._visit()
        drawn = -self.draw if ply % 2 else self.draw
        state = None if self.rules is None else self.rules.state_of(position)
        key = self._key(state) if self._repeats() else 0
        times = (self.before + self.path[ply % 2 :: 2]).count(key) if self._repeats() else 0
        if self.rules is not None and self.search.endgames and times < self.times:
            sure, sign, distance = self.kernels.exact_value(state, self.settings, self.knowledge)
            if sure:
                return (sign * (WIN - ply - distance) if sign else drawn), ()
        outcome = position.outcome()
        if outcome is not None:
            if outcome.winner is None:
                return drawn, ()
            return (WIN - ply if outcome.winner == position.to_move else ply - WIN), ()
        if times:
            return drawn, ()
        moves = position.moves()
        if ply == MOST_DEPTH + BEYOND or (
            depth <= 0 and not (self.search.quiescence and _must_capture(moves))
        ):
            self.n_judged += 1
            return self._judge([position])[0], ()
        after = {move: position.play(move) for move in moves}
        if depth == 1:
            self._judge([one for one in after.values() if one.outcome() is None])
        if position in self.best_replies:
            first = self.best_replies[position]
            after = {first: after[first], **after}
        self.path.append(key)
        best: Found = (-INFINITE, ())
        for move, below in after.items():
            score, line = self._score(below, depth - 1, -beta, -max(alpha, best[0]), ply + 1)
            if -score > best[0]:
                best = (-score, (move, *line))
                self.best_replies[position] = move
            if best[0] >= beta:
                break
        self.path.pop()
        return best

    def _judge(self, positions: Sequence[Any]) -> list[int]:
        new = [position for position in positions if position not in self.judged]
        if new:
            values, grain = self.evaluator.judge(new).values, grain_of(self.search)
            scores = (
                math.floor(float(value) * ONE_POINT / grain + 0.5) * grain
                for value in np.clip(values, -1, 1)
            )
            self.judged.update(zip(new, scores, strict=True))
        return [self.judged[position] for position in positions]


def _must_capture(moves: Sequence[Any]) -> bool:
    """Whether every move takes something; where captures are free, no line goes on for them."""
    return all(getattr(move, "captured", ()) for move in moves)
