"""What checkers players count on a board, on words of bits; `concepts` says what each means.

Everything is counted for a side that moves to higher numbers; the board is turned round for the
other side.
"""

from __future__ import annotations

import numpy as np

from clauseboard.games.checkers.board_features import half_turned, safe_landings
from clauseboard.games.checkers.kernels import jumpers
from clauseboard.games.checkers.rules import EVERY as EVERY_SQUARE
from clauseboard.games.checkers.rules import SQUARES, row, word_of
from clauseboard.kernels.bits import ONE, ZERO, count_ones
from clauseboard.kernels.compiler import helper, kernel

NAMES = (
    "board", "men", "kings", "pieces", "safe moves", "blocked men", "back row", "bridge",
    "triangle", "centre", "edges", "runaway men", "runaway", "advanced men", "trapped kings",
    "centre kings", "corner kings", "double corner", "long diagonal", "move", "hanging",
    "exchange", "tempo", "backed men", "lone men", "lopsided", "dog hole", "turn",
    "held men",
)  # fmt: skip
"""What is counted, in the order of the counts."""

N_CONCEPTS = len(NAMES)

TEMPO_COUNTS = 12
"""With so many pieces or fewer, men that have come far are no longer a burden."""

_EVERY = np.uint64(EVERY_SQUARE)
_ROWS = tuple(np.uint64(word_of(n for n in SQUARES if row(n) == r)) for r in range(8))
_SIDES = np.uint64(word_of((4, 5, 12, 13, 20, 21, 28, 29)))
_CENTRE = np.uint64(word_of((10, 11, 14, 15, 18, 19, 22, 23)))
_CORNERS = np.uint64(word_of((1, 5, 28, 32)))
_HOME_CORNER = np.uint64(word_of((1, 5)))
_BRIDGE = np.uint64(word_of((1, 3)))
_TRIANGLE = np.uint64(word_of((2, 3, 7)))
_LONG = np.uint64(word_of((4, 8, 11, 15, 18, 22, 25, 29)))
_DOG_HOLE = np.uint64(word_of((28,)))
_SYSTEM = _ROWS[0] | _ROWS[2] | _ROWS[4] | _ROWS[6]
_LEFT = np.uint64(word_of(n for n in SQUARES if (n - 1) % 4 < 2))
_4, _5 = np.uint64(4), np.uint64(5)
_4_AND_5 = (_4, _5)


@helper
def landings(movers, shift, up: bool):
    """Where some pieces come by a step."""
    return movers << shift if up else movers >> shift


@helper
def safe_movers(movers, shift, up: bool, theirs, kings, empty):
    """Those of some pieces that are not jumped at once after this step."""
    to = safe_landings(movers, shift, up, theirs, kings, empty)
    return landings(to, shift, not up)


@helper
def guards(ours, theirs, kings):
    """The pieces of ours that stand where a jump over another one would land."""
    kept = ZERO
    for along in _4_AND_5:
        kept |= (((theirs >> along) & ours) >> along) & ours
        kept |= ((((theirs & kings) << along) & ours) << along) & ours
    return kept


@helper
def without_losses(movers, shift, up: bool, ours, theirs, kings, empty):
    """Those of some pieces after whose step they can jump nothing; each is tried."""
    safe = ZERO
    while movers != ZERO:
        piece = movers & (~movers + ONE)
        movers ^= piece
        to = landings(piece, shift, up)
        after, free = ours ^ piece ^ to, empty ^ piece ^ to
        if jumpers(theirs & kings, theirs, after, free) == ZERO:
            safe |= piece
    return safe


@helper
def jumped_back(ours, theirs, kings, start, over, end) -> bool:
    """Whether we can jump at once after their jump from `start` over one of ours to `end`."""
    after_theirs = theirs ^ start ^ end
    after_ours = ours & ~over
    empty = _EVERY & ~(after_ours | after_theirs)
    return jumpers(after_ours, after_ours & kings, after_theirs, empty) != ZERO


@helper
def hanging(ours, theirs, kings, empty):
    """The pieces of ours that they could jump: those without a jump back, and those with one.

    Their men move down, our men up.
    """
    lost, traded = ZERO, ZERO
    for along in _4_AND_5:
        twice = along + along
        # Their piece above, ours in the middle, an empty square below; and the other way round.
        down = theirs & (ours << along) & (empty << twice)
        while down != ZERO:
            piece = down & (~down + ONE)
            down ^= piece
            if jumped_back(ours, theirs, kings, piece, piece >> along, piece >> twice):
                traded |= piece >> along
            else:
                lost |= piece >> along
        up = theirs & kings & (ours >> along) & (empty >> twice)
        while up != ZERO:
            piece = up & (~up + ONE)
            up ^= piece
            if jumped_back(ours, theirs, kings, piece, piece << along, piece << twice):
                traded |= piece << along
            else:
                lost |= piece << along
    return lost, traded & ~lost


