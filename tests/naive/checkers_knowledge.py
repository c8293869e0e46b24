"""Whether a sentence about a board of checkers is true, found by reading it and looking.

Boards are those of `naive.checkers`, and pieces are looked at one by one. It shares nothing with
the package but the sentences.
"""

import functools
import re

from naive import checkers as slow

CENTRE = {(r, c) for r in range(2, 6) for c in range(2, 6)}
LONG = {(r, 7 - r) for r in range(8)}
CORNER = {"black": {slow.CELL[1], slow.CELL[5]}, "white": {slow.CELL[28], slow.CELL[32]}}


def pieces(board, side):
    return [cell for cell, piece in board.items() if slow.colour(piece) == side]


def men(board, side):
    return [cell for cell in pieces(board, side) if board[cell].islower()]


def kings(board, side):
    return [cell for cell in pieces(board, side) if board[cell].isupper()]


def own_row(cell, side):
    """Rows from 1, the side's own first."""
    return cell[0] + 1 if side == "black" else 8 - cell[0]


def steps(board, cell):
    """The cells that a piece can step to."""
    near = [(cell[0] + dr, cell[1] + dc) for dr, dc in slow.directions(board[cell])]
    return [to for to in near if to in slow.SQUARE and to not in board]


def is_safe(board, cell, to):
    """Whether no jump of the other side's begins over a piece that has stepped."""
    after = slow.play(board, ((slow.SQUARE[cell], slow.SQUARE[to]), ()))
    others = pieces(after, slow.other(slow.colour(board[cell])))
    return not any(chain[0][0] == to for other in others for chain in chains(after, other))


def chains(board, cell):
    """The chains of jumps of a piece."""
    lifted = {c: p for c, p in board.items() if c != cell}
    return slow.jump_paths(lifted, cell, board[cell])


def ahead(board, cell):
    """Every cell that a man could come to by steps if the board were empty."""
    reached, edge = set(), {cell}
    while edge:
        edge = {
            (r + dr, c + dc)
            for r, c in edge
            for dr, dc in slow.directions(board[cell])
            if (r + dr, c + dc) in slow.SQUARE
        }
        reached |= edge
    return reached


def free_men(board, side):
    others = set(pieces(board, slow.other(side)))
    return [cell for cell in men(board, side) if not ahead(board, cell) & others]


def among(cells, region):
    return sum(cell in region for cell in cells)


def number(board, side, what):
    """How many of `what` (the many of them, in words) a side has."""
    return _number(tuple(board.items()), side, what)


@functools.lru_cache(200)
def _number(items, side, what):
    board = dict(items)
    own, crowned = pieces(board, side), kings(board, side)
    in_row = re.fullmatch(r"men on its row (\d)", what)
    if in_row:
        return sum(own_row(cell, side) == int(in_row[1]) for cell in men(board, side))
    edges = {cell for cell in slow.SQUARE if {0, 7} & set(cell)}
    return {
        "men": lambda: len(men(board, side)),
        "kings": lambda: len(crowned),
        "pieces": lambda: len(own),
        "steps to make": lambda: sum(len(steps(board, cell)) for cell in own),
        "safe steps": lambda: sum(
            is_safe(board, cell, to) for cell in own for to in steps(board, cell)
        ),
        "men that can step": lambda: sum(bool(steps(board, c)) for c in men(board, side)),
        "kings that can step": lambda: sum(bool(steps(board, c)) for c in crowned),
        "kings shut in": lambda: sum(not steps(board, c) for c in crowned),
        "pieces that can jump": lambda: sum(bool(chains(board, c)) for c in own),
        "rows gone by its men": lambda: sum(own_row(c, side) - 1 for c in men(board, side)),
        "free men": lambda: len(free_men(board, side)),
        "rows gone by its foremost free man": lambda: max(
            (own_row(c, side) - 1 for c in free_men(board, side)), default=0
        ),
        "pieces on the side edges": lambda: sum(c[1] in (0, 7) for c in own),
        "pieces in the centre": lambda: among(own, CENTRE),
        "kings in the centre": lambda: among(crowned, CENTRE),
        "kings in a double corner": lambda: among(crowned, CORNER["black"] | CORNER["white"]),
        "pieces in its own double corner": lambda: among(own, CORNER[side]),
        "kings in the other's double corner": lambda: among(crowned, CORNER[slow.other(side)]),
        "kings on the long diagonal": lambda: among(crowned, LONG),
        "kings on an edge": lambda: among(crowned, edges),
    }[what]()


SINGULAR = (("man", "men"), ("king", "kings"), ("piece", "pieces"), ("step", "steps"))


def many(words):
    """The words for one of a thing, as those for many."""
    first, _, rest = words.partition(" ")
    if first == "free":
        return "free men"
    if first == "safe":
        return "safe steps"
    if first == "row":
        return f"rows {rest}"
    return f"{dict(SINGULAR)[first]} {rest}".strip()


def is_true(board, sentence):
    """Whether it is so on the board."""
    side, _, rest = sentence.partition(" ")
    has = re.fullmatch(r"has (\d+) (.*) or more", rest)
    if has:
        n = int(has[1])
        return number(board, side, many(has[2]) if n == 1 else has[2]) >= n
    if rest.startswith("would have the move"):
        # The columns with a dark cell in the side's own first row.
        first = 0 if side == "black" else 7
        columns = {c for r, c in slow.SQUARE if r == first}
        return sum(c in columns for _, c in board) % 2 == 1
    lead = re.fullmatch(r"is (?:(\d+) or more ahead|at most (\d+) behind|not behind) in (.*)", rest)
    wanted = int(lead[1]) if lead[1] else -int(lead[2] or 0)
    return number(board, side, lead[3]) - number(board, slow.other(side), lead[3]) >= wanted
