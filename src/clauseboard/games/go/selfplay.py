"""The default settings of self-play for Go; see `selfplay.settings`."""

from __future__ import annotations

from typing import Any

from clauseboard.games.go.rules import Go


def usual(game: Go) -> dict[str, Any]:
    """Moves that a search prefers say more than the result."""
    return {
        "begin": "rollouts:rollouts=1,simulations=1000",
        "search": "mcts,simulations=1000,rollouts=1,mix=0.7",
        "games": 300,
        "random_moves": 6,
        "most_moves": int(1.5 * game.size**2),
        "result_share": 0.7,
        "max_literals": 5,
        "worth_one": 3.0,
        "move_clauses": 80,
        "moves_kept": 5000,
    }
