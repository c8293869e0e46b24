"""What can be marked on any board, and the SVG that boards are drawn with.

Cells are named as the game's notation names them: "14", "D5", "a1".
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from clauseboard.game import Bit

NEEDED, FORBIDDEN = "#1f5fae", "#b04e00"
"""The colours of what a clause asks for, and of what it does not allow."""


Point = tuple[float, float]

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True)
class Marks:
    """What to draw besides the position.

    `text` puts a few letters into cells, `arrows` lead from cell to cell, `heat` colours cells by
    a number from -1 (orange) through 0 (nothing) to 1 (blue), `ringed` cells get a ring.
    `needed` and `forbidden` are the bits of a clause: pieces that must be there, and pieces that
    must not.
    """

    text: Mapping[str, str] = field(default_factory=dict)
    arrows: Sequence[tuple[str, str]] = ()
    heat: Mapping[str, float] = field(default_factory=dict)
    ringed: Sequence[str] = ()
    needed: Sequence[Bit] = ()
    forbidden: Sequence[Bit] = ()

    def check(self, cells: Iterable[str]) -> None:
        """Refuse a mark on a cell that the board does not have, and what no picture can show."""
        known = set(cells)
        used = [*self.text, *self.heat, *self.ringed, *(c for pair in self.arrows for c in pair)]
        used += [bit.cell for bit in (*self.needed, *self.forbidden) if bit.cell is not None]
        for cell in used:
            if cell not in known:
                raise ValueError(f"There is no cell {cell!r} on this board to mark.")
        for cell, value in self.heat.items():
            if math.isnan(value):
                raise ValueError(
                    f"The heat of {cell} is {value!r}; it must be a number from -1 to 1."
                )
        for cell, text in self.text.items():
            if _NOT_IN_XML.search(text):
                raise ValueError(
                    f"The text on {cell} is {text!r}; control characters cannot be drawn."
                )


def clause_signs(
    needed: Iterable[Bit], forbidden: Iterable[Bit], letters: Mapping[str, str]
) -> dict[str, str]:
    """The sign of each cell that a clause speaks of; `letters` has one for each of two pieces.

    `+B` is a piece that must be there, `-b` one that must not, `-#` that neither may. `+B` stands
    for "and not the other" as well, which is the same, and `!` for what no board has.
    """
    wanted: dict[str, set[str]] = defaultdict(set)
    refused: dict[str, set[str]] = defaultdict(set)
    for bits, cells in ((needed, wanted), (forbidden, refused)):
        for bit in bits:
            if bit.cell is None or bit.piece not in letters:
                raise ValueError(
                    f"{bit.name!r} is not a bit of this board: its piece is one of "
                    f"{', '.join(map(repr, letters))}, not {bit.piece!r}, on a cell."
                )
            cells[bit.cell].add(letters[bit.piece])
    return {cell: _sign(wanted[cell], refused[cell]) for cell in [*wanted, *refused]}


def _sign(wanted: set[str], refused: set[str]) -> str:
    if len(wanted) > 1 or wanted & refused:
        return "!"
    if wanted:
        return f"+{min(wanted)}"
    return "-#" if len(refused) > 1 else f"-{min(refused).lower()}"


class Svg:
    """A picture that is made shape by shape; `str` gives the file."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self.shapes: list[str] = []

    def add(self, kind: str, text: str | None = None, /, **attributes: object) -> None:
        """Add a shape; underscores in attributes become hyphens."""
        written = "".join(
            f' {name.rstrip("_").replace("_", "-")}="{escape(_short(value))}"'
            for name, value in attributes.items()
        )
        body = "/>" if text is None else f">{escape(text)}</{kind}>"
        self.shapes.append(f"<{kind}{written}{body}")

    def line(self, start: Point, end: Point, **look: object) -> None:
        """Draw a line from one point to another."""
        self.add("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], **look)

    def box(self, centre: Point, width: float, height: float, **look: object) -> None:
        """Draw a rectangle around a point."""
        x, y = centre[0] - width / 2, centre[1] - height / 2
        self.add("rect", x=x, y=y, width=width, height=height, **look)

    def letters(self, x: float, y: float, text: str, size: float, fill: str = "#222") -> None:
        """Write a text centred at a point."""
        look = {"dominant_baseline": "central", "font_family": "sans-serif"}
        self.add("text", text, x=x, y=y, font_size=size, fill=fill, text_anchor="middle", **look)

    def gloss(self, x: float, y: float, radius: float) -> None:
        """Light from above on a round piece: a darker rim and a bright spot."""
        rim = {"fill": "none", "stroke": "#000", "stroke_opacity": 0.14}
        self.add("circle", cx=x, cy=y, r=0.9 * radius, stroke_width=0.18 * radius, **rim)
        spot = {"fill": "#fff", "fill_opacity": 0.3}
        left, top = x - 0.3 * radius, y - 0.42 * radius
        self.add("ellipse", cx=left, cy=top, rx=0.4 * radius, ry=0.22 * radius, **spot)

    def arrow(self, start: Point, end: Point, width: float) -> None:
        """Draw an arrow from one point to another."""
        (x1, y1), (x2, y2) = start, end
        length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1e-9)
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        head = 3 * width
        bx, by = x2 - head * dx, y2 - head * dy
        self.line(start, (bx, by), stroke="#2166ac", stroke_width=width, stroke_opacity=0.85)
        left = (bx - head * dy / 2, by + head * dx / 2)
        right = (bx + head * dy / 2, by - head * dx / 2)
        points = " ".join(f"{_short(x)},{_short(y)}" for x, y in ((x2, y2), left, right))
        self.add("polygon", points=points, fill="#2166ac", fill_opacity=0.85)

    def cross(self, x: float, y: float, radius: float, width: float) -> None:
        """Cross something out: it must not be here."""
        look = {"stroke": FORBIDDEN, "stroke_width": width, "stroke_linecap": "round"}
        for rise in (radius, -radius):
            self.line((x - radius, y - rise), (x + radius, y + rise), **look)

    def __str__(self) -> str:
        size = f"{_short(self.width)} {_short(self.height)}"
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" role="img">',
                f"<title>{escape(self.title)}</title>",
                *self.shapes,
                "</svg>",
                "",
            ]
        )


