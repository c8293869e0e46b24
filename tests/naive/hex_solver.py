"""Hex solved by trying everything: every move in every position down to the full board.

Stones are a string with a letter for each cell, and what wins is found by the twin of the rules.
"""

import functools

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
