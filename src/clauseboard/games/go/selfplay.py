"""The settings of self-play for Go; see `selfplay.settings`."""

from __future__ import annotations

from typing import Any

from clauseboard.games.go.rules import Go


def usual(game: Go) -> dict[str, Any]:
    """The settings for a board of this size, where they are not the general ones.

    Moves that a search found good say more than the winner of a game, so that there are few games
    with many simulations, and clauses for moves.
    """
    return {
        # The first games are played by plain Monte-Carlo search, later ones by the learned player.
        "begin": "rollouts:rollouts=1,simulations=1000",
        "search": "mcts,simulations=1000,rollouts=1,mix=0.7",
        "games": 300,
        # Moves at random at the beginning of a game.
        "random_moves": 6,
        # Games that are longer count as draws.
        "most_moves": int(1.5 * game.size**2),
        "result_share": 0.7,
        "max_literals": 5,
        "worth_one": 3.0,
        "move_clauses": 80,
        "moves_kept": 5000,
    }
