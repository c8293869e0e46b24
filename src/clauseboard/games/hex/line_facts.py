"""What a move brings in Hex: a connection, a threat, an answer, or a cell that both sides need.

Everything is what `h_search` proves on the boards before and after the move. It proves
connections and no cuts: that a chain is cut off is never said.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from clauseboard.games.concepts import listed, number_word
from clauseboard.games.hex import concept_kernels, concepts
from clauseboard.games.hex.cell_sets import LARGEST
from clauseboard.games.hex.chains import (
    EDGES,
    Cells,
    HexChain,
    SideConnections,
    Workspace,
    with_stone,
)
from clauseboard.games.hex.concept_kernels import FEWEST_STEPS
from clauseboard.games.hex.concepts import (
    MOST_LETTERS,
    MOST_NAMED,
    at_cells,
    chain_name,
    connected_text,
    examples,
    joined_text,
    more_moves,
    simplest,
    up_to,
)
from clauseboard.games.hex.encoding import SIDES as SIDES_IN_ORDER
from clauseboard.games.hex.encoding import boards_of
from clauseboard.games.hex.links import (
    BRIDGE,
    HexLink,
    around,
    at_edge,
    cells_of_links,
    in_short,
    links_between,
    name_of,
    placed,
    winning_links,
)
from clauseboard.games.hex.replies import refuted
from clauseboard.games.hex.rules import SIDES, HexMove, HexPosition, Swap, cells_of
from clauseboard.games.hex.side_view import HexSide, seen, third_line_ladder
from clauseboard.games.hex.solving import AT_ONCE, FEW_ENTRIES, solver_for
from clauseboard.kernels.compiler import JIT_DISABLED

MOST_FACTS = 3
"""How many things are said of one move."""

DEPTH = 1
"""How many answers deep it is tried whether a side connects after every reply."""

ONLY = "is the only winning move"

Fact = tuple[str, Collection[HexMove]]
"""What is said of a move, and the cells that are named."""


def line_fact(position: HexPosition, line: Sequence[HexMove | Swap]) -> str | None:
    """What the first move of a line does, as the rest of a sentence; None if it is quiet.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=3).read_position(".RB/.../... red")
    >>> line_fact(position, [position.read_move("b2")])
    'wins, as one other move does: Red is connected from top to bottom: b2 to the bottom by the \
bridge a3/b3'
    """
    found = _told(position, tuple(line))
    return None if found is None else found[0]


def fact_cells(position: HexPosition, line: Sequence[HexMove | Swap]) -> tuple[str, ...]:
    """The cells that `line_fact` names, and on which there is no stone after the move."""
    found = _told(position, tuple(line))
    empty = set() if found is None else set(found[1]) & set(position.play(line[0]).moves())
    return tuple(str(cell) for cell in sorted(empty))


@functools.lru_cache(maxsize=16)
def _told(position: HexPosition, line: tuple[HexMove | Swap, ...]) -> Fact | None:
    move, mover = line[0], position.to_move
    if isinstance(move, Swap):
        return "takes over the first move", ()
    after, other = position.play(move), position.game.other(mover)
    if after.winner is not None:
        return f"wins: it connects {SIDES[mover]}", ()
    if position.game.size > LARGEST or position.may_be_swapped:
        return None
    decided = concepts.decided(after)
    if decided is None:
        return _open_fact(position, after, line)
    if decided[0] == mover and seen(position, mover).own.is_won:
        how, links = connected_text(position, mover), winning_links(position, mover)
        told = f"only tidies up: {mover.capitalize()} is already {how}"
    elif decided[0] == mover:
        how, links = connected_text(after, mover), winning_links(after, mover)
        told = f"{_wins(position, move)}: {mover.capitalize()} is {how}"
    elif seen(position, other).own.is_won:
        how, links = connected_text(position, other), winning_links(position, other)
        told = f"loses: {other.capitalize()} is {how}"
    else:
        cells = seen(after, other).connecting
        return f"lets {other.capitalize()} connect{_at(cells)}", _named(cells)
    return told, cells_of_links(links)


def _open_fact(
    position: HexPosition, after: HexPosition, line: Sequence[HexMove | Swap]
) -> Fact | None:
    """What a move does where H-search alone does not decide the board after it."""
    move, mover, end = line[0], position.to_move, after
    assert isinstance(move, HexMove)
    for reply in line[1:]:
        end = end.play(reply)
    wins = (end.winner or (concepts.decided(end) or ("",))[0]) == mover
    if wins and (known := refuted(after, mover, line[1:3])):
        told = f"{_wins(position, move)}: {known[0]}"
        # That there are threats is said.
        quiet = (fact for fact in _facts(position, after, move, wins) if "threat" not in fact[0])
        text, more = next(quiet, ("", ()))
        return f"{told}; it {text}" if text else told, [*known[1], *more]
    facts = list(itertools.islice(_facts(position, after, move, wins), MOST_FACTS))
    if not facts:
        return None
    if sum(len(text) for text, _ in facts[:2]) > MOST_LETTERS:
        facts = facts[:2]
    needs = "" if wins else f": {needs_text(after, mover)}"
    solved = f"{_solved_win(position, move)}: it " if wins and _solved_win(position, move) else ""
    cells = itertools.chain.from_iterable(some for _, some in facts)
    return f"{solved}{_sequence([text for text, _ in facts])}{needs}", list(cells)


def _sequence(facts: Sequence[str]) -> str:
    """Facts as one sentence, apart from each other where some have commas."""
    has_comma = any("," in text for text in facts[:-1])
    return "; it ".join(facts) if has_comma else listed(facts)


def lost_fact(position: HexPosition) -> tuple[str, tuple[str, ...]] | None:
    """Why every move loses, with the cells named, where that follows from threats.

    >>> from clauseboard.game import load_game
    >>> lost_fact(load_game("hex", size=6).start())
    """
    if position.game.size > LARGEST or position.may_be_swapped or position.outcome() is not None:
        return None
    known = refuted(position, position.game.other(position.to_move))
    return None if known is None else (known[0], tuple(map(str, known[1])))


def _wins(position: HexPosition, move: HexMove) -> str:
    """That a move wins, and whether others do, where that is known."""
    return _solved_win(position, move) or (ONLY if _others_lose(position, move) else "wins")


def _solved_win(position: HexPosition, move: HexMove) -> str:
    """The same by the solver, on small boards; nothing if it is not known that the move wins."""
    if position.game.size > AT_ONCE or JIT_DISABLED:
        return ""
    winning = solver_for(position.game.size, FEW_ENTRIES).winning_moves(position)
    if move not in winning:
        return ""
    others = len(winning) - 1
    said = f"wins, as {number_word(others)} other {'move does' if others == 1 else 'moves do'}"
    return said if others else ONLY


def _others_lose(position: HexPosition, move: HexMove) -> bool:
    """Whether it is proven that the other side connects after all moves but this one."""
    rival, size = position.game.other(position.to_move), position.game.size
    if not seen(position, rival).own.half:
        return False
    room, side = Workspace(size), SIDES_IN_ORDER.index(position.to_move)
    stones = boards_of(position.game, [position])[0]
    others = [one for one in position.moves() if isinstance(one, HexMove) and one != move]
    boards = (with_stone(stones, side, one.row * size + one.column) for one in others)
    return all(room.wins_moving(board, 1 - side, DEPTH) for board in boards)


def stands(
    position: HexPosition, line: Sequence[HexMove | Swap], better: str
) -> tuple[int, str] | None:
    """How many moves of a line show why a side is better there, and what both need after these.

    These are the fewest after which it is furthest ahead, the turn counting half a move; None where
    it is never further ahead than it is before them.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=5).read_position("....R/...B./..B../...../R.... blue")
    >>> line = [position.read_move(cell) for cell in ("d3", "e3", "d4", "e4")]
    >>> stands(position, line, "red")
    (1, 'red connects by a move')
    """
    now = _told_end(position) if position.game.size <= LARGEST else None
    if now is None:
        return None
    end, found = position, [(now[0][better], 0, "")]
    for n, move in enumerate(line, 1):
        end = end.play(move)
        told = _told_end(end)
        if told is None:
            break
        lead, text = told
        found.append((lead[better], -n, text))
        if "connect" in text:  # what is played after that changes nothing
            break
    _, n, text = max(found)
    if n == 0:
        return None
    if text.partition(", and it is")[0] == now[1].partition(", and it is")[0]:
        text = text.replace(" need", " still need", 1)
    ladder = ladder_in(position, line[:-n])
    return -n, f"{text}, with {ladder}" if ladder else text


def _told_end(end: HexPosition) -> tuple[dict[str, float], str] | None:
    """By how many moves each side is ahead on a board, and what both need; None where it is over
    without a winner."""
    sides = end.to_move, end.game.other(end.to_move)
    known = (end.winner, f"{end.winner} has connected") if end.winner else concepts.decided(end)
    if known is None and end.outcome() is not None:
        return None
    if known is not None:
        far = float(end.game.size**2)
        return {side: far if side == known[0] else -far for side in sides}, known[1]
    needs = {side: seen(end, side).needs for side in sides}
    lead = needs[sides[1]] - needs[sides[0]] + 0.5
    if needs[sides[0]] == 1:  # which the search has not seen
        text = f"{sides[0]} could connect{_at(seen(end, sides[0]).connecting)}"
    else:
        text = needs_text(end, min(SIDES, key=needs.__getitem__), str)
        if needs[sides[0]] == needs[sides[1]]:
            text += f", and it is {sides[0]}'s turn"
    return {sides[0]: lead, sides[1]: -lead}, text


def ladder_in(position: HexPosition, line: Sequence[HexMove | Swap]) -> str | None:
    """The longest ladder that is played in a line: "blue's ladder j2-j5 along the right".

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=5).read_position("....R/...B./..B../...../R.... blue")
    >>> ladder_in(position, [position.read_move(cell) for cell in ("d3", "e3", "d4", "e4")])
    "blue's ladder d3-d4 along the right"
    """
    best: list[HexMove] = []
    found = ""
    for edge, start in itertools.product(range(2), range(len(line) - 1)):
        side = position.to_move if start % 2 == 0 else position.game.other(position.to_move)
        steps: list[HexMove] = []
        for step, answer in zip(line[start::2], line[start + 1 :: 2], strict=False):
            if isinstance(step, Swap) or isinstance(answer, Swap):
                break
            lines = (_line_from(edge, side, cell, position.game.size) for cell in (step, answer))
            beside = not steps or distance(steps[-1], step) == 1
            if tuple(lines) != (1, 0) or distance(step, answer) != 1 or not beside:
                break
            steps.append(step)
        if len(steps) >= max(FEWEST_STEPS, len(best) + 1):
            best = steps
            found = f"{side}'s ladder {steps[0]}-{steps[-1]} along the {EDGES[side][edge]}"
    return found or None


def _line_from(edge: int, side: str, cell: HexMove, size: int) -> int:
    """How many lines a cell is from an edge of a side; 0 at the edge."""
    line = cell.row if side == "red" else cell.column
    return size - 1 - line if edge else line


def needs_text(
    position: HexPosition, side: str, name: Callable[[str], str] = str.capitalize
) -> str:
    """What both sides still need, this one first: "Red needs one more move, Blue up to four"."""
    other = position.game.other(side)
    n, m = (seen(position, one).needs for one in (side, other))
    if n == m:
        return f"both need {more_moves(n)}"
    return f"{name(side)} needs {more_moves(n)}, {name(other)} {up_to(m)}"


def standing(position: HexPosition, side: str) -> str | None:
    """How a side's best chain stands, and what both sides need; None where nothing is counted.

    >>> from clauseboard.game import load_game
    >>> rows = ".......", "..R....", ".......", "...B...", ".......", ".......", "......."
    >>> standing(load_game("hex", size=7).read_position("/".join(rows) + " blue"), "red")
    "Red's stone c2 is connected to the top by a bridge (c1/d1) and needs up to two more moves \
to the bottom; Blue needs as many"
    """
    if position.game.size > LARGEST or position.outcome() is not None:
        return None
    view, other = seen(position, side), position.game.other(side)
    chain = view.main_chain
    if chain is None:
        return needs_text(position, side)
    left = [(view.needs_to(chain, edge), edge) for edge in EDGES[side]]
    total, left = sum(count for count, _ in left), [one for one in left if one[0]]
    if not left or total != view.needs:
        return needs_text(position, side)
    wants = [f"{more_moves(left[0][0])} to the {left[0][1]}"]
    wants += [f"{up_to(count)} to the {edge}" for count, edge in left[1:]]
    is_joined = 0 < len(chain.joined) < len(EDGES[side])
    size, captured = position.game.size, view.own.captured
    joined = f"{joined_text(side, chain, size, captured)} and " if is_joined else ""
    n, m = (seen(position, one).needs for one in (side, other))
    rest = f"{other.capitalize()} needs {'as many' if n == m else up_to(m)}"
    subject = f"{side.capitalize()}'s {chain_name(chain)}"
    return f"{subject} {joined}needs {listed(wants)}; {rest}"


def _facts(position: HexPosition, after: HexPosition, move: HexMove, wins: bool) -> Iterator[Fact]:
    """What a move does where nobody has won yet, the most important first."""
    mover, other = position.to_move, position.game.other(position.to_move)
    mine, theirs = seen(position, mover), seen(position, other)
    then, left = seen(after, mover), seen(after, other)
    rival = other.capitalize()
    if mine.own.half and not wins:
        yield f"misses the connection{_at(mine.connecting)}", _named(mine.connecting)
    if left.connecting:  # which the search has not seen
        at = examples(map(str, left.connecting))
        yield f"lets {rival} connect{at}", _named(left.connecting)
    yield from _ladder_facts(position, after, move)
    if theirs.connecting and not left.connecting:
        how = "is the only answer to" if _others_lose(position, move) else "answers"
        others = [cell for cell in theirs.connecting if cell != move]
        elsewhere = [str(cell) for cell in others]
        at, broken = examples(elsewhere), _broken(position, theirs, move)
        if move in theirs.connecting:
            few = "" if len(elsewhere) > MOST_NAMED else ", for example,"
            at = f" here or{few}{at_cells(elsewhere)}" if elsewhere else " here"
        cells = [*_named(others), *(broken[1] if broken else ())]
        yield f"{how} {rival}'s threat to connect{at}{broken[0] if broken else ''}", cells
    if then.connecting and not mine.connecting:
        cell, links = simplest(after, mover, then.connecting)
        at = examples(map(str, [cell, *(other for other in then.connecting if other != cell)]))
        how = f" (with {mover} on {cell}, {in_short(links, after, mover)})" if links else ""
        needed = Cells({*_named(then.connecting), cell, *cells_of_links(links)})
        yield f"threatens to connect{at}{how}", needed
    for chain, edge in _changed(mine.own, then):
        links = _links_to(after, chain, edge)
        how = _how(links)
        needed = cells_of_links(links) if how else Cells()
        yield f"connects {chain_name(chain)} to the {edge}{how}", needed
        break  # others are joined to it
    yield from _joins(after, move, mine, then)
    intrusion = list(_intrusion(position, move, theirs))
    yield from intrusion
    for chain, edge in () if intrusion else _changed(left.own, theirs):
        mends = left.mending(chain, edge)
        rest = f", which {rival} can mend{examples(map(str, mends))}" if mends else ""
        link = f"the link of {rival}'s {chain_name(chain)} to the {edge}"
        yield f"plays into {link}{rest}", _named(mends)
        break
    yield from _runs_ladder(position, move, {edge for _, edge in _changed(mine.own, then)})
    both = mine.named(mine.needed_by_both())
    if str(move) in both and len(both) <= MOST_NAMED:
        which = "the" if len(both) == 1 else "a"
        yield f"takes {which} cell on the shortest ways of both sides", ()


def _ladder_facts(position: HexPosition, after: HexPosition, move: HexMove) -> Iterator[Fact]:
    """Whether a move answers a ladder of the other side, or decides where a ladder ends."""
    mover, other = position.to_move, position.game.other(position.to_move)
    theirs, left, later = seen(position, other), seen(after, other), seen(after, mover).ladder
    rival = other.capitalize()
    if later is not None and later.escape == move:
        first = later.cells[0]
        yield f"is an escape for the ladder along the {later.edge} from {first}", (first,)
    if answered := _answered_ladder(position, move):
        edge, steps = answered
        yield f"answers {rival}'s ladder {steps[0]}-{steps[-1]} along the {edge}", ()
    before = theirs.ladder
    if before is not None and before.escape is not None and not (left.ladder or before).escape:
        steps = list(before.cells)
        where = f"from {steps[0]} along the {before.edge}"
        yield f"stops {rival}'s ladder {where} on the way to {before.escape}", steps[:1]


def _runs_ladder(position: HexPosition, move: HexMove, reached: set[str]) -> Iterator[Fact]:
    """The ladder that a move begins, or goes on with, along an edge that is not reached by it."""
    ladder = seen(position, position.to_move).ladder
    if ladder is not None and ladder.cells[0] == move and ladder.edge not in reached:
        escape = "" if ladder.escape is None else f" towards the escape at {ladder.escape}"
        yield f"runs a ladder along the {ladder.edge}{escape}", ()
    elif third := third_line_ladder(position, position.to_move, move):
        end = f", connected to it at {third.escape}" if third.escape else ""
        last = third.cells[-1]
        yield f"runs a ladder on the third line along the {third.edge} to {last}{end}", (last,)


def _answered_ladder(position: HexPosition, move: HexMove) -> tuple[str, list[HexMove]] | None:
    """The ladder of the other side that a move at its edge answers: the edge, and its stones.

    Each stone of it on the second line has a stone below it behind, and the last one would reach
    the edge where the move is made.
    """
    size, other = position.game.size, position.game.other(position.to_move)
    board, side = cells_of(size), SIDES_IN_ORDER.index(other)
    stones = (position.red, position.blue)[side], (position.blue, position.red)[side]
    for (edge, name), step in itertools.product(enumerate(EDGES[other]), (-1, 1)):

        def cell(line: int, along: int, edge: int = edge) -> int:
            return int(concept_kernels.cell_at(size, side, edge, line, along))

        def has(colour: int, number: int) -> bool:
            return number >= 0 and bool(stones[colour] >> number & 1)

        at = next((n for n in range(size) if board[cell(0, n)] == move), None)
        if at is None:
            continue
        along = at - 1 if step > 0 else at  # of the last step
        steps = []
        while has(0, number := cell(1, along)):
            steps.append(board[number])
            if not has(1, cell(0, along if step > 0 else along + 1)):
                break
            along -= step
        if len(steps) >= FEWEST_STEPS:
            return name, steps[::-1]
    return None


def _broken(position: HexPosition, theirs: HexSide, move: HexMove) -> Fact | None:
    """Which link a threat of the other side would have needed where a move is made."""
    for cell in theirs.connecting[: MOST_NAMED - 1]:
        if cell == move:
            return None
        colour = theirs.own.colour
        for link in winning_links(placed(position, colour, cell), colour):
            if move in link.carrier and (link.is_bridge or link.template):
                ends = f" from {name_of(link.first)} to {name_of(link.second)}"
                told = f"{link.how([])}{ends if link.is_bridge else ''}"
                return f" ({cell} would rely on {told})", (cell, *link.carrier)
    return None


def _intrusion(position: HexPosition, move: HexMove, theirs: HexSide) -> Iterator[Fact]:
    """The bridge of the other side between two chains, or to an edge, that a move plays into."""
    size, rival, colour = position.game.size, theirs.own.colour.capitalize(), theirs.own.colour
    chains = {cell: chain for chain in theirs.own.chains for cell in chain.cells}
    for cell in sorted(set(around(move)) & set(position.moves())):
        beside = [one for one in set(around(move)) & set(around(cell)) if one in chains]
        ends = [str(one) for one in sorted(beside)]
        ends += [
            f"the {e}" for e in EDGES[colour] if all(at_edge(c, e, size) for c in (move, cell))
        ]
        apart = len({chains[one].cells for one in beside}) == len(beside)
        if len(ends) == BRIDGE and apart:
            pair = "/".join(str(one) for one in sorted((move, cell)))
            bridge = f"{rival}'s bridge {pair} from {ends[0]} to {ends[1]}"
            yield f"plays into {bridge}, which {rival} keeps at {cell}", (cell,)
            return


def _links_to(position: HexPosition, chain: HexChain, edge: str) -> tuple[HexLink, ...]:
    """The links by which a chain is connected to an edge on a board."""
    side = position.game.other(position.to_move)
    again = next(c for c in seen(position, side).own.chains if chain.cells[0] in c.cells)
    return links_between(position, side, (chain.cells[0], edge), again.joined[edge])


def _how(links: Sequence[HexLink]) -> str:
    """By what a chain is connected, unless that is too long to tell."""
    row = ", ".join(link.text([]) for link in links)
    text = f" by {links[0].how([])}" if len(links) == 1 else f" ({row})"
    return text if links and len(text) <= MOST_LETTERS else ""


def _joins(after: HexPosition, move: HexMove, mine: HexSide, then: HexSide) -> Iterator[Fact]:
    """The chains that a stone joins with each other, or the one that it has a bridge to."""
    groups: list[HexChain] = []
    for chain in sorted(mine.own.chains, key=lambda one: min(distance(move, c) for c in one.cells)):
        first = chain.cells[0]
        if then.joined(move, first) and not any(mine.joined(first, g.cells[0]) for g in groups):
            groups.append(chain)
    if len(groups) > 1:
        yield f"joins {listed([chain_name(chain) for chain in groups[:3]])}", ()
    elif groups:
        ends = move, groups[0].cells[0]
        links = links_between(after, mine.own.colour, ends, then.carrier(*ends) or Cells())
        if len(links) == 1 and links[0].is_bridge:
            (link,) = links
            stone = link.second if link.first == move else link.first
            yield f"has {link.how([])} to {name_of(stone)}", link.carrier


def distance(one: HexMove, two: HexMove) -> int:
    """The steps from cell to cell.

    >>> distance(HexMove(0, 0), HexMove(2, -1)), distance(HexMove(0, 0), HexMove(2, 1))
    (2, 3)
    """
    rows, columns = two.row - one.row, two.column - one.column
    return max(abs(rows), abs(columns), abs(rows + columns))


def _at(cells: Iterable[HexMove]) -> str:
    """The cells at which a side connects."""
    return at_cells([str(cell) for cell in cells])


def _named(cells: Sequence[HexMove]) -> Sequence[HexMove]:
    """The cells that `at_cells` names."""
    return cells if len(cells) <= MOST_NAMED else cells[: MOST_NAMED - 1]


def _changed(without: SideConnections, view: HexSide) -> Iterator[tuple[HexChain, str]]:
    """The chains that are needed on a board, and connected to an edge only there."""
    for chain in sorted(without.chains, key=lambda one: -len(one.cells)):
        for again in view.own.chains:
            if chain.cells[0] in again.cells and view.is_needed(again):
                for edge in again.joined:
                    if edge not in chain.joined:
                        yield chain, edge
