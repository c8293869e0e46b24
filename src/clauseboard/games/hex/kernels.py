"""Hex in 64-bit words: who has won, games played out at random, and moves one by one.

The *stones* of a position are words `stones[side, word]`, side 0 for red and 1 for blue; bit b
of word w is cell 64 * w + b, and cells are numbered row by row (`row * size + column`), as in
`rules.py`. Kernels trust their arguments; `encoding.py` checks them.

Who has won is found by a walk along the *seam* of red. Think of a row of red cells above the
board and below it, and of a column of blue ones to the left and to the right; an empty cell
counts as blue. From the top left corner on, there is always a red cell and a blue one side by
side, and a third one ahead of both. If that is red it replaces the red one, else the blue one.
So the walk has all the red it passes joined to the top, all the blue joined to the left, and it
ends at the bottom if red has connected, and at the right if not. It takes no memory and looks
only at cells along the seam. For blue, exchange the colours: what is not blue is red.

A search that plays moves one by one can keep `links` instead, a union-find over the cells and
the four sides, in which a stone is joined to its neighbours when it is played (`place`). It is
an array of a few hundred bytes, so that a move is taken back by keeping a copy.

Random numbers come from a counter that is passed in and handed back (`kernels.bits.mixed`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.kernels.bits import (
    ALL,
    ONE,
    SIX_BITS,
    STREAM_STEP,
    ZERO,
    count_ones,
    mixed,
)
from clauseboard.kernels.compiler import helper, kernel

RED, BLUE, NOBODY = 0, 1, -1

TOP, BOTTOM, LEFT, RIGHT, N_SIDES = 0, 1, 2, 3, 4
"""Where the sides of the board stand in `links`, counted from the number of cells."""

_32 = np.uint64(32)

# The six neighbours of a cell, clockwise from the one above.
_ROW_STEPS = np.array([-1, -1, 0, 1, 1, 0], np.int64)
_COLUMN_STEPS = np.array([0, 1, 1, 0, -1, -1], np.int64)


@helper
def has_stone(stones, side: int, cell: int) -> bool:
    """Whether a side has a stone on a cell."""
    return (stones[side, cell >> 6] >> (np.uint64(cell) & SIX_BITS)) & ONE != ZERO


@helper
def add_stone(stones, side: int, cell: int) -> None:
    """Put a stone on a cell."""
    stones[side, cell >> 6] |= ONE << (np.uint64(cell) & SIX_BITS)


@helper
def board_word(size: int, word: int):
    """The bits of a word that are cells of the board."""
    rest = size * size - 64 * word
    return ALL if rest >= 64 else (ONE << np.uint64(rest)) - ONE


# ---- who has won


@helper
def row_bits(stones, side: int, size: int, row: int):
    """The cells of a row that have a stone, the leftmost as the lowest bit."""
    first = row * size
    word, shift = first >> 6, first & 63
    bits = stones[side, word] >> np.uint64(shift)
    if shift + size > 64:
        bits |= stones[side, word + 1] << np.uint64(64 - shift)
    return bits & ((ONE << np.uint64(size)) - ONE)


@helper
def frame(stones, side: int, size: int, rows) -> None:
    """Write what is red as rows with the sides of the board around them.

    `rows[row + 1]` has a row with its cells one place to the left, the blue columns as zeros at
    both ends. For side blue, all that is not blue is red.
    """
    inside = ((ONE << np.uint64(size)) - ONE) << ONE
    turn = inside if side == BLUE else ZERO
    rows[0] = ALL
    for row in range(size):
        rows[row + 1] = (row_bits(stones, side, size, row) << ONE) ^ turn
    rows[size + 1] = ALL


@helper
def seam_ends_below(rows, size: int) -> bool:
    """Walk along the seam of red from the top left; whether it ends at the bottom."""
    row, column = 0, 1
    blue_is = 4  # the direction from the red cell to the blue one beside it: below to the left
    while True:
        ahead = blue_is - 1 if blue_is > 0 else 5
        next_row, next_column = row + _ROW_STEPS[ahead], column + _COLUMN_STEPS[ahead]
        if (rows[next_row] >> np.uint64(next_column)) & ONE != ZERO:
            row, column = next_row, next_column
            if row == size + 1:
                return True
            blue_is = blue_is + 1 if blue_is < 5 else 0
        else:
            if next_column == size + 1:
                return False
            blue_is = ahead


@helper
def has_connected(stones, side: int, size: int, rows) -> bool:
    """Whether a side has connected its sides of the board; `rows` is room for size + 2 words."""
    frame(stones, side, size, rows)
    return seam_ends_below(rows, size) == (side == RED)


@helper
def winner_of(stones, size: int, rows) -> int:
    """The side that has connected, or NOBODY."""
    if has_connected(stones, RED, size, rows):
        return RED
    return BLUE if has_connected(stones, BLUE, size, rows) else NOBODY


@kernel("void(uint64[:,:,::1], int64, int8[::1])")
def winners(boards, size: int, result) -> None:
    """Write the winner of each board."""
    rows = np.empty(size + 2, np.uint64)
    for i in range(boards.shape[0]):
        result[i] = winner_of(boards[i], size, rows)


# ---- games played out at random


@helper
def below(bound: int, stream) -> tuple[Any, Any]:
    """A random number from 0 to bound - 1 (bound under 2**16), and the stream.

    32 random bits are scaled; that a number is more likely than another by at most bound / 2**32
    is less than any count of games could show.
    """
    stream += STREAM_STEP
    return np.int64(((mixed(stream) >> _32) * np.uint64(bound)) >> _32), stream


@helper
def fill(stones, to_move: int, size: int, full, stream):
    """Share out the empty cells at random, half each; return the stream.

    `full[0]` is given red's stones and `full[1]` blue's. The side to move gets the odd cell. Each
    way to share them is as likely as any other: every cell is given away by the toss of a coin,
    and then cells drawn from the side that has too many go over to the other.
    """
    n_words = stones.shape[1]
    n_cells = size * size
    empty, red_share = 0, 0
    for word in range(n_words):
        free = ~(stones[RED, word] | stones[BLUE, word]) & board_word(size, word)
        stream += STREAM_STEP
        tossed = free & mixed(stream)
        empty += count_ones(free)
        red_share += count_ones(tossed)
        full[RED, word] = stones[RED, word] | tossed
        full[BLUE, word] = stones[BLUE, word] | (free ^ tossed)
    goal = (empty + 1) // 2 if to_move == RED else empty // 2
    rich, poor, surplus = RED, BLUE, red_share - goal
    if surplus < 0:
        rich, poor, surplus = BLUE, RED, -surplus
    while surplus > 0:
        cell, stream = below(n_cells, stream)
        if has_stone(full, rich, cell) and not has_stone(stones, rich, cell):
            bit = ONE << (np.uint64(cell) & SIX_BITS)
            full[rich, cell >> 6] ^= bit
            full[poor, cell >> 6] ^= bit
            surplus -= 1
    return stream


@helper
def play_out(stones, to_move: int, size: int, full, rows, stream) -> tuple[int, Any]:
    """The winner of a game played on at random to the end, and the stream.

    A side that has connected stays connected, so that it is enough to look at the full board.
    `full` is room for another board, `rows` for size + 2 words.
    """
    stream = fill(stones, to_move, size, full, stream)
    return (RED if has_connected(full, RED, size, rows) else BLUE), stream


@kernel("Tuple((int64, uint64))(uint64[:,::1], int64, int64, int64, uint64)")
def playouts(stones, to_move: int, size: int, games: int, stream) -> tuple[int, Any]:
    """Play a position out many times; return how often red won, and the stream."""
    full = np.empty_like(stones)
    rows = np.empty(size + 2, np.uint64)
    red_wins = 0
    for _ in range(games):
        winner, stream = play_out(stones, to_move, size, full, rows, stream)
        red_wins += winner == RED
    return red_wins, stream


# ---- moves one by one


@helper
def start_links(links) -> None:
    """Every cell and every side of the board is a chain of its own."""
    for node in range(links.size):
        links[node] = node


@helper
def chain_of(links, node: int) -> int:
    """The node that stands for the chain of a node; the way there is halved as it is walked."""
    while links[node] != node:
        links[node] = links[links[node]]
        node = links[node]
    return node


@helper
def join(links, node: int, other: int) -> None:
    """Make one chain of two."""
    links[chain_of(links, node)] = chain_of(links, other)


@helper
def place(stones, links, size: int, side: int, cell: int) -> bool:
    """Play a stone on an empty cell; whether it connects its sides of the board."""
    add_stone(stones, side, cell)
    n_cells = size * size
    row, column = cell // size, cell % size
    for direction in range(6):
        next_row, next_column = row + _ROW_STEPS[direction], column + _COLUMN_STEPS[direction]
        if 0 <= next_row < size and 0 <= next_column < size:
            neighbour = next_row * size + next_column
            if has_stone(stones, side, neighbour):
                join(links, neighbour, cell)
    along, first, last = (row, TOP, BOTTOM) if side == RED else (column, LEFT, RIGHT)
    if along == 0:
        join(links, cell, n_cells + first)
    if along == size - 1:
        join(links, cell, n_cells + last)
    return chain_of(links, n_cells + first) == chain_of(links, n_cells + last)


@kernel("uint64(int64, uint64, int16[:,::1], int16[::1], uint64[:,:,::1])")
def random_games(size: int, stream, cells, lengths, boards):
    """Play random games move by move, each until a side connects; return the stream.

    `cells[game, : lengths[game]]` is given its moves, followed by the cells left empty, and
    `boards[game]` its last position. The side of the last move has won.
    """
    n_cells = size * size
    links = np.empty(n_cells + N_SIDES, np.int16)
    for game in range(cells.shape[0]):
        order, stones = cells[game], boards[game]
        for n in range(n_cells):
            order[n] = n
        stones[:] = ZERO
        start_links(links)
        for n in range(n_cells):
            chosen, stream = below(n_cells - n, stream)
            order[n], order[n + chosen] = order[n + chosen], order[n]
            if place(stones, links, size, n % 2, order[n]):
                lengths[game] = n + 1
                break
    return stream


# ---- bits


@kernel("void(uint64[:,:,::1], int64, uint64[:,::1])")
def pack_boards(boards, size: int, packed) -> None:
    """Write boards as packed bits: all of red's cells and then all of blue's, lowest bit first."""
    n_words = boards.shape[2]
    whole, shift = (size * size) >> 6, np.uint64((size * size) & 63)
    for i in range(boards.shape[0]):
        stones, bits = boards[i], packed[i]
        for word in range(bits.size):
            bits[word] = stones[RED, word] if word < n_words else ZERO
        for word in range(n_words):
            blue = stones[BLUE, word]
            bits[whole + word] |= blue << shift
            if whole + word + 1 < bits.size:
                # Shifting by 64 is not defined, so that it is done in two steps.
                bits[whole + word + 1] |= (blue >> ONE) >> (SIX_BITS - shift)
