"""One game with everything printed: a change of behaviour is a readable difference.

To write the file anew after a change that is meant, run this file with Python.
"""

import random
from pathlib import Path

import numpy as np

from clauseboard.game import load_game
from clauseboard.games.checkers import encoding
from clauseboard.games.checkers.notation import write_digits

FILE = Path(__file__).parent / "playthrough.txt"


def playthrough():
    game = load_game("checkers")
    lines = [repr(game), f"version {game.version}", f"colours {game.colours}", ""]
    rng = random.Random(64)
    position, before = game.start(), None
    for number in range(400):
        moves = position.moves()
        boards = encoding.board_words([position])
        lines += [
            f"# after {number} moves",
            str(position),
            f"position: {game.write_position(position)}",
            f"quiet: {position.quiet}, repeatable boards: {len(position.history)}",
            f"bits: {np.flatnonzero(game.encode([position])[0]).tolist()}",
            f"seven numbers: {encoding.measures(boards)[0].tolist()}",
            "digits:",
            write_digits(position, before),
            f"moves: {' '.join(position.write_move(move) for move in moves)}",
            f"outcome: {position.outcome()}",
        ]
        if not moves:
            break
        move = rng.choice(moves)
        lines += [f"plays {position.write_move(move)}: {move}", ""]
        before, position = position, position.play(move)
    return "\n".join(lines) + "\n"


def test_the_game_goes_as_it_went():
    assert playthrough() == FILE.read_text("utf-8")


if __name__ == "__main__":
    FILE.write_text(playthrough(), "utf-8")
