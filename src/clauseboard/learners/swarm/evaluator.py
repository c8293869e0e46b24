"""A network as an evaluator: its output as a value, and what each piece on the board changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.evaluation import BitEvaluator, Compiled, Judgements, sides_of
from clauseboard.explanation import Explanation, Term
from clauseboard.game import Game
from clauseboard.games.symmetries import mover_source
from clauseboard.learners.swarm.files import load_network
from clauseboard.learners.swarm.network import Numbers, Shape


class NetworkEvaluator(BitEvaluator):
    """Judges boards by a network: 2 × output - 1, for the side to move."""

    view = "mover"

    def __init__(self, shape: Shape, weights: Numbers) -> None:
        self.game = shape.game
        self.shape = shape
        self.weights = weights
        self._compiled = shape.compiled(weights)

    @classmethod
    def load(cls, path: Path | str, game: Game | None = None) -> NetworkEvaluator:
        """The network of a file; a `ValueError` if it is of another game.

        The rules may differ in what makes a draw: what counts is that the boards are the same.
        """
        kept = load_network(path)
        shape = kept.shape
        if game is not None and game != shape.game:
            if game.name != shape.game.name or game.bits() != shape.game.bits():
                raise ValueError(f"{path} was trained on {shape.game!r}, not on {game!r}.")
            shape = replace(shape, game=game)
        return cls(shape, kept.weights)

    def judge_bits(self, bits: NDArray[np.uint8], sides: NDArray[np.int64]) -> Judgements:
        """Judge packed rows of bits, as the side to move sees them."""
        from clauseboard.kernels.evaluators import values_of

        return Judgements(values_of(self.compiled(), bits, sides))

    def compiled(self) -> tuple[Compiled, Compiled]:
        """The network as data: the same for either side to move."""
        return self._compiled, self._compiled

    def explain(self, position: Any) -> Explanation:
        """Why a position is judged so: by how much the value falls if a piece is taken away.

        A network is no sum, so that these changes do not add up to the value; each is true for
        itself. The greatest come first.
        """
        row = self.game.encode([position], view="mover")[0]
        there = np.flatnonzero(row)
        without = np.repeat(row[None], len(there) + 1, axis=0)
        without[np.arange(len(there)), there] = 0  # the last row stays as it is
        side = sides_of(self.game, [position])
        packed = np.packbits(without, axis=1, bitorder="little")
        *changed, value = self.judge_bits(packed, np.repeat(side, len(packed))).values.tolist()
        # The bits of the view have to be named as they lie on the board.
        source = mover_source(self.game) if side[0] else np.arange(len(row))
        bits = [self.game.bits()[k] for k in source[there]]
        terms = [
            Term(bit.name, value - less, bit.cell, f"value without it: {less:+.2f}")
            for bit, less in zip(bits, changed, strict=True)
        ]
        terms.sort(key=lambda term: -abs(term.amount))
        return Explanation(
            position=position,
            value=value,
            judge=str(self),
            terms=tuple(terms),
            about_terms=f"By how much the value for {position.to_move} would fall if a piece were "
            "taken away; a network is no sum, so that these changes do not add up to it.",
            terms_add_up=False,
        )

    def __str__(self) -> str:
        return f"a network of {self.shape.hidden} hidden units"
