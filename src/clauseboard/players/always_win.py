"""The player whose predictor claims that every move wins (table 6.5 of the checkers thesis)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.evaluation import BitEvaluator, Compiled, Judgements, linear
from clauseboard.game import Game
from clauseboard.players.searcher import SearchPlayer, searching_player


class AlwaysWin(BitEvaluator):
    """Takes every board for won by one colour, with one vote."""

    def __init__(self, game: Game, colour: str) -> None:
        self.game = game
        self.colour = colour
        self._first = colour == game.colours[0]

    def judge_bits(self, bits: NDArray[np.uint8], sides: NDArray[np.int64]) -> Judgements:
        """A win for the colour, whoever is to move."""
        wins = (np.asarray(sides) == 0) == self._first
        votes = np.zeros((len(bits), 2), np.int64)
        votes[:, 0 if self._first else 1] = 1
        return Judgements(np.where(wins, 1.0, -1.0), votes, self.game.colours)

    def compiled(self) -> tuple[Compiled, Compiled]:
        """A sum over no bits, and the offset that makes it 1 or -1."""
        zeros = np.zeros(len(self.game.bits()))
        one = linear(zeros, offset=-1.0 if self._first else 1.0)
        return one, one

    def __str__(self) -> str:
        return f"a claim that {self.colour} always wins"


def always_win(game: Game, **options: Any) -> SearchPlayer:
    """Takes every board for won, so that only its search keeps it from losing at once."""
    return searching_player(
        game,
        lambda game: {colour: AlwaysWin(game, colour) for colour in game.colours},
        search="breadth_first",
        options=options,
    )


PLAYER = always_win
