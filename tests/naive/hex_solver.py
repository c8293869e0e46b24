"""Hex solved by trying everything: every move in every position down to the full board.

Stones are a string with a letter for each cell, and what wins is found by the twin of the rules.
"""

import functools

import numpy as np

from naive import hex as naive


@functools.cache
def mover_wins(cells, size, mover):
    """Whether the side to move, "R" or "B", can win."""
    return any(move_wins(cells, size, mover, at) for at, cell in enumerate(cells) if cell == ".")


def move_wins(cells, size, mover, at):
    after = cells[:at] + mover + cells[at + 1 :]
    if has_won(after, size, mover):
        return True
    return not mover_wins(after, size, "B" if mover == "R" else "R")


@functools.cache
def has_won(cells, size, letter):
    stones = {(at // size, at % size) for at, cell in enumerate(cells) if cell == letter}
    if len(stones) < size:
        return False
    axis = 0 if letter == "R" else 1
    starts = [cell for cell in stones if cell[axis] == 0]
    return naive.has_chain(stones, starts, {c for c in stones if c[axis] == size - 1}, size)


def winning_moves(cells, size, mover):
    """The numbers of the cells that win."""
    return [
        at for at, cell in enumerate(cells) if cell == "." and move_wins(cells, size, mover, at)
    ]


@functools.cache
def stones_needed(cells, size, mover, winner):
    """How many more stones the winner needs if the other side holds out; 99 if it does not win."""
    if has_won(cells, size, winner):
        return 0
    other = "B" if mover == "R" else "R"
    after = [
        stones_needed(cells[:at] + mover + cells[at + 1 :], size, other, winner)
        for at, cell in enumerate(cells)
        if cell == "."
    ]
    if mover == winner:
        return min([1 + n for n in after] + [99])
    return max(after, default=99)


def fewest_stones(cells, size, mover):
    """How many more stones the winner needs, and the numbers of the best cells for the mover."""
    other = "B" if mover == "R" else "R"
    winner = mover if mover_wins(cells, size, mover) else other
    needed = {
        at: stones_needed(cells[:at] + mover + cells[at + 1 :], size, other, winner)
        for at, cell in enumerate(cells)
        if cell == "."
    }
    best = (min if winner == mover else max)(needed.values())
    return best + (winner == mover), [at for at, n in needed.items() if n == best]


def all_boards(n_cells, chains, fewest=0):
    """All positions that games come to and that are not over, from many stones to the fewest.

    For each number of stones: red's and blue's stones, who moves (0 is red), and all cells that
    win. `chains` says for each set of cells whether it wins for red, and whether for blue.
    """
    sets = np.arange(2**n_cells)
    sizes = sum(sets >> cell & 1 for cell in range(n_cells))
    code = sum((sets >> cell & 1) * 3**cell for cell in range(n_cells))
    winner = np.full(3**n_cells, -1, np.int8)
    for stones in range(n_cells, fewest - 1, -1):
        reds, blues = sets[sizes == (stones + 1) // 2], sets[sizes == stones // 2]
        pairs = [blues[blues & red == 0] for red in reds]
        red, blue = np.repeat(reds, [len(pair) for pair in pairs]), np.concatenate(pairs)
        board, to_move = code[red] + 2 * code[blue], stones % 2
        for number, ended in enumerate((chains[0][red], chains[1][blue])):
            winner[board[ended]] = number
        going_on = ~(chains[0][red] | chains[1][blue])
        red, blue, board = red[going_on], blue[going_on], board[going_on]
        wins = np.zeros(len(board), np.int64)
        for cell in range(n_cells):
            free = (red | blue) >> cell & 1 == 0
            after = board[free] + 3**cell * (to_move + 1)
            wins[free] |= (winner[after] == to_move).astype(np.int64) << cell
        winner[board] = np.where(wins != 0, to_move, 1 - to_move)
        if len(board):
            yield red, blue, to_move, wins
