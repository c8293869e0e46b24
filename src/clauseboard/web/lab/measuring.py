"""How strong a machine is that was trained here: a short match against chance, one move ahead."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.game import Game
from clauseboard.web.opponents import games_won

GAMES = 20
ENOUGH = 5.0
"""Seconds after which no further game is begun: on large boards fewer have to do."""


def measure(game: Game, line: str, told: Callable[[float], Any]) -> str:
    """What came of the games of a player, in words; `told` of the share that is played.

    What `told` raises ends it.
    """
    from clauseboard.arena.match import Match, Result
    from clauseboard.players import read_player

    match = Match(game, (line, "random"), GAMES, limit=Limit(depth=1))
    players = [read_player(text, game) for text in match.players]
    games, ends = [], time.monotonic() + ENOUGH
    told(0.0)
    for number in range(GAMES):
        games.append(match.play(number, players))
        told(len(games) / GAMES)
        if time.monotonic() > ends:
            break
    won = games_won(Result(match, tuple(games)).counts(0))
    return f"{won} against chance, looking one move ahead"
