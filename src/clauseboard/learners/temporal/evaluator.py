"""The learned sum as an evaluator, with or without the memory of boards seen.

Without memory the value is H in parts of the most that it can be: a linear sum over bits, which
compiled searches read. With memory a board that was seen is judged by what came of it, too:

    value = U + seen / (seen + trust) (mean result - U)

so that a board seen `trust` times counts half by its heuristic and half by the games in which it
came up. Values are then in the unit of results, U, for both to be compared; and since the memory
is no array, searches look the boards up one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.evaluation import BitEvaluator, Compiled, Judgements, sides_of
from clauseboard.explanation import Explanation, Term
from clauseboard.learners.temporal.heuristic import Heuristic, Numbers
from clauseboard.learners.temporal.memory import Memory, Numbering

USUAL_TRUST = 10.0


class HeuristicEvaluator(BitEvaluator):
    """Judges boards by weighted features, and by experience if there is a memory."""

    def __init__(
        self, heuristic: Heuristic, memory: Memory | None = None, trust: float = USUAL_TRUST
    ) -> None:
        self.heuristic = heuristic
        self.game = heuristic.features.game
        self.memory = memory
        self.trust = trust
        self._numbering = None if memory is None else Numbering(self.game)

    def judge_bits(self, bits: NDArray[np.uint8], sides: NDArray[np.int64]) -> Judgements:
        """Judge packed rows of bits."""
        if self.memory is None:
            from clauseboard.kernels.evaluators import values_of

            one = self.heuristic.compiled
            return Judgements(values_of((one, one), bits, sides))
        n_bits = len(self.game.bits())
        rows = np.unpackbits(bits, axis=1, count=n_bits, bitorder="little")
        return Judgements(self._remembered(rows, sides)[1])

    def _remembered(
        self, rows: NDArray[np.uint8], sides: NDArray[np.int64]
    ) -> tuple[Numbers, Numbers, list[tuple[int, int, int]]]:
        """H and the values of boards, for the side to move; how often seen, won by either side."""
        assert self.memory is not None
        assert self._numbering is not None
        signs = np.where(sides == 0, 1.0, -1.0)
        heuristic = self.heuristic
        sums = signs * (rows @ (heuristic.weights @ heuristic.features.over_bits))
        values = np.tanh(sums / heuristic.lead)
        numbers = self._numbering.of_rows(rows)
        found = self.memory.look_up(list(zip(numbers, map(int, sides), strict=True)))
        for k, (seen, first, second) in enumerate(found):
            if seen:
                mean = signs[k] * (first - second) / seen
                values[k] += seen / (seen + self.trust) * (mean - values[k])
        return sums, values, found

    def compiled(self) -> tuple[Compiled, Compiled] | None:
        """A linear sum over bits; None with a memory, which is no array."""
        one = self.heuristic.compiled
        return None if self.memory is not None else (one, one)

    def explain(self, position: Any) -> Explanation:
        """Each feature times its weight; they add up to H, for the side to move.

        With a memory, what it adds stands as the last term, in points of H: all of them together
        are the H whose U is the value.
        """
        sides = sides_of(self.game, [position])
        features = self.heuristic.features
        sign = 1.0 if sides[0] == 0 else -1.0
        counts = sign * features.of([position])[0] + 0.0  # no -0
        terms = [
            Term(feature.name, float(count * weight), None, f"{count:+.4g} at {weight:.3f} each")
            for feature, count, weight in zip(
                features.features, counts, self.heuristic.weights, strict=True
            )
        ]
        if self.memory is None:
            value = float(self.judge([position]).values[0])
        else:
            sums, values, found = self._remembered(self.game.encode([position]), sides)
            value = float(values[0])
            seen, *won = found[0]
            if seen:
                mine, theirs = won if sides[0] == 0 else won[::-1]
                ends = f"{mine} won, {seen - mine - theirs} drawn, {theirs} lost"
                near = float(np.clip(value, -1 + 1e-12, 1 - 1e-12))
                amount = float(np.arctanh(near) * self.heuristic.lead - sums[0])
                terms.append(Term("memory", amount, None, f"seen {seen} times: {ends}"))
        points = sum(term.amount for term in terms)
        return Explanation(
            position=position,
            value=value,
            judge=str(self),
            terms=tuple(terms),
            about_terms=f"Features times their weights, for {position.to_move}: together "
            f"{points:+.3f} points, which is a value of {value:+.3f}.",
        )

    def __str__(self) -> str:
        what = f"{len(self.heuristic.features)} weighted features"
        return what if self.memory is None else f"{what} and the memory of boards seen"
