"""The expected score of a position in words: who owns which points at the end of random games.

Every point counts as often as it ended as black's, less as often as it ended as white's; all
points and the komi add up to the mean score of the games. Points are told together: stones that
die, stones whose life is open, the area of either side, and what leans to a side, by the part of
the board.

>>> from clauseboard.game import load_game
>>> position = load_game("go", size=3, komi=0.5).read_position(".b./bb./..w white")
>>> owners = [10, 10, 10, 10, 10, 10, 10, 10, 10, 10]  # all points are black's in ten games
>>> for line in territory_lines(position, owners, "black"):
...     print(f"{line.points:+.2f}", line.text)
+8.00 Black holds the whole board (8 points)
+1.00 White's stone at C1 dies
-0.50 White gets 0.5 points of komi
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from clauseboard.explanation import UNIT, Line, LineClause, percent, split
from clauseboard.games.concepts import number_word
from clauseboard.games.go.board import names, neighbours
from clauseboard.games.go.rules import BLACK, Go, GoPosition

DEAD, OPEN = -0.4, 0.25
"""A chain whose points end so much as its own, from -1 to 1, or less, dies; or its life is open."""

HELD, LEANING = 0.5, 0.15
"""A point that ends so much as a side's is its area; with this much it leans to the side."""

WHOLE, MOST = 0.8, 0.5
"""More than these shares of the points are the whole board, and most of it."""

FEW, LEAST = 3, 0.5
"""Fewer empty points than these are not told apart; nor is what counts fewer points of the score,
but for so many stones whose life is open."""

MIDDLE = 0.34
"""How far from the middle, as a share of the way to the edge, is still the middle."""


@dataclass(frozen=True)
class _Part:
    """Points that are told together; `text` has a place for the points that they count."""

    concept: str
    text: str
    points: tuple[int, ...]


def territory_lines(position: GoPosition, owners: Sequence[int], colour: str) -> tuple[Line, ...]:
    """Lines, in hundredths of a point for a colour, that add up to the expected score."""
    game = position.game
    *counts, games = owners
    if len(counts) != game.size**2 or games < 1:
        raise ValueError(f"{len(counts)} points in {games} games are not those of {game!r}.")
    sign = 1 if colour == game.colours[0] else -1
    komi = round(-sign * UNIT * game.points_for_white)
    shares = [count / games for count in counts]
    parts = _parts(position, shares)
    amounts = [sign * UNIT * sum(shares[point] for point in part.points) for part in parts]
    votes = split(round(sign * UNIT * sum(counts) / games), amounts)
    lines = [
        _line(position, part, n, sum(counts[p] for p in part.points), games)
        for part, n in zip(parts, votes, strict=True)
    ]
    if komi:
        white = game.points_for_white
        gets = f"{'White' if white > 0 else 'Black'} gets {abs(white):g} points of komi"
        lines.append(Line("komi", gets, komi))
    return tuple(sorted(lines, key=lambda line: -abs(line.votes)))


def expected_score(game: Go, owners: Sequence[int], colour: str) -> float:
    """The points by which a colour may expect to win; `territory_lines` add up to them.

    >>> expected_score(Go(size=3, komi=0.5), [10] * 9 + [10], "white")
    -8.5
    """
    *counts, games = owners
    lead = sum(counts) / games - game.points_for_white
    return lead if colour == game.colours[0] else -lead


def owner_shares(position: GoPosition, owners: Sequence[int], colour: str) -> dict[str, float]:
    """Whose each point is in the end, from -1 to 1 for a colour."""
    sign = 1 if colour == position.game.colours[0] else -1
    *counts, games = owners
    return {
        name: sign * count / games
        for name, count in zip(names(position.game.size), counts, strict=True)
    }


def _line(position: GoPosition, part: _Part, votes: int, count: int, games: int) -> Line:
    """A part as a line: its sentence, its points, and how often they ended as whose."""
    size, colours = position.game.size, position.game.colours
    cells = tuple(names(size)[point] for point in part.points)
    owner = colours[0] if count >= 0 else colours[1]
    told = f"{len(cells)} {'point' if len(cells) == 1 else 'points'} in {games:,} random games"
    clause = f"{told}: {abs(count):,} times more {owner}'s than not"
    number = max(1, round(abs(votes) / UNIT))
    text = part.text.format(points=f"{number} {'point' if number == 1 else 'points'}")
    return Line(part.concept, text, votes, cells, (LineClause(clause, votes, cells),))


# ---- which points belong together


