"""What a move brings in Hex: a connection, a threat, an answer, or a cell that both sides need.

Everything is what `h_search` proves on the boards before and after the move. It proves
connections and no cuts: that a chain is cut off is never said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from clauseboard.games.concepts import listed, number_word
from clauseboard.games.hex import concepts
from clauseboard.games.hex.cell_sets import LARGEST
from clauseboard.games.hex.chains import EDGES, Cells, HexChain, SideConnections, find_connections
from clauseboard.games.hex.concept_kernels import NEEDS
from clauseboard.games.hex.concepts import (
    MOST_NAMED,
    at_cells,
    chain_name,
    connected_text,
    joined_text,
    more_moves,
)
from clauseboard.games.hex.links import links_between, links_text
from clauseboard.games.hex.rules import SIDES, HexMove, HexPosition, Swap
from clauseboard.games.hex.side_view import HexSide, seen, third_line_ladder

MOST_FACTS, MOST_LETTERS = 2, 160
"""How many things are said of one move, and how many letters tell by what it connects a chain."""


def line_fact(position: HexPosition, line: Sequence[HexMove | Swap]) -> str | None:
    """What the first move of a line does, as the rest of a sentence; None if it is quiet.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=3).read_position(".RB/.../... red")
    >>> line_fact(position, [position.read_move("b2")])
    'wins: Red is connected from top to bottom: b2 to the bottom by the bridge a3/b3'
    """
    move, mover = line[0], position.to_move
    if isinstance(move, Swap):
        return "takes over the first move"
    after, other = position.play(move), position.game.other(mover)
    if after.winner is not None:
        return f"wins: it connects {SIDES[mover]}"
    if position.game.size > LARGEST or position.may_be_swapped:
        return None
    decided = concepts.decided(after)
    if decided is None:
        end = after
        for reply in line[1:]:
            end = end.play(reply)
        known = end.winner or (concepts.decided(end) or ("",))[0]
        facts = list(_facts(position, after, move, wins=known == mover))[:MOST_FACTS]
        needs = "" if known == mover else f": {needs_text(after, mover)}"
        return f"{' and '.join(facts)}{needs}" if facts else None
    if decided[0] == mover:
        how = connected_text(after, mover)
        if seen(position, mover).own.is_won:
            return f"is as good as any move: {mover.capitalize()} was and is {how}"
        return f"wins: {mover.capitalize()} is {how}"
    if seen(position, other).own.is_won:
        return f"loses: {other.capitalize()} is {connected_text(position, other)}"
    return f"lets {other.capitalize()} connect{_at(seen(after, other))}"


def stands(position: HexPosition) -> str | None:
    """What both sides need on a board, or who has won there, in a few words."""
    if position.game.size > LARGEST or position.outcome() is not None:
        return None if position.winner is None else f"{position.winner} has connected"
    decided = concepts.decided(position)
    if decided is not None:
        return decided[1]
    red, blue = (int(seen(position, one).counts[NEEDS]) for one in SIDES)
    return needs_text(position, "red" if red <= blue else "blue", str)


def needs_text(
    position: HexPosition, side: str, name: Callable[[str], str] = str.capitalize
) -> str:
    """What both sides still need, this one first: "Red needs two more moves, Blue four"."""
    other = position.game.other(side)
    n, m = (int(seen(position, one).counts[NEEDS]) for one in (side, other))
    if n == m:
        return f"both need {more_moves(n)}"
    return f"{name(side)} needs {more_moves(n)}, {name(other)} {number_word(m)}"


def standing(position: HexPosition, side: str) -> str | None:
    """How a side's best chain stands, and what both sides need; None where nothing is counted.

    >>> from clauseboard.game import load_game
    >>> rows = ".......", "..R....", ".......", "...B...", ".......", ".......", "......."
    >>> standing(load_game("hex", size=7).read_position("/".join(rows) + " blue"), "red")
    "Red's stone c2 is connected to the top by a bridge (c1/d1) and needs two more moves to the \
bottom; Blue needs as many"
    """
    if position.game.size > LARGEST or position.outcome() is not None:
        return None
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
    size, captured = position.game.size, view.own.captured
    joined = f"{joined_text(side, chain, size, captured)} and " if is_joined else ""
    n, m = (int(seen(position, one).counts[NEEDS]) for one in (side, other))
    rest = f"{other.capitalize()} needs {'as many' if n == m else number_word(m)}"
    subject = f"{side.capitalize()}'s {chain_name(chain)}"
    return f"{subject} {joined}needs {listed(wants)}; {rest}"


def _facts(position: HexPosition, after: HexPosition, move: HexMove, wins: bool) -> Iterator[str]:
    """What a move does where nobody has won yet, the most important first."""
    mover, other = position.to_move, position.game.other(position.to_move)
    mine, theirs = seen(position, mover), seen(position, other)
    rival = other.capitalize()
    if mine.own.half and not wins:
        yield f"misses the connection{_at(mine)}"
    if theirs.own.half:
        how = "answers"
        if theirs.named(mine.answers()) == (str(move),):
            only = _is_only_answer(position, theirs.own)
            how = f"is the {'only' if only else 'main'} answer to"
        yield f"{how} {rival}'s threat to connect{_at(theirs)}"
    then = seen(after, mover)
    if then.own.half and not mine.own.half:
        yield f"threatens to connect{_at(then)}"
    for chain, edge in _changed(mine.own, then):
        yield f"connects {chain_name(chain)} to the {edge}{_how(after, chain, edge)}"
        break  # others are joined to it
    yield from _joins(after, move, mine, then)
    for chain, edge in _changed(seen(after, other).own, theirs):
        mends = [str(cell) for cell in seen(after, other).mending(chain, edge)]
        rest = f", which {rival} can mend{at_cells(mends)}" if mends else ""
        yield f"plays into the link of {rival}'s {chain_name(chain)} to the {edge}{rest}"
        break
    ladder, later = mine.ladder, then.ladder
    if ladder is not None and ladder.cells[0] == move:
        escape = "" if ladder.escape is None else f" towards the escape at {ladder.escape}"
        yield f"runs a ladder along the {ladder.edge}{escape}"
    elif third := third_line_ladder(position, mover, move):
        end = f", connected to it at {third.escape}" if third.escape else ""
        yield f"runs a ladder on the third line along the {third.edge} to {third.cells[-1]}{end}"
    if later is not None and later.escape == move:
        yield f"is an escape for the ladder along the {later.edge} from {later.cells[0]}"
    both = mine.named(mine.needed_by_both())
    if str(move) in both and len(both) <= MOST_NAMED:
        yield f"takes {'the' if len(both) == 1 else 'a'} cell on the shortest ways of both sides"


def _is_only_answer(position: HexPosition, threat: SideConnections) -> bool:
    """Whether a threat with one cell common to its plans is carried out after any other move.

    It is after moves beside some plan and the captured cells; those in captured cells are tried.
    """
    tried = (move for move in position.moves() if move in threat.captured)
    return all(
        find_connections(position.play(move))[threat.colour].wins_by_moving for move in tried
    )


def _how(position: HexPosition, chain: HexChain, edge: str) -> str:
    """By what a chain is connected to an edge on a board."""
    side = position.game.other(position.to_move)
    again = next(c for c in seen(position, side).own.chains if chain.cells[0] in c.cells)
    links = links_between(position, side, (chain.cells[0], edge), again.joined[edge])
    text = f" by {links[0].how()}" if len(links) == 1 else f" ({links_text(links)})"
    return text if links and len(text) <= MOST_LETTERS else ""


def _joins(after: HexPosition, move: HexMove, mine: HexSide, then: HexSide) -> Iterator[str]:
    """The chains that a stone joins with each other, or the one that it has a bridge to."""
    groups: list[HexChain] = []
    for chain in sorted(mine.own.chains, key=lambda one: min(distance(move, c) for c in one.cells)):
        first = chain.cells[0]
        if then.joined(move, first) and not any(mine.joined(first, g.cells[0]) for g in groups):
            groups.append(chain)
    if len(groups) > 1:
        yield f"joins {listed([chain_name(chain) for chain in groups[:3]])}"
    elif groups:
        ends = move, groups[0].cells[0]
        links = links_between(after, mine.own.colour, ends, then.carrier(*ends) or Cells())
        if len(links) == 1 and links[0].is_bridge:
            (link,) = links
            stone = link.second if link.first == move else link.first
            yield f"has {link.how()} to {stone}"


def distance(one: HexMove, two: HexMove) -> int:
    """The steps from cell to cell.

    >>> distance(HexMove(0, 0), HexMove(2, -1)), distance(HexMove(0, 0), HexMove(2, 1))
    (2, 3)
    """
    rows, columns = two.row - one.row, two.column - one.column
    return max(abs(rows), abs(columns), abs(rows + columns))


def _at(view: HexSide) -> str:
    """The cells at which a side connects."""
    return at_cells([str(cell) for cell in view.connecting])


def _changed(without: SideConnections, view: HexSide) -> Iterator[tuple[HexChain, str]]:
    """The chains that are needed on a board, and connected to an edge only there."""
    for chain in sorted(without.chains, key=lambda one: -len(one.cells)):
        for again in view.own.chains:
            if chain.cells[0] in again.cells and view.is_needed(again):
                for edge in again.joined:
                    if edge not in chain.joined:
                        yield chain, edge
