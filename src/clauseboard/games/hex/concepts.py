"""The concepts of Hex: what players of this game count, and how they say it.

`concept_kernels` counts them for searches; `cells` says which cells they are about. Both look at
the board through `h_search`: bridges, edge templates and other sure connections count as joined.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.concepts import Concept, listed, number_word
from clauseboard.games.hex import concept_kernels, h_search
from clauseboard.games.hex.cell_sets import LARGEST
from clauseboard.games.hex.chains import (
    EDGES,
    SideConnections,
    find_connections,
)
from clauseboard.games.hex.concept_kernels import FAR, NAMES
from clauseboard.games.hex.encoding import SIDES, boards_of
from clauseboard.games.hex.rules import HexMove, HexPosition, cells_of

CONCEPTS: tuple[Concept, ...] = (
    Concept(
        "open",
        "board",
        "has {n} tenths of the board left",
        shared="{n} {tenth|tenths} of the board",
        levels=(4, 5, 6, 7, 8, 9),
        context=True,
    ),
    Concept(
        "needs",
        "moves needed",
        "needs {n} more {move|moves}",
        none="is connected",
        ahead="needs {n} {move|moves} more",
        levels=(1, 2, 3, 4, 5, 6),
        leads=(1, 2, 3, 4),
        good=-1,
    ),
    Concept(
        "ways",
        "ways",
        "has {n} {cell|cells} to choose from for each move that it needs",
        ahead="has {n} more {cell|cells} to choose from for each move that it needs",
        levels=(2, 3, 4, 6, 8, 12),
        leads=(1, 2, 4, 6, 8),
        good=1,
    ),
    Concept(
        "second way",
        "second way",
        "needs {n} {move|moves} by its second-best ways",
        ahead="needs {n} {move|moves} more by its second-best ways",
        levels=(1, 2, 3, 4, 5, 6, 7, 8),
        leads=(1, 2, 3, 4, 6),
        good=-1,
    ),
    Concept(
        "flow",
        "resistance",
        "has a flow of {n} through the board",
        ahead="has {n} {step|steps} more flow through the board",
        levels=(16, 24, 28, 32, 36, 40, 48),
        leads=(1, 2, 3, 4, 6, 8, 12, 16),
        good=1,
    ),
    Concept(
        "edges",
        "edges",
        "has stones connected to {n} {edge|edges}",
        ahead="has stones connected to {n} {edge|edges} more",
        levels=(1, 2),
        leads=(1, 2),
        good=1,
    ),
    Concept(
        "span",
        "span",
        "has connected stones across {n} {row|rows}",
        ahead="has connected stones across {n} more {row|rows}",
        levels=(3, 4, 5, 6, 7, 8, 9),
        leads=(1, 2, 3, 4, 6),
        good=1,
    ),
    Concept(
        "threats",
        "threats",
        "threatens to connect in {n} {way|ways}",
        levels=(1, 2, 4, 8, 12),
        leads=(1, 4),
        good=1,
    ),
    Concept(
        "answers",
        "must-play",
        "has {n} {answer|answers} left",
        none="has no answer left",
        levels=(1, 2, 3, 4, 6, 8, 12),
        good=1,
    ),
    Concept(
        "free",
        "must-play",
        "faces no threat",
        none="faces a threat",
        fact="{side} faces no threat",
        levels=(1,),
        exact=True,
        good=1,
    ),
    Concept(
        "turn",
        "turn",
        "is to move",
        none="has just moved",
        fact="it is {side}'s turn",
        context=True,
        levels=(1,),
        exact=True,
        good=1,
    ),
)
"""In the order of `concept_kernels.NAMES`.

