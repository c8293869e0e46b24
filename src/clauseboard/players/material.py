"""The player that counts pieces, with alpha-beta.

`games/<game>/material.py` says what the kinds of piece are worth.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import known_name, positive_number
from clauseboard.evaluation import BitEvaluator, Compiled, Judgements, linear
from clauseboard.explanation import Explanation, Term
from clauseboard.game import Game, Position
from clauseboard.games.plugins import MATERIAL
from clauseboard.kernels.evaluators import values_of
from clauseboard.players.searcher import SearchPlayer, searching_player


class MaterialEvaluator(BitEvaluator):
    """The material balance of the side to move, as a share of the most that a side can have.

    The most is the worthiest piece times the pieces that a side begins with.
    """

    def __init__(self, game: Game, **worth: float) -> None:
        self.game = game
        self.worth = dict(worth_of(game))
        for kind, number in worth.items():
            known_name(f"{game.name} has no piece", kind, self.worth)
            self.worth[kind] = positive_number(kind, number)
        first = game.colours[0]
        bits = game.bits()
        self._weights = np.array(
            [
                self.worth[bit.piece.split()[-1]] * (1 if bit.piece.startswith(first) else -1)
                for bit in bits
            ]
        )
        own = game.encode([game.start()])[0][self._weights > 0].sum()
        self.most = float(own) * max(self.worth.values())
        balance = linear(self._weights, scale=self.most)
        self._compiled = (balance, balance)

    def judge_bits(self, bits: NDArray[np.uint8], sides: NDArray[np.int64]) -> Judgements:
        """The balance of pieces, by the kernel that compiled searches use."""
        return Judgements(values_of(self._compiled, bits, sides))

    def compiled(self) -> tuple[Compiled, Compiled]:
        """A linear sum over bits."""
        return self._compiled

    def explain(self, position: Position) -> Explanation:
        """Every piece is a term; they add up to the value, unless that is clipped."""
        row = self.game.encode([position])[0]
        sign = 1 if position.to_move == self.game.colours[0] else -1
        terms = tuple(
            Term(bit.name, sign * float(weight) / self.most, bit.cell)
            for bit, weight, there in zip(self.game.bits(), self._weights, row, strict=True)
            if there
        )
        value = float(self.judge([position]).values[0])
        return Explanation(position=position, value=value, judge=str(self), terms=terms)

    def __str__(self) -> str:
        return "material"


def worth_of(game: Game) -> Mapping[str, float]:
    """What the kinds of piece of a game are worth; a `ValueError` if it has no such thing."""
    offered = MATERIAL.find(game)
    if offered is None:
        listed = ", ".join(MATERIAL.games())
        raise ValueError(
            f"There is no material to count in {game.name}, where all stones are alike and stay "
            f"or go for reasons of their own; there is in {listed}."
        )
    return offered.WORTH


check = worth_of


def material(game: Game, **options: object) -> SearchPlayer:
    """Counts pieces and looks ahead by alpha-beta; kinds of piece are options (man=1, king=1.5)."""
    own = tuple(worth_of(game))
    return searching_player(game, MaterialEvaluator, search="alpha_beta", own=own, options=options)


PLAYERS = {"material": material}
