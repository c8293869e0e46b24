"""The settings of self-play for Hex, and its openings; see `selfplay.settings`."""

from __future__ import annotations

from typing import Any

from clauseboard.games.hex.cell_sets import LARGEST as LARGEST_WITH_CONCEPTS
from clauseboard.games.hex.rules import Hex
from clauseboard.games.hex.solving import LARGEST_LABELLED

SMALLEST_WITH_CONCEPTS = 6
"""On smaller boards connections decide nearly every position, and leave nothing to learn."""


def usual(game: Hex) -> dict[str, Any]:
    """Small boards are labelled by the solver, larger ones by the end of the game."""
    solved = game.size <= LARGEST_LABELLED - 1
    if SMALLEST_WITH_CONCEPTS <= game.size <= LARGEST_WITH_CONCEPTS:
        return _by_concepts(game, solved)
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


def _by_concepts(game: Hex, solved: bool) -> dict[str, Any]:
    """Boards are judged by concepts; patterns around moves say which of them to look at first.

    A solved board has few games that are still open after some moves, but many positions beside
    them. On others patterns teach each other by long searches of random games, which look beyond
    what they are told to look at first.
    """
    return {
        "begin": "rollouts:rollouts=1,simulations=5000,exploration=0.4",
        "search": "mcts,simulations=300,rollouts=0,prior_weight=0.5",
        "play_search": "" if solved else "mcts,simulations=3000,rollouts=4",
        # What a solver labels teaches more than the ends of games do.
        "games": 200 if solved else 400,
        "window": 2 if solved else 3,
        "match_games": 30 if solved else 40,
        "random_moves": 3 if solved else game.size + 1,
        "noise": 0.05,
        "by_solver": solved,
        "off_path_positions": 24 if solved else 0,
        # With half of the search's value the log loss is better, but votes are smaller.
        "result_share": 1.0,
        "concepts": True,
        "trees": 100,
        "n_clauses": 300,
        "max_literals": 3,
        "specificity": 3.0,
        "epochs": 4,
        "kept": 60,
        "penalty": 10.0,
        "worth_one": 3.0,
        "local_moves": True,
        "move_clauses": 500,
        "move_literals": 4,
        "moves_kept": 800,
    }


def deck(game: Hex) -> tuple[str, ...]:
    """The openings: every first move that does not end the game.

    With a free choice the first player mostly wins.

    >>> deck(Hex(size=2))
    ('a1', 'b1', 'a2', 'b2')
    """
    start = game.start()
    return tuple(str(move) for move in start.moves() if start.play(move).outcome() is None)
