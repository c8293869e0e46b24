"""What a checkers player sees at a glance, as named bits.

Clauses over single squares have to find out by themselves that a side is a man ahead, or that a
king is shut in. Here such things are counted (`MEASURES`) for black, for white, and for black
against white; and a bit is whether a number reaches a level: "black has 3 men or more", "black is 1
or more ahead in kings". Black is the side to move in the view "mover", as with all bits.

    >>> from clauseboard.games.checkers.encoding import board_words
    >>> from clauseboard.games.checkers.rules import Checkers
    >>> seen = columns(board_words([Checkers().start()]))[0]
    >>> [name for name, bit in zip(names(Checkers()), seen, strict=True) if bit][:2]
    ['black has 1 man or more', 'black has 2 men or more']

Nothing here looks ahead: for that see `lookahead_columns`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.checks import whole_number
from clauseboard.game import Bit
from clauseboard.games.checkers.encoding import Words, filled, unpacked
from clauseboard.games.checkers.kernels import best_balance, jumpers
from clauseboard.games.checkers.rules import BLACK, SQUARES, WHITE, Checkers, column, row, word_of
from clauseboard.games.checkers.rules import EVERY as EVERY_SQUARE
from clauseboard.games.concepts import Feature
from clauseboard.kernels.bits import ONE, ZERO, count_ones
from clauseboard.kernels.compiler import helper, kernel


@dataclass(frozen=True)
class Measure:
    """Something that a side has a number of: in words, one and many, and the levels told apart.

    There are bits for up to `most`, at every number or at every second one; and for how far one
    side may be ahead of the other, up to `leads`.
    """

    one: str
    many: str
    most: int
    leads: int
    by: int = 1

    @property
    def levels(self) -> range:
        """The numbers for which there is a bit, for one side."""
        return range(self.by, self.most + 1, self.by)

    def count(self, n: int) -> str:
        """So many of them, in words."""
        return f"{n} {self.one if n == 1 else self.many}"


MEASURES = (
    Measure("man", "men", 12, 4),
    Measure("king", "kings", 6, 4),
    Measure("piece", "pieces", 12, 4),
    Measure("step to make", "steps to make", 16, 8),
    Measure("safe step", "safe steps", 12, 8),
    Measure("man that can step", "men that can step", 8, 4),
    Measure("king that can step", "kings that can step", 4, 3),
    Measure("king shut in", "kings shut in", 2, 1),
    Measure("piece that can jump", "pieces that can jump", 2, 1),
    *(Measure(f"man on its row {n}", f"men on its row {n}", 4 if n < 6 else 3, 2)
      for n in range(1, 8)),
    Measure("row gone by its men", "rows gone by its men", 30, 8, by=2),
    Measure("free man", "free men", 4, 2),
    Measure("row gone by its foremost free man", "rows gone by its foremost free man", 6, 5),
    Measure("piece on the side edges", "pieces on the side edges", 5, 3),
    Measure("piece in the centre", "pieces in the centre", 5, 4),
    Measure("king in the centre", "kings in the centre", 3, 2),
    Measure("king in a double corner", "kings in a double corner", 2, 2),
    Measure("piece in its own double corner", "pieces in its own double corner", 2, 2),
    Measure("king in the other's double corner", "kings in the other's double corner", 2, 1),
    Measure("king on the long diagonal", "kings on the long diagonal", 2, 2),
    Measure("king on an edge", "kings on an edge", 3, 2),
)  # fmt: skip
"""What is counted, in the order of the kernels.

A step is a move without a jump, counted whether or not there is something to jump; it is safe if
no jump over the piece can follow at once. A side's rows count from its own first one, and
a man there has gone none. A man is free if no piece of the other side stands on a square
that it could come to by steps. The long diagonal is that from 4 to 29; the centre are the eight
squares two steps from every edge.
"""

MOVE = "would have the move, if it were to move"
"""The opposition: an odd number of pieces stands on the columns of the side's own first row."""


def _told() -> Iterator[tuple[range, list[Bit]]]:
    """For each number that the kernels count, the levels at which it has a bit, and the bits."""
    for colour in (BLACK, WHITE):
        for measure in MEASURES:
            levels = measure.levels
            texts = [f"{colour} has {measure.count(level)} or more" for level in levels]
            yield levels, [Bit(text, None, measure.many) for text in texts]
    for measure in MEASURES:
        leads = range(1 - measure.leads, measure.leads + 1)
        texts = [f"{BLACK} is {_lead(lead)} in {measure.many}" for lead in leads]
        yield leads, [Bit(text, None, measure.many) for text in texts]
    for colour in (BLACK, WHITE):
        yield range(1, 2), [Bit(f"{colour} {MOVE}", None, "the move")]


