"""Boards of checkers for experiments that have no file of them.

From the boards at the end of games, the unique ones and the seven numbers of each can be made.
Whatever is not at hand is generated: random games, broken off before their end. They show that a
table can be made, and that is all; a report says so in its first line.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from clauseboard.datasets import build
from clauseboard.game import load_game
from clauseboard.games.checkers.board import SQUARES, WORD
from clauseboard.games.checkers.encoding import DIGIT_BITS, PIECES, packed_digits
from clauseboard.games.checkers.selfplay import random_game
from clauseboard.games.datasets import load_composition
from clauseboard.papers.boards import BoardSet, LabelledBoards, generated_boards

GAMES = 22_578
"""As many as the checkers thesis has, where nothing less is asked for."""

MOST_MOVES = 70
"""A random game that is longer is a draw, so that about half of them are."""

FEWEST_LEFT, MOST_LEFT = 4, 24
"""Moves by which a random game is broken off before its end."""

SEED = 1

ALIKE: tuple[str, ...] = ()


def composition_name(composition: str, options: Mapping[str, object]) -> str:
    """The composition of a file: its own name."""
    return composition


def derived(kind: BoardSet, found: Mapping[BoardSet, LabelledBoards]) -> LabelledBoards | None:
    """The boards of a kind out of those of another one that is at hand, if they can be."""
    plain = found.get(replace(kind, unique=False))
    if plain is None and kind.composition == "metadata":
        ends = found.get(BoardSet(kind.game, "standard-end"))
        plain = None if ends is None else in_numbers(ends)
    if plain is None:
        return None
    return plain.only_unique() if kind.unique else plain


def generated(
    kind: BoardSet, n_games: int | None, folder: Path | None = None, jobs: int = 1
) -> LabelledBoards:
    """The boards of a kind out of random games; as many as in the thesis, unless told fewer."""
    n_games = GAMES if n_games is None else min(GAMES, n_games)
    composition = load_composition(kind.game, kind.composition)
    with tempfile.TemporaryDirectory() as temporary:
        file = Path(temporary) / "games.pdn"
        file.write_text("\n".join(random_records(n_games, SEED)), "utf-8")
        data = build(composition, [file], unique=kind.unique)
    return generated_boards(data, kind, f"{n_games:,} random games, broken off before their end")


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
    """Boards with the four kinds of piece beside each other, as a window needs them; their shape.

    The 32 squares lie as 8 rows of 4, which is the shape 4 × 8 × 4 of the checkers thesis.
    """
    pieces = X.reshape(len(X), len(PIECES), len(SQUARES)).transpose(0, 2, 1)
    return np.ascontiguousarray(pieces).reshape(len(X), -1), (8, 4, len(PIECES))


def random_records(n_games: int, seed: int) -> Iterator[str]:
    """Random games in PDN, each broken off some moves before its end.

    >>> print(next(random_records(1, seed=1)).splitlines()[0])
    [Result "0-1"]
    """
    rng = random.Random(seed)
    start = load_game("checkers", max_moves=MOST_MOVES).start()
    for _ in range(n_games):
        moves, outcome = random_game(start, (rng.randrange, rng.randrange), MOST_MOVES)
        winner = None if outcome is None else outcome.winner
        result = "1/2-1/2" if winner is None else "1-0" if winner == "black" else "0-1"
        kept = moves[: max(1, len(moves) - rng.randint(FEWEST_LEFT, MOST_LEFT))]
        words = [f"{n // 2 + 1}. {move}" if n % 2 == 0 else move for n, move in enumerate(kept)]
        yield f'[Result "{result}"]\n\n{" ".join([*words, result])}\n'
