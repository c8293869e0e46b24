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

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from clauseboard.explanation import UNIT, Line, LineClause, percent, split
from clauseboard.games.concepts import number_word
from clauseboard.games.go import tactics
from clauseboard.games.go.board import names, neighbours
from clauseboard.games.go.line_facts import line_fact
from clauseboard.games.go.rules import (
    BLACK,
    Chain,
    Go,
    GoMove,
    GoPosition,
    regions,
    score,
    state_of,
)
from clauseboard.games.go.settling import clear_dead, is_settled

DEAD, OPEN = -0.4, 0.4
"""A chain whose points end so much as its own, from -1 to 1, or less, dies; or its life is open."""

HELD, LEANING = 0.5, 0.15
"""A point that ends so much as a side's is its area; with this much it leans to the side."""

WHOLE, MOST = 0.8, 0.5
"""More than these shares of the points are the whole board, and most of it."""

FEW, WIDE, LEAST = 3, 5, 0.5
"""Fewer points than these are no area, and do not lean to a side; nor is told apart what counts
fewer points of the score, but for a few stones whose life is open."""

SMALL = 5
"""An area of so many points is named by one of them, and not by a part of the board."""

HANGS = 4
"""Of so many stones whose life is open it is told how many points hang on them."""

SURE = 0.95
"""What happens in so many games is told without their share."""

MIDDLE = 0.34
"""How far from the middle, as a share of the way to the edge, is still the middle."""


@dataclass(frozen=True)
class _Part:
    """Points that are told together."""

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
    return Line(part.concept, part.text, votes, cells, (LineClause(clause, votes, cells),))


# ---- what a move is for

ENOUGH = 100
"""Random games without which nothing is said of a move."""
CHANGED = 0.16
"""How much more, from -1 to 1, points must end as the mover's: eight games in a hundred."""
QUIET = ("extends ", "attaches ")
"""How facts begin that say little of what a move is for."""
GAIN, BESIDE = 1.0, 4.0
"""Points that a move must gain in an area; and to be told beside what it does at once."""


def aim(
    position: GoPosition,
    move: GoMove,
    owners: Sequence[int],
    others: Sequence[int],
    rival: str = "other moves",
) -> str:
    """What a move is for, as the rest of a sentence: what it does, and random games come to.

    They are held against those after `others`, the other moves that were looked at, or the `rival`
    alone. They say nothing where they are few, and little beside what the stone does at once.
    """
    if move.point is None:
        return _pass_aim(position, move, owners)
    if not others or min(owners[-1], others[-1]) < ENOUGH:
        return ""
    after, elsewhere = ([count / all_[-1] for count in all_[:-1]] for all_ in (owners, others))
    fact = line_fact(position, [move]) or ""
    said, gain, stones = _gain(position, after, elsewhere, rival)
    if not fact or fact.startswith(QUIET):
        alike = abs(sum(after) - sum(elsewhere)) < GAIN
        same = f"is worth as much as {rival}, and nothing on the board tells them apart"
        said = said or fact or (same if alike else "")
    elif gain >= BESIDE and (not stones or stones not in fact):
        said = f"{fact}, and {said}"
    else:
        said = fact
    own = after[move.point] if position.colour == BLACK else -after[move.point]
    dies = own <= DEAD and said and "can be taken" not in said
    return f"{said}, but dies in {percent((1 - own) / 2)} of the games" if dies else said


