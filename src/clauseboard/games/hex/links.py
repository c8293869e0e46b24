"""The links of a connection in Hex: which stones it goes by, and what joins each to the next.

H-search proves that a side is connected within some empty cells, its carrier, but not by what.
Here the plans within the carrier are found once more, and the simplest way from edge to edge is
taken: bridges before anything else, and no two links that need the same cell. A link that is more
than a bridge has moves each of which makes it, and these have links of their own.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=5).read_position("...../..R../B..../.R.../..... blue")
    >>> links_text(winning_links(position, "red"))
    'the top to c2 by the bridge c1/d1, c2 to b4 by the bridge b3/c3, b4 to the bottom by the \
bridge a5/b5'
"""

from __future__ import annotations

import functools
import heapq
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clauseboard.games.concepts import listed
from clauseboard.games.hex import h_search
from clauseboard.games.hex.chains import EDGES, Cells, Workspace, cells_in, find_connections
from clauseboard.games.hex.encoding import SIDES, boards_of
from clauseboard.games.hex.rules import HexMove, HexPosition, cells_of

NEIGHBOURS = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))

BRIDGE = 2
"""A carrier of so many cells is a bridge."""

MOST_TRIED = 5_000
"""Beginnings of ways from edge to edge that are looked at."""

MOST_HALVES, MOST_WAYS = 60, 5
"""Where no two moves are enough for a link: how many are tried as the first of some more."""

DEEPEST = 7
"""How deep links within links are looked for: a ladder has one in each step."""

MOST_NAMED = 3
"""Stones of an edge that are tried as the end of a link."""

MOST_LATER, MOST_BRIEF = 4, 2
"""How many moves are told with what is behind them after the links, and with how many bridges."""

FEWEST_STEPS = 2
"""A ladder has so many steps or more."""

NO_CELLS = Cells()

End = HexMove | str
"""A stone, or the name of an edge."""

Step = tuple[int, int, Cells]
"""A link as the numbers of its two anchors, and its carrier."""

Half = tuple[HexMove, Cells, int]
"""A move that joins two anchors, the cells that this needs, and how roundabout it is."""


@dataclass(frozen=True)
class HexWay:
    """A move that makes a link, and what is to be linked besides; None if that is not known.

    `several`: there is more than one plan for that, and which is left depends on the other side.
    `beside` is the stone by which it reaches an edge where it does not lie there itself.
    """

    cell: HexMove
    links: tuple[HexLink, ...] | None = ()
    several: bool = False
    beside: HexMove | None = None

    def text(self, later: list[HexWay]) -> str:
        """The move, and in brackets the bridge that joins it, or two of them, or an edge template.

        Where there is more to be told, `later` gets the move.
        """
        if self.several:
            return f"{self.cell} (in several ways)"
        if self.links is None:
            return f"{self.cell} (...)"
        if not self.links:
            return str(self.cell) if self.beside is None else f"{self.cell} (beside {self.beside})"
        brief = [link.brief for link in self.links]
        if all(brief) and len(brief) <= MOST_BRIEF:
            return f"{self.cell} ({' and '.join(brief)})"
        later.append(self)
        return str(self.cell)


