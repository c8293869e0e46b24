"""A game that a player plays against itself, with what it thought of every move.

The first moves are drawn: an opening of the game's deck, where it has one, and a few moves at
random after it, so that hardly two games are the same and some are out of balance, from which a
learner sees what an advantage is worth. From there on every move is the player's own, but for a
share of moves that are drawn all along (`noise`). In some games another player takes one side, so
that what one never does oneself is seen, too (`sparring`). Where the end of the game is known by a
look into a table, it is not played out.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from clauseboard.arena.openings import NO_OPENINGS, Opening
from clauseboard.arena.playing import derived_seed
from clauseboard.evaluation import Limit
from clauseboard.game import Game
from clauseboard.games.solving import known_end
from clauseboard.player import Choice, Player

Counts = tuple[tuple[int, int], ...]
"""Moves and how often a search went there: their places in `position.moves()`, and visits."""


SELDOM = 0.1
"""Moves that a search visited less often than this share of the most visited one are not noted."""


@dataclass(frozen=True)
class OwnGame:
    """A game of a player against itself.

    The first `n_given` moves were drawn. For each of the others `values` has what the player said
    of it, from -1 to 1 for the side that moved, and `counts` where its search went, if it counts.
    `astray` are the turns, counted from there, at which another move was drawn than it chose.
    """

    moves: tuple[str, ...]
    n_given: int
    winner: str | None
    reason: str
    values: tuple[float, ...]
    counts: tuple[Counts, ...]
    astray: tuple[int, ...] = ()

    def write(self) -> str:
        """The game as JSON."""
        page = {**vars(self), "moves": " ".join(self.moves)}
        return json.dumps(page, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> OwnGame:
        """A game from what `write` wrote."""
        page = json.loads(text)
        page["moves"] = tuple(page["moves"].split())
        for name in {"values", "astray"} & set(page):
            page[name] = tuple(page[name])
        page["counts"] = tuple(
            tuple((place, visits) for place, visits in turn) for turn in page["counts"]
        )
        return cls(**page)


def play_itself(
    game: Game,
    player: Player,
    seed: int,
    *,
    openings: Sequence[Opening] = NO_OPENINGS,
    drawn: int = 6,
    noise: float = 0.0,
    sparring: Player | None = None,
    most_moves: int = 400,
    limit: Limit | None = None,
) -> OwnGame:
    """Play a game: an opening, up to `drawn` moves at random, and then the player on both sides.

    `noise` is the share of the moves after that which are drawn instead of chosen. A `sparring`
    partner takes one of the sides, which is drawn as well.

    >>> from clauseboard.game import load_game
    >>> from clauseboard.players import load_player
    >>> game = load_game("hex", size=3)
    >>> played = play_itself(game, load_player("random", game), seed=1, drawn=2)
    >>> played.winner in game.colours, OwnGame.read(played.write()) == played
    (True, True)
    """
    draws = random.Random(seed)
    position, moves = _beginning(game, draws, openings, drawn)
    n_given = len(moves)
    seats = dict.fromkeys(game.colours, player)
    if sparring is not None:
        seats[draws.choice(game.colours)] = sparring
    for side, colour in enumerate(game.colours):
        seats[colour].begin(game, colour, derived_seed(seed, side))
    values: list[float] = []
    counts: list[Counts] = []
    astray: list[int] = []
    while (ended := known_end(game, position)) is None and len(moves) < most_moves:
        choice = seats[position.to_move].choose(position, limit)
        move = choice.move
        if noise and draws.random() < noise:
            move = draws.choice(position.moves())
        if move != choice.move:
            astray.append(len(values))
        values.append(round(float(choice.value or 0.0), 4))
        counts.append(_counts(position, choice))
        moves.append(position.write_move(move))
        position = position.play(move)
    return OwnGame(
        moves=tuple(moves),
        n_given=n_given,
        winner=None if ended is None else ended.winner,
        reason=f"{most_moves} moves played, and no end" if ended is None else ended.reason,
        values=tuple(values),
        counts=tuple(counts),
        astray=tuple(astray),
    )


def _beginning(
    game: Game, draws: random.Random, openings: Sequence[Opening], drawn: int
) -> tuple[Any, list[str]]:
    """A position in which the game goes on, and the moves that lead there."""
    while True:
        position, moves = game.start(), []
        for text in draws.choice(openings):
            moves.append(text)
            position = position.play(position.read_move(text))
        for _ in range(draws.randint(0, drawn)):
            if position.outcome() is not None:
                break
            move = draws.choice(position.moves())
            moves.append(position.write_move(move))
            position = position.play(move)
        if known_end(game, position) is None:
            return position, moves


def _counts(position: Any, choice: Choice) -> Counts:
    most = max((one.visits for one in choice.candidates), default=0)
    seldom = most * SELDOM
    visits = {one.move: one.visits for one in choice.candidates if one.visits > seldom}
    return tuple((place, visits[m]) for place, m in enumerate(position.moves()) if m in visits)
