"""Players: an evaluator plus a search, and the simple ones: random, a person, a solver, an engine.

>>> from clauseboard.game import load_game
>>> game = load_game("hex", size=3)
>>> player = load_player("random", game)
>>> player.begin(game, "red", seed=1)
>>> player.choose(game.start()).move in game.start().moves()
True
"""

from clauseboard.players.loading import (
    PlayerKind,
    describe_players,
    load_player,
    player_names,
    read_player,
)
from clauseboard.players.searcher import SearchPlayer

__all__ = [
    "PlayerKind",
    "SearchPlayer",
    "describe_players",
    "load_player",
    "player_names",
    "read_player",
]
