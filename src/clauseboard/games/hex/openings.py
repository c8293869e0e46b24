"""Openings of Hex: every first move, since with any other start the first player mostly wins."""

from __future__ import annotations

from clauseboard.games.hex.rules import Hex


def deck(game: Hex) -> tuple[str, ...]:
    """Every first move that does not end the game.

    >>> deck(Hex(size=2))
    ('a1', 'b1', 'a2', 'b2')
    """
    start = game.start()
    return tuple(str(move) for move in start.moves() if start.play(move).outcome() is None)
