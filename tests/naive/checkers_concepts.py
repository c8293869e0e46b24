"""What a side has of each concept of checkers, counted piece by piece.

Boards are those of `naive.checkers`. It shares nothing with the package but the names.
"""

from naive import checkers as slow
from naive.checkers_knowledge import (
    CENTRE,
    CORNER,
    LONG,
    chains,
    kings,
    men,
    own_row,
    pieces,
    steps,
)


def cells(side, *squares):
    """Squares that black has these numbers for, as either side sees them."""
    return {slow.CELL[n if side == "black" else 33 - n] for n in squares}


def neighbours(cell):
    return {(cell[0] + dr, cell[1] + dc) for dr in (1, -1) for dc in (1, -1)}


def threatened(board, side):
    """The pieces that the other side could jump, and whether some jump over each has no answer."""
    found = {}
    for other in pieces(board, slow.other(side)):
        for chain in chains(board, other):
            over, end = chain[0][:2]
            after = {c: p for c, p in board.items() if c not in (other, over)}
            after[end] = board[other]
            answered = any(chains(after, cell) for cell in pieces(after, side))
            found[over] = found.get(over, False) or not answered
    return found


def safe_steps(board, side, cell):
    """The steps of a piece after which the other side has nothing to jump."""
    safe = []
    for to in steps(board, cell):
        after = {c: p for c, p in board.items() if c != cell}
        after[to] = board[cell]
        if not any(chains(after, other) for other in pieces(after, slow.other(side))):
            safe.append(to)
    return safe


def has_move(board, side, turn):
    """The opposition: an odd number of pieces on the mover's columns, in rows as far as its own."""
    mover = side if turn else slow.other(side)
    on_columns = sum(own_row(cell, mover) % 2 == 1 for cell in board)
    return (on_columns % 2 == 1) == turn


def runaways(board, side, turn):
    """The men that crown in four steps or fewer though all pieces of the other side may step at
    once, and through each other; every way of a man is tried."""
    theirs = {cell: board[cell] for cell in pieces(board, slow.other(side))}
    at = [theirs]  # where they can be after so many steps: cells with the piece that may be there
    for _ in range(5):
        new = dict(at[-1])
        for cell, piece in at[-1].items():
            for to in slow_steps(cell, piece):
                if to not in new or piece.isupper():
                    new[to] = piece
        at.append(new)

    def crowns(cell, n):
        if own_row(cell, side) == 8:
            return True
        there = at[n if turn else n + 1]
        return any(
            to not in pieces(board, side) and to not in there
            and (own_row(to, side) == 8 or not jumped(to, there)) and crowns(to, n + 1)
            for to in slow_steps(cell, "b" if side == "black" else "w")
        )  # fmt: skip

    return [c for c in men(board, side) if own_row(c, side) >= 4 and crowns(c, 0)]


def slow_steps(cell, piece):
    """The cells a step away for a piece, whatever stands there."""
    ways = (1, -1) if piece.isupper() else (1,) if piece == "b" else (-1,)
    near = [(cell[0] + dr, cell[1] + dc) for dr in ways for dc in (1, -1)]
    return [to for to in near if to in slow.SQUARE]


def jumped(cell, there):
    """Whether one of some pieces can jump over a cell, with room behind it."""
    return any(
        cell in slow_steps(start, piece)
        and (2 * cell[0] - start[0], 2 * cell[1] - start[1]) in slow.SQUARE
        for start, piece in there.items()
    )


def counts(board, side, turn):
    """The numbers of a side by the names of concepts."""
    ours, our_men, our_kings = pieces(board, side), men(board, side), kings(board, side)
    mine, free, hang = set(ours), runaways(board, side, turn), threatened(board, side)
    behind = {cell: {n for n in neighbours(cell) if own_row(n, side) < own_row(cell, side)}
              for cell in our_men}  # fmt: skip
    left = [cell for cell in ours if (slow.SQUARE[cell] - 1) % 4 < 2]
    if side == "white":
        left = [cell for cell in ours if (32 - slow.SQUARE[cell]) % 4 < 2]
    return {
        "board": len(board),
        "men": len(our_men),
        "kings": len(our_kings),
        "pieces": len(ours),
        "safe moves": sum(len(safe_steps(board, side, cell)) for cell in ours),
        "blocked men": sum(not steps(board, cell) for cell in our_men),
        "back row": sum(own_row(cell, side) == 1 for cell in our_men),
        "bridge": int(cells(side, 1, 3) <= set(our_men)),
        "triangle": int(cells(side, 2, 3, 7) <= set(our_men)),
        "centre": len(mine & CENTRE),
        "edges": sum(cell[1] in (0, 7) for cell in our_men),
        "runaway men": len(free),
        "runaway": max((own_row(cell, side) - 1 for cell in free), default=0),
        "advanced men": sum(own_row(cell, side) in (6, 7) for cell in our_men),
        "trapped kings": sum(not steps(board, cell) for cell in our_kings),
        "centre kings": len(set(our_kings) & CENTRE),
        "corner kings": len(set(our_kings) & (CORNER["black"] | CORNER["white"])),
        "double corner": len(mine & CORNER[side]),
        "long diagonal": len(set(our_kings) & LONG),
        "move": int(has_move(board, side, turn)),
        "hanging": sum(hang.values()),
        "exchange": len(hang) - sum(hang.values()),
        "tempo": sum(own_row(cell, side) - 1 for cell in our_men) if len(board) > 12 else 0,
        "backed men": sum(bool(behind[cell] & mine) for cell in our_men),
        "lone men": sum(not neighbours(cell) & mine for cell in our_men),
        "lopsided": abs(2 * len(left) - len(ours)),
        "dog hole": int(bool(cells(side, 28) & set(our_men))),
        "turn": int(turn),
        "held men": sum(
            bool(steps(board, cell)) and not safe_steps(board, side, cell) for cell in our_men
        ),
    }
