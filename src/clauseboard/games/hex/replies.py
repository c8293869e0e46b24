"""Replies to the threats of a side in Hex, and which reply of a side that has lost lasts longest.

A side that would be connected by a move threatens. Its plans have some cells in common: a reply
anywhere else leaves one of them, so that these cells are the must-play. Some of them let it connect
all the same, some are intrusions, after which the same question is asked again, and the rest are
what the position is about. A stone in a captured pair is an intrusion, too: it is answered in the
other cell.

Where every move loses, the one that holds out longest is the one after which the winner has most
moves to make (`longest_resistance`).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.concepts import listed
from clauseboard.games.hex.cell_sets import LARGEST
from clauseboard.games.hex.chains import Cells, Workspace, numbers_in, with_stone
from clauseboard.games.hex.encoding import SIDES, boards_of, words_of
from clauseboard.games.hex.rules import HexMove, HexPosition, cells_of
from clauseboard.games.hex.side_view import seen
from clauseboard.games.hex.solving import ALWAYS_EXACT, AT_ONCE, FEW_ENTRIES, solver_for
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


# ---- how long a lost side holds out

SEARCHES = 600
"""Boards on which connections are looked for, to compare moves by more than one exchange."""

EXACT_EFFORT = 2**15
"""Positions that the solver looks at to compare moves on 6 x 6."""


class _SpentError(Exception):
    """All searches for connections that were allowed have been made."""


@dataclass(frozen=True)
class HexResistance:
    """The `moves` of a lost side that hold out longest, and the `best` of them.

    These leave the winner the fewest `answers` that keep its win, where they are counted. `left`
    is how many moves the winner still needs: by the solver if it `is_exact`; else at least so many
    if it stays surely connected; and where not even a reply is found that connects it (`is_seen`
    is false), so many in any case.
    """

    moves: tuple[HexMove, ...]
    best: tuple[HexMove, ...]
    answers: int | None
    left: int
    is_exact: bool = False
    is_seen: bool = True


@functools.lru_cache(maxsize=64)
def longest_resistance(position: HexPosition, exact: bool = True) -> HexResistance | None:
    """The moves after which the winner needs most moves; None where no count is possible.

    It is taken for granted that every move loses. On boards up to 6 x 6 the solver counts, if it
    is not denied; on 6 x 6, if it takes little effort. Else what counts is first whether a reply is
    found that connects the winner at once; then the moves from edge to edge that are left after the
    best such reply, or after two exchanges, and so on, while few boards have been searched;
    without such a reply, those that are left after the move.

    >>> from clauseboard.game import load_game
    >>> position = load_game("hex", size=4).read_position("..../..R./.R../.B.. blue")
    >>> found = longest_resistance(position)
    >>> [str(move) for move in found.moves], [str(move) for move in found.best], found.left
    (['c1', 'd1', 'a4'], ['a4'], 4)
    """
    moves = [move for move in position.moves() if isinstance(move, HexMove)]
    may_swap = len(moves) < len(position.moves()) or position.may_be_swapped
    if may_swap or not moves or position.game.size > LARGEST:
        return None
    if exact and position.game.size <= AT_ONCE and not JIT_DISABLED:
        solver = solver_for(position.game.size, FEW_ENTRIES)
        small = position.game.size <= ALWAYS_EXACT
        known = solver.longest(position, None if small else EXACT_EFFORT)
        if known is not None:
            longest, left = known
            answers = [len(solver.winning_moves(position.play(move))) for move in longest]
            return HexResistance(longest, *_fewest(longest, answers), left, is_exact=True)
    return _Resistance(position).longest()


def _fewest(
    moves: tuple[HexMove, ...], answers: Sequence[int]
) -> tuple[tuple[HexMove, ...], int | None]:
    """The moves that leave the fewest answers, and how many these are."""
    least = min(answers)
    return tuple(move for move, n in zip(moves, answers, strict=True) if n == least), least


class _Resistance:
    """Counts the moves that a winner still has to make; the cells of a set are bits of a number."""

    def __init__(self, position: HexPosition) -> None:
        self.size = size = position.game.size
        self.winner = 1 - SIDES.index(position.to_move)
        stones = position.red, position.blue
        self.own, self.other = stones[self.winner], stones[1 - self.winner]
        self.room, self.searches_left = Workspace(size), size**4  # enough for one exchange
        self.whole = (1 << size * size) - 1
        first = sum(1 << size * row for row in range(size))
        self.not_first, self.not_last = self.whole & ~first, self.whole & ~(first << size - 1)
        top = (1 << size) - 1
        columns, rows = (first, first << size - 1), (top, top << size * (size - 1))
        self.edges = columns if self.winner else rows

    def longest(self) -> HexResistance:
        """The moves after which most are left, by as many exchanges as can be looked at."""
        own, other = self.own, self.other
        free = _bits(self.whole & ~(own | other))
        after = {bit: self._after(own, other | bit, 1) for bit in free}
        if unseen := [bit for bit in free if after[bit] is None]:
            left = {bit: self._paths(own, other | bit)[1] for bit in unseen}
            moves = self._most(left)
            return HexResistance(moves, moves, None, max(left.values()), is_seen=False)
        left = self._further({bit: n for bit, n in after.items() if n is not None})
        moves = self._most(left)
        self.searches_left = self.size**4
        board = cells_of(self.size)
        answers = [self._answers(own, other | 1 << board.index(move)) for move in moves]
        return HexResistance(moves, *_fewest(moves, answers), max(left.values()))

    def _most(self, left: dict[int, int]) -> tuple[HexMove, ...]:
        """The moves after which most are left."""
        board, most = cells_of(self.size), max(left.values())
        return tuple(board[bit.bit_length() - 1] for bit in sorted(left) if left[bit] == most)

    def _further(self, left: dict[int, int]) -> dict[int, int]:
        """What is left by more exchanges: as many as there are searches for."""
        self.searches_left = SEARCHES
        for exchanges in range(2, len(left)):
            least, deeper = 0, {}
            try:
                for bit in sorted(left, key=lambda bit: -left[bit]):
                    n = self._after(self.own, self.other | bit, exchanges, least)
                    assert n is not None  # some reply connects
                    deeper[bit], least = n, max(least, n)
            except _SpentError:
                break
            left = deeper
            if least <= exchanges:  # this was the end of the game
                break
        return left

    def _after(self, own: int, other: int, exchanges: int, least: int = 0) -> int | None:
        """How many moves the winner, whose turn it is, has to make if it stays connected.

        None where no reply is found that keeps it so. A number below `least` may be too great.
        """
        layers, needed = self._paths(own, other)
        if needed <= 1:
            return needed
        sure, planned = self._replies(own, other)
        if sure and exchanges == 1:
            return needed
        on_path = _shortest(layers, needed) & ~(own | other)
        best: int | None = None
        # Replies on a shortest path first; of those of no plan only these, where no other connects.
        for cells in (planned, on_path & ~planned):
            for bit in (*_bits(cells & on_path), *_bits(cells & ~on_path)):
                fewest = needed if bit & on_path else needed + 1
                if best is not None and best <= fewest:
                    break
                carrier = self._carrier(own | bit, other)
                if carrier is None:
                    continue
                left = fewest - 1
                if exchanges > 1:
                    left = self._lasting(own | bit, other, exchanges - 1, best, carrier)
                best = 1 + left if best is None else min(best, 1 + left)
                if best < least:
                    return best
            if best is not None:
                break
        return best

    def _lasting(self, own: int, other: int, exchanges: int, most: int | None, carrier: int) -> int:
        """How many moves are left to a winner that is connected, if the other side holds out.

        Where `most` is reached with the move before, the number may be too small.
        """
        layers, best = self._paths(own, other)
        if best == 0:
            return 0
        for bit in _bits((carrier | _shortest(layers, best)) & ~(own | other)):
            if most is not None and 1 + best >= most:
                break
            left = self._after(own, other | bit, exchanges, best)
            if left is None:  # it is connected all the same
                left = self._paths(own, other | bit)[1]
            best = max(best, left)
        return best

    # ---- what keeps the winner connected

    def _search(self, own: int, other: int) -> bool:
        """Whether the winner is connected, though the other side is to move."""
        if self.searches_left <= 0:
            raise _SpentError
        self.searches_left -= 1
        n_bytes = 8 * words_of(self.size)
        both = (other, own) if self.winner else (own, other)
        data = b"".join(stones.to_bytes(n_bytes, "little") for stones in both)
        connected = self.room.find(np.frombuffer(data, "<u8").astype(np.uint64).reshape(2, -1))
        return bool(connected[self.winner]) or len(self._plans()) > 0

    def _plans(self) -> NDArray[np.uint64]:
        """The carriers that were found last to connect the winner."""
        return self.room.full_plans(self.winner, 1, self.size**2)

    def _carrier(self, own: int, other: int) -> int | None:
        """The cells that keep the winner connected; None if it is not."""
        if not self._search(own, other):
            return None
        cells = _cells(self.room.captured[self.winner])
        return cells | _cells(self._plans()[0]) if len(self._plans()) else cells

    def _replies(self, own: int, other: int) -> tuple[bool, int]:
        """Whether the winner is connected without a reply; and where one may connect it."""
        free = self.whole & ~(own | other)
        if self._search(own, other):
            return True, free
        return False, _cells(np.bitwise_or.reduce(self.room.half_wins(self.winner))) & free

    def _answers(self, own: int, other: int) -> int:
        """In how many cells a reply is found that keeps the winner connected."""
        sure, cells = self._replies(own, other)
        if sure:
            return cells.bit_count()
        return sum(self._search(own | bit, other) for bit in _bits(cells))

    # ---- the moves from edge to edge

    def _paths(self, own: int, other: int) -> tuple[list[list[int]], int]:
        """What is reached from either edge by 0, 1, ... moves; how many lead from edge to edge."""
        layers = []
        for near, far in (self.edges, self.edges[::-1]):
            reached = [self._spread(near & own, own)]
            while not reached[-1] & far:
                more = (self._around(reached[-1]) | near) & ~other
                reached.append(self._spread(reached[-1] | more, own))
            layers.append(reached)
        return layers, len(layers[0]) - 1

    def _spread(self, reached: int, own: int) -> int:
        """Cells, and the winner's chains that they touch."""
        before = 0
        while reached != before:
            before, reached = reached, reached | self._around(reached) & own
        return reached

    def _around(self, cells: int) -> int:
        """These cells and all beside them."""
        size = self.size
        east, west = cells << 1 & self.not_first, cells >> 1 & self.not_last
        up_or_down = cells << size | cells >> size | west << size | east >> size
        return (cells | east | west | up_or_down) & self.whole


def _shortest(layers: list[list[int]], needed: int) -> int:
    """The cells on the shortest ways, with stones between them."""
    first, second = layers
    cells = 0
    for n in range(1, needed + 1):
        cells |= first[n] & second[needed + 1 - n]
    return cells


def _cells(words: NDArray[np.uint64]) -> int:
    """The words of a set as one number."""
    return sum(int(word) << 64 * n for n, word in enumerate(words))


def _bits(cells: int) -> list[int]:
    """The bits of a set, from the lowest on."""
    bits = []
    while cells:
        bits.append(cells & -cells)
        cells &= cells - 1
    return bits
