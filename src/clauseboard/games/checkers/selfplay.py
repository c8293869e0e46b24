"""How checkers is learned unless told otherwise; see `learning.plan`."""

from __future__ import annotations

from typing import Any

from clauseboard.games.checkers.rules import Checkers


def usual(game: Checkers) -> dict[str, Any]:
    """Alpha-beta from the openings of three moves; the first player counts pieces.

    Half of a lesson is who won, half what a search of six moves said: most games between equals are
    drawn, whatever a board was worth. A thousand clauses fill one tile of `voting`.
    """
    return {
        "begin": "material:depth=6",
        "search": "alpha_beta,depth=6,grain=0.005",
        "games": 700,
        "window": 1,
        "match_games": 40,
        "gate": 0.5,
        "drawn": 8,
        "deck": True,
        "most_moves": 120,
        "result_share": 0.5,
        "odds": True,
        "by_solver": True,
        "n_clauses": 600,
        "max_literals": 3,
        "specificity": 3.0,
        "second_literals": 5,
        "second_specificity": 5.0,
        "epochs": 6,
        "kept": 1000,
        "penalty": 5.0,
        "worth_one": 12.0,
    }
