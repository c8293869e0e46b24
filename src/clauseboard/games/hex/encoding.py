"""Hex boards as arrays: words for kernels, and bits for learners.

An array of boards has the shape (boards, 2, words): red's stones, then blue's; see `kernels.py`.

The bits of a board are, for each cell row by row, whether red has a stone there; then the same for
blue. A board of 6 × 6 has 72 bits. For windows (convolution) the same bits are laid out as
(size, size, 2), a cell's two bits last: `as_layers`.

    >>> from clauseboard.game import load_game
    >>> game = load_game("hex", size=2)
    >>> game.encode([game.read_position(".R/B. red")]).tolist()
    [[0, 1, 0, 0, 0, 0, 1, 0]]
    >>> game.bits()[1].name
    'red stone at b1'
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import whole_number
from clauseboard.game import Bit
from clauseboard.games import squares
from clauseboard.games.hex import kernels
from clauseboard.games.hex.rules import BLUE, RED, Hex, HexPosition, cells_of

# ---- arrays of boards

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


def winners(game: Hex, boards: Boards) -> list[str | None]:
    """The side that has won on each board, or None."""
    sides = np.empty(len(boards), np.int8)
    kernels.winners(check_boards(game, boards), game.size, sides)
    return [None if side == kernels.NOBODY else SIDES[side] for side in sides]


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


# ---- random games
# Random numbers come from a stream, a counter: the same one gives the same games, and the functions
# that draw from it return its next value.


def play_out(position: HexPosition, games: int, stream: int) -> tuple[int, int]:
    """Play a position out at random; return in how many games red won, and the stream.

    >>> from clauseboard.game import load_game
    >>> wins, stream = play_out(load_game("hex", size=5).start(), games=1000, stream=1)
    >>> 450 < wins < 650
    True
    """
    whole_number("games", games)
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
    whole_number("games", games)
    cells = np.empty((games, game.size**2), np.int16)
    lengths = np.empty(games, np.int16)
    boards = np.empty((games, 2, words_of(game.size)), np.uint64)
    end = kernels.random_games(game.size, _word(stream), cells, lengths, boards)
    return RandomGames(cells, lengths, boards, ((lengths + 1) % 2).astype(np.int8), int(end))


def _word(stream: int) -> np.uint64:
    return np.uint64(stream % 2**64)


# ---- bits

View = Literal["board", "mover"]


@functools.cache
def bits(game: Hex) -> tuple[Bit, ...]:
    """The bits of a board in their order."""
    return tuple(
        Bit(f"{colour} stone at {cell}", str(cell), colour)
        for colour in game.colours
        for cell in cells_of(game.size)
    )


def encode(game: Hex, positions: Iterable[HexPosition], view: str = "board") -> NDArray[np.uint8]:
    """Positions as 0 and 1, positions × bits.

    The view "mover" shows every position as if red were to move: where it is blue's turn the
    colours are exchanged and the board is reflected, so that the red bits are the mover's.
    """
    if view not in ("board", "mover"):
        raise ValueError(f"A view is 'board' or 'mover', not {view!r}.")
    shown = list(positions)
    if view == "mover":
        shown = [p.reversed() if p.to_move == BLUE else p for p in shown]
    boards = boards_of(game, shown)
    packed = np.ascontiguousarray(boards.astype("<u8")).view(np.uint8)
    rows = np.unpackbits(packed, axis=-1, count=game.size**2, bitorder="little")
    return rows.reshape(len(shown), 2 * game.size**2)


def decode(game: Hex, row: NDArray[np.uint8], to_move: str) -> HexPosition:
    """The position that a row of bits shows, with this side to move."""
    row = np.asarray(row)
    n_cells = game.size**2
    if row.shape != (2 * n_cells,):
        raise ValueError(
            f"A board of size {game.size} is a row of {2 * n_cells} bits, not of shape {row.shape}."
        )
    if not np.isin(row, (0, 1)).all():
        raise ValueError("A row of bits holds 0 and 1 only.")
    red, blue = (
        int.from_bytes(np.packbits(half.astype(bool), bitorder="little").tobytes(), "little")
        for half in row.reshape(2, n_cells)
    )
    return game.position(red, blue, to_move)


def pack(
    game: Hex,
    boards: Boards,
    reverse: NDArray[np.bool_] | None = None,
    *,
    symmetry: int = 0,
) -> NDArray[np.uint8]:
    """Many boards as packed bits: `np.packbits(..., axis=1, bitorder="little")` of their rows.

    Boards where `reverse` is true have their colours exchanged and are reflected first; with
    those where blue is to move this is the view "mover". Then all of them are shown the way that
    `symmetries(game)[symmetry]` says: 0 as they are, 1 half turned, 2 reversed, 3 both.
    """
    boards = check_boards(game, boards)
    if symmetry not in range(4):
        raise ValueError(f"`symmetry` is 0 to 3, not {symmetry!r}.")
    if reverse is None:
        reverse = np.zeros(len(boards), np.bool_)
    reverse = np.asarray(reverse)
    if reverse.dtype != np.bool_ or reverse.shape != (len(boards),):
        raise ValueError(
            f"`reverse` has True or False for each of the {len(boards)} boards, not "
            f"{reverse.dtype} of shape {reverse.shape}."
        )
    bits = 2 * game.size**2
    packed = np.empty((len(boards), -(-bits // 64)), "<u8")
    kernels.pack_boards(boards, game.size, packed)
    reverse = reverse ^ (symmetry >= 2)  # to reverse twice changes nothing
    turn = symmetry % 2 == 1
    for chosen, reversing in ((reverse, True), (~reverse, False)):
        if turn or reversing:
            rows = np.flatnonzero(chosen)
            squares.show(packed, rows, game.size, reversing, reversing, turn, turn)
    return np.ascontiguousarray(packed.view(np.uint8)[:, : -(-bits // 8)])


def as_layers(game: Hex, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Rows of bits as (boards, row, column, colour), for windows; red is colour 0."""
    return np.moveaxis(rows.reshape(-1, 2, game.size, game.size), 1, -1)


@dataclass(frozen=True)
class Symmetry:
    """A way to show a board otherwise: bit i of the copy is bit `source[i]` of the board.

    Where `exchanges` is true the colours change places: a win of red becomes a win of blue, and
    it is the other side's turn.
    """

    name: str
    source: NDArray[np.intp]
    exchanges: bool

    def copy(self, rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The rows of bits shown this way."""
        return rows[:, self.source]


def symmetries(game: Hex) -> tuple[Symmetry, ...]:
    """The four ways to show a board: as it is, half turned, reversed, and both."""
    size = game.size
    cells = np.arange(2 * size * size).reshape(2, size, size)
    reverse = cells[::-1].transpose(0, 2, 1)
    return tuple(
        Symmetry(name, source.reshape(-1), exchanges)
        for name, source, exchanges in (
            ("as it is", cells, False),
            ("half turned", cells[:, ::-1, ::-1], False),
            ("reversed", reverse, True),
            ("reversed and half turned", reverse[:, ::-1, ::-1], True),
        )
    )


def mover_source(game: Hex) -> NDArray[np.intp]:
    """The bit of the board that blue sees as each bit: reflected, the colours exchanged."""
    return symmetries(game)[2].source


def cell_symmetries(game: Hex) -> NDArray[np.intp]:
    """The cells as they are, and half turned: both sides keep their goals."""
    ways = (way for way in symmetries(game) if not way.exchanges)
    # The bits of the first colour are the cells.
    return np.stack([way.source[: game.size**2] for way in ways])