def _gain(
    position: GoPosition, after: Sequence[float], elsewhere: Sequence[float], rival: str
) -> tuple[str, float, str]:
    """Where a move gains most, and how much; and the stones, if it gains by them."""
    sign = 1 if position.colour == BLACK else -1
    gained = [sign * (first - second) for first, second in zip(after, elsewhere, strict=True)]

    def gain(points: Collection[int]) -> float:
        return sum(gained[point] for point in points)

    def kind(colour: int, stones: Collection[int]) -> int:
        return int(gain(stones) >= CHANGED * len(stones))

    if groups := [group for group in _groups(position, kind) if gain(group) >= 1]:
        group = max(groups, key=gain)
        colour = position.board[group[0]]
        verb = "helps" if colour == position.colour else "presses"
        now, then = (percent((1 + _own_share(group, s, colour)) / 2) for s in (after, elsewhere))
        lives = "lives" if len(group) == 1 else "live"
        said = (
            f"{verb} {_whose(position, group)}, which {lives} in {now} of the games, and in {then}"
        )
        return f"{said} after {rival}", gain(group), _stones(position, group)
    size = position.game.size
    better = {point for point, more in enumerate(gained) if more >= CHANGED}
    area = max(_connected(better, size), key=gain, default=())
    if gain(area) < GAIN:
        return "", 0.0, ""
    leans = sign * sum(elsewhere[point] for point in area) / len(area)
    verb = "secures" if leans >= LEANING else "reduces" if leans <= -LEANING else "fights for"
    n, place = round(gain(area)), f"{'the points ' * _is_small(area, size)}{_place(area, size)}"
    more = f"{n} {'point' if n == 1 else 'points'} more than after {rival}"
    return f"{verb} {place}: {more}", gain(area), ""


def _pass_aim(position: GoPosition, move: GoMove, owners: Sequence[int]) -> str:
    """What a pass says: how the game ends, dead stones taken off, or that nothing is open."""
    dead = clear_dead(position, owners)
    if dead is None:
        return ""
    if position.play(move).outcome() is None:
        settled = is_settled(position, owners)
        return "gives nothing away: every stone and every border is settled" if settled else ""
    count = score(position, dead)
    ends = "the game is drawn"
    if count.winner is not None:
        ends = f"{count.winner.capitalize()} wins by {abs(count.margin):g} points"
    off = f"{number_word(len(dead))} dead {'stone' if len(dead) == 1 else 'stones'} taken off"
    return f"ends the game: {ends}, {off}" if dead else f"ends the game: {ends}"


# ---- which points belong together


def _parts(position: GoPosition, shares: Sequence[float]) -> list[_Part]:
    """Every point in one part."""
    parts, told, dead = [], set[int](), set[int]()
    for stones, share in _weak_groups(position, shares):
        whose, one = _whose(position, stones), len(stones) == 1
        if share <= DEAD:
            text = f"{whose} {'dies' if one else 'die'}{_often(-share)}"
            dead.update(stones)
        else:
            text = f"{whose} {'lives' if one else 'live'}{_often(share)}"
        if abs(share) < 2 * SURE - 1 and (read := fate(position, stones)):
            text += f", {read}"
        elif share > DEAD and len(stones) >= HANGS:
            text += f": {2 * len(stones)} points hang on them"
        parts.append(_Part("dead stones" if share <= DEAD else "fight", text, stones))
        told.update(stones)
    size = position.game.size
    left = [point for point in range(size * size) if point not in told]
    for sign, colour in ((1, "Black"), (-1, "White")):
        held = {point for point in left if sign * shares[point] >= HELD}
        leaning = {point for point in left if LEANING <= sign * shares[point] < HELD}
        for concept, points, fewest in (("area", held, FEW), ("influence", leaning, WIDE)):
            named: dict[str, tuple[int, ...]] = {}
            for area in _connected(points, size, dead):
                if len(area) >= fewest:
                    # Areas of one name are told together: nobody could tell them apart.
                    place = _place(area, size)
                    named[place] = (*named.get(place, ()), *area)
            for name, area in named.items():
                place, leans = f"{name} ({len(area)} points)", "leans"
                if _is_small(area, size):
                    place, leans = f"{number_word(len(area))} points {name}", "lean"
                text = f"{place[0].upper()}{place[1:]} {leans} to {colour}"
                if concept == "area":
                    often = _often(sign * sum(shares[point] for point in area) / len(area))
                    text = f"{colour} holds {place}{often}"
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
    """Groups that die or may die, and how much they end as their own side's."""

    def weak(colour: int, stones: Collection[int]) -> int:
        share = _own_share(stones, shares, colour)
        return 0 if share >= OPEN else 2 if share <= DEAD else 1

    return [
        (stones, _own_share(stones, shares, position.board[stones[0]]))
        for stones in _groups(position, weak)
    ]


