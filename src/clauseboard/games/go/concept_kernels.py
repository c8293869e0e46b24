"""The concepts of Go, counted for a search: `concepts` says what they are.

Chains are read first (`tactics`): some are lost, taken by a ladder or dead in their eye space; some
are lost only if the other side plays there first; some have two eyes for certain. Of two that touch
and are dead unless they take each other, the one with more liberties stands. Area is then counted
without the lost ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.go import kernels, tactics
from clauseboard.games.go.kernels import (
    BLACK,
    CHAIN,
    COLOUR,
    EDGE,
    EMPTIES,
    INFO,
    KO,
    NEXT,
    NOTHING,
    SIDE,
    STONES,
    WHITE,
    around,
    is_eye,
    place_of,
)
from clauseboard.kernels.bits import copy_into
from clauseboard.kernels.compiler import helper, kernel

NAMES = (
    "open", "area", "influence", "likely area", "sure area", "stones", "atari", "two liberties",
    "three liberties", "groups", "no room", "little room", "lost", "threatened", "alive", "eyes",
    "cuts", "strong area", "attacked", "sente", "endgame", "first line", "turn",
)  # fmt: skip
(
    OPEN_BOARD, AREA, INFLUENCE, LIKELY, SURE_AREA, ALL_STONES, ATARI, TWO, THREE, GROUPS, NO_ROOM,
    LITTLE_ROOM, LOST, THREATENED, SAFE, EYES, CUTS, STRONG_AREA, ATTACKED, SENTE, ENDGAME,
    FIRST_LINE, TURN,
) = range(len(NAMES))  # fmt: skip
N_CONCEPTS = len(NAMES)

LIFE_NODES, LIFE_POINTS = 3000, 16
"""Positions that are looked at for the life of one chain, and the points around it at most."""

QUICK_LIFE_NODES = 100
"""The same for a search, which reads many boards and may leave some chains open."""

SCRATCH = f"Tuple(({tactics.ROOM}, int64[:,::1], int64))"
"""The type of what `new_scratch` makes."""
READING, PLACES, MOST_LIFE_NODES = range(3)

STATUS, BLACK_DISTANCE, WHITE_DISTANCE, QUEUE, REGION, BORDER, WEAK, STEPS = range(8)
"""Rows with a number for every place."""

OWNER, MEMBERS, ROOM_OF, STRENGTH, LEAST_NEAR = range(8, 13)
"""Rows with a number for every group, from 1 on; REGION has the groups of places."""

N_ROWS = 13

STANDS, IS_LOST, IS_THREATENED, IS_SAFE, IS_DEAD = range(5)
"""The status of a chain; one that is dead in its eye space is lost, unless it wins a race."""

FAR = 99

NO_ROOM_POINTS, LITTLE_ROOM_POINTS = 3, 7
"""Empty points of a group that are hardly room for an eye, and hardly room for two."""

LIVING = 100
"""What a living chain adds to the strength of its group, which is its room with the border."""

WEAK_STRENGTH = 6
"""Groups of at most this strength are weak; those of the side to move if they have one less."""

NEAR_STEPS = 2
"""Moves at the border are at most so many steps from a stone of their side."""

MOST_LIBERTIES = 20
"""Liberties that are counted where two chains race."""

REACH, FELT = 8, 25
"""A stone counts 2 to the power of this where it stands, and half with each step away; a side has
influence where its stones count more than the other side's by more than FELT."""

FARTHEST = 18
"""Lines between two points of the largest board."""


def _weights() -> NDArray[np.int64]:
    """What a stone counts: lines between × columns between, from -FARTHEST on."""
    lines, columns = np.arange(FARTHEST + 1), np.arange(-FARTHEST, FARTHEST + 1)
    steps = lines[:, None] + abs(columns)
    return np.where(steps <= REACH, 1 << np.maximum(REACH - steps, 0), 0)


_WEIGHTS = _weights()


def new_scratch(size: int, life_nodes: int = LIFE_NODES) -> tuple[Any, ...]:
    """Room to count in, and how many positions are looked at for the life of one chain."""
    places = np.zeros((N_ROWS, kernels.new_state(size).shape[1]), np.int64)
    return tactics.new_room(size), places, life_nodes


