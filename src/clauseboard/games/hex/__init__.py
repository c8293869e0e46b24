"""Hex: connect your two sides of a rhombus of hexagons; there is never a draw."""

from clauseboard.games.hex.rules import SWAP, Hex, HexMove, HexPosition, Swap

GAME = Hex

__all__ = ["GAME", "SWAP", "Hex", "HexMove", "HexPosition", "Swap"]
