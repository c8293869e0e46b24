"""Hex from its rule book: stones in a dictionary, neighbours by distance, chains by visiting.

The slow twin of `clauseboard.games.hex`. It knows the board as points in the plane: the middle
of the cell in row r and column c lies at (c + r / 2, r * sqrt(3) / 2), and cells are neighbours
if the middles are as far apart as a hexagon is wide, which is 1.
"""

import functools
import math

RED, BLUE = "red", "blue"


def middle(cell):
    row, column = cell
    return column + row / 2, row * math.sqrt(3) / 2


@functools.cache
def neighbours(size):
    """For each cell (row, column) the list of those that touch it."""
    cells = [(row, column) for row in range(size) for column in range(size)]
    return {
        cell: [
            other
            for other in cells
            if other != cell and math.dist(middle(cell), middle(other)) < 1.01
        ]
        for cell in cells
    }


def has_chain(cells, starts, goals, size):
    """Can one walk over these cells from a start to a goal?"""
    waiting = [cell for cell in starts if cell in cells]
    seen = set(waiting)
    while waiting:
        cell = waiting.pop()
        if cell in goals:
            return True
        for other in neighbours(size)[cell]:
            if other in cells and other not in seen:
                seen.add(other)
                waiting.append(other)
    return False


def winner_of(stones, size):
    """The colour that has connected its sides; both would be a contradiction."""
    found = []
    first, last = 0, size - 1
    for colour, axis in ((RED, 0), (BLUE, 1)):
        cells = {cell for cell, owner in stones.items() if owner == colour}
        starts = [cell for cell in neighbours(size) if cell[axis] == first]
        goals = {cell for cell in neighbours(size) if cell[axis] == last}
        if has_chain(cells, starts, goals, size):
            found.append(colour)
    assert len(found) < 2, f"both have connected: {stones}"
    return found[0] if found else None


def name_of(cell):
    row, column = cell
    return "abcdefghijklmnopqrs"[column] + str(row + 1)


class HexGame:
    """A game that is being played; moves are names of cells, or "swap"."""

    def __init__(self, size, swap=False):
        self.size, self.swap = size, swap
        self.stones = {}
        self.played = []
        self.winner = None

    @property
    def to_move(self):
        return (RED, BLUE)[len(self.played) % 2]

    def moves(self):
        if self.winner:
            return set()
        empty = {name_of(cell) for cell in neighbours(self.size) if cell not in self.stones}
        return empty | {"swap"} if self.swap and len(self.played) == 1 else empty

    def play(self, move):
        assert move in self.moves()
        if move == "swap":
            ((row, column),) = self.stones
            self.stones = {(column, row): BLUE}
        else:
            (cell,) = (cell for cell in neighbours(self.size) if name_of(cell) == move)
            self.stones[cell] = self.to_move
        self.played.append(move)
        self.winner = winner_of(self.stones, self.size)

    def text(self):
        """The position as one line."""
        letters = {None: ".", RED: "R", BLUE: "B"}
        cells = range(self.size)
        rows = ["".join(letters[self.stones.get((r, c))] for c in cells) for r in cells]
        return "/".join(rows) + " " + self.to_move
