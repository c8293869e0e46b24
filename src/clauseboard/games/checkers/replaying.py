"""Plain moves replayed on words, several times as fast as positions are: for millions of boards.

What is not plain (a jump that is overlooked, written in part, or ambiguous) is answered with None,
and left to `notation.read_move`, which also says what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from clauseboard.game import NotationError
from clauseboard.games.checkers.board import BLACK, CROWNS, EVERY, WHITE, WORD, jumpers
from clauseboard.games.checkers.notation import read_path
from clauseboard.games.checkers.random_games import jumps_of
from clauseboard.games.checkers.rules import Board


def replay(board: Board, colour: str, texts: Sequence[str]) -> list[Board] | None:
    """The board at first and after each move; None if a move is not plain.

    >>> from clauseboard.games.checkers.rules import Checkers
    >>> boards = replay(Checkers().start().board, "black", ["11-15", "22-18", "15x22"])
    >>> [board[1].bit_count() for board in boards]
    [12, 12, 12, 11]
    """
    boards = [board]
    for text in texts:
        words = _words(text)
        after = None if words is None else _after(board, colour, words)
        if after is None:
            return None
        board, colour = after, WHITE if colour == BLACK else BLACK
        boards.append(board)
    return boards


@lru_cache(maxsize=1 << 14)
def _words(text: str) -> tuple[int, ...] | None:
    """The words of the squares that a text names as a move."""
    try:
        return tuple(WORD[square] for square in read_path(text))
    except NotationError:
        return None


def _after(board: Board, colour: str, path: tuple[int, ...]) -> Board | None:
    black, white, kings = board
    ours, theirs = (black, white) if colour == BLACK else (white, black)
    start, end = path[0], path[-1]
    if not ours & start or not theirs:
        return None
    down = start if colour == BLACK else start & kings
    up = start if colour == WHITE else start & kings
    empty = EVERY & ~(black | white)
    jumping = jumpers(colour, ours, theirs, kings)
    taken = 0
    if jumping:
        found = jumps_of(jumping & start, down, up, theirs, empty)
        fitting = [jump for jump in found if jump[1] == end and (len(path) == 2 or jump[3] == path)]
        if len(fitting) != 1:
            return None
        taken = fitting[0][2]
    elif len(path) != 2 or not empty & end & (down << 4 | down << 5 | up >> 4 | up >> 5):
        return None
    king = kings & start
    kings &= ~(start | taken)
    if king or end & CROWNS[colour]:
        kings |= end
    ours, theirs = ours ^ start | end, theirs & ~taken
    return (ours, theirs, kings) if colour == BLACK else (theirs, ours, kings)
