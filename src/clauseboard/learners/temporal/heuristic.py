"""H(s) = c0 F0(s) + c1 F1(s) + ...: features, a weight for each, and the sum over the bits.

H counts for the first colour. U(s) = tanh(H(s) / lead) is what it predicts: the result of the game,
from -1 to 1; so that a lead of `lead` points means 0.76.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.evaluation import Compiled, linear
from clauseboard.game import Game
from clauseboard.games.features import Feature, features_of

Numbers = NDArray[np.float64]

USUAL_LEAD = 3.0
"""Points of H that predict 0.76 of a win, unless told otherwise."""

MOST = 1e9
"""No weight is as great as this."""


class FeatureSet:
    """The features of a game, as numbers over its bits."""

    def __init__(self, game: Game, name: str = "three") -> None:
        self.game = game
        self.name = name
        self.features: tuple[Feature, ...] = features_of(game, name)
        self.over_bits: Numbers = np.stack([f.over_bits(game) for f in self.features])

    def __len__(self) -> int:
        return len(self.features)

    @property
    def names(self) -> list[str]:
        """What the features are called."""
        return [feature.name for feature in self.features]

    def of(self, positions: Sequence[Any]) -> Numbers:
        """The features of positions for the first colour, positions × features."""
        return self.game.encode(positions) @ self.over_bits.T

    def equal_weights(self) -> Numbers:
        """1.0 for each: how learning begins."""
        return np.ones(len(self))

    @cached_property
    def most_pieces(self) -> int:
        """Pieces that a side has at the start, and so at the most."""
        board = self.game.encode([self.game.start()])[0]
        first = self.game.colours[0]
        return sum(
            int(there)
            for bit, there in zip(self.game.bits(), board, strict=True)
            if bit.piece.startswith(first)
        )


@dataclass(frozen=True, eq=False)
class Heuristic:
    """Features and their weights."""

    features: FeatureSet
    weights: Numbers
    lead: float

    def __post_init__(self) -> None:
        if self.weights.shape != (len(self.features),):
            raise ValueError(
                f"There are {len(self.features)} features, which need as many weights; not "
                f"{self.weights.shape}."
            )
        if not (np.abs(self.weights) < MOST).all():
            raise ValueError(f"The weights {self.weights.tolist()} are not all numbers to add.")

    def sums(self, positions: Sequence[Any]) -> Numbers:
        """H of positions, for the first colour."""
        return self.features.of(positions) @ self.weights

    def predictions(self, positions: Sequence[Any]) -> Numbers:
        """U of positions, for the first colour."""
        return np.tanh(self.sums(positions) / self.lead)

    @cached_property
    def most(self) -> float:
        """More than H ever is: as many pieces as a side may have, each where it is worth most."""
        each = np.sort(np.abs(self.weights @ self.features.over_bits))[::-1]
        bound = float(each[: self.features.most_pieces].sum())
        return bound if bound > 0 and math.isfinite(bound) else 1.0

    @cached_property
    def compiled(self) -> Compiled:
        """H / `most` as data; in parts of the most, so that no value is clipped."""
        return linear(self.weights @ self.features.over_bits, scale=self.most)
