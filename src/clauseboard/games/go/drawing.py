"""Go boards as text and as pictures, and clauses with a sign at each point they speak of.

The signs: `+B` a black stone must be here, `-b` none may be here, `+W` and `-w` the same for white,
`-#` no stone at all may be here. `+B` stands for "black and not white" as well, which is the same.
`!` is a point that asks for what no board has, so that the clause never fires. For bits in the view
of the side to move the letters are O (its own) and X (its opponent's).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from clauseboard.game import Bit
from clauseboard.games.drawing import (
    CYAN,
    FORBIDDEN,
    NEEDED,
    YELLOW,
    Marks,
    Point,
    Svg,
    TextBoard,
    clause_signs,
    heat_colour,
)
from clauseboard.games.go.board import LETTERS, names, numbers, star_points
from clauseboard.games.go.rules import Go, GoPosition

LETTER = {"black stone": "B", "white stone": "W", "own stone": "O", "opposing stone": "X"}
"""The letter that stands for a piece in a clause."""

INKS = {"b": YELLOW, "w": CYAN}
"""The colours of stones in a terminal, whose background may be black or white."""

UNIT = 40.0
"""From one line of a picture to the next."""

FILLS = ("#111", "#fafafa")
"""Black stones, white stones."""


def text_board(
    game: Go, position: GoPosition | None = None, *, colour: bool = False, **marks: Any
) -> str:
    """A position as text, with its coordinates and whose turn it is; or an empty board.

    Marks are `games.drawing.Marks`, and `games.drawing` says how they look.

    >>> from clauseboard.game import load_game
    >>> game = load_game("go", size=3)
    >>> position = game.read_position("b../.w./... black")
    >>> print(game.text(position, ringed=["B2"], heat={"C1": 0.8}, arrows=[("A3", "C3")]))
     3  b>   .   >.
     2  .   (w)   .
     1  .    .    .+7
        A    B    C
    black to move
    arrows: A3->C3
    """
    marked = _checked(game, position, marks)
    size, clause = game.size, clause_signs(marked.needed, marked.forbidden, LETTER)
    stones = b"" if position is None else position.board
    signs = {names(size)[point]: "bw"[stone - 1] for point, stone in enumerate(stones) if stone}
    board = TextBoard(signs, marked, clause, INKS, colour=colour)
    cells = [board.cell(cell) for cell in names(size)]
    lines = _grid(cells, [board.label(letter) for letter in LETTERS[:size]])
    if position is not None:
        lines.append(_state(position))
    return "\n".join(lines + board.legend())


def _state(position: GoPosition) -> str:
    """Whose turn it is, or how the game ended."""
    outcome = position.outcome()
    if outcome is not None:
        return str(outcome)
    ko = (
        "" if position.ko is None else f", but not at {names(position.game.size)[position.ko]} (ko)"
    )
    return f"{position.to_move} to move{ko}"


def _grid(cells: Sequence[str], letters: Sequence[str]) -> list[str]:
    """Lines of cells, with the numbers of the lines, and the letters of the columns below."""
    size, lines = len(letters), []
    for y in range(size):
        lines.append(f"{size - y:>2} {' '.join(cells[y * size : (y + 1) * size])}".rstrip())
    return [*lines, f"   {' '.join(letters)}".rstrip()]


def clause_text(game: Go, needed: Iterable[Bit], forbidden: Iterable[Bit]) -> str:
    """A clause as a board of signs.

    >>> from clauseboard.game import load_game
    >>> game = load_game("go", size=3)
    >>> black, white = game.bits()[:9], game.bits()[9:]
    >>> print(clause_text(game, needed=[black[0]], forbidden=[black[4], white[4], white[8]]))
     3 +B  .  .
     2  . -#  .
     1  .  . -w
        A  B  C
    """
    signs = clause_signs(needed, forbidden, LETTER)
    for cell in signs:
        if cell not in numbers(game.size):
            raise ValueError(f"There is no cell {cell!r} on a {game.size}x{game.size} board.")
    cells = [f"{signs.get(cell, '.'):>2}" for cell in names(game.size)]
    return "\n".join(_grid(cells, [f"{letter:>2}" for letter in LETTERS[: game.size]]))


def _checked(game: Go, position: GoPosition | None, marks: dict[str, Any]) -> Marks:
    """The marks, if they and the position belong on this board."""
    marked = Marks(**marks)
    if position is not None and position.game.size != game.size:
        raise ValueError(f"The board has size {position.game.size}, not {game.size}.")
    marked.check(names(game.size))
    return marked


def draw(game: Go, position: GoPosition | None = None, **marks: Any) -> str:
    """A picture (SVG) of a position, or of an empty board; see `games.drawing.Marks`."""
    marked = _checked(game, position, marks)
    picture = _board(game.size, "Go" if position is None else f"Go, {position.to_move} to move")
    centre = {cell: centre_of(game.size, point) for cell, point in numbers(game.size).items()}
    for cell, value in marked.heat.items():
        colour, opacity = heat_colour(value)
        picture.box(centre[cell], UNIT, UNIT, fill=colour, fill_opacity=opacity)
    stones = {} if position is None else dict(zip(names(game.size), position.board, strict=True))
    for cell, stone in stones.items():
        if stone:
            draw_stone(picture, centre[cell], FILLS[stone - 1])
    for cell in marked.ringed:
        x, y = centre[cell]
        picture.add(
            "circle", cx=x, cy=y, r=0.3 * UNIT, fill="none", stroke="#2166ac", stroke_width=3
        )
    for cell, sign in clause_signs(marked.needed, marked.forbidden, LETTER).items():
        _badge(picture, centre[cell], sign)
    for cell, text in marked.text.items():
        ink = "#fff" if stones.get(cell) == 1 else "#222"  # to be read on a black stone, too
        picture.letters(*centre[cell], text, 0.4 * UNIT, ink)
    for start, end in marked.arrows:
        picture.arrow(centre[start], centre[end], 0.12 * UNIT)
    return str(picture)


def centre_of(size: int, point: int) -> Point:
    """Where a point lies in the picture."""
    y, x = divmod(point, size)
    return (x + 1) * UNIT, (y + 1) * UNIT


def _board(size: int, title: str) -> Svg:
    """The empty board: wood, lines, star points, and coordinates on all four sides."""
    width = (size + 1) * UNIT
    picture = Svg(width, width, title)
    picture.add("rect", width=width, height=width, fill="#e3b969")
    near, far = centre_of(size, 0), centre_of(size, size * size - 1)
    for i in range(size):
        x, y = centre_of(size, i * size + i)
        for start, end in (((x, near[1]), (x, far[1])), ((near[0], y), (far[0], y))):
            picture.line(start, end, stroke="#4a3510", stroke_width=1)
        for edge in (0.28 * UNIT, width - 0.28 * UNIT):
            picture.letters(edge, y, str(size - i), 0.3 * UNIT)
            picture.letters(x, edge, LETTERS[i], 0.3 * UNIT)
    for row, column in star_points(size):
        x, y = centre_of(size, row * size + column)
        picture.add("circle", cx=x, cy=y, r=0.09 * UNIT, fill="#4a3510")
    return picture


def draw_stone(picture: Svg, centre: Point, fill: str) -> None:
    """Draw a stone."""
    x, y = centre
    picture.add("circle", cx=x, cy=y, r=0.46 * UNIT, fill=fill, stroke="#222", stroke_width=1)


def _badge(picture: Svg, centre: Point, sign: str) -> None:
    """A clause's sign at a point: in the colour of what it asks for, or of what it forbids."""
    colour = NEEDED if sign.startswith("+") else FORBIDDEN
    look = {"fill": "#fff", "fill_opacity": 0.9, "stroke": colour, "stroke_width": 2}
    picture.box(centre, 0.68 * UNIT, 0.52 * UNIT, rx=4, **look)
    picture.letters(*centre, sign, 0.38 * UNIT, colour)
