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
from clauseboard.games.hex.chains import EDGES, Cells, HexChain
from clauseboard.games.hex.concept_kernels import FAR, NAMES
from clauseboard.games.hex.encoding import boards_of
from clauseboard.games.hex.links import (
    BRIDGE,
    HexLink,
    around,
    at_edge,
    cells_of_links,
    in_short,
    links_between,
    links_text,
    placed,
    winning_links,
)
from clauseboard.games.hex.replies import must_answer
from clauseboard.games.hex.rules import HexMove, HexPosition
from clauseboard.games.hex.side_view import HexSide, Ladder, seen

CONCEPTS: tuple[Concept, ...] = (
    Concept(
        "open", "board", "has {n} tenths of the board left",
        shared="{n} {tenth|tenths} of the board", levels=(4, 5, 6, 7, 8, 9), context=True,
    ),
    Concept(
        "needs", "moves needed", "needs {n} more {move|moves} by sure links", none="is connected",
        ahead="needs {n} {move|moves} more by sure links", levels=(1, 2, 3, 4, 5, 6),
        leads=(1, 2, 3, 4), good=-1,
    ),
    Concept(
        "ways", "ways", "can make each move that it needs on {n} {cell|cells}",
        ahead="can make each move that it needs on {n} more {cell|cells}",
        levels=(2, 3, 4, 6, 8, 12), leads=(1, 2, 4, 6, 8), good=1,
    ),
    Concept(
        "second way", "moves needed",
        "needs {n} {move|moves} if its best cell is blocked at each step",
        ahead="needs {n} {move|moves} more if the best cell is blocked at each step",
        levels=(1, 2, 3, 4, 5, 6, 7, 8), leads=(1, 2, 3, 4, 6), good=-1,
    ),
    Concept(
        "flow", "all paths", "has a flow of {n} of 63 through the board as a circuit",
        ahead="has a flow that is greater by {n} of 63 through the board as a circuit",
        levels=(16, 24, 28, 32, 36, 40, 48), leads=(1, 2, 3, 4, 6, 8, 12, 16), good=1,
    ),
    Concept(
        "edges", "edges", "has stones connected to {n} {edge|edges}",
        ahead="has stones connected to {n} {edge|edges} more", levels=(1, 2), leads=(1, 2), good=1,
    ),
    Concept(
        "span", "span",
        "has {n} {line|lines} behind its connected stones and the edges that they reach",
        ahead="has {n} more {line|lines} behind its connected stones and the edges that they reach",
        levels=(3, 4, 5, 6, 7, 8, 9), leads=(1, 2, 3, 4, 6), good=1,
    ),
    Concept(
        "threats", "threats", "threatens to connect in {n} {way|ways}", levels=(1, 2, 4, 8, 12),
        leads=(1, 4), good=1,
    ),
    Concept(
        "answers", "must-play", "has {n} {answer|answers} left", none="has no answer left",
        levels=(1, 2, 3, 4, 6, 8, 12), good=1,
    ),
    Concept(
        "free", "must-play", "may play anywhere", none="faces a threat",
        fact="{side} may play anywhere", levels=(1,), exact=True, good=1,
    ),
    Concept(
        "turn", "turn", "is to move", none="has just moved", fact="it is {side}'s turn",
        context=True, levels=(1,), exact=True, good=1,
    ),
    Concept(
        "ladder", "ladder", "has a ladder of {n} steps",
        ahead="has a ladder that is longer by {n} {step|steps}", levels=(2, 3, 4, 6, 8),
        leads=(2, 4), good=1,
    ),
    Concept(
        "escape", "ladder", "has {n} {ladder|ladders} with an escape", levels=(1,), exact=True,
        good=1,
    ),
    Concept(
        "both need", "key cell", "needs {n} {cell|cells} that the other side needs, too",
        none="the sides need different cells", shared="some cell is needed by both sides",
        levels=(1,), exact=True, context=True,
    ),
)  # fmt: skip
"""In the order of `concept_kernels.NAMES`.

A side needs as many more moves as the shortest path from edge to edge has empty cells, where a path
goes on between points that are surely connected: 0 if it is connected already, 1 if it connects by
a move. There may be a shorter way that H-search does not find, so that sentences say "up to". Its
ways are the cells on all such paths, for each move that is needed. The second way is the
two-distance: each step from one empty cell to the next leaves a second choice. The flow is that of
a circuit from edge to edge, in which empty cells resist and stones hardly do; 8 more are twice the
flow. The span is how many rows (blue: columns) are behind one group: those that its stones lie
across, and those up to an edge that it is connected to, which it need not cross any more. A side
threatens to connect if it would be connected by a move. Its answers are the cells that all plans of
the other side's threats have in common: the must-play.

A ladder runs along the second line from an edge: each step threatens to connect, and the other side
answers at the edge. It has an escape if one of its steps is joined to a stone that is connected to
that edge without the cells that the other side has got on the way. The cells that both need are on
shortest paths of either side.
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


def proof(position: HexPosition) -> tuple[str, str, tuple[str, ...]] | None:
    """What is `decided`, with the links of the connection, or the cells of the move, by name.

    >>> from clauseboard.game import load_game
    >>> proof(load_game("hex", size=4).read_position("..../.R../..B./.... red"))[:2]
    ('red', 'red connects, for example at b3: the top to b2 by the bridge b1/c1, b3 to the bottom \
by the bridge a4/b4')
    """
    found = decided(position)
    if found is None:
        return None
    side, text = found
    view = seen(position, side)
    if view.own.is_won:
        links = winning_links(position, side)
        needed = cells_of_links(links) or view.needed()
        return side, f"{side} is {connected_text(position, side)}", view.named(needed)
    if not view.connecting:
        return side, text, ()
    # Those of plans; to make a threat elsewhere first may connect, too, but is no reason.
    planned = frozenset[HexMove]().union(*view.own.half)
    at = [cell for cell in view.connecting if cell in planned] or view.connecting
    best, links = simplest(position, side, at)
    if not links:
        return side, f"{side} connects{at_cells(list(map(str, at)))}", view.named({best})
    where = examples([str(best)]) if len(at) > 1 else at_cells([str(best)])
    told = f"{side} connects{where}: {_how(placed(position, side, best), side, links)}"
    return side, told, view.named({best, *cells_of_links(links)})


def simplest(
    position: HexPosition, side: str, at: Sequence[HexMove]
) -> tuple[HexMove, tuple[HexLink, ...]]:
    """Of the first cells at which a side connects the one whose links are told best, and these."""
    ways = ((cell, winning_links(placed(position, side, cell), side)) for cell in at[:MOST_NAMED])

    def length(way: tuple[HexMove, tuple[HexLink, ...]]) -> tuple[bool, int]:
        told = bool(way[1]) and all(link.is_told for link in way[1])
        return not told, len(links_text(way[1])) // MUCH_LONGER

    return min(ways, key=length)


def connected_text(position: HexPosition, side: str) -> str:
    """How a side that has won by its connections is connected: from where to where, by what.

    >>> from clauseboard.game import load_game
    >>> connected_text(load_game("hex", size=4).read_position(".B../..R./..../.... blue"), "red")
    'connected from top to bottom: the top to c2 by the bridge c1/d1, c2 to the bottom by the edge \
template of c2'
    """
    links, own = winning_links(position, side), seen(position, side)
    text = f"connected from {' to '.join(EDGES[side])}"
    if not links and (needed := own.needed()):  # a plan that is too long to tell
        return f"{text} by the {len(needed)} cells marked"
    return f"{text}: {_how(position, side, links)}" if links else text


def connected_briefly(position: HexPosition, side: str) -> str:
    """The same by the kinds of its links, for a sentence that has no room for all of them.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=4).read_position(".B../..R./..../.... blue")
    >>> connected_briefly(position, "red")
    'connected from top to bottom by a bridge and an edge template'
    """
    links = winning_links(position, side)
    if not links:
        return connected_text(position, side)
    bridges = sum(one.is_bridge for one in links)
    templates = sum(one.template and not one.is_bridge for one in links)
    others, other = len(links) - bridges - templates, "other " if bridges or templates else ""
    kinds = [(bridges, "bridge", "a "), (templates, "edge template", "an ")]
    kinds.append((others, f"{other}link", "an" if other else "a "))
    told = [one + kind if n == 1 else f"{number_word(n)} {kind}s" for n, kind, one in kinds if n]
    return f"connected from {' to '.join(EDGES[side])} by {listed(told)}"


_CELLS: dict[str, Callable[[HexSide], Iterable[int | HexMove]]] = {
    "needs": lambda side: side.nearer or side.path(),
    "ways": lambda side: side.nearer or side.path(),
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


_SPEAKS_OF = {
    "ways": "ways",
    "all paths": "flow",
    "edges": "edges",
    "span": "span",
    "threats": "threats",
    "ladder": "ladder",
    "key cell": "both need",
}
"""The concept whose cells the sentence of a line is about, for the side that it speaks for."""


def line_cells(position: HexPosition, line: str, side: str) -> tuple[str, ...]:
    """The cells that the sentence of a line speaks of, where the line speaks for a side."""
    other = position.game.other(side)
    if line == "must-play":
        real, intrusions = must_answer(position, side)
        return seen(position, side).named({*real, *intrusions})
    if line == "moves needed":
        ahead = seen(position, side).needs <= seen(position, other).needs
        return cells(position, "needs", side if ahead else other)
    if line == "edges" and seen(position, side).edges_of(seen(position, side).group()):
        line = "span"  # which the sentence tells
    if line == "span" and (needed := cells_of_links(_reach_links(position, side))):
        return seen(position, side).named({*seen(position, side).group(), *needed})
    return cells(position, _SPEAKS_OF[line], side) if line in _SPEAKS_OF else ()


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


SURE = "bridges and other sure links count as joined"
"""What is said once where moves that are needed are counted."""


def _needs(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    view = seen(p, side)
    n, m = view.needs, seen(p, other).needs
    if n == 0:
        return f"{side} is connected from {' to '.join(EDGES[side])}"
    if m == 0:
        return ""
    if n == 1 and mine["turn"]:
        return f"{side} is to move and connects{examples(map(str, view.connecting))}"
    blocked = _if_blocked(side, other, mine, yours)
    if n > m or (n == m and not mine["turn"]):
        # It speaks for this side nevertheless, since the other one is not there yet.
        both = (
            f"{side} needs as few moves as {other}, {up_to(n)} each; the turn is a line by itself"
        )
        behind = f"{other} is ahead ({up_to(m)} to {up_to(n)}) but still {_moves(m)} short"
        return f"{both if n == m else behind} ({SURE}){blocked}"
    if n == m:
        return f"both need {more_moves(n)} ({SURE}), and it is {side}'s turn{blocked}"
    where = such_as(view) if n == 1 else ""
    return f"{side} needs {more_moves(n)}{where}, {other} {up_to(m)} ({SURE}){blocked}"


def _if_blocked(side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    """The two-distances, where they differ from the moves that are needed."""
    if all(one["second way"] == one["needs"] for one in (mine, yours)):
        return ""
    told = [
        f"{name} needs {number_word(one['second way'])}"
        if one["second way"] < FAR
        else f"{name} is stuck"
        for name, one in ((side, mine), (other, yours))
    ]
    return f"; if the best cell is blocked at each step, {listed(told)}"


def _ways(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    if not mine["needs"]:
        return f"{side} is connected"
    text, theirs = _choice(p, side), _choice(p, other)
    counts = [len(cells(p, "ways", one)) / seen(p, one).needs for one in (side, other)]
    if not text or not theirs or counts[0] <= counts[1]:
        return text
    if len(cells(p, "ways", side)) > len(cells(p, "ways", other)):
        return f"{text}, {theirs}"
    each = f"{counts[0]:.1f} to {counts[1]:.1f}"
    return f"{text}, {theirs}: for each move that is needed {side} has more ({each})"


def _choice(p: HexPosition, side: str) -> str:
    """On how many cells a side connects, or comes a move nearer to it; nothing on none."""
    view = seen(p, side)
    n = len(view.named(view.nearer))
    if not n or not view.needs:
        return ""
    count = f"at least {number_word(n)} {'cell' if n == 1 else 'cells'}"
    if view.needs == 1:
        return f"{side} connects at once on {count}"
    return f"{side} has {count} that {'brings' if n == 1 else 'bring'} it a move nearer"


def _all_paths(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    """How easily either side gets through: a line may speak for the one that has more to do."""
    lead = mine["flow"] - yours["flow"]
    if not mine["needs"]:
        return f"nothing is in {side}'s way any more"
    if not yours["flow"]:
        return f"{other} has no way through the board"
    if not lead:
        return "over all paths together, the long ones too, both get through equally easily"
    times = 2 ** (abs(lead) / concept_kernels.STEPS_A_DOUBLING)
    more = next(word for least, word in EASILY if times >= least)
    if lead > 0:
        how = f"{side} gets through {more} easily than {other}"
    else:  # clauses about the side that is behind: it has that much in spite of it
        how = f"{side} still gets through, though {other} does {more} easily"
    return f"over all paths together, the long ones too, {how}"


def _edges(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    """The same words as for the span, where they tell the edge: equal lines become one."""
    view = seen(p, side)
    if view.own.is_won:
        return f"{side} is connected to both edges"
    if view.edges_of(view.group()):
        return _span(p, side, other, mine, yours)
    return _joined_chain(p, side)


def _joined_chain(p: HexPosition, side: str) -> str:
    """What the chain that is connected to most edges is connected to."""
    own = seen(p, side).own
    chain = max(own.chains, key=lambda c: (len(c.joined), len(c.cells)), default=None)
    if chain is None or not chain.joined:
        return ""
    return f"{side}'s {chain_name(chain)} {joined_text(side, chain, p.game.size, own.captured)}"


def _span(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    text, theirs = _reach(p, side), _reach(p, other)
    if not text:
        return ""
    if mine["span"] > yours["span"] and theirs:
        text += f"; {theirs}"
    how = _how(p, side, _reach_links(p, side))
    return f"{text}; {how}" if how else text


def _reach(p: HexPosition, side: str) -> str:
    """How far a side's best group of joined stones reaches: from an edge, or from stone to stone.

    Nothing for stones of one row (blue: column).
    """
    view = seen(p, side)
    line = ("row", "rows") if side == "red" else ("column", "columns")
    stones = list(view.group())
    if len(view.edges_of(stones)) == len(EDGES[side]):
        return _joined_chain(p, side)
    if reached := _reached(p, side):
        edge, end = reached
        along = _along(side, end)
        n = along + 1 if edge == EDGES[side][0] else p.game.size - along
        count = f"{number_word(n)} {line[n != 1]}"
        return f"{side} is joined from the {edge} to {end}, {count} of {p.game.size}"
    if not stones:
        return ""
    first, last = (f(sorted(stones), key=lambda cell: _along(side, cell)) for f in (min, max))
    n = _along(side, last) - _along(side, first) + 1
    if n == 1:
        return ""
    return f"{side}'s stones from {first} to {last} are joined, {number_word(n)} {line[1]}"


def _along(side: str, cell: HexMove) -> int:
    """How far a cell is from a side's first edge."""
    return cell.row if side == "red" else cell.column


