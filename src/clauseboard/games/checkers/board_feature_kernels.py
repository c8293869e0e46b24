"""What a checkers player counts at a glance, counted on words of bits.

Everything is counted for a side that moves to higher numbers; the board is turned round for the
other side. `measured` gives one number for each of `knowledge.MEASURES`, in their order, for the
one side, the other, and what the one has more; then, for each, whether it would have the move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.games.checkers.board import EVERY as EVERY_SQUARE
from clauseboard.games.checkers.board import SQUARES, row, word_of
from clauseboard.games.checkers.board_features import CENTRE, DOUBLE_CORNERS
from clauseboard.games.checkers.kernels import jumpers
from clauseboard.kernels.bits import ONE, ZERO, count_ones
from clauseboard.kernels.compiler import helper, kernel

N_MEASURES = 27
N_NUMBERS = 3 * N_MEASURES + 2

_EVERY = np.uint64(EVERY_SQUARE)
_ROWS = tuple(np.uint64(word_of(n for n in SQUARES if row(n) == r)) for r in range(8))
_SIDES = np.uint64(word_of((4, 5, 12, 13, 20, 21, 28, 29)))
_CENTRE = np.uint64(word_of(CENTRE))
_CORNERS = np.uint64(word_of(DOUBLE_CORNERS))
_OWN_CORNER = np.uint64(word_of((1, 5)))
_OTHER_CORNER = np.uint64(word_of((28, 32)))
_LONG = np.uint64(word_of((4, 8, 11, 15, 18, 22, 25, 29)))
_SYSTEM = _ROWS[0] | _ROWS[2] | _ROWS[4] | _ROWS[6]

_HALVES = tuple(
    (np.uint64(width), np.uint64(sum(((1 << width) - 1) << k for k in range(0, 64, 2 * width))))
    for width in (1, 2, 4, 8, 16, 32)
)
_4, _5, _29 = np.uint64(4), np.uint64(5), np.uint64(29)
_4_AND_5 = (_4, _5)


@helper
def half_turned(word: Any) -> Any:
    """A word of a board after half a turn: 35 bits the other way round."""
    for width, mask in _HALVES:
        word = ((word >> width) & mask) | ((word & mask) << width)
    return word >> _29


@helper
def safe_steps(movers: Any, shift: Any, up: bool, theirs: Any, kings: Any, empty: Any) -> int:
    """How many of some pieces can step `shift` ahead, or back, and not be jumped there at once."""
    to = movers << shift if up else movers >> shift
    taken = ZERO
    for along in _4_AND_5:
        # The square that the piece has left is free to land on, and lies on the same line.
        below, above = empty << along, empty >> along
        if along == shift:
            if up:
                below |= to
            else:
                above |= to
        taken |= (theirs >> along) & below
        taken |= ((theirs & kings) << along) & above
    return count_ones(to & ~taken)


@helper
def measure_side(ours: Any, theirs: Any, kings: Any, numbers: Any, at: int) -> None:
    """Put what a side that moves up has of each of `knowledge.MEASURES` at a place of `numbers`."""
    empty = _EVERY & ~(ours | theirs)
    men, crowned = ours & ~kings, ours & kings
    up_4, up_5 = ours & (empty >> _4), ours & (empty >> _5)
    down_4, down_5 = crowned & (empty << _4), crowned & (empty << _5)
    can_step = up_4 | up_5 | down_4 | down_5
    numbers[at] = count_ones(men)
    numbers[at + 1] = count_ones(crowned)
    numbers[at + 2] = count_ones(ours)
    numbers[at + 3] = count_ones(up_4) + count_ones(up_5) + count_ones(down_4) + count_ones(down_5)
    numbers[at + 4] = (
        safe_steps(up_4, _4, True, theirs, kings, empty)
        + safe_steps(up_5, _5, True, theirs, kings, empty)
        + safe_steps(down_4, _4, False, theirs, kings, empty)
        + safe_steps(down_5, _5, False, theirs, kings, empty)
    )
    numbers[at + 5] = count_ones(can_step & men)
    numbers[at + 6] = count_ones(can_step & crowned)
    numbers[at + 7] = count_ones(crowned & ~can_step)
    numbers[at + 8] = count_ones(jumpers(ours, crowned, theirs, empty))
    gone = 0
    for r in range(7):
        here = count_ones(men & _ROWS[r])
        numbers[at + 9 + r] = here
        gone += r * here
    numbers[at + 16] = gone
    facing = theirs
    for _ in range(7):
        facing |= ((facing >> _4) | (facing >> _5)) & _EVERY
    free = men & ~facing
    numbers[at + 17] = count_ones(free)
    foremost = 0
    for r in range(7):
        if free & _ROWS[r] != ZERO:
            foremost = r
    numbers[at + 18] = foremost
    numbers[at + 19] = count_ones(ours & _SIDES)
    numbers[at + 20] = count_ones(ours & _CENTRE)
    numbers[at + 21] = count_ones(crowned & _CENTRE)
    numbers[at + 22] = count_ones(crowned & _CORNERS)
    numbers[at + 23] = count_ones(ours & _OWN_CORNER)
    numbers[at + 24] = count_ones(crowned & _OTHER_CORNER)
    numbers[at + 25] = count_ones(crowned & _LONG)
    numbers[at + 26] = count_ones(crowned & (_SIDES | _ROWS[0] | _ROWS[7]))


@helper
def measured(ours: Any, theirs: Any, kings: Any, numbers: Any) -> None:
    """Fill `numbers` (`N_NUMBERS` of them) for a board on which our side moves up."""
    measure_side(ours, theirs, kings, numbers, 0)
    turned = half_turned(kings)
    measure_side(half_turned(theirs), half_turned(ours), turned, numbers, N_MEASURES)
    for k in range(N_MEASURES):
        numbers[2 * N_MEASURES + k] = numbers[k] - numbers[N_MEASURES + k]
    # A side to move has the move if an odd number of pieces stands on the columns of its first row.
    pieces = ours | theirs
    numbers[3 * N_MEASURES] = count_ones(pieces & _SYSTEM) & 1
    numbers[3 * N_MEASURES + 1] = count_ones(pieces & ~_SYSTEM) & 1


@helper
def put_ladders(numbers: Any, ladders: Any, bits: Any) -> None:
    """Pack the bits of each number: as many ones as the number has climbed of its ladder.

    A ladder (`knowledge.LADDERS`) is the place of its first bit, how many it has, the number that
    reaches the first, and by which power of two numbers grow from one to the next. To compare all
    numbers with all levels takes four times as long.
    """
    for word in range(bits.shape[0]):
        bits[word] = ZERO
    for n in range(ladders.shape[0]):
        place, most, low, shift = ladders[n, 0], ladders[n, 1], ladders[n, 2], ladders[n, 3]
        climbed = min(max(((numbers[n] - low) >> shift) + 1, 0), most)
        ones = (ONE << np.uint64(climbed)) - ONE
        word, bit = place >> 6, place & 63
        bits[word] |= ones << np.uint64(bit)
        if bit + climbed > 64:
            bits[word + 1] |= ones >> np.uint64(64 - bit)


@kernel("void(uint64[:, ::1], boolean[::1], int64[:, ::1], uint64[:, ::1])")
def pack_knowledge(boards: Any, turn: Any, ladders: Any, rows: Any) -> None:
    """The bits of each board: for black, or for white where the board is to be turned."""
    numbers = np.zeros(N_NUMBERS, np.int64)
    for n in range(boards.shape[0]):
        black, white, kings = boards[n, 0], boards[n, 1], boards[n, 2]
        if turn[n]:
            measured(half_turned(white), half_turned(black), half_turned(kings), numbers)
        else:
            measured(black, white, kings, numbers)
        put_ladders(numbers, ladders, rows[n])
