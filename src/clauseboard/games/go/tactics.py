"""Reading in Go: liberties, ladders, nets of one move, and the life of groups that are closed in.

The readers are small exact searches over the states of `kernels`, with a bound on their nodes:

- `read_ladder`: whether a chain is captured by one atari after the other. The side that runs may
  extend, or take a chain beside it; that three liberties are an escape is the rule of ladders.
- `read_net`: a move after which none of the chain's next steps escapes a ladder.
- `read_life`: whether a chain is captured if both sides play on the points around it alone. These
  are the empty points that its liberties lead to, also through chains that it may join or take;
  where they are too many, the chain is not closed in, and nothing is said.

All trust what they are given: a place with a stone on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.games.go import kernels
from clauseboard.games.go.kernels import (
    BLACK,
    CHAIN,
    COLOUR,
    EDGE,
    INFO,
    KO,
    NEXT,
    NOTHING,
    SIDE,
    WHITE,
    around,
    is_eye,
    may_play,
    pass_turn,
    place_of,
    put_stone,
)
from clauseboard.kernels.bits import STREAM_STEP, ZERO, copy_into, mixed
from clauseboard.kernels.compiler import helper, kernel

ESCAPES, CAPTURED, UNKNOWN = 0, 1, 2
"""What a ladder comes to."""

OPEN, DEAD, UNSETTLED, ALIVE = range(4)
"""What becomes of a chain: it is not closed in, or its points are too many; it dies whoever begins;
it lives if its side begins; it lives whoever begins."""

MOST_PLIES = 120
"""The longest line that is read."""

LADDER_NODES = 3000
LIFE_NODES = 60_000
"""How many positions are looked at for one question."""

MOST_LOCAL = 16
"""Points around a chain beyond which it is not closed in."""

MOST_MOVES = 24
"""Room for the moves of a position that is read."""

TABLE = 1 << 14
"""Places for results of `read_life`; must be a power of 2."""

ROOM = "Tuple((int16[:,:,::1], int64[:,::1], int64[:,::1], int64[::1], uint64[:,::1], int8[::1]))"
"""The type of what `new_room` makes."""
STATES, MOVES, FRAMES, POINTS, KEYS, RESULTS = range(6)

N_MOVES, AT, PASSED = range(3)
"""The numbers of a frame: how many moves it has, the one to try next, and passes before it."""


def new_room(size: int) -> tuple[Any, ...]:
    """Room to read in, for boards of this size."""
    state = kernels.new_state(size)
    return (
        np.zeros((MOST_PLIES + 2, *state.shape), np.int16),
        np.zeros((MOST_PLIES + 2, MOST_MOVES), np.int64),
        np.zeros((MOST_PLIES + 2, 3), np.int64),
        np.zeros(2 * state.shape[1] + 2 * MOST_LOCAL + 8, np.int64),
        np.zeros((2, max(TABLE, MOST_PLIES + 2)), np.uint64),
        np.zeros(TABLE, np.int8),
    )


# ---- liberties


@helper
def list_liberties(state, stone: int, found, most: int):
    """Write the liberties of a stone's chain; how many, `most` at most."""
    count: Any = 0
    head = state[CHAIN, stone]
    place = head
    while True:
        for beside in around(state, place):
            if state[COLOUR, beside] == NOTHING:
                is_new = True
                for n in range(count):
                    is_new &= found[n] != beside
                if is_new:
                    found[count] = beside
                    count += 1
                    if count >= most:
                        return count
        place = state[NEXT, place]
        if place == head:
            return count


@helper
def is_legal(state, place: int) -> bool:
    """Whether the side to move may put a stone at an empty place."""
    return place != state[INFO, KO] and may_play(state, place, state[INFO, SIDE])


@helper
def add_move(moves, count: int, place: int):
    """Add a move to a list that has room, unless it is there."""
    for n in range(count):
        if moves[n] == place:
            return count
    if count < MOST_MOVES:
        moves[count] = place
        count += 1
    return count