def heat_colour(value: float) -> tuple[str, float]:
    """The colour and the opacity for a number from -1 to 1."""
    clipped = min(max(value, -1.0), 1.0)
    return (NEEDED if clipped > 0 else FORBIDDEN), 0.75 * abs(clipped)


def _short(value: object) -> str:
    """Numbers with no more digits than a picture needs."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


# ---- text
# Boards as text: a sign on every cell, in columns, and around it what is marked there.
#
# Marks can be read without colours. Behind the sign of a cell stand its text, the sign of a clause
# (`+B`, `-b`) and its heat, from -9 to +9. A `>` in front says that an arrow leads here, a `>`
# behind that one begins here, and round brackets are a ring: `(b)`, `.?`, `.-7`, `b>`, `>.`. Where
# arrows lead is told below the board. In colours, heat is the background and takes no room.

EMPTY = "."
"""The sign of a cell with nothing on it."""

DIM, BOLD, RED, GREEN, YELLOW, BLUE, CYAN = "2", "1", "31", "32", "33", "34", "36"
"""Colours of letters, as terminals number them."""

_ON_HEAT = "1;97"  # on a dark background all letters are white
_BLUES, _ORANGES = ("18", "25", "32"), ("94", "130", "166")


class TextBoard:
    """The cells of a board as texts of one width, in which the signs stand in one place.

    `signs` has the sign of each cell; a cell that it leaves out is empty. `clause` has the signs of
    a clause, and `inks` the colours of the letters of signs. Without marks, cells are their signs.

    >>> board = TextBoard({"a1": "R"}, Marks(heat={"b1": -0.5}, ringed=["a1"]))
    >>> board.cell("a1"), board.cell("b1"), board.cell("c1"), board.label("c"), board.width
    ('(R) ', ' .-4', ' .  ', ' c  ', 4)
    """

    def __init__(
        self,
        signs: Mapping[str, str],
        marks: Marks,
        clause: Mapping[str, str] | None = None,
        inks: Mapping[str, str] | None = None,
        *,
        colour: bool = False,
    ) -> None:
        for cell, text in marks.text.items():
            if not (text.isascii() and text.isprintable()):
                raise ValueError(
                    f"The text on {cell} is {text!r}; a board of text takes letters, digits and "
                    "signs of ASCII only."
                )
        self._signs, self._marks, self._colour = signs, marks, colour
        self._clause, self._inks = clause or {}, inks or {}
        self._starts = {start for start, _ in marks.arrows}
        self._ends = {end for _, end in marks.arrows}
        marked = {
            *marks.text,
            *marks.heat,
            *marks.ringed,
            *self._clause,
            *self._starts,
            *self._ends,
        }
        self._before = max((self._room(self._in_front(cell)) for cell in marked), default=0)
        self._after = max((self._room(self._behind(cell)) for cell in marked), default=0)

    @property
    def width(self) -> int:
        """How wide a cell is."""
        return self._before + 1 + self._after

    def cell(self, cell: str) -> str:
        """What stands on a cell."""
        front, behind = self._in_front(cell), self._behind(cell)
        sign = self._signs.get(cell, EMPTY)
        ink = self._inks.get(sign, DIM if sign == EMPTY else "")
        parts = "".join(self._painted(cell, *part) for part in (*front, (sign, ink), *behind))
        left, right = self._before - self._room(front), self._after - self._room(behind)
        return " " * left + parts + " " * right

    def label(self, text: str) -> str:
        """A letter of the margin, in the place where cells have their signs."""
        return f"{'':{self._before}}{text}{'':{self._after}}"

    def legend(self) -> list[str]:
        """The line below the board that says where arrows lead, if there are any."""
        arrows = ", ".join(f"{start}->{end}" for start, end in self._marks.arrows)
        return [f"arrows: {arrows}"] if arrows else []

    def _in_front(self, cell: str) -> list[tuple[str, str]]:
        """What stands in front of the sign, each with the colour of its letters."""
        ring = [("(", BOLD)] if cell in self._marks.ringed else []
        return ring + ([(">", BLUE)] if cell in self._ends else [])

    def _behind(self, cell: str) -> list[tuple[str, str]]:
        """What stands behind the sign."""
        asked, value = self._clause.get(cell, ""), self._marks.heat.get(cell)
        parts = [(self._marks.text.get(cell, ""), BOLD)]
        parts.append((asked, GREEN if asked.startswith("+") else RED))
        if value is not None and not self._colour:
            parts.append((heat_digit(value), ""))
        parts.append((">" if cell in self._starts else "", BLUE))
        parts.append((")" if cell in self._marks.ringed else "", BOLD))
        return [(text, ink) for text, ink in parts if text]

    def _room(self, parts: list[tuple[str, str]]) -> int:
        return sum(len(text) for text, _ in parts)

    def _painted(self, cell: str, text: str, ink: str) -> str:
        if not self._colour:
            return text
        ground = heat_background(self._marks.heat.get(cell, 0.0))
        codes = f"{_ON_HEAT};{ground}" if ground else ink
        return f"\x1b[{codes}m{text}\x1b[0m" if codes else text


def heat_digit(value: float) -> str:
    """A heat from -1 to 1 as a sign and a digit.

    >>> [heat_digit(value) for value in (-1.0, -0.3, 0.0, 0.5, 2.0)]
    ['-9', '-3', '+0', '+4', '+9']
    """
    return f"{'-' if value < 0 else '+'}{round(9 * min(abs(value), 1.0))}"


def heat_background(value: float) -> str:
    """A heat as the code of a background, orange or blue in three degrees; none for nothing."""
    strength = min(abs(value), 1.0)
    if strength == 0:
        return ""
    degrees = _ORANGES if value < 0 else _BLUES
    return f"48;5;{degrees[min(int(3 * strength), 2)]}"
