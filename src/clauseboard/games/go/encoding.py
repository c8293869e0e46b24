"""Go boards as bits: black's stones, then white's, each line by line from the top.

Bit p tells of a black stone at point p, bit size² + p of a white one: 162 bits on 9×9. In the view
"mover" the first half are the stones of the side to move, and the second half its opponent's.

Batches are arrays of boards, `uint8`, boards × points, 0 empty, 1 black, 2 white: what
`GoPosition.board` holds, and what the kernels read from a state.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Bit
from clauseboard.games import squares
from clauseboard.games.go import kernels
from clauseboard.games.go.board import LARGEST, names, symmetries
from clauseboard.games.go.rules import Go, GoPosition

VIEWS = {"board": ("black", "white"), "mover": ("own", "opposing")}
"""For each view what the stones of the first and of the second half of the bits are called."""

_STEPS = (
    (False, False, False),
    (True, False, True),
    (False, True, True),
    (True, True, False),
    (True, False, False),
    (False, False, True),
    (True, True, True),
    (False, True, False),
)
"""The steps of `squares.show` (reflect, mirror, upside down) for each way of `board.symmetries`."""


@functools.cache
def bits(game: Go, view: str = "board") -> tuple[Bit, ...]:
    """The bits of a board in their order.

    >>> bits(Go())[0].name, bits(Go())[-1].name, bits(Go(), "mover")[81].name
    ('black stone at A9', 'white stone at J1', 'opposing stone at A9')
    """
    _check_view(view)
    return tuple(
        Bit(f"{whose} stone at {cell}", cell, f"{whose} stone")
        for whose in VIEWS[view]
        for cell in names(game.size)
    )


def _check_view(view: str) -> None:
    if view not in VIEWS:
        raise ValueError(f"view is 'board' or 'mover', not {view!r}.")


def encode(game: Go, positions: Iterable[GoPosition], view: str = "board") -> NDArray[np.uint8]:
    """Positions as 0 and 1, positions × bits."""
    _check_view(view)
    listed, size = list(positions), game.size
    for position in listed:
        if position.game.size != size:
            raise ValueError(
                f"A board of size {position.game.size} is among boards of size {size}."
            )
    boards = np.array([list(position.board) for position in listed], np.uint8)
    boards = boards.reshape(len(listed), size * size)
    first = np.ones((len(listed), 1), np.uint8)
    if view == "mover":
        first[:, 0] = [position.colour for position in listed]
    return np.hstack([boards == first, boards == 3 - first]).astype(np.uint8)


def decode(game: Go, row: NDArray[np.uint8], to_move: str) -> GoPosition:
    """The position that a row of bits shows, in the view "board".

    The rules need not allow it: learners ask about boards that no game reaches.
    """
    points = game.size**2
    row = np.asarray(row)
    if row.shape != (2 * points,) or not np.isin(row, (0, 1)).all():
        raise ValueError(f"A row is {2 * points} bits, 0 or 1, for {game!r}; not {row!r}.")
    if to_move not in game.colours:
        raise ValueError(f"to_move is 'black' or 'white', not {to_move!r}.")
    black, white = row[:points], row[points:]
    both = np.flatnonzero((black != 0) & (white != 0))
    if both.size:
        raise ValueError(
            f"{names(game.size)[both[0]]} cannot have a black and a white stone at once."
        )
    return game.position((black + 2 * white).astype(np.uint8).tobytes(), to_move)


def pack(
    boards: NDArray[np.uint8],
    *,
    swapped: Sequence[bool] | NDArray[np.bool_] | None = None,
    symmetry: int = 0,
) -> NDArray[np.uint8]:
    """Many boards straight into packed rows: `np.packbits(rows, axis=1, bitorder="little")`.

    Boards for which `swapped` holds get their colours exchanged: swapping those with white to move
    gives the view "mover", swapping all of them the other colour's game. `symmetry`, 0 to 7, turns
    and mirrors them as `board.symmetries` says.

    >>> boards = np.array([[1, 0, 0, 2]], np.uint8)
    >>> np.unpackbits(pack(boards), bitorder="little")
    array([1, 0, 0, 0, 0, 0, 0, 1], dtype=uint8)
    """
    size = checked_size(boards)
    if not 0 <= symmetry < 8:
        raise ValueError(f"symmetry is 0 to 7, not {symmetry!r}.")
    swap = np.zeros(len(boards), np.bool_) if swapped is None else np.array(swapped, np.bool_)
    if swap.shape != (len(boards),):
        raise ValueError(f"swapped has to say yes or no for each of the {len(boards)} boards.")
    bits = 2 * size * size
    rows = np.empty((len(boards), (bits + 63) // 64), "<u8")
    # Kernels take arrays that may be written to, which a board read from a file may not.
    kernels.pack_boards(np.require(boards, requirements=["C", "W"]), swap, rows)
    if symmetry:
        squares.show(rows, np.arange(len(rows)), size, False, *_STEPS[symmetry])
    return np.ascontiguousarray(rows.view(np.uint8)[:, : (bits + 7) // 8])


def checked_size(boards: NDArray[np.uint8]) -> int:
    """The size of the boards in an array of boards × points."""
    size = round(boards.shape[1] ** 0.5) if boards.ndim == 2 else 0
    if not 2 <= size <= LARGEST or size * size != boards.shape[1] or boards.dtype != np.uint8:
        raise ValueError(
            "boards have to be an array of uint8, one row for each square board "
            f"of 2x2 to {LARGEST}x{LARGEST}, not "
            f"{boards.dtype} of shape {boards.shape}."
        )
    if boards.size and boards.max() > 2:
        raise ValueError(f"boards hold 0 (empty), 1 (black) and 2 (white), not {boards.max()}.")
    return size


def planes(rows: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    """Rows of bits as boards × lines × columns × 2, as learners with windows want them."""
    rows = np.asarray(rows)
    if rows.ndim != 2 or rows.shape[1] != 2 * size * size:
        raise ValueError(f"Rows of {2 * size * size} bits are needed, not shape {rows.shape}.")
    return np.ascontiguousarray(rows.reshape(-1, 2, size, size).transpose(0, 2, 3, 1))


# ---- Go as white sees it
# the same points, the colours exchanged.


def mover_source(game: Go) -> NDArray[np.intp]:
    """The bit of the board that white sees as each bit; see `games.squares`."""
    return np.arange(2 * game.size**2).reshape(2, -1)[::-1].reshape(-1)


# ---- the eight ways in which a board of Go can lie


def cell_symmetries(game: Go) -> NDArray[np.intp]:
    """The board as it is, turned, and reflected; see `games.squares`."""
    return symmetries(game.size)