@helper
def step_back(squares):
    """The squares from which a man steps to one of these."""
    return (squares >> _4) | (squares >> _5)


@helper
def beyond_reach(men, crowned, taken):
    """The squares that their men and kings, standing so, neither hold nor can jump a piece on.

    `taken` are squares that cannot be stepped on anyway.
    """
    jumped = ZERO
    for along in _4_AND_5:
        jumped |= ((men | crowned) >> along) & (_EVERY << along)
        jumped |= (crowned << along) & (_EVERY >> along)
    return _EVERY & ~(taken | men | crowned | jumped)


@helper
def runaways(ours, theirs, kings, turn: bool):
    """The men of ours that crown in one step, two, three and four, whatever they do meanwhile.

    A man goes step by step, and so may all of their pieces at once, through each other: it must
    step on no square that one of them can have come to, and on none where one can jump it. Squares
    of the last row are safe from jumps.
    """
    falling, crowned = theirs & ~kings, theirs & kings
    if not turn:  # they are a step ahead
        falling, crowned = reached(falling, crowned)
    last_1 = _ROWS[7] & ~(ours | falling | crowned)
    safe_1 = beyond_reach(falling, crowned, ours)
    falling, crowned = reached(falling, crowned)
    last_2 = _ROWS[7] & ~(ours | falling | crowned)
    safe_2 = beyond_reach(falling, crowned, ours)
    falling, crowned = reached(falling, crowned)
    last_3 = _ROWS[7] & ~(ours | falling | crowned)
    safe_3 = beyond_reach(falling, crowned, ours)
    falling, crowned = reached(falling, crowned)
    last_4 = _ROWS[7] & ~(ours | falling | crowned)
    men = ours & ~kings
    in_1 = step_back(last_1)
    in_2 = step_back(step_back(last_2) & safe_1)
    in_3 = step_back(step_back(step_back(last_3) & safe_2) & safe_1)
    in_4 = step_back(step_back(step_back(step_back(last_4) & safe_3) & safe_2) & safe_1)
    return (
        in_1 & men & _ROWS[6],
        in_2 & men & _ROWS[5],
        in_3 & men & _ROWS[4],
        in_4 & men & _ROWS[3],
    )


@helper
def reached(men, crowned):
    """Where their men and kings are, or can be after a step."""
    men |= step_back(men) & _EVERY
    crowned |= (step_back(crowned) | (crowned << _4) | (crowned << _5)) & _EVERY
    return men, crowned


SPEAKING = (
    "men", "kings", "pieces", "safe moves", "blocked men", "back row", "bridge", "triangle",
    "centre", "edges", "runaway men", "runaway", "advanced men", "trapped kings", "centre kings",
    "corner kings", "double corner", "long diagonal", "hanging", "exchange", "backed men",
    "lone men", "dog hole", "held men",
)  # fmt: skip
"""The concepts that speak of squares, in the order of `squares_of`."""


@helper
def squares_of(ours, theirs, kings, turn: bool):
    """The squares that concepts speak of, for a side that moves up; and the number of safe moves.

    A piece may have several safe moves. The bridge and the triangle are there as a whole or not.
    """
    empty = _EVERY & ~(ours | theirs)
    men, crowned = ours & ~kings, ours & kings
    up_4, up_5 = ours & (empty >> _4), ours & (empty >> _5)
    down_4, down_5 = crowned & (empty << _4), crowned & (empty << _5)
    lost, traded = hanging(ours, theirs, kings, empty)
    if lost | traded == ZERO:
        free_to_go = ~guards(ours, theirs, kings)
        safe_4 = safe_movers(up_4 & free_to_go, _4, True, theirs, kings, empty)
        safe_5 = safe_movers(up_5 & free_to_go, _5, True, theirs, kings, empty)
        back_4 = safe_movers(down_4 & free_to_go, _4, False, theirs, kings, empty)
        back_5 = safe_movers(down_5 & free_to_go, _5, False, theirs, kings, empty)
    else:
        # Only a few moves parry a jump that is there already.
        safe_4 = without_losses(up_4, _4, True, ours, theirs, kings, empty)
        safe_5 = without_losses(up_5, _5, True, ours, theirs, kings, empty)
        back_4 = without_losses(down_4, _4, False, ours, theirs, kings, empty)
        back_5 = without_losses(down_5, _5, False, ours, theirs, kings, empty)
    can_step = up_4 | up_5 | down_4 | down_5
    in_1, in_2, in_3, in_4 = runaways(ours, theirs, kings, turn)
    beside = (ours << _4) | (ours << _5) | (ours >> _4) | (ours >> _5)
    squares = (
        men,
        crowned,
        ours,
        safe_4 | safe_5 | back_4 | back_5,
        men & ~can_step,
        men & _ROWS[0],
        _BRIDGE if men & _BRIDGE == _BRIDGE else ZERO,
        _TRIANGLE if men & _TRIANGLE == _TRIANGLE else ZERO,
        ours & _CENTRE,
        men & _SIDES,
        in_1 | in_2 | in_3 | in_4,
        in_1 if in_1 != ZERO else in_2 if in_2 != ZERO else in_3 if in_3 != ZERO else in_4,
        men & (_ROWS[5] | _ROWS[6]),
        crowned & ~can_step,
        crowned & _CENTRE,
        crowned & _CORNERS,
        ours & _HOME_CORNER,
        crowned & _LONG,
        lost,
        traded,
        men & ((ours << _4) | (ours << _5)),
        men & ~beside,
        men & _DOG_HOLE,
        men & can_step & ~(safe_4 | safe_5),
    )
    n_safe = count_ones(safe_4) + count_ones(safe_5) + count_ones(back_4) + count_ones(back_5)
    return squares, n_safe