def _groups(
    position: GoPosition, kind_of: Callable[[int, Collection[int]], int]
) -> list[tuple[int, ...]]:
    """Chains of which a kind is told; those of a colour and a kind that share liberties are one."""
    groups: list[tuple[set[int], set[int], int, int]] = []
    for chain in dict.fromkeys(position.chains.values()):
        colour = position.board[next(iter(chain.stones))]
        kind = kind_of(colour, chain.stones)
        if not kind:
            continue
        stones, liberties = set(chain.stones), set(chain.liberties)
        for other in [o for o in groups if o[2:] == (colour, kind) and o[1] & liberties]:
            groups.remove(other)
            stones |= other[0]
            liberties |= other[1]
        groups.append((stones, liberties, colour, kind))
    return [tuple(sorted(stones)) for stones, *_ in groups]


def _own_share(stones: Collection[int], shares: Sequence[float], colour: int) -> float:
    sign = 1 if colour == BLACK else -1
    return sign * sum(shares[stone] for stone in stones) / len(stones)


# ---- what is read out on the board, where random games are in doubt


def fate(position: GoPosition, stones: Sequence[int]) -> str:
    """What becomes of stones, as the rest of a sentence, if that can be read out; else nothing.

    Their largest chain is read. One that is closed in is dead, or lives. If another that closes it
    in is as dead unless it takes the first, both race, and it is told who wins.
    """
    chain = max((position.chains[stone] for stone in stones), key=lambda c: len(c.stones))
    if len(chain.stones) == 1 < len(stones):
        return ""
    size, one = position.game.size, len(stones) == 1
    some = f"{number_word(len(chain.stones))} of them " if len(chain.stones) < len(stones) else ""
    state, room = state_of(position), tactics.new_room(size)

    def life(of: Chain) -> int:
        return int(tactics.read_life(state, place(min(of.stones)), tactics.LIFE_NODES, room))

    def place(point: int) -> int:
        return point + point // size + size + 2

    status = life(chain)
    if status == tactics.ALIVE:
        return f"but {some}{'lives' if one else 'live'} when read out"
    if status != tactics.DEAD:
        return ""
    colour = position.board[stones[0]]
    # With what may be joined: who takes one of the chains around them saves them all.
    joined = [chain]
    for own in joined:
        joined += {
            other for stone, other in position.chains.items()
            if position.board[stone] == colour and other not in joined
            and other.liberties & own.liberties
        }  # fmt: skip

    def dead_around(of: Iterable[Chain]) -> set[Chain]:
        beside = {b for own in of for stone in own.stones for b in neighbours(size)[stone]}
        around = {position.chains[b] for b in beside if position.board[b] == 3 - colour}
        return {enemy for enemy in around if life(enemy) == tactics.DEAD}

    if not dead_around(joined):
        return f"and {some}{'is' if one else 'are'} dead when read out"
    rival = max(dead_around([chain]), key=lambda e: (len(e.stones), -min(e.stones)), default=None)
    if rival is None:
        return ""
    other = sorted(rival.stones)
    result = _Race(min(chain.stones), other[0]).result(replace(position, passes=0))
    ends = {
        1: f"but {some}{'wins' if one else 'win'}",
        -1: f"and {some}{'loses' if one else 'lose'}",
    }
    if result == 0:
        return ""
    return f"{ends[result]} the race with {_whose(position, other)}, {position.to_move} to move"


RACE_POSITIONS, RACE_MOVES = 3000, 16
"""Positions that are looked at for a race, and its moves at most."""


