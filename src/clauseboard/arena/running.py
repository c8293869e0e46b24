"""Playing the games of matches: one after the other or in several processes, each kept at once."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from clauseboard.arena.archive import Archive
from clauseboard.arena.game_record import GameRecord
from clauseboard.arena.match import MakePlayer, Match, Result, described_player
from clauseboard.arena.store import Store
from clauseboard.parallel import spread
from clauseboard.player import Player

Told = Callable[[int, GameRecord], None]
"""Told of each game that ends: which match it is of, and the game."""

Task = tuple[int, int]
"""The place of a match among the matches, and the number of a game of it."""


def run_matches(
    matches: Sequence[Match],
    jobs: int = 1,
    store: Store | None = None,
    games_to: str | Path | None = None,
    make: MakePlayer = described_player,
    told: Told | None = None,
) -> list[Result]:
    """Play the games of some matches that are not yet in the store; the results of them all.

    With several `jobs`, each process makes its own players. The games are the same for any number
    of jobs. `games_to` names a file for the games besides the store (see `archive`).
    """
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise ValueError(f"jobs={jobs!r} is no whole number from 1 on.")
    found: list[dict[int, GameRecord]] = []
    for match in matches:
        known = [] if store is None else store.games(match.id)
        found.append({game.number: game for game in known if game.number < match.n_games})
    tasks = [
        (place, number)
        for place, match in enumerate(matches)
        for number in range(match.n_games)
        if number not in found[place]
    ]
    with contextlib.ExitStack() as open_things:
        # The players first: a wrong description is told before anything is written.
        tables = open_things.enter_context(_tables(matches, make))
        if jobs > 1 and any(getattr(p, "needs_terminal", False) for pair in tables for p in pair):
            raise ValueError("A person plays at this terminal, in one process: leave out --jobs.")
        if store is not None:
            for match in matches:
                store.add_match(match.id, match.settings())
        archive = None
        if games_to is not None:
            known_games = [list(games.values()) for games in found]
            archive = Archive(games_to, zip(matches, known_games, strict=True))
            open_things.callback(archive.close)
        played: Iterator[tuple[int, GameRecord]]
        if jobs == 1:
            played = ((place, matches[place].play(n, tables[place])) for place, n in tasks)
        else:
            run = uuid.uuid4().hex
            for_workers = ((run, place, matches[place], n, make) for place, n in tasks)
            played = spread(_play_in_worker, for_workers, jobs)
        for place, record in played:
            # Another run may have been faster; then its game counts.
            if store is not None and not store.add(matches[place].id, record):
                record = store.game(matches[place].id, record.number)
            found[place][record.number] = record
            if archive is not None:
                archive.add(matches[place], record)
            if told is not None:
                told(place, record)
    return [
        Result(match, tuple(games[number] for number in sorted(games)))
        for match, games in zip(matches, found, strict=True)
    ]


@contextlib.contextmanager
def _tables(matches: Sequence[Match], make: MakePlayer) -> Iterator[list[list[Player]]]:
    """The players of each match, made once for each description and side of the table."""
    made: dict[tuple[str, int], Player] = {}
    try:
        for match in matches:
            for side, text in enumerate(match.players):
                if (text, side) not in made:
                    made[text, side] = make(text, match.game)
        yield [[made[text, side] for side, text in enumerate(m.players)] for m in matches]
    finally:
        for player in made.values():
            player.close()


_made: dict[tuple[str, tuple[str, str]], list[Player]] = {}
"""What a worker has made, since a machine may take longer to load than a game to play."""


def _play_in_worker(
    run: str, place: int, match: Match, number: int, make: MakePlayer
) -> tuple[int, GameRecord]:
    key = (run, match.players)
    if key not in _made:
        for old in [other for other in _made if other[0] != run]:
            for player in _made.pop(old):
                player.close()
        _made[key] = [make(text, match.game) for text in match.players]
    return place, match.play(number, _made[key])
