"""The links of a connection in Hex: which stones it goes by, and what joins each to the next.

H-search proves that a side is connected within some empty cells, its carrier, but not by what.
Here the plans within the carrier are found once more, and the simplest way from edge to edge is
taken: bridges before anything else, and no two links that need the same cell.

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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clauseboard.games.hex import h_search
from clauseboard.games.hex.chains import EDGES, Cells, Workspace, cells_in, find_connections
from clauseboard.games.hex.encoding import SIDES, boards_of
from clauseboard.games.hex.rules import HexMove, HexPosition, cells_of

NEIGHBOURS = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))

BRIDGE = 2
"""A carrier of so many cells is a bridge."""

MOST_TRIED = 5_000
"""Beginnings of ways from edge to edge that are looked at."""

NO_CELLS = Cells()

Step = tuple[int, int, Cells]
"""A link as the numbers of its two anchors, and its carrier."""


@dataclass(frozen=True)
class HexLink:
    """Two ends, stones or edges, that are joined whatever the other side does.

    `carrier` are the empty cells that the link needs. `keys` are two moves each of which joins the
    ends, within cells of their own: the other side can take one of them only. Where it is not as
    simple as that, there are none. In a `template` a stone needs no other to reach the edge.
    """

    first: HexMove | str
    second: HexMove | str
    carrier: Cells
    keys: tuple[HexMove, ...] = ()
    template: bool = False

    @property
    def how(self) -> str:
        """What joins the ends: a bridge, an edge template, or one of two moves."""
        cells = sorted(self.carrier)
        if len(cells) == BRIDGE and cells[1] in around(cells[0]):
            return f"the bridge {cells[0]}/{cells[1]}"
        if self.template:
            stone = self.second if isinstance(self.first, str) else self.first
            return f"the edge template of {stone}"
        return " or ".join(map(str, self.keys)) or f"a plan of {len(cells)} cells"

    def __str__(self) -> str:
        ends = (
            f"the {end}" if isinstance(end, str) else str(end) for end in (self.first, self.second)
        )
        return f"{' to '.join(ends)} by {self.how}"


def links_text(links: Sequence[HexLink]) -> str:
    """Links in words, from edge to edge."""
    return ", ".join(map(str, links))


@functools.lru_cache(maxsize=16)
def winning_links(position: HexPosition, colour: str) -> tuple[HexLink, ...]:
    """The links of a side that is connected from edge to edge, from its first edge on.

    None where it is not, where its stones touch both edges, and where no row of links is found.
    """
    own = find_connections(position)[colour]
    # A chain may be one only with the cells that it has captured.
    for carrier in (Cells(),) if own.has_chain else own.full:
        plain = _Within(position, colour, carrier | own.captured)
        links = plain.links() or _Within(position, colour, carrier, own.captured).links()
        if links:
            return links
    return ()


class _Within:
    """The plans of a side within a carrier, between its chains and edges.

    An anchor is a chain or an edge; a chain that touches an edge is part of the edge's. Cells that
    are `captured` count as stones; what joins real stones there are plans of their own.
    """

    def __init__(
        self, position: HexPosition, colour: str, carrier: Cells, captured: Cells = NO_CELLS
    ) -> None:
        self.position, self.colour, self.captured = position, colour, captured
        size, side = position.game.size, SIDES.index(colour)
        self.board = cells_of(size)
        stones = position.red if side == 0 else position.blue
        self.stones = {cell for n, cell in enumerate(self.board) if stones >> n & 1}
        cells = np.zeros((2, h_search.WORDS), np.uint64)
        for row, some in enumerate((carrier, captured)):
            for cell in some:
                number = cell.row * size + cell.column
                cells[row, number // 64] |= np.uint64(1 << number % 64)
        room = Workspace(size)
        self.memory = room.sides[side]
        self.connected = h_search.find_plans_within(
            boards_of(position.game, [position])[0], size, side, cells, room.board, self.memory
        )

    def links(self) -> tuple[HexLink, ...]:
        """The simplest row of links from edge to edge that share no cell; empty without any."""
        if self.connected == h_search.CONNECTED:
            return ()  # then there are no anchors
        first, last = self._anchors[-2:]
        links = tuple(self._link(*step) for step in self._simplest(first, last))
        if self.captured and links:
            links = self._with_captured(links)
        whole = len(links) == 1 and not links[0].keys
        return () if whole else links

    def _with_captured(self, links: Sequence[HexLink]) -> tuple[HexLink, ...]:
        """Links with those between them that need captured cells only; empty if one is missing."""
        inner = _Within(self.position, self.colour, self.captured)
        found: list[HexLink] = []
        ends = [
            EDGES[self.colour][0],
            *(end for link in links for end in (link.first, link.second)),
        ]
        ends.append(EDGES[self.colour][1])
        for link, (before, after) in zip(
            (*links, None), zip(ends[::2], ends[1::2], strict=True), strict=True
        ):
            one, two = inner.point_of(before), inner.point_of(after)
            if one != two:
                steps = inner._simplest(one, two)
                if not steps:
                    return ()
                found += [inner._link(*step) for step in steps]
            if link is not None:
                found.append(link)
        return tuple(found)

    def point_of(self, end: HexMove | str) -> int:
        """The point of a stone or of an edge."""
        if isinstance(end, str):
            return len(self.board) + EDGES[self.colour].index(end)
        return int(self.memory[h_search.POINT_OF][self.board.index(end)])

    # ---- plans

    @property
    def _anchors(self) -> list[int]:
        count = int(self.memory[h_search.N_ANCHORS][0])
        return [int(point) for point in self.memory[h_search.ANCHORS][:count]]

    def _plans(self, index: int, point: int) -> tuple[Cells, ...]:
        """The carriers that join an anchor to a point."""
        count = self.memory[h_search.FULL_COUNTS][index, point]
        rows = self.memory[h_search.FULL][index, point, :count]
        return tuple(cells_in(self.position.game, row) for row in rows)

    def _simplest(self, first: int, last: int) -> list[Step]:
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

    def _keys(self, one: int, two: int, carrier: Cells) -> tuple[HexMove, ...]:
        """Two moves that join two anchors within parts of a carrier that share no cell."""
        halves = []
        for number, cell in enumerate(self.board):
            if cell in carrier:
                pairs = itertools.product(self._plans(one, number), self._plans(two, number))
                halves += [
                    (cell, mine | yours | {cell}, len(mine) ** 2 + len(yours) ** 2)
                    for mine, yours in pairs
                    if not mine & yours and cell not in mine | yours and mine | yours <= carrier
                ]
        # Of the moves that begin the same plan the one in the middle says most.
        both = [
            (len(first[1] | second[1]), first[2] + second[2], first[0], second[0])
            for first, second in itertools.combinations(halves, 2)
            if not first[1] & second[1]
        ]
        return min(both)[2:] if both else ()

    # ---- names

    def _link(self, one: int, two: int, carrier: Cells) -> HexLink:
        first, second = self._end(one, two, carrier), self._end(two, one, carrier)
        template = len(carrier) > BRIDGE and isinstance(first, str) != isinstance(second, str)
        if template:
            stone, edge = (second, first) if isinstance(first, str) else (first, second)
            assert isinstance(stone, HexMove)
            template = self._holds({stone}, stone, edge, carrier, NO_CELLS)
        return HexLink(first, second, carrier, self._keys(one, two, carrier), template)

    def _end(self, index: int, other: int, carrier: Cells) -> HexMove | str:
        """The stone of an anchor that a link begins at, or the name of an edge."""
        point, n_cells = self._anchors[index], len(self.board)
        nearest = self._nearest(index, carrier)
        if point < n_cells:
            return nearest[0] if nearest else self.board[point]
        edge, size = EDGES[self.colour][point - n_cells], self.position.game.size
        at_the_edge = any(at_edge(cell, edge, size) for cell in carrier)
        others = self._nearest(other, carrier)
        for stone in nearest:
            # It may begin at a stone that is joined to the edge, if it needs nothing else there.
            beside = carrier & set(around(stone))
            if not beside or (at_the_edge and beside != carrier):
                continue
            stones = {*self._chain(stone), *(self._chain(others[0]) if others else ())}
            beyond = self._anchors[other] - n_cells
            ends: list[HexMove | str] = [*others[:1]]
            ends += EDGES[self.colour][beyond : beyond + 1] if beyond >= 0 else ()
            if any(self._holds(stones, stone, end, carrier, self.captured) for end in ends):
                return stone
        return edge

    def _nearest(self, index: int, carrier: Cells) -> list[HexMove]:
        """The stones of an anchor, first those that are beside most cells of a carrier."""
        numbers = np.flatnonzero(self.memory[h_search.POINT_OF] == self._anchors[index])
        stones = [self.board[n] for n in numbers if self.board[n] in self.stones]
        return sorted(stones, key=lambda stone: -len(carrier & set(around(stone))))

    def _chain(self, stone: HexMove) -> set[HexMove]:
        """The stones that touch each other, with this one."""
        chain, left = {stone}, [stone]
        while left:
            found = set(around(left.pop())) & self.stones - chain
            chain |= found
            left += found
        return chain

    def _holds(
        self,
        stones: set[HexMove],
        one: HexMove,
        two: HexMove | str,
        carrier: Cells,
        captured: Cells,
    ) -> bool:
        """Whether a stone is joined to another one, or to an edge, without any other stones."""
        size = self.position.game.size
        word = sum(1 << cell.row * size + cell.column for cell in stones)
        red, blue = (word, 0) if self.colour == "red" else (0, word)
        reduced = replace(self.position, red=red, blue=blue)
        within = _Within(reduced, self.colour, carrier, captured)
        first, second = within.point_of(one), within.point_of(two)
        return first == second or bool(within._simplest(first, second))


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
