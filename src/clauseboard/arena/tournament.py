"""A round robin: every player against every other one, as often with either colour."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from clauseboard.arena.match import Match, MatchResult, ScoreCounts
from clauseboard.arena.playing import derived_seed
from clauseboard.arena.ratings import Rating, bradley_terry


def round_robin(match: Match, players: Sequence[str], itself: bool = False) -> list[Match]:
    """The matches of a tournament: `match` for every two of the players.

    Each has a seed of its own, which does not change when more players come. `itself`: every
    player has a match against itself, too.
    """
    if len(set(players)) < len(players):
        twice = next(text for text in players if list(players).count(text) > 1)
        raise ValueError(f"{twice!r} is there twice; give --itself for games against itself.")
    if len(players) < 2:
        raise ValueError(f"A tournament has two players or more, not {len(players)}.")
    return [
        dataclasses.replace(match, players=(a, b), seed=_seed(match.seed, a, b))
        for place, a in enumerate(players)
        for b in players[place if itself else place + 1 :]
    ]


def _seed(seed: int, *players: str) -> int:
    digest = hashlib.sha256("\0".join(players).encode()).digest()
    return derived_seed(seed, int.from_bytes(digest[:8], "little"))


@dataclass(frozen=True)
class Standings:
    """What the matches of a tournament come to.

    `counts[i][j]` is how player i fared when it began against j, None where they did not play;
    `lengths[i][j]` the average length of those games.
    """

    players: tuple[str, ...]
    results: tuple[MatchResult, ...]
    counts: tuple[tuple[ScoreCounts | None, ...], ...]
    lengths: tuple[tuple[float | None, ...], ...]
    ratings: tuple[Rating, ...]

    def _repr_html_(self) -> str:
        """The tables of the tournament, for notebooks."""
        from clauseboard.arena.reporting import tournament_part

        return tournament_part(self)

    @property
    def n_games(self) -> int:
        """The games of all matches."""
        return sum(len(result.games) for result in self.results)

    @property
    def ranking(self) -> list[int]:
        """The places of the players, the strongest first."""
        return sorted(range(len(self.players)), key=lambda place: -self.ratings[place].elo)

    def total(self, place: int) -> ScoreCounts:
        """How a player fared against all the others, with both colours."""
        total = ScoreCounts()
        for other in range(len(self.players)):
            if other != place:
                total += self.counts[place][other] or ScoreCounts()
                replied = self.counts[other][place] or ScoreCounts()
                total += ScoreCounts(replied.losses, replied.draws, replied.wins)
        return total


def standings(players: Sequence[str], results: Sequence[MatchResult]) -> Standings:
    """The tables of a tournament from the results of its matches."""
    n = len(players)
    counts: list[list[ScoreCounts | None]] = [[None] * n for _ in range(n)]
    moves = [[0] * n for _ in range(n)]
    for result in results:
        first = result.match.game.colours[0]
        i, j = (players.index(text) for text in result.match.players)
        for begins, replies, side in ((i, j, 0), (j, i, 1)):
            fared = result.counts(side, first)
            if fared.games:
                counts[begins][replies] = (counts[begins][replies] or ScoreCounts()) + fared
        for game in result.counted:
            begins, replies = (j, i) if game.swapped else (i, j)
            moves[begins][replies] += len(game.moves)
    points = [[0.0] * n for _ in range(n)]
    lengths: list[list[float | None]] = [[None] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            fared_here = counts[i][j]
            if fared_here is not None:
                points[i][j] += fared_here.points
                points[j][i] += fared_here.games - fared_here.points
                lengths[i][j] = moves[i][j] / fared_here.games
    return Standings(
        tuple(players),
        tuple(results),
        tuple(map(tuple, counts)),
        tuple(map(tuple, lengths)),
        tuple(bradley_terry(points)),
    )