# ---- chains


@helper
def is_captured(state, stone: int, side: int, room) -> bool:
    """Whether a chain is captured in a ladder if a side moves first, whoever's turn it is."""
    start = room[tactics.STATES][0]
    copy_into(start, state)
    if start[INFO, SIDE] != side:
        start[INFO, SIDE] = side
        start[INFO, KO] = 0
    return tactics.run_ladder(stone, room, 0, tactics.LADDER_NODES) == tactics.CAPTURED


@helper
def status_of(state, stone: int, liberties: int, room, life_nodes: int) -> int:
    """What becomes of a chain, as far as it is read."""
    colour = np.int64(state[COLOUR, stone])
    if liberties == 1 and is_captured(state, stone, colour, room):
        return IS_LOST
    life = tactics.life_of(state, stone, room, life_nodes, LIFE_POINTS)
    if life == tactics.DEAD:
        return IS_DEAD
    if life == tactics.ALIVE:
        return IS_SAFE
    if life == tactics.UNSETTLED or (
        liberties <= 2 and is_captured(state, stone, 3 - colour, room)
    ):
        return IS_THREATENED if state[INFO, SIDE] == colour else IS_LOST
    return STANDS


@helper
def set_status(state, head: int, told: int, status) -> None:
    """Write what becomes of a chain for all its stones."""
    stone: Any = head
    while True:
        status[stone] = told
        stone = np.int64(state[NEXT, stone])
        if stone == head:
            break


@helper
def wins_race(state, head: int, scratch) -> bool:
    """Whether a dead chain touches a dead one of the other side that has fewer liberties.

    With as many, the side to move is first. A chain that has no liberty of its own is inside, and
    its capture is part of what was read.
    """
    status, found = scratch[PLACES][STATUS], scratch[PLACES][QUEUE]
    colour = np.int64(state[COLOUR, head])
    own = tactics.list_liberties(state, head, found, MOST_LIBERTIES)
    if state[INFO, SIDE] == colour:
        own += 1
    stone: Any = head
    while True:
        for beside in around(state, stone):
            if state[COLOUR, beside] != 3 - colour or status[beside] != IS_DEAD:
                continue
            theirs = tactics.list_liberties(state, beside, found, MOST_LIBERTIES)
            outside = False
            for n in range(theirs):
                outside |= not tactics.touches(state, found[n], head)
            if outside and theirs < own:
                return True
        stone = np.int64(state[NEXT, stone])
        if stone == head:
            return False


@helper
def settle_races(state, scratch) -> None:
    """Have dead chains stand that win a race; the others are lost."""
    status, wins = scratch[PLACES][STATUS], scratch[PLACES][REGION]
    size = np.int64(state[INFO, kernels.SIZE])
    for point in range(size * size):
        place = place_of(state, point)
        wins[place] = 0
        if status[place] == IS_DEAD and np.int64(state[CHAIN, place]) == place:
            wins[place] = 1 if wins_race(state, place, scratch) else 2
    for point in range(size * size):
        place = place_of(state, point)
        if wins[place] > 0:
            set_status(state, place, STANDS if wins[place] == 1 else IS_LOST, status)


@helper
def count_chains(state, scratch, counts) -> None:
    """Count stones and chains by their liberties and by what becomes of them."""
    room, status = scratch[READING], scratch[PLACES][STATUS]
    found = scratch[PLACES][QUEUE]
    size = np.int64(state[INFO, kernels.SIZE])
    for point in range(size * size):
        place = place_of(state, point)
        status[place] = STANDS
    for point in range(size * size):
        place = place_of(state, point)
        colour = np.int64(state[COLOUR, place])
        if colour == NOTHING or np.int64(state[CHAIN, place]) != place:
            continue
        at = (colour - 1) * N_CONCEPTS
        stones = np.int64(state[STONES, place])
        liberties = tactics.list_liberties(state, place, found, 4)
        counts[at + ALL_STONES] += stones
        if liberties == 1:
            counts[at + ATARI] += stones
        if liberties <= 2:
            counts[at + TWO] += stones
        if liberties <= 3:
            counts[at + THREE] += stones
        told = status_of(state, place, liberties, room, scratch[MOST_LIFE_NODES])
        set_status(state, place, told, status)
    settle_races(state, scratch)
    for point in range(size * size):
        place = place_of(state, point)
        colour = np.int64(state[COLOUR, place])
        if colour == NOTHING:
            continue
        at = (colour - 1) * N_CONCEPTS
        if status[place] == IS_LOST:
            counts[at + LOST] += 1
        elif status[place] == IS_THREATENED:
            counts[at + THREATENED] += 1
        elif status[place] == IS_SAFE:
            counts[at + SAFE] += 1


