"""The squares of a checkers board, and boards as words of bits.

Squares have the numbers 1 to 32 of every book on the game. Black starts on 1 to 12, drawn at the
top, and moves to higher numbers:

         1   2   3   4
       5   6   7   8
         9  10  11  12
      13  14  15  16      ...

A board is three words: black's pieces, white's pieces and the kings of both. Square n is bit
n - 1, with one bit left free after every second row; so that every diagonal step is a shift by
four or five places, wherever it starts, and a step over the edge falls on a bit that is no
square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

BLACK, WHITE = "black", "white"
SQUARES = range(1, 33)
MAN, KING = "man", "king"


def place(square: int) -> int:
    """The bit of a square.

    >>> [place(square) for square in (1, 8, 9, 32)]
    [0, 7, 9, 34]
    """
    return square - 1 + (square - 1) // 8


WORD = {square: 1 << place(square) for square in SQUARES}
"""The word with the bit of one square."""

SQUARE = {word: square for square, word in WORD.items()}
"""The square of a word with one bit."""

EVERY = sum(WORD.values())
BLACK_START = sum(WORD[square] for square in range(1, 13))
WHITE_START = sum(WORD[square] for square in range(21, 33))
CROWNS = {
    BLACK: sum(WORD[square] for square in range(29, 33)),
    WHITE: sum(WORD[square] for square in range(1, 5)),
}
"""Where a man becomes a king."""


def row(square: int) -> int:
    """The row of a square, 0 at the top."""
    return (square - 1) // 4


def column(square: int) -> int:
    """The column of a square, 0 on the left."""
    return 2 * ((square - 1) % 4) + (1 - row(square) % 2)


CELLS = {(row(square), column(square)): square for square in SQUARES}


def squares(word: int) -> Iterator[int]:
    """The squares of a word, in order.

    >>> list(squares(WORD[3] | WORD[30]))
    [3, 30]
    """
    while word:
        yield SQUARE[word & -word]
        word &= word - 1


def word_of(some: Iterable[int]) -> int:
    """The word of some squares."""
    return sum(WORD[square] for square in set(some))


def turned(word: int) -> int:
    """The word after half a turn of the board, which takes square n to 33 - n.

    >>> turned(BLACK_START) == WHITE_START
    True
    """
    return int(f"{word:035b}"[::-1], 2)


def fault(black: int, white: int, kings: int) -> str | None:
    """What is wrong with three words as a board of checkers, as a sentence; None if nothing is."""
    if (black | white | kings) & ~EVERY:
        return "there are pieces off the board."
    if black & white:
        return f"{_listed(black & white)} cannot hold a black and a white piece at once."
    if kings & ~(black | white):
        return f"{_listed(kings & ~(black | white))} cannot hold a king and no piece."
    if not black | white:
        return "there is no piece on the board."
    for colour, pieces in ((BLACK, black), (WHITE, white)):
        if pieces.bit_count() > 12:
            return f"{colour} has {pieces.bit_count()} pieces; a side has at most 12."
        uncrowned = pieces & CROWNS[colour] & ~kings
        if uncrowned:
            return f"a {colour} man cannot stand on {_listed(uncrowned)}: it would be a king there."
    return None


def _listed(word: int) -> str:
    return " and ".join(str(square) for square in squares(word))
