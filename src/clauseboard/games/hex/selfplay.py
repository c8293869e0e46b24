"""The settings of self-play for Hex, and its openings; see `selfplay.settings`."""

from __future__ import annotations

from typing import Any

from clauseboard.games.hex.rules import Hex
from clauseboard.games.hex.solving import LARGEST_LABELLED


def usual(game: Hex) -> dict[str, Any]:
    """The settings: small boards are labelled by the solver, larger ones by the end of the game."""
    solved = game.size <= LARGEST_LABELLED - 1
    return {
        "begin": "rollouts:rollouts=1,simulations=500",
        "search": "mcts,simulations=500,rollouts=1,mix=0.3",
        "games": 1000,
        "random_moves": 2 * game.size if solved else game.size // 2,
        "by_solver": solved,
        "result_share": 0.7,
        "max_literals": 5,
        "worth_one": 4.0 if solved else 3.0,
        "move_clauses": 60,
        "moves_kept": 4000,
    }


def deck(game: Hex) -> tuple[str, ...]:
    """The openings: every first move that does not end the game.

    With a free choice the first player mostly wins.

    >>> deck(Hex(size=2))
    ('a1', 'b1', 'a2', 'b2')
    """
    start = game.start()
    return tuple(str(move) for move in start.moves() if start.play(move).outcome() is None)
