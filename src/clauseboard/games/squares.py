"""Boards reflected, mirrored and turned: packed rows of square boards, and whole boards of a game.

`games/<game>/encoding.py` says which symmetries keep the goals of both sides (`cell_symmetries`),
and how the second colour sees the board (`mover_source`); see `games.plugins`. Where codes of moves
(`search.compiled_rules`) are cells and what comes after them, such as a pass, moves are turned with
the board.

Packed rows are changed 64 boards at a time. A packed row is the bits of one colour's stones, line
by line, and then those of the other's. On 19 × 19 it is 38 lines of 19 bits, few of which begin
with a word. So the lines are taken out, a line of one colour in the lower half of a word and the
same line of the other in the upper half; the squares of 32 × 32 bits in both halves are changed at
once; and the lines are put back.

Every step is the same for every board. It is done for 64 of them before the next one, the words of
these boards side by side, so that the compiler makes vectors of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clauseboard.game import Game
from clauseboard.games.plugins import ENCODING, SYMMETRIES
from clauseboard.kernels.bits import ONE, ZERO
from clauseboard.kernels.compiler import helper, kernel

BATCH = 64
"""Boards at a time: with fewer the loops are too short, more do not stay in the nearest cache."""

LARGEST = 32
"""The largest board whose lines fit in half a word."""

_2, _4, _8, _16, _32 = (np.uint64(2**n) for n in range(1, 6))
_EVERY_1, _EVERY_2 = np.uint64(0x5555_5555_5555_5555), np.uint64(0x3333_3333_3333_3333)
_EVERY_4, _EVERY_8 = np.uint64(0x0F0F_0F0F_0F0F_0F0F), np.uint64(0x00FF_00FF_00FF_00FF)
_SWAP_1, _SWAP_2 = np.uint64(0x00AA_00AA_00AA_00AA), np.uint64(0x0000_CCCC_0000_CCCC)
_SWAP_4 = np.uint64(0x0000_0000_F0F0_F0F0)
_7, _14, _28 = np.uint64(7), np.uint64(14), np.uint64(28)
_EVERY_16, _LOWER = np.uint64(0x0000_FFFF_0000_FFFF), np.uint64(0x0000_0000_FFFF_FFFF)


@helper
def reflected(square):
    """A word as a square of eight by eight bits, reflected: bit n of byte j is bit j of byte n.

    Bits change places across the diagonal, then blocks of two by two, then blocks of four by four.
    """
    swap = (square ^ (square >> _7)) & _SWAP_1
    square = square ^ swap ^ (swap << _7)
    swap = (square ^ (square >> _14)) & _SWAP_2
    square = square ^ swap ^ (swap << _14)
    swap = (square ^ (square >> _28)) & _SWAP_4
    return square ^ swap ^ (swap << _28)


@helper
def take_lines(words, size: int, colour: int, half: int, lines) -> None:
    """Write a colour's lines into one half of the words in `lines`, which is empty there."""
    up, mask = np.uint64(32 * half), (ONE << np.uint64(size)) - ONE
    for row in range(size):
        first = (colour * size + row) * size
        here = first >> 6
        right, left = np.uint64(first & 63), np.uint64(64 - (first & 63))
        if (first & 63) + size <= 64:
            for i in range(BATCH):
                lines[row, i] |= ((words[here, i] >> right) & mask) << up
        else:
            for i in range(BATCH):
                bits = words[here, i] >> right | words[here + 1, i] << left
                lines[row, i] |= (bits & mask) << up


@helper
def put_lines(lines, size: int, upside_down: bool, words) -> None:
    """Write both colours' lines one after the other into `words`, the last one first if asked."""
    for n in range(2 * size):
        row = n % size
        if upside_down:
            row = size - 1 - row
        down = ZERO if n < size else _32
        first = n * size
        here = first >> 6
        left, right = np.uint64(first & 63), np.uint64(64 - (first & 63))
        if (first & 63) + size <= 64:
            for i in range(BATCH):
                words[here, i] |= ((lines[row, i] >> down) & _LOWER) << left
        else:
            for i in range(BATCH):
                bits = (lines[row, i] >> down) & _LOWER
                words[here, i] |= bits << left
                words[here + 1, i] |= bits >> right


@helper
def reflect(lines, size: int) -> None:
    """Make columns of the lines of both halves: exchange blocks of 16, of 8, 4, 2 and 1.

    Blocks in which there is no line of the board are left alone.
    """
    width, mask = 16, _EVERY_16
    while width != 0:
        shift = np.uint64(width)
        if width < size:
            for block in range(0, size, 2 * width):
                for row in range(block, block + width):
                    for i in range(BATCH):
                        swap = ((lines[row, i] >> shift) ^ lines[row + width, i]) & mask
                        lines[row, i] ^= swap << shift
                        lines[row + width, i] ^= swap
        width >>= 1
        mask ^= mask << np.uint64(width)


