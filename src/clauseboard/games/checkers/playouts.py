"""Games played to their end with random moves, many a second."""

from __future__ import annotations

import numpy as np

from clauseboard.games.checkers.board import BLACK, WHITE
from clauseboard.games.checkers.rules import CheckersPosition


def playouts(position: CheckersPosition, n_games: int, seed: int = 0) -> dict[str | None, int]:
    """How many of some random games from a position each side wins; None: how many are drawn.

    They end as the rules of the position's game say, its history included. One seed gives the
    same games always.

    >>> from clauseboard.game import load_game
    >>> playouts(load_game("checkers").read_position("B:W6:B1"), 10)
    {'black': 10, 'white': 0, None: 0}
    """
    from clauseboard.games.checkers import kernels

    game = position.game
    limits = (2 * (game.quiet_moves or 0), game.repetitions or 0, game.max_moves or 0)
    if not any(limits):
        raise ValueError(
            "A random game may never end without quiet_moves, repetitions and max_moves; "
            "give the game one of them."
        )
    for name, value, most in (("n_games", n_games, None), ("seed", seed, (1 << 64) - 1)):
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not whole or value < 0 or (most is not None and value > most):
            upwards = "0 on" if most is None else f"0 to {most}"
            raise ValueError(f"{name}={value!r} is no whole number from {upwards}.")
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
