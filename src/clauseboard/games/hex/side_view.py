"""A board of Hex as one side sees it: its chains, paths, currents, ladders and threats.

`concept_kernels` counts them; this says which cells they are, for pictures and sentences.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from clauseboard.games.hex import concept_kernels, h_search
from clauseboard.games.hex.chains import (
    EDGES,
    Cells,
    HexChain,
    SideConnections,
    Workspace,
    cells_in,
    find_connections,
    numbers_in,
    with_stone,
)
from clauseboard.games.hex.concept_kernels import FAR, NAMES
from clauseboard.games.hex.encoding import SIDES, boards_of
from clauseboard.games.hex.rules import HexMove, HexPosition, cells_of

THIRD_LINE = 2
"""The third line from an edge, counted from 0."""


@dataclass(frozen=True)
class Ladder:
    """A ladder that a side can run: along which edge, the cells of its steps, and an escape."""

    edge: str
    cells: tuple[HexMove, ...]
    escape: HexMove | None


class HexSide:
    """A board as one side sees it: its distances, currents and groups."""

    def __init__(self, position: HexPosition, colour: str) -> None:
        size, side = position.game.size, SIDES.index(colour)
        scratch = concept_kernels.new_scratch(size)
        counts = np.zeros(2 * len(NAMES), np.int64)
        to_move = SIDES.index(position.to_move)
        self.stones = boards_of(position.game, [position])[0]
        concept_kernels.count_concepts(self.stones, size, to_move, scratch, counts)
        self.position, self.size, self.side = position, size, side
        self.counts = counts.reshape(2, -1)[side]
        self.sides = find_connections(position)
        self.own: SideConnections = self.sides[colour]
        self.other: SideConnections = self.sides[position.game.other(colour)]
        self.distances = scratch[concept_kernels.DISTANCES][side]
        self.voltages = scratch[concept_kernels.VOLTAGES][side]
        self.memory = scratch[concept_kernels.RED_PLANS + side]
        self.board = scratch[concept_kernels.BOARD]
        self.free = [n for n in range(size * size) if self._is_free(n)]

    def _is_free(self, cell: int) -> bool:
        board = self.board.reshape(self.size + 2, -1)
        return int(board[cell // self.size + 1, cell % self.size + 1]) == h_search.FREE

    def named(self, cells: Iterable[int | HexMove]) -> tuple[str, ...]:
        """Cells by their names, in the order of the board."""
        board = cells_of(self.size)
        moves = {cell if isinstance(cell, HexMove) else board[cell] for cell in cells}
        return tuple(str(move) for move in sorted(moves))

    def path(self, first: int = 0, second: int = 1) -> Iterable[int | HexMove]:
        """The empty cells on shortest paths, or those that a connection needs."""
        if self.own.is_won:
            return self.winning()
        one, two = self.distances[first], self.distances[second]
        reached = [n for n in self.free if one[n] < FAR and two[n] < FAR]
        least = min((one[n] + two[n] for n in reached), default=0)
        return [n for n in reached if one[n] + two[n] == least]

    def winning(self) -> Iterable[HexMove]:
        """The cells that carry a sure connection from edge to edge, or else the stones."""
        carrier = self.own.full[0] if self.own.full else frozenset()
        return carrier or self.own.filled

    def needed(self) -> Cells:
        """All empty cells that a sure connection from edge to edge relies on."""
        return (self.own.full[0] if self.own.full else Cells()) | self.own.captured

    def currents(self) -> Iterable[int | HexMove]:
        """The empty cells through which most of the current flows."""
        if self.own.is_won:
            return self.winning()
        through = {n: self._current(n) for n in self.free}
        most = max(through.values(), default=0.0)
        return [n for n, current in through.items() if current > most / 2]

    def _current(self, point: int) -> float:
        links = self.memory[h_search.LINK_TO][point, : self.memory[h_search.N_LINKS][point]]
        free = set(self.free)

        def resistance(n: int) -> float:
            return (
                concept_kernels.CELL_RESISTANCE if n in free else concept_kernels.STONE_RESISTANCE
            )

        return sum(
            abs(self.voltages[point] - self.voltages[n]) / (resistance(point) + resistance(int(n)))
            for n in links
        )

    def best_chains(self) -> Iterable[HexMove]:
        """The stones of the chains that are connected to most edges."""
        if self.own.is_won:
            return self.own.filled
        most = max((len(chain.joined) for chain in self.own.chains), default=0)
        chains = [chain for chain in self.own.chains if len(chain.joined) == most > 0]
        return [cell for chain in chains for cell in chain.cells]

    def group(self) -> Iterable[HexMove]:
        """The stones of the group that lies across most rows."""
        if self.own.is_won:
            return self.own.filled
        chains = self.own.chains
        groups = [{n} for n in range(len(chains))]
        for one in range(len(chains)):
            for two in range(one):
                if self.joined(chains[one].cells[0], chains[two].cells[0]):
                    first, second = (next(g for g in groups if n in g) for n in (one, two))
                    if first is not second:
                        first |= second
                        groups.remove(second)
        return max(
            ([cell for n in group for cell in chains[n].cells] for group in groups),
            key=self._span,
            default=[],
        )

    def joined(self, one: HexMove, two: HexMove) -> bool:
        """Whether two stones are surely connected with each other."""
        first, second = self._point(one), self._point(two)
        if first != second and max(first, second) >= self.size**2:
            return False  # an edge does not make a group of what touches it
        return first == second or self.carrier(one, two) is not None

    def carrier(self, one: HexMove, two: HexMove) -> Cells | None:
        """The fewest cells that connect two stones; None where they are not surely connected."""
        for first, second in itertools.permutations((self._point(one), self._point(two))):
            anchor = self.memory[h_search.ANCHOR_OF][first]
            if anchor >= 0 and self.memory[h_search.FULL_COUNTS][anchor, second]:
                return cells_in(self.position.game, self.memory[h_search.FULL][anchor, second, 0])
        return None

    def _point(self, stone: HexMove) -> int:
        return int(self.memory[h_search.POINT_OF][stone.row * self.size + stone.column])

    def edges_of(self, cells: Iterable[HexMove]) -> list[str]:
        """The edges that a group of stones is connected to."""
        chains = [chain for chain in self.own.chains if chain.cells[0] in cells]
        joined = {edge for chain in chains for edge in chain.joined}
        return [edge for edge in EDGES[self.own.colour] if edge in joined]

    def _span(self, cells: list[HexMove]) -> int:
        joined = self.edges_of(cells)
        along = [cell.row if self.side == 0 else cell.column for cell in cells]
        first, second = EDGES[self.own.colour]
        low = 0 if first in joined else min(along)
        return (self.size - 1 if second in joined else max(along)) - low + 1

    def threats(self) -> Iterable[HexMove]:
        """The cells at which a stone connects, or else those of the first plan to do so."""
        if self.own.is_won or not self.own.half:
            return self.winning() if self.own.is_won else ()
        return self.connecting or self.own.half[0]

    def answers(self) -> Iterable[HexMove]:
        """The cells in which the other side's threats can be answered."""
        if self.other.is_won or not self.other.half:
            return ()
        return frozenset.intersection(*self.other.half)

    # ---- ladders, and what both sides need

    @functools.cached_property
    def ladder(self) -> Ladder | None:
        """The ladder that has an escape, or else the longest one; None if there is none."""
        if self.own.is_won:
            return None
        board, found = cells_of(self.size), []
        for edge, name in enumerate(EDGES[self.own.colour]):
            for step in (-1, 1):
                for start in range(self.size):
                    steps, stone = concept_kernels.run_ladder(
                        self.board, self.size, self.side, edge, start, step, self.memory
                    )
                    if steps >= concept_kernels.FEWEST_STEPS:
                        cells = (
                            concept_kernels.cell_at(self.size, self.side, edge, 1, start + step * n)
                            for n in range(steps)
                        )
                        escape = None if stone < 0 else board[stone]
                        found.append(Ladder(name, tuple(board[cell] for cell in cells), escape))
        return max(found, key=lambda one: (one.escape is not None, len(one.cells)), default=None)

    def ladder_cells(self) -> Iterable[HexMove]:
        """The cells of the ladder, and the stone that it escapes to."""
        ladder = self.ladder
        if ladder is None:
            return ()
        return (*ladder.cells, *(() if ladder.escape is None else (ladder.escape,)))

    def escape_cells(self) -> Iterable[HexMove]:
        """The same, if the ladder has an escape."""
        return self.ladder_cells() if self.ladder and self.ladder.escape else ()

    def needed_by_both(self) -> Iterable[int | HexMove]:
        """The empty cells on shortest paths of both sides."""
        if self.own.is_won or self.other.is_won:
            return ()
        theirs = set(seen(self.position, self.other.colour).path())
        return [cell for cell in self.path() if cell in theirs]

    # ---- chains and what they still need

    @functools.cached_property
    def connecting(self) -> tuple[HexMove, ...]:
        """The cells at which a stone of this side connects it for sure; none if it is connected.

        Every empty cell is tried. First come those of the plans to connect, and of these the ones
        after which the fewest cells are needed; last those after which every reply has an answer.
        There may still be others.
        """
        if self.own.is_won:
            return ()
        room, board = Workspace(self.size), cells_of(self.size)
        planned = Cells().union(*self.own.half)
        sure = self._with_stone((board[n] for n in self.free), lambda _: (1, self.size**2))
        sure = tuple(sorted(sure, key=lambda cell: cell not in planned))
        boards = {board[n]: with_stone(self.stones, self.side, n) for n in self.free}
        rest = (cell for cell in boards if cell not in sure)
        return (*sure, *(cell for cell in rest if room.holds(boards[cell], self.side)))

    @functools.cached_property
    def needs(self) -> int:
        """How many moves this side needs at most: one where a cell is found that connects it."""
        counted = int(self.counts[concept_kernels.NEEDS])
        return 1 if counted and self.connecting else counted

    @functools.cached_property
    def nearer(self) -> Iterable[int | HexMove]:
        """The cells on shortest paths at which a stone leaves this side a move less to make."""
        if self.own.is_won:
            return self.winning()
        if self.connecting:
            return self.connecting
        path = [n for n in self.path() if isinstance(n, int)]
        boards = [with_stone(self.stones, self.side, n) for n in path]
        if not boards:
            return ()
        turns = np.full(len(boards), 1 - self.side, np.int64)
        counts = concept_kernels.counted(np.stack(boards), turns, self.size)
        left = counts[:, self.side, concept_kernels.NEEDS].tolist()
        return [n for n, needs in zip(path, left, strict=True) if needs < self.needs]

    def mending(self, chain: HexChain, edge: str) -> tuple[HexMove, ...]:
        """The cells at which a stone surely connects a chain to an edge; the same first."""
        number = chain.cells[0].row * self.size + chain.cells[0].column
        index = EDGES[self.own.colour].index(edge)
        cells = (cells_of(self.size)[n] for n in self.free)
        return self._with_stone(
            cells, lambda room: (index, int(room.sides[self.side][h_search.POINT_OF][number]))
        )

    def _with_stone(
        self, cells: Iterable[HexMove], ends: Callable[[Workspace], tuple[int, int]]
    ) -> tuple[HexMove, ...]:
        """The cells on which a stone connects an edge to a point, first those that need least."""
        room, found = Workspace(self.size), []
        for cell in cells:
            number = cell.row * self.size + cell.column
            if room.find(with_stone(self.stones, self.side, number))[self.side]:
                found.append((0, cell))
                continue
            edge, point = ends(room)
            if point == self.size**2 + edge:
                found.append((0, cell))
            elif len(plans := room.full_plans(self.side, edge, point)):
                found.append((len(numbers_in(plans[0])), cell))
        return tuple(cell for _, cell in sorted(found))

    def distance(self, chain: HexChain, edge: str) -> int:
        """How many more moves join a chain to an edge."""
        point = self._point(chain.cells[0])
        return int(self.distances[EDGES[self.own.colour].index(edge)][point])

    def needs_to(self, chain: HexChain, edge: str) -> int:
        """The same, where one move is only said to be enough if it surely joins them."""
        moves = self.distance(chain, edge)
        return moves if moves != 1 or self.mending(chain, edge) else 2

    def is_needed(self, chain: HexChain) -> bool:
        """Whether a chain is on a shortest path."""
        needs = int(self.counts[NAMES.index("needs")])
        return sum(self.distance(chain, edge) for edge in EDGES[self.own.colour]) == needs

    @functools.cached_property
    def main_chain(self) -> HexChain | None:
        """The chain on a shortest path that is connected to most edges, or the largest of these."""
        if self.own.is_won:
            return None
        on_path = [chain for chain in self.own.chains if self.is_needed(chain)]
        # A stone at an edge is on every path that ends there.
        on_path = [chain for chain in on_path if not self._is_at_edge(chain)]
        return max(on_path, key=lambda one: (len(one.joined), len(one.cells)), default=None)

    def _is_at_edge(self, chain: HexChain) -> bool:
        """Whether all stones of a chain are at an edge of this side."""
        lines = {cell.row if self.side == 0 else cell.column for cell in chain.cells}
        return lines <= {0} or lines <= {self.size - 1}


