"""Hex boards as bits: for each cell, row by row, whether red has a stone there; then for blue.

A board of 6 × 6 has 72 bits. For windows (convolution) the same bits are laid out as
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

from clauseboard.game import Bit
from clauseboard.games.hex.boards import Boards, boards_of, check_boards
from clauseboard.games.hex.rules import BLUE, Hex, HexPosition, cells_of

View = Literal["board", "mover"]


@functools.cache
def bits(size: int) -> tuple[Bit, ...]:
    """The bits of a board in their order."""
    return tuple(
        Bit(f"{colour} stone at {cell}", str(cell), colour)
        for colour in Hex.colours
        for cell in cells_of(size)
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
    from clauseboard.games import squares
    from clauseboard.games.hex import kernels

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


def from_layers(game: Hex, layers: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Rows of bits, from what `as_layers` made of them."""
    return np.moveaxis(layers, -1, 1).reshape(-1, 2 * game.size**2)


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


def unreflected_reversal(game: Hex) -> Symmetry:
    """The colours exchanged on a board that stays as it is, as the thesis words its doubling.

    This is no symmetry of Hex: red's chain from the top to the bottom becomes one of blue's, which
    wins nothing. It is here to repeat that experiment; everything else wants "reversed".
    """
    cells = np.arange(2 * game.size**2).reshape(2, -1)
    return Symmetry("colours exchanged only", cells[::-1].reshape(-1), True)


# ---- Hex as blue sees it
# the board reflected at its long diagonal, the colours exchanged.


def mover_source(game: Hex) -> NDArray[np.intp]:
    """The bit of the board that blue sees as each bit; see `games.symmetries`."""
    bits = np.arange(2 * game.size**2).reshape(2, game.size, game.size)
    return bits[::-1].transpose(0, 2, 1).reshape(-1)


# ---- Hex turned by half a turn
# the same goals for both sides.


def cell_symmetries(game: Hex) -> NDArray[np.intp]:
    """The board as it is, and turned; see `games.symmetries`."""
    ways = (way for way in symmetries(game) if not way.exchanges)
    # The bits of the first colour are the cells.
    return np.stack([way.source[: game.size**2] for way in ways])
