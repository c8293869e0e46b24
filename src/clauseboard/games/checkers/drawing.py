"""Checkers boards for people: as text, and as pictures with marks."""

from __future__ import annotations

from typing import Any

from clauseboard.games.checkers.board import CELLS, SQUARES, column, row
from clauseboard.games.checkers.rules import CheckersPosition
from clauseboard.games.picture import NEEDED, Marks, Svg, heat_colour

SIZE = 40
"""The side of a cell."""

LIGHT, DARK = "#f3e9d2", "#a9825a"
FILLS = {"black": ("#2b2b2b", "#000", "#e8c872"), "white": ("#fafafa", "#555", "#9c7a1f")}
"""Each side's pieces, their rim, and the ring that makes a king."""

CORNERS = {
    "black man": (-0.24, -0.24),
    "black king": (0.24, -0.24),
    "white man": (-0.24, 0.24),
    "white king": (0.24, 0.24),
}
"""Where in a square each kind of piece is crossed out, if several are."""

LETTERS = {"black man": "b", "black king": "B", "white man": "w", "white king": "W"}


def text_board(position: CheckersPosition) -> str:
    """The board as text: b and w are men, B and W kings, with the numbers of the squares beside."""
    lines = []
    for line in range(8):
        cells = []
        for place in range(8):
            square = CELLS.get((line, place))
            piece = position.piece_on(square) if square else None
            cells.append("." if square and not piece else LETTERS[piece] if piece else " ")
        numbers = [square for square in SQUARES if row(square) == line]
        lines.append(f"{' '.join(cells)}   {numbers[0]:2}-{numbers[-1]}")
    return "\n".join([*lines, f"{position.to_move} to move"])


def centre(square: int) -> tuple[float, float]:
    """The middle of a square in the picture."""
    return (column(square) + 0.5) * SIZE, (row(square) + 0.5) * SIZE


def draw(position: CheckersPosition | None = None, **marks: Any) -> str:
    """A picture (SVG) of a position, or of an empty board; see `games.picture.Marks`.

    The pieces that a clause needs are drawn where they must be, with a green ring; those that it
    forbids are drawn small and crossed out.
    """
    mark = Marks(**marks)
    mark.check(map(str, SQUARES))
    title = "An empty board" if position is None else f"{position.to_move} to move"
    svg = Svg(8 * SIZE, 8 * SIZE, title)
    svg.add("rect", width=8 * SIZE, height=8 * SIZE, fill=LIGHT)
    for square in SQUARES:
        _square(svg, square, mark.heat.get(str(square)))
    if position is not None:
        for square in SQUARES:
            piece = position.piece_on(square)
            if piece:
                _piece(svg, centre(square), piece)
    for bit in mark.needed:
        if bit.cell:
            _piece(svg, centre(int(bit.cell)), bit.piece)
            _ring(svg, int(bit.cell), NEEDED)
    forbidden: dict[str, list[str]] = {}
    for bit in mark.forbidden:
        if bit.cell:
            forbidden.setdefault(bit.cell, []).append(bit.piece)
    for cell, pieces in forbidden.items():
        _forbidden(svg, int(cell), pieces)
    for cell in mark.ringed:
        _ring(svg, int(cell), "#2166ac")
    for start, end in mark.arrows:
        svg.arrow(centre(int(start)), centre(int(end)), 0.1 * SIZE)
    for cell, text in mark.text.items():
        x, y = centre(int(cell))
        piece = position.piece_on(int(cell)) if position is not None else None
        fill = "#fff" if piece and piece.startswith("black") else "#222"
        svg.letters(x, y, text, 0.34 * SIZE, fill)
    return str(svg)


def _square(svg: Svg, square: int, heat: float | None) -> None:
    x, y = column(square) * SIZE, row(square) * SIZE
    svg.add("rect", x=x, y=y, width=SIZE, height=SIZE, fill=DARK)
    if heat is not None:
        colour, opacity = heat_colour(heat)
        svg.add("rect", x=x, y=y, width=SIZE, height=SIZE, fill=colour, fill_opacity=opacity)
    svg.letters(x + 0.16 * SIZE, y + 0.14 * SIZE, str(square), 0.2 * SIZE, "#4a3520")


def _piece(svg: Svg, at: tuple[float, float], piece: str, scale: float = 1.0) -> None:
    (x, y), (fill, rim, crown) = at, FILLS[piece.split()[0]]
    radius = 0.38 * SIZE * scale
    svg.add("circle", cx=x, cy=y, r=radius, fill=fill, stroke=rim, stroke_width=1.0)
    if piece.endswith("king"):
        svg.add(
            "circle",
            cx=x,
            cy=y,
            r=0.55 * radius,
            fill="none",
            stroke=crown,
            stroke_width=0.22 * radius,
        )


def _ring(svg: Svg, square: int, colour: str) -> None:
    x, y = centre(square)
    svg.add(
        "circle", cx=x, cy=y, r=0.43 * SIZE, fill="none", stroke=colour, stroke_width=0.08 * SIZE
    )


def _forbidden(svg: Svg, square: int, pieces: list[str]) -> None:
    """Draw what must not be on a square: one kind of piece in its middle, more in its corners."""
    x, y = centre(square)
    scale = 0.7 if len(pieces) == 1 else 0.5
    for piece in pieces:
        right, down = CORNERS[piece] if len(pieces) > 1 else (0.0, 0.0)
        at = x + right * SIZE, y + down * SIZE
        _piece(svg, at, piece, scale)
        svg.cross(*at, 0.3 * SIZE * scale, 0.1 * SIZE * scale)