# ---- points


@helper
def stands(state, status, place: int):
    """The colour of a stone that is not lost; else nothing, or the edge."""
    colour = np.int64(state[COLOUR, place])
    if colour != EDGE and colour != NOTHING and status[place] == IS_LOST:
        return np.int64(NOTHING)
    return colour


@helper
def measure(state, status, colour: int, distance, queue) -> None:
    """Write how far every point is from the nearest stone of a colour that stands."""
    size = np.int64(state[INFO, kernels.SIZE])
    tail = 0
    for line in range(1, size + 1):
        first = line * (size + 1) + 1
        for place in range(first, first + size):
            distance[place] = FAR
            if stands(state, status, place) == colour:
                distance[place] = 0
                queue[tail] = place
                tail += 1
    head = 0
    while head < tail:
        place = queue[head]
        head += 1
        for beside in around(state, place):
            if stands(state, status, beside) == NOTHING and distance[beside] == FAR:
                distance[beside] = distance[place] + 1
                queue[tail] = beside
                tail += 1


@helper
def count_enclosed(state, scratch, counts) -> None:
    """Count the points without stones that stand, which only one colour touches."""
    status, region = scratch[PLACES][STATUS], scratch[PLACES][REGION]
    queue = scratch[PLACES][QUEUE]
    size = np.int64(state[INFO, kernels.SIZE])
    for point in range(size * size):
        region[place_of(state, point)] = 0
    for point in range(size * size):
        start = place_of(state, point)
        if region[start] != 0 or stands(state, status, start) != NOTHING:
            continue
        touched, head, tail = 0, 0, 1
        queue[0] = start
        region[start] = 1
        while head < tail:
            place = queue[head]
            head += 1
            for beside in around(state, place):
                colour = stands(state, status, beside)
                if colour == NOTHING:
                    if region[beside] == 0:
                        region[beside] = 1
                        queue[tail] = beside
                        tail += 1
                elif colour != EDGE:
                    touched |= colour
        if touched in (BLACK, WHITE):
            counts[(touched - 1) * N_CONCEPTS + SURE_AREA] += tail


@helper
def count_points(state, scratch, counts) -> None:
    """Count area by the nearest stone, eyes, and points at which two chains can be cut."""
    places = scratch[PLACES]
    status, queue = places[STATUS], places[QUEUE]
    black, white = places[BLACK_DISTANCE], places[WHITE_DISTANCE]
    measure(state, status, BLACK, black, queue)
    measure(state, status, WHITE, white, queue)
    size = np.int64(state[INFO, kernels.SIZE])
    for point in range(size * size):
        place = place_of(state, point)
        if black[place] < white[place]:
            counts[AREA] += 1
        elif white[place] < black[place]:
            counts[N_CONCEPTS + AREA] += 1
        if state[COLOUR, place] != NOTHING:
            continue
        for side in (BLACK, WHITE):
            at = (side - 1) * N_CONCEPTS
            if is_eye(state, place, side):
                counts[at + EYES] += 1
            first, cuts = np.int64(0), False
            for beside in around(state, place):
                if state[COLOUR, beside] == side:
                    head = np.int64(state[CHAIN, beside])
                    if first != 0 and head != first:
                        cuts = True
                    first = head
            if cuts:
                counts[at + CUTS] += 1


