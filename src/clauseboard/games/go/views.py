"""Go as white sees it: the same points, the colours exchanged."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.go.rules import Go


def mover_source(game: Go) -> NDArray[np.intp]:
    """The bit of the board that white sees as each bit; see `games.views`."""
    return np.arange(2 * game.size**2).reshape(2, -1)[::-1].reshape(-1)
