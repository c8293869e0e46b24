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

    `setup` has commands for it, separated by ";", that are sent before every game. It must answer
    within `timeout` seconds plus the time for a move; `seconds` is that time, where a match has no
    limit of its own.
    """
    dialect_of(game)
    if not command:
        raise ValueError(
            "The player 'engine' needs a command, such as engine:command='gnugo --mode gtp'."
        )
    player = EnginePlayer(command, setup=setup, timeout=timeout, limit=Limit(seconds=seconds))
    # Checked now: a typing error should not lose a match of a hundred games.
    if find_program(player.command[0]) is None:
        raise ValueError(
            f"{player.command[0]!r} cannot be started: there is no such program on this machine, "
            "or it may not be run; write its whole path, or install it."
        )
    return player


check = dialect_of
PLAYERS = {"engine": engine}