@helper
def count_influence(state, scratch, counts) -> None:
    """Count the points where the stones of a side that stand outweigh those of the other."""
    status, felt = scratch[PLACES][STATUS], scratch[PLACES][STEPS]
    size = np.int64(state[INFO, kernels.SIZE])
    for point in range(size * size):
        felt[point] = 0
    for line in range(size):
        for column in range(size):
            place = (line + 1) * (size + 1) + column + 1
            if state[COLOUR, place] == NOTHING or status[place] == IS_LOST:
                continue
            sign = 1 if state[COLOUR, place] == BLACK else -1
            for other in range(size):
                weights = _WEIGHTS[abs(other - line)]
                at, step = other * size, FARTHEST - column
                for n in range(size):
                    felt[at + n] += sign * weights[step + n]
    for point in range(size * size):
        if felt[point] > FELT:
            counts[INFLUENCE] += 1
        elif felt[point] < -FELT:
            counts[N_CONCEPTS + INFLUENCE] += 1


@helper
def tenths_of(room: int) -> int:
    """How likely a group keeps its points, in tenths, by its room with the border around it."""
    if room <= 2:
        return 1
    if room <= 5:
        return 3
    if room <= 8:
        return 5
    return 7 if room <= 12 else 9


@helper
def find_groups(state, scratch) -> int:
    """Write which group every place belongs to, and what groups have; how many there are.

    A group is stones that stand, joined by each other and by empty points nearer to them than to
    the other side; its room is these points. The border of a group are empty points beside it that
    are as near to the other side.
    """
    places = scratch[PLACES]
    status, region, queue, borders = places[STATUS], places[REGION], places[QUEUE], places[BORDER]
    size = np.int64(state[INFO, kernels.SIZE])
    for place in range(region.shape[0]):
        region[place] = borders[place] = 0
    number = 0
    for point in range(size * size):
        start = place_of(state, point)
        colour = stands(state, status, start)
        if colour == NOTHING or region[start] != 0:
            continue
        own = places[BLACK_DISTANCE] if colour == BLACK else places[WHITE_DISTANCE]
        other = places[WHITE_DISTANCE] if colour == BLACK else places[BLACK_DISTANCE]
        room, stones, safe, border, head, tail = 0, 0, 0, 0, 0, 1
        number += 1
        queue[0] = start
        region[start] = number
        while head < tail:
            place = queue[head]
            head += 1
            if stands(state, status, place) == NOTHING:
                room += 1
            else:
                stones += 1
                if status[place] == IS_SAFE:
                    safe += 1
            for beside in around(state, place):
                if region[beside] != 0 or state[COLOUR, beside] == EDGE:
                    continue
                there = stands(state, status, beside)
                if there == colour or (there == NOTHING and own[beside] < other[beside]):
                    region[beside] = number
                    queue[tail] = beside
                    tail += 1
                elif (
                    there == NOTHING and own[beside] == other[beside] and borders[beside] != number
                ):
                    borders[beside] = number
                    border += 1
        places[OWNER, number] = colour
        places[MEMBERS, number] = stones
        places[ROOM_OF, number] = room
        places[STRENGTH, number] = room + border + (LIVING if safe > 0 else 0)
    return number


@helper
def count_groups(state, scratch, counts) -> None:
    """Count groups, the stones of those that have little room for eyes, and their likely area.

    Stones that live for certain need no room. The points of a group are likely to stay its own the
    more room and border it has; what it does not keep is the other side's.
    """
    places = scratch[PLACES]
    number = find_groups(state, scratch)
    for group in range(1, number + 1):
        colour, stones = places[OWNER, group], places[MEMBERS, group]
        room, strength = places[ROOM_OF, group], places[STRENGTH, group]
        at = (colour - 1) * N_CONCEPTS
        counts[at + GROUPS] += 1
        tenths = 10 if strength >= LIVING else tenths_of(strength)
        counts[at + LIKELY] += tenths * (stones + room)
        counts[(2 - colour) * N_CONCEPTS + LIKELY] += (10 - tenths) * (stones + room)
        if strength < LIVING:
            if room <= NO_ROOM_POINTS:
                counts[at + NO_ROOM] += stones
            if room <= LITTLE_ROOM_POINTS:
                counts[at + LITTLE_ROOM] += stones
    compare_groups(state, scratch, number)
    for group in range(1, number + 1):
        if places[STRENGTH, group] < min(places[LEAST_NEAR, group], LIVING):
            at = (places[OWNER, group] - 1) * N_CONCEPTS
            counts[at + ATTACKED] += places[MEMBERS, group]


