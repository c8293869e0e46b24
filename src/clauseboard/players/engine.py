"""Another program as a player: `engine:command='gnugo --mode gtp --level 1'`."""

from __future__ import annotations

from clauseboard.engines.client import EnginePlayer
from clauseboard.engines.process import find_program
from clauseboard.engines.protocol import dialect_of
from clauseboard.evaluation import Limit
from clauseboard.game import Game


def engine(
    game: Game,
    *,
    command: str = "",
    setup: str = "",
    timeout: float = 60.0,
    seconds: float | None = None,
) -> EnginePlayer:
    """Another program, which speaks the Go Text Protocol; `command` starts it, as in a shell.

    `setup` has commands for it, with ";" between them, that are sent before every game. It must
    answer within `timeout` seconds, to which the time for a move is added; `seconds` is that time,
    where a match has no limit of its own.
    """
    check(game)
    if not command:
        raise ValueError(
            "The player 'engine' needs a command, such as engine:command='gnugo --mode gtp'."
        )
    player = EnginePlayer(command, setup=setup, timeout=timeout, limit=Limit(seconds=seconds))
    # Told now, so that nobody loses a match of a hundred games by a slip of the pen.
    if find_program(player.command[0]) is None:
        raise ValueError(
            f"{player.command[0]!r} cannot be started: there is no such program on this machine, "
            "or it may not be run; write its whole path, or install it."
        )
    return player


def check(game: Game) -> None:
    """Refuse a game that has no words for the protocol."""
    dialect_of(game)


PLAYER = engine
