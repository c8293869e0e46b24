"""The concepts of checkers: what players of this game count, and how they say it.

The squares are black's, which begin at the low numbers; white's are those of the board turned
round. `concept_kernels` counts all of this for searches; `cells` says which squares it is about.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.checkers.concept_kernels import (
    N_CONCEPTS,
    NAMES,
    SPEAKING,
    count_boards,
    find_squares,
)
from clauseboard.games.checkers.encoding import board_words
from clauseboard.games.checkers.rules import WHITE, CheckersPosition, squares
from clauseboard.games.concepts import Concept, filled_in, line_sentence, number_word

CONCEPTS: tuple[Concept, ...] = (
    Concept(
        "board", "material", "has {n} pieces", shared="{n} pieces", levels=(6, 8, 10, 12, 16, 20),
        context=True,
    ),
    Concept(
        "men", "material", "has {n} {man|men}", ahead="is {n} {man|men} ahead", leads=(1, 2, 3),
        good=1,
    ),
    Concept(
        "kings", "material", "has {n} {king|kings}", context=True, none="has no king",
        ahead="is {n} {king|kings} ahead", levels=(1, 2), leads=(1, 2, 3), good=1,
    ),
    Concept(
        "pieces", "material", "has {n} {piece|pieces}", ahead="is {n} {piece|pieces} ahead",
        leads=(1, 2, 3, 4), good=1,
    ),
    Concept(
        "safe moves", "mobility", "has {n} safe {move|moves}", none="has no safe move",
        levels=(1, 2, 3, 4, 5, 6, 8, 10), leads=(1, 2, 3, 4, 5, 6, 8), good=1,
    ),
    Concept(
        "blocked men", "blocked men", "has {n} blocked {man|men}", levels=(1, 2, 3, 4, 5, 6),
        leads=(1, 2, 3), good=-1,
    ),
    Concept(
        "back row", "back row", "keeps {n} {man|men} on the back row", none="has left the back row",
        ahead="keeps {n} more on the back row", levels=(1, 2, 3, 4), leads=(1, 2, 3), good=1,
    ),
    Concept(
        "bridge", "bridge", "holds the bridge", fact="{side} holds the bridge on {cells}",
        levels=(1,), exact=True, good=1,
    ),
    Concept(
        "triangle", "triangle", "holds the triangle", fact="{side} holds the triangle {cells}",
        levels=(1,), exact=True, good=1,
    ),
    Concept(
        "centre", "centre", "has {n} {piece|pieces} in the centre", levels=(1, 2, 3, 4, 5, 6),
        leads=(1, 2, 3, 4), good=1,
    ),
    Concept(
        "edges", "edges", "has {n} {man|men} on the edge",
        fact="{side} has {n} {man|men} on the edge, with one way to go", levels=(1, 2, 3, 4, 5),
        leads=(1, 2, 3), good=-1,
    ),
    Concept(
        "runaway men", "runaway man", "has {n} runaway {man|men}", levels=(1, 2, 3), leads=(1, 2),
        good=1,
    ),
    Concept(
        "runaway", "runaway man", "has run {n} {row|rows} with a runaway man",
        ahead="is {n} {row|rows} ahead with a runaway man", levels=(2, 3, 4, 5, 6),
        leads=(1, 2, 3, 4), good=1,
    ),
    Concept(
        "advanced men", "advanced men", "has {n} {man|men} near the king row", levels=(1, 2, 3),
        leads=(1, 2), good=1,
    ),
    Concept(
        "trapped kings", "trapped king", "has {n} trapped {king|kings}",
        fact="{side}'s {king|kings} on {cells} {is|are} trapped", levels=(1, 2), leads=(1,),
        good=-1,
    ),
    Concept(
        "centre kings", "kings", "has {n} {king|kings} in the centre", levels=(1, 2), leads=(1, 2),
        good=1,
    ),
    Concept(
        "corner kings", "double corner", "has {n} {king|kings} in a double corner",
        fact="{side} has {n} {king|kings} in a double corner", levels=(1, 2), leads=(1,), good=1,
    ),
    Concept(
        "double corner", "double corner", "has {n} {piece|pieces} in the home double corner",
        levels=(1, 2), leads=(1, 2), good=1,
    ),
    Concept(
        "long diagonal", "kings", "has {n} {king|kings} on the long diagonal", levels=(1, 2),
        leads=(1, 2), good=1,
    ),
    Concept(
        "move", "the move", "has the move", ahead="has the move", fact="{side} has the move",
        levels=(1,), exact=True, good=1,
    ),
    Concept(
        "hanging", "hanging", "has {n} {piece|pieces} hanging",
        fact="{side}'s {piece|pieces} on {cells} can be jumped", levels=(1, 2), leads=(1,), good=-1,
    ),
    Concept(
        "exchange", "exchange", "faces {n} {exchange|exchanges}",
        ahead="faces {n} more {exchange|exchanges}", fact="{side} faces an exchange on {cells}",
        levels=(1, 2), leads=(1,), good=-1,
    ),
    Concept(
        "tempo", "tempo", "has made {n} {step|steps}", ahead="has made {n} more {step|steps}",
        fact="{other} has {lead} more {step|steps} in hand", levels=(8, 12, 16, 20, 24),
        leads=(2, 4, 6, 8, 10), good=-1,
    ),
    Concept(
        "backed men", "support", "has {n} backed {man|men}", levels=(1, 2, 3, 4, 5, 6, 7),
        leads=(1, 2, 3), good=1,
    ),
    Concept(
        "lone men", "support", "has {n} lone {man|men}", levels=(1, 2, 3), leads=(1, 2), good=-1,
    ),
    Concept(
        "lopsided", "balance", "has {n} {piece|pieces} more on one wing",
        ahead="is {n} {piece|pieces} more lopsided",
        fact="{side} has {n} {piece|pieces} more on one wing", levels=(2, 4), leads=(2, 4), good=-1,
    ),
    Concept(
        "dog hole", "dog hole", "has a man in the dog hole",
        fact="{side} has a man in the dog hole, {cells}", levels=(1,), exact=True, good=-1,
    ),
    Concept(
        "turn", "turn", "is to move", none="has just moved", fact="it is {side}'s turn",
        context=True, levels=(1,), exact=True, good=1,
    ),
    Concept(
        "held men", "held men", "has {n} held {man|men}",
        fact="{side}'s {man|men} on {cells} {is|are} held", levels=(1, 2, 3, 4), leads=(1, 2, 3),
        good=-1,
    ),
)  # fmt: skip
"""In the order of `concept_kernels.NAMES`.

