"""Features: numbers that tell how a board stands, each a sum over the pieces on it.

A feature is what one side has more of than the other: it is 0 on even boards, and changes its sign
when the colours are exchanged. Since it is a sum over bits, a weighted sum of features is one, too.
A game has them in `games/<game>/board_features.py`: `FEATURES`, what each counts for a piece of
the first colour, and `SETS`, features by the name of the set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Bit, Game
from clauseboard.games.plugins import FEATURES
from clauseboard.games.symmetries import mover_source


@dataclass(frozen=True)
class Feature:
    """What is counted: `worth` of each piece of the first colour, told by its bit.

    `good`: no player who wants to win has less of it, other things being equal. A learner that
    comes to think otherwise has gone wrong.
    """

    name: str
    text: str
    worth: Callable[[Bit], float]
    good: bool = False

    def over_bits(self, game: Game) -> NDArray[np.float64]:
        """A number for each bit of a board; their sum is the feature, for the first colour."""
        first = game.colours[0]
        own = [self.worth(b) if b.piece.startswith(first) else 0.0 for b in game.bits()]
        ours = np.array(own, np.float64)
        theirs = np.zeros_like(ours)
        theirs[mover_source(game)] = ours
        return ours - theirs


def features_of(game: Game, which: str) -> tuple[Feature, ...]:
    """The features of a set.

    >>> from clauseboard.game import load_game
    >>> [feature.name for feature in features_of(load_game("checkers"), "three")]
    ['piece difference', 'kings', 'side']
    >>> features_of(load_game("hex"), "three")
    Traceback (most recent call last):
        ...
    ValueError: hex has no features; games that have: checkers.
    """
    offered = FEATURES.of(game)
    if which not in offered.SETS:
        listed = ", ".join(map(repr, offered.SETS))
        raise ValueError(f"{game.name} has no set of features {which!r}; there are {listed}.")
    by_name = {feature.name: feature for feature in offered.FEATURES}
    return tuple(by_name[name] for name in offered.SETS[which])
