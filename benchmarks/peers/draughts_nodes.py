"""Counts nodes of a tree of American checkers with pydraughts or py-draughts; run by `games.py`.

Both call their package `draughts`, so that each runs in an environment of its own.

    python peers/draughts_nodes.py pydraughts 2.0
"""

import sys
import time


def open_board(name):
    """A board at the start, with push and pop, and a function that lists its moves."""
    import draughts

    if name == "pydraughts":
        board = draughts.Board(variant="english")
        return board, board.legal_moves
    board = draughts.AmericanBoard()
    return board, lambda: list(board.legal_moves)


def nodes_a_second(name, seconds):
    """Walk through the tree, deeper and deeper, for so long."""
    board, moves = open_board(name)
    start, counted = time.perf_counter(), 0

    def walk(depth):
        nonlocal counted
        for move in list(moves()):
            counted += 1
            if depth > 1:
                board.push(move)
                walk(depth - 1)
                board.pop()
                if time.perf_counter() - start > seconds:
                    return

    depth = 1
    while time.perf_counter() - start < seconds:
        walk(depth)
        depth += 1
    return counted / (time.perf_counter() - start)


if __name__ == "__main__":
    print(max(nodes_a_second(sys.argv[1], float(sys.argv[2])) for _ in range(3)))