A side needs as many more moves as the shortest path from edge to edge has empty cells, where a
path goes on between points that are surely connected: 0 if it is connected already, 1 if it
connects by a move. Its ways are the cells on all such paths, for each move that is needed. By the
second-best ways the other side may take a cell each time. The flow is that of a circuit from edge
to edge, in which empty cells resist and stones hardly do; 8 steps more are twice the flow. The span
is how many rows (blue: columns) the stones of one group lie across, up to the edges that it is
connected to. A side threatens to connect if it would be connected by a move. Its answers are the
cells that all plans of the other side's threats have in common.
"""

assert tuple(concept.name for concept in CONCEPTS) == NAMES

_PLACE = {name: n for n, name in enumerate(NAMES)}


def count(positions: Sequence[HexPosition]) -> NDArray[np.int64]:
    """The numbers of both sides: positions × colours × concepts.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=5).start().play(HexMove(2, 2))
    >>> count([position])[0, :, 1].tolist()  # red is connected, blue needs two
    [0, 2]
    """
    if not positions:
        return np.zeros((0, 2, len(NAMES)), np.int64)
    game = positions[0].game
    if game.size > LARGEST:
        raise ValueError(f"Boards of {game.size} cells a side have no concepts: {LARGEST} at most.")
    sides = np.array([int(position.to_move == "blue") for position in positions], np.int64)
    return concept_kernels.counted(boards_of(game, positions), sides, game.size)


def decided(position: HexPosition) -> tuple[str, str] | None:
    """The side that has won by its connections, and a sentence; None if nothing is proven.

    >>> from clauseboard.game import load_game
    >>> decided(load_game("hex", size=5).start().play(HexMove(2, 2)))
    ('red', 'red is connected from top to bottom')
    """
    if position.game.size > LARGEST or position.may_swap or position.may_be_swapped:
        return None
    mover, other = position.to_move, position.game.other(position.to_move)
    first, second = count([position])[0][:, _PLACE["needs"]].tolist()
    needs = {"red": first, "blue": second}
    for side in (mover, other):
        if needs[side] == 0:
            return side, f"{side} is connected from {' to '.join(EDGES[side])}"
    return (mover, f"{mover} connects by a move") if needs[mover] == 1 else None


# ---- which cells a concept speaks of


class _HexSide:
    """A board as one side sees it: its distances, currents and groups."""

    def __init__(self, position: HexPosition, colour: str) -> None:
        size, side = position.game.size, SIDES.index(colour)
        scratch = concept_kernels.new_scratch(size)
        counts = np.zeros(2 * len(NAMES), np.int64)
        to_move = SIDES.index(position.to_move)
        board = boards_of(position.game, [position])[0]
        concept_kernels.count_concepts(board, size, to_move, scratch, counts)
        self.position, self.size, self.side = position, size, side
        self.counts = counts.reshape(2, -1)[side]
        self.sides = find_connections(position)
        self.own: SideConnections = self.sides[colour]
        self.other: SideConnections = self.sides[position.game.other(colour)]
        self.distances = scratch[concept_kernels.DISTANCES][side]
        self.voltages = scratch[concept_kernels.VOLTAGES][side]
        self.memory = scratch[concept_kernels.RED_PLANS + side]
        self.free = [n for n in range(size * size) if self._is_free(scratch, n)]

    def _is_free(self, scratch: tuple[NDArray[np.int8], ...], cell: int) -> bool:
        board = scratch[concept_kernels.BOARD].reshape(self.size + 2, -1)
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
                if self._joined(chains[one].cells[0], chains[two].cells[0]):
                    first, second = (next(g for g in groups if n in g) for n in (one, two))
                    if first is not second:
                        first |= second
                        groups.remove(second)
        return max(
            ([cell for n in group for cell in chains[n].cells] for group in groups),
            key=self._span,
            default=[],
        )

    def _joined(self, one: HexMove, two: HexMove) -> bool:
        point_of, anchor_of = self.memory[h_search.POINT_OF], self.memory[h_search.ANCHOR_OF]
        first, second = (int(point_of[c.row * self.size + c.column]) for c in (one, two))
        if first == second:
            return True
        if max(first, second) >= self.size**2:
            return False  # an edge does not make a group of what touches it
        counts = self.memory[h_search.FULL_COUNTS]
        return any(
            anchor_of[a] >= 0 and counts[anchor_of[a], b] > 0
            for a, b in ((first, second), (second, first))
        )

    def _span(self, cells: list[HexMove]) -> int:
        joined = {
            edge for chain in self.own.chains if chain.cells[0] in cells for edge in chain.joined
        }
        along = [cell.row if self.side == 0 else cell.column for cell in cells]
        first, second = EDGES[self.own.colour]
        low = 0 if first in joined else min(along)
        return (self.size - 1 if second in joined else max(along)) - low + 1

    def threats(self) -> Iterable[HexMove]:
        """The cells that all plans to connect by a move have in common, or else the first plan."""
        if self.own.is_won or not self.own.half:
            return self.winning() if self.own.is_won else ()
        return frozenset.intersection(*self.own.half) or self.own.half[0]

    def answers(self) -> Iterable[HexMove]:
        """The cells in which the other side's threats can be answered."""
        if self.other.is_won or not self.other.half:
            return ()
        return frozenset.intersection(*self.other.half)


_CELLS: dict[str, Callable[[_HexSide], Iterable[int | HexMove]]] = {
    "needs": _HexSide.path,
    "ways": _HexSide.path,
    "second way": lambda side: side.path(2, 3),
    "flow": _HexSide.currents,
    "edges": _HexSide.best_chains,
    "span": _HexSide.group,
    "threats": _HexSide.threats,
    "answers": _HexSide.answers,
}


@functools.lru_cache(maxsize=8)
def _seen(position: HexPosition, colour: str) -> _HexSide:
    return _HexSide(position, colour)


