"""Checkers on words of bits: moves, counts of moves, and random games.

A board is the three words `black, white, kings` of `clauseboard.games.checkers.rules`, where every
diagonal step is a shift by four or five; the side to move is 0 for black and 1 for white. A move is
told by the board that it leads to, which a search wants anyway.

The jumps of a piece end on a quarter of the squares, and the men that it takes stand on others; so
that it makes no difference whether these are lifted at once or after the move.
"""

from __future__ import annotations

import numpy as np

from clauseboard.games.checkers import rules
from clauseboard.kernels.bits import ONE, STREAM_STEP, ZERO, count_ones, mixed
from clauseboard.kernels.compiler import helper, kernel

MOST_MOVES = 256
"""Rows that are enough for the moves of any board.

Steps are at most 12 times 4. The jumps of a piece go between eight squares, over nine others; by
trying all sets of those nine it is found that no piece has more than 16 ways to go, so that all
have 192 at most.
"""

MOST_WAITING = 64
"""Jumps that wait to be followed: at most three more after each of twelve."""

ROOM_AT_FIRST = 32
"""Boards that could come up again for which a random game has room at first."""

BLACK, WHITE, DRAW = 0, 1, 2

EVERY = np.uint64(rules.EVERY)
BLACK_CROWNS = np.uint64(rules.CROWNS[rules.BLACK])
WHITE_CROWNS = np.uint64(rules.CROWNS[rules.WHITE])
_4, _5, _8, _10, _32 = (np.uint64(n) for n in (4, 5, 8, 10, 32))


@helper
def jumpers(rising, falling, theirs, empty):
    """The pieces that can jump: `rising` ones to higher numbers, `falling` ones to lower ones."""
    return (rising & (((theirs >> _4) & (empty >> _8)) | ((theirs >> _5) & (empty >> _10)))) | (
        falling & (((theirs << _4) & (empty << _8)) | ((theirs << _5) & (empty << _10)))
    )


@helper
def put(boards, n: int, side: int, ours, theirs, kings) -> None:
    """Store a board."""
    boards[n, 0] = ours if side == BLACK else theirs
    boards[n, 1] = theirs if side == BLACK else ours
    boards[n, 2] = kings


@helper
def put_steps(boards, n: int, side: int, ours, theirs, kings, movers, shift) -> int:
    """Store the boards after each of some pieces has made a step: up, or down if `shift` < 0."""
    crowns = BLACK_CROWNS if side == BLACK else WHITE_CROWNS
    while movers != ZERO:
        piece = movers & (~movers + ONE)
        movers ^= piece
        to = piece << np.uint64(shift) if shift > 0 else piece >> np.uint64(-shift)
        crowned = (kings & ~piece) | to if (kings & piece) | (crowns & to) != ZERO else kings
        put(boards, n, side, ours ^ piece ^ to, theirs, crowned)
        n += 1
    return n


@helper
def wait(waiting, n: int, over, to, taken) -> int:
    """Remember a jump to be followed, if there is one."""
    if to != ZERO:
        waiting[n, 0] = to
        waiting[n, 1] = taken | over
        n += 1
    return n


@helper
def put_jumps(
    boards, n: int, side: int, ours, theirs, kings, piece, each_path: bool, waiting
) -> int:
    """Store the boards after every way of jumping with one piece, to the end of the way.

    They are ordered by their paths, since the jump to the lowest square is followed first.
    """
    first = n
    is_king = kings & piece != ZERO
    crowns = BLACK_CROWNS if side == BLACK else WHITE_CROWNS
    landings = (EVERY & ~(ours | theirs)) | piece
    waiting[0, 0] = piece
    waiting[0, 1] = ZERO
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        at, taken = waiting[n_waiting, 0], waiting[n_waiting, 1]
        left = theirs & ~taken
        before = n_waiting
        if side == BLACK or is_king:
            over = (at << _5) & left
            n_waiting = wait(waiting, n_waiting, over, (over << _5) & landings, taken)
            over = (at << _4) & left
            n_waiting = wait(waiting, n_waiting, over, (over << _4) & landings, taken)
        if side == WHITE or is_king:
            over = (at >> _4) & left
            n_waiting = wait(waiting, n_waiting, over, (over >> _4) & landings, taken)
            over = (at >> _5) & left
            n_waiting = wait(waiting, n_waiting, over, (over >> _5) & landings, taken)
        if n_waiting > before:
            continue
        crowned = kings & ~taken & ~piece
        if is_king or at & crowns != ZERO:
            crowned |= at
        put(boards, n, side, (ours & ~piece) | at, left, crowned)
        n += 1
        # Only a king that goes round a ring, of four at least, finds the same board again.
        if is_king and not each_path and count_ones(taken) >= 4:
            for other in range(first, n - 1):
                if (
                    boards[other, 0] == boards[n - 1, 0]
                    and boards[other, 1] == boards[n - 1, 1]
                    and boards[other, 2] == boards[n - 1, 2]
                ):
                    n -= 1
                    break
    return n


