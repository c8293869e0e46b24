"""Checkers as compiled searches see it (`search.compiled_rules` tells what each thing here is for).

A state is six words: black's pieces, white's pieces, kings, the side to move, moves of both sides
without progress, and moves played. The boards after the moves of a state are kept in the scratch,
with their codes, so that to play a move is to copy one of them.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.checkers.concept_kernels import N_CONCEPTS as N_CONCEPTS
from clauseboard.games.checkers.concept_kernels import count_concepts as count_board
from clauseboard.games.checkers.encoding import turned, without_gaps
from clauseboard.games.checkers.endgame_kernels import look_out, look_up, step_back
from clauseboard.games.checkers.endgames import tables_in_use
from clauseboard.games.checkers.kernels import (
    BLACK,
    BLACK_CROWNS,
    DRAW,
    EVERY,
    MOST_MOVES,
    MOST_WAITING,
    WHITE,
    WHITE_CROWNS,
    generate,
    jumpers,
    put,
    put_jumps,
)
from clauseboard.games.checkers.rules import SQUARES, Checkers, CheckersMove, CheckersPosition
from clauseboard.kernels.bits import ONE, STREAM_STEP, ZERO, count_ones, lowest_one, mixed
from clauseboard.kernels.compiler import helper, kernel

if TYPE_CHECKING:
    from clauseboard.games.checkers.endgame_tables import EndgameTables

STATE = "uint64[::1]"
SCRATCH = "uint64[:,::1]"
KNOWLEDGE = "Tuple((int64, uint8[::1], int64[::1]))"
"""How many pieces the endgame tables have (0: there are none), their values and offsets."""

PLAY_NEEDS_MOVES = True
REPEATS = True
MUST_CAPTURE = True

SIDE, QUIET, PLAYED = 3, 4, 5
"""Places in a state, after the three words of the board."""

BLOCKED_LOSES, QUIET_PLIES, MOST_PLIES = 0, 1, 2
"""Places in the settings; of the two limits, 0 is none."""

CODE = 3
"""The place of a move's code in its row of the scratch, after the board that it leads to."""

NOTES = MOST_MOVES + MOST_WAITING
N_MOVES, JUMPS, RESULT = 0, 1, 2
"""The last row of the scratch, and what is noted there about the state."""

WAYS = 16
"""The most ways that one piece has to jump (see `kernels.MOST_MOVES`)."""

NEAR = 40
"""Moves to a draw by counting from which on the count makes a board another one, for a table."""

LATE = 1_000_000
"""Added to the moves to a win that is not certain: it counts as less than any that is."""

LONGEST_PLAYOUT = 1000
"""Where nothing else ends a random game, this makes it a draw."""

_4, _5, _9, _28, _32, _36, _37 = (np.uint64(n) for n in (4, 5, 9, 28, 32, 36, 37))
_BYTE, _BETWEEN, _ANOTHER = np.uint64(0xFF), np.uint64(1023), np.uint64(1024)


# ---- for Python


def new_state(game: Checkers) -> NDArray[np.uint64]:
    """Room for a state."""
    return np.zeros(6, np.uint64)


def new_scratch(game: Checkers) -> NDArray[np.uint64]:
    """Room for the boards after all moves, for jumps that are not yet finished, and for notes."""
    return np.zeros((NOTES + 1, 4), np.uint64)


def state_of(position: CheckersPosition) -> NDArray[np.uint64]:
    """The state of a position."""
    side = position.game.colours.index(position.to_move)
    return np.array([*position.board, side, position.quiet, position.played], np.uint64)


def settings_of(game: Checkers) -> NDArray[np.int64]:
    """What it means to be blocked, and the limits that make a draw."""
    limits = (2 * (game.quiet_moves or 0), game.max_moves or 0)
    return np.array([game.blocked == "loss", *limits], np.int64)


def most_moves(game: Checkers) -> int:
    """Room that is enough for the moves of any state."""
    return MOST_MOVES


def n_codes(game: Checkers) -> int:
    """Codes are start, end, and which of the jumps between the two it is."""
    return len(SQUARES) ** 2 * WAYS