@helper
def count_side(ours, theirs, kings, turn: bool, counts, at: int) -> None:
    """Put the numbers of a side that moves up at a place of `counts`, in the order of `NAMES`."""
    squares, n_safe = squares_of(ours, theirs, kings, turn)
    (
        men, crowned, _, _, blocked, home, bridge, triangle, centre, edges, runs, foremost, far,
        trapped, centre_kings, corner_kings, double_corner, long, lost, traded, backed, lone,
        dog_hole, held,
    ) = squares  # fmt: skip
    pieces = ours | theirs
    counts[at] = count_ones(pieces)
    counts[at + 1] = count_ones(men)
    counts[at + 2] = count_ones(crowned)
    counts[at + 3] = count_ones(ours)
    counts[at + 4] = n_safe
    counts[at + 5] = count_ones(blocked)
    counts[at + 6] = count_ones(home)
    counts[at + 7] = 1 if bridge != ZERO else 0
    counts[at + 8] = 1 if triangle != ZERO else 0
    counts[at + 9] = count_ones(centre)
    counts[at + 10] = count_ones(edges)
    counts[at + 11] = count_ones(runs)
    counts[at + 12] = 0
    for r in range(3, 7):
        if foremost & _ROWS[r] != ZERO:
            counts[at + 12] = r
    counts[at + 13] = count_ones(far)
    counts[at + 14] = count_ones(trapped)
    counts[at + 15] = count_ones(centre_kings)
    counts[at + 16] = count_ones(corner_kings)
    counts[at + 17] = count_ones(double_corner)
    counts[at + 18] = count_ones(long)
    # A side to move has the move if an odd number of pieces stands on the columns of its first row;
    # otherwise the other side has it.
    on_system, off_system = count_ones(pieces & _SYSTEM) & 1, count_ones(pieces & ~_SYSTEM) & 1
    counts[at + 19] = on_system if turn else 1 - off_system
    counts[at + 20] = count_ones(lost)
    counts[at + 21] = count_ones(traded)
    gone = 0
    for r in range(1, 7):
        gone += r * count_ones(men & _ROWS[r])
    counts[at + 22] = gone if counts[at] > TEMPO_COUNTS else 0
    counts[at + 23] = count_ones(backed)
    counts[at + 24] = count_ones(lone)
    counts[at + 25] = abs(count_ones(ours & _LEFT) - count_ones(ours & ~_LEFT))
    counts[at + 26] = count_ones(dog_hole)
    counts[at + 27] = 1 if turn else 0
    counts[at + 28] = count_ones(held)


@helper
def count_concepts(black, white, kings, side: int, counts) -> None:
    """Fill `counts`: the numbers of black, then those of white."""
    count_side(black, white, kings, side == 0, counts, 0)
    turned = half_turned(kings)
    count_side(half_turned(white), half_turned(black), turned, side == 1, counts, N_CONCEPTS)


@kernel("void(uint64[:, ::1], int64[::1], int64[:, ::1])")
def count_boards(boards, sides, rows) -> None:
    """The numbers of each board, with this side to move."""
    for n in range(boards.shape[0]):
        count_concepts(boards[n, 0], boards[n, 1], boards[n, 2], sides[n], rows[n])


@kernel("void(uint64[::1], int64, boolean, uint64[::1])")
def find_squares(board, side: int, turn: bool, found) -> None:
    """The squares that concepts speak of for a side, as it sees them; see `SPEAKING`."""
    ours, theirs, kings = board[side], board[1 - side], board[2]
    if side == 1:
        ours, theirs, kings = half_turned(ours), half_turned(theirs), half_turned(kings)
    squares, _ = squares_of(ours, theirs, kings, turn)
    for n in range(found.shape[0]):
        found[n] = squares[n]
