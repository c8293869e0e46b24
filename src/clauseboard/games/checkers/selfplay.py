"""How checkers is learned unless told otherwise; see `learning.plan`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clauseboard.checks import whole_number
from clauseboard.game import Outcome
from clauseboard.games.checkers import kernels
from clauseboard.games.checkers.kernels import MAN, best_balance
from clauseboard.games.checkers.rules import (
    BLACK,
    SQUARE,
    WHITE,
    Checkers,
    CheckersMove,
    CheckersPosition,
    Jump,
    board_after,
    different,
    jumpers,
    jumps_of,
    sides,
    steps_of,
)


def usual(game: Checkers) -> dict[str, Any]:
    """Alpha-beta over concepts, from the openings of three moves; the first player counts pieces.

    Four fifths of a value are who won, the rest what a search of eight moves said: most games
    between equals are drawn, whatever a board was worth.
    """
    return {
        "begin": "material:depth=6",
        "search": "alpha_beta,depth=8,selective=true,margin=0.03",
        "games": 1000,
        "window": 3,
        "match_games": 100,
        "gate": 0.5,
        "random_moves": 8,
        "noise": 0.06,
        "openings": True,
        "most_moves": 140,
        "result_share": 0.8,
        "odds": True,
        "by_solver": True,
        "concepts": True,
        "trees": 100,
        "n_clauses": 500,
        "max_literals": 3,
        "specificity": 3.0,
        "epochs": 4,
        "kept": 150,
        "penalty": 10.0,
        "worth_one": 12.0,
    }


# ---- short openings, so that the games of a match are not all the same
# Tournaments draw the first two or three moves from a deck of cards. Here they are computed: of all
# positions after so many moves, those are left out in which a side wins a man or more by force,
# found by a search that counts pieces (`kernels.best_balance`).

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
    whole_number("depth", depth)
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
    return tuple(opening for opening in found if abs(balance_ahead(opening.position)) < MAN)


# ---- games played to their end with random moves, many a second


def playouts(position: CheckersPosition, n_games: int, seed: int = 0) -> dict[str | None, int]:
    """How many of some random games from a position each side wins; None: how many are drawn.

    They end as the rules of the position's game say, its history included. One seed gives the
    same games always.

    >>> from clauseboard.game import load_game
    >>> playouts(load_game("checkers").read_position("B:W6:B1"), 10)
    {'black': 10, 'white': 0, None: 0}
    """
    game = position.game
    limits = (2 * (game.quiet_moves or 0), game.repetitions or 0, game.max_moves or 0)
    if not any(limits):
        raise ValueError(
            "A random game may never end without quiet_moves, repetitions and max_moves; "
            "give the game one of them."
        )
    whole_number("n_games", n_games)
    whole_number("seed", seed, 0, (1 << 64) - 1)
    boards = np.array([*position.history, position.board], np.uint64)
    side, counter = int(position.to_move == WHITE), np.uint64(seed)
    wins = [0, 0, 0]
    for _ in range(n_games):
        winner, _, counter = kernels.playout(
            boards, side, position.quiet, position.played, game.blocked == "loss", *limits, counter
        )
        counter = np.uint64(counter)
        wins[winner] += 1
    return dict(zip((BLACK, WHITE, None), wins, strict=True))


# ---- whole random games, in plain Python on words
# They are the games that two random players play move by move, with the same choices and in the
# same notation, but several times as fast.


STEPS = {(start, end): f"{SQUARE[start]}-{SQUARE[end]}" for start in SQUARE for end in SQUARE}
"""Steps as text, by the words of their two squares."""


def random_game(
    position: CheckersPosition, picks: Sequence[Callable[[int], int]], most_moves: int
) -> tuple[list[str], Outcome | None]:
    """Play to the end: the moves as text, and how the game ended; None if `most_moves` are made.

    `picks` are black's and white's: given the number of moves, they pick one by its place in
    `position.moves()`.

    >>> from clauseboard.game import load_game
    >>> random_game(load_game("checkers").start(), (lambda n: 0, lambda n: n - 1), 4)
    (['9-13', '24-20', '5-9', '28-24'], None)
    """
    game, board, colour = position.game, position.board, position.to_move
    quiet, played, history = position.quiet, position.played, list(position.history)
    most_quiet, most_played, most_times = game.quiet_moves, game.max_moves, game.repetitions
    texts: list[str] = []
    while True:
        seen = sides(board, colour)
        jumping = jumpers(seen)
        jumps = different(jumps_of(seen, jumping)) if jumping else []
        steps = [] if jumping else steps_of(seen)
        if (
            not (jumps or steps)
            or not seen[1]  # the other side has no pieces left
            or len(texts) == most_moves
            or (most_quiet is not None and quiet >= 2 * most_quiet)
            or (most_played is not None and played >= most_played)
            or (history and most_times and history[-2::-2].count(board) + 1 >= most_times)
        ):
            last = CheckersPosition(game, *board, colour, quiet, played, tuple(history))
            return texts, last.outcome()
        chosen = picks[colour == WHITE](len(jumps) or len(steps))
        taken = 0
        if jumps:
            start, end, taken, _ = jumps[chosen]
            texts.append(_written(jumps, chosen))
        else:
            start, end = steps[chosen]
            texts.append(STEPS[start, end])
        if taken or not board[2] & start:
            quiet = 0
            history.clear()
        else:
            quiet += 1 if most_quiet is not None else 0
            if most_times is not None:
                history.append(board)
        board = board_after(board, colour, start, end, taken)
        played += 1 if most_played is not None else 0
        colour = WHITE if colour == BLACK else BLACK


def _written(jumps: list[Jump], chosen: int) -> str:
    """A jump as text: its ends, or its whole path where another has the same ends."""
    start, end, _, path = jumps[chosen]
    alike = sum(jump[0] == start and jump[1] == end for jump in jumps)
    return "x".join(str(SQUARE[word]) for word in (path if alike > 1 else (start, end)))
