"""The player that plays any legal move, each as likely as the others."""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Callable
from typing import Any

from clauseboard.evaluation import Limit
from clauseboard.explanation import Explanation
from clauseboard.game import Game
from clauseboard.player import Choice, Cost, Player
from clauseboard.players.searcher import check_game, check_going_on


class RandomPlayer(Player):
    """Plays any legal move, each as likely as the others; in Hex a swap is one of them."""

    plays_at_random = True
    """So that an arena may ask `picker` only, and play whole games at once."""

    def __init__(self, game: Game) -> None:
        self.name = "random"
        self.game = game
        self._draws = {colour: random.Random(f"0 {colour}") for colour in game.colours}

    def begin(self, game: Game, colour: str, seed: int) -> None:
        """Draw the moves of this colour from a seed."""
        check_game(self, self.game, game)
        self._draws[colour] = random.Random(f"{seed} {colour}")

    def choose(self, position: Any, limit: Limit | None = None) -> Choice:
        """Any legal move; its value is 0, for the player has no opinion."""
        start = time.perf_counter()
        moves = position.moves()
        if not moves:
            check_going_on(position)
        move = moves[self.picker(position.to_move)(len(moves))]
        return Choice(
            move,
            value=0.0,
            line=(move,),
            cost=Cost(seconds=time.perf_counter() - start),
            explain=functools.partial(_explain, position, move, len(moves)),
        )

    def picker(self, colour: str) -> Callable[[int], int]:
        """What draws the moves of a colour: of n moves, the place of one in `position.moves()`."""
        draw = self._draws[colour].random
        return lambda n_moves: int(draw() * n_moves)


def _explain(position: Any, move: Any, n_moves: int) -> Explanation:
    judge = f"chance, which had {n_moves} moves to choose from"
    return Explanation(position=position.play(move), value=0.0, judge=judge, line=(move,))


PLAYER = RandomPlayer
