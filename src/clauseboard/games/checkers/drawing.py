"""Checkers boards for people: as text, and as pictures with marks; and clauses on a board.

In a clause as text, `+b` says that a black man must be on the square, `-b` that none may be there;
`b` and `w` are men, `B` and `W` kings. `-bB` forbids two kinds of piece, `-#` all four. What `+b`
forbids anyway is left out. `!` is a square that asks for what no board has, so that the clause
never fires.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clauseboard.game import Bit
from clauseboard.games.checkers.rules import CELLS, SQUARES, Checkers, CheckersPosition, column, row
from clauseboard.games.drawing import BOLD, CYAN, NEEDED, YELLOW, Marks, Svg, TextBoard, heat_colour

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


INKS = {"b": YELLOW, "w": CYAN, "B": f"{BOLD};{YELLOW}", "W": f"{BOLD};{CYAN}"}
"""The colours of pieces in a terminal, whose background may be black or white."""


def text_board(
    game: Checkers,
    position: CheckersPosition | None = None,
    *,
    colour: bool = False,
    **marks: Any,
) -> str:
    """The board as text: b and w are men, B and W kings, with the numbers of the squares beside.

    Marks are `games.drawing.Marks`, and `games.drawing` says how they look. What a clause says that
    has no square on the board stands below it.

    >>> from clauseboard.game import load_game
    >>> game = load_game("checkers")
    >>> board = game.text(game.start(), arrows=[("9", "13")], ringed=["9"], heat={"14": -0.4})
    >>> print("\\n".join([*board.splitlines()[2:4], *board.splitlines()[-2:]]))
         (b>)       b         b         b      9-12
    >.         .-4       .         .          13-16
    black to move
    arrows: 9->13
    """
    mark = Marks(**marks)
    mark.check(map(str, SQUARES))
    pieces = {} if position is None else {str(n): position.piece_on(n) for n in SQUARES}
    signs = {cell: LETTERS[piece] for cell, piece in pieces.items() if piece}
    clause = {str(n): sign for n, sign in _signs(mark.needed, mark.forbidden).items()}
    board = TextBoard(signs, mark, clause, INKS, colour=colour)
    lines = _grid({square: board.cell(str(square)) for square in SQUARES}, board.width)
    if position is not None:
        lines.append(f"{position.to_move} to move")
    return "\n".join([*lines, *_elsewhere(mark.needed, mark.forbidden), *board.legend()])


def _grid(cells: dict[int, str], width: int) -> list[str]:
    """Eight lines with what is on the squares, and the numbers of the squares beside."""
    lines = []
    for line in range(8):
        squares = [CELLS.get((line, place)) for place in range(8)]
        written = " ".join(cells[square] if square else " " * width for square in squares)
        numbers = [square for square in squares if square]
        lines.append(f"{written}   {numbers[0]:2}-{numbers[-1]}")
    return lines


def clause_text(needed: Iterable[Bit], forbidden: Iterable[Bit]) -> str:
    """A clause as a board of signs; bits that tell of no square are named below it.

    >>> from clauseboard.games.checkers.encoding import BITS, LEVEL_BITS
    >>> text = clause_text([BITS[0], LEVEL_BITS[2]], [BITS[5], BITS[37], BITS[72]])
    >>> print("\\n".join([*text.splitlines()[:3], text.splitlines()[-1]]))
         +b       .       .       .    1-4
      .     -bB       .       .        5-8
         -w       .       .       .    9-12
    needs own men: 3 or more
    """
    needed, forbidden = tuple(needed), tuple(forbidden)
    signs = _signs(needed, forbidden)
    width = max((len(sign) for sign in signs.values()), default=1)
    cells = {square: f"{signs.get(square, '.'):>{width}}" for square in SQUARES}
    return "\n".join([*_grid(cells, width), *_elsewhere(needed, forbidden)])


def _signs(needed: Iterable[Bit], forbidden: Iterable[Bit]) -> dict[int, str]:
    """The sign of each square that a clause speaks of."""
    wanted, refused = _by_square(needed), _by_square(forbidden)
    return {
        square: _sign(wanted.get(square, []), refused.get(square, []))
        for square in wanted | refused
    }


def _by_square(bits: Iterable[Bit]) -> dict[int, list[str]]:
    """The kinds of piece that bits name, square by square."""
    found: dict[int, list[str]] = {}
    for bit in bits:
        if bit.cell is None:
            continue
        if bit.cell not in map(str, SQUARES):
            raise ValueError(f"{bit.name!r} tells of the square {bit.cell!r}; they are 1 to 32.")
        if bit.piece not in LETTERS:
            raise ValueError(
                f"{bit.name!r} tells of a {bit.piece!r}, which is no piece of checkers; "
                f"they are {', '.join(map(repr, LETTERS))}."
            )
        pieces = found.setdefault(int(bit.cell), [])
        if bit.piece not in pieces:
            pieces.append(bit.piece)
    return found


def _sign(wanted: list[str], refused: list[str]) -> str:
    if len(wanted) > 1 or set(wanted) & set(refused):
        return "!"
    if wanted:
        return f"+{LETTERS[wanted[0]]}"
    if len(refused) == len(LETTERS):
        return "-#"
    return "-" + "".join(letter for piece, letter in LETTERS.items() if piece in refused)


def _elsewhere(needed: Iterable[Bit], forbidden: Iterable[Bit]) -> list[str]:
    """What a clause says that has no square on the board."""
    both = (("needs", needed), ("forbids", forbidden))
    return [f"{says} {bit.name}" for says, bits in both for bit in bits if bit.cell is None]


def centre(square: int) -> tuple[float, float]:
    """The middle of a square in the picture."""
    return (column(square) + 0.5) * SIZE, (row(square) + 0.5) * SIZE


def draw(game: Checkers, position: CheckersPosition | None = None, **marks: Any) -> str:
    """A picture (SVG) of a position, or of an empty board; see `games.drawing.Marks`.

    The pieces that a clause needs are drawn where they must be, with a green ring; those that it
    forbids are drawn small and crossed out. What it says of the board as a whole, or of a light
    cell, is in the title.
    """
    mark = Marks(**marks)
    mark.check(map(str, SQUARES))
    needed, forbidden = _by_square(mark.needed), _by_square(mark.forbidden)
    title = "An empty board" if position is None else f"{position.to_move} to move"
    svg = Svg(8 * SIZE, 8 * SIZE, "; ".join([title, *_elsewhere(mark.needed, mark.forbidden)]))
    svg.add("rect", width=8 * SIZE, height=8 * SIZE, fill=LIGHT)
    for square in SQUARES:
        _square(svg, square, mark.heat.get(str(square)))
    if position is not None:
        for square in SQUARES:
            piece = position.piece_on(square)
            if piece:
                draw_piece(svg, centre(square), piece)
    for square, pieces in needed.items():
        for piece in pieces:
            draw_piece(svg, centre(square), piece)
        _ring(svg, square, NEEDED)
    for square, pieces in forbidden.items():
        _forbidden(svg, square, pieces)
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
    svg.letters(x + 0.12 * SIZE, y + 0.1 * SIZE, str(square), 0.17 * SIZE, "#3a2814")


def draw_piece(svg: Svg, at: tuple[float, float], piece: str, scale: float = 1.0) -> None:
    """Draw a piece; a king has a ring on it."""
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
        draw_piece(svg, at, piece, scale)
        svg.cross(*at, 0.3 * SIZE * scale, 0.1 * SIZE * scale)
