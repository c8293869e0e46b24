"""Hex as OpenSpiel knows it; see `engines.openspiel`. Its rules and its names are ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clauseboard.games.hex.rules import Hex, HexMove, HexPosition, Swap

NAME = "hex"


def parameters_of(game: Hex) -> dict[str, Any]:
    """OpenSpiel's parameters for a game."""
    if game.size == 1:
        raise ValueError("OpenSpiel's games of Hex on a board of one cell never end.")
    return {"board_size": game.size, "swap": game.swap}


def game_of(parameters: Mapping[str, Any]) -> Hex:
    """The game that OpenSpiel's parameters mean."""
    rows, columns = parameters["num_rows"], parameters["num_cols"]
    if rows != columns:
        raise ValueError(f"Our Hex boards are as wide as high, not {columns}x{rows}.")
    return Hex(size=rows, swap=parameters["swap"])


def words(position: HexPosition, move: HexMove | Swap) -> tuple[str, ...]:
    """What OpenSpiel calls a move: "c2", "swap"."""
    return (str(move),)


def ways(position: HexPosition) -> tuple[HexMove | Swap, ...]:
    """The moves, each one way to play it."""
    return position.moves()
