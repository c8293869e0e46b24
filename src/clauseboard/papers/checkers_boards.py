"""Boards of checkers for experiments that have no file of them.

From the boards at the end of games, the unique ones and the seven numbers of each can be derived.
Other sets are generated: random games, broken off before their end. They show that a table can be
computed, and no more; a report says so in its first line.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clauseboard.datasets import make_folds
from clauseboard.games.checkers import kernels
from clauseboard.games.checkers.encoding import (
    BITS,
    DIGIT_BITS,
    PIECES,
    packed_digits,
    packed_squares,
)
from clauseboard.games.checkers.rules import BLACK_START, SQUARES, WHITE_START, WORD
from clauseboard.papers.boards import BoardSet, LabelledBoards

GAMES = 22_578
"""As many as the checkers thesis has, where nothing less is asked for."""

MOST_MOVES = 70
"""A random game that is longer is a draw, so that about half of them are."""

REPETITIONS = 3
"""A game is a draw when a position comes up for the third time."""

FEWEST_LEFT, MOST_LEFT = 4, 24
"""Moves by which a random game is broken off before its end."""

SEED, FOLDS = 1, 10

ROUNDS = {"standard-end": 0, "metadata": 0, "end-second-third": 2, "end-to-eight": 8}
"""By composition: the rounds before the end of a game whose boards are taken, too."""

ALIKE: tuple[str, ...] = ()

Board = tuple[int, int, int]
"""The words of black's pieces, of white's and of the kings."""

LOSS, WIN, DRAW = 0, 1, 2
"""Results, for black."""


def composition_name(composition: str, options: Mapping[str, object]) -> str:
    """The composition of a file: its own name."""
    return composition


def derived(kind: BoardSet, found: Mapping[BoardSet, LabelledBoards]) -> LabelledBoards | None:
    """The boards of a set out of those of another one that is given, if possible."""
    plain = found.get(replace(kind, unique=False))
    if plain is None and kind.composition == "metadata":
        ends = found.get(BoardSet(kind.game, "standard-end"))
        plain = None if ends is None else in_numbers(ends)
    if plain is None:
        return None
    return plain.only_unique() if kind.unique else plain


def generated(
    kind: BoardSet,
    n_games: int | None,
    folder: Path | None = None,
    jobs: int = 1,
    device: str = "cpu",
) -> LabelledBoards:
    """The boards of a set out of random games; as many as in the thesis, or fewer.

    As in a data set of recorded games, games that occur twice are dropped before boards are put
    into folds, and then boards that occur twice.
    """
    if kind.composition not in ROUNDS:
        raise ValueError(f"{kind} boards cannot be generated; give a file of them.")
    n_games = GAMES if n_games is None else min(GAMES, n_games)
    rounds = ROUNDS[kind.composition]
    games = dict(enumerate(random_games(n_games, SEED)))
    if kind.unique and rounds:
        games = {
            number: game for game, number in {g: n for n, g in reversed(games.items())}.items()
        }
    rows = [
        (board, result, number)
        for number, (boards, result) in sorted(games.items())
        for board in boards[::-2][: rounds + 1]
    ]
    words, results, numbers = map(np.array, zip(*rows, strict=True))
    boards = LabelledBoards(
        replace(kind, composition="standard-end", unique=False),
        f"{n_games:,} random games, broken off before their end", True,
        packed_squares(words.astype(np.uint64)).view(np.uint8), len(BITS),
        results.astype(np.uint8), np.zeros(len(rows), np.uint8), FOLDS,
    )  # fmt: skip
    boards = in_numbers(boards) if kind.composition == "metadata" else boards
    if kind.unique and not rounds:
        first = boards.first_of_each()
        boards, numbers = boards.take(first), numbers[first]
    # The folds of a data set have black's wins first.
    labels = np.array([1, 0, 2], np.uint8)[boards.results]
    boards = replace(boards, kind=replace(kind, unique=False), folds=make_folds(labels, numbers))
    return boards.only_unique() if kind.unique else boards


def in_numbers(ends: LabelledBoards) -> LabelledBoards:
    """Boards as the binary digits of seven numbers of each (`encoding.MEASURES`)."""
    weights = np.array([WORD[square] for square in SQUARES], np.uint64)
    bits = ends.X.reshape(len(ends), len(PIECES), len(SQUARES)).astype(np.uint64)
    men, kings, white_men, white_kings = (bits * weights).sum(axis=2, dtype=np.uint64).T
    words = np.column_stack([men | kings, white_men | white_kings, kings | white_kings])
    packed = np.ascontiguousarray(packed_digits(words), "<u8").view(np.uint8)
    n_bits = len(DIGIT_BITS)
    return replace(
        ends,
        kind=replace(ends.kind, composition="metadata"),
        packed=np.ascontiguousarray(packed[:, : -(-n_bits // 8)]),
        n_bits=n_bits,
    )


def planes(X: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], tuple[int, int, int]]:
    """Boards with the four kinds of piece side by side, as a window needs them; their shape.

    The 32 squares lie as 8 rows of 4, which is the shape 4 × 8 × 4 of the checkers thesis.
    """
    pieces = X.reshape(len(X), len(PIECES), len(SQUARES)).transpose(0, 2, 1)
    return np.ascontiguousarray(pieces).reshape(len(X), -1), (8, 4, len(PIECES))


def random_games(n_games: int, seed: int) -> Iterator[tuple[tuple[Board, ...], int]]:
    """Random games, each broken off some moves before its end: boards after moves, and result."""
    rng = random.Random(seed)
    rows = np.empty((kernels.MOST_MOVES, 3), np.uint64)
    for _ in range(n_games):
        boards: list[Board] = [(BLACK_START, WHITE_START, 0)]
        while n_moves := kernels.successors(*boards[-1], 1 - len(boards) % 2, rows):
            if len(boards) > MOST_MOVES or boards[::-2].count(boards[-1]) >= REPETITIONS:
                break
            after = [tuple(row) for row in rows[:n_moves].tolist()]
            side = 1 - len(boards) % 2
            boards.append(_in_order(boards[-1], after, side)[rng.randrange(n_moves)])
        # The side that cannot move has lost.
        result = DRAW if n_moves else LOSS if len(boards) % 2 else WIN
        n_kept = max(1, len(boards) - 1 - rng.randint(FEWEST_LEFT, MOST_LEFT))
        yield tuple(boards[1 : n_kept + 1]), result


def _in_order(board: Board, after: Sequence[Board], side: int) -> Sequence[Board]:
    """Boards after each move, in the order of moves: by the square where it starts, then ends."""
    if after[0][1 - side] != board[1 - side]:
        return after  # jumps are in order
    ours = board[side]
    return sorted(after, key=lambda new: (ours & ~new[side], new[side] & ~ours))