@dataclass(frozen=True)
class HexLink:
    """Two ends, stones or edges, that are joined whatever the other side does.

    `carrier` are the empty cells that the link needs. `ways` are moves each of which joins the
    ends, within cells of their own that are not common to all: the other side can take one of them
    only. Where it is not as simple as that, there are none. In a `template` a stone needs no other
    to reach the edge. `touches`: all cells of the carrier touch both ends, as those of a bridge do.
    """

    first: End
    second: End
    carrier: Cells
    ways: tuple[HexWay, ...] = ()
    template: bool = False
    touches: bool = True

    @property
    def keys(self) -> tuple[HexMove, ...]:
        """The moves that make it."""
        return tuple(way.cell for way in self.ways)

    @property
    def is_bridge(self) -> bool:
        """Whether it needs two cells that touch each other and both ends."""
        cells = sorted(self.carrier)
        return self.touches and len(cells) == BRIDGE and cells[1] in around(cells[0])

    @property
    def cells(self) -> Cells:
        """The cells that it needs, with those of the links within it."""
        inner = (link.cells for way in self.ways for link in way.links or ())
        return self.carrier.union(*inner)

    @property
    def is_told(self) -> bool:
        """Whether its words say how it holds: it is no mere number of cells."""
        known = bool(self.ways) and all(way.links is not None for way in self.ways)
        return self.is_bridge or self.template or known

    @property
    def brief(self) -> str:
        """A bridge or an edge template in few words; empty for anything longer."""
        if self.is_bridge:
            return f"bridge {'/'.join(map(str, sorted(self.carrier)))}"
        return "edge template" if self.template else ""

    def how(self, later: list[HexWay]) -> str:
        """What joins the ends: a bridge, an edge template, or one of some moves.

        `later` gets moves that have more behind them: of a ladder that is the last one.
        """
        if self.brief:
            stone = self.second if isinstance(self.first, str) else self.first
            return f"the {self.brief}{'' if self.is_bridge else f' of {stone}'}"
        if not self.ways:
            return f"a plan of {len(self.carrier)} cells"
        if ladder := self.ladder():
            below, steps, end = ladder
            return f"{below} or the ladder {steps[0]}-{end.text(later)}"
        *before, last = (way.text(later) for way in self.ways)
        return f"{', '.join(before)} or {last}"

    def ladder(self) -> tuple[HexMove, list[HexMove], HexWay] | None:
        """The cell below the first step, the steps, and the last one as a move; None if no ladder.

        Each step touches the one before it, and the cell below would reach the edge at once.
        """
        link, steps, below = self, [], None
        while True:
            direct = [way for way in link.ways if way.links == () and not way.several]
            on = [way for way in link.ways if way.links]
            edge = next((end for end in (link.first, link.second) if isinstance(end, str)), None)
            if len(link.ways) != 2 or len(direct) != 1 or edge is None:
                break
            below = below or direct[0].cell
            steps.append(on[0].cell if on else link.ways[-1].cell)
            last = on[0] if on else link.ways[-1]
            inner = last.links[0] if last.links and len(last.links) == 1 else None
            if inner is None or {inner.first, inner.second} != {last.cell, edge}:
                break
            link = inner
        if below is None or len(steps) < FEWEST_STEPS:
            return None
        lines = {step.row for step in steps}, {step.column for step in steps}
        if min(map(len, lines)) > 1:
            return None
        return below, steps, last

    def text(self, later: list[HexWay]) -> str:
        """The ends, and what joins them; `later` as in `how`."""
        return f"{name_of(self.first)} to {name_of(self.second)} by {self.how(later)}"

    def __str__(self) -> str:
        return links_text([self])


def name_of(end: End) -> str:
    """A stone by its cell, and an edge as "the top"."""
    return f"the {end}" if isinstance(end, str) else str(end)


def links_text(links: Sequence[HexLink], side: str = "a stone") -> str:
    """Links in words, from edge to edge.

    What is behind a move, if it is more than a bridge or two, follows after the links: "with red on
    e5, ...", where `side` says whose stone it is. What is too long is left to marks on the board.
    """
    later: list[HexWay] = []
    parts = [", ".join(link.text(later) for link in links)]
    queue = [(way, [way.cell]) for way in later]
    while queue and len(parts) <= MOST_LATER:
        (way, stones), *queue = queue
        later = []
        behind = ", ".join(link.text(later) for link in way.links or ())
        queue += [(inner, [*stones, inner.cell]) for inner in later]
        more = f"with {side} on {listed(list(map(str, stones)))}, {behind}"
        parts += [more] if more not in parts else []
    return "; ".join([*parts, "the rest is marked"] if queue else parts)


def in_short(links: Sequence[HexLink], position: HexPosition, colour: str) -> str:
    """Links without what is behind their moves, but for a ladder that one of these may need."""
    told = ", ".join(link.text([]) for link in links)
    ways = [way for link in links if link.ladder() is None for way in link.ways]
    behind = [link for way in ways for link in way.links or ()]
    for link in behind:  # grows
        behind += [inner for way in link.ways for inner in way.links or ()]
        if ladder := link.ladder():
            _, steps, end = ladder
            near = {end.cell}.union(*(inner.carrier for inner in end.links or ()))
            beside = {stone for cell in near for stone in around(cell)} - set(steps)
            escape = sorted(beside & _stones(position, colour))
            towards = f" to its escape {escape[0]}" if escape else ""
            return f"{told}, if need be by the ladder {steps[0]}-{end.cell}{towards}"
    return told


