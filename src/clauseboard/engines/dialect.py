"""What the words of the Go Text Protocol mean in a game: `games.plugins.GtpPlugin` says how."""

from __future__ import annotations

from clauseboard.game import Game, Move, Position
from clauseboard.games.plugins import GTP, GTP_SWAP, GtpPlugin

Dialect = GtpPlugin[Game, Position, Move]


def dialect_of(game: Game) -> Dialect:
    """The words of a game."""
    dialect = GTP.find(game)
    if dialect is None:
        raise ValueError(f"{game.name} cannot be played with other programs: it has no gtp.py.")
    return dialect


def word_for(dialect: Dialect, colour: str) -> str:
    """The word for a colour that is sent."""
    return next(word for word, meant in dialect.COLOURS.items() if meant == colour)


def exchanges(game: Game, move: Move) -> bool:
    """Whether the players take each other's colour over there with this move."""
    swaps = GTP_SWAP.find(game)
    return swaps is not None and swaps.exchanges(move)
