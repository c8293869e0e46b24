"""What a move brings in Hex: a connection, a threat, a cut, or a cell that both sides need.

Everything is what `h_search` proves on the boards before and after the move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clauseboard.games.hex import concepts
from clauseboard.games.hex.cell_sets import LARGEST
from clauseboard.games.hex.chains import HexChain, SideConnections
from clauseboard.games.hex.concept_kernels import NEEDS
from clauseboard.games.hex.concepts import (
    MOST_NAMED,
    at_cells,
    chain_name,
    connected_text,
    needs_text,
)
from clauseboard.games.hex.rules import SIDES, HexMove, HexPosition, Swap
from clauseboard.games.hex.side_view import HexSide, seen, third_line_ladder

MOST_FACTS = 2
"""How many things are said of one move."""


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
        return f"connects {SIDES[mover]}"
    if position.game.size > LARGEST or position.may_be_swapped:
        return None
    decided = concepts.decided(after)
    if decided is None:
        facts = list(_facts(position, after, move))[:MOST_FACTS]
        return f"{' and '.join(facts)}: {needs_text(after, mover)}" if facts else None
    if decided[0] == mover:
        how = connected_text(after, mover)
        if seen(position, mover).own.is_won:
            return f"keeps {mover.capitalize()} {how}"
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


def standing(position: HexPosition, side: str) -> str | None:
    """How a side stands, in a sentence; None where nothing is counted."""
    if position.game.size > LARGEST or position.outcome() is not None:
        return None
    return concepts.standing(position, side)


def _facts(position: HexPosition, after: HexPosition, move: HexMove) -> Iterator[str]:
    """What a move does where nobody has won yet, the most important first."""
    mover, other = position.to_move, position.game.other(position.to_move)
    mine, theirs = seen(position, mover), seen(position, other)
    rival = other.capitalize()
    if mine.own.half:
        yield f"misses the connection{_at(mine)}"
    if theirs.own.half:
        answers = theirs.named(mine.answers())
        how = "is the only answer to" if answers == (str(move),) else "answers"
        yield f"{how} {rival}'s threat to connect{_at(theirs)}"
    then = seen(after, mover)
    if then.own.half and not mine.own.half:
        yield f"threatens to connect{_at(then)}"
    both = mine.named(mine.needed_by_both())
    if str(move) in both and len(both) <= MOST_NAMED:
        yield f"takes {'the' if len(both) == 1 else 'a'} cell that both sides need"
    for chain, edge in _changed(mine.own, then):
        yield f"connects {chain_name(chain)} to the {edge}"
        break  # others are joined to it
    for chain, edge in _changed(seen(after, other).own, theirs):
        yield f"cuts {rival}'s {chain_name(chain)} off from the {edge}"
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
