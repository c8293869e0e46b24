"""One game with everything printed, kept in `playthrough.txt`.

A change of behaviour shows as a difference of that text. If it is meant, run this file with
Python to write the text anew.
"""

from pathlib import Path

import numpy as np

from clauseboard.game import load_game
from clauseboard.games.hex import encoding
from clauseboard.games.hex import encoding as boards
from clauseboard.games.hex.records import read_moves, write_moves, write_sgf

TEXT = Path(__file__).with_name("playthrough.txt")
MOVES = "a2 swap b3 c2 b2 d1 c1 a4 b4"


def played():
    """The text of the game."""
    game = load_game("hex", size=4, swap=True)
    lines = [repr(game), f"version {game.version}, {len(game.bits())} bits", ""]
    record = read_moves(game, MOVES)
    for number, position in enumerate(record.positions()):
        row = game.encode([position])[0]
        packed = encoding.pack(game, boards.boards_of(game, [position]))[0]
        wins, stream = boards.play_out(position, 1000, stream=number)
        lines += [
            f"# position {number}",
            str(position),
            repr(position),
            f"to move: {position.to_move}; may swap: {position.may_swap}",
            f"moves: {' '.join(position.write_move(move) for move in position.moves())}",
            f"bits: {', '.join(game.bits()[n].name for n in np.flatnonzero(row))}",
            f"packed: {packed.tobytes().hex()}",
            f"half turned: {game.write_position(position.half_turned())}",
            f"reversed: {game.write_position(position.reversed())}",
            f"played out 1000 times: red wins {wins}; stream {stream:016x}",
            f"outcome: {position.outcome()}",
            "",
        ]
    lines += [f"moves: {write_moves(record)}", f"SGF: {write_sgf(record)}"]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def test_the_game_is_as_it_was():
    assert played() == TEXT.read_text("utf-8")


if __name__ == "__main__":
    TEXT.write_text(played(), "utf-8")
