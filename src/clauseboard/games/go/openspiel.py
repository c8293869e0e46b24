"""Go as OpenSpiel knows it; see `engines.openspiel`.

It plays with the simple ko rule and without suicide, ends every game after some number of moves,
and calls it a draw as soon as a stone repeats an earlier board.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clauseboard.games.go.rules import Go, GoMove, GoPosition

NAME = "go"


def parameters_of(game: Go) -> dict[str, Any]:
    """OpenSpiel's parameters for a game."""
    if game.handicap and game.size != 19:
        raise ValueError("OpenSpiel's Go has handicaps on boards of size 19 only.")
    if game.suicide or game.superko:
        raise ValueError("OpenSpiel's Go has neither suicide nor superko: leave both out.")
    # There is no game without an end there; this one is hardly ever reached.
    most = 10 * game.size**2 if game.max_moves is None else game.max_moves
    return {
        "board_size": game.size,
        "komi": game.points_for_white,
        "handicap": game.handicap,
        "max_game_length": most,
    }


def game_of(parameters: Mapping[str, Any]) -> Go:
    """The game that OpenSpiel's parameters mean."""
    return Go(
        size=parameters["board_size"],
        komi=parameters["komi"],
        handicap=parameters["handicap"],
        max_moves=parameters["max_game_length"],
    )


def words(position: GoPosition, move: GoMove) -> tuple[str, ...]:
    """What OpenSpiel calls a move: "B d5", "W PASS"."""
    name = "PASS" if move.is_pass else position.write_move(move).lower()
    return (f"{position.to_move[0].upper()} {name}",)


def ways(position: GoPosition) -> tuple[GoMove, ...]:
    """The moves, each one way to play it."""
    return position.moves()
