"""Games of 9×9 Go to learn from, where the archive of the Go thesis is not at hand.

Whoever is to move draws a few random moves that fill no eye of its own, plays some random games on
from each, and takes the one after which it wins most of them. That is no strong player, but one
that saves and takes stones; and like those of the archive, its games go on until nothing is left
to play. With one candidate the games are random.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from clauseboard.arena.playing import derived_seed
from clauseboard.datasets.replacing import replaced
from clauseboard.games.go.records import GoRecord, result_text, write_sgf
from clauseboard.games.go.rules import PASS, Go, GoMove
from clauseboard.games.go.scoring import state_of
from clauseboard.parallel import spread

GAME = Go(size=9)
MOST_MOVES = 3 * 81
"""After which a game is broken off and left out; hardly one is so long."""

AT_A_TIME = 50
"""Games that a process plays before it asks for more."""

SEED = 1


@dataclass(frozen=True)
class GameStyle:
    """How moves are chosen: among so many candidates, by so many random games each."""

    candidates: int
    playouts: int

    def __str__(self) -> str:
        if self.candidates == 1:
            return "random games"
        return (
            f"games of a player that takes the best of {self.candidates} random moves by "
            f"{self.playouts} playouts each"
        )


RANDOM = GameStyle(1, 0)
USUAL = GameStyle(6, 8)


def games_file(n_games: int, style: GameStyle, folder: Path, jobs: int = 1) -> Path:
    """A file of games in SGF; they are played if it is not there yet."""
    path = folder / f"go-{n_games}-games-{style.candidates}x{style.playouts}.sgf"
    if not path.is_file():
        texts = _played(n_games, style, jobs)
        with replaced(path) as file:
            file.write("".join(texts).encode())
    return path


@functools.lru_cache(maxsize=2)
def _played(n_games: int, style: GameStyle, jobs: int) -> tuple[str, ...]:
    """Games as SGF; the same for any number of jobs."""
    parts = [
        (range(first, min(first + AT_A_TIME, n_games)), style)
        for first in range(0, n_games, AT_A_TIME)
    ]
    found = dict(spread(play_some, parts, jobs if style != RANDOM else 1))
    return tuple(text for first in sorted(found) for text in found[first])


def play_some(numbers: range, style: GameStyle) -> tuple[int, list[str]]:
    """The first of some numbers, and the games of these as SGF."""
    return numbers.start, [write_sgf(record) for n in numbers for record in play_one(n, style)]


def play_one(number: int, style: GameStyle) -> Iterator[GoRecord]:
    """The game of a number, if it comes to an end.

    >>> record = next(play_one(1, RANDOM))
    >>> [record.game.write_move(record.start, move) for move in record.moves[-2:]]
    ['pass', 'pass']
    """
    from clauseboard.games.go import kernels

    state, board = state_of(GAME.start()), np.zeros(GAME.size**2, np.uint8)
    counter = np.uint64(derived_seed(SEED, number))
    scores, owned = np.empty(style.playouts, np.int16), np.zeros((0, 2), np.int32)
    komi, moves = GAME.points_for_white, list[GoMove]()
    while len(moves) < MOST_MOVES and moves[-2:] != [PASS, PASS]:
        mine = 1 if len(moves) % 2 == 0 else 2
        best, most = state, -np.inf
        for _ in range(style.candidates):
            tried = state.copy()
            counter = kernels.playout(tried, 1, counter)
            kernels.playouts(tried, MOST_MOVES, counter, scores, owned)
            won = float(np.sign(scores - komi).sum()) * (1 if mine == 1 else -1)
            if won > most:
                best, most = tried, won
        before, state = board.copy(), best
        kernels.read_board(state, board)
        put = np.flatnonzero((before == 0) & (board == mine))
        moves.append(GoMove(int(put[0])) if len(put) else PASS)
    if moves[-2:] == [PASS, PASS]:
        last = GAME.position(board.tobytes(), "black", passes=2)
        yield GoRecord(GAME.start(), tuple(moves), result_text(last))
