"""Boards as named bits: by squares, by cells for windows, and by seven numbers.

`board_words` makes an array of boards, three words each; the functions after it turn such arrays
into packed rows. `turn` asks for boards as white sees them: turned round with the colours exchanged
(which is also the one symmetry that checkers has). `sides_to_move` gives it for the view of
whoever is to move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import one_of
from clauseboard.game import Bit
from clauseboard.games.checkers.rules import (
    CELLS,
    SQUARES,
    WHITE,
    WORD,
    Checkers,
    CheckersPosition,
    fault,
)
from clauseboard.kernels.bits import ONE, ZERO, count_ones, lowest_one
from clauseboard.kernels.compiler import helper, kernel

Words = NDArray[np.uint64]

PIECES = ("black man", "black king", "white man", "white king")

BITS = tuple(Bit(f"{piece} on {n}", str(n), piece) for piece in PIECES for n in SQUARES)
"""The 128 bits of a board, a square a bit, kind by kind."""

CELL_SHAPE = (8, 8, 4)
"""Rows, columns and kinds of piece of a board by cells, in which diagonals stay diagonals."""

CELL_BITS = tuple(
    Bit(f"{piece} on {CELLS[cell]}", str(CELLS[cell]), piece)
    if (cell := (row, column)) in CELLS
    else Bit(f"{piece} on the light cell {row + 1}/{column + 1}", None, piece)
    for row in range(8)
    for column in range(8)
    for piece in PIECES
)
"""The bits of a board by cells; those of light cells are always 0."""

MEASURES = (
    ("own men", 12),
    ("opponent's men", 12),
    ("own kings", 12),
    ("opponent's kings", 12),
    ("own pieces on the left and right edges", 8),
    ("row of the centre of own weight", 8),
    ("row of the centre of the opponent's weight", 8),
)
"""Seven numbers that tell of a board, and the most that each can be.

