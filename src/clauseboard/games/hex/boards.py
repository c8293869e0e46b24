"""Many Hex boards at once: arrays of 64-bit words, and what the kernels do with them.

An array of boards has the shape (boards, 2, words): red's stones, then blue's; see `kernels.py`.
Random numbers come from a stream, a counter: the same one gives the same games, and the functions
that draw from it return where it has come to.

    >>> from clauseboard.game import load_game
    >>> wins, stream = play_out(load_game("hex", size=5).start(), games=1000, stream=1)
    >>> 450 < wins < 650
    True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.hex.rules import BLUE, RED, Hex, HexPosition

Boards = NDArray[np.uint64]
SIDES = (RED, BLUE)
"""Sides by their number in the kernels."""


def words_of(size: int) -> int:
    """How many words the cells of a board take."""
    return -(-size * size // 64)


def boards_of(game: Hex, positions: Iterable[HexPosition]) -> Boards:
    """The boards of some positions."""
    n_bytes = 8 * words_of(game.size)
    parts = []
    for position in positions:
        if position.game.size != game.size:
            raise ValueError(
                f"A board of size {position.game.size} is among boards of size {game.size}."
            )
        parts.append(position.red.to_bytes(n_bytes, "little"))
        parts.append(position.blue.to_bytes(n_bytes, "little"))
    words = np.frombuffer(b"".join(parts), "<u8").astype(np.uint64)
    return words.reshape(-1, 2, words_of(game.size))


def position_of(game: Hex, board: Boards, to_move: str) -> HexPosition:
    """The position that one board of an array shows, with this side to move."""
    red, blue = (int.from_bytes(words.astype("<u8").tobytes(), "little") for words in board)
    return game.position(red, blue, to_move)


def winners(game: Hex, boards: Boards) -> list[str | None]:
    """The side that has won on each board, or None."""
    from clauseboard.games.hex import kernels

    found = np.empty(len(boards), np.int8)
    kernels.winners(check_boards(game, boards), game.size, found)
    return [None if side == kernels.NOBODY else SIDES[side] for side in found]


def play_out(position: HexPosition, games: int, stream: int) -> tuple[int, int]:
    """Play a position out at random; return in how many games red won, and the stream."""
    from clauseboard.games.hex import kernels

    if games < 0:
        raise ValueError(f"The number of games is 0 or more, not {games}.")
    stones = boards_of(position.game, [position])[0]
    side, start = SIDES.index(position.to_move), _word(stream)
    wins, start = kernels.playouts(stones, side, position.game.size, games, start)
    return int(wins), int(start)


@dataclass(frozen=True)
class RandomGames:
    """Random games from the empty board, each up to the move that connects.

    The moves of game i are the cells `cells[i, : lengths[i]]`, numbered row by row, red's first;
    `boards[i]` is its last position and `winners[i]` the side that won, 0 for red, 1 for blue.
    """

    cells: NDArray[np.int16]
    lengths: NDArray[np.int16]
    boards: Boards
    winners: NDArray[np.int8]
    stream: int


def random_games(game: Hex, games: int, stream: int) -> RandomGames:
    """Play random games move by move (without swaps)."""
    from clauseboard.games.hex import kernels

    if games < 0:
        raise ValueError(f"The number of games is 0 or more, not {games}.")
    cells = np.empty((games, game.size**2), np.int16)
    lengths = np.empty(games, np.int16)
    boards = np.empty((games, 2, words_of(game.size)), np.uint64)
    end = kernels.random_games(game.size, _word(stream), cells, lengths, boards)
    return RandomGames(cells, lengths, boards, ((lengths + 1) % 2).astype(np.int8), int(end))


def check_boards(game: Hex, boards: Boards) -> Boards:
    """Boards as the kernels take them; a `ValueError` if they are none of this game."""
    shape = (2, words_of(game.size))
    if boards.dtype != np.uint64 or boards.shape[1:] != shape:
        raise ValueError(
            f"Boards of size {game.size} are an array of uint64 with the shape (boards, "
            f"{shape[0]}, {shape[1]}), not of {boards.dtype} with the shape {boards.shape}."
        )
    if np.any(boards[:, 0] & boards[:, 1]):
        raise ValueError("There is a board with a red stone and a blue one on the same cell.")
    beyond = 64 * shape[1] - game.size**2
    if beyond and np.any((boards[:, 0, -1] | boards[:, 1, -1]) >> np.uint64(64 - beyond)):
        raise ValueError(f"There is a stone outside the board of size {game.size}.")
    # Kernels take arrays that may be written to, which a board read from a file may not.
    return np.require(boards, requirements=["C", "W"])


def _word(stream: int) -> np.uint64:
    return np.uint64(stream % 2**64)