def _parts(position: GoPosition, shares: Sequence[float]) -> list[_Part]:
    """Every point in one part."""
    parts, told = [], set[int]()
    for stones, share in _weak_groups(position, shares):
        side = position.game.colours[position.board[stones[0]] - 1].capitalize()
        whose = f"{side}'s {_stones(position, stones)}"
        if share <= DEAD:
            dies = "dies" if len(stones) == 1 else "die"
            parts.append(_Part("dead stones", f"{whose} {dies}", stones))
        else:
            lives = "lives" if len(stones) == 1 else "live"
            chance = percent((1 + share) / 2)
            parts.append(_Part("fight", f"{whose} {lives} in {chance} of the games", stones))
        told.update(stones)
    size = position.game.size
    left = [point for point in range(size * size) if point not in told]
    for sign, colour in ((1, "Black"), (-1, "White")):
        held = {point for point in left if sign * shares[point] >= HELD}
        leaning = {point for point in left if LEANING <= sign * shares[point] < HELD}
        for concept, points in (("area", held), ("influence", leaning)):
            for area in _connected(points, size, told):
                if len(area) < FEW and not any(position.board[point] for point in area):
                    continue
                told.update(area)
                place = _place(area, size)
                text = f"{colour} holds {place} ({{points}})"
                if concept == "influence":
                    text = f"{place[0].upper()}{place[1:]} leans to {colour}"
                parts.append(_Part(concept, text, area))
    kept = [part for part in parts if _counts(position, part, shares)]
    known = {point for part in kept for point in part.points}
    rest = tuple(point for point in range(size * size) if point not in known)
    if rest:
        kept.append(_Part("rest", "the rest of the board", rest))
    return kept


def _counts(position: GoPosition, part: _Part, shares: Sequence[float]) -> bool:
    """Whether a part is worth a line: half a point, or the fate of a few stones."""
    stones = sum(position.board[point] > 0 for point in part.points)
    if part.concept in ("dead stones", "fight") and stones >= FEW:
        return True
    return abs(sum(shares[point] for point in part.points)) >= LEAST


def _weak_groups(
    position: GoPosition, shares: Sequence[float]
) -> list[tuple[tuple[int, ...], float]]:
    """Chains that die or may die, and how much they end as their own side's.

    Those of a colour that share liberties are one group.
    """
    weak: list[tuple[set[int], set[int], int, bool]] = []
    for chain in dict.fromkeys(position.chains.values()):
        colour = position.board[next(iter(chain.stones))]
        share = _own_share(chain.stones, shares, colour)
        if share >= OPEN:
            continue
        stones, liberties, dead = set(chain.stones), set(chain.liberties), share <= DEAD
        for other in [o for o in weak if o[2:] == (colour, dead) and o[1] & liberties]:
            weak.remove(other)
            stones |= other[0]
            liberties |= other[1]
        weak.append((stones, liberties, colour, dead))
    return [
        (tuple(sorted(stones)), _own_share(stones, shares, colour)) for stones, _, colour, _ in weak
    ]


def _own_share(stones: Collection[int], shares: Sequence[float], colour: int) -> float:
    sign = 1 if colour == BLACK else -1
    return sign * sum(shares[stone] for stone in stones) / len(stones)


def _connected(points: set[int], size: int, through: Collection[int] = ()) -> list[tuple[int, ...]]:
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


# ---- words


def _stones(position: GoPosition, stones: Sequence[int]) -> str:
    """Stones by their number and one of them: the one nearest to their middle."""
    size = position.game.size
    x, y = _middle(stones, size)
    near = min(stones, key=lambda p: ((p % size - x) ** 2 + (p // size - y) ** 2, p))
    if len(stones) == 1:
        return f"stone at {names(size)[near]}"
    return f"{number_word(len(stones))} stones at {names(size)[near]}"


def _middle(points: Iterable[int], size: int) -> tuple[float, float]:
    """The mean column and row of points."""
    where = [divmod(point, size) for point in points]
    return sum(x for _, x in where) / len(where), sum(y for y, _ in where) / len(where)


def _place(points: Sequence[int], size: int) -> str:
    """The part of the board that points lie in."""
    for share, words in ((WHOLE, "the whole board"), (MOST, "most of the board")):
        if len(points) > share * size * size:
            return words
    x, y = (2 * at / (size - 1) - 1 for at in _middle(points, size))
    across = "" if abs(x) < MIDDLE else "left" if x < 0 else "right"
    along = "" if abs(y) < MIDDLE else "upper" if y < 0 else "lower"
    if across and along:
        return f"the {along} {across}"
    if across or along:
        return f"the {across or along} side"
    return "the centre"