Rows count from 1, black's first; a king weighs twice as much as a man; the centre is rounded down,
and 0 where there is no piece. Own is black, or white on a board that is turned.
"""

DIGIT_BITS = tuple(
    Bit(f"{name}: digit {1 << digit}", None, name) for name, _ in MEASURES for digit in range(4)
)
"""The seven numbers as binary numbers of four digits, lowest first."""

LEVEL_BITS = tuple(
    Bit(f"{name}: {level} or more", None, name)
    for name, most in MEASURES
    for level in range(1, most + 1)
)
"""The seven numbers by what they reach, which makes clauses easier to read."""


def board_words(positions: Iterable[CheckersPosition]) -> Words:
    """An array of boards: black's pieces, white's pieces, kings (see `board`)."""
    return np.array([position.board for position in positions], np.uint64).reshape(-1, 3)


def words_of_rows(rows: NDArray[np.uint8]) -> Words:
    """An array of boards from rows of `BITS`, 0 and 1.

    >>> start = Checkers().start()
    >>> (words_of_rows(start.game.encode([start])) == board_words([start])).all()
    np.True_
    """
    bits = np.asarray(rows)
    if bits.ndim != 2 or bits.shape[1] != len(BITS) or not np.isin(bits, (0, 1)).all():
        raise ValueError(f"Boards are rows of {len(BITS)} bits, 0 or 1; not {bits.shape} of these.")
    squares = np.array([WORD[square] for square in SQUARES], np.uint64)
    kinds = bits.reshape(-1, len(PIECES), len(SQUARES)).astype(np.uint64) @ squares
    men, kings, white_men, white_kings = kinds.T
    return np.stack([men | kings, white_men | white_kings, kings | white_kings], axis=1)


def sides_to_move(positions: Iterable[CheckersPosition]) -> NDArray[np.bool_]:
    """Where white is to move, so that the board is to be turned for its view."""
    return np.array([position.to_move == WHITE for position in positions], np.bool_)


def packed_squares(boards: Words, turn: Any = False) -> Words:
    """Boards as the packed bits of `BITS`, boards × 2 words.

    >>> packed_squares(board_words([Checkers().start()])).view(np.uint8)[0].tolist()
    [255, 15, 0, 0, 0, 0, 0, 0, 0, 0, 240, 255, 0, 0, 0, 0]
    """

    return filled(pack_squares, boards, turn, 2, np.uint64)


def packed_cells(boards: Words, turn: Any = False) -> Words:
    """Boards as the packed bits of `CELL_BITS`, boards × 4 words."""

    return filled(pack_cells, boards, turn, 4, np.uint64)


def measures(boards: Words, turn: Any = False) -> NDArray[np.uint8]:
    """The numbers of `MEASURES`, boards × 7."""

    return filled(measure, boards, turn, len(MEASURES), np.uint8)


def packed_digits(boards: Words, turn: Any = False) -> Words:
    """Boards as the packed bits of `DIGIT_BITS`, boards × 1 word.

    >>> packed_digits(board_words([Checkers().start()])).tolist() == [[0x72300CC]]
    True
    """

    return filled(pack_digits, boards, turn, 1, np.uint64)


def packed_levels(boards: Words, turn: Any = False) -> Words:
    """Boards as the packed bits of `LEVEL_BITS`, boards × 2 words."""

    return filled(pack_levels, boards, turn, 2, np.uint64)


def filled(fill: Callable[..., None], boards: Words, turn: Any, width: int, dtype: Any) -> Any:
    """Rows of so many numbers, one for each board, that a kernel fills in."""
    if boards.ndim != 2 or boards.shape[1] != 3 or boards.dtype != np.uint64:
        raise ValueError(
            f"An array of boards is n x 3 of uint64, not {boards.shape} of {boards.dtype}."
        )
    turns = np.asarray(turn, np.bool_)
    if turns.ndim and turns.shape != boards.shape[:1]:
        raise ValueError(
            f"turn is one yes or no, or one for each of the {len(boards)} boards; "
            f"here it has the shape {turns.shape}."
        )
    rows = np.empty((len(boards), width), dtype)
    # A kernel takes only arrays that may be written to, even where it does not.
    fill(np.require(boards, None, ["C", "W"]), np.array(np.broadcast_to(turns, len(boards))), rows)
    return rows


def unpacked(words: Words) -> NDArray[np.uint8]:
    """Packed rows as 0 and 1."""
    return np.unpackbits(
        np.ascontiguousarray(words, "<u8").view(np.uint8),
        axis=1,
        bitorder="little",
    )


def digits(numbers: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """`measures` as the 28 bits of `DIGIT_BITS`."""
    bits = (numbers[:, :, None] >> np.arange(4, dtype=np.uint8)) & 1
    return bits.reshape(len(numbers), -1).astype(np.uint8)


def levels(numbers: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """`measures` as the 72 bits of `LEVEL_BITS`."""
    reached = [
        numbers[:, n, None] >= np.arange(1, most + 1) for n, (_, most) in enumerate(MEASURES)
    ]
    return np.concatenate(reached, axis=1).astype(np.uint8)


def with_turned(boards: Words, results: NDArray[Any], mirrored: NDArray[Any]) -> Any:
    """Boards and their copies seen from the other side, with the copies' own results.

    `results` are those of the boards, `mirrored` those with the colours exchanged.
    """
    if not len(boards) == len(results) == len(mirrored):
        raise ValueError(
            f"{len(boards)} boards need as many results and mirrored results, "
            f"not {len(results)} and {len(mirrored)}."
        )
    return (
        np.concatenate([packed_squares(boards), packed_squares(boards, True)]),
        np.concatenate([results, mirrored]),
    )


def encode(
    game: Checkers, positions: Iterable[CheckersPosition], view: str = "board"
) -> NDArray[np.uint8]:
    """Boards as the bits of `BITS`, 0 and 1.

    In the view "mover" the board is turned, with the colours exchanged, where white is to move.
    """
    if view not in ("board", "mover"):
        raise ValueError(f"A view is 'board' or 'mover', not {view!r}.")
    shown = list(positions)
    turn = sides_to_move(shown) if view == "mover" else False
    return unpacked(packed_squares(board_words(shown), turn))


def decode(game: Checkers, row: NDArray[np.uint8], to_move: str) -> CheckersPosition:
    """The position that a row of `BITS` shows."""
    bits = np.asarray(row)
    if bits.shape != (len(BITS),) or not np.isin(bits, (0, 1)).all():
        raise ValueError(f"A board of checkers is {len(BITS)} bits, 0 or 1; not {row!r}.")
    one_of("to_move", to_move, game.colours)
    kinds = bits.reshape(len(PIECES), len(SQUARES))
    if (kinds.sum(axis=0) > 1).any():
        crowded = 1 + int(kinds.sum(axis=0).argmax())
        raise ValueError(f"The bits are no board of checkers: {crowded} holds two pieces at once.")
    men, kings, white_men, white_kings = (
        sum(WORD[1 + int(n)] for n in np.flatnonzero(kind)) for kind in kinds
    )
    board = (men | kings, white_men | white_kings, kings | white_kings)
    wrong = fault(*board)
    if wrong:
        raise ValueError(f"The bits are no board of checkers: {wrong}")
    return CheckersPosition(game, *board, to_move)


# ---- Checkers as white sees it
# the board turned round, the colours exchanged.


def bits(game: Checkers) -> tuple[Bit, ...]:
    """Black men on 1 to 32, black kings, white men, white kings."""
    return BITS


def mover_source(game: Checkers) -> NDArray[np.intp]:
    """The bit of the board that white sees as each bit; see `games.squares`."""
    bits = np.arange(len(BITS)).reshape(2, -1, len(BITS) // 4)
    return bits[::-1, :, ::-1].reshape(-1)


# ---- boards straight from words of bits into packed rows, many at a time
# A packed row has the same bits, in the same order, as `np.packbits(row, bitorder="little")` of a
# row of 0 and 1; it is stored in 64-bit words. `turn` says for each board whether it is to be
# shown from white's side: turned round, with the colours exchanged, so that white's pieces become
# black's.

_1, _2, _3, _4, _8, _16, _24, _32 = (np.uint64(n) for n in (1, 2, 3, 4, 8, 16, 24, 32))
_BYTES = tuple(np.uint64(0xFF << 8 * n) for n in range(4))
_ODD = np.uint64(0x5555_5555)
_PAIRS = np.uint64(0x3333_3333)
_NIBBLES = np.uint64(0x0F0F_0F0F)
_EDGES = np.uint64(sum(1 << (square - 1) for square in (4, 5, 12, 13, 20, 21, 28, 29)))
_ROW = np.uint64(0xF)


@helper
def without_gaps(word):
    """A word of a board with square n on bit n - 1."""
    return (
        (word & _BYTES[0])
        | ((word >> _1) & _BYTES[1])
        | ((word >> _2) & _BYTES[2])
        | ((word >> _3) & _BYTES[3])
    )


@helper
def with_gaps(word):
    """A word with square n on bit n - 1 as a word of a board."""
    return (
        (word & _BYTES[0])
        | ((word & _BYTES[1]) << _1)
        | ((word & _BYTES[2]) << _2)
        | ((word & _BYTES[3]) << _3)
    )


@helper
def turned(word):
    """32 bits the other way round."""
    word = ((word >> _1) & _ODD) | ((word & _ODD) << _1)
    word = ((word >> _2) & _PAIRS) | ((word & _PAIRS) << _2)
    word = ((word >> _4) & _NIBBLES) | ((word & _NIBBLES) << _4)
    return (
        (word >> _24)
        | ((word >> _8) & _BYTES[1])
        | ((word << _8) & _BYTES[2])
        | ((word << _24) & _BYTES[3])
    )


@helper
def seen(boards, turn, n: int):
    """The two sides' pieces and the kings of a board, without gaps, black's or white's first."""
    black, white = without_gaps(boards[n, 0]), without_gaps(boards[n, 1])
    kings = without_gaps(boards[n, 2])
    if turn[n]:
        return turned(white), turned(black), turned(kings)
    return black, white, kings


