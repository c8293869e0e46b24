"""Records of games that players play to make data: from many openings, whole and sound.

The games are those of a match in the arena, which stores each as it ends, so that an interrupted
run goes on. A game in which a player failed is left out of the records; it stays in the store, and
is counted.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from clauseboard.arena.match import MatchResult, Opening
from clauseboard.arena.playing import GameRecord
from clauseboard.arena.store import written_game
from clauseboard.checks import whole_number
from clauseboard.files import replaced
from clauseboard.game import Ending, Game
from clauseboard.games.plugins import RECORDS
from clauseboard.players import describe_players

N_OPENINGS = 2000
"""Random openings that are drawn, unless there are fewer; so that more games can be asked later."""

TRIES = 20
"""For how many times as many openings are drawn at most."""


def random_openings(game: Game, n_moves: int, seed: int, most: int = N_OPENINGS) -> list[Opening]:
    """Different openings of so many moves, any legal ones, after which the game goes on.

    There are `most` of them, or as many as were found; with `n_moves` 0 the one without moves.

    >>> from clauseboard.game import load_game
    >>> sorted(random_openings(load_game("hex", size=2), 1, seed=1))
    [('a1',), ('a2',), ('b1',), ('b2',)]
    """
    whole_number("n_moves", n_moves, 0)
    draws = random.Random(f"openings {seed}")
    openings: dict[Opening, None] = {}
    misses = 0
    while len(openings) < most and misses < TRIES * (len(openings) + 10):
        opening = _random_opening(game, n_moves, draws)
        if opening is None or opening in openings:
            misses += 1
        else:
            openings[opening] = None
    if not openings:
        raise ValueError(
            f"No game of {game!r} goes on after {n_moves} random moves; ask for fewer."
        )
    return list(openings)


def _random_opening(game: Game, n_moves: int, draws: random.Random) -> Opening | None:
    position, texts = game.start(), []
    for _ in range(n_moves):
        moves = position.moves()
        if not moves:
            return None
        move = draws.choice(moves)
        texts.append(position.write_move(move))
        position = position.play(move)
    return tuple(texts) if position.outcome() is None else None


def usual_player(game: Game) -> str:
    """The default player: one that is not too slow, and plays this game."""
    refusals = {kind.name: kind.refuses for kind in describe_players(game)}
    return next(text for text in USUAL if not refusals[text.partition(":")[0]])


USUAL = ("material:depth=4", "rollouts:simulations=200,rollouts=1", "random")
"""Players to choose from, the best one first."""


@dataclass(frozen=True)
class Written:
    """Records that were written: games, and those left out by how they ended."""

    path: Path
    games: int
    left_out: Counter[str]
    repeats: int
    """Games among them that were played before, move by move."""


def write_records(result: MatchResult, path: Path) -> Written:
    """Write the sound games of a match to a file as other programs read them, in their order.

    If there is none, the error says how the first game ended.
    """
    match = result.match
    suffixes = RECORDS.of(match.game).SUFFIXES
    if path.suffix.lower() not in suffixes:
        listed = " or ".join(f"*{suffix}" for suffix in suffixes)
        raise ValueError(f"Games of {match.game.name} go to a file named {listed}, not {path}.")
    left_out: Counter[str] = Counter()
    sound = []
    for record in result.games:
        why = unsound(record)
        if why:
            left_out[why] += 1
        else:
            sound.append(record)
    if not sound:
        raise ValueError(
            f"None of {len(result.games):,} games is one to learn from; the first ended with: "
            f"{result.games[0].outcome}."
        )
    with replaced(path) as file:
        for record in sound:
            file.write(written_game(match, record).encode())
    repeats = len(sound) - len({record.moves for record in sound})
    return Written(path, len(sound), left_out, repeats)


def unsound(record: GameRecord) -> str:
    """Why a game says nothing about its boards; an empty text if it does."""
    return UNSOUND.get(record.ending, "")


UNSOUND = {
    Ending.FAILURE: "a player failed",
    Ending.ILLEGAL_MOVE: "an illegal move",
    Ending.SOLVED: "broken off where best play loses",
    Ending.UNFINISHED: "no end",
}
"""The endings that are not by the rules, in few words."""
