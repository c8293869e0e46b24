"""The player that tries moves out by random games: Monte-Carlo tree search without a judge."""

from __future__ import annotations

from typing import Any

from clauseboard.evaluation import Evaluator
from clauseboard.explanation import Explanation
from clauseboard.game import Game
from clauseboard.player import Choice
from clauseboard.players.searcher import SearchPlayer, searching_player

USUAL = {"simulations": 1000, "rollouts": 20}
"""As the player of random rollouts in the thesis on Hex has them."""


class RolloutsPlayer(SearchPlayer):
    """A player whose search judges by itself, so that it has no reasons but its counts."""

    def _explain(self, evaluator: Evaluator, position: Any, choice: Choice) -> Explanation:
        walks = f"{choice.cost.simulations:,} simulations"
        games = getattr(self.search, "rollouts", 0)
        return Explanation(
            position=position.play(choice.move),
            value=-(choice.value or 0.0),
            judge=f"{walks} with {games} random games at the end of each",
            line=(choice.move,),
        )


def rollouts(game: Game, **options: Any) -> SearchPlayer:
    """Tries moves out by games played at random: 1,000 simulations of 20 games each."""
    from clauseboard.search.mcts import Rollouts

    return searching_player(
        game, Rollouts, search="mcts", options=options, usual=USUAL, kind=RolloutsPlayer
    )


PLAYER = rollouts
