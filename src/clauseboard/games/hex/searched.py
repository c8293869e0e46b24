r"""Boards that a search found and a solver labelled, as files of lines.

Each line has, with tabs between them: the number of the board that was searched, the score, who
wins by the score, who wins in truth, and the position.

>>> line = Line(3, 0.95, "red", "blue", Hex(2).read_position("R./B. red"))
>>> write_line(line)
'3\t0.95\tred\tblue\tR./B. red\n'
>>> read_line(Hex(2), write_line(line)) == line
True
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from clauseboard.game import NotationError, UnreadableError
from clauseboard.games.hex.rules import Hex, HexPosition

ENDING = ".boards"


@dataclass(frozen=True)
class Line:
    """A board that was found: from which one, with what score, and who wins it."""

    root: int
    score: float
    predicted: str
    winner: str
    position: HexPosition


def write_line(line: Line) -> str:
    """A line that `read_line` takes back."""
    position = line.position.game.write_position(line.position)
    return f"{line.root}\t{line.score!r}\t{line.predicted}\t{line.winner}\t{position}\n"


def read_line(game: Hex, text: str) -> Line:
    """What a line says; an error begins with the kind of fault and a colon."""
    words = text.rstrip("\r\n").split("\t")
    try:
        root, score, predicted, winner, written = words
        number, value = int(root), float(score)
        if number < 0 or not math.isfinite(value) or not {predicted, winner} <= set(game.colours):
            raise ValueError
    except ValueError:
        raise UnreadableError(
            f"{text.strip()[:80]!r} is not a number, a score, two colours and a "
            "position, with tabs between them.",
            fault="no board",
        ) from None
    try:
        position = game.read_position(written)
    except NotationError as error:
        raise UnreadableError(f"{error}", fault="no board") from None
    return Line(number, value, predicted, winner, position)
