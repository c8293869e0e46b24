"""What can be replied to the threats of a side in Hex, and what that side has against each reply.

A side that would be connected by a move threatens. Its plans have some cells in common: a reply
anywhere else leaves one of them, so that these cells are the must-play. Some of them let it connect
all the same, some are intrusions, after which the same question is asked again, and the rest are
what the position is about.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clauseboard.games.concepts import listed
from clauseboard.games.hex.chains import Cells, Workspace, numbers_in, with_stone
from clauseboard.games.hex.encoding import SIDES, boards_of
from clauseboard.games.hex.rules import HexMove, HexPosition
from clauseboard.games.hex.side_view import seen
from clauseboard.games.hex.solving import AT_ONCE, FEW_ENTRIES, solver_for
from clauseboard.kernels.compiler import JIT_DISABLED

MOST_TRIES = 6
"""More replies than these are not told one by one."""


@dataclass(frozen=True)
class HexReply:
    """A reply to threats, and the moves that meet it; none are known where there are none.

    They connect the side that threatens if it is `at_once`; otherwise the solver says that they
    win.
    """

    cell: HexMove
    answers: tuple[HexMove, ...]
    at_once: bool


@functools.lru_cache(maxsize=16)
def replies_to(position: HexPosition, side: str) -> tuple[HexReply, ...]:
    """The replies of the must-play, in the order of the board, to the threats of a side.

    It is the other side's turn.
    """
    found = []
    for cell in sorted(seen(position, position.to_move).answers()):
        after = position.play(cell)
        over = after.outcome() is not None
        answers = () if over else seen(after, side).connecting
        at_once = bool(answers)
        if not over and not at_once and position.game.size <= AT_ONCE and not JIT_DISABLED:
            answers = solver_for(position.game.size, FEW_ENTRIES).winning_moves(after)
        found.append(HexReply(cell, tuple(answers), at_once))
    return tuple(found)


def refuted(
    position: HexPosition, side: str, expected: Sequence[object] = ()
) -> tuple[str, list[HexMove]] | None:
    """Why no reply to the threats of a side helps, and the cells named; None if that is not known.

    Where there is a choice, moves that are `expected` are told.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=5).read_position("...B./.R.../...../...B./..R.. blue")
    >>> refuted(position, "red")
    """
    view, replies = seen(position, side), replies_to(position, side)
    if view.own.is_won or not view.own.half or not all(reply.answers for reply in replies):
        return None
    tries = [reply for reply in replies if not reply.at_once]
    if len(tries) > MOST_TRIES:
        return None
    met = _met(tries or sorted(replies, key=lambda reply: reply.cell not in expected), expected)
    named = [cell for answer, cells in met for cell in (*cells, answer)]
    winner, loser = side.capitalize(), position.to_move.capitalize()
    if not tries:
        few = met[:MOST_TRIES]
        told = [f"{listed(list(map(str, cells)))} by {answer}" for answer, cells in few]
        rest = f": it meets {', '.join(told)}" if told else " at once"
        return f"{winner} connects whatever {loser} replies{rest}", named
    besides = listed([str(reply.cell) for reply in tries])
    if len(met) == 1:
        how = f"{met[0][0]} meets {'that one' if len(tries) == 1 else 'each of these'}"
    else:
        how = ", ".join(f"{answer} meets {listed(list(map(str, cells)))}" for answer, cells in met)
    return f"all replies but {besides} let {winner} connect at once, and {how}", named


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

    After an intrusion the side that threatens has a move that leaves no other replies than were
    there before.
    """
    must = [reply.cell for reply in replies_to(position, side) if not reply.at_once]
    size, mover = position.game.size, SIDES.index(side)
    room, stones = Workspace(size), boards_of(position.game, [position])[0]
    numbers = {cell: cell.row * size + cell.column for cell in must}

    def leaves_the_same(cell: HexMove, answer: int) -> bool:
        board = with_stone(with_stone(stones, 1 - mover, numbers[cell]), mover, answer)
        room.find(board)
        plans = room.half_wins(mover)
        common = _common(numbers_in(plan) for plan in plans)
        return bool(common) and common <= set(numbers.values()) - {numbers[cell]}

    free = [move.row * size + move.column for move in position.moves() if isinstance(move, HexMove)]
    intrusions = Cells(
        cell
        for cell in must
        if any(leaves_the_same(cell, n) for n in free if n != numbers[cell])
    )
    real = tuple(cell for cell in must if cell not in intrusions)
    return (real, intrusions) if real else (tuple(must), Cells())


def _common(plans: Iterable[list[int]]) -> set[int]:
    """The cells that are in all plans; none without any."""
    sets = [set(plan) for plan in plans]
    return set.intersection(*sets) if sets else set()
