"""How checkers is learned unless told otherwise; see `learning.plan`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clauseboard.game import check_depth
from clauseboard.games.checkers.board import WHITE
from clauseboard.games.checkers.rules import Checkers, CheckersMove, CheckersPosition


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
        "random_moves": 8,
        "openings": True,
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


# ---- short openings, so that the games of a match are not all the same
# Tournaments draw the first two or three moves from a deck of cards. Here they are computed: of all
# positions after so many moves, those are left out in which a side wins a man or more by force,
# found by a search that counts pieces (`material.best_balance`).

SEARCH_DEPTH = 8
"""Moves that the search looks ahead; from 5 to 12 the deck is the same."""


@dataclass(frozen=True)
class Opening:
    """The first moves of a game, and where they lead."""

    moves: tuple[CheckersMove, ...]
    position: CheckersPosition

    def __str__(self) -> str:
        here, texts = self.position.game.start(), []
        for move in self.moves:
            texts.append(here.write_move(move))
            here = here.play(move)
        return " ".join(texts)


def openings(n_moves: int, game: Checkers | None = None) -> tuple[Opening, ...]:
    """Every opening of one, two or three moves; of those that lead to the same position, the first.

    >>> [len(openings(n)) for n in (1, 2, 3)]
    [7, 49, 216]
    >>> str(openings(2)[0])
    '9-13 21-17'
    """
    if n_moves not in (1, 2, 3):
        raise ValueError(f"Openings have 1, 2 or 3 moves, not {n_moves!r}.")
    found = [Opening((), (game or Checkers()).start())]
    for _ in range(n_moves):
        found = [
            Opening((*opening.moves, move), opening.position.play(move))
            for opening in found
            for move in opening.position.moves()
        ]
    first: dict[tuple[int, int, int], Opening] = {}
    for opening in found:
        first.setdefault(opening.position.board, opening)
    return tuple(first.values())


def balance_ahead(position: CheckersPosition, depth: int = SEARCH_DEPTH) -> int:
    """What the side to move will have more than the other, in half men, if both play for material.

    >>> balance_ahead(Checkers().start())
    0
    """
    from clauseboard.games.checkers.material import best_balance

    check_depth(depth)
    words = [np.uint64(word) for word in position.board]
    return int(best_balance(*words, int(position.to_move == WHITE), depth))


def three_move_deck(game: Checkers | None = None) -> tuple[Opening, ...]:
    """The openings of three moves after which nobody wins a man by force.

    >>> len(three_move_deck())
    174
    """
    return _even(openings(3, game))


def two_move_deck(game: Checkers | None = None) -> tuple[Opening, ...]:
    """The openings of two moves after which nobody wins a man by force.

    >>> len(two_move_deck())
    47
    """
    return _even(openings(2, game))


def deck(game: Checkers) -> tuple[Opening, ...]:
    """The openings that matches begin with: those of three moves."""
    return three_move_deck(game)


def _even(found: tuple[Opening, ...]) -> tuple[Opening, ...]:
    from clauseboard.games.checkers.material import MAN

    return tuple(opening for opening in found if abs(balance_ahead(opening.position)) < MAN)