A move is safe if no jump can follow at once. A man is blocked if it has no move at all, and held if
it has moves, but no safe one. The bridge is a man on each of 1 and 3 (white: 30 and 32), the
triangle is 2, 3 and 7 (white: 26, 30 and 31); the centre are the eight squares two steps or more
from every edge, and the edges the left and the right one. A runaway man crowns in four steps or
fewer, whatever the other side does meanwhile: it goes step by step over squares that no piece of
theirs can come to or jump it on in time. A man near the king row has two steps to it or fewer. A
man in the dog hole is on 28 (white: 5), a step from a double corner that the other side can shut.
"The move" is the opposition: the side to move has it if an odd number of pieces stands on the
columns of its first row. A piece hangs if it can be jumped and nothing jumps back; otherwise an
exchange is on offer. Tempo are the steps that men have made, while more than twelve pieces are
left: who has made fewer has more in hand, and can wait. Later it is good to have come far, which
other concepts tell. A backed man has a piece behind it, a lone man none beside it.
"""

assert tuple(concept.name for concept in CONCEPTS) == NAMES

MEN, KINGS, SAFE_MOVES, RUNAWAY, TURN = map(
    NAMES.index, ("men", "kings", "safe moves", "runaway", "turn")
)


def count(positions: Sequence[CheckersPosition]) -> NDArray[np.int64]:
    """The numbers of both sides: positions × colours × concepts.

    >>> from clauseboard.game import load_game
    >>> count([load_game("checkers").start()])[0, 0, :4].tolist()
    [24, 12, 0, 12]
    """
    sides = np.array([int(position.to_move == WHITE) for position in positions], np.int64)
    rows = np.empty((len(positions), 2 * N_CONCEPTS), np.int64)
    count_boards(np.require(board_words(positions), None, ["C", "W"]), sides, rows)
    return rows.reshape(-1, 2, N_CONCEPTS)


# ---- which squares a concept speaks of


def cells(position: CheckersPosition, concept: str, colour: str) -> tuple[str, ...]:
    """The squares that a concept speaks of on a position, for one side.

    >>> from clauseboard.game import load_game
    >>> cells(load_game("checkers").start(), "bridge", "white")
    ('30', '32')
    """
    if concept not in SPEAKING:  # the move, the turn, tempo: the whole board
        return ()
    found = np.empty(len(SPEAKING), np.uint64)
    turned, is_to_move = colour == WHITE, position.to_move == colour
    find_squares(np.array(position.board, np.uint64), int(turned), is_to_move, found)
    marked = squares(int(found[SPEAKING.index(concept)]))
    return tuple(str(n) for n in sorted(33 - n if turned else n for n in marked))


def line_text(
    position: CheckersPosition,
    line: str,
    side: str,
    ours: NDArray[np.int64],
    theirs: NDArray[np.int64],
) -> str:
    """The sentence of a line that speaks for a side; empty where it has nothing to speak of.

    `ours` and `theirs` have the counts of that side and of the other one.
    """
    other = position.game.other(side)
    if line == "material":
        return _material(side, other, ours, theirs)
    if line == "mobility" and (said := _mobility(side, other, ours, theirs)):
        return said
    if line == "runaway man":
        return _runaway(position, side, other, ours, theirs)

    def told(concept: Concept, more: str, less: str, n: int, m: int) -> str:
        if concept.name == "tempo" and ours[MEN] != theirs[MEN]:  # fewer men have fewer to make
            return f"{more}'s men have made {filled_in('{n} more {step|steps}', n - m)}"
        said = concept.on_board(more, less, n, m, cells(position, concept.name, more))
        both = m and concept.fact and not concept.exact and "{other}" not in concept.fact
        return f"{said}; {less} has {number_word(m)}" if both else said

    return line_sentence(CONCEPTS, line, side, other, ours, theirs, told) or _all_the_same(
        line, side, other, ours, theirs
    )


def _all_the_same(
    line: str, side: str, other: str, ours: NDArray[np.int64], theirs: NDArray[np.int64]
) -> str:
    """What a side has, though the other has as much: it counts beside its kings, or with none."""
    has_more_kings = ours[KINGS] > theirs[KINGS]
    for concept, n, m in zip(CONCEPTS, ours.tolist(), theirs.tolist(), strict=True):
        if concept.line == line and concept.good > 0 and n:
            has = filled_in(concept.has, n)
            if has_more_kings and "king" not in has:
                has = f"has a king, and {has.removeprefix('has ')}"
            rest = f", {other} {number_word(m)}" if m and not concept.exact else ""
            return f"{side} {has}{rest}"
    return ""


def _material(side: str, other: str, ours: NDArray[np.int64], theirs: NDArray[np.int64]) -> str:
    men, kings, pieces = (int(ours[k] - theirs[k]) for k in range(1, 4))
    if pieces > 0 and kings == 0:
        return f"{side} is {_some(men, 'man', 'men')} ahead"
    if pieces >= 0 and kings > 0 and men == 0:
        return f"{side} is {_some(kings, 'king', 'kings')} ahead"
    if pieces > 0:
        extra = f"{'' if kings > 0 else f'{other} '}has {_more(abs(kings), 'king', 'kings')}"
        return f"{side} is {_some(pieces, 'piece', 'pieces')} ahead, and {extra}"
    if pieces == 0 and kings > 0:
        return f"{side} has {_more(kings, 'king', 'kings')}, with equal pieces"
    if kings > 0:
        return f"{side} has {_more(kings, 'king', 'kings')}"
    if men > 0 and kings < 0:
        extra = f"{other} {_more(-kings, 'king', 'kings')}"
        return f"{side} has {_more(men, 'man', 'men')}, {extra}"
    return ""


def _mobility(side: str, other: str, ours: NDArray[np.int64], theirs: NDArray[np.int64]) -> str:
    """That the other side is out of safe moves; or, where it has as many, whose turn it is."""
    mine, yours = int(ours[SAFE_MOVES]), int(theirs[SAFE_MOVES])
    if mine > 0 == yours:
        return f"{other} is out of safe moves, {side} has {number_word(mine)}"
    if ours[TURN] and 0 < mine <= yours:
        return f"it is {side}'s turn"
    return ""


def _some(n: int, one: str, many: str) -> str:
    return f"a {one}" if n == 1 else f"{number_word(n)} {many}"


def _more(n: int, one: str, many: str) -> str:
    return f"a {one} more" if n == 1 else f"{number_word(n)} {many} more"


def _runaway(
    position: CheckersPosition,
    side: str,
    other: str,
    ours: NDArray[np.int64],
    theirs: NDArray[np.int64],
) -> str:
    mine, yours = int(ours[RUNAWAY]), int(theirs[RUNAWAY])
    squares = cells(position, "runaway", side)
    if not squares:
        return ""
    steps = number_word(7 - mine)
    rival = f", {other}'s in {number_word(7 - yours)}" if yours else ""
    return f"{side}'s man on {squares[0]} crowns in {steps}{rival}"
