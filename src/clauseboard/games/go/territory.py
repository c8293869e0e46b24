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
+1.00 White's stone at C1 is dead
-0.50 White gets 0.5 points of komi
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from clauseboard.explanation import UNIT, Line, LineClause, percent, split
from clauseboard.games.concepts import number_word
from clauseboard.games.go import concepts
from clauseboard.games.go.aims import aim
from clauseboard.games.go.board import names
from clauseboard.games.go.parts import (
    CENTRE,
    NO_PLACES,
    at_place,
    connected,
    groups,
    has_centre,
    is_small,
    place_name,
    side_name,
    whose,
)
from clauseboard.games.go.races import race_told
from clauseboard.games.go.reading import DEAD, HANGS, LIVES, Fate, read_out
from clauseboard.games.go.rules import BLACK, WHITE, Chain, Go, GoPosition, regions
from clauseboard.games.go.settling import clear_dead

__all__ = ["aim", "contrast", "expected_score", "final_owners", "owner_shares", "territory_lines"]

DIES, OPEN = -0.4, 0.4
"""A chain whose points end so much as its own, from -1 to 1, or less, dies; or its life is open."""

HELD, LEANING = 0.5, 0.15
"""A point that ends so much as a side's is its area; with this much it is rather that side's."""

FEW, WIDE, LEAST = 3, 5, 0.5
"""Fewer points than these are no area, and are nobody's rather; nor is told apart what counts
fewer points of the score, but for a few stones whose life is open."""

AT_STAKE = 2
"""So many stones whose life is open are told, however little they count on average."""

HANGING = 4
"""Of so many stones whose life is open it is told how many points hang on them."""

SURE = 0.95
"""What happens in so many games is told without their share."""


@dataclass(frozen=True)
class _Part:
    """Points that are told together; `stake` are the points that hang on stones whose life is
    open, however they count on average."""

    concept: str
    text: str
    points: tuple[int, ...]
    stake: int = 0


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
    return tuple(sorted(lines, key=lambda line: -line.weight))


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
    clauses = (LineClause(clause, votes, cells),)
    return Line(part.concept, part.text, votes, cells, clauses, UNIT * part.stake)


# ---- where the count of a board differs from its random games

DIFFERS, CAUSE = 1.5, 0.5
"""Points by which they must differ on stones, or on an area, to be told; and the share of all that
they differ by."""


def contrast(position: GoPosition, owners: Sequence[int], colour: str) -> str:
    """Where random games give a colour more than the nearest stones do, as the rest of a sentence;
    nothing where no stones and no one part of the board make up most of the difference."""
    *counts, games = owners
    size, sign = position.game.size, 1 if colour == position.game.colours[0] else -1
    counted = concepts.nearest_sides(position)
    more = [sign * (count / games - side) for count, side in zip(counts, counted, strict=True)]

    def differs(chain: Chain) -> int | None:
        share = sum(more[stone] for stone in chain.stones) / len(chain.stones)
        return counted[min(chain.stones)] if share > LEANING else None

    def worth(points: Collection[int]) -> float:
        return sum(more[point] for point in points)

    least = max(DIFFERS, CAUSE * sum(more))
    found = [stones for stones, _ in groups(position, differs)]
    stones = max(found, key=worth, default=())
    if worth(stones) >= least:
        share = _own_share(position, stones, [count / games for count in counts])
        owner = 1 if position.board[stones[0]] == BLACK else -1
        stand = "standing" if counted[stones[0]] == owner else "lost"
        survive = f"{'survives' if len(stones) == 1 else 'survive'} in {percent((1 + share) / 2)}"
        it = "it" if len(stones) == 1 else "them"
        return f"in its games {whose(position, stones)} {survive}, and the count has {it} {stand}"
    empty = {p for p, m in enumerate(more) if m > LEANING and not position.board[p]}
    area = max(connected(empty, size), key=worth, default=())
    place = place_name(area, size) if area else ""
    if worth(area) < least or place in NO_PLACES:
        return ""
    points = f"{round(worth(area))} points more"
    return f"its games give {colour.capitalize()} {points} {at_place(place)}"


# ---- which points belong together


def _parts(position: GoPosition, shares: Sequence[float]) -> list[_Part]:
    """Every point in one part."""
    parts = [_told_group(position, *found, shares) for found in _uncertain(position, shares)]
    dead = {p for part in parts if part.concept == "dead stones" for p in part.points}
    told = {point for part in parts for point in part.points}
    size = position.game.size
    left = [point for point in range(size * size) if point not in told]
    for sign, colour in ((1, "Black"), (-1, "White")):
        held = {point for point in left if sign * shares[point] >= HELD}
        leaning = {point for point in left if LEANING <= sign * shares[point] < HELD}
        for concept, points, fewest in (("area", held, FEW), ("influence", leaning, WIDE)):
            named: dict[str, tuple[int, ...]] = {}
            for area in connected(points, size, dead):
                if len(area) >= fewest:
                    # Areas of one name are told together: nobody could tell them apart.
                    place = place_name(area, size)
                    named[place] = (*named.get(place, ()), *area)
            for name, area in named.items():
                if concept == "area":
                    place = f"{name} ({len(area)} points)"
                    if is_small(area, size):
                        place = f"{number_word(len(area))} points {name}"
                    often = _often(sign * sum(shares[point] for point in area) / len(area))
                    text = f"{colour} holds {place}{often}"
                    own = [p for p in area if position.board[p] == (BLACK if sign > 0 else WHITE)]
                    if own and name == CENTRE and not has_centre(area, own, size):
                        stand = "stands" if len(own) == 1 else "stand"
                        in_all = f" ({len(area)} points)" if len(area) > len(own) else ""
                        text = f"{whose(position, own)} {stand}{in_all}{often}"
                elif is_small(area, size):
                    text = f"{colour} is nearer to {number_word(len(area))} points {name}"
                else:
                    text = f"{colour} has the better prospects {at_place(name)}"
                    text += f" ({len(area)} points)"
                parts.append(_Part(concept, text, area))
    kept = [part for part in parts if _counts(position, part, shares)]
    known = {point for part in kept for point in part.points}
    rest = tuple(point for point in range(size * size) if point not in known)
    if rest:
        kept.append(_Part("rest", "everything else on the board", rest))
    return kept


