"""A game of a player against itself, with its value of every move.

The first moves are random: one of the game's openings, where it has some, and a few random moves
after it, so that hardly two games are the same and some are unbalanced, from which a learner sees
what an advantage is worth. After that the player chooses every move, but for a share of random ones
(`noise`). In some games another player takes one side (`sparring`): otherwise the learner never
meets moves it would not play itself. Where an endgame table knows the result, the game ends; and,
if the learner judges by concepts, where these prove it.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from clauseboard.arena.match import NO_OPENINGS, Opening
from clauseboard.arena.playing import derived_seed
from clauseboard.evaluation import Limit
from clauseboard.game import Ending, Game, Outcome, Position
from clauseboard.games.plugins import CONCEPTS
from clauseboard.games.solving import known_end
from clauseboard.learners.tsetlin.concept_evaluator import known_winner
from clauseboard.player import Choice, Player

VisitCounts = tuple[tuple[int, int], ...]
"""Moves and how often a search visited them: places in `position.moves()`, and visits."""

MOST_STARTS = 1000
"""Openings that are tried, with random moves after them, until one leaves a game to be played."""

SELDOM = 0.1
"""Moves that were visited less often than this share of the most visited one are not kept."""


@dataclass(frozen=True)
class SelfPlayGame:
    """A game of a player against itself.

    The first `n_given` moves were random. For each of the others `values` has the player's value,
    from -1 to 1 for the side that moved, and `counts` its search's visits, if there are any.
    `astray` are the turns, counted from there, at which a random move replaced the chosen one.
    """

    moves: tuple[str, ...]
    n_given: int
    winner: str | None
    reason: str
    values: tuple[float, ...]
    counts: tuple[VisitCounts, ...]
    astray: tuple[int, ...] = ()

    def write(self) -> str:
        """The game as JSON."""
        page = {**vars(self), "moves": " ".join(self.moves)}
        return json.dumps(page, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> SelfPlayGame:
        """A game from what `write` wrote; an error for what it never wrote."""
        page = json.loads(text)
        page["moves"] = tuple(page["moves"].split())
        for name in {"values", "astray"} & set(page):
            page[name] = tuple(page[name])
        page["counts"] = tuple(
            tuple((place, visits) for place, visits in turn) for turn in page["counts"]
        )
        game = cls(**page)
        turns = len(game.moves) - game.n_given
        if not (
            0 <= turns <= len(game.moves)
            and len(game.values) == len(game.counts) == turns
            and all(math.isfinite(value) for value in game.values)
            and all(0 <= turn < turns for turn in game.astray)
            and all(min(place, visits) >= 0 for turn in game.counts for place, visits in turn)
            and isinstance(game.winner, str | None)
        ):
            raise ValueError("a game has numbers that do not fit its moves")
        return game


def play_self_game(
    game: Game,
    player: Player,
    seed: int,
    *,
    openings: Sequence[Opening] = NO_OPENINGS,
    random_moves: int = 6,
    noise: float = 0.0,
    sparring: Player | None = None,
    most_moves: int = 400,
    limit: Limit | None = None,
    concepts: bool = False,
) -> SelfPlayGame:
    """Play a game: an opening, up to `random_moves`, and then the player on both sides.

    `noise` is the share of random moves after that. A `sparring` partner takes one of the sides, at
    random. With `concepts` the game ends where the game's concepts prove who wins.

    >>> from clauseboard.game import load_game
    >>> from clauseboard.players import load_player
    >>> game = load_game("hex", size=3)
    >>> played = play_self_game(game, load_player("random", game), seed=1, random_moves=2)
    >>> played.winner in game.colours, SelfPlayGame.read(played.write()) == played
    (True, True)
    """
    draws = random.Random(seed)
    position, moves = _random_start(game, draws, openings, random_moves, concepts)
    n_given = len(moves)
    seats = dict.fromkeys(game.colours, player)
    if sparring is not None:
        seats[draws.choice(game.colours)] = sparring
    for side, colour in enumerate(game.colours):
        seats[colour].begin(game, colour, derived_seed(seed, side))
    values: list[float] = []
    counts: list[VisitCounts] = []
    astray: list[int] = []
    while (ended := _end(game, position, concepts)) is None and len(moves) < most_moves:
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
    return SelfPlayGame(
        moves=tuple(moves),
        n_given=n_given,
        winner=None if ended is None else ended.winner,
        reason=f"{most_moves} moves played, and no end" if ended is None else ended.reason,
        values=tuple(values),
        counts=tuple(counts),
        astray=tuple(astray),
    )


def _random_start(
    game: Game,
    draws: random.Random,
    openings: Sequence[Opening],
    random_moves: int,
    concepts: bool,
) -> tuple[Position, list[str]]:
    """A position in which the game goes on, and the moves that lead there."""
    for _ in range(MOST_STARTS):
        position, moves = game.start(), []
        for text in draws.choice(openings):
            moves.append(text)
            position = position.play(position.read_move(text))
        for _ in range(draws.randint(0, random_moves)):
            if position.outcome() is not None:
                break
            move = draws.choice(position.moves())
            moves.append(position.write_move(move))
            position = position.play(move)
        if _end(game, position, concepts) is None:
            return position, moves
    such = " ".join(moves) or "the start"
    raise ValueError(f"{game!r} is over after every opening, such as {such}; give others.")


def _end(game: Game, position: Position, concepts: bool) -> Outcome | None:
    """How the game ended, or will end by what is proven."""
    ended = known_end(game, position)
    plugin = CONCEPTS.find(game) if concepts and ended is None else None
    proven = None if plugin is None else known_winner(plugin, position)
    return ended if proven is None else Outcome(*proven, Ending.SOLVED)


def _counts(position: Position, choice: Choice) -> VisitCounts:
    seldom = SELDOM * max((candidate.visits for candidate in choice.candidates), default=0)
    visits = {c.move: c.visits for c in choice.candidates if c.visits > seldom}
    return tuple((place, visits[m]) for place, m in enumerate(position.moves()) if m in visits)
