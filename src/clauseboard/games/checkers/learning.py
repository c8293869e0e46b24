"""How checkers is learned unless told otherwise; see `learning.plan`."""

from __future__ import annotations

from typing import Any

from clauseboard.games.checkers.rules import Checkers


def usual(game: Checkers) -> dict[str, Any]:
    """Alpha-beta from the openings of three moves; the first player counts pieces."""
    return {
        "begin": "material:depth=6",
        "search": "alpha_beta,depth=6",
        "games": 1000,
        "drawn": 8,
        "deck": True,
        "most_moves": 120,
        "result_share": 1.0,
        "draws": 0.35,
        "by_solver": True,
        "max_literals": 3,
        "specificity": 3.0,
        "n_clauses": 800,
        "kept": 600,
        "worth_one": 12.0,
    }
