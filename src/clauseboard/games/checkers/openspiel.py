"""Checkers as OpenSpiel knows it; see `engines.openspiel`.

Every jump of a chain is a turn of its own there. A game is a draw after forty turns without a
jump, and nothing else is.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from clauseboard.games.checkers.board import column, row
from clauseboard.games.checkers.rules import Checkers, CheckersMove, CheckersPosition

NAME = "checkers"


def parameters_of(game: Checkers) -> dict[str, Any]:
    """OpenSpiel's parameters for a game."""
    if game.blocked != "loss":
        raise ValueError("In OpenSpiel's checkers who cannot move has lost: set blocked='loss'.")
    return {"rows": 8, "columns": 8}


def game_of(parameters: Mapping[str, Any]) -> Checkers:
    """The game that OpenSpiel's parameters mean; it is OpenSpiel that counts to a draw."""
    if (parameters["rows"], parameters["columns"]) != (8, 8):
        raise ValueError("Our checkers boards are 8x8, and no others.")
    return Checkers(quiet_moves=None, repetitions=None)


def square_name(square: int) -> str:
    """What OpenSpiel calls a square: its first player, our black, is at the bottom.

    >>> square_name(11), square_name(1)
    ('c3', 'g1')
    """
    return f"{'abcdefgh'[7 - column(square)]}{row(square) + 1}"


def words(position: CheckersPosition, move: CheckersMove) -> tuple[str, ...]:
    """What OpenSpiel calls the turns of a move: ("c3d4",)."""
    names = [square_name(square) for square in move.path]
    return tuple(start + end for start, end in pairwise(names))


def ways(position: CheckersPosition) -> tuple[CheckersMove, ...]:
    """The moves, with every way round a ring."""
    moves = position.moves()
    return tuple(position.jumps()) if moves and moves[0].captured else moves
