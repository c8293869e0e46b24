"""A match: two players, so many games, the colours swapped after each.

Game n depends on the match and on n only: its seed, its opening and who begins. So it does not
matter in which order the games are played, by how many processes, or in how many runs.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from clauseboard.arena.game_record import GameRecord
from clauseboard.arena.openings import NO_OPENINGS, Opening
from clauseboard.arena.playing import MOST_MOVES, derived_seed, play_game
from clauseboard.arena.ratings import Rating, Score, elo_difference, score_interval
from clauseboard.evaluation import Limit
from clauseboard.game import Game
from clauseboard.player import Player

MakePlayer = Callable[[str, Game], Player]
"""Makes a player of a game from its description."""


def described_player(text: str, game: Game) -> Player:
    """A player as the command line describes it."""
    from clauseboard.players import read_player

    return read_player(text, game)


@dataclass(frozen=True)
class Match:
    """Two players, as the command line describes them, and all that their games depend on.

    Games come in pairs from the same opening: the first player begins in one, and the second in
    the other. `n_games` is how many there are to be; it may be raised later, and the match goes on.
    """

    game: Game
    players: tuple[str, str]
    n_games: int = 100
    seed: int = 1
    limit: Limit = dataclasses.field(default_factory=Limit)
    openings: tuple[Opening, ...] = NO_OPENINGS
    most_moves: int = MOST_MOVES

    def __post_init__(self) -> None:
        for name in ("n_games", "most_moves"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(f"{name}={value!r} is no whole number from 1 on.")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise ValueError(f"seed={self.seed!r} is no whole number from 0 on.")
        if len(self.players) != 2:
            raise ValueError(f"A match has two players, not {len(self.players)}.")
        if not self.openings:
            raise ValueError("A match needs an opening; the one without moves is ().")

    def settings(self) -> dict[str, Any]:
        """What the games depend on, for JSON."""
        return {
            "game": repr(self.game),
            "rules": self.game.version,
            "players": list(self.players),
            "files": self.files,
            "seed": self.seed,
            "limit": {k: v for k, v in dataclasses.asdict(self.limit).items() if v is not None},
            "openings": [" ".join(opening) for opening in self.openings],
            "most_moves": self.most_moves,
        }

    @functools.cached_property
    def files(self) -> dict[str, str]:
        """The files that the players' descriptions name, and what was in them: a hash of each.

        A machine that learned more, under the same name, plays another match.
        """
        from clauseboard.players.spec import named_files

        found = {}
        for name in (name for text in self.players for name in named_files(text)):
            with open(name, "rb") as file:
                found[name] = hashlib.file_digest(file, "sha256").hexdigest()[:16]
        return found

    @functools.cached_property
    def id(self) -> str:
        """Sixteen hex digits that differ if anything differs that the games depend on."""
        text = json.dumps(self.settings(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def play(self, number: int, players: Sequence[Player]) -> GameRecord:
        """Play one game of the match, by its number from 0 on."""
        swapped = number % 2 == 1
        return play_game(
            self.game,
            players[::-1] if swapped else players,
            seed=derived_seed(self.seed, number),
            limit=self.limit,
            opening=self.openings[number // 2 % len(self.openings)],
            number=number,
            swapped=swapped,
            most_moves=self.most_moves,
        )


@dataclass(frozen=True)
class Counts:
    """Games won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A point for a win, half a one for a draw."""
        return self.wins + self.draws / 2

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


@dataclass(frozen=True)
class Result:
    """The games of a match that were played, and what they come to."""

    match: Match
    games: tuple[GameRecord, ...]

    def counts(self, player: int, colour: str | None = None) -> Counts:
        """How a player (0 or 1) fared, with one colour or with both."""
        colours = self.match.game.colours
        tally: Counter[bool | None] = Counter()
        for game in self.games:
            own = colours[int(game.swapped) ^ player]
            if colour in (None, own):
                tally[None if game.winner is None else game.winner == own] += 1
        return Counts(tally[True], tally[None], tally[False])

    @property
    def score(self) -> Score:
        """The first player's share of the points."""
        total = self.counts(0)
        return score_interval(total.wins, total.draws, total.losses)

    @property
    def elo(self) -> Rating:
        """How far the first player is ahead."""
        total = self.counts(0)
        return elo_difference(total.wins, total.draws, total.losses)

    @property
    def wins_by_colour(self) -> dict[str, int]:
        """How many games each colour won."""
        return {
            colour: sum(game.winner == colour for game in self.games)
            for colour in self.match.game.colours
        }

    @property
    def average_length(self) -> float:
        """Moves of both sides in a game, the opening's included."""
        return sum(len(game.moves) for game in self.games) / max(len(self.games), 1)

    @property
    def repeats(self) -> int:
        """Games that were played before, move by move, by the same players with the same colours.

        Two players without randomness play one game many times, which is no more than one.
        """
        return len(self.games) - len({(game.players, game.moves) for game in self.games})

    @property
    def reasons(self) -> Counter[str]:
        """How the games ended, in words; what comes after a comma tells of one game only."""
        return Counter(str(game.outcome).partition(",")[0] for game in self.games)

    @property
    def late(self) -> tuple[int, int]:
        """Moves of either player that took far longer than allowed."""
        pairs = [game.late[::-1] if game.swapped else game.late for game in self.games]
        return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