@helper
def add_captures(state, stone: int, moves, count: int, found):
    """Add the moves that take a chain in atari beside a stone's chain."""
    enemy = 3 - state[COLOUR, stone]
    head = state[CHAIN, stone]
    place = head
    while True:
        for beside in around(state, place):
            if state[COLOUR, beside] == enemy and list_liberties(state, beside, found, 2) == 1:
                taking = np.int64(found[0])
                if is_legal(state, taking):
                    count = add_move(moves, count, taking)
        place = state[NEXT, place]
        if place == head:
            return count


# ---- ladders


@helper
def ladder_moves(state, stone: int, room, depth: int):
    """List the moves of a position in a ladder; -1 if the chain escapes, -2 if it is captured."""
    found, moves = room[POINTS], room[MOVES][depth]
    attacks = state[INFO, SIDE] != state[COLOUR, stone]
    liberties = list_liberties(state, stone, found, 3)
    count: Any = 0
    if attacks:
        if liberties >= 3:
            return np.int64(-1)
        if liberties == 1:
            return np.int64(-2) if is_legal(state, np.int64(found[0])) else np.int64(-1)
        first, second = np.int64(found[0]), np.int64(found[1])
        for place in (first, second):
            if is_legal(state, place):
                count = add_move(moves, count, place)
        return count if count > 0 else np.int64(-1)
    if liberties >= 2:
        return np.int64(-1)
    last = np.int64(found[0])
    if is_legal(state, last):
        count = add_move(moves, count, last)
    count = add_captures(state, stone, moves, count, found)
    return count if count > 0 else np.int64(-2)


@kernel(f"int64(int64, {ROOM}, int64, int64)")
def run_ladder(stone: int, room, start: int, most_nodes: int) -> int:
    """Read the ladder on a chain in the state at depth `start`, with its side to move."""
    states, frames = room[STATES], room[FRAMES]
    colour = states[start, COLOUR, stone]
    depth, nodes = start, 0
    result = UNKNOWN
    enters = True
    while True:
        state = states[depth]
        if enters:
            count = ladder_moves(state, stone, room, depth)
            enters = False
            if count < 0:
                result = ESCAPES if count == -1 else CAPTURED
            else:
                frames[depth, N_MOVES], frames[depth, AT] = count, 0
                result = UNKNOWN
        else:
            # A move below was read: does it settle this position?
            attacks = state[INFO, SIDE] != colour
            decides = CAPTURED if attacks else ESCAPES
            if result != decides:
                if frames[depth, AT] < frames[depth, N_MOVES]:
                    result = UNKNOWN
                else:
                    result = ESCAPES if attacks else CAPTURED
        if result == UNKNOWN:
            if nodes >= most_nodes or depth >= MOST_PLIES:
                return UNKNOWN
            place = room[MOVES][depth, frames[depth, AT]]
            frames[depth, AT] += 1
            copy_into(states[depth + 1], state)
            put_stone(states[depth + 1], place)
            depth += 1
            nodes += 1
            enters = True
        elif depth == start:
            return result
        else:
            depth -= 1


@helper
def ladder_from(state, stone: int, room) -> int:
    """Read the ladder on a chain in a state, with its side to move."""
    copy_into(room[STATES][0], state)
    return run_ladder(stone, room, 0, LADDER_NODES)


@kernel(f"int64(int16[:,::1], int64, {ROOM})")
def read_ladder(state, stone: int, room) -> int:
    """What a ladder on the chain of a stone comes to, with the state's side to move.

    A chain of two liberties may be attacked, one in atari may run. `stone` is a place.
    """
    return ladder_from(state, stone, room)


# ---- nets


@helper
def escapes_after(state, stone: int, place: int, room) -> bool:
    """Whether a chain escapes a ladder after a move of its side (1 is the state after it)."""
    copy_into(room[STATES][1], state)
    put_stone(room[STATES][1], place)
    return run_ladder(stone, room, 1, LADDER_NODES) != CAPTURED