def code_of(position: CheckersPosition, move: CheckersMove) -> int:
    """The code of a legal move."""
    start, end = move.start, move.end
    return start - 1 + 32 * (end - 1) + 1024 * position.moves_between(start, end).index(move)


def move_of(position: CheckersPosition, code: int) -> CheckersMove:
    """The legal move of a code."""
    return position.moves_between(code % 32 + 1, code // 32 % 32 + 1)[code // 1024]


def keys_before(position: CheckersPosition) -> NDArray[np.uint64]:
    """The keys of the boards of the game that may come up again, where repetitions count."""
    boards = np.array(position.history, np.uint64).reshape(-1, 3)
    keys = np.empty(len(boards), np.uint64)
    write_keys(boards, np.uint64(position.game.colours.index(position.to_move)), keys)
    return keys


Knowledge = tuple[int, NDArray[np.uint8], NDArray[np.int64]]


def knowledge_of(game: Checkers) -> Knowledge:
    """The endgame tables in use; none where to be blocked is no loss.

    It is the same object until other tables are in use.
    """
    if game.blocked != "loss":
        return no_knowledge(game)

    return _knowledge(tables_in_use())


@functools.cache
def no_knowledge(game: Checkers) -> Knowledge:
    """No tables: for searches that are not to use them."""
    return 0, np.zeros(1, np.uint8), np.zeros(1, np.int64)


@functools.lru_cache(maxsize=2)
def _knowledge(tables: EndgameTables) -> Knowledge:
    return tables.pieces, tables.values, tables.offsets


# ---- for kernels


@helper
def side_to_move(state):
    """0 for black, 1 for white."""
    return np.int64(state[SIDE])


@helper
def square_of(word):
    """The square of a word with one bit, counted from 0, as a word."""
    place = np.uint64(lowest_one(word))
    return place - place // _9


@helper
def put_step(scratch, n: int, side: int, ours, theirs, kings, piece, to) -> int:
    """Store the board and the code of a step, if the square that it leads to is free."""
    if to & EVERY & ~(ours | theirs) == ZERO:
        return n
    crowns = BLACK_CROWNS if side == BLACK else WHITE_CROWNS
    crowned = (kings & ~piece) | to if (kings & piece) | (crowns & to) != ZERO else kings
    put(scratch, n, side, ours ^ piece ^ to, theirs, crowned)
    scratch[n, CODE] = square_of(piece) + _32 * square_of(to)
    return n + 1


@helper
def number_jumps(scratch, first: int, n: int, side: int, ours, piece) -> None:
    """Give the jumps of one piece, from `first` on, their codes."""
    start = square_of(piece)
    for i in range(first, n):
        landed = scratch[i, side] & ~ours
        end = start if landed == ZERO else square_of(landed)
        code = start + _32 * end
        for other in range(first, i):
            if scratch[other, CODE] & _BETWEEN == code & _BETWEEN:
                code += _ANOTHER
        scratch[i, CODE] = code


@helper
def list_moves(state, settings, scratch, codes) -> int:
    """Write the codes of the legal moves, ordered by their paths; 0 if the game is over."""
    black, white, kings, side = state[0], state[1], state[2], np.int64(state[SIDE])
    ours = black if side == BLACK else white
    theirs = white if side == BLACK else black
    rising = black if side == BLACK else white & kings
    falling = white if side == WHITE else black & kings
    empty = EVERY & ~(black | white)
    movers = jumpers(rising, falling, theirs, empty)
    scratch[NOTES, JUMPS] = ONE if movers != ZERO else ZERO
    n = 0
    if movers != ZERO:
        while movers != ZERO:
            piece = movers & (~movers + ONE)
            movers ^= piece
            first = n
            waiting = scratch[MOST_MOVES:]
            n = put_jumps(scratch, n, side, ours, theirs, kings, piece, False, waiting)
            number_jumps(scratch, first, n, side, ours, piece)
    elif theirs != ZERO:
        movers = (rising & ((empty >> _4) | (empty >> _5))) | (
            falling & ((empty << _4) | (empty << _5))
        )
        while movers != ZERO:
            piece = movers & (~movers + ONE)
            movers ^= piece
            if piece & falling != ZERO:
                n = put_step(scratch, n, side, ours, theirs, kings, piece, piece >> _5)
                n = put_step(scratch, n, side, ours, theirs, kings, piece, piece >> _4)
            if piece & rising != ZERO:
                n = put_step(scratch, n, side, ours, theirs, kings, piece, piece << _4)
                n = put_step(scratch, n, side, ours, theirs, kings, piece, piece << _5)
    n = ended(state, settings, scratch, n)
    for i in range(n):
        codes[i] = np.int64(scratch[i, CODE])
    return n


@helper
def is_late(state, settings, plies: int) -> bool:
    """Whether counting makes a draw of a game that goes on for so many moves, if not before."""
    quiet, most = settings[QUIET_PLIES], settings[MOST_PLIES]
    return (quiet > 0 and np.int64(state[QUIET]) + plies >= quiet) or (
        most > 0 and np.int64(state[PLAYED]) + plies >= most
    )


@helper
def ended(state, settings, scratch, n: int) -> int:
    """Note how the game ended, if it did; the number of moves that are left."""
    side = np.int64(state[SIDE])
    ours = state[0] if side == BLACK else state[1]
    theirs = state[1] if side == BLACK else state[0]
    if theirs == ZERO:
        n = 0
        scratch[NOTES, RESULT] = np.uint64(side)
    elif n == 0:
        lost = settings[BLOCKED_LOSES] != 0 or ours == ZERO
        scratch[NOTES, RESULT] = np.uint64(1 - side if lost else DRAW)
    elif is_late(state, settings, 0):
        n = 0
        scratch[NOTES, RESULT] = np.uint64(DRAW)
    scratch[NOTES, N_MOVES] = np.uint64(n)
    return n


@helper
def result(state, settings, scratch):
    """Who has won a game without moves, or `DRAW`."""
    return np.int64(scratch[NOTES, RESULT])


@helper
def play(state, settings, scratch, code: int) -> None:
    """Make a move, in place."""
    row = 0
    while np.int64(scratch[row, CODE]) != code:
        row += 1
    go_to(state, scratch, row)


@helper
def go_to(state, scratch, row: int) -> None:
    """Make the move of a row of the scratch."""
    side = np.int64(state[SIDE])
    # Progress: something was taken, or the piece that moved was a man.
    moved = state[side] & ~scratch[row, side] & ~state[2]
    progress = moved != ZERO or state[1 - side] != scratch[row, 1 - side]
    state[0], state[1], state[2] = scratch[row, 0], scratch[row, 1], scratch[row, 2]
    state[SIDE] = np.uint64(1 - side)
    state[QUIET] = ZERO if progress else state[QUIET] + ONE
    state[PLAYED] += ONE


@helper
def is_quiet(state, settings, scratch) -> bool:
    """Whether the side to move has nothing to take, and so need not."""
    return scratch[NOTES, JUMPS] == ZERO


@helper
def at_rest(state, settings) -> bool:
    """Whether the game goes on and nothing can be taken, without a list of the moves."""
    if is_late(state, settings, 0):
        return False
    black, white, kings, side = state[0], state[1], state[2], np.int64(state[SIDE])
    theirs = white if side == BLACK else black
    rising = black if side == BLACK else white & kings
    falling = white if side == WHITE else black & kings
    empty = EVERY & ~(black | white)
    can_step = (rising & ((empty >> _4) | (empty >> _5))) | (
        falling & ((empty << _4) | (empty << _5))
    )
    return can_step != ZERO and theirs != ZERO and jumpers(rising, falling, theirs, empty) == ZERO


@helper
def write_bits(state, settings, view: int, features) -> None:
    """The packed bits of the board in a view into `features[0, 0]`."""
    ours, theirs = without_gaps(state[0]), without_gaps(state[1])
    kings = without_gaps(state[2])
    if view == 1 and state[SIDE] != ZERO:
        ours, theirs, kings = turned(theirs), turned(ours), turned(kings)
    for byte in range(4):
        shift = np.uint64(8 * byte)
        mine, other, crowned = ours >> shift, theirs >> shift, kings >> shift
        features[0, 0, byte] = np.uint8(mine & ~crowned & _BYTE)
        features[0, 0, 4 + byte] = np.uint8(mine & crowned & _BYTE)
        features[0, 0, 8 + byte] = np.uint8(other & ~crowned & _BYTE)
        features[0, 0, 12 + byte] = np.uint8(other & crowned & _BYTE)


@helper
def count_concepts(state, counts) -> None:
    """What either side has of each concept: the numbers of black, then those of white."""
    count_board(state[0], state[1], state[2], np.int64(state[SIDE]), counts)


@helper
def _key(black, white, kings, side):
    """Two words that tell the board and the side to move exactly, mixed into one."""
    low = black | (white << _36)
    high = kings | (side << _36) | ((white >> _28) << _37)
    return mixed(low + mixed(high))


@helper
def key(state):
    """A hash of the board and the side to move."""
    return _key(state[0], state[1], state[2], state[SIDE])


@kernel("void(uint64[:,::1], uint64, uint64[::1])")
def write_keys(boards, side, keys) -> None:
    """The keys of boards that followed each other, up to the turn of `side`."""
    for n in range(boards.shape[0] - 1, -1, -1):
        side = ONE - side
        keys[n] = _key(boards[n, 0], boards[n, 1], boards[n, 2], side)


@helper
def table_key(state, settings):
    """A hash of all that the value of a state hangs on: near a draw by counting, the counts too."""
    found = key(state)
    quiet, played = settings[QUIET_PLIES], settings[MOST_PLIES]
    if quiet > 0 and np.int64(state[QUIET]) + NEAR > quiet:
        found ^= mixed(state[QUIET] + ONE)
    if played > 0 and np.int64(state[PLAYED]) + NEAR > played:
        found ^= mixed((state[PLAYED] + ONE) << _32)
    return found


@helper
def play_out(state, settings, scratch, counter):
    """Play random moves to the end, in place: the result and the counter of random numbers.

    Repetitions are not looked for.
    """
    for _ in range(LONGEST_PLAYOUT):
        side = np.int64(state[SIDE])
        waiting = scratch[MOST_MOVES:]
        n = generate(state[0], state[1], state[2], side, False, scratch, waiting)
        n = ended(state, settings, scratch, n)
        if n == 0:
            return np.int64(scratch[NOTES, RESULT]), counter
        counter += STREAM_STEP
        chosen = np.int64(((mixed(counter) >> _32) * np.uint64(n)) >> _32)
        go_to(state, scratch, chosen)
    return np.int64(DRAW), counter


@helper
def exact_value(state, settings, knowledge):
    """What the endgame tables say: whether they say anything, the value, the moves to the end.

    They know of no draws by counting: a win that might come too late for these is not certain. It
    is not known at all, or, where it may yet come in time, `LATE` moves further away.
    """
    pieces, values, offsets = knowledge
    if count_ones(state[0] | state[1]) > pieces:
        return False, 0, 0
    side = np.int64(state[SIDE])
    if state[1 - side] == ZERO:
        return True, 1, 0
    value = np.int64(look_up(state[0], state[1], state[2], side, values, offsets))
    if value == 0:
        return True, 0, 0
    plies = value - 1
    sign = -1 if value & 1 == 1 else 1
    if is_late(state, settings, plies - 1):
        men, most = (state[0] | state[1]) & ~state[2], settings[MOST_PLIES]
        loser = state[side] if sign < 0 else state[1 - side]
        lone_king = men == ZERO and count_ones(loser) == 1
        if lone_king or (most > 0 and np.int64(state[PLAYED]) + plies > most):
            return False, 0, 0
        # Men have to move for it, or pieces to be taken, which sets the count of quiet moves back:
        # the win is to be had, though not for certain.
        return True, sign, plies + LATE
    return True, sign, plies


KERNELS = look_out, step_back, write_keys
"""What `knowledge_of` and `keys_before` call."""
