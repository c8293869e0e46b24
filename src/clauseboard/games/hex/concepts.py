"""The concepts of Hex: what players of this game count, and how they say it.

`concept_kernels` counts them for searches; `side_view` says which cells they are about. Both look
at the board through `h_search`: bridges, edge templates and other sure connections count as joined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.concepts import Concept, listed, number_word
from clauseboard.games.hex import concept_kernels
from clauseboard.games.hex.cell_sets import LARGEST
from clauseboard.games.hex.chains import EDGES, HexChain
from clauseboard.games.hex.concept_kernels import FAR, NAMES
from clauseboard.games.hex.encoding import boards_of
from clauseboard.games.hex.rules import HexMove, HexPosition
from clauseboard.games.hex.side_view import HexSide, Ladder, seen

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
        "needs {n} {move|moves} if blocked at every step",
        ahead="needs {n} {move|moves} more if blocked at every step",
        levels=(1, 2, 3, 4, 5, 6, 7, 8),
        leads=(1, 2, 3, 4, 6),
        good=-1,
    ),
    Concept(
        "flow",
        "resistance",
        "has ways through the board of width {n}",
        ahead="has wider ways through the board, by {n} {step|steps}",
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
        "has connected stones across {n} {line|lines}",
        ahead="has connected stones across {n} more {line|lines}",
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
        "may play anywhere",
        none="faces a threat",
        fact="{side} may play anywhere",
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
    Concept(
        "ladder",
        "ladder",
        "has a ladder of {n} steps",
        ahead="has a ladder that is longer by {n} {step|steps}",
        levels=(2, 3, 4, 6, 8),
        leads=(2, 4),
        good=1,
    ),
    Concept(
        "escape",
        "ladder",
        "has {n} {ladder|ladders} with an escape",
        levels=(1,),
        exact=True,
        good=1,
    ),
    Concept(
        "both need",
        "key cell",
        "needs {n} {cell|cells} that the other side needs, too",
        none="the sides need different cells",
        shared="some cell is needed by both sides",
        levels=(1,),
        exact=True,
        context=True,
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
cells that all plans of the other side's threats have in common: the must-play.

A ladder runs along the second line from an edge: each step threatens to connect, and the other
side answers at the edge. It has an escape if one of its steps is joined to a stone that is
connected to that edge without the cells that the other side has got on the way. The cells that
both need are on shortest paths of either side.
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


_CELLS: dict[str, Callable[[HexSide], Iterable[int | HexMove]]] = {
    "needs": HexSide.path,
    "ways": HexSide.path,
    "second way": lambda side: side.path(2, 3),
    "flow": HexSide.currents,
    "edges": HexSide.best_chains,
    "span": HexSide.group,
    "threats": HexSide.threats,
    "answers": HexSide.answers,
    "ladder": HexSide.ladder_cells,
    "escape": HexSide.escape_cells,
    "both need": HexSide.needed_by_both,
}


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
    side = seen(position, colour)
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
    if n == m:
        return f"both need {more_moves(n)}, and it is {side}'s turn"
    return f"{side} needs {more_moves(n)}, {other} {number_word(m)}"


def _second_way(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    n, m = mine["second way"], yours["second way"]
    if n >= m:
        return ""
    if m >= FAR:
        return f"blocked at every step, only {side} still gets through"
    return f"blocked at every step, {side} needs {_moves(n)}, {other} {number_word(m)}"


def _ways(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    n, m = mine["ways"], yours["ways"]
    if n <= m or not mine["needs"]:
        return f"{side} is connected" if not mine["needs"] else ""
    cell = "cell" if n == 1 else "cells"
    return f"{side} can choose from {number_word(n)} {cell} for each move, {other} {_from(m)}"


def _from(n: int) -> str:
    return f"from {number_word(n)}" if n else "from fewer"


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
    own = seen(p, side).own
    if own.is_won:
        return f"{side} is connected to both edges"
    chain = max(own.chains, key=lambda c: (len(c.joined), len(c.cells)), default=None)
    if chain is None or not chain.joined:
        return ""
    return f"{side}'s {chain_name(chain)} {joined_text(side, chain, p.game.size)}"


def _span(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    n, m = mine["span"], yours["span"]
    if n <= m:
        return ""
    across = {"red": ("row", "rows"), "blue": ("column", "columns")}
    words, theirs = across[side][n != 1], across[other][m != 1]
    rest = f", {other}'s across {number_word(m)} {theirs}" if m else ""
    return f"{side}'s connected stones reach across {number_word(n)} {words}{rest}"


def _threats(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    if mine["threats"] <= yours["threats"]:
        return ""
    if not mine["needs"]:
        return f"{side} is connected"
    at = either([str(cell) for cell in seen(p, side).connecting[:MOST_NAMED]])
    return f"{side} threatens to connect at {at}" if at else f"{side} threatens to connect"


def _must_play(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    n = yours["answers"]
    if n >= FAR and mine["answers"] >= FAR:
        return f"{side} may play anywhere"
    if n >= mine["answers"]:
        return ""
    if n == 0:
        return f"{other} has no answer left"
    if n > MOST_NAMED:
        return f"{other} must answer on one of {number_word(n)} cells"
    return f"{other} must play {either(cells(p, 'answers', other))}"


def _turn(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    return f"it is {side}'s turn" if mine["turn"] else ""


def _ladder(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    ladder = seen(p, side).ladder
    return "" if ladder is None else f"{side} has {ladder_text(ladder)}"


def _key_cell(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    named = cells(p, "both need", side)
    if not named or not mine["turn"]:
        return ""
    if len(named) > MOST_NAMED:
        return f"both need the same cells, and it is {side}'s turn"
    return f"both need {either(named)}, and it is {side}'s turn"


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
    "ladder": _ladder,
    "key cell": _key_cell,
}

MOST_NAMED = 4
"""More cells than these are not listed in a sentence."""


def _moves(n: int) -> str:
    return f"{number_word(n)} {'move' if n == 1 else 'moves'}"


def more_moves(n: int) -> str:
    """So many moves that are still needed: "two more moves"."""
    return f"{number_word(n)} more {'move' if n == 1 else 'moves'}"


def either(words: Sequence[str]) -> str:
    """Words of which one is meant.

    >>> either(["e1", "c2", "d2"])
    'e1, c2 or d2'
    """
    *before, last = words or ("",)
    return f"{', '.join(before)} or {last}" if before else last


def chain_name(chain: HexChain) -> str:
    """A stone, or the ends of a chain.

    >>> chain_name(HexChain((HexMove(2, 2), HexMove(4, 3)), {}))
    'chain c3-d5'
    """
    cells = chain.cells
    return f"stone {cells[0]}" if len(cells) == 1 else f"chain {cells[0]}-{cells[-1]}"


def joined_text(side: str, chain: HexChain, size: int) -> str:
    """What a chain is connected to, and how: "is connected to the top by a bridge"."""
    parts = []
    if len(chain.joined) == len(EDGES[side]):  # by plans that are in each other's way
        return f"can be connected to the {either(EDGES[side])}, whichever is left to it"
    for edge in EDGES[side]:
        carrier = chain.joined.get(edge)
        if carrier is not None:
            touches = not carrier and any(at_edge(cell, edge, size) for cell in chain.cells)
            # A captured pair of cells between a stone and the edge is no part of the carrier.
            by_bridge = not touches and len(carrier) in (0, BRIDGE)
            parts.append(f"{edge} by a bridge" if by_bridge else edge)
    return f"is connected to the {listed(parts)}"


def at_edge(cell: HexMove, edge: str, size: int) -> bool:
    """Whether a cell lies at an edge."""
    along = cell.row if edge in EDGES["red"] else cell.column
    return along == (0 if edge in ("top", "left") else size - 1)


BRIDGE = 2
"""A carrier of so many cells is a bridge."""


def ladder_text(ladder: Ladder) -> str:
    """A ladder in words: "a ladder along the bottom from d10 to h10, with an escape at i9"."""
    first, last = ladder.cells[0], ladder.cells[-1]
    escape = "" if ladder.escape is None else f", with an escape at {ladder.escape}"
    return f"a ladder along the {ladder.edge} from {first} to {last}{escape}"


def needs_text(position: HexPosition, side: str) -> str:
    """What both sides still need, this one first: "Red needs two more moves, Blue four"."""
    other = position.game.other(side)
    n, m = (int(seen(position, one).counts[_PLACE["needs"]]) for one in (side, other))
    if n == m:
        return f"both need {more_moves(n)}"
    return f"{side.capitalize()} needs {more_moves(n)}, {other.capitalize()} {number_word(m)}"


def standing(position: HexPosition, side: str) -> str:
    """How a side's best chain stands, and what both sides need; not for sides that are connected.

    >>> from clauseboard.game import load_game
    >>> rows = ".......", "..R....", ".......", "...B...", ".......", ".......", "......."
    >>> standing(load_game("hex", size=7).read_position("/".join(rows) + " blue"), "red")
    "Red's stone c2 is connected to the top by a bridge and needs two more moves to the bottom; \
Blue needs as many"
    """
    view, other = seen(position, side), position.game.other(side)
    chain = view.main_chain
    if chain is None:
        return needs_text(position, side)
    left = [(view.distance(chain, edge), edge) for edge in EDGES[side]]
    left = [(count, edge) for count, edge in left if count]
    if not left:
        return needs_text(position, side)
    wants = [f"{more_moves(left[0][0])} to the {left[0][1]}"]
    wants += [f"{number_word(count)} to the {edge}" for count, edge in left[1:]]
    is_joined = 0 < len(chain.joined) < len(EDGES[side])
    joined = f"{joined_text(side, chain, position.game.size)} and " if is_joined else ""
    n, m = (int(seen(position, one).counts[_PLACE["needs"]]) for one in (side, other))
    rest = f"{other.capitalize()} needs {'as many' if n == m else number_word(m)}"
    subject = f"{side.capitalize()}'s {chain_name(chain)}"
    return f"{subject} {joined}needs {listed(wants)}; {rest}"
