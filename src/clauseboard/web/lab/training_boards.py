"""Boards whose results are known, made on the spot: to learn from, and to see what clauses do.

They come from games that a player plays against itself after a few moves at random, or from a
composition that makes its games itself, such as the perfect games of Hex. All are shown as the side
to move sees them, so that one machine serves both colours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from clauseboard.arena.game_record import GameRecord
from clauseboard.arena.match import Match
from clauseboard.arena.running import run_matches
from clauseboard.datasets import DataSet, build
from clauseboard.datasets.folds import make_folds
from clauseboard.datasets.generating import random_openings, unsound
from clauseboard.evaluation import Limit
from clauseboard.game import Game
from clauseboard.games.datasets import (
    DRAW,
    Composition,
    compositions,
    load_composition,
)
from clauseboard.games.plugins import DATASETS

FOLDS = 10
"""One in so many boards is kept back, to see what was understood and what only remembered."""
HELD_OUT_FOLD = 5
"""Which: the first folds have the longest games, which are harder than others to tell."""
SECONDS = 0.02
"""Thinking time of a move in games that are played for their boards."""
MOST_BOARDS = 40_000
MOST_BITS = 50
"""Of a board, for compositions that make their games themselves: solving larger ones takes long."""
OPENING = 2
"""Moves at random before the players begin."""

Told = Callable[[float], None]
"""Is told which share is done."""


def solved(game: Game) -> list[Composition]:
    """The compositions that make games of these rules themselves, and soon."""
    if game.name not in DATASETS.games() or len(game.bits()) > MOST_BITS:
        return []
    found = []
    for kind in compositions(game.name).values():
        if kind.from_files:
            continue
        size = {"size": game.size} if hasattr(game, "size") else {}
        made = load_composition(game.name, kind.name, **size)
        if made.game == game:
            found.append(made)
    return found


def played_boards(
    game: Game,
    line: str,
    n_games: int,
    seed: int = 1,
    view: str = "mover",
    told: Told | None = None,
) -> DataSet:
    """The boards of games that a player plays against itself."""
    match = Match(
        game,
        (line, line),
        n_games,
        seed,
        Limit(seconds=SECONDS),
        tuple(random_openings(game, OPENING, seed, n_games)),
    )
    done = 0

    def count(place: int, record: GameRecord) -> None:
        nonlocal done
        done += 1
        if told is not None:
            told(done / n_games)

    (result,) = run_matches([match], told=count)
    rows = []
    for number, record in enumerate(record for record in result.games if not unsound(record)):
        position = game.start()
        for ply, text in enumerate(record.moves):
            if ply >= record.n_given:
                rows.append((position, record.winner, number, ply))
            position = position.play(position.read_move(text))
    about = f"{n_games:,} games of {line} against itself"
    return _data_set(game, rows, view, about)


def solved_boards(game: Game, name: str, told: Told | None = None) -> DataSet:
    """The boards of a composition that makes its games itself."""
    (composition,) = (one for one in solved(game) if one.name == name)
    found = build(composition, told=told)
    ends = (*game.colours, None)
    rows = (
        (found.position(n), ends[found.labels[n]], int(found.games[n]), int(found.plies[n]))
        for n in range(len(found))
    )
    return _data_set(game, rows, "mover", composition.text)


def _data_set(game: Game, rows: Iterable[tuple[Any, ...]], view: str, about: str) -> DataSet:
    listed = list(rows)
    listed = listed[:: -(-len(listed) // MOST_BOARDS) or 1]
    if not listed:
        raise ValueError("These games have no board to learn from; ask for another player.")
    positions, winners, numbers, plies = zip(*listed, strict=True)
    ends = {colour: n for n, colour in enumerate(game.colours)} | {None: DRAW}
    labels = np.array([ends[winner] for winner in winners], np.uint8)
    games = np.array(numbers, np.int64)
    return DataSet(
        game,
        game.bits(),
        np.packbits(game.encode(positions, view=view), axis=1, bitorder="little"),
        labels,
        games,
        np.array(plies, np.int32),
        np.array([game.colours.index(one.to_move) for one in positions], np.uint8),
        make_folds(labels, games, FOLDS),
        FOLDS,
        view,
        {"composition": about},
    )


def split(boards: DataSet, most: int) -> tuple[Any, Any]:
    """The numbers of the boards to learn from, and of up to so many others, to test on.

    Games may come to the same board: what was learned is not tested on, whichever game it is of.
    """
    learned, kept_back = boards.split(HELD_OUT_FOLD)
    seen = {row.tobytes() for row in boards.packed[learned]}
    fresh = [n for n in kept_back if boards.packed[n].tobytes() not in seen]
    if not fresh:
        raise ValueError("No board is left to test on, so few are there; ask for more games.")
    return learned, np.array(fresh[:most])


def results(boards: DataSet) -> Any:
    """Who wins as the side to move sees it: "win", "loss" or "draw"."""
    own = np.where(boards.labels == boards.to_move, "win", "loss")
    return np.where(boards.labels == DRAW, "draw", own)