def _lead(lead: int) -> str:
    if lead > 0:
        return f"{lead} or more ahead"
    return f"at most {-lead} behind" if lead < 0 else "not behind"


BITS = tuple(bit for _, bits in _told() for bit in bits)
"""The bits, in the order of `columns`."""


def _ladders() -> NDArray[np.int64]:
    made, place = [], 0
    for levels, bits in _told():
        made.append((place, len(bits), levels[0], levels.step.bit_length() - 1))
        place += len(bits)
    return np.array(made, np.int64)


LADDERS = _ladders()
"""Where the bits of each number are, and when they are set: see `knowledge_kernels.put_ladders`."""


def names(game: Checkers) -> list[str]:
    """The names of the bits."""
    return [bit.name for bit in BITS]


def packed(boards: Words, turn: Any = False) -> Words:
    """The bits of an array of boards (see `encoding`), packed, the first bit lowest."""

    def fill(shown: Words, turns: NDArray[np.bool_], rows: Words) -> None:
        pack_knowledge(shown, turns, LADDERS, rows)

    return filled(fill, boards, turn, -(-len(BITS) // 64), np.uint64)


def columns(boards: Words, turn: Any = False) -> NDArray[np.uint8]:
    """The bits of an array of boards (see `encoding`) as 0 and 1, boards × bits.

    Where `turn` says so, a board is seen from white's side, and "black" in the names means white.
    """
    return unpacked(packed(boards, turn))[:, : len(BITS)]


# ---- features that evaluators weigh (`games.concepts`)
# Squares are black's, which begin at the low numbers; white's are those of the board turned round.

WORTH = {"man": 1.0, "king": 1.5}
"""What the kinds of piece are worth."""

HOME = 0
"""The row of black's that white's men want to reach."""

CENTRE = frozenset({10, 11, 14, 15, 18, 19, 22, 23})
"""Two steps or more from every edge."""

DOUBLE_CORNERS = frozenset({1, 5, 28, 32})
"""Where a king can step to and fro between two squares, and is hard to catch."""

BRIDGE = frozenset({1, 3})
"""With men on both, white cannot get past black's first row."""


def _square(bit: Bit) -> int:
    assert bit.cell is not None
    return int(bit.cell)


def _is_king(bit: Bit) -> bool:
    return bit.piece.endswith("king")


def _is_man(bit: Bit) -> bool:
    return not _is_king(bit)


FEATURES: tuple[Feature, ...] = (
    Feature("piece difference", "pieces", lambda bit: 1.0, good=True),
    Feature("kings", "kings", lambda bit: float(_is_king(bit)), good=True),
    Feature(
        "side",
        "pieces on the left and the right edge",
        lambda bit: float(column(_square(bit)) in (0, 7)),
    ),
    Feature(
        "back row",
        "men that have stayed on their first row",
        lambda bit: float(_is_man(bit) and row(_square(bit)) == HOME),
    ),
    Feature(
        "bridge",
        "men on the two squares of the bridge, 1 and 3 (white: 32 and 30)",
        lambda bit: float(_is_man(bit) and _square(bit) in BRIDGE),
    ),
    Feature(
        "centre", "pieces in the eight squares of the centre",
        lambda bit: float(_square(bit) in CENTRE),
    ),
    Feature(
        "tempo",
        "rows that men have gone ahead, in parts of the seven to the last one",
        lambda bit: row(_square(bit)) / 7 if _is_man(bit) else 0.0,
    ),
    Feature(
        "near crowning",
        "men with one or two steps to go",
        lambda bit: float(_is_man(bit) and row(_square(bit)) >= 5),
    ),
    Feature(
        "kings in the centre",
        "kings in the eight squares of the centre",
        lambda bit: float(_is_king(bit) and _square(bit) in CENTRE),
    ),
    Feature(
        "double corner",
        "kings in a double corner",
        lambda bit: float(_is_king(bit) and _square(bit) in DOUBLE_CORNERS),
    ),
)  # fmt: skip

SETS = {
    "three": ("piece difference", "kings", "side"),
    "full": tuple(feature.name for feature in FEATURES),
}
"""Those of the report on temporal differences that this player is from, and all."""


# ---- what a checkers player counts at a glance, counted on words of bits
# Everything is counted for a side that moves to higher numbers; the board is turned round for the
# other side. `measured` gives one number for each of `MEASURES`, in their order, for
# the one side, the other, and what the one has more; then, for each, whether it would have the
# move.

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
def half_turned(word):
    """A word of a board after half a turn: 35 bits the other way round."""
    for width, mask in _HALVES:
        word = ((word >> width) & mask) | ((word & mask) << width)
    return word >> _29


@helper
def safe_landings(movers, shift, up: bool, theirs, kings, empty):
    """Where some pieces come by a step `shift` ahead, or back, and are not jumped at once."""
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
    return to & ~taken


@helper
def measure_side(ours, theirs, kings, numbers, at: int) -> None:
    """Put what a side that moves up has of each of `MEASURES` at a place of `numbers`."""
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
        count_ones(safe_landings(up_4, _4, True, theirs, kings, empty))
        + count_ones(safe_landings(up_5, _5, True, theirs, kings, empty))
        + count_ones(safe_landings(down_4, _4, False, theirs, kings, empty))
        + count_ones(safe_landings(down_5, _5, False, theirs, kings, empty))
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
def measured(ours, theirs, kings, numbers) -> None:
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
def put_ladders(numbers, ladders, bits) -> None:
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
def pack_knowledge(boards, turn, ladders, rows) -> None:
    """The bits of each board: for black, or for white where the board is to be turned."""
    numbers = np.zeros(N_NUMBERS, np.int64)
    for n in range(boards.shape[0]):
        black, white, kings = boards[n, 0], boards[n, 1], boards[n, 2]
        if turn[n]:
            measured(half_turned(white), half_turned(black), half_turned(kings), numbers)
        else:
            measured(black, white, kings, numbers)
        put_ladders(numbers, ladders, rows[n])


# ---- what comes of a checkers board within some moves, as named bits
# Who sees that a man will be lost judges a board better than who counts men. These bits say how
# far a side, if it were to move, comes out ahead after so many moves of best play; exchanges are
# looked at to their end. Pieces are all that is counted (`kernels.best_balance`): a man is one,
# a king one and a half.  Each costs a search. They are for judging boards, not for a search to
# use at its leaves.

DEPTHS = (0, 2, 4, 6)
"""How many moves are looked ahead; 0: jumps alone, to their end."""

MOST = 10
"""More than so many moves ahead take too long."""

LEVELS = tuple(range(-7, 9))
"""By how many half men, at least, a side comes out ahead."""


def lookahead_names(depths: Sequence[int] = DEPTHS) -> list[str]:
    """The lookahead_names of the bits, in the order of `lookahead_columns`.

    >>> lookahead_names((4,))[15]
    'black, to move, comes out 4 or more ahead within 4 moves'
    """
    return [
        f"{colour}, to move, comes out {_ahead(level)} {_within(depth)}"
        for depth in checked(depths)
        for colour in (BLACK, WHITE)
        for level in LEVELS
    ]


def lookahead_columns(
    boards: Words, turn: Any = False, depths: Sequence[int] = DEPTHS
) -> NDArray[np.uint8]:
    """The bits of an array of boards (see `encoding`) as 0 and 1, boards × bits.

    Where `turn` says so, a board is seen from white's side, and "black" in the names means white.
    """
    looked = checked(depths)

    def fill(shown: Words, turns: NDArray[np.bool_], rows: NDArray[np.int64]) -> None:
        for numbers, board, turned in zip(rows, shown, turns, strict=True):
            for n, depth in enumerate(looked):
                for k in range(2):
                    numbers[2 * n + k] = best_balance(*board, k ^ int(turned), depth)

    found = filled(fill, boards, turn, 2 * len(looked), np.int64)
    return (found[..., None] >= np.array(LEVELS)).reshape(len(boards), -1).astype(np.uint8)


def checked(depths: Sequence[int]) -> tuple[int, ...]:
    """The depths, if all of them are numbers of moves to look ahead."""
    return tuple(whole_number("depth", depth, 0, MOST) for depth in depths)


def _ahead(level: int) -> str:
    men = _half_men(abs(level))
    if level > 0:
        return f"{men} or more ahead"
    return f"at most {men} behind" if level < 0 else "not behind"


def _half_men(level: int) -> str:
    whole, half = divmod(level, 2)
    return f"{whole or ''}{'½' if half else ''}"


def _within(depth: int) -> str:
    return f"within {depth} moves" if depth else "by jumps"
