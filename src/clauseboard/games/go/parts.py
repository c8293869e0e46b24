"""Stones and points that are told together, and their names in sentences.

>>> from clauseboard.game import load_game
>>> position = load_game("go", size=5).read_position("bb.b./...../...../...../..... white")
>>> whose(position, (0, 1, 3))
"Black's three stones at A5 and D5"
>>> place_name(tuple(range(10)), 5), at_place(place_name((0, 1, 2, 5, 6, 7), 5))
('the upper half', 'in the upper left')
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

from clauseboard.games.concepts import listed, number_word
from clauseboard.games.go.board import names, neighbours
from clauseboard.games.go.rules import Chain, GoPosition

WHOLE, MOST, LARGE = 0.8, 0.5, 0.3
"""More than these shares of the points are the whole board, most of it, and half of it if they lie
on one side."""

SMALL = 5
"""An area of so many points is named by one of them, and not by a part of the board."""

MIDDLE = 0.34
"""How far from the middle, as a share of the way to the edge, is still the middle."""

IN_A_HALF, IN_THE_CENTRE = 0.75, 0.5
"""Such shares of an area must lie in a half of the board, or off its two outer lines."""

CENTRE = "the centre"
NO_PLACES = ("the whole board", "most of the board", "a large part of the board")
"""Names of areas that name no part of the board."""

MOST_CHAINS = 4
"""So many chains are all named."""


def groups(
    position: GoPosition, kind_of: Callable[[Chain], Hashable]
) -> list[tuple[tuple[int, ...], Hashable]]:
    """The stones of chains of which a kind is told, with it; chains of a colour and a kind that
    share liberties are one group."""
    found: list[tuple[set[int], set[int], tuple[int, Hashable]]] = []
    for chain in dict.fromkeys(position.chains.values()):
        kind = kind_of(chain)
        if kind is None:
            continue
        key = (position.board[min(chain.stones)], kind)
        stones, liberties = set(chain.stones), set(chain.liberties)
        for other in [o for o in found if o[2] == key and o[1] & liberties]:
            found.remove(other)
            stones |= other[0]
            liberties |= other[1]
        found.append((stones, liberties, key))
    return [(tuple(sorted(stones)), key[1]) for stones, _, key in found]


def connected(points: set[int], size: int, through: Collection[int] = ()) -> list[tuple[int, ...]]:
    """Points in connected areas, from the top left corner on.

    They are also connected `through` points that are told elsewhere: dead stones cut no area.
    """
    areas, seen = [], set[int]()
    for start in sorted(points):
        if start in seen:
            continue
        area, waiting = {start}, [start]
        while waiting:
            for beside in neighbours(size)[waiting.pop()]:
                if beside not in area and (beside in points or beside in through):
                    area.add(beside)
                    waiting.append(beside)
        seen |= area
        areas.append(tuple(sorted(area & points)))
    return areas


# ---- names


def stones_name(position: GoPosition, stones: Sequence[int]) -> str:
    """Stones by their number and the first one of each chain: "six stones at H4, G3 and H2"."""
    where = names(position.game.size)
    if len(stones) == 1:
        return f"stone at {where[stones[0]]}"
    chains = dict.fromkeys(position.chains[stone] for stone in sorted(stones))
    tips = [where[min(chain.stones)] for chain in chains]
    told = f"{number_word(len(stones))} stones"
    if len(tips) > MOST_CHAINS:
        return f"{told} in all (such as {listed(tips[:2])})"
    return f"{told} at {listed(tips)}"


def whose(position: GoPosition, stones: Sequence[int]) -> str:
    """The same with their side: "White's four stones at D6"."""
    return f"{side_name(position, position.board[stones[0]])}'s {stones_name(position, stones)}"


def side_name(position: GoPosition, colour: int) -> str:
    """Black or White."""
    return position.game.colours[colour - 1].capitalize()


def is_small(points: Collection[int], size: int) -> bool:
    """Whether an area is named by one of its points, and not by a part of the board."""
    return len(points) <= SMALL < size


def _middle(points: Iterable[int], size: int) -> tuple[float, float]:
    """The mean column and row of points."""
    where = [divmod(point, size) for point in points]
    return sum(x for _, x in where) / len(where), sum(y for y, _ in where) / len(where)


def place_name(points: Sequence[int], size: int) -> str:
    """The part of the board that points lie in."""
    for share, words in zip((WHOLE, MOST), NO_PLACES, strict=False):
        if len(points) > share * size * size:
            return words
    if is_small(points, size):
        x, y = _middle(points, size)
        inner = min(points, key=lambda p: ((p % size - x) ** 2 + (p // size - y) ** 2, p))
        return f"around {names(size)[inner]}"
    x, y = (2 * at / (size - 1) - 1 for at in _middle(points, size))
    if len(points) > LARGE * size * size:
        return _half(points, size, x, y)
    across = "" if abs(x) < MIDDLE else "left" if x < 0 else "right"
    along = "" if abs(y) < MIDDLE else "upper" if y < 0 else "lower"
    if across and along:
        return f"the {along} {across}"
    if across or along:
        return f"the {across or along} side"
    inner_lines = range(2, size - 2)
    inside = sum(p % size in inner_lines and p // size in inner_lines for p in points)
    return CENTRE if inside >= IN_THE_CENTRE * len(points) else "the middle of the board"


def has_centre(area: Collection[int], own: Collection[int], size: int) -> bool:
    """Whether an area has most points of the middle third of the board, or there as many without
    the stones of its `own` side as with them."""
    third = range(size // 3, size - size // 3)
    middle = {p for p in range(size * size) if p % size in third and p // size in third}
    held = middle & set(area)
    return 2 * len(held) > len(middle) or 2 * len(held - set(own)) > len(held)


def _half(points: Sequence[int], size: int, x: float, y: float) -> str:
    """A half of the board, if most of a large area lies in it."""
    if abs(x) >= abs(y):
        word, far = ("left", x) if x < 0 else ("right", x)
        steps = [point % size for point in points]
    else:
        word, far = ("upper", y) if y < 0 else ("lower", y)
        steps = [point // size for point in points]
    last = size - 1
    inside = sum(2 * step <= last if far < 0 else 2 * step >= last for step in steps)
    is_half = inside >= IN_A_HALF * len(points)
    return f"the {word} half" if is_half else NO_PLACES[2]


def at_place(place: str) -> str:
    """A place with its preposition: "on the left side", "in the upper left"."""
    if place.startswith("around "):
        return place
    return f"{'on' if place.endswith(('side', 'board')) else 'in'} {place}"
