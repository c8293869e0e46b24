"""Races: two chains that are both dead unless one takes the other, and who is first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from clauseboard.games.concepts import number_word
from clauseboard.games.go import tactics
from clauseboard.games.go.board import neighbours
from clauseboard.games.go.parts import whose
from clauseboard.games.go.reading import read_out
from clauseboard.games.go.rules import Chain, GoMove, GoPosition

RACE_POSITIONS, RACE_MOVES = 3000, 16
"""Positions that are looked at for a race, and its moves at most."""


def race_told(position: GoPosition, stones: Sequence[int]) -> str:
    """Who wins the race that stones are in, as the rest of a sentence; nothing if they are in none.

    Their largest chain is read: it is closed in and dead, and so is one that closes it in.
    """
    chain = max((position.chains[stone] for stone in stones), key=lambda c: len(c.stones))
    if len(chain.stones) == 1 < len(stones):
        return ""
    reading = read_out(position)
    if reading.life(chain, tactics.LIFE_NODES) != tactics.DEAD:
        return ""
    one = len(stones) == 1
    some = f"{number_word(len(chain.stones))} of them " if len(chain.stones) < len(stones) else ""

    def dead_around(of: Iterable[Chain]) -> list[Chain]:
        around = reading.around(of)
        return [e for e in around if reading.life(e, tactics.LIFE_NODES) == tactics.DEAD]

    rival = max(dead_around([chain]), key=lambda e: (len(e.stones), -min(e.stones)), default=None)
    if rival is None:
        return ""
    other = sorted(rival.stones)
    result = _Race(min(chain.stones), other[0]).result(replace(position, passes=0))
    ends = {
        1: f"but {some}{'wins' if one else 'win'}",
        -1: f"and {some}{'loses' if one else 'lose'}",
    }
    if result == 0:
        return ""
    return f"{ends[result]} the race with {whose(position, other)}, {position.to_move} to move"


class _Race:
    """Two chains of which one lives only by taking the other: who is first, by trying all moves.

    Both sides play on the liberties of the two, take what is in atari beside them, or pass.
    """

    def __init__(self, stone: int, other: int) -> None:
        self.stone, self.other = stone, other
        self.known: dict[tuple[bytes, str, int | None, bool], int] = {}

    def result(self, position: GoPosition, passed: bool = False, depth: int = 0) -> int:
        """1 if the chain of the stone is the one that stays, -1 if the other; 0 if that is open."""
        for winner, loser, result in ((self.stone, self.other, 1), (self.other, self.stone, -1)):
            if not position.board[loser]:
                return -result if _is_taken_back(position, winner) else result
        key = (position.board, position.to_move, position.ko, passed)
        if key not in self.known:
            if len(self.known) >= RACE_POSITIONS or depth >= RACE_MOVES:
                return 0
            self.known[key] = 0  # as long as it is being read: a board that comes up again
            self.known[key] = self._best(position, passed, depth)
        return self.known[key]

    def _best(self, position: GoPosition, passed: bool, depth: int) -> int:
        wanted = 1 if position.board[self.stone] == position.colour else -1
        best = 0 if passed else -wanted
        for move in (*self._moves(position), None):
            if move is None and passed:
                continue
            after = replace(position.play(GoMove(move)), passes=0)
            found = self.result(after, move is None, depth + 1)
            if found == wanted:
                return wanted
            best = max(best, found) if wanted == 1 else min(best, found)
        return best

    def _moves(self, position: GoPosition) -> list[int]:
        ours, theirs = self.stone, self.other
        if position.board[ours] != position.colour:
            ours, theirs = theirs, ours
        points = sorted(position.chains[theirs].liberties) + sorted(position.chains[ours].liberties)
        for stone in position.chains[ours].stones:
            for beside in neighbours(position.game.size)[stone]:
                if position.board[beside] == 3 - position.colour:
                    liberties = position.chains[beside].liberties
                    points += liberties if len(liberties) == 1 else ()
        legal = dict.fromkeys(points)
        return [point for point in legal if position.why_not(GoMove(point)) is None]


def _is_taken_back(position: GoPosition, stone: int) -> bool:
    """Whether the chain that has won a race is in atari, and the side to move takes it."""
    last = position.chains[stone].liberties
    is_mine = position.board[stone] == position.colour
    return not is_mine and len(last) == 1 and position.why_not(GoMove(min(last))) is None
