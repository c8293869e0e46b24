"""What checkers calls things: men and kings, double corners, back rows; and openings.

Tournaments draw the first three moves from a deck of cards (`selfplay.three_move_deck`). The first
move gives most openings their name, or, after 11-15, the reply; some cards, and older openings
that go on for five moves, have a name of their own. The names are those of the lists of the
American Checker Federation and of the literature.
"""

from __future__ import annotations

import functools

from clauseboard.games.checkers.drawing import LETTERS, SIZE, centre, draw_piece
from clauseboard.games.checkers.encoding import PIECES, mover_source
from clauseboard.games.checkers.rules import (
    BLACK,
    SQUARES,
    WHITE,
    Checkers,
    CheckersMove,
    CheckersPosition,
)
from clauseboard.games.drawing import Svg
from clauseboard.games.vocabulary import Cell, Engine, Picture, Region, Setting, Vocabulary, outline

PLURALS = {"man": "men", "king": "kings"}

REGIONS = (
    Region("double corner", frozenset({"1", "5"}), BLACK),
    Region("double corner", frozenset({"28", "32"}), WHITE),
    Region("back row", frozenset({"1", "2", "3", "4"}), BLACK),
    Region("back row", frozenset({"29", "30", "31", "32"}), WHITE),
    Region("centre", frozenset({"14", "15", "18", "19"})),
)

NEVER = frozenset(
    [f"white man on {n}" for n in range(1, 5)] + [f"black man on {n}" for n in range(29, 33)]
)
"""A man that gets there is a king."""


@functools.cache
def vocabulary(game: Checkers) -> Vocabulary:
    """The words of checkers; its one symmetry turns the board and exchanges the colours."""
    pieces = {piece: _named(*piece.split()) for piece in PIECES}
    turned = Picture("the same for the other side", mover_source(game), exchanges=True)
    return Vocabulary("on", pieces, REGIONS, (turned,), NEVER)


def _named(colour: str, kind: str) -> tuple[str, str, str]:
    return colour, kind, PLURALS[kind]


# ---- Checkers on a page
# men are moved from square to square, and jump on as long as they can.

TITLE = "Checkers"
RECORD = "PDN"
SETTINGS: tuple[Setting, ...] = (
    Setting(
        "blocked",
        "A side that cannot move",
        "choice",
        "loss",
        (("loss", "loses (the official rule)"), ("draw", "draws")),
    ),
)
ENGINES: tuple[Engine, ...] = ()


def cells(game: Checkers) -> list[Cell]:
    """The dark squares; the arrow keys go along a row, and to the same place of the next one."""
    half = SIZE / 2
    corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    found = []
    for square in SQUARES:
        x, y = centre(square)
        beside = [other if 1 <= other <= 32 else None for other in (square - 4, square + 4)]
        up, down = (None if other is None else str(other) for other in beside)
        left = str(square - 1) if square % 4 != 1 else None
        right = str(square + 1) if square % 4 != 0 else None
        found.append(Cell(str(square), x, y, half, outline(x, y, corners), up, down, left, right))
    return found


def pieces(game: Checkers) -> dict[str, str]:
    """Men and kings of both colours."""
    drawn = {}
    for piece in LETTERS:
        svg = Svg(SIZE, SIZE, piece)
        draw_piece(svg, (0.0, 0.0), piece)
        groove = {"fill": "none", "stroke": "#888", "stroke_opacity": 0.45}
        svg.add("circle", cx=0, cy=0, r=0.28 * SIZE, stroke_width=0.02 * SIZE, **groove)
        svg.gloss(0.0, 0.0, 0.38 * SIZE)
        drawn[piece] = "".join(svg.shapes)
    return drawn


def pieces_on(position: CheckersPosition) -> dict[str, str]:
    """The piece on each square that has one."""
    there = {square: position.piece_on(square) for square in SQUARES}
    return {str(square): piece for square, piece in there.items() if piece is not None}


def path(game: Checkers, move: CheckersMove) -> list[str]:
    """The squares that the piece stands on."""
    return [str(square) for square in move.path]


def touched(position: CheckersPosition, move: CheckersMove) -> list[str]:
    """The squares that the piece stood on; those of taken pieces are empty, which is to be seen."""
    return path(position.game, move)


# ---- names of openings

OPENING_NAMES: dict[str, str] = {
    "9-13": "Edinburgh",
    "9-13 22-18 6-9": "Dreaded Edinburgh",
    "9-13 22-18 10-14": "Inferno",
    "9-13 22-18 11-15": "Edinburgh Single",
    "9-13 22-18 11-16": "Wilderness I",
    "9-13 23-18 11-16": "Wilderness II",
    "9-13 24-20 11-16": "Twilight Zone",
    "9-14": "Double Corner",
    "9-14 23-18": "Double Cross",
    "9-14 23-19 10-15": "Rattlesnake",
    "10-14": "Denny",
    "10-14 22-17 9-13": "Black Hole",
    "10-14 22-17 11-16": "Gemini I",
    "10-14 22-18 7-10": "Fraser's Inferno",
    "10-14 22-18 12-16": "White Doctor",
    "10-14 23-19 7-10": "Diabolical Denny",
    "10-15": "Kelso",
    "10-15 21-17 7-10": "Octopus",
    "10-15 21-17 9-13": "Tyne",
    "10-15 22-17 9-14": "Nutcracker",
    "10-15 22-17 15-19": "Skull-Cracker",
    "10-15 23-19 11-16": "Gemini II",
    "11-15 21-17": "Switcher",
    "11-15 22-17 8-11 17-13 4-8 25-22": "Douglas",
    "11-15 22-17 8-11 17-13 15-18": "Maid of the Mill",
    "11-15 22-17 9-13 17-14": "Boston",
    "11-15 22-17 15-19": "Dyke",
    "11-15 22-18": "Single Corner",
    "11-15 23-18": "Cross",
    "11-15 23-18 8-11 27-23 11-16": "Slip Cross",
    "11-15 23-19 8-11 22-17 3-8": "Alma",
    "11-15 23-19 8-11 22-17 4-8": "Old Fourteenth",
    "11-15 23-19 8-11 22-17 9-13": "Laird and Lady",
    "11-15 23-19 8-11 22-17 11-16": "Glasgow",
    "11-15 23-19 8-11 22-17 15-18": "Centre",
    "11-15 23-19 8-11 26-23": "Nailor",
    "11-15 23-19 9-13": "Will o' the Wisp",
    "11-15 23-19 9-14 22-17 5-9": "Fife",
    "11-15 23-19 9-14 22-17 6-9": "Souter",
    "11-15 23-19 9-14 27-23": "Defiance",
    "11-15 24-19": "Second Double Corner",
    "11-15 24-20": "Ayrshire Lassie",
    "11-16": "Bristol",
    "11-16 21-17 7-11": "Octopus",
    "11-16 21-17 10-14": "Shark",
    "11-16 22-18 10-15": "Cheetah",
    "11-16 23-18": "Bristol Cross",
    "11-16 23-19 16x23": "Black Widow",
    "11-16 24-19": "Paisley",
    "12-16": "Dundee",
    "12-16 24-20 10-15": "Skunk",
}
"""Names by the moves, as they are written in records."""
