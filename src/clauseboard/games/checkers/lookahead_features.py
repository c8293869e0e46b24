"""What comes of a checkers board within some moves, as named bits.

Who sees that a man will be lost judges a board better than who counts men. These bits say how far a
side, if it were to move, comes out ahead after so many moves of best play; exchanges are looked at
to their end. Pieces are all that is counted (`material.best_balance`): a man is one, a king one and
a half.

    >>> from clauseboard.games.checkers.encoding import board_words
    >>> from clauseboard.games.checkers.rules import Checkers
    >>> board = Checkers().read_position("B:W18,30:B14,5")
    >>> seen = columns(board_words([board]), depths=(0,))[0]
    >>> told = [name for name, bit in zip(names((0,)), seen, strict=True) if bit]
    >>> [name for name in told if name.startswith("black")][-1]
    'black, to move, comes out 1 or more ahead by jumps'

Each costs a search. They are for judging boards, not for a search to use at its leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.checkers.board import BLACK, WHITE
from clauseboard.games.checkers.encoding import Words, filled

DEPTHS = (0, 2, 4, 6)
"""How many moves are looked ahead; 0: jumps alone, to their end."""

MOST = 10
"""More than so many moves ahead take too long."""

LEVELS = tuple(range(-7, 9))
"""By how many half men, at least, a side comes out ahead."""


def names(depths: Sequence[int] = DEPTHS) -> list[str]:
    """The names of the bits, in the order of `columns`.

    >>> names((4,))[15]
    'black, to move, comes out 4 or more ahead within 4 moves'
    """
    return [
        f"{colour}, to move, comes out {_ahead(level)} {_within(depth)}"
        for depth in checked(depths)
        for colour in (BLACK, WHITE)
        for level in LEVELS
    ]


def columns(boards: Words, turn: Any = False, depths: Sequence[int] = DEPTHS) -> NDArray[np.uint8]:
    """The bits of an array of boards (see `encoding`) as 0 and 1, boards × bits.

    Where `turn` says so, a board is seen from white's side, and "black" in the names means white.
    """
    from clauseboard.games.checkers.material import best_balance

    looked = checked(depths)

    def fill(shown: Words, turns: NDArray[np.bool_], rows: NDArray[np.int64]) -> None:
        for row, board, turned in zip(rows, shown, turns, strict=True):
            for n, depth in enumerate(looked):
                for k in range(2):
                    row[2 * n + k] = best_balance(*board, k ^ int(turned), depth)

    found = filled(fill, boards, turn, 2 * len(looked), np.int64)
    return (found[..., None] >= np.array(LEVELS)).reshape(len(boards), -1).astype(np.uint8)


def checked(depths: Sequence[int]) -> tuple[int, ...]:
    """Refuse what are no numbers of moves to look ahead."""
    for depth in depths:
        if isinstance(depth, bool) or not isinstance(depth, int) or not 0 <= depth <= MOST:
            raise ValueError(
                f"depths={tuple(depths)!r}: {depth!r} is no whole number of moves from 0 to {MOST}."
            )
    return tuple(depths)


def _ahead(level: int) -> str:
    men = _half_men(abs(level))
    if level > 0:
        return f"{men} or more ahead"
    return f"at most {men} behind" if level < 0 else "not behind"


def _half_men(level: int) -> str:
    whole, half = divmod(level, 2)
    return f"{whole or ''}{'½' if half else ''}"


def _within(depth: int) -> str:
    return f"within {depth} moves" if depth else "by jumps"
