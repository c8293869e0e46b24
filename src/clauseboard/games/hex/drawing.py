"""Hex boards as text and as pictures: a rhombus of hexagons with a1 at the left, on top."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any

from clauseboard.game import Bit
from clauseboard.games import drawing as text
from clauseboard.games.drawing import (
    NEEDED,
    Marks,
    Point,
    Svg,
    TextBoard,
    clause_signs,
    heat_colour,
)
from clauseboard.games.hex.rules import BLUE, RED, Hex, HexPosition, cells_of, winning_chain

SIDE = 20.0
"""The length of a hexagon's side; every other length follows from it."""

STONE = 0.58 * SIDE
LETTER = {RED: "R", BLUE: "B"}
"""The letter that stands for a stone in a clause."""

INKS = {"R": text.RED, "B": text.BLUE}
"""The colours of stones in a terminal."""

FILL = {RED: "#d6322d", BLUE: "#2c5fb8"}

CORNERS = [(SIDE * math.sin(math.pi * n / 3), -SIDE * math.cos(math.pi * n / 3)) for n in range(6)]
"""The corners of a hexagon that stands on its tip, clockwise from the top."""
_WIDTH = 2 * CORNERS[1][0]


def text_board(
    game: Hex, position: HexPosition | None = None, *, colour: bool = False, **marks: Any
) -> str:
    """The board as slanted text, with the side to move or the outcome below; or an empty board.

    Marks are `games.drawing.Marks`, and `games.drawing` says how they look.

    >>> from clauseboard.game import load_game
    >>> game = load_game("hex", size=3)
    >>> position = game.read_position("R../.B./... red")
    >>> print(game.text(position, ringed=["b2"], heat={"c3": 0.8}))
       a     b     c
    1  R     .     .
       2  .    (B)    .
          3  .     .     .+7
    red to move
    """
    what = _checked(game, position, marks)
    cells, clause = cells_of(game.size), clause_signs(what.needed, what.forbidden, LETTER)
    signs = {cell: LETTER[stone] for cell, stone in stones_on(position).items()}
    board = TextBoard(signs, what, clause, INKS, colour=colour)
    letters = [board.label(str(cell)[0]) for cell in cells[: game.size]]
    # A row begins half a cell further right than the one above, so that cells have an even width.
    between = " " if board.width % 2 else "  "
    lines = _rhombus([board.cell(str(cell)) for cell in cells], letters, between)
    if position is not None:
        lines.append(_state(position))
    return "\n".join(lines + board.legend())


def clause_text(game: Hex, needed: Iterable[Bit], forbidden: Iterable[Bit]) -> str:
    """A clause as a board of signs: `+R` a red stone must be here, `-b` no blue one may be.

    `-#` is a cell that must be empty, and `!` one that asks for what no board has.

    >>> from clauseboard.game import load_game
    >>> game = load_game("hex", size=3)
    >>> red, blue = game.bits()[:9], game.bits()[9:]
    >>> print(clause_text(game, needed=[red[0]], forbidden=[red[4], blue[4], blue[8]]))
      a   b   c
    1 +R  .   .
      2 .   -#  .
        3 .   .   -b
    """
    size, cells = game.size, [str(cell) for cell in cells_of(game.size)]
    signs = clause_signs(needed, forbidden, LETTER)
    for cell in signs:
        if cell not in cells:
            raise ValueError(f"There is no cell {cell!r} on a board of size {size}.")
    written = [f"{signs.get(cell, '.'):3}" for cell in cells]
    return "\n".join(_rhombus(written, [f"{cell[0]:3}" for cell in cells[:size]], " "))


def _rhombus(cells: Sequence[str], letters: Sequence[str], between: str) -> list[str]:
    """Lines of cells, each half a cell further right, with letters above and numbers beside."""
    size, margin = len(letters), len(str(len(letters)))
    half = (len(letters[0]) + len(between)) // 2
    lines = [f"{'':{margin + 1}}{between.join(letters)}"]
    for row in range(size):
        written = between.join(cells[row * size : (row + 1) * size])
        lines.append(f"{'':{half * row}}{row + 1:{margin}} {written}")
    return [line.rstrip() for line in lines]


def _checked(game: Hex, position: HexPosition | None, marks: dict[str, Any]) -> Marks:
    """The marks, if they and the position belong on this board."""
    what = Marks(**marks)
    if position is not None and position.game.size != game.size:
        raise ValueError(f"The board has size {position.game.size}, not {game.size}.")
    what.check(map(str, cells_of(game.size)))
    clause_signs(what.needed, what.forbidden, LETTER)  # refuses bits of other games
    return what


def stones_on(position: HexPosition | None) -> dict[str, str]:
    """The colour of the stone on each cell that has one."""
    stones = {} if position is None else {RED: position.red, BLUE: position.blue}
    cells = () if position is None else cells_of(position.game.size)
    return {
        str(cell): colour
        for colour, bits in stones.items()
        for number, cell in enumerate(cells)
        if bits >> number & 1
    }


