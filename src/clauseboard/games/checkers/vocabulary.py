"""What checkers calls things: men and kings, double corners, back rows."""

from __future__ import annotations

import functools

from clauseboard.games.checkers.board import BLACK, WHITE
from clauseboard.games.checkers.encoding import PIECES, mover_source
from clauseboard.games.checkers.rules import Checkers
from clauseboard.games.vocabulary import Picture, Region, Vocabulary

PLURALS = {"man": "men", "king": "kings"}

REGIONS = (
    Region("double corner", frozenset({"1", "5"}), BLACK),
    Region("double corner", frozenset({"28", "32"}), WHITE),
    Region("back row", frozenset({"1", "2", "3", "4"}), BLACK),
    Region("back row", frozenset({"29", "30", "31", "32"}), WHITE),
    Region("centre", frozenset({"14", "15", "18", "19"})),
)

NEVER = frozenset(
    [f"white man on {n}" for n in range(1, 5)] + [f"black man on {n}" for n in range(29, 33)]
)
"""A man that gets there is a king."""


@functools.cache
def vocabulary(game: Checkers) -> Vocabulary:
    """The words of checkers; its one symmetry turns the board and exchanges the colours."""
    pieces = {piece: _named(*piece.split()) for piece in PIECES}
    turned = Picture("the same for the other side", mover_source(game), exchanges=True)
    return Vocabulary("on", pieces, REGIONS, (turned,), NEVER)


def _named(colour: str, kind: str) -> tuple[str, str, str]:
    return colour, kind, PLURALS[kind]