@kernel("void(uint64[:, ::1], boolean[::1], uint64[:, ::1])")
def pack_squares(boards, turn, rows) -> None:
    """32 bits each for own men, own kings, the others' men and their kings: two words a board."""
    for n in range(boards.shape[0]):
        ours, theirs, kings = seen(boards, turn, n)
        rows[n, 0] = (ours & ~kings) | ((ours & kings) << _32)
        rows[n, 1] = (theirs & ~kings) | ((theirs & kings) << _32)


@kernel("void(uint64[:, ::1], boolean[::1], uint64[:, ::1])")
def pack_cells(boards, turn, rows) -> None:
    """Eight by eight cells of four bits, the light ones empty: four words a board."""
    for n in range(boards.shape[0]):
        ours, theirs, kings = seen(boards, turn, n)
        for word in range(4):
            rows[n, word] = ZERO
        pieces = ours | theirs
        while pieces != ZERO:
            square = lowest_one(pieces)
            bit = ONE << np.uint64(square)
            pieces ^= bit
            row = square >> 2
            cell = 8 * row + 2 * (square & 3) + 1 - (row & 1)
            kind = (2 if theirs & bit != ZERO else 0) + (1 if kings & bit != ZERO else 0)
            rows[n, cell >> 4] |= ONE << np.uint64(4 * (cell & 15) + kind)