@helper
def compare_groups(state, scratch, number: int) -> None:
    """Write the strength of the weakest group of the other side near each group; 0 without any.

    Groups are near each other if they touch, or if one point that is in no group lies between them.
    """
    places = scratch[PLACES]
    region, least = places[REGION], places[LEAST_NEAR]
    size = np.int64(state[INFO, kernels.SIZE])
    for group in range(1, number + 1):
        least[group] = 0
    for point in range(size * size):
        place = place_of(state, point)
        group = region[place]
        if group == 0:
            continue
        for beside in around(state, place):
            if state[COLOUR, beside] == EDGE:
                continue
            if region[beside] != 0:
                meet(places, group, region[beside])
            else:
                for beyond in around(state, beside):
                    if state[COLOUR, beyond] != EDGE and region[beyond] != 0:
                        meet(places, group, region[beyond])


@helper
def meet(places, group: int, other: int) -> None:
    """Remember the strength of a group near another, if it is the other side's and the least."""
    if places[OWNER, group] != places[OWNER, other]:
        least = places[LEAST_NEAR, group]
        if least == 0 or places[STRENGTH, other] < least:
            places[LEAST_NEAR, group] = max(places[STRENGTH, other], 1)


@helper
def count_strong_area(state, scratch, counts) -> None:
    """Count area by the nearest stone once weak groups are taken off, the weakest first.

    What each leaves is counted again before the next one goes. The last group of a side stays.
    """
    places = scratch[PLACES]
    status, weak, region, queue = places[STATUS], places[WEAK], places[REGION], places[QUEUE]
    black, white = places[BLACK_DISTANCE], places[WHITE_DISTANCE]
    size, mover = np.int64(state[INFO, kernels.SIZE]), np.int64(state[INFO, SIDE])
    for place in range(weak.shape[0]):
        weak[place] = 0
    while True:
        measure(state, status, BLACK, black, queue)
        measure(state, status, WHITE, white, queue)
        number = find_groups(state, scratch)
        groups = 0
        for group in range(1, number + 1):
            groups |= places[OWNER, group]
        weakest, least = 0, 2 * WEAK_STRENGTH + 2
        for group in range(1, number + 1):
            strength = 2 * places[STRENGTH, group]
            if places[OWNER, group] == mover:
                strength += 3
            if groups == BLACK | WHITE and strength < least:
                weakest, least = group, strength
        if weakest == 0:
            break
        for point in range(size * size):
            place = place_of(state, point)
            if region[place] == weakest and stands(state, status, place) != NOTHING:
                weak[place] = 1 + status[place]
                status[place] = IS_LOST
    for point in range(size * size):
        place = place_of(state, point)
        if black[place] < white[place]:
            counts[STRONG_AREA] += 1
        elif white[place] < black[place]:
            counts[N_CONCEPTS + STRONG_AREA] += 1
        if weak[place] != 0:
            status[place] = weak[place] - 1


# ---- moves


@helper
def gain_of(state, scratch, start: int, side: int) -> int:
    """The points that a stone of a side brings nearer to it than to the other, less those before.

    A point that becomes as near to both counts one, and one that changes sides two.
    """
    places = scratch[PLACES]
    status, steps, queue = places[STATUS], places[STEPS], places[QUEUE]
    own = places[BLACK_DISTANCE] if side == BLACK else places[WHITE_DISTANCE]
    other = places[WHITE_DISTANCE] if side == BLACK else places[BLACK_DISTANCE]
    for place in range(steps.shape[0]):
        steps[place] = FAR
    steps[start], queue[0], head, tail, gain = 0, start, 0, 1, 0
    while head < tail:
        place = queue[head]
        head += 1
        if steps[place] >= own[place]:
            continue
        gain += np.sign(other[place] - steps[place]) - np.sign(other[place] - own[place])
        for beside in around(state, place):
            if (
                state[COLOUR, beside] != EDGE
                and stands(state, status, beside) == NOTHING
                and steps[beside] == FAR
            ):
                steps[beside] = steps[place] + 1
                queue[tail] = beside
                tail += 1
    return gain