@helper
def generate(black, white, kings, side: int, each_path: bool, boards, waiting) -> int:
    """Store the board after each legal move, and return how many there are.

    `each_path`: a board that a king reaches by several ways round is stored once for each.
    """
    ours = black if side == BLACK else white
    theirs = white if side == BLACK else black
    rising = black if side == BLACK else white & kings
    falling = white if side == WHITE else black & kings
    empty = EVERY & ~(black | white)
    n = 0
    movers = jumpers(rising, falling, theirs, empty)
    if movers != ZERO:
        while movers != ZERO:
            piece = movers & (~movers + ONE)
            movers ^= piece
            n = put_jumps(boards, n, side, ours, theirs, kings, piece, each_path, waiting)
        return n
    n = put_steps(boards, n, side, ours, theirs, kings, rising & (empty >> _4), 4)
    n = put_steps(boards, n, side, ours, theirs, kings, rising & (empty >> _5), 5)
    n = put_steps(boards, n, side, ours, theirs, kings, falling & (empty << _4), -4)
    return put_steps(boards, n, side, ours, theirs, kings, falling & (empty << _5), -5)


@helper
def count_moves(black, white, kings, side: int, each_path: bool, boards, waiting) -> int:
    """The number of legal moves; steps are counted without being made."""
    rising = black if side == BLACK else white & kings
    falling = white if side == WHITE else black & kings
    empty = EVERY & ~(black | white)
    if jumpers(rising, falling, white if side == BLACK else black, empty) != ZERO:
        return generate(black, white, kings, side, each_path, boards, waiting)
    return (
        count_ones(rising & (empty >> _4))
        + count_ones(rising & (empty >> _5))
        + count_ones(falling & (empty << _4))
        + count_ones(falling & (empty << _5))
    )


@kernel("int64(uint64, uint64, uint64, int64, uint64[:, ::1])")
def successors(black, white, kings, side: int, boards) -> int:
    """Store the board after each legal move, and return how many there are.

    `boards` has `MOST_MOVES` rows of three words.
    """
    waiting = np.empty((MOST_WAITING, 2), np.uint64)
    return generate(black, white, kings, side, False, boards, waiting)


@kernel("int64(uint64, uint64, uint64, int64, int64, boolean)")
def perft(black, white, kings, side: int, depth: int, each_path: bool) -> int:
    """The number of ways to play `depth` moves; none from a board on which a side has no pieces.

    The published counts are those with `each_path`; without it, ways round a ring that leave the
    same board are one move, as everywhere else here.
    """
    if depth == 0:
        return 1
    # Further on it is the side to move that has no pieces, and so no moves.
    if black == ZERO or white == ZERO:
        return 0
    boards = np.empty((depth + 1, MOST_MOVES, 3), np.uint64)
    waiting = np.empty((MOST_WAITING, 2), np.uint64)
    n_boards = np.zeros(depth + 1, np.int64)
    following = np.zeros(depth + 1, np.int64)
    put(boards[0], 0, BLACK, black, white, kings)
    n_boards[0] = 1
    total = 0
    level = 0
    while level >= 0:
        n = following[level]
        if n == n_boards[level]:
            level -= 1
            continue
        following[level] = n + 1
        black, white, kings = boards[level, n, 0], boards[level, n, 1], boards[level, n, 2]
        to_move = side ^ (level & 1)
        below = boards[level + 1]
        if level == depth - 1:
            total += count_moves(black, white, kings, to_move, each_path, below, waiting)
        else:
            level += 1
            following[level] = 0
            n_boards[level] = generate(black, white, kings, to_move, each_path, below, waiting)
    return total