def placed(position: HexPosition, colour: str, cell: HexMove) -> HexPosition:
    """The board with one more stone of a side, whose turn it need not be."""
    bit = 1 << cell.row * position.game.size + cell.column
    red, blue = position.red, position.blue
    red, blue = (red | bit, blue) if colour == "red" else (red, blue | bit)
    return replace(position, red=red, blue=blue)


def _stones(position: HexPosition, colour: str) -> set[HexMove]:
    stones = position.red if colour == "red" else position.blue
    return {cell for n, cell in enumerate(cells_of(position.game.size)) if stones >> n & 1}


def cells_of_links(links: Iterable[HexLink]) -> Cells:
    """All cells that links need."""
    return NO_CELLS.union(*(link.cells for link in links))


@functools.lru_cache(maxsize=16)
def winning_links(position: HexPosition, colour: str) -> tuple[HexLink, ...]:
    """The links of a side that is connected from edge to edge, from its first edge on.

    None where it is not, where its stones touch both edges, and where no row of links is found.
    """
    own = find_connections(position)[colour]
    # A chain may be one only with the cells that it has captured.
    carriers = (NO_CELLS,) if own.has_chain else own.full
    rows = [_row(position, colour, EDGES[colour], one, own.captured) for one in carriers]
    told = [row for row in rows if row and (len(row) > 1 or row[0].is_told)]
    return min(told, key=_length, default=())


def links_between(
    position: HexPosition, colour: str, ends: tuple[End, End], carrier: Cells
) -> tuple[HexLink, ...]:
    """The links that join two ends within a carrier; none if they touch, or none are found."""
    captured = find_connections(position)[colour].captured
    return _row(position, colour, ends, carrier, captured) or ()


def _row(
    position: HexPosition,
    colour: str,
    ends: Sequence[End],
    carrier: Cells,
    captured: Cells,
    depth: int = 0,
) -> tuple[HexLink, ...] | None:
    """The simplest row of links between two ends; None if none is found.

    Cells that the side has captured may be played like others. Where nothing is found in that way,
    captured bridges count as stones, and then all captured cells; what joins real stones there are
    links of their own.
    """
    rows = []
    for filled in dict.fromkeys(
        (NO_CELLS, _captured_bridges(position, colour, captured), captured)
    ):
        within = _Within(position, colour, carrier | captured, filled, captured, depth)
        row = within.links(*ends)
        if row is not None:
            rows.append(row)
            # Deeper down the first that can be told is enough, and nothing is simpler than bridges.
            if all(link.is_told if depth else link.is_bridge for link in row):
                break
    return min(rows, key=_length, default=None)


def _length(row: Sequence[HexLink]) -> tuple[bool, int]:
    """How long it takes to tell a row of links; those that cannot be told are the longest."""
    return not all(link.is_told for link in row), len(links_text(row))


def _captured_bridges(position: HexPosition, colour: str, captured: Cells) -> Cells:
    """The captured pairs of cells that lie between two chains, or between one and an edge."""
    if not captured:
        return NO_CELLS
    within = _Within(position, colour, captured)
    size, stones = position.game.size, within.stones
    found: set[HexMove] = set()
    for one in captured:
        for two in set(around(one)) & captured:
            beside = set(around(one)) & set(around(two)) & stones
            ends: set[End] = {min(within.chain(stone)) for stone in beside}
            ends |= {e for e in EDGES[colour] if at_edge(one, e, size) and at_edge(two, e, size)}
            if len(ends) > 1:
                found |= {one, two}
    return Cells(found)


