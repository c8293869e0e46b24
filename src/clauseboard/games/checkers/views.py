"""Checkers as white sees it: the board turned round, the colours exchanged."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.checkers.encoding import BITS
from clauseboard.games.checkers.rules import Checkers


def mover_source(game: Checkers) -> NDArray[np.intp]:
    """The bit of the board that white sees as each bit; see `games.views`."""
    bits = np.arange(len(BITS)).reshape(2, -1, len(BITS) // 4)
    return bits[::-1, :, ::-1].reshape(-1)
