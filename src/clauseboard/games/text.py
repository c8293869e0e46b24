"""Boards as text: a sign on every cell, in columns, and around it what is marked there.

Marks can be read without colours. Behind the sign of a cell stand its text, the sign of a clause
(`+B`, `-b`) and its heat, from -9 to +9. A `>` in front says that an arrow leads here, a `>` behind
that one begins here, and round brackets are a ring: `(b)`, `.?`, `.-7`, `b>`, `>.`. Where arrows
lead is told below the board. In colours, heat is the background and takes no room.
"""

from __future__ import annotations

from collections.abc import Mapping

from clauseboard.games.picture import Marks

EMPTY = "."
"""The sign of a cell with nothing on it."""

DIM, BOLD, RED, GREEN, YELLOW, BLUE, CYAN = "2", "1", "31", "32", "33", "34", "36"
"""Colours of letters, as terminals number them."""

_ON_HEAT = "1;97"  # on a dark background all letters are white
_GREENS, _REDS = ("22", "28", "34"), ("52", "88", "124")


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
    """A heat as the code of a background, red or green in three degrees; none for nothing."""
    strength = min(abs(value), 1.0)
    if strength == 0:
        return ""
    degrees = _REDS if value < 0 else _GREENS
    return f"48;5;{degrees[min(int(3 * strength), 2)]}"
