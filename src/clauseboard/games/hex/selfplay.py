"""The settings of self-play for Hex, and its openings; see `selfplay.settings`."""

from __future__ import annotations

from typing import Any

from clauseboard.games.hex.cell_sets import LARGEST as LARGEST_WITH_CONCEPTS
from clauseboard.games.hex.rules import Hex
from clauseboard.games.hex.solving import LARGEST_LABELLED


def usual(game: Hex) -> dict[str, Any]:
    """Judge boards by concepts, and look first at moves that patterns around them suggest.

    Boards that are too large for concepts have clauses over cells and random games. Small ones are
    labelled by the solver, larger ones by the end of the game.
    """
    solved = game.size <= LARGEST_LABELLED - 1
    settings = {
        "begin": "rollouts:rollouts=1,simulations=4000",
        "games": 300,
        "random_moves": 3 if solved else game.size + 1,
        "by_solver": solved,
        "result_share": 1.0,
        "worth_one": 3.0,
    }
    if game.size > LARGEST_WITH_CONCEPTS:
        return {
            **settings,
            "search": "mcts,simulations=500,rollouts=1,mix=0.3",
            "max_literals": 5,
            "move_clauses": 60,
            "moves_kept": 4000,
        }
    return {
        **settings,
        "search": "mcts,simulations=100,rollouts=0,prior_weight=0.5",
        "window": 2,
        "match_games": 40,
        "noise": 0.05,
        "concepts": True,
        "trees": 100,
        "n_clauses": 500,
        "max_literals": 3,
        "specificity": 3.0,
        "epochs": 4,
        "kept": 60,
        "penalty": 10.0,
        "local_moves": True,
        "move_clauses": 300,
        "move_literals": 4,
        "moves_kept": 400,
        **({"off_path_positions": 24} if solved else {}),
    }


def deck(game: Hex) -> tuple[str, ...]:
    """The openings: every first move that does not end the game.

    With a free choice the first player mostly wins.

    >>> deck(Hex(size=2))
    ('a1', 'b1', 'a2', 'b2')
    """
    start = game.start()
    return tuple(str(move) for move in start.moves() if start.play(move).outcome() is None)