@helper
def centre(men, kings) -> int:
    """The row, 1 to 8, in which the weight of some pieces lies; a king weighs two. 0: no piece."""
    weight = 0
    moment = 0
    for row in range(8):
        shift = np.uint64(4 * row)
        here = count_ones((men >> shift) & _ROW) + 2 * count_ones((kings >> shift) & _ROW)
        weight += here
        moment += (row + 1) * here
    return moment // weight if weight > 0 else 0


@helper
def measured(ours, theirs, kings):
    """Seven numbers that tell of a board as a whole (see `encoding.MEASURES`)."""
    return (
        count_ones(ours & ~kings),
        count_ones(theirs & ~kings),
        count_ones(ours & kings),
        count_ones(theirs & kings),
        count_ones(ours & _EDGES),
        centre(ours & ~kings, ours & kings),
        centre(theirs & ~kings, theirs & kings),
    )


@kernel("void(uint64[:, ::1], boolean[::1], uint8[:, ::1])")
def measure(boards, turn, rows) -> None:
    """The seven numbers of each board."""
    for n in range(boards.shape[0]):
        ours, theirs, kings = seen(boards, turn, n)
        numbers = measured(ours, theirs, kings)
        for i in range(7):
            rows[n, i] = numbers[i]


@kernel("void(uint64[:, ::1], boolean[::1], uint64[:, ::1])")
def pack_digits(boards, turn, rows) -> None:
    """The seven numbers with four binary digits each: one word a board."""
    for n in range(boards.shape[0]):
        ours, theirs, kings = seen(boards, turn, n)
        numbers = measured(ours, theirs, kings)
        word = ZERO
        for i in range(7):
            word |= np.uint64(numbers[i]) << np.uint64(4 * i)
        rows[n, 0] = word


@kernel("void(uint64[:, ::1], boolean[::1], uint64[:, ::1])")
def pack_levels(boards, turn, rows) -> None:
    """As many ones for each of the seven numbers as it is high: two words a board.

    Four numbers have 12 places and three have 8: the first six fill a word.
    """
    for n in range(boards.shape[0]):
        ours, theirs, kings = seen(boards, turn, n)
        numbers = measured(ours, theirs, kings)
        word = ZERO
        for i in range(6):
            ones = (ONE << np.uint64(numbers[i])) - ONE
            word |= ones << np.uint64(12 * i if i < 5 else 56)
        rows[n, 0] = word
        rows[n, 1] = (ONE << np.uint64(numbers[6])) - ONE