def cells(position: HexPosition, concept: str, colour: str) -> tuple[str, ...]:
    """The cells that a concept speaks of on a position, for one side.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=4).read_position("..../.R../..B./.... red")
    >>> cells(position, "edges", "red")
    ('b2',)
    """
    speaks_of = _CELLS.get(concept)
    if speaks_of is None:  # the turn, how much of the board is open
        return ()
    side = _seen(position, colour)
    return side.named(speaks_of(side))


# ---- sentences


def line_text(
    position: HexPosition,
    line: str,
    side: str,
    ours: NDArray[np.int64],
    theirs: NDArray[np.int64],
) -> str:
    """The sentence of a line that speaks for a side; empty where its numbers do not.

    `ours` and `theirs` have the counts of that side and of the other one.
    """
    other = position.game.other(side)
    mine = {name: int(ours[n]) for name, n in _PLACE.items()}
    yours = {name: int(theirs[n]) for name, n in _PLACE.items()}
    writer = _SENTENCES.get(line)
    return "" if writer is None else writer(position, side, other, mine, yours)


Numbers = dict[str, int]


def _needs(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    n, m = mine["needs"], yours["needs"]
    if n > m or (n == m and not mine["turn"]):
        return ""
    if n == 0:
        return f"{side} is connected from {' to '.join(EDGES[side])}"
    if n == 1 and mine["turn"]:
        return f"{side} connects by a move"
    words = f"{side} needs {_moves(n)}, {other} {number_word(m)}"
    return f"{words}, and it is {side}'s turn" if n == m else words


def _second_way(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    n, m = mine["second way"], yours["second way"]
    if n >= m:
        return ""
    if m >= FAR:
        return f"{other} has only one way left"
    return f"by its second-best ways {side} needs {_moves(n)}, {other} {number_word(m)}"


def _ways(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    n, m = mine["ways"], yours["ways"]
    if n <= m:
        return ""
    if not mine["needs"]:
        return f"{side} needs no way any more"
    return (
        f"for each move that it needs {side} has {number_word(n)} {'cell' if n == 1 else 'cells'} "
        f"to choose from, {other} {number_word(m)}"
    )


def _resistance(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    lead = mine["flow"] - yours["flow"]
    if lead <= 0:
        return ""
    if not mine["needs"]:
        return f"nothing resists {side} any more"
    if not yours["flow"]:
        return f"{other} has no way through the board"
    times = 2 ** (lead / concept_kernels.STEPS_A_DOUBLING)
    return f"{side}'s ways through the board are {times:.1f} times as wide as {other}'s"


def _edges(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    if mine["edges"] <= yours["edges"]:
        return ""
    own = _seen(p, side).own
    if own.is_won:
        return f"{side} is connected to both edges"
    chain = max(own.chains, key=lambda c: (len(c.joined), len(c.cells)), default=None)
    if chain is None or not chain.joined:
        return ""
    edges = [edge for edge in EDGES[side] if edge in chain.joined]
    return f"{side}'s {_chain_name(chain.cells)} is connected to the {listed(edges)}"


def _span(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    n, m = mine["span"], yours["span"]
    if n <= m:
        return ""
    row, rows = ("row", "rows") if side == "red" else ("column", "columns")
    rest = f", {other}'s across {number_word(m)}" if m else ""
    across = f"{number_word(n)} {row if n == 1 else rows}"
    return f"{side}'s connected stones lie across {across}{rest}"


def _threats(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    if mine["threats"] <= yours["threats"]:
        return ""
    if not mine["needs"]:
        return f"{side} is connected"
    where = cells(p, "threats", side)
    return f"{side} threatens to connect through {listed(where[:4])}"


def _must_play(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    n = yours["answers"]
    if n >= FAR or n >= mine["answers"]:
        return ""
    if n == 0:
        return f"{other} has no answer left"
    where = cells(p, "answers", other)
    if n > 4:
        return f"{other} has {number_word(n)} answers left"
    return (
        f"{other} must play {' or '.join([', '.join(where[:-1]), where[-1]] if n > 1 else where)}"
    )


def _turn(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    return f"it is {side}'s turn" if mine["turn"] else ""


_SENTENCES: dict[str, Callable[[HexPosition, str, str, Numbers, Numbers], str]] = {
    "moves needed": _needs,
    "second way": _second_way,
    "ways": _ways,
    "resistance": _resistance,
    "edges": _edges,
    "span": _span,
    "threats": _threats,
    "must-play": _must_play,
    "turn": _turn,
}


def _moves(n: int) -> str:
    return f"{number_word(n)} {'move' if n == 1 else 'moves'}"


def _chain_name(chain: Sequence[HexMove]) -> str:
    """A stone, or the ends of a chain.

    >>> _chain_name([HexMove(2, 2), HexMove(4, 3)])
    'chain c3-d5'
    """
    return f"stone {chain[0]}" if len(chain) == 1 else f"chain {chain[0]}-{chain[-1]}"