class _Within:
    """The plans of a side within a carrier, between its chains and edges.

    An anchor is a chain or an edge; a chain that touches an edge is part of the edge's. Cells that
    are `filled` count as stones. `captured` are those that links within links may use.
    """

    def __init__(
        self,
        position: HexPosition,
        colour: str,
        carrier: Cells,
        filled: Cells = NO_CELLS,
        captured: Cells = NO_CELLS,
        depth: int = 0,
    ) -> None:
        self.position, self.colour, self.filled = position, colour, filled
        self.captured, self.depth = captured, depth
        size, side = position.game.size, SIDES.index(colour)
        self.board = cells_of(size)
        self.stones = _stones(position, colour)
        cells = np.zeros((2, h_search.WORDS), np.uint64)
        for row, some in enumerate((carrier - filled, filled)):
            for cell in some:
                number = cell.row * size + cell.column
                cells[row, number // 64] |= np.uint64(1 << number % 64)
        room = Workspace(size)
        self.memory = room.sides[side]
        self.connected = (
            h_search.find_plans_within(
                boards_of(position.game, [position])[0], size, side, cells, room.board, self.memory
            )
            == h_search.CONNECTED
        )

    def links(self, first: End, second: End) -> tuple[HexLink, ...] | None:
        """The simplest row of links between two ends that share no cell; None without any."""
        if self.connected:  # then there are no anchors
            return None if self.filled else ()
        one, two = self.point_of(first), self.point_of(second)
        steps = [] if one == two else self.simplest(one, two)
        if not steps and one != two:
            return None
        links = tuple(self._link(*step) for step in steps)
        return self._with_filled(links, first, second) if self.filled else links

    def _with_filled(
        self, links: Sequence[HexLink], first: End, second: End
    ) -> tuple[HexLink, ...] | None:
        """Links with those between them that need filled cells only; None if one is missing."""
        found: list[HexLink] = []
        ends = [first, *(end for link in links for end in (link.first, link.second)), second]
        bridges = _captured_bridges(self.position, self.colour, self.filled)
        for link, before, after in zip((*links, None), ends[::2], ends[1::2], strict=True):
            row = None
            for filled in (NO_CELLS, *((bridges,) if bridges != self.filled else ())):
                inner = _Within(self.position, self.colour, self.filled, filled, depth=self.depth)
                row = inner.links(before, after) if row is None else row
            if row is None:
                return None
            found += row
            if link is not None:
                found.append(link)
        return tuple(found)

    def point_of(self, end: End) -> int:
        """The point of a stone or of an edge."""
        if isinstance(end, str):
            return len(self.board) + EDGES[self.colour].index(end)
        return int(self.memory[h_search.POINT_OF][self.board.index(end)])

    # ---- plans

    @functools.cached_property
    def _anchors(self) -> list[int]:
        count = int(self.memory[h_search.N_ANCHORS][0])
        return [int(point) for point in self.memory[h_search.ANCHORS][:count]]

    def _plans(self, index: int, point: int) -> tuple[Cells, ...]:
        """The carriers that join an anchor to a point."""
        count = self.memory[h_search.FULL_COUNTS][index, point]
        rows = self.memory[h_search.FULL][index, point, :count]
        return tuple(cells_in(self.position.game, row) for row in rows)

    def simplest(self, first: int, last: int) -> list[Step]:
        """The links of the way from point to point that costs least, see `_cost`."""
        anchors = self._anchors
        if not {first, last} <= set(anchors):
            return []
        start, goal = anchors.index(first), anchors.index(last)
        plans = {
            (one, two): {*self._plans(one, anchors[two]), *self._plans(two, anchors[one])}
            for one, two in itertools.permutations(range(len(anchors)), 2)
        }
        order = itertools.count()
        queue: list[tuple[int, int, int, Cells, list[Step]]] = [(0, 0, start, Cells(), [])]
        while queue and next(order) < MOST_TRIED:
            cost, _, at, used, path = heapq.heappop(queue)
            if at == goal:
                return path
            seen = {start, *(step[1] for step in path)}
            for other in set(range(len(anchors))) - seen:
                for carrier in sorted(plans[at, other], key=sorted):
                    if not carrier & used:
                        longer = [*path, (at, other, carrier)]
                        further = cost + _cost(carrier)
                        heapq.heappush(queue, (further, next(order), other, used | carrier, longer))
        return []

    def _moves(self, one: int, two: int, carrier: Cells) -> list[tuple[HexMove, Cells | None]]:
        """Moves that join two anchors within parts of a carrier, with these parts.

        None stands for more than one part, of which some other is left where one is broken.

        There are two that share no cell, or else more that have none common to all; none if there
        are no such moves.
        """
        halves: list[Half] = []
        for number, cell in enumerate(self.board):
            if cell in carrier:
                pairs = itertools.product(self._plans(one, number), self._plans(two, number))
                halves += [
                    (cell, mine | yours | {cell}, len(mine) ** 2 + len(yours) ** 2)
                    for mine, yours in pairs
                    if not mine & yours and cell not in mine | yours and mine | yours <= carrier
                ]
        halves.sort(key=lambda half: (len(half[1]), half[2], half[0]))
        # Of the moves that begin the same plan the one in the middle says most.
        apart = [
            (len(first[1] | second[1]), first[2] + second[2], n, m)
            for (n, first), (m, second) in itertools.combinations(enumerate(halves), 2)
            if not first[1] & second[1]
        ]
        if apart:
            return [halves[n][:2] for n in min(apart)[2:]]
        parts: dict[HexMove, list[Cells]] = {}
        for cell, part, _ in halves:
            parts.setdefault(cell, []).append(part)
        # What is in all parts of a move must be left for it to join the ends.
        common = [
            (cell, NO_CELLS.union(some[0]).intersection(*some), 0) for cell, some in parts.items()
        ]
        for some in (halves[:MOST_HALVES], common):
            groups = list(filter(None, (_apart(half, some) for half in some)))
            if groups:
                return [
                    (cell, part if part in parts[cell] else None)
                    for cell, part in min(groups, key=len)
                ]
        return []

    # ---- names

    def _link(self, one: int, two: int, carrier: Cells) -> HexLink:
        """A link in words that players use."""
        moves = self._moves(one, two, carrier)
        first, second = self._ends(one, two, carrier, {cell for cell, _ in moves})
        template = False
        if isinstance(first, str) != isinstance(second, str):
            stone, edge = (second, first) if isinstance(first, str) else (first, second)
            assert isinstance(stone, HexMove)
            template = self._holds({stone}, stone, edge, carrier, NO_CELLS)
        touches = all(self._touch(end, carrier) for end in (first, second))
        link = HexLink(first, second, carrier, (), template, touches)
        if link.is_bridge or template:
            return link
        ways = tuple(self._way((first, second), move, moves) for move in moves)
        return replace(link, ways=ways)

    def _touch(self, end: End, carrier: Cells) -> bool:
        """Whether all these cells lie at an edge, or beside the chain of a stone."""
        if isinstance(end, str):
            return all(at_edge(cell, end, self.position.game.size) for cell in carrier)
        chain = self.chain(end)
        return all(chain & set(around(cell)) for cell in carrier)

    def _way(
        self,
        ends: tuple[End, End],
        move: tuple[HexMove, Cells | None],
        moves: Sequence[tuple[HexMove, Cells | None]],
    ) -> HexWay:
        """One of the moves that make a link, with the links that are left after it."""
        cell, part = move
        if part is None:
            return HexWay(cell, several=True)
        # It is made where the other side has taken a cell that only the other moves need.
        others = NO_CELLS.union(*(cells or {key} for key, cells in moves if key != cell))
        links = self._inner(ends, cell, part - {cell}, self.captured - others)
        return HexWay(cell, links, beside=self._beside(ends, cell) if links == () else None)

    def _beside(self, ends: tuple[End, End], cell: HexMove) -> HexMove | None:
        """The stone by which a move reaches an edge; None where it lies there, or has no edge."""
        size = self.position.game.size
        edges = [end for end in ends if isinstance(end, str) and not at_edge(cell, end, size)]
        for edge in edges:
            for stone in sorted(set(around(cell)) & self.stones):
                if any(at_edge(one, edge, size) for one in self.chain(stone)):
                    return stone
        return None

    def _inner(
        self, ends: tuple[End, End], cell: HexMove, carrier: Cells, captured: Cells
    ) -> tuple[HexLink, ...] | None:
        """The links that are left between two ends after a move; None if they are not found."""
        if self.depth >= DEEPEST:
            return None
        after = placed(self.position, self.colour, cell)
        return _row(after, self.colour, ends, carrier, captured - {cell}, self.depth + 1)

    def _ends(
        self, one: int, two: int, carrier: Cells, moves: Iterable[HexMove]
    ) -> tuple[End, End]:
        """The stones of two anchors that a link joins, or the names of edges.

        An edge's anchor has stones, too: they are named where the link holds without the others.
        """
        choices = [self._names(index, carrier, set(moves)) for index in (one, two)]
        for first, second in itertools.product(*choices):
            start, other = (first, second) if isinstance(first, HexMove) else (second, first)
            if not isinstance(start, HexMove) or [[first], [second]] == choices:
                break
            stones = set(self.stones)
            for index, end in ((one, first), (two, second)):
                if isinstance(end, HexMove):
                    stones -= set(self._stones_of(index, carrier)) - self.chain(end)
            if self._holds(stones, start, other, carrier, self.filled):
                return first, second
        return choices[0][-1], choices[1][-1]

    def _names(self, index: int, carrier: Cells, moves: set[HexMove]) -> list[End]:
        """What an end at an anchor may be called: a stone; or an edge, after a stone or two of it.

        A stone is named where it has all cells of the link beside it, or a move that makes it. If
        the link needs cells at the edge, it is the edge that is reached.
        """
        stones, edge = self._stones_of(index, carrier), self._edge(index)
        if edge is None:
            return [stones[0]]
        size = self.position.game.size
        uses_edge = any(at_edge(cell, edge, size) for cell in carrier)

        def rank(stone: HexMove) -> int:
            beside = set(around(stone))
            if carrier <= beside:
                return 0
            if len(carrier) == BRIDGE or uses_edge:
                return 3
            return 1 if beside & moves else 2 if beside & carrier else 3

        ranked = sorted((rank(stone), n) for n, stone in enumerate(stones))
        return [*[stones[n] for place, n in ranked if place < 3][:MOST_NAMED], edge]

    def _edge(self, index: int) -> str | None:
        """The name of an anchor that is an edge."""
        beyond = self._anchors[index] - len(self.board)
        return EDGES[self.colour][beyond] if beyond >= 0 else None

    def _stones_of(self, index: int, carrier: Cells) -> list[HexMove]:
        """The stones of an anchor, first those that are beside most cells of a carrier."""
        numbers = np.flatnonzero(self.memory[h_search.POINT_OF] == self._anchors[index])
        stones = [self.board[n] for n in numbers if self.board[n] in self.stones]
        return sorted(stones, key=lambda stone: -len(carrier & set(around(stone))))

    def chain(self, stone: HexMove) -> set[HexMove]:
        """The stones that touch each other, with this one."""
        chain, left = {stone}, [stone]
        while left:
            found = set(around(left.pop())) & self.stones - chain
            chain |= found
            left += found
        return chain

    def _holds(
        self, stones: set[HexMove], one: HexMove, two: End, carrier: Cells, filled: Cells
    ) -> bool:
        """Whether a stone is joined to another one, or to an edge, by these stones alone."""
        size = self.position.game.size
        word = sum(1 << cell.row * size + cell.column for cell in stones)
        red, blue = (word, 0) if self.colour == "red" else (0, word)
        reduced = replace(self.position, red=red, blue=blue)
        within = _Within(reduced, self.colour, carrier, filled)
        if within.connected:
            return False
        first, second = within.point_of(one), within.point_of(two)
        return first == second or bool(within.simplest(first, second))


def _apart(first: Half, halves: Sequence[Half]) -> list[tuple[HexMove, Cells]]:
    """Some moves, this one first, whose parts have no cell common to all; empty if none are found.

    The next is always one that leaves the fewest common cells.
    """
    group, common = [first[:2]], first[1]
    while common and len(group) < MOST_WAYS:
        taken = {cell for cell, _ in group}
        left = [half for half in halves if half[0] not in taken]
        best = min(left, key=lambda half: len(common & half[1]), default=None)
        if best is None or common <= best[1]:
            return []
        group.append(best[:2])
        common &= best[1]
    return [] if common else group


def at_edge(cell: HexMove, edge: str, size: int) -> bool:
    """Whether a cell lies at an edge."""
    along = cell.row if edge in EDGES["red"] else cell.column
    return along == (0 if edge in ("top", "left") else size - 1)


def _cost(carrier: Cells) -> int:
    """How simple a link is: a bridge costs least, and two of them less than anything larger."""
    return 1 + max(len(carrier) - BRIDGE, 0) ** 2


def around(cell: HexMove) -> Iterator[HexMove]:
    """The places beside a cell, some of which may lie outside the board."""
    for row, column in NEIGHBOURS:
        yield HexMove(cell.row + row, cell.column + column)
