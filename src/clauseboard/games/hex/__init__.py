"""Hex: connect your two sides of a rhombus of hexagons; there is never a draw."""

from clauseboard.games.hex.drawing import clause_text
from clauseboard.games.hex.records import (
    Record,
    read_archive,
    read_moves,
    read_sgf,
    write_moves,
    write_sgf,
)
from clauseboard.games.hex.rules import SWAP, Hex, HexMove, HexPosition, Swap

GAME = Hex

__all__ = [
    "GAME",
    "SWAP",
    "Hex",
    "HexMove",
    "HexPosition",
    "Record",
    "Swap",
    "clause_text",
    "read_archive",
    "read_moves",
    "read_sgf",
    "write_moves",
    "write_sgf",
]
