"""A machine that votes for moves: likely ones are looked at first, and more often.

Its classes are codes of moves (`search.board`) as the side to move sees the board, so that one
machine serves both sides. The votes for the moves that are legal, divided by the temperature of the
machine's calibration, become shares of 1 (softmax).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from clauseboard.evaluation import Compiled
from clauseboard.game import Game
from clauseboard.games.symmetries import mover_codes
from clauseboard.search.board import searching_of
from clauseboard.tsetlin.classifier import TsetlinMachineClassifier
from clauseboard.tsetlin.inference import compile_votes


class MoveVotes:
    """Priors of moves by the votes of a machine.

    `sharpness` divides the temperature: with 0.5, votes count half as much. With `zero` all moves
    are alike.
    """

    def __init__(
        self, game: Game, machine: Any, sharpness: float = 1.0, zero: bool = False
    ) -> None:
        self.game, self.machine = game, machine
        self._rules = _rules_of(game)
        self._n_codes = self._rules.n_codes(game)
        _check(machine, game, self._n_codes)
        seen = mover_codes(game, self._n_codes)
        # What the second colour sees as a code is, on the board as it is, another one.
        self._codes = (np.arange(self._n_codes), np.argsort(seen))
        self._scale = sharpened(machine, sharpness)
        self._zero = zero
        first, second = (self._table(codes) for codes in self._codes)
        self.compiled: tuple[Compiled, Compiled] = (first, second)

    def priors(self, positions: Sequence[Any]) -> list[NDArray[np.float64]]:
        """For each position the shares of its moves."""
        rows = self.game.encode(positions, view="mover")
        votes = np.zeros((len(positions), self._n_codes))
        if not self._zero:
            counted = self.machine._votes(rows)
            votes[:, self.machine.classes_.astype(np.intp)] = counted
        shares = []
        for position, row in zip(positions, votes, strict=True):
            codes = self._codes[self.game.colours.index(position.to_move)]
            on_board = np.empty(self._n_codes)
            on_board[codes] = row
            legal = [self._rules.code_of(position, move) for move in position.moves()]
            shares.append(softmax(on_board[legal] / self._scale))
        return shares

    def _table(self, codes: NDArray[np.intp]) -> Compiled:
        banks = self.machine.banks_
        room = slice(0) if self._zero else slice(None)
        signed = banks.signed_weights(self.machine.both_signs)
        # Outputs without a class of their own have no clauses, and no votes.
        include = np.zeros((self._n_codes, *banks.include[:, room].shape[1:]), np.uint64)
        weights = np.zeros(include.shape[:2], np.int32)
        to = codes[self.machine.classes_.astype(np.intp)]
        include[to], weights[to] = banks.include[:, room], signed[:, room]
        table = compile_votes(banks.view, include, weights)
        return table.compiled(view="mover", scale=self._scale, n_outputs=self._n_codes)


def sharpened(machine: Any, sharpness: float) -> float:
    """The temperature of a machine's votes, divided by `sharpness`."""
    number = isinstance(sharpness, int | float) and not isinstance(sharpness, bool)
    if not number or not 0 < sharpness < math.inf:
        raise ValueError(f"sharpness={sharpness!r} is no number above 0.")
    return float(machine.calibration_.temperature / sharpness)


def _rules_of(game: Game) -> ModuleType:
    rules = searching_of(game)
    if rules is None:
        raise ValueError(f"The moves of {game.name} have no codes, so that no machine knows them.")
    return rules


def _check(machine: Any, game: Game, n_codes: int) -> None:
    if not isinstance(machine, TsetlinMachineClassifier) or machine.window is not None:
        raise ValueError("A machine for moves is a classifier without a window.")
    codes = machine.classes_
    if codes.dtype.kind not in "iu" or codes.min() < 0 or codes.max() >= n_codes:
        raise ValueError(
            f"The classes of a machine for moves of {game!r} are codes from 0 to {n_codes - 1}; "
            f"this one has {list(codes[:3])} and so on."
        )
    if machine.n_features_in_ != len(game.bits()):
        raise ValueError(
            f"The machine for moves sees boards of {machine.n_features_in_} bits, but those of "
            f"{game!r} have {len(game.bits())}."
        )
