"""Random games of Go, written as programs write them, and replayed by sgfmill."""

import random

from sgfmill import boards

from clauseboard.games.go import Go
from clauseboard.games.go.rules import PASS

RESULTS = ("B+4", "W+R", "0", "W+4.5", "B+Resign")
LABELS = {"B+4": 0, "B+Resign": 0, "W+R": 1, "W+4.5": 1, "0": 2}


def random_moves(draws, size, n_moves):
    """Points of a legal game, None for a pass; no two passes in a row."""
    position, points = Go(size=size).start(), []
    while len(points) < n_moves:
        moves = [m for m in position.moves() if m != PASS]
        passed = points[-1:] == [None]
        move = draws.choice(moves) if moves and (passed or draws.random() > 0.03) else PASS
        if move == PASS and passed:
            break
        points.append(move.point)
        position = position.play(move)
    return points


def written(points, size, result, komi="7.0"):
    """The text of a game as the thesis shows it."""
    lines = [f"(;GM[1]SZ[{size}]KM[{komi}]RE[{result}]RU[Chinese]"]
    for number, point in enumerate(points):
        place = "" if point is None else chr(97 + point % size) + chr(97 + point // size)
        lines.append(f";{'BW'[number % 2]}[{place}]C[ 0.0{number}, 1]")
    return "\n".join(lines) + ")\n"


def board_after(points, size, n_moves):
    """The bits of the board after some moves, by sgfmill."""
    board = boards.Board(size)
    for number, point in enumerate(points[:n_moves]):
        if point is not None:
            board.play(size - 1 - point // size, point % size, "bw"[number % 2])
    cells = [board.get(size - 1 - p // size, p % size) for p in range(size * size)]
    return [int(c == "b") for c in cells] + [int(c == "w") for c in cells]


def some_games(n, size=5, seed=1):
    """Random games: points and result of each."""
    draws = random.Random(seed)
    return [
        (random_moves(draws, size, draws.randint(8, 40)), draws.choice(RESULTS)) for _ in range(n)
    ]
