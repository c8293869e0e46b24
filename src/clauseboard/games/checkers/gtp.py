"""Checkers in the manner of the Go Text Protocol: `play black 11-15`; see `clauseboard.engines`.

Moves are written as in PDN. The board is 8x8, and nobody moves out of turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from clauseboard.game import IllegalMoveError
from clauseboard.games.checkers.records import Archive
from clauseboard.games.checkers.rules import Checkers, CheckersMove, CheckersPosition, column, row
from clauseboard.games.records import decoded

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


# ---- commands


def _boardsize(session: Any, size: str) -> str:
    if size != "8":
        raise ValueError(f"unacceptable size: checkers is played on 8x8, not {size}")
    session.begin(session.game)
    return ""


def _loadpdn(session: Any, file: str, move: str | None = None) -> str:
    """Begin with the first game of a file, as it was before the move of this number."""

    def read(data: bytes) -> tuple[CheckersPosition, tuple[CheckersMove, ...]]:
        archive = Archive(decoded(data).splitlines(keepends=True), game=session.game)
        record = next(iter(archive), None)
        if record is None:
            why = archive.report.drops[0] if archive.report.drops else "there is no game in it"
            raise ValueError(str(why))
        return record.start, record.moves

    return session.load(file, move, read)


COMMANDS: dict[str, Callable[..., str]] = {"boardsize": _boardsize, "loadpdn": _loadpdn}


# ---- Checkers as OpenSpiel knows it; see `engines.openspiel`
# Every jump of a chain is a turn of its own there. A game is a draw after forty turns without a
# jump, and nothing else is.

OPENSPIEL_NAME = "checkers"


def openspiel_parameters(game: Checkers) -> dict[str, Any]:
    """OpenSpiel's parameters for a game."""
    if game.blocked != "loss":
        raise ValueError("In OpenSpiel's checkers who cannot move has lost: set blocked='loss'.")
    return {"rows": 8, "columns": 8}


def openspiel_game(parameters: Mapping[str, Any]) -> Checkers:
    """The game that OpenSpiel's parameters mean; it is OpenSpiel that counts to a draw."""
    if (parameters["rows"], parameters["columns"]) != (8, 8):
        raise ValueError("Checkers is played on 8x8 boards only.")
    return Checkers(quiet_moves=None, repetitions=None)


def square_name(square: int) -> str:
    """What OpenSpiel calls a square: its first player, our black, is at the bottom.

    >>> square_name(11), square_name(1)
    ('c3', 'g1')
    """
    return f"{'abcdefgh'[7 - column(square)]}{row(square) + 1}"


def openspiel_turns(position: CheckersPosition, move: CheckersMove) -> tuple[str, ...]:
    """What OpenSpiel calls the turns of a move: ("c3d4",)."""
    names = [square_name(square) for square in move.path]
    return tuple(start + end for start, end in pairwise(names))


def openspiel_moves(position: CheckersPosition) -> tuple[CheckersMove, ...]:
    """The moves, with every way round a ring."""
    moves = position.moves()
    return tuple(position.jumps()) if moves and moves[0].captured else moves