@helper
def mirrored(line, size: int):
    """The line of both halves from the right: neighbours change places, then pairs, and so on."""
    line = ((line >> ONE) & _EVERY_1) | ((line & _EVERY_1) << ONE)
    line = ((line >> _2) & _EVERY_2) | ((line & _EVERY_2) << _2)
    line = ((line >> _4) & _EVERY_4) | ((line & _EVERY_4) << _4)
    line = ((line >> _8) & _EVERY_8) | ((line & _EVERY_8) << _8)
    line = ((line >> _16) & _EVERY_16) | ((line & _EVERY_16) << _16)
    return line >> np.uint64(32 - size)


@kernel("void(uint64[:,::1], int64[::1], int64, boolean, boolean, boolean, boolean)")
def show(
    packed, chosen, size: int, exchange: bool, reflected: bool, mirror: bool, upside_down: bool
) -> None:
    """Change the chosen rows in place: first the colours, then what lies where, in this order.

    `exchange` exchanges the colours; `reflected` makes columns of lines, `mirror` exchanges left
    and right, and `upside_down` top and bottom. The last two make half a turn.
    """
    n_words = packed.shape[1]
    words = np.zeros((n_words, BATCH), np.uint64)
    lines = np.empty((LARGEST, BATCH), np.uint64)
    for start in range(0, chosen.size, BATCH):
        boards = min(BATCH, chosen.size - start)
        for i in range(boards):
            for word in range(n_words):
                words[word, i] = packed[chosen[start + i], word]
        lines[:, :] = ZERO
        take_lines(words, size, 0, 1 if exchange else 0, lines)
        take_lines(words, size, 1, 0 if exchange else 1, lines)
        if reflected:
            reflect(lines, size)
        if mirror:
            for row in range(size):
                for i in range(BATCH):
                    lines[row, i] = mirrored(lines[row, i], size)
        words[:, :] = ZERO
        put_lines(lines, size, upside_down, words)
        for i in range(boards):
            for word in range(n_words):
                packed[chosen[start + i], word] = words[word, i]


# ---- the cells around a move (`games/<game>/move_features.py`)


def step_text(row: int, column: int) -> str:
    """How to get to a cell.

    >>> step_text(-1, 2)
    '1 up 2 right'
    """
    up = f"{abs(row)} {'up' if row < 0 else 'down'}" if row else ""
    side = f"{abs(column)} {'left' if column < 0 else 'right'}" if column else ""
    return " ".join(part for part in (up, side) if part)


@helper
def set_bit(features, bit: int) -> None:
    """Set a bit of what is seen around the first move of the first board."""
    features[0, 0, bit >> 3] |= np.uint8(1 << (bit & 7))


# ------------------------------------------------------------------ whole boards


def bit_sources(game: Game) -> NDArray[np.intp]:
    """For each symmetry, the bit of the board that is seen as each bit.

    >>> from clauseboard.game import load_game
    >>> bit_sources(load_game("hex", size=2)).tolist()
    [[0, 1, 2, 3, 4, 5, 6, 7], [3, 2, 1, 0, 7, 6, 5, 4]]
    """
    n_bits = len(game.bits())
    cells = _cells(game)
    if cells is None:
        return np.arange(n_bits)[None]
    planes = np.arange(n_bits).reshape(-1, cells.shape[1])
    return planes[:, cells].transpose(1, 0, 2).reshape(len(cells), -1)


def code_targets(game: Game, n_codes: int) -> NDArray[np.intp]:
    """For each symmetry, the code that each code of a move becomes.

    >>> from clauseboard.game import load_game
    >>> code_targets(load_game("hex", size=2), 5).tolist()
    [[0, 1, 2, 3, 4], [3, 2, 1, 0, 4]]
    """
    cells = _cells(game)
    if cells is None:
        return np.arange(n_codes)[None]
    rest = np.arange(cells.shape[1], n_codes)
    turned = np.argsort(cells, axis=1)
    return np.concatenate([turned, np.tile(rest, (len(cells), 1))], axis=1)


def mover_codes(game: Game, n_codes: int) -> NDArray[np.intp]:
    """The code that each code of the second colour's moves becomes in the view "mover".

    >>> from clauseboard.game import load_game
    >>> mover_codes(load_game("hex", size=2), 5).tolist()
    [0, 2, 1, 3, 4]
    """
    cells = _cells(game)
    if cells is None:
        raise ValueError(f"The moves of {game.name} are not cells; only cells can be turned.")
    n_cells = cells.shape[1]
    seen = np.argsort(mover_source(game)[:n_cells] % n_cells)
    return np.concatenate([seen, np.arange(n_cells, n_codes)])


def _cells(game: Game) -> NDArray[np.intp] | None:
    offered = SYMMETRIES.find(game)
    return None if offered is None else offered.cell_symmetries(game)


def mover_source(game: Game) -> NDArray[np.intp]:
    """For each bit of the view "mover", with the second colour to move, the bit of the board.

    The view shows such a board as if the first colour were to move: the colours are exchanged, and
    the board is turned or reflected where the goals of the game want it.

    >>> from clauseboard.game import load_game
    >>> mover_source(load_game("go", size=2)).tolist()
    [4, 5, 6, 7, 0, 1, 2, 3]
    """
    return ENCODING.of(game).mover_source(game)
