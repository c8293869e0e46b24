"""Keeping another program's board in step with a position.

A player is shown positions, and other programs want moves. `moves_between` finds the moves that
were made, most often the one of the opponent.
"""

from __future__ import annotations

from typing import Any

MOST_TRIED = 20_000
"""Positions that are tried before the search for moves is given up."""


class EngineError(RuntimeError):
    """Another program failed: it hangs, died, or said what it must not. The text is the reason."""


def moves_between(before: Any, after: Any, most: int = 1) -> list[Any] | None:
    """Moves that lead from one position to another, `most` at most; None if none are found."""
    if before == after:
        return []
    lines: list[tuple[Any, list[Any]]] = [(before, [])]
    tried = 0
    for _ in range(most):
        longer = []
        for position, moves in lines:
            for move in position.moves():
                tried += 1
                following = position.play(move)
                if following == after:
                    return [*moves, move]
                if tried == MOST_TRIED:
                    return None
                longer.append((following, [*moves, move]))
        lines = longer
    return None


def taken_back(positions: list[Any], wanted: Any) -> tuple[int, list[Any]] | None:
    """How to get from the last of these positions to a wanted one: undo so many, then play these.

    None if there is no way by taking back moves and playing one.
    """
    for undone, position in enumerate(reversed(positions)):
        moves = moves_between(position, wanted)
        if moves is not None:
            return undone, moves
    return None
