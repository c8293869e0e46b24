"""Games between networks, for Python: a thin layer above the kernel of `games_template`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clauseboard.game import Game
from clauseboard.kernels.compiler import specialised
from clauseboard.learners.swarm.network import NetworkStack
from clauseboard.search.compiled_rules import DRAW, compiled_rules_of

MOST_CAPTURES = 24
"""Captures that are played out one after the other; in checkers there are no more pieces."""


@dataclass(frozen=True)
class PlayedGames:
    """Games that were played: the side that won each (`DRAW`: none), how many moves it took.

    If they were recorded: `boards`, the packed bits of each board with a side to move as that side
    saw it, and `gains`, what the game brought that side: 1, -1, or 0 for a draw.
    """

    results: NDArray[np.int64]
    lengths: NDArray[np.int64]
    boards: NDArray[np.uint8]
    gains: NDArray[np.float64]

    def scores(
        self, side: int | NDArray[np.int64], win: float = 1.0, loss: float = -1.0
    ) -> NDArray[np.float64]:
        """What each game brought to one side, or to a side that is another one in each game."""
        return np.where(self.results == DRAW, 0.0, np.where(self.results == side, win, loss))


class SwarmGames(NamedTuple):
    """What differs from game to game, and what becomes of each.

    `pairs` are the two networks that play, the one that begins first. `explore` is the share of the
    moves of either side that are drawn at random, by the `counters` of random numbers. The boards
    with a side to move are kept in `boards` (games × moves × 1 × bytes), as far as there is room,
    with `sides`.
    """

    pairs: Any
    explore: Any
    counters: Any
    results: Any
    lengths: Any
    boards: Any
    sides: Any


class CapturesAhead(NamedTuple):
    """Room for boards on which captures are played out, a row for each; one is none.

    `flat` is the memory of `states`. `left` has the captures of each board that are still to be
    tried, and `worth` the best of those that were.
    """

    states: Any
    flat: Any
    scratches: Any
    codes: Any
    left: Any
    worth: Any


class SwarmNetworks(NamedTuple):
    """Networks (see `network.Stack`), and room for the bits of a board and for sums."""

    hidden: Any
    top: Any
    features: Any
    sums: Any


def named_figures(game: Game, names: Sequence[str], numbers: Iterable[float]) -> dict[str, float]:
    """Figures by their names, with the colours in the place of "first" and "second".

    >>> from clauseboard.game import load_game
    >>> named_figures(load_game("hex"), ["first won", "drawn"], [3, 0])
    {'red won': 3.0, 'drawn': 0.0}
    """
    sides = dict(zip(("first", "second"), game.colours, strict=True))
    words = [" ".join(sides.get(word, word) for word in name.split()) for name in names]
    return dict(zip(words, map(float, numbers), strict=True))


def searchable(game: Game) -> Game:
    """The game, if whole games of it can be played by kernels; a sentence otherwise."""
    if compiled_rules_of(game) is None:
        raise ValueError(
            f"{game.name} has no module `compiled_rules`, so that no kernel can play it."
        )
    return game


def play(
    networks: NetworkStack,
    pairs: ArrayLike,
    counters: NDArray[np.uint64] | Sequence[int],
    *,
    longest: int = 100,
    opening: int = 0,
    explore: ArrayLike = (0.0, 0.0),
    captures: bool = True,
    record: bool = False,
) -> PlayedGames:
    """Games between networks that look one move ahead; of each pair the first one begins.

    Each counter is the seed of one game. `opening` moves are drawn at random, and later ones of
    each side by chance, `explore`: 1.0 is a random player. After `longest` moves the
    game is a draw. `pairs` and `explore` are two numbers for all games, or a row for each. With
    `captures` those that have to be made are played out before a network is asked.
    """
    game = searchable(networks.game)
    rules = compiled_rules_of(game)
    assert rules is not None
    kernels = specialised("clauseboard.learners.swarm.games_template", rules)
    seeds = np.array(counters, np.uint64)
    n_games, n_bytes = len(seeds), networks.hidden.shape[1] // 8
    results, lengths = np.empty(n_games, np.int64), np.empty(n_games, np.int64)
    room = longest if record else 0
    boards = np.zeros((n_games, room, 1, n_bytes), np.uint8)
    sides = np.zeros((n_games, room), np.int64)
    most = rules.most_moves(game)
    # Without room for further boards none is played out.
    n_ahead = 1 + MOST_CAPTURES * (captures and getattr(rules, "MUST_CAPTURE", False))
    states = np.stack([rules.new_state(game)] * n_ahead)
    ahead = CapturesAhead(
        states=states,
        flat=states.reshape(n_ahead, -1),
        scratches=np.stack([rules.new_scratch(game)] * n_ahead),
        codes=np.empty((n_ahead, most), np.int64),
        left=np.empty(n_ahead, np.int64),
        worth=np.empty(n_ahead),
    )
    games = SwarmGames(
        pairs=_for_each(n_games, pairs, np.int64),
        explore=_for_each(n_games, explore, np.float64),
        counters=seeds,
        results=results,
        lengths=lengths,
        boards=boards,
        sides=sides,
    )
    kernels.play_games(
        networks.hidden, networks.top, games, rules.state_of(game.start()), rules.new_state(game),
        ahead, rules.settings_of(game), rules.new_scratch(game), np.empty(most, np.int64), longest,
        getattr(game, "repetitions", None) or 0, opening,
    )  # fmt: skip
    kept = np.arange(room) < lengths[:, None]
    winners = np.broadcast_to(results[:, None], kept.shape)[kept]
    gains = np.where(winners == DRAW, 0.0, np.where(winners == sides[kept], 1.0, -1.0))
    return PlayedGames(results, lengths, boards[:, :, 0][kept], gains)


def _for_each(n_games: int, pairs: ArrayLike, dtype: Any) -> NDArray[Any]:
    """Two numbers for each game; those for all games are repeated."""
    return np.array(np.broadcast_to(np.asarray(pairs, dtype), (n_games, 2)), order="C")


def wins_against_chance(
    networks: NetworkStack,
    who: int,
    games: int,
    seed: int,
    longest: int = 1000,
    captures: bool = True,
) -> tuple[float, float, float]:
    """The shares of games won, drawn and lost against a player of random moves; colours swapped."""
    counters = np.random.default_rng(seed).integers(0, 2**64, games, np.uint64)
    own = np.arange(games) % 2
    played = play(
        networks, (who, who), counters, longest=longest, explore=np.eye(2)[1 - own],
        captures=captures,
    )  # fmt: skip
    scores = played.scores(own)
    return tuple(float((scores == gain).mean()) for gain in (1.0, 0.0, -1.0))  # type: ignore[return-value]
