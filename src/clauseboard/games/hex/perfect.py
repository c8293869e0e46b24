"""Perfect games of Hex: every pair of first stones, and then best moves of both sides.

The first two stones are given, so that both sides win some games. From there on the winner wins
soon and the loser holds out, as far as the solver sees it (`Solver.best_move`); of moves that are
as good as each other the seed takes one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from clauseboard.games.hex.rules import Hex, HexMove, HexPosition, Swap, cells_of
from clauseboard.games.hex.solver import LARGEST, Solver

TABLE = 2**18
"""Entries of the solver's table, which is made anew for every first stone."""


@dataclass(frozen=True)
class Played:
    """A game: its moves, its positions after each, and who won."""

    moves: tuple[HexMove | Swap, ...]
    positions: tuple[HexPosition, ...]
    winner: str


def perfect_games(size: int, seed: int, effort: int, jobs: int = 1) -> Iterator[Played]:
    """The games of all pairs of first stones, in the order of the first one, then of the second.

    `effort` is how many positions may be looked at for a move that wins in the very fewest moves;
    with 0 it is the one with the fewest by the solver's proof. The games are the same for any
    number of `jobs`.
    """
    if not 2 <= size <= LARGEST:
        raise ValueError(f"Perfect games are on boards of size 2 to {LARGEST}, not {size!r}.")
    firsts = range(size * size)
    if jobs == 1:
        for first in firsts:
            yield from games_from(size, first, seed, effort)
        return
    from joblib import Parallel, delayed

    workers = Parallel(n_jobs=jobs, return_as="generator")
    for games in workers(delayed(games_from)(size, first, seed, effort) for first in firsts):
        yield from games


def games_from(size: int, first: int, seed: int, effort: int) -> list[Played]:
    """The games that begin on one cell."""
    # What a solver has learnt can change which of several good moves it proves first. So each
    # first stone has a solver of its own, and it does not matter who plays which games.
    solver = Solver(size, TABLE)
    start = Hex(size).start()
    cells = cells_of(size)
    return [
        _play((cells[first], second), start, solver, random.Random(f"{seed} {first} {n}"), effort)
        for n, second in enumerate(cells)
        if n != first
    ]


def _play(
    given: tuple[HexMove, ...],
    position: HexPosition,
    solver: Solver,
    draws: random.Random,
    effort: int,
) -> Played:
    moves: list[HexMove | Swap] = []
    positions = []
    while position.winner is None:
        if len(moves) < len(given):
            move: HexMove | Swap = given[len(moves)]
        else:
            move = solver.best_move(position, draws.getrandbits(63), effort)
        position = position.play(move)
        moves.append(move)
        positions.append(position)
    return Played(tuple(moves), tuple(positions), position.winner)
