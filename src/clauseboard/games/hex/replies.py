"""Replies to the threats of a side in Hex.

A side that would be connected by a move threatens. Its plans have some cells in common: a reply
anywhere else leaves one of them, so that these cells are the must-play. Some of them let it connect
all the same, some are intrusions, after which the same question is asked again, and the rest are
what the position is about. A stone in a captured pair is an intrusion, too: it is answered in the
other cell.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clauseboard.games.concepts import listed
from clauseboard.games.hex.chains import Cells, Workspace, numbers_in, with_stone
from clauseboard.games.hex.encoding import SIDES, boards_of
from clauseboard.games.hex.rules import HexMove, HexPosition, cells_of
from clauseboard.games.hex.side_view import seen
from clauseboard.games.hex.solving import AT_ONCE, FEW_ENTRIES, solver_for
from clauseboard.kernels.compiler import JIT_DISABLED

MOST_TRIES, MOST_ANSWERS = 6, 2
"""More replies than these are not told one by one, and of more answers only that there are some."""


@dataclass(frozen=True)
class HexReply:
    """A reply to threats, and the moves that meet it; none are known where there are none.

    They connect the side that threatens if it is `at_once`; otherwise the solver says that they
    win. `captured`: that side answers in the other cell of a pair.
    """

    cell: HexMove
    answers: tuple[HexMove, ...]
    at_once: bool
    captured: bool


@functools.lru_cache(maxsize=16)
def replies_to(position: HexPosition, side: str) -> tuple[HexReply, ...]:
    """The replies after which a side may have to do more than connect, in the order of the board.

    It is the other side's turn. After every other reply it has a plan left.
    """
    found = []
    must, captured = Cells(seen(position, position.to_move).answers()), Cells()
    if must:
        captured = seen(position, side).own.captured & set(position.moves())
    for cell in sorted(must | captured):
        after = position.play(cell)
        over = after.outcome() is not None
        answers = () if over else seen(after, side).connecting
        at_once = bool(answers)
        if not over and not at_once and position.game.size <= AT_ONCE and not JIT_DISABLED:
            winning = solver_for(position.game.size, FEW_ENTRIES).winning_moves(after)
            answers = tuple(move for move in winning if isinstance(move, HexMove))
        found.append(HexReply(cell, answers, at_once, cell in captured))
    return tuple(found)


@dataclass(frozen=True)
class HexRefutation:
    """Why no reply helps: in half a sentence, in a whole one, and the cells named."""

    text: str
    whole: str
    cells: tuple[HexMove, ...]


def refuted(
    position: HexPosition, side: str, expected: Sequence[object] = ()
) -> HexRefutation | None:
    """Why no reply to the threats of a side helps; None if that is not known.

    Where there is a choice, moves that are `expected` are told.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=5).read_position("...B./.R.../...../...B./..R.. blue")
    >>> refuted(position, "red")
    """
    view, replies = seen(position, side), replies_to(position, side)
    if view.own.is_won or not view.own.half or not all(reply.answers for reply in replies):
        return None
    winner, loser = side.capitalize(), position.to_move.capitalize()
    beside = [reply.cell for reply in replies if reply.captured and not reply.at_once]
    replies = tuple(reply for reply in replies if not reply.captured)
    tries = [reply for reply in replies if not reply.at_once]
    if len(tries) > MOST_TRIES or len(beside) > MOST_TRIES:
        return None
    met = _met(tries or sorted(replies, key=lambda reply: reply.cell not in expected), expected)
    named = tuple(cell for answer, cells in met for cell in (*cells, answer))
    if not tries:
        each = [f"{_names(cells)} {_are(cells)} met by {answer}" for answer, cells in met]
        text = f"{winner} connects whatever {loser} replies"
        if not each:
            return HexRefutation(f"{text} at once", f"{text} at once", named)
        rest = f"every other reply leaves {winner} one of its threats"
        return HexRefutation(f"{text}: {each[0]}", f"{text}: {', '.join(each)}; {rest}", named)
    rest = f"a stone on {' or '.join(map(str, beside))} is answered beside it" if beside else ""
    how = ", ".join(f"{answer} meets {_names(cells)}" for answer, cells in met)
    but = _names([reply.cell for reply in tries])
    begin = f"all replies but {but} let {winner} connect at once, and "
    brief = how if len(met) == MOST_ANSWERS else "each of these is met"
    if len(met) == 1:
        how = brief = f"{met[0][0]} meets {'that one' if len(tries) == 1 else 'each of these'}"
    whole = begin + (f"{how}; {rest}" if rest else how)
    return HexRefutation(begin + brief, whole, (*named, *beside))


def _names(cells: Sequence[HexMove]) -> str:
    return listed([str(cell) for cell in cells])


def _are(cells: Sequence[HexMove]) -> str:
    return "is" if len(cells) == 1 else "are"


def _met(
    replies: Sequence[HexReply], expected: Sequence[object]
) -> list[tuple[HexMove, list[HexMove]]]:
    """Few answers that meet all replies, each with those that it meets."""
    left, met = list(replies), []
    while left:
        answers = dict.fromkeys(answer for reply in left for answer in reply.answers)
        best = max(
            answers,
            key=lambda one: (sum(one in reply.answers for reply in left), one in expected),
        )
        met.append((best, [reply.cell for reply in left if best in reply.answers]))
        left = [reply for reply in left if best not in reply.answers]
    return met


@functools.lru_cache(maxsize=16)
def must_answer(position: HexPosition, side: str) -> tuple[tuple[HexMove, ...], Cells]:
    """The replies to a side's threats after which it does not connect at once, and the intrusions.

    After an intrusion that side has a move after which only these replies are left.
    """
    replies = [reply for reply in replies_to(position, side) if not reply.at_once]
    size, mover = position.game.size, SIDES.index(side)
    room, stones = Workspace(size), boards_of(position.game, [position])[0]
    cells = cells_of(size)
    must = Cells(reply.cell for reply in replies if not reply.captured)

    def left_after(cell: HexMove) -> Iterator[Cells]:
        """What is left of the must-play after a reply and each answer that leaves no other cell."""
        board = with_stone(stones, 1 - mover, cell.row * size + cell.column)
        for n, answer in enumerate(cells):
            if answer in empty - {cell}:
                room.find(with_stone(board, mover, n))
                plans = [numbers_in(plan) for plan in room.half_wins(mover)]
                common = set.intersection(*map(set, plans)) if plans else set()
                left = Cells(cells[number] for number in common)
                if left and left <= must - {cell}:
                    yield left

    empty = set(position.moves())
    leaves = {cell: list(left_after(cell)) for cell in must}
    real = set(must)
    for cell in sorted(must):
        fewer = real - {cell}
        if all(any(left <= fewer for left in leaves[one]) for one in must - fewer):
            real = fewer
    captured = {reply.cell for reply in replies if reply.captured}
    return tuple(sorted(real)), must - real | captured