def _reached(p: HexPosition, side: str) -> tuple[str, HexMove] | None:
    """The edge that a side's best group reaches, and its furthest stone whose chain does so."""
    view = seen(p, side)
    stones = set(view.group())
    edges = view.edges_of(stones)
    if len(edges) != 1:
        return None
    joined = (chain for chain in view.own.chains if edges[0] in chain.joined)
    cells = sorted(cell for chain in joined for cell in chain.cells if cell in stones)
    furthest = max if edges[0] == EDGES[side][0] else min
    return edges[0], furthest(cells, key=lambda cell: _along(side, cell))


def _reach_links(p: HexPosition, side: str) -> tuple[HexLink, ...]:
    """The links between these two; none where the chain touches the edge."""
    reached = _reached(p, side)
    if reached is None:
        return ()
    edge, end = reached
    carrier = next(c.joined[edge] for c in seen(p, side).own.chains if end in c.cells)
    return links_between(p, side, (end, edge), carrier)


def _how(p: HexPosition, side: str, links: Sequence[HexLink]) -> str:
    """Links in words, in short if they are too long."""
    text = links_text(links, side)
    return text if len(text) <= MOST_LETTERS else in_short(links, p, side)


def _threats(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    if not mine["needs"]:
        return f"{side} is connected"
    if not mine["threats"]:
        return ""
    return f"{side} threatens to connect{examples(map(str, seen(p, side).connecting))}"


def _must_play(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    n = yours["answers"]
    if n >= FAR and mine["answers"] >= FAR:
        return f"{side} may play anywhere"
    if n >= mine["answers"]:
        return ""
    if n == 0:
        return f"{other} has no answer left"
    real, intrusions = must_answer(p, side)
    if not real:
        return f"{side} connects after each answer of {other}"
    named, first = list(map(str, real)), sorted(map(str, intrusions))
    if len(named) > MOST_ANSWERS:
        some = ", ".join(named[:MOST_NAMED])
        return f"{other} must answer on one of {number_word(len(named))} cells ({some}, ...)"
    few = 0 < len(first) <= MOST_ANSWERS
    after = f", if need be after an intrusion at {either(first)}" if few else ""
    return f"{other} must answer at {either(named)}{after}"


def _turn(p: HexPosition, side: str, other: str, mine: Numbers, yours: Numbers) -> str:
    """What the turn means for the moves that both sides need."""
    n, m = seen(p, side).needs, seen(p, other).needs
    if not mine["turn"] or not n or not m:
        return f"it is {side}'s turn" if mine["turn"] else ""
    if m == 1 and n > 1:
        return f"it is {side}'s turn, so it can answer before {other} connects"
    if n == m:
        return f"both need {up_to(n)}, and {side} is to move"
    if n < m:
        return f"it is {side}'s turn, and it needs {up_to(n)} to {other}'s {up_to(m)}"
    return (
        f"it is {side}'s turn, which makes up for one move: it needs {up_to(n)}, {other} {up_to(m)}"
    )


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
    "ways": _ways,
    "all paths": _all_paths,
    "edges": _edges,
    "span": _span,
    "threats": _threats,
    "must-play": _must_play,
    "turn": _turn,
    "ladder": _ladder,
    "key cell": _key_cell,
}

EASILY = (2.0, "much more"), (1.25, "more"), (1.0, "a little more")
"""How many times as easily a side gets through, in words."""

MOST_LETTERS = 160
"""Links that take more letters are told in short in a line; headlines that do get no third fact."""

MUCH_LONGER = 50
"""Letters by which one way to tell a connection is longer than another."""

MOST_NAMED, MOST_ANSWERS = 4, 6
"""More cells than these are not all listed in a sentence; answers are worth some more."""


def up_to(n: int) -> str:
    """A number of moves that are needed: from two on there may be a shorter way unseen.

    >>> up_to(1), up_to(3)
    ('one', 'up to three')
    """
    return number_word(n) if n <= 1 else f"up to {number_word(n)}"


def _moves(n: int) -> str:
    return f"{up_to(n)} {'move' if n == 1 else 'moves'}"


def more_moves(n: int) -> str:
    """So many moves that are still needed: "up to two more moves"."""
    return f"{up_to(n)} more {'move' if n == 1 else 'moves'}"


def either(words: Sequence[str]) -> str:
    """Words of which one is meant.

    >>> either(["e1", "c2", "d2"])
    'e1, c2 or d2'
    """
    *before, last = words or ("",)
    return f"{', '.join(before)} or {last}" if before else last


def at_cells(words: Sequence[str]) -> str:
    """Where something can be done: " at c2 or b3"; of many cells the first are named.

    >>> at_cells(["c2", "b3"]), at_cells(["a1", "b1", "c1", "d1", "e1"]), at_cells([])
    (' at c2 or b3', ' at five cells or more, such as a1, b1 or c1', '')
    """
    if len(words) <= MOST_NAMED:
        return f" at {either(words)}" if words else ""
    some = either(words[: MOST_NAMED - 1])
    return f" at {number_word(len(words))} cells or more, such as {some}"


def examples(words: Iterable[str]) -> str:
    """The same for cells of which there may be others.

    >>> examples(["c2", "b3"]), examples(["a1", "b1", "c1", "d1", "e1"])
    (', for example at c2 or b3', ' at five cells or more, such as a1, b1 or c1')
    """
    words = list(words)
    few = 0 < len(words) <= MOST_NAMED
    return f", for example{at_cells(words)}" if few else at_cells(words)


def such_as(view: HexSide) -> str:
    """Some of the cells at which a side connects, in brackets."""
    named = [str(cell) for cell in view.connecting[: MOST_NAMED - 1]]
    return f" (such as {either(named)})" if named else ""


def chain_name(chain: HexChain) -> str:
    """A stone, or the ends of a chain.

    >>> chain_name(HexChain((HexMove(2, 2), HexMove(4, 3)), {}))
    'chain c3-d5'
    """
    cells = chain.cells
    return f"stone {cells[0]}" if len(cells) == 1 else f"chain {cells[0]}-{cells[-1]}"


def joined_text(side: str, chain: HexChain, size: int, captured: Cells) -> str:
    """What a chain is connected to, and how: "is connected to the top by a bridge (c1/d1)".

    A captured pair of cells between a stone and the edge is no part of the carrier.
    """
    near = {cell for stone in chain.cells for cell in around(stone)} & captured
    parts = []
    if len(chain.joined) == len(EDGES[side]):  # by plans that are in each other's way
        return f"can be connected to the {either(EDGES[side])}, whichever is left to it"
    for edge in EDGES[side]:
        carrier = chain.joined.get(edge)
        if carrier is not None:
            touches = not carrier and any(at_edge(cell, edge, size) for cell in chain.cells)
            by_bridge = not touches and len(carrier) in (0, BRIDGE)
            pair = sorted(carrier or (cell for cell in near if at_edge(cell, edge, size)))
            where = f" ({'/'.join(map(str, pair))})" if len(pair) == BRIDGE else ""
            parts.append(f"{edge} by a bridge{where}" if by_bridge else edge)
    return f"is connected to the {listed(parts)}"


def ladder_text(ladder: Ladder) -> str:
    """A ladder in words: "a ladder along the bottom from d10 to h10, with an escape at i9"."""
    first, last = ladder.cells[0], ladder.cells[-1]
    escape = "" if ladder.escape is None else f", with an escape at {ladder.escape}"
    return f"a ladder along the {ladder.edge} from {first} to {last}{escape}"
