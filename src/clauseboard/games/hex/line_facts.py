"""What a move brings in Hex: a connection, a threat, an answer, or a cell that both sides need.

Everything is what `h_search` proves on the boards before and after the move. It proves
connections and no cuts: that a chain is cut off is never said. A fact is a sentence that can be
read at a glance; links that are too long for it, and whatever else there is to say, come after it.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

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
    MOST_NAMED,
    at_cells,
    chain_name,
    connected_briefly,
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
    links_between,
    links_text,
    name_of,
    placed,
    winning_links,
)
from clauseboard.games.hex.remaining_moves import HexResistance, longest_resistance
from clauseboard.games.hex.replies import refuted
from clauseboard.games.hex.rules import SIDES, HexMove, HexPosition, Swap, cells_of
from clauseboard.games.hex.side_view import HexSide, seen, third_line_ladder
from clauseboard.games.hex.solving import AT_ONCE, FEW_ENTRIES, solver_for
from clauseboard.kernels.compiler import JIT_DISABLED

MOST_FACTS, FEW_FACTS = 3, 2
"""How many things are said of one move, and how many even where there is little room."""

NEAR = 2
"""How far chains are from a cell at which a stone may connect them: a bridge, or beside it."""

DEPTH = 1
"""How many answers deep it is tried whether a side connects after every reply."""

ONLY = "is the only winning move"

FAULTS = ("lets ", "misses ")
"""How facts begin that speak against a move."""

MOST_LETTERS, MOST_STANDING = 150, 128
"""Letters of a fact and of how a side stands: the headline has the move and some words besides."""
MOST_ASIDE = 60
"""Letters of what is said in brackets."""


@dataclass(frozen=True)
class HexFact:
    """What is said of a move, the cells that are named, and sentences a level below.

    `aside` is in brackets behind the text where there is room for it, and else a sentence below.
    """

    text: str
    cells: Collection[HexMove] = ()
    aside: str = ""
    more: tuple[str, ...] = ()


def line_fact(position: HexPosition, line: Sequence[HexMove | Swap]) -> str | None:
    """What the first move of a line does, as the rest of a sentence; None if it is quiet.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=3).read_position(".RB/.../... red")
    >>> line_fact(position, [position.read_move("b2")])
    'wins, as one other move does: Red is connected from top to bottom: b2 to the bottom by the \
bridge a3/b3'
    """
    fact = _told(position, tuple(line))
    return None if fact is None else fact.text


def fact_details(position: HexPosition, line: Sequence[HexMove | Swap]) -> tuple[str, ...]:
    """The rest of what there is to say, as sentences: the links in full, and further facts."""
    fact = _told(position, tuple(line))
    return () if fact is None else tuple(map(_sentence, fact.more))


def fact_cells(position: HexPosition, line: Sequence[HexMove | Swap]) -> tuple[str, ...]:
    """The cells that both name, and on which there is no stone after the move."""
    fact = _told(position, tuple(line))
    empty = set() if fact is None else set(fact.cells) & set(position.play(line[0]).moves())
    return tuple(str(cell) for cell in sorted(empty))


def _sentence(text: str) -> str:
    """A sentence with a full stop and a capital, if it does not begin with a cell."""
    begin = text[0] if text[1:2].isdigit() else text[0].upper()
    return f"{begin}{text[1:]}."


@functools.lru_cache(maxsize=16)
def _told(position: HexPosition, line: tuple[HexMove | Swap, ...]) -> HexFact | None:
    move, mover = line[0], position.to_move
    if isinstance(move, Swap):
        return HexFact("takes over the first move")
    after, other = position.play(move), position.game.other(mover)
    if after.winner is not None:
        return HexFact(f"wins: it connects {SIDES[mover]}")
    if position.game.size > LARGEST or position.may_be_swapped:
        return None
    decided = concepts.decided(after)
    if decided is None:
        return _open_fact(position, after, line)
    if decided[0] == mover and seen(position, mover).own.is_won:
        return _connected(f"only tidies up: {mover.capitalize()} is already", position, mover)
    if decided[0] == mover:
        return _connected(f"{_wins(position, move)}: {mover.capitalize()} is", after, mover)
    if seen(position, other).own.is_won:
        return _connected(f"loses: {other.capitalize()} is", position, other)
    return _lets_connect(after, seen(after, other).connecting, at_cells)


def _connected(begin: str, position: HexPosition, side: str) -> HexFact:
    """That a side is connected: by its links where there is room for them, else by their kinds."""
    links, full = cells_of_links(winning_links(position, side)), connected_text(position, side)
    if len(text := f"{begin} {full}") <= MOST_LETTERS:
        return HexFact(text, links)
    text = f"{begin} {connected_briefly(position, side)}"
    return HexFact(text, links, more=(f"{side} is {full}",))


def _lets_connect(
    after: HexPosition, cells: Sequence[HexMove], at: Callable[[Sequence[str]], str]
) -> HexFact:
    """That the side whose turn it is connects, with the links of one way to do so."""
    rival = after.to_move
    if not cells:
        return HexFact(f"lets {rival.capitalize()} connect")
    cell, links = simplest(after, rival, cells)
    more = (f"with {rival} on {cell}, {links_text(links, rival)}",) if links else ()
    named = {*_named(cells), cell, *cells_of_links(links)}
    first = [cell, *(other for other in cells if other != cell)]
    text = f"lets {rival.capitalize()} connect{at(list(map(str, first)))}"
    return HexFact(text, Cells(named), more=more)


def _open_fact(
    position: HexPosition, after: HexPosition, line: Sequence[HexMove | Swap]
) -> HexFact | None:
    """What a move does where H-search alone does not decide the board after it."""
    move, mover, end = line[0], position.to_move, after
    assert isinstance(move, HexMove)
    for reply in line[1:]:
        end = end.play(reply)
    wins = (end.winner or (concepts.decided(end) or ("",))[0]) == mover
    if wins and (known := refuted(after, mover, line[1:3])):
        text = f"{_wins(position, move)}: {known.text}"
        more = () if known.whole == known.text else (known.whole,)
        facts = [HexFact(text, known.cells, more=more)]
        # That there are threats is said.
        quiet = (one for one in _facts(position, after, move, wins) if "threat" not in one.text)
        return _fitted([*facts, *itertools.islice(quiet, 1)], "; it ")
    facts = list(itertools.islice(_facts(position, after, move, wins), MOST_FACTS))
    if not facts:
        return None
    if facts[0].text.startswith(FAULTS):
        facts = facts[:FEW_FACTS]
    solved = _solved_win(position, move) if wins else ""
    return _fitted(
        facts, " and ", f"{solved}: it " if solved else "", "" if wins else needs_text(after, mover)
    )


def _fitted(facts: Sequence[HexFact], between: str, begin: str = "", end: str = "") -> HexFact:
    """Facts as one sentence that is not too long, the most important first; the rest comes below.

    First what would be in brackets goes there, then a third fact, the end and a second one.
    """
    told, asides = list(facts), [fact.aside for fact in facts]
    more = [sentence for fact in facts for sentence in fact.more]

    def text() -> str:
        parts = [
            f"{fact.text} ({aside})" if aside else fact.text
            for fact, aside in zip(told, asides, strict=False)
        ]
        # Facts are apart from each other where some have commas.
        has_comma = any("," in part for part in parts[:-1])
        if len(parts) > 1 and parts[0].startswith(FAULTS):  # it is told last
            parts = [*parts[1:], f"but it {parts[0]}"]
            return f"{begin}{'; '.join(parts)}{f': {end}' if end else ''}"
        said = "; it ".join(parts) if has_comma or between == "; it " else listed(parts)
        return f"{begin}{said}{f': {end}' if end else ''}"

    for n, aside in enumerate(asides):
        if len(aside) > MOST_ASIDE:
            more, asides[n] = [aside, *more], ""
    while len(text()) > MOST_LETTERS:
        last = max((n for n in range(len(told)) if asides[n]), default=-1)
        if last >= 0:
            more, asides[last] = [asides[last], *more], ""
        elif end and len(told) <= FEW_FACTS:  # a line of the account says it, too
            end = ""
        elif len(told) > 1:
            more.append(f"besides, it {told.pop().text}")
        else:
            break
    cells = Cells(cell for fact in facts for cell in fact.cells)
    return HexFact(text(), cells, more=tuple(more))


def lost_fact(
    position: HexPosition, line: Sequence[HexMove | Swap] = ()
) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """Of a position in which every move loses: how long the first move of a line holds out.

    That is half a sentence; then come sentences about why every move loses, where that follows from
    links and threats, and the cells that are named.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=4).read_position("..../..R./.R../.B.. blue")
    >>> lost_fact(position, [position.read_move("a4")])[0]
    'no move holds out longer than a4: Red still needs four moves'
    """
    if position.outcome() is not None:
        return None
    known, winner = longest_resistance(position), position.game.other(position.to_move)
    text, more, cells = "", [], Cells()
    if position.game.size <= LARGEST and not position.may_be_swapped:
        if seen(position, winner).own.is_won:
            more = [f"{winner} is {connected_text(position, winner)}"]
            cells = cells_of_links(winning_links(position, winner))
        elif why := refuted(position, winner, line):
            more = [why.whole]
            cells = Cells(why.cells)
    if known is not None and line and isinstance(line[0], HexMove):
        text, rest = _resistance(known, line[0], winner.capitalize())
        more += rest
    elif more:
        text = more.pop(0)
    if not text:
        return None
    return text, tuple(map(_sentence, more)), tuple(map(str, sorted(cells)))


def _resistance(known: HexResistance, move: HexMove, winner: str) -> tuple[str, list[str]]:
    """How long a move holds out, beside the others, and what more there is to say of it."""
    count, longest = len(known.moves), _longest(known, move)
    left = f"{number_word(known.left)} {'move' if known.left == 1 else 'moves'}"
    rest = []
    if known.answers is not None and count > 1 and move in known.best:
        answers = f"{number_word(known.answers)} {'answer' if known.answers == 1 else 'answers'}"
        fewest = "the fewest" if len(known.best) < count else "like the others"
        rest = [f"{number_word(count)} moves hold out as long; {move} leaves {winner} {answers}, "
                f"{fewest}"]  # fmt: skip
    if known.is_exact:
        return f"{longest}: {winner} still needs {left}", rest
    if known.is_proven:
        return f"{longest}: {winner} still needs at least {left}", rest
    if known.is_seen:
        return f"{longest}: {winner} still needs at least {left} by sure links", rest
    at_once = "no reply is found that connects it at once"
    return f"{longest}: {winner} still needs at least {left}, and {at_once}", rest


def _longest(known: HexResistance, move: HexMove) -> str:
    """That a move holds out longest, or that another one does, as far as that is known."""
    if move not in known.moves:
        return f"{known.best[0]} would {'' if known.is_exact else 'probably '}hold out longest"
    if len(known.moves) == 1:
        return f"{move} {'' if known.is_exact else 'probably '}holds out longest"
    return f"no move {'holds' if known.is_exact else 'is known to hold'} out longer than {move}"


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
to the bottom; Blue needs up to two"
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
    rest = f"{other.capitalize()} needs {up_to(seen(position, other).needs)}"
    subject = f"{side.capitalize()}'s {chain_name(chain)}"
    text = f"{subject} {joined}needs {listed(wants)}; {rest}"
    return text if len(text) <= MOST_STANDING else needs_text(position, side)


def _facts(
    position: HexPosition, after: HexPosition, move: HexMove, wins: bool
) -> Iterator[HexFact]:
    """What a move does where nobody has won yet, the most important first."""
    mover, other = position.to_move, position.game.other(position.to_move)
    mine, theirs = seen(position, mover), seen(position, other)
    then, left = seen(after, mover), seen(after, other)
    rival = other.capitalize()
    if mine.own.half and not wins:
        yield HexFact(f"misses the connection{_at(mine.connecting)}", _named(mine.connecting))
    if left.connecting:  # which the search has not seen
        yield _lets_connect(after, left.connecting, examples)
    if theirs.connecting and not left.connecting:
        how = "is the only answer to" if _others_lose(position, move) else "answers"
        others = [cell for cell in theirs.connecting if cell != move]
        elsewhere = [str(cell) for cell in others]
        at, broken = examples(elsewhere), _broken(position, theirs, move)
        if move in theirs.connecting:
            few = "" if len(elsewhere) > MOST_NAMED else ", for example,"
            at = f" here or{few}{at_cells(elsewhere)}" if elsewhere else " here"
        cells = [*_named(others), *(broken[1] if broken else ())]
        aside = broken[0] if broken else ""
        yield HexFact(f"{how} {rival}'s threat to connect{at}", cells, aside)
    yield from _ladder_facts(position, after, move)
    if then.connecting and not mine.connecting:
        cell, links = simplest(after, mover, then.connecting)
        at = examples(map(str, [cell, *(other for other in then.connecting if other != cell)]))
        how = f"with {mover} on {cell}, {links_text(links, mover)}" if links else ""
        needed = Cells({*_named(then.connecting), cell, *cells_of_links(links)})
        yield HexFact(f"threatens to connect{at}", needed, how)
    for chain, edge in _changed(mine.own, then):
        links = _links_to(after, chain, edge)
        how, told = links_text(links, mover), f"connects {_name(chain)} to the {edge}"
        if len(links) == 1 and len(by := links[0].how([])) <= MOST_ASIDE:
            told, how = f"{told} by {by}", "" if len(how) < len(by) + MOST_ASIDE / 2 else how
        yield HexFact(told, cells_of_links(links), how)
        break  # others are joined to it
    yield from _joins(after, move, mine, then)
    yield from _keeps_apart(position, move, theirs)
    intrusion = list(_intrusion(position, move, theirs))
    yield from intrusion
    for chain, edge in () if intrusion else _changed(left.own, theirs):
        mends = left.mending(chain, edge)
        rest = f", which {rival} can mend{examples(map(str, mends))}" if mends else ""
        link = f"the link of {rival}'s {chain_name(chain)} to the {edge}"
        yield HexFact(f"plays into {link}{rest}", _named(mends))
        break
    yield from _runs_ladder(position, move, {edge for _, edge in _changed(mine.own, then)})
    both = mine.named(mine.needed_by_both())
    if str(move) in both and len(both) <= MOST_NAMED:
        which = "the" if len(both) == 1 else "a"
        yield HexFact(f"takes {which} key cell for both sides")


def _ladder_facts(position: HexPosition, after: HexPosition, move: HexMove) -> Iterator[HexFact]:
    """Whether a move answers a ladder of the other side, or decides where a ladder ends."""
    mover, other = position.to_move, position.game.other(position.to_move)
    theirs, left, later = seen(position, other), seen(after, other), seen(after, mover).ladder
    rival = other.capitalize()
    if later is not None and later.escape == move:
        first = later.cells[0]
        yield HexFact(f"is an escape for the ladder along the {later.edge} from {first}", (first,))
    if answered := _answered_ladder(position, move):
        edge, steps = answered
        yield HexFact(f"answers {rival}'s ladder {steps[0]}-{steps[-1]} along the {edge}")
    before = theirs.ladder
    if before is not None and before.escape is not None and not (left.ladder or before).escape:
        steps = list(before.cells)
        where = f"from {steps[0]} along the {before.edge}"
        yield HexFact(f"stops {rival}'s ladder {where} on the way to {before.escape}", steps[:1])


def _runs_ladder(position: HexPosition, move: HexMove, reached: set[str]) -> Iterator[HexFact]:
    """The ladder that a move begins, or goes on with, along an edge that is not reached by it."""
    ladder = seen(position, position.to_move).ladder
    if ladder is not None and ladder.cells[0] == move and ladder.edge not in reached:
        escape = "" if ladder.escape is None else f" towards the escape at {ladder.escape}"
        yield HexFact(f"runs a ladder along the {ladder.edge}{escape}")
    elif third := third_line_ladder(position, position.to_move, move):
        end = f", connected to it at {third.escape}" if third.escape else ""
        last = third.cells[-1]
        pushes = f"can push along the {third.edge} on the third line as far as {last}{end}"
        yield HexFact(pushes, (last,))


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


def _broken(
    position: HexPosition, theirs: HexSide, move: HexMove
) -> tuple[str, Collection[HexMove]] | None:
    """Which link a threat of the other side would have needed where a move is made."""
    for cell in theirs.connecting[: MOST_NAMED - 1]:
        if cell == move:
            return None
        colour = theirs.own.colour
        for link in winning_links(placed(position, colour, cell), colour):
            if move in link.carrier and (link.is_bridge or link.template):
                ends = f" from {name_of(link.first)} to {name_of(link.second)}"
                told = f"{link.how([])}{ends if link.is_bridge else ''}"
                return f"{cell} would rely on {told}", (cell, *link.carrier)
    return None


def _intrusion(position: HexPosition, move: HexMove, theirs: HexSide) -> Iterator[HexFact]:
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
            yield HexFact(f"plays into {bridge}, which {rival} keeps at {cell}", (cell,))
            return


def _links_to(position: HexPosition, chain: HexChain, edge: str) -> tuple[HexLink, ...]:
    """The links by which a chain is connected to an edge on a board."""
    side = position.game.other(position.to_move)
    again = next(c for c in seen(position, side).own.chains if chain.cells[0] in c.cells)
    return links_between(position, side, (chain.cells[0], edge), again.joined[edge])


def _name(chain: HexChain) -> str:
    """A chain, or a stone by its cell alone, as the object of a sentence."""
    return chain_name(chain).removeprefix("stone ")


def _keeps_apart(position: HexPosition, move: HexMove, theirs: HexSide) -> Iterator[HexFact]:
    """The two chains of the other side that a stone of it on the same cell would connect."""
    rival = theirs.own.colour
    near = [c for c in theirs.own.chains if min(distance(move, x) for x in c.cells) <= NEAR]
    with_it = seen(placed(position, rival, move), rival) if len(near) > 1 else None
    for one, two in itertools.combinations(near, 2):
        ends = one.cells[0], two.cells[0]
        if with_it is not None and with_it.joined(*ends) and not theirs.joined(*ends):
            pair = f"{_name(one)} and {_name(two)}"
            yield HexFact(f"takes a cell at which {rival.capitalize()} would connect {pair}")
            return


def _joins(after: HexPosition, move: HexMove, mine: HexSide, then: HexSide) -> Iterator[HexFact]:
    """The chains that a stone joins with each other, or the one that it has a bridge to."""
    groups: list[HexChain] = []
    for chain in sorted(mine.own.chains, key=lambda one: min(distance(move, c) for c in one.cells)):
        first = chain.cells[0]
        if then.joined(move, first) and not any(mine.joined(first, g.cells[0]) for g in groups):
            groups.append(chain)
    if len(groups) > 1:
        yield HexFact(f"connects {listed([_name(chain) for chain in groups[:3]])}")
    elif groups:
        ends = move, groups[0].cells[0]
        links = links_between(after, mine.own.colour, ends, then.carrier(*ends) or Cells())
        if len(links) == 1 and links[0].is_bridge:
            (link,) = links
            stone = link.second if link.first == move else link.first
            yield HexFact(f"has {link.how([])} to {name_of(stone)}", link.carrier)


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
