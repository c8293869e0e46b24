"""The truth about many positions at once, for those who learn from it.

A game that can tell has a file `truths.py` in its folder with a function `truths(game, positions)`,
which gives a `Truth` for each position, or None where it is not known, and `QUICK`, whether this is
no more than a look into a table. `games.solution` tells more of single positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from clauseboard.game import Game, Outcome
from clauseboard.games.parts import part_of


@dataclass(frozen=True)
class Truth:
    """Who wins with best play, None for a draw, and the moves that win, where these are told."""

    winner: str | None
    good_moves: tuple[Any, ...] = ()


def knows_truths(game: Game) -> bool:
    """Whether anything is known of the game's positions."""
    return part_of(game, "truths") is not None


def truths(game: Game, positions: Sequence[Any]) -> list[Truth | None]:
    """The truth about each position; None where nobody knows it.

    >>> from clauseboard.game import load_game
    >>> game = load_game("hex", size=3)
    >>> [truth] = truths(game, [game.read_position(".../.R./... blue")])
    >>> truth.winner
    'red'
    """
    teller = part_of(game, "truths")
    return [None] * len(positions) if teller is None else teller.truths(game, positions)


def known_end(game: Game, position: Any) -> Outcome | None:
    """How a game ended, or will end with best play where a look into a table tells."""
    ended = position.outcome()
    teller = part_of(game, "truths")
    if ended is not None or teller is None or not teller.QUICK:
        return ended
    [truth] = teller.truths(game, [position])
    return None if truth is None else Outcome(truth.winner, "by the endgame tables")
