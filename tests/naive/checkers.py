"""Checkers the slow way: a dictionary of cells, moves found by walking, rules applied by the book.

A board is `{(row, column): "b" | "B" | "w" | "W"}`: small letters are men, capitals kings; row 0 is
the top, where black starts. It shares nothing with the package.
"""

from collections import Counter
from itertools import combinations, product


def square_to_cell(square):
    """Count through the dark cells, row by row, until the square is reached."""
    dark = [(r, c) for r in range(8) for c in range(8) if (r + c) % 2 == 1]
    return dark[square - 1]


CELL = {square: square_to_cell(square) for square in range(1, 33)}
SQUARE = {cell: square for square, cell in CELL.items()}


def start():
    board = {CELL[square]: "b" for square in range(1, 13)}
    board.update({CELL[square]: "w" for square in range(21, 33)})
    return board


def colour(piece):
    return {"b": "black", "w": "white"}[piece.lower()]


def directions(piece):
    down, up = [(1, -1), (1, 1)], [(-1, -1), (-1, 1)]
    return {"b": down, "w": up, "B": down + up, "W": down + up}[piece]


def jump_paths(board, cell, piece, taken=()):
    """Every whole chain of jumps from a cell, as lists of (cell jumped over, cell landed on)."""
    chains = []
    for dr, dc in directions(piece):
        over = (cell[0] + dr, cell[1] + dc)
        to = (cell[0] + 2 * dr, cell[1] + 2 * dc)
        if to not in SQUARE or to in board or over not in board or over in taken:
            continue
        if colour(board[over]) == colour(piece):
            continue
        if (piece == "b" and to[0] == 7) or (piece == "w" and to[0] == 0):
            chains.append([(over, to)])
            continue
        further = jump_paths(board, to, piece, (*taken, over))
        chains += [[(over, to), *rest] for rest in further] or [[(over, to)]]
    return chains


def all_moves(board, side):
    """Every legal way to move, as (path of squares, squares taken); rings both ways round."""
    jumps, steps = [], []
    for cell, piece in board.items():
        if colour(piece) != side:
            continue
        lifted = {c: p for c, p in board.items() if c != cell}
        for chain in jump_paths(lifted, cell, piece):
            path = (SQUARE[cell], *(SQUARE[to] for _, to in chain))
            jumps.append((path, frozenset(SQUARE[over] for over, _ in chain)))
        for dr, dc in directions(piece):
            to = (cell[0] + dr, cell[1] + dc)
            if to in SQUARE and to not in board:
                steps.append(((SQUARE[cell], SQUARE[to]), frozenset()))
    return jumps or steps


def moves(board, side):
    """The legal moves; of those with the same ends that take the same men, the first path."""
    best = {}
    for path, taken in all_moves(board, side):
        key = (path[0], path[-1], taken)
        best[key] = min(best.get(key, path), path)
    return sorted((path, tuple(sorted(key[2]))) for key, path in best.items())


def play(board, move):
    path, taken = move
    after = dict(board)
    piece = after.pop(CELL[path[0]])
    for square in taken:
        del after[CELL[square]]
    end = CELL[path[-1]]
    if (piece == "b" and end[0] == 7) or (piece == "w" and end[0] == 0):
        piece = piece.upper()
    after[end] = piece
    return after


def other(side):
    return "white" if side == "black" else "black"


def perft(board, side, depth, each_path=False):
    if depth == 0:
        return 1
    legal = all_moves(board, side) if each_path else moves(board, side)
    return sum(perft(play(board, move), other(side), depth - 1, each_path) for move in legal)


class Referee:
    """Writes down the whole game and looks through all of it to say whether it is over."""

    def __init__(self, blocked="loss", quiet_moves=40, repetitions=3, max_moves=None):
        self.blocked, self.quiet_moves = blocked, quiet_moves
        self.repetitions, self.max_moves = repetitions, max_moves
        self.boards, self.sides, self.progress = [start()], ["black"], []

    @property
    def board(self):
        return self.boards[-1]

    @property
    def side(self):
        return self.sides[-1]

    def play(self, move):
        piece = self.board[CELL[move[0][0]]]
        self.progress.append(bool(move[1]) or piece in "bw")
        self.boards.append(play(self.board, move))
        self.sides.append(other(self.side))

    def result(self):
        """The winner, or "draw", or None while the game goes on."""
        counts = Counter(colour(piece) for piece in self.board.values())
        if not counts[self.side]:
            return other(self.side)
        if not moves(self.board, self.side):
            return other(self.side) if self.blocked == "loss" else "draw"
        now = (self.board, self.side)
        times = sum(now == then for then in zip(self.boards, self.sides, strict=True))
        if self.repetitions is not None and times >= self.repetitions:
            return "draw"
        if self.quiet_moves is not None:
            latest = self.progress[-2 * self.quiet_moves :]
            if len(latest) == 2 * self.quiet_moves and not any(latest):
                return "draw"
        if self.max_moves is not None and len(self.progress) >= self.max_moves:
            return "draw"
        return None


def all_endings(pieces):
    """Every board of 2 to so many pieces, some on each side, no man on its last row."""
    for n in range(2, pieces + 1):
        for cells in combinations(SQUARE, n):
            for kinds in product("bBwW", repeat=n):
                board = dict(zip(cells, kinds, strict=True))
                crowned = any((p, c[0]) in (("b", 7), ("w", 0)) for c, p in board.items())
                if not crowned and len({colour(p) for p in kinds}) == 2:
                    yield board


def endings(pieces):
    """How all those boards end with best play, solved forwards, a move longer each round.

    By (board as a frozenset of its items, side to move): 1, 0 or -1, and the number of moves.
    """
    keys = {}
    after = {}
    for board in all_endings(pieces):
        for side in ("black", "white"):
            key = (frozenset(board.items()), side)
            reached = [play(board, move) for move in moves(board, side)]
            found = [(frozenset(b.items()), other(side)) for b in reached]
            after[keys.setdefault(key, key)] = [keys.setdefault(k, k) for k in found]
    # Where the side to move has nothing left, it has lost.
    known = {key: (-1, 0) for key in keys if key not in after}
    waiting = list(after)
    length = 0
    new = {}
    while new or length == 0:
        new = {}
        for key in waiting:
            results = [known.get(k) for k in after[key]]
            if (-1, length - 1) in results:
                new[key] = (1, length)
            elif all(result is not None and result[0] == 1 for result in results):
                new[key] = (-1, length)
        known |= new
        waiting = [key for key in waiting if key not in new]
        length += 1
    return {key: known.get(key, (0, None)) for key in after}