class _Race:
    """Two chains of which one lives only by taking the other: who is first, by trying all moves.

    Both sides play on the liberties of the two, take what is in atari beside them, or pass.
    """

    def __init__(self, stone: int, other: int) -> None:
        self.stone, self.other = stone, other
        self.known: dict[tuple[bytes, str, int | None, bool], int] = {}

    def result(self, position: GoPosition, passed: bool = False, depth: int = 0) -> int:
        """1 if the chain of the stone is the one that stays, -1 if the other; 0 if that is open."""
        for winner, loser, result in ((self.stone, self.other, 1), (self.other, self.stone, -1)):
            if not position.board[loser]:
                return -result if _is_taken_back(position, winner) else result
        key = (position.board, position.to_move, position.ko, passed)
        if key not in self.known:
            if len(self.known) >= RACE_POSITIONS or depth >= RACE_MOVES:
                return 0
            self.known[key] = 0  # as long as it is being read: a board that comes up again
            self.known[key] = self._best(position, passed, depth)
        return self.known[key]

    def _best(self, position: GoPosition, passed: bool, depth: int) -> int:
        wanted = 1 if position.board[self.stone] == position.colour else -1
        best = 0 if passed else -wanted
        for move in (*self._moves(position), None):
            if move is None and passed:
                continue
            after = replace(position.play(GoMove(move)), passes=0)
            found = self.result(after, move is None, depth + 1)
            if found == wanted:
                return wanted
            best = max(best, found) if wanted == 1 else min(best, found)
        return best

    def _moves(self, position: GoPosition) -> list[int]:
        ours, theirs = self.stone, self.other
        if position.board[ours] != position.colour:
            ours, theirs = theirs, ours
        points = sorted(position.chains[theirs].liberties) + sorted(position.chains[ours].liberties)
        for stone in position.chains[ours].stones:
            for beside in neighbours(position.game.size)[stone]:
                if position.board[beside] == 3 - position.colour:
                    liberties = position.chains[beside].liberties
                    points += liberties if len(liberties) == 1 else ()
        legal = dict.fromkeys(points)
        return [point for point in legal if position.why_not(GoMove(point)) is None]


def _is_taken_back(position: GoPosition, stone: int) -> bool:
    """Whether the chain that has won a race is in atari, and the side to move takes it."""
    last = position.chains[stone].liberties
    is_mine = position.board[stone] == position.colour
    return not is_mine and len(last) == 1 and position.why_not(GoMove(min(last))) is None


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


# ---- areas


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


def _is_small(points: Collection[int], size: int) -> bool:
    """Whether an area is named by one of its points, and not by a part of the board."""
    return len(points) <= SMALL < size


def _often(share: float) -> str:
    """How often something is so that counts 1 where it is and -1 where it is not."""
    chance = (1 + share) / 2
    return "" if chance >= SURE else f" in {percent(chance)} of the games"


def _whose(position: GoPosition, stones: Sequence[int]) -> str:
    """Stones of one side in words: "White's four stones at D6"."""
    side = position.game.colours[position.board[stones[0]] - 1].capitalize()
    return f"{side}'s {_stones(position, stones)}"


def _stones(position: GoPosition, stones: Sequence[int]) -> str:
    """Stones by their number and the first of them, as `line_facts` names them; of several chains
    it is said that they are around it."""
    at = names(position.game.size)[min(stones)]
    if len(stones) == 1:
        return f"stone at {at}"
    where = "at" if len({position.chains[stone] for stone in stones}) == 1 else "around"
    return f"{number_word(len(stones))} stones {where} {at}"


def _middle(points: Iterable[int], size: int) -> tuple[float, float]:
    """The mean column and row of points."""
    where = [divmod(point, size) for point in points]
    return sum(x for _, x in where) / len(where), sum(y for y, _ in where) / len(where)


def _place(points: Sequence[int], size: int) -> str:
    """The part of the board that points lie in."""
    for share, words in ((WHOLE, "the whole board"), (MOST, "most of the board")):
        if len(points) > share * size * size:
            return words
    if _is_small(points, size):
        x, y = _middle(points, size)
        inner = min(points, key=lambda p: ((p % size - x) ** 2 + (p // size - y) ** 2, p))
        return f"around {names(size)[inner]}"
    x, y = (2 * at / (size - 1) - 1 for at in _middle(points, size))
    across = "" if abs(x) < MIDDLE else "left" if x < 0 else "right"
    along = "" if abs(y) < MIDDLE else "upper" if y < 0 else "lower"
    if across and along:
        return f"the {along} {across}"
    if across or along:
        return f"the {across or along} side"
    return "the centre"