@helper
def is_border_move(state, scratch, place: int, side: int) -> bool:
    """Whether an empty point is near stones of a side, and not closed in by the other side's."""
    own = scratch[PLACES][BLACK_DISTANCE if side == BLACK else WHITE_DISTANCE]
    if state[COLOUR, place] != NOTHING or own[place] > NEAR_STEPS:
        return False
    for beside in around(state, place):
        if state[COLOUR, beside] == NOTHING or state[COLOUR, beside] == side:
            return True
    return False


@helper
def is_sente(state, scratch, place: int, side: int) -> bool:
    """Whether a stone of a side puts a chain of two liberties that stands in atari, and is safe.

    It is if two points beside it are empty, or if it is joined to a chain of three liberties.
    """
    if state[COLOUR, place] != NOTHING:
        return False
    status, found = scratch[PLACES][STATUS], scratch[PLACES][QUEUE]
    empty, joined, threatens = 0, False, False
    for beside in around(state, place):
        colour = np.int64(state[COLOUR, beside])
        if colour == NOTHING:
            empty += 1
        elif colour == side:
            joined |= tactics.list_liberties(state, beside, found, 3) >= 3
        elif colour == 3 - side and status[beside] != IS_LOST:
            threatens |= tactics.list_liberties(state, beside, found, 3) == 2
    return threatens and (joined or empty >= 2)


@helper
def count_moves(state, scratch, counts) -> None:
    """Count threats, points of the largest move at a border, and stones on the first line."""
    status = scratch[PLACES][STATUS]
    size = np.int64(state[INFO, kernels.SIZE])
    for point in range(size * size):
        place = place_of(state, point)
        for side in (BLACK, WHITE):
            at = (side - 1) * N_CONCEPTS
            if is_sente(state, scratch, place, side):
                counts[at + SENTE] += 1
            if is_border_move(state, scratch, place, side):
                gain = gain_of(state, scratch, place, side)
                counts[at + ENDGAME] = max(counts[at + ENDGAME], gain)
            row, column = point // size, point % size
            on_edge = row in (0, size - 1) or column in (0, size - 1)
            if on_edge and stands(state, status, place) == side:
                counts[at + FIRST_LINE] += 1


@kernel(f"void(int16[:,::1], int64, {SCRATCH}, int64[::1])")
def count_concepts(state, komi: int, scratch, counts) -> None:
    """Fill `counts`: the numbers of black, then those of white; the komi is doubled."""
    for n in range(2 * N_CONCEPTS):
        counts[n] = 0
    size = np.int64(state[INFO, kernels.SIZE])
    points = size * size
    count_chains(state, scratch, counts)
    count_strong_area(state, scratch, counts)
    count_points(state, scratch, counts)
    count_influence(state, scratch, counts)
    count_enclosed(state, scratch, counts)
    count_moves(state, scratch, counts)
    count_groups(state, scratch, counts)
    for side in range(2):
        at = side * N_CONCEPTS
        given = max(-komi, 0) // 2 if side == 0 else max(komi, 0) // 2
        counts[at + AREA] += given
        counts[at + INFLUENCE] += given
        counts[at + STRONG_AREA] += given
        counts[at + LIKELY] = (counts[at + LIKELY] + 5) // 10 + given
        counts[at + SURE_AREA] += given + counts[at + ALL_STONES] - counts[at + LOST]
        counts[at + OPEN_BOARD] = 10 * np.int64(state[INFO, EMPTIES]) // points
        counts[at + TURN] = 1 if state[INFO, SIDE] == side + 1 else 0


@kernel(f"void(int16[:,:,::1], int64, {SCRATCH}, int64[:,::1])")
def count_states(states, komi: int, scratch, rows) -> None:
    """The numbers of each state."""
    for n in range(states.shape[0]):
        count_concepts(states[n], komi, scratch, rows[n])


def counted(
    states: NDArray[np.int16], komi: int, size: int, life_nodes: int = LIFE_NODES
) -> NDArray[np.int64]:
    """The numbers of states: states × sides × concepts."""
    rows = np.empty((len(states), 2 * N_CONCEPTS), np.int64)
    count_states(np.ascontiguousarray(states), komi, new_scratch(size, life_nodes), rows)
    return rows.reshape(-1, 2, N_CONCEPTS)