@kernel(
    "Tuple((int64, int64, uint64))"
    "(uint64[:, ::1], int64, int64, int64, boolean, int64, int64, int64, uint64)"
)
def playout(
    seen,
    side: int,
    quiet: int,
    played: int,
    blocked_loses: bool,
    quiet_plies: int,
    repetitions: int,
    most_plies: int,
    counter,
):
    """Play random moves until the rules end the game: who won (or `DRAW`), after how many moves.

    The last row of `seen` is the board, the ones before are those that may come up again. `quiet`
    and `played` are the moves without progress and the moves so far; of the limits, 0 is none.
    Returned with them is the counter from which the random numbers come (see `words.mixed`).
    """
    boards = np.empty((MOST_MOVES, 3), np.uint64)
    waiting = np.empty((MOST_WAITING, 2), np.uint64)
    n_seen = seen.shape[0]
    kept = np.empty((n_seen + ROOM_AT_FIRST, 3), np.uint64)
    kept[:n_seen] = seen
    begun = played
    while True:
        now = kept[n_seen - 1]
        black, white, kings = now[0], now[1], now[2]
        if (white if side == BLACK else black) == ZERO:
            return side, played - begun, counter
        n_moves = generate(black, white, kings, side, False, boards, waiting)
        if n_moves == 0:
            none_left = (black if side == BLACK else white) == ZERO
            winner = 1 - side if blocked_loses or none_left else DRAW
            return winner, played - begun, counter
        times = 0
        for earlier in range(n_seen - 1, -1, -2):
            then = kept[earlier]
            if then[0] == black and then[1] == white and then[2] == kings:
                times += 1
        if (
            (repetitions > 0 and times >= repetitions)
            or (quiet_plies > 0 and quiet >= quiet_plies)
            or (most_plies > 0 and played >= most_plies)
        ):
            return DRAW, played - begun, counter
        counter += STREAM_STEP
        chosen = np.int64(((mixed(counter) >> _32) * np.uint64(n_moves)) >> _32)
        after = boards[chosen]
        ours, ours_after = (black, after[0]) if side == BLACK else (white, after[1])
        theirs, theirs_after = (white, after[1]) if side == BLACK else (black, after[0])
        # Progress: something was taken, or the piece that moved was a man.
        quiet += 1
        if theirs != theirs_after or (ours & ~ours_after) & ~kings != ZERO:
            quiet = 0
            n_seen = 0
        if n_seen == kept.shape[0]:
            longer = np.empty((2 * n_seen, 3), np.uint64)
            longer[:n_seen] = kept
            kept = longer
        kept[n_seen] = after
        n_seen += 1
        played += 1
        side = 1 - side


# ---- what a side can win in men within some moves
# a search that counts pieces and nothing else.

MAN, KING, LOST = 2, 3, 1000
"""What pieces are worth, and what it costs not to be able to move."""


@helper
def balance(black, white, kings, side: int) -> int:
    """What the side to move has more than the other."""
    ours = black if side == BLACK else white
    theirs = white if side == BLACK else black
    return MAN * (count_ones(ours) - count_ones(theirs)) + (KING - MAN) * (
        count_ones(ours & kings) - count_ones(theirs & kings)
    )


@helper
def can_jump(black, white, kings, side: int) -> bool:
    """Whether the side to move must jump."""
    rising = black if side == BLACK else white & kings
    falling = white if side == WHITE else black & kings
    theirs = white if side == BLACK else black
    return jumpers(rising, falling, theirs, EVERY & ~(black | white)) != ZERO


@kernel("int64(uint64, uint64, uint64, int64, int64)")
def best_balance(black, white, kings, side: int, depth: int) -> int:
    """The balance that the side to move can count on after `depth` moves of best play.

    A line ends only where nobody is about to jump, so that no exchange is cut in half: it may get
    as much longer as there are pieces to take. (Alpha-beta, with its own stack.)
    """
    most = depth + 24
    boards = np.empty((most + 1, MOST_MOVES, 3), np.uint64)
    waiting = np.empty((MOST_WAITING, 2), np.uint64)
    n_boards = np.zeros(most + 1, np.int64)
    following = np.zeros(most + 1, np.int64)
    # The best so far for the side to move at each level, and what the other side will not allow.
    best = np.full(most + 1, -2 * LOST, np.int64)
    limit = np.full(most + 1, 2 * LOST, np.int64)
    root = np.empty((1, 3), np.uint64)
    put(root, 0, BLACK, black, white, kings)
    level = 0
    going_down = True
    while True:
        if going_down:
            now = root[0] if level == 0 else boards[level - 1, following[level - 1] - 1]
            black, white, kings = now[0], now[1], now[2]
            to_move = side ^ (level & 1)
            if level >= depth and not can_jump(black, white, kings, to_move):
                value = balance(black, white, kings, to_move)
            else:
                below = boards[level]
                n = generate(black, white, kings, to_move, False, below, waiting)
                value = -LOST
                if n > 0:
                    n_boards[level] = n
                    following[level] = 1
                    best[level] = -2 * LOST if level == 0 else -limit[level - 1]
                    limit[level] = 2 * LOST if level == 0 else -best[level - 1]
                    level += 1
                    continue
        else:
            value = best[level]
        if level == 0:
            return value
        # The board has its value: hand it up, and go on to the next board beside it, if any.
        level -= 1
        best[level] = max(best[level], -value)
        going_down = best[level] < limit[level] and following[level] < n_boards[level]
        if going_down:
            following[level] += 1
            level += 1
