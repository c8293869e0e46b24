"""One game with everything printed, compared with a text: a change of behaviour is a diff.

Run this file to write the text anew, and read the diff.
"""

import random
from pathlib import Path

import numpy as np

from clauseboard.game import load_game
from clauseboard.games.go import encoding
from clauseboard.games.go.records import GoRecord, result_text, write_sgf
from clauseboard.games.go.rules import dead_by_playouts, score

TEXT = Path(__file__).with_name("playthrough.txt")


def playthrough():
    """The text of a random game on a small board, with superko."""
    game = load_game("go", size=4, komi=2.5, superko=True)
    rng = random.Random(11)
    position, moves = game.start(), []
    lines = [repr(game), f"version {game.version}, {game.colours}", ""]
    while True:
        board = np.frombuffer(position.board, np.uint8)[None]
        lines += [
            game.write_position(position),
            str(position),
            f"bits {encoding.pack(board)[0].tobytes().hex()}",
            f"score {score(position)}, territory {score(position).territory}",
            f"dead by 100 playouts: {' '.join(dead_by_playouts(position, 100, 5)) or 'none'}",
            f"earlier boards {len(position.earlier)}",
            f"moves {' '.join(map(position.write_move, position.moves())) or 'none'}",
            "",
        ]
        if position.outcome() is not None:
            break
        legal = position.moves()
        moves.append(rng.choice(legal[:-1] if len(legal) > 3 else legal))
        lines.append(f"> {position.write_move(moves[-1])}")
        position = position.play(moves[-1])
    record = GoRecord(game.start(), tuple(moves), result_text(position))
    return "\n".join([*lines, str(position.outcome()), "", write_sgf(record)])


def test_the_game_goes_as_it_did():
    assert playthrough() == TEXT.read_text("utf-8")


if __name__ == "__main__":
    TEXT.write_text(playthrough(), "utf-8")