def draw(game: Hex, position: HexPosition | None = None, **marks: Any) -> str:
    """A picture of a position, or of an empty board, with marks (see `games.drawing.Marks`).

    A clause is drawn with its needed stones as stones with a green ring, and those that must not
    be there as stones crossed out; several for one cell stand side by side. At the end of a game a
    white line runs through the winning chain.
    """
    what = _checked(game, position, marks)
    size, stones = game.size, stones_on(position)
    centres = {str(cell): centre_of(cell.row, cell.column) for cell in cells_of(size)}
    right, bottom = centres[str(cells_of(size)[-1])]
    svg = Svg(right + 2.4 * SIDE, bottom + 2.4 * SIDE, _title(position, size))
    _draw_sides(svg, size, centres)
    for cell, (x, y) in centres.items():
        _draw_hexagon(svg, x, y, fill="#f3efe6", stroke="#9a9488", stroke_width=1)
        if cell in what.heat:
            colour, opacity = heat_colour(what.heat[cell])
            _draw_hexagon(svg, x, y, fill=colour, fill_opacity=opacity)
    _draw_labels(svg, size)
    for cell, colour in stones.items():
        draw_stone(svg, *centres[cell], STONE, colour)
    for cell, point in centres.items():
        needed = [bit for bit in what.needed if bit.cell == cell]
        forbidden = [bit for bit in what.forbidden if bit.cell == cell]
        _draw_clause(svg, point, needed, forbidden)
    chain = [] if position is None else [centres[str(cell)] for cell in winning_chain(position)]
    for one, next_one in itertools.pairwise(chain):
        svg.line(one, next_one, stroke="#fff", stroke_width=0.2 * SIDE, stroke_linecap="round")
    for cell in what.ringed:
        x, y = centres[cell]
        svg.add("circle", cx=x, cy=y, r=0.72 * SIDE, fill="none", stroke="#222", stroke_width=2)
    for start, end in what.arrows:
        svg.arrow(centres[start], centres[end], 0.15 * SIDE)
    for cell, letters in what.text.items():
        svg.letters(*centres[cell], letters, 0.6 * SIDE, "#fff" if cell in stones else "#222")
    return str(svg)


def centre_of(row: int, column: int) -> Point:
    """The middle of a cell: each row begins half a cell further right than the one above."""
    return 2.4 * SIDE + _WIDTH * (column + row / 2), 2.4 * SIDE + 1.5 * SIDE * row


def _title(position: HexPosition | None, size: int) -> str:
    return f"Hex, size {size}" + ("" if position is None else f", {_state(position)}")


def _state(position: HexPosition) -> str:
    """Whose turn it is, or how the game ended."""
    outcome = position.outcome()
    return f"{position.to_move} to move" if outcome is None else str(outcome)


def _draw_hexagon(svg: Svg, x: float, y: float, **look: Any) -> None:
    points = " ".join(f"{x + dx:.2f},{y + dy:.2f}" for dx, dy in CORNERS)
    svg.add("polygon", points=points, **look)


def _draw_sides(svg: Svg, size: int, centres: dict[str, Point]) -> None:
    """Draw the sides of the board in their owners' colours, before the cells, which cover half.

    In the two blunt corners red's side and blue's meet in the middle of a hexagon's side.
    """
    last = size - 1
    for cell in cells_of(size):
        edges = []  # the side of the hexagon, clockwise from the upper right; its owner
        if cell.row == 0:
            edges += [(5, RED), (0, RED)]
        if cell.row == last:
            edges += [(2, RED), (3, RED)]
        if cell.column == 0:
            edges += [(4, BLUE), (3, BLUE)]
        if cell.column == last:
            edges += [(1, BLUE), (0, BLUE)]
        x, y = centres[str(cell)]
        for edge, owner in edges:
            (x1, y1), (x2, y2) = CORNERS[edge], CORNERS[(edge + 1) % 6]
            if (edge, RED) in edges and (edge, BLUE) in edges:
                middle = (x1 + x2) / 2, (y1 + y2) / 2
                # Clockwise, red's half comes first in both corners.
                if owner == RED:
                    x2, y2 = middle
                else:
                    x1, y1 = middle
            look = {"stroke": FILL[owner], "stroke_width": 0.45 * SIDE, "stroke_linecap": "round"}
            svg.line((x + x1, y + y1), (x + x2, y + y2), **look)


def _draw_labels(svg: Svg, size: int) -> None:
    """Write the letters above and below the board, and the numbers to its left and right."""
    for n in range(size):
        for row, side in ((0, -1), (size - 1, 1)):
            x, y = centre_of(row, n)
            letter = chr(ord("a") + n)
            svg.letters(x + side * 0.25 * _WIDTH, y + side * 1.65 * SIDE, letter, 0.6 * SIDE)
            x, y = centre_of(n, row)
            svg.letters(x + side * 0.95 * _WIDTH, y, str(n + 1), 0.6 * SIDE)


def draw_stone(svg: Svg, x: float, y: float, radius: float, colour: str, **look: Any) -> None:
    """Draw a stone."""
    svg.add("circle", cx=x, cy=y, r=radius, fill=FILL[colour], **look)


def _draw_clause(svg: Svg, point: Point, needed: list[Bit], forbidden: list[Bit]) -> None:
    """Draw what a clause says of one cell, side by side if it is more than one thing."""
    said = [(bit, True) for bit in needed] + [(bit, False) for bit in forbidden]
    radius = STONE if len(said) == 1 else 0.78 * SIDE / max(len(said), 1)
    apart = 2.05 * radius
    for n, (bit, must) in enumerate(said):
        x, y = point[0] + apart * (n - (len(said) - 1) / 2), point[1]
        if must:
            draw_stone(svg, x, y, radius, bit.piece, stroke=NEEDED, stroke_width=0.14 * SIDE)
        else:
            draw_stone(svg, x, y, radius, bit.piece, fill_opacity=0.45)
            svg.cross(x, y, 0.75 * radius, 0.14 * SIDE)