@helper
def holds_net(state, stone: int, room, replies) -> bool:
    """Whether no step of a chain escapes from what is around it; its side is to move."""
    found = room[POINTS]
    count: Any = 0
    liberties = list_liberties(state, stone, found, 5)
    if liberties >= 5:
        return False
    for n in range(liberties):
        replies[n] = found[n]
    count = liberties
    # Steps beside the liberties prepare an escape, and so do those of chains that it may join.
    for n in range(liberties):
        for beside in around(state, replies[n]):
            if state[COLOUR, beside] == NOTHING:
                count = add_move(replies, count, beside)
            elif state[COLOUR, beside] == state[COLOUR, stone]:
                for m in range(list_liberties(state, beside, found, MOST_MOVES)):
                    count = add_move(replies, count, np.int64(found[m]))
    count = add_captures(state, stone, replies, count, found)
    if count == MOST_MOVES:
        return False
    for n in range(count):
        place = np.int64(replies[n])
        if is_legal(state, place) and escapes_after(state, stone, place, room):
            return False
    return True


@kernel(f"int64(int16[:,::1], int64, {ROOM})")
def read_net(state, stone: int, room):
    """The place of a move that catches a chain in a net, or 0; the other side is to move.

    The move is no liberty of the chain, and at most two steps away from one.
    """
    liberties = np.empty(4, np.int64)
    replies = np.empty(MOST_MOVES, np.int64)
    count = list_liberties(state, stone, liberties, 4)
    if count < 2 or count > 3:
        return 0
    net, seen = np.empty_like(state), np.zeros(state.shape[1], np.bool_)
    for n in range(count):
        seen[liberties[n]] = True
    for n in range(count):
        for beside in around(state, liberties[n]):
            if state[COLOUR, beside] != NOTHING:
                continue
            for place in around(state, beside):
                for catching in (np.int64(beside), np.int64(place)):
                    if state[COLOUR, catching] != NOTHING or seen[catching]:
                        continue
                    seen[catching] = True
                    if not is_legal(state, catching):
                        continue
                    copy_into(net, state)
                    put_stone(net, catching)
                    if holds_net(net, stone, room, replies):
                        return catching
    return 0


@kernel(f"boolean(int16[:,::1], int64, {ROOM})")
def is_caught(state, stone: int, room) -> bool:
    """Whether a chain, whose side is to move, is caught in the net around it."""
    return holds_net(state, stone, room, np.empty(MOST_MOVES, np.int64))


# ---- life and death


@helper
def gather_local(state, stone: int, local, marks, most: int):
    """Write the places around a chain on which its life hangs; how many, or -1 if more than `most`.

    `marks` has a number for every place: 1 for those that are local, 2 for stones looked at.
    """
    colour = state[COLOUR, stone]
    count: Any = 0
    for n in range(marks.shape[0]):
        marks[n] = 0
    # The chain itself, and chains that it may join: all their liberties are local.
    waiting: Any = np.int64(state[CHAIN, stone])
    while True:
        # Mark the liberties of the chain `waiting`.
        place: Any = waiting
        while True:
            marks[place] = 2
            for beside in around(state, place):
                if state[COLOUR, beside] == NOTHING and marks[beside] == 0:
                    if count >= most:
                        return np.int64(-1)
                    marks[beside] = 1
                    local[count] = beside
                    count += 1
            place = np.int64(state[NEXT, place])
            if place == waiting:
                break
        # Empty places lead to empty places.
        n = 0
        while n < count:
            for beside in around(state, local[n]):
                if state[COLOUR, beside] == NOTHING and marks[beside] == 0:
                    if count >= most:
                        return np.int64(-1)
                    marks[beside] = 1
                    local[count] = beside
                    count += 1
            n += 1
        # Stones of the other side that only have liberties here may be taken.
        n = 0
        while n < count:
            for beside in around(state, local[n]):
                if state[COLOUR, beside] != 3 - colour or marks[beside] != 0:
                    continue
                first = np.int64(state[CHAIN, beside])
                is_inside = True
                other = first
                while True:
                    for near in around(state, other):
                        if state[COLOUR, near] == NOTHING and marks[near] == 0:
                            is_inside = False
                    other = np.int64(state[NEXT, other])
                    if other == first:
                        break
                if not is_inside:
                    continue
                while True:
                    if count >= most:
                        return np.int64(-1)
                    marks[other] = 1
                    local[count] = other
                    count += 1
                    other = np.int64(state[NEXT, other])
                    if other == first:
                        break
            n += 1
        # Own chains that touch what is local may be joined.
        waiting = np.int64(-1)
        for k in range(count):
            for beside in around(state, local[k]):
                if state[COLOUR, beside] == colour and marks[beside] == 0:
                    waiting = np.int64(state[CHAIN, beside])
        if waiting < 0:
            return count