def _counts(position: GoPosition, part: _Part, shares: Sequence[float]) -> bool:
    """Whether a part is worth a line: half a point, or the fate of a few stones."""
    stones = sum(position.board[point] > 0 for point in part.points)
    if part.stake >= 2 * AT_STAKE or (part.concept == "dead stones" and stones >= FEW):
        return True
    return abs(sum(shares[point] for point in part.points)) >= LEAST


# ---- stones that are dead, or may be

Kind = Fate | str
"""What is told of stones: what was read out, or what random games say: "dies" or "open"."""


def _uncertain(position: GoPosition, shares: Sequence[float]) -> list[tuple[tuple[int, ...], Kind]]:
    """Groups that are dead or may be. What was read out goes before the random games."""
    reading = read_out(position)

    def kind(chain: Chain) -> Kind | None:
        share = _own_share(position, chain.stones, shares)
        fate = reading.fate(chain)
        if fate.kind == DEAD:
            return fate
        if fate.kind == HANGS and (share < OPEN or len(chain.stones) >= FEW):
            return fate
        if share >= OPEN:
            return None
        return fate if fate.kind == LIVES else "dies" if share <= DIES else "open"

    return groups(position, kind)  # type: ignore[return-value]


def _told_group(
    position: GoPosition, stones: tuple[int, ...], kind: Kind, shares: Sequence[float]
) -> _Part:
    """Stones with what becomes of them."""
    who, one = whose(position, stones), len(stones) == 1
    share = _own_share(position, stones, shares)
    survive = f"{'survives' if one else 'survive'} in {percent((1 + share) / 2)} of the games"
    if isinstance(kind, Fate) and kind.kind == DEAD:
        but = f", though {'it' if one else 'they'} {survive}" if share > 0 else ""
        return _Part("dead stones", f"{who} {'is' if one else 'are'} dead{but}", stones)
    if isinstance(kind, Fate) and kind.kind == LIVES:
        return _Part("fight", f"{who} {'is' if one else 'are'} alive, but {survive}", stones)
    if isinstance(kind, Fate):
        return _Part("fight", _hanging(position, stones, kind), stones, 2 * len(stones))
    race = race_told(position, stones) if abs(share) < 2 * SURE - 1 else ""
    race = f", {race}" if race else ""
    if kind == "dies":
        return _Part(
            "dead stones", f"{who} {'dies' if one else 'die'}{_often(-share)}{race}", stones
        )
    hang = f": at least {2 * len(stones)} points" if len(stones) >= HANGING and not race else ""
    return _Part("fight", f"{who} {survive}{race}{hang}", stones, 2 * len(stones))


def _hanging(position: GoPosition, stones: tuple[int, ...], fate: Fate) -> str:
    """Stones that fall or are saved by who plays first, the side to move first."""
    owner, one = position.board[stones[0]], len(stones) == 1
    where = names(position.game.size)
    mine, theirs = (side_name(position, side) for side in (owner, 3 - owner))
    falls = f"{'falls' if one else 'fall'} if {theirs} plays {where[fate.taken_at or 0]}"
    saved = f"{'is' if one else 'are'} saved if {mine} plays {where[fate.saved_at or 0]}"
    both = f"{falls}, and {saved}" if owner != position.colour else f"{saved}, and {falls}"
    points = f": at least {2 * len(stones)} points" if len(stones) >= HANGING else ""
    return f"{whose(position, stones)} {both}{points}"


def _own_share(position: GoPosition, stones: Collection[int], shares: Sequence[float]) -> float:
    """How much stones end as their own side's, from -1 to 1."""
    sign = 1 if position.board[next(iter(stones))] == BLACK else -1
    return sign * sum(shares[stone] for stone in stones) / len(stones)


def _often(share: float) -> str:
    """How often something is so that counts 1 where it is and -1 where it is not."""
    chance = (1 + share) / 2
    return "" if chance >= SURE else f" in {percent(chance)} of the games"


def final_owners(position: GoPosition, owners: Sequence[int]) -> tuple[int, ...]:
    """The owners as the rules count them, dead stones taken off, where the game is over.

    The same as before where it goes on, or the life of some chain is open.
    """
    dead = clear_dead(position, owners) if position.outcome() is not None else None
    if dead is None:
        return tuple(owners)
    size, games = position.game.size, owners[-1]
    gone = set(dead)
    board = bytes(0 if names(size)[p] in gone else s for p, s in enumerate(position.board))
    signs = {0: 0, 1: games, 2: -games}
    counts = [signs[stone] for stone in board]
    for owner, region in regions(board, size):
        for point in region:
            counts[point] = signs[owner]
    return (*counts, games)
