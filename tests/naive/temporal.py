"""Features counted piece by piece, temporal differences in plain numbers, a memory in dictionaries.

Boards are those of `naive.checkers`: `{(row, column): "b" | "B" | "w" | "W"}`.
"""

import math
from collections import Counter, defaultdict

from naive.checkers import CELL

CENTRE_ROWS = CENTRE_COLUMNS = (2, 3, 4, 5)


def board_of(position):
    """The board of a position, as a dictionary, square by square."""
    letters = {"black man": "b", "black king": "B", "white man": "w", "white king": "W"}
    found = ((cell, position.piece_on(square)) for square, cell in CELL.items())
    return {cell: letters[piece] for cell, piece in found if piece is not None}


def seen_by(cell, piece):
    """A cell as the owner of a piece sees it, with his own first row as row 0."""
    row, column = cell
    return (row, column) if piece in "bB" else (7 - row, 7 - column)


def counted(board, colour):
    """The features of one side, each by its name."""
    mine = [(seen_by(cell, p), p.isupper()) for cell, p in board.items() if p in colour]
    men = [cell for cell, king in mine if not king]
    kings = [cell for cell, king in mine if king]

    def in_centre(cells):
        return [c for c in cells if c[0] in CENTRE_ROWS and c[1] in CENTRE_COLUMNS]

    return {
        "piece difference": len(mine),
        "kings": len(kings),
        "side": sum(column in (0, 7) for _, column in men + kings),
        "back row": sum(row == 0 for row, _ in men),
        "bridge": men.count((0, 1)) + men.count((0, 5)),
        "centre": len(in_centre(men + kings)),
        "tempo": sum(row for row, _ in men) / 7,
        "near crowning": sum(row in (5, 6) for row, _ in men),
        "kings in the centre": len(in_centre(kings)),
        "double corner": sum(c in ((0, 1), (1, 0), (6, 7), (7, 6)) for c in kings),
    }


def features(board):
    """What black has more of than white, each by its name."""
    black, white = counted(board, "bB"), counted(board, "wW")
    return {name: black[name] - white[name] for name in black}


def number(board):
    """The 32 digits of a board, square 1 first."""
    digits = {None: "0", "b": "1", "B": "2", "w": "3", "W": "4"}
    return "".join(digits[board.get(CELL[square])] for square in range(1, 33))


def prediction(weights, counts, lead):
    """U: the weighted sum, squashed."""
    total = sum(w * c for w, c in zip(weights, counts, strict=True))
    return math.tanh(total / lead)


def numeric_gradient(weights, counts, lead, h=1e-6):
    """How U changes with each weight, by trying."""
    slopes = []
    for k in range(len(weights)):
        up = [w + (h if i == k else 0) for i, w in enumerate(weights)]
        down = [w - (h if i == k else 0) for i, w in enumerate(weights)]
        slopes.append((prediction(up, counts, lead) - prediction(down, counts, lead)) / (2 * h))
    return slopes


class DictionaryMemory:
    """What was seen, in dictionaries."""

    def __init__(self, colours):
        self.colours = colours
        self.seen, self.won = Counter(), {colour: Counter() for colour in colours}
        self.after = defaultdict(set)
        self.games = set()

    def add_game(self, training, n, boards, winner):
        if (training, n) in self.games:
            return False
        self.games.add((training, n))
        for place, key in enumerate(boards):
            self.seen[key] += 1
            if winner is not None:
                self.won[winner][key] += 1
            if place + 1 < len(boards):
                self.after[key].add(boards[place + 1][0])
        return True

    def look_up(self, key):
        return self.seen[key], *(self.won[colour][key] for colour in self.colours)