@helper
def has_two_eyes(state, stone: int, local, count: int) -> bool:
    """Whether a chain has two empty places around which there is nothing but its own stones."""
    head = state[CHAIN, stone]
    eyes = 0
    for n in range(count):
        if state[COLOUR, local[n]] != NOTHING:
            continue
        is_own = True
        for beside in around(state, local[n]):
            is_own &= state[COLOUR, beside] == EDGE or state[CHAIN, beside] == head
        eyes += is_own
    return eyes >= 2


@helper
def local_key(state, local, count: int, passed: int):
    """A hash of what is on the local places, the side to move, the ko and whether one passed."""
    word = mixed(np.uint64(np.int64(state[INFO, SIDE]) + 4 * passed) + STREAM_STEP)
    word = mixed(word ^ np.uint64(np.int64(state[INFO, KO]))) + STREAM_STEP
    board = ZERO
    for n in range(count):
        board = (board << np.uint64(2)) | np.uint64(np.int64(state[COLOUR, local[n]]))
    # 0 stands for an empty place of the table.
    return mixed(word ^ board) | np.uint64(1)


@helper
def list_local(state, stone: int, local, count: int, moves):
    """List the moves on local places, and the pass as 0; the defender fills no eye of its own."""
    colour, side = state[COLOUR, stone], state[INFO, SIDE]
    n_moves: Any = 0
    for n in range(count):
        place = np.int64(local[n])
        if state[COLOUR, place] != NOTHING or not is_legal(state, place):
            continue
        if side == colour and is_eye(state, place, side):
            continue
        moves[n_moves] = place
        n_moves += 1
    moves[n_moves] = 0
    return n_moves + 1


@helper
def repeats(room, depth: int) -> bool:
    """Whether the position at a depth was there before, with the same side to move."""
    path = room[KEYS][1]
    for n in range(depth):  # noqa: SIM110 (kernels have no generators)
        if path[n] == path[depth]:
            return True
    return False


@kernel(f"int64(int64, int64[::1], int64, {ROOM}, int64)")
def lives_locally(stone: int, local, count: int, room, most_nodes: int):
    """Whether the chain lives in the state at depth 0: 1 yes, 0 no, -1 if it took too long.

    Both sides play on local places or pass; two passes end it, and no position may come up again.
    """
    states, frames, moves = room[STATES], room[FRAMES], room[MOVES]
    table, path, results = room[KEYS][0], room[KEYS][1], room[RESULTS]
    colour = states[0, COLOUR, stone]
    # A short search needs a small table, which is emptied in no time.
    slots = 64
    while slots < TABLE and slots < 2 * most_nodes:
        slots *= 2
    for n in range(slots):
        table[n] = ZERO
    frames[0, PASSED] = 0
    depth, nodes = 0, 0
    enters = True
    result: Any = -1
    while True:
        state = states[depth]
        if enters:
            enters, result = False, -1
            path[depth] = local_key(state, local, count, 0)
            key = local_key(state, local, count, np.int64(frames[depth, PASSED]))
            slot = np.int64(key & np.uint64(slots - 1))
            if state[COLOUR, stone] != colour:
                result = 0
            elif frames[depth, PASSED] >= 2 or has_two_eyes(state, stone, local, count):
                result = 1
            elif table[slot] == key:
                result = np.int64(results[slot])
            elif frames[depth, PASSED] == 0 and repeats(room, depth):
                # Who brought it about may not: it is as if the move had failed.
                result = 0 if state[INFO, SIDE] != colour else 1
            else:
                frames[depth, N_MOVES] = list_local(state, stone, local, count, moves[depth])
                frames[depth, AT] = 0
        else:
            wanted = 1 if state[INFO, SIDE] == colour else 0
            if result != wanted:
                result = -1 if frames[depth, AT] < frames[depth, N_MOVES] else 1 - wanted
            if result >= 0:
                key = local_key(state, local, count, np.int64(frames[depth, PASSED]))
                slot = np.int64(key & np.uint64(slots - 1))
                table[slot] = key
                results[slot] = result
        if result < 0:
            if nodes >= most_nodes or depth >= MOST_PLIES:
                return -1
            place = moves[depth, frames[depth, AT]]
            frames[depth, AT] += 1
            copy_into(states[depth + 1], state)
            if place == 0:
                pass_turn(states[depth + 1])
                frames[depth + 1, PASSED] = frames[depth, PASSED] + 1
            else:
                put_stone(states[depth + 1], place)
                frames[depth + 1, PASSED] = 0
            depth += 1
            nodes += 1
            enters = True
        elif depth == 0:
            return result
        else:
            depth -= 1


