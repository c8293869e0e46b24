"""A number for every board of a few pieces, so that a table can hold what is known of it.

Boards are seen by the side to move, and sorted by their material: how many men and kings that side
has, and how many the other. Each of these four groups of pieces gets a number of its own, the
rank of its squares in colexicographic order; and the four together, like the digits of a number,
are the number of the board. Two groups may claim the same square, so that some numbers are no
boards (of those of five pieces, a fifth); in return both ways between board and number are a few
look-ups.

Each side counts squares from its own end: black's first is 1, white's first is 32. A board with
white to move then needs not be turned round to be looked up.
"""

from __future__ import annotations

import itertools
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.checkers.board import SQUARES, WORD, place, word_of

MOST_PIECES = 5
"""Tables of more pieces are not made: those of six would take 3.5 GB."""

BASE = MOST_PIECES + 1
MAN_SQUARES, KING_SQUARES = 28, 32
"""Where men and kings may stand: a man on the last row would be a king."""


class Material(NamedTuple):
    """How many men and kings the side to move has, and how many the other side."""

    men: int
    kings: int
    other_men: int
    other_kings: int

    @property
    def pieces(self) -> int:
        """All of them."""
        return sum(self)

    @property
    def turned(self) -> Material:
        """The same pieces with the other side to move."""
        return Material(self.other_men, self.other_kings, self.men, self.kings)

    @property
    def code(self) -> int:
        """Where the offset of this material is found."""
        return ((self.men * BASE + self.kings) * BASE + self.other_men) * BASE + self.other_kings

    @property
    def size(self) -> int:
        """How many numbers its boards have, those of no board included."""
        return (
            comb(MAN_SQUARES, self.men)
            * comb(MAN_SQUARES, self.other_men)
            * comb(KING_SQUARES, self.kings)
            * comb(KING_SQUARES, self.other_kings)
        )


def materials(pieces: int) -> list[Material]:
    """All material of so many pieces, some on each side, in an order in which it can be solved.

    Moves lead to fewer pieces, or to more kings among as many, or stay.
    """
    found = [
        Material(*counts)
        for counts in itertools.product(range(pieces + 1), repeat=4)
        if sum(counts) == pieces and 0 < counts[0] + counts[1] < pieces
    ]
    return sorted(found, key=lambda one: (one.men + one.other_men, one))


def table_size(pieces: int) -> int:
    """How many numbers the boards of exactly so many pieces have.

    >>> [table_size(pieces) for pieces in (2, 3, 4)]
    [3600, 212400, 7239300]
    """
    return sum(one.size for one in materials(pieces))


def count_boards(pieces: int) -> int:
    """How many boards of exactly so many pieces there are, some of them on each side.

    The squares 1 to 4, where a black man may stand and a white one not, are told apart from 29 to
    32, where it is the other way round, and from the 24 between.

    >>> count_boards(2)
    3488
    """
    total = 0
    for men, kings, other_men, other_kings in materials(pieces):
        for at_home in range(men + 1):
            between = men - at_home
            placed = comb(4, at_home) * comb(24, between) * comb(28 - between, other_men)
            free = 32 - men - other_men
            total += placed * comb(free, kings) * comb(free - kings, other_kings)
    return total


def count_boards_of_one_side(pieces: int) -> int:
    """How many boards of exactly so many pieces there are, all of one side, black's or white's.

    >>> [count_boards(n) + count_boards_of_one_side(n) for n in (1, 2, 3, 4)]
    [120, 6972, 261224, 7092774]
    """
    return 2 * sum(comb(28, men) * comb(32 - men, pieces - men) for men in range(pieces + 1))


def offsets(pieces: int) -> NDArray[np.int64]:
    """Where in one long table each material begins, by its code; -1: it has no place there."""
    found = np.full(BASE**4, -1, np.int64)
    at = 0
    for n in range(2, pieces + 1):
        for one in materials(n):
            found[one.code] = at
            at += one.size
    return found


def groups() -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The words of all groups of up to four pieces, for black and white; where each size begins.

    A group of n pieces with rank r is `words[side, starts[n] + r]`.
    """
    words: tuple[list[int], list[int]] = ([], [])
    starts = []
    for size in range(MOST_PIECES):
        starts.append(len(words[0]))
        # Colexicographic order: the highest squares count most.
        chosen = sorted(itertools.combinations(SQUARES, size), key=lambda group: group[::-1])
        words[0].extend(word_of(group) for group in chosen)
        words[1].extend(word_of(33 - square for square in group) for group in chosen)
    return np.array(words, np.uint64), np.array(starts, np.int64)


CHOOSE = np.array([[comb(n, k) for k in range(BASE)] for n in range(33)], np.int64)


def _parts() -> NDArray[np.int64]:
    """What the n-th lowest piece of a group adds to its rank, by side, the bit it is on, and n."""
    parts = np.zeros((2, place(32) + 1, BASE), np.int64)
    for square, word in WORD.items():
        bit = word.bit_length() - 1
        parts[0, bit] = CHOOSE[square - 1]
        parts[1, bit] = CHOOSE[32 - square]
    return parts


PARTS = _parts()
