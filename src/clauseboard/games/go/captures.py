"""Whether a chain can be captured, with both sides free to play anywhere around it.

Ladders (`tactics.read_ladder`) are ataris alone. Here the side that attacks may play on the
liberties of the chain, on points beside them, and on liberties of its own stones in atari; the
chain may extend, join, take, threaten, or be left alone. A chain that has five liberties with the
attack to move, or more than the moves left can fill, escapes; where the moves end, a ladder is
read.

What is found captured is captured, as far as these moves go; what is not found, within the moves
and positions looked at, stands.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.games.go.kernels import CAPTURED as TAKEN
from clauseboard.games.go.kernels import (
    CHAIN,
    COLOUR,
    INFO,
    KO,
    LIBERTIES,
    NEXT,
    NOTHING,
    SIDE,
    SIZE,
    STONES,
    around,
    pass_turn,
    place_of,
    put_stone,
)
from clauseboard.games.go.tactics import (
    AT,
    CAPTURED,
    ESCAPES,
    FRAMES,
    MOST_MOVES,
    MOVES,
    N_MOVES,
    POINTS,
    ROOM,
    STATES,
    UNKNOWN,
    add_captures,
    add_move,
    is_legal,
    list_liberties,
    run_ladder,
)
from clauseboard.kernels.bits import copy_into
from clauseboard.kernels.compiler import helper, kernel

MOST_DEPTH, DEEP = 9, 11
"""How many moves are read, in steps of two: most chains are settled by few. What is said to be
saved is read deeper."""

CAPTURE_NODES = 10_000
"""How many positions are looked at for one question."""

END_NODES = 300
"""The same for a ladder where the moves end."""

FREE = 5
"""So many liberties, with the attack to move, are an escape."""


@helper
def add_beside(state, moves, count: int, liberties: int):
    """Add the empty points beside the liberties, which are the first moves."""
    for n in range(liberties):
        for beside in around(state, moves[n]):
            if state[COLOUR, beside] == NOTHING and is_legal(state, np.int64(beside)):
                count = add_move(moves, count, np.int64(beside))
    return count


@helper
def add_own_in_atari(state, side: int, moves, count: int, found):
    """Add the last liberties of chains of a side, and what takes chains beside these."""
    size = np.int64(state[INFO, SIZE])
    for point in range(size * size):
        place = place_of(state, point)
        if state[COLOUR, place] != side or np.int64(state[CHAIN, place]) != place:
            continue
        if state[LIBERTIES, place] <= 4 and list_liberties(state, place, found, 2) == 1:
            last = np.int64(found[0])
            if is_legal(state, last):
                count = add_move(moves, count, last)
            count = add_captures(state, place, moves, count, found)
    return count


@helper
def add_threats(state, stone: int, moves, count: int, found):
    """Add the liberties of chains of two liberties beside a chain, which would be in atari."""
    enemy = 3 - state[COLOUR, stone]
    head = state[CHAIN, stone]
    place = head
    while True:
        for beside in around(state, place):
            if state[COLOUR, beside] == enemy and list_liberties(state, beside, found, 3) == 2:
                for n in range(2):
                    threat = np.int64(found[n])
                    if is_legal(state, threat):
                        count = add_move(moves, count, threat)
        place = state[NEXT, place]
        if place == head:
            return count


@helper
def add_joins(state, stone: int, moves, count: int, liberties: int, found):
    """Add the liberties of chains that the chain would join at a liberty: the first moves."""
    colour, head = state[COLOUR, stone], state[CHAIN, stone]
    for n in range(liberties):
        for beside in around(state, moves[n]):
            if state[COLOUR, beside] == colour and state[CHAIN, beside] != head:
                for m in range(list_liberties(state, beside, found, MOST_MOVES)):
                    if is_legal(state, np.int64(found[m])):
                        count = add_move(moves, count, np.int64(found[m]))
    return count


@helper
def capture_moves(state, stone: int, room, depth: int, left: int):
    """List the moves of a position, with so many `left`; -1 if the chain escapes, -2 if it is
    captured, -3 if a ladder is to be read."""
    found, moves = room[POINTS], room[MOVES][depth]
    colour = np.int64(state[COLOUR, stone])
    attacks = np.int64(state[INFO, SIDE]) != colour
    liberties = list_liberties(state, stone, found, FREE)
    if attacks and liberties == 1 and is_legal(state, np.int64(found[0])):
        return np.int64(-2) if takes_for_good(state, stone, room, depth) else np.int64(-1)
    if left <= 0:
        return np.int64(-3) if liberties <= (2 if attacks else 1) else np.int64(-1)
    stones = (left + 1) // 2 if attacks else left // 2
    if attacks and (liberties >= FREE or (liberties > stones and liberties > 2)):
        return np.int64(-1)
    if not attacks and liberties > stones and liberties > 2:
        return np.int64(-1)
    count: Any = 0
    for n in range(liberties):
        if is_legal(state, np.int64(found[n])):
            count = add_move(moves, count, np.int64(found[n]))
    first = count
    if not attacks:
        count = add_captures(state, stone, moves, count, found)
        if liberties > 1:
            count = add_threats(state, stone, moves, count, found)
            count = add_joins(state, stone, moves, count, first, found)
            count = add_beside(state, moves, count, first)
            if count == MOST_MOVES:  # not all that it may do was listed
                return np.int64(-1)
            # The chain may be left alone: 0 is the pass.
            moves[count] = 0
            count += 1
        return count if count > 0 else np.int64(-2)
    if depth == 0:
        count = add_own_in_atari(state, 3 - colour, moves, count, found)
    count = add_beside(state, moves, count, first)
    return count if count > 0 else np.int64(-1)


@helper
def takes_for_good(state, stone: int, room, depth: int) -> bool:
    """Whether the move that takes a chain in atari takes no ko, and as many stones are not taken
    back at once."""
    found, after = room[POINTS], room[STATES][depth + 1]
    list_liberties(state, stone, found, 1)
    place = np.int64(found[0])
    copy_into(after, state)
    put_stone(after, place)
    if after[INFO, KO] != 0:
        return False
    taking = after[STONES, after[CHAIN, place]]
    if list_liberties(after, place, found, 2) > 1 or taking < after[INFO, TAKEN]:
        return True
    return not is_legal(after, np.int64(found[0]))


@kernel(f"int64(int64, {ROOM}, int64, int64)")
def run_capture(stone: int, room, most_depth: int, most_nodes: int) -> int:
    """Read the capture of a chain in the state at depth 0, with its side to move."""
    states, frames = room[STATES], room[FRAMES]
    colour = states[0, COLOUR, stone]
    depth, nodes = 0, 0
    result = UNKNOWN
    enters = True
    while True:
        state = states[depth]
        if enters:
            enters = False
            count: Any = np.int64(-2)
            if state[COLOUR, stone] == colour:
                count = capture_moves(state, stone, room, depth, most_depth - depth)
            if count == -3:
                found = run_ladder(stone, room, depth, END_NODES)
                result = CAPTURED if found == CAPTURED else ESCAPES
            elif count < 0:
                result = ESCAPES if count == -1 else CAPTURED
            else:
                frames[depth, N_MOVES], frames[depth, AT] = count, 0
                result = UNKNOWN
        else:
            attacks = state[INFO, SIDE] != colour
            decides = CAPTURED if attacks else ESCAPES
            if result != decides:
                if frames[depth, AT] < frames[depth, N_MOVES]:
                    result = UNKNOWN
                else:
                    result = ESCAPES if attacks else CAPTURED
        if result == UNKNOWN:
            if nodes >= most_nodes:
                return UNKNOWN
            place = room[MOVES][depth, frames[depth, AT]]
            frames[depth, AT] += 1
            copy_into(states[depth + 1], state)
            if place == 0:
                pass_turn(states[depth + 1])
            else:
                put_stone(states[depth + 1], place)
            depth += 1
            nodes += 1
            enters = True
        elif depth == 0:
            return result
        else:
            depth -= 1


@kernel(f"int64(int16[:,::1], int64, {ROOM}, int64, int64)")
def read_capture(state, stone: int, room, most_depth: int, most_nodes: int) -> int:
    """Whether a chain is captured, with the state's side to move: `CAPTURED`, or else the chain was
    not found to be (`ESCAPES`, or `UNKNOWN` where that took too long). `stone` is a place."""
    result: Any = ESCAPES
    more = 1 if state[INFO, SIDE] == state[COLOUR, stone] else 0
    for depth in range(1, most_depth + 1, 2):
        copy_into(room[STATES][0], state)
        result = run_capture(stone, room, depth + more, most_nodes)
        if result != ESCAPES:
            return result
    return result