@helper
def touches(state, place: int, stone: int) -> bool:
    """Whether a place is beside the chain of a stone."""
    is_beside = False
    for beside in around(state, place):
        is_beside |= state[COLOUR, beside] == state[COLOUR, stone] and (
            state[CHAIN, beside] == state[CHAIN, stone]
        )
    return is_beside


@helper
def sort_local(state, stone: int, local, count: int) -> None:
    """Put the places beside the chain first, and all in the order of the board.

    What a bounded search finds must not hang on how the chain came about.
    """
    n_places = state.shape[1]
    for n in range(count):
        if not touches(state, local[n], stone):
            local[n] += n_places
    for n in range(1, count):
        place = local[n]
        at = n
        while at > 0 and local[at - 1] > place:
            local[at] = local[at - 1]
            at -= 1
        local[at] = place
    for n in range(count):
        local[n] %= n_places


@helper
def life_of(state, stone: int, room, most_nodes: int, most_local: int) -> int:
    """What becomes of the chain of a stone, whoever begins."""
    n_places = state.shape[1]
    local, marks = room[POINTS][n_places:], room[POINTS][:n_places]
    count = gather_local(state, stone, local, marks, most_local)
    if count < 0:
        return OPEN
    sort_local(state, stone, local, count)
    if has_two_eyes(state, stone, local, count):
        return ALIVE
    colour = state[COLOUR, stone]
    lives = 0
    for turn in range(2):
        start = room[STATES][0]
        copy_into(start, state)
        # Who begins is asked, not whose turn it is; a ko is as it is for the side to move.
        side = colour if turn == 0 else 3 - colour
        if start[INFO, SIDE] != side:
            start[INFO, SIDE] = side
            start[INFO, KO] = 0
        answer = lives_locally(stone, local, count, room, most_nodes)
        if answer < 0:
            return OPEN
        if turn == 0 and answer == 0:
            return DEAD
        lives = answer
    return ALIVE if lives == 1 else UNSETTLED


@kernel(f"int64(int16[:,::1], int64, int64, {ROOM})")
def read_life(state, stone: int, most_nodes: int, room) -> int:
    """What becomes of the chain of a stone (a place), whoever's turn it is."""
    return life_of(state, stone, room, most_nodes, MOST_LOCAL)


# ---- eyes


@kernel("void(int16[:,::1], int8[::1])")
def mark_eyes(state, eyes) -> None:
    """Write for every point whose eye it is: 1 or 2 for a real one, -1 or -2 for a false one.

    An eye is an empty point with stones of one colour, or the edge, on all sides; it is false if
    the other side holds two of the points diagonal to it, or one at the edge.
    """
    for point in range(eyes.shape[0]):
        eyes[point] = 0
        place = place_of(state, point)
        if state[COLOUR, place] != NOTHING:
            continue
        for side in (BLACK, WHITE):
            is_own = True
            for beside in around(state, place):
                is_own &= state[COLOUR, beside] == side or state[COLOUR, beside] == EDGE
            if is_own:
                eyes[point] = side if is_eye(state, place, side) else -side
