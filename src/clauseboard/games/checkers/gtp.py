"""Checkers in the manner of the Go Text Protocol: `play black 11-15`; see `engines.dialect`.

Moves are written as in PDN. There are no sizes, and nobody moves out of turn.
"""

from __future__ import annotations

from clauseboard.game import IllegalMoveError
from clauseboard.games.checkers.rules import Checkers, CheckersMove, CheckersPosition

COLOURS = {"black": "black", "white": "white", "b": "black", "w": "white"}


def read_move(position: CheckersPosition, word: str) -> CheckersMove:
    """The move that "11-15" or "15x24x31" means."""
    return position.read_move(word)


def write_move(position: CheckersPosition, move: CheckersMove) -> str:
    """A move as "11-15", with its whole path where the ends are not enough."""
    return position.write_move(move)


def turned(position: CheckersPosition, colour: str) -> CheckersPosition:
    """The position, if it is this colour's turn."""
    if colour != position.to_move:
        raise IllegalMoveError(f"it is {position.to_move}'s turn, not {colour}'s")
    return position


def emptied(game: Checkers) -> Checkers:
    """The same game: it begins anew with all men on the board."""
    return game


def final_score(position: CheckersPosition) -> str:
    """Who has won, as "B+" or "W+", or "0" for a draw."""
    outcome = position.outcome()
    if outcome is None:
        raise ValueError("cannot score: the game is not over")
    return "0" if outcome.winner is None else f"{outcome.winner[0].upper()}+"


def commands_to(position: CheckersPosition) -> list[str]:
    """Commands that begin in a position; without the moves that led there."""
    written = position.game.write_position(position)
    if written == position.game.write_position(position.game.start()):
        return ["clear_board"]
    return [f"clauseboard-position {written}"]


COMMANDS: dict[str, object] = {}