def third_line_ladder(position: HexPosition, colour: str, move: HexMove) -> Ladder | None:
    """The ladder that a move begins on the third line from an edge; None if it begins none.

    Each step threatens to connect to the edge by the cell below it ahead, and the other side takes
    that cell. (Below the second line it has other answers, too, so that these ladders are not
    counted.) Every step is played on the board, and its threat is what H-search proves there. The
    escape is the last step, if it is connected.
    """
    size, side = position.game.size, SIDES.index(colour)
    board, number = cells_of(size), move.row * size + move.column
    ladders = []
    for (edge, name), step in itertools.product(enumerate(EDGES[colour]), (-1, 1)):
        for along in range(size):
            if concept_kernels.cell_at(size, side, edge, THIRD_LINE, along) == number:
                cells, escapes = _run(position, side, edge, along, step)
                if len(cells) >= concept_kernels.FEWEST_STEPS:
                    last = board[cells[-1]] if escapes else None
                    ladders.append(Ladder(name, tuple(board[n] for n in cells), last))
    return max(ladders, key=lambda one: (one.escape is not None, len(one.cells)), default=None)


def _run(
    position: HexPosition, side: int, edge: int, along: int, step: int
) -> tuple[list[int], bool]:
    """The cells of a ladder's steps, and whether the last one is connected to the edge."""
    size = position.game.size
    stones = [position.red, position.blue]
    board = cells_of(size)

    def cell(line: int, place: int) -> int:
        return int(concept_kernels.cell_at(size, side, edge, line, place))

    def is_empty(number: int) -> bool:
        return number >= 0 and not (stones[0] | stones[1]) >> number & 1

    def reaches(number: int, *more: int) -> bool:
        """Whether the chain of a stone is connected to the edge, with some more stones."""
        own = stones[side] | sum(1 << n for n in more)
        red, blue = (own, stones[1]) if side == 0 else (stones[0], own)
        found = find_connections(dataclasses.replace(position, red=red, blue=blue))[SIDES[side]]
        chains = (chain for chain in found.chains if board[number] in chain.cells)
        name = EDGES[SIDES[side]][edge]
        return found.has_chain or any(name in chain.joined for chain in chains)

    behind = cell(THIRD_LINE - 1, along if step > 0 else along + 1)
    if behind < 0 or not stones[1 - side] >> behind & 1:
        return [], False
    steps: list[int] = []
    while is_empty(number := cell(THIRD_LINE, along)):
        if reaches(number, number):
            return [*steps, number], bool(steps)
        threat = cell(THIRD_LINE - 1, along + 1 if step > 0 else along)
        if not is_empty(threat) or not reaches(number, number, threat):
            break
        steps.append(number)
        stones[side] |= 1 << number
        stones[1 - side] |= 1 << threat
        along += step
    return steps, False


@functools.lru_cache(maxsize=16)
def seen(position: HexPosition, colour: str) -> HexSide:
    """The board as a side sees it."""
    return HexSide(position, colour)
