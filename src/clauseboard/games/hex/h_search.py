"""H-search: which chains and edges of a Hex board are connected, whatever the other side does.

A *carrier* is a set of empty cells within which a side carries a plan through, whatever is played
elsewhere. A plan is *full* (a virtual connection) if it works although the other side moves first,
*half* (a semi-virtual connection) if its own side has to move first. Two rules find plans, after
Anshelevich:

- and: two full plans that meet in a point and share no cell make one plan: full if the point is a
  chain, half if it is an empty cell, which must be played first;
- or: half plans without a cell common to all of them make a full plan: whichever cell the other
  side takes, one of them is untouched.

One end of each plan is an *anchor*: a chain, or an edge with the stones that touch it. Anchors are
dealt with one after another, the edges last; each uses the plans of those before it. Between two
empty cells only neighbours and bridges count. Each list of plans is bounded, smallest first, so
that not everything is found; what is found is so.

First, dead and captured cells are filled (`inferior_cells.py` says why that is right). A plan of a
side relies on the cells that it has captured besides its carrier.

`connections.py` does the same for boards of one word, from the edges only: the solver needs less
of it, more often.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.hex.cell_sets import (
    WORDS,
    common,
    first_of,
    is_empty,
    is_within,
    keep,
    load,
    meet,
    no_cells,
    one_cell,
    put,
    size_of,
    union,
    without,
)
from clauseboard.games.hex.kernels import has_stone
from clauseboard.kernels.compiler import helper, kernel

N_FULL, N_HALF, N_WINS = 4, 12, 24
"""How many plans are kept: of each kind for an anchor and a point, and half ones that win."""

MOST_ANCHORS = 26
"""Chains beyond these are no anchors, but plans still go through them."""

MOST_CELLS = 9
"""Plans between two chains have carriers of so many cells at most; those of edges are not bounded:
they are what wins."""

FREE = 3
"""An empty cell on a board laid out by `lay_out`: red (1) and blue (2) can both have it."""

CONNECTED, OPEN = 1, 0

NEAR, POINT_OF, LINK_TO, N_LINKS, ANCHORS, ANCHOR_OF, FULL, FULL_COUNTS = range(8)
HALF, HALF_COUNTS, N_ANCHORS, QUEUE, QUEUED = range(8, 13)
"""The arrays of a memory, see `new_memory`."""


def _alive_rings() -> NDArray[np.bool_]:
    """For each ring of six places, two bits each for what they can be, whether four changes of
    colour are possible on the way round: whether the cell in the middle can matter."""
    codes = np.arange(4**6)
    ahead = np.zeros((2, 5, codes.size), np.bool_)
    ahead[:, 0] = True
    for place in range(6):
        for n in range(4, 0, -1):
            for first in range(2):
                colour = (first + n - 1) % 2
                ahead[first, n] |= ahead[first, n - 1] & (codes >> (2 * place + colour) & 1 > 0)
    return ahead[0, 4] | ahead[1, 4]


ALIVE = _alive_rings()


# ---- the board with a frame, and cells that are as good as filled


@helper
def lay_out(stones, size: int, board) -> None:
    """Write a board with the edges around it: the bits of the sides that can have a place."""
    width = size + 2
    for column in range(width):
        board[column] = 1
        board[(size + 1) * width + column] = 1
    for row in range(size):
        place = (row + 1) * width
        board[place] = 2
        board[place + size + 1] = 2
        for column in range(size):
            cell = row * size + column
            colour = FREE
            if has_stone(stones, 0, cell):
                colour = 1
            elif has_stone(stones, 1, cell):
                colour = 2
            board[place + column + 1] = colour


@helper
def ring_of(board, place: int, width: int):
    """The six places around one, as the number of a ring."""
    return (
        np.int64(board[place - width])
        | np.int64(board[place - width + 1]) << 2
        | np.int64(board[place + 1]) << 4
        | np.int64(board[place + width]) << 6
        | np.int64(board[place + width - 1]) << 8
        | np.int64(board[place - 1]) << 10
    )


@helper
def step_to(direction: int, width: int) -> int:
    """How far it is to the neighbour in a direction; opposite ones differ by 3."""
    if direction == 0:
        return -width
    if direction == 1:
        return -width + 1
    if direction == 2:
        return 1
    if direction == 3:
        return width
    return width - 1 if direction == 4 else -1


@helper
def dead_with(ring: int, direction: int, colour: int) -> bool:
    """Whether a stone of a colour on a neighbour makes the cell in the middle dead."""
    return not ALIVE[(ring & ~(3 << (2 * direction))) | (colour << (2 * direction))]


@helper
def fill_in(board, size: int, captured) -> None:
    """Fill dead and captured cells of a laid-out board; `captured[side]` is given the latter.

    A dead cell is given to red: it does not matter. Two cells are captured if a stone on either
    makes the other dead; one side's are filled before the other's are looked for.
    """
    width = size + 2
    for side in range(2):
        put(captured, side, no_cells())
    changed = True
    while changed:
        changed = False
        for row in range(size):
            for column in range(size):
                place = (row + 1) * width + column + 1
                if board[place] == FREE and not ALIVE[ring_of(board, place, width)]:
                    board[place] = 1
                    changed = True
        for side in range(2):
            if changed:
                break
            colour = 1 << side
            for row in range(size):
                for column in range(size):
                    place = (row + 1) * width + column + 1
                    for direction in range(2, 5):
                        beside = place + step_to(direction, width)
                        if board[place] != FREE or board[beside] != FREE:
                            continue
                        back = direction + 3 if direction < 3 else direction - 3
                        here, there = ring_of(board, place, width), ring_of(board, beside, width)
                        if dead_with(here, direction, colour) and dead_with(there, back, colour):
                            board[place] = colour
                            board[beside] = colour
                            cell = row * size + column
                            other = cell + 1 if direction == 2 else cell + size + 3 - direction
                            pair = union(one_cell(cell), one_cell(other))
                            put(captured, side, union(load(captured, side), pair))
                            changed = True


# ---- points: empty cells, chains by their first stone, and the two edges


@helper
def find_points(board, side: int, size: int, memory) -> int:
    """Find chains, anchors and who is beside whom; return the number of anchors.

    It is 0 if the side has connected its edges already. The edges are the points after the last
    cell; a chain that touches one is part of it.
    """
    near, point_of, n_links = memory[NEAR], memory[POINT_OF], memory[N_LINKS]
    anchors, anchor_of, queue = memory[ANCHORS], memory[ANCHOR_OF], memory[QUEUE]
    n_cells, width = size * size, size + 2
    point: Any
    row: Any
    column: Any
    colour = 1 << side
    for point in range(n_cells + 2):
        put(near, point, no_cells())
        anchor_of[point] = -1
        n_links[point] = 0
    for cell in range(n_cells):
        point_of[cell] = -1
    n_chains = 0
    for cell in range(n_cells):
        place = (cell // size + 1) * width + cell % size + 1
        if board[place] == FREE:
            point_of[cell] = cell
        if board[place] != colour or point_of[cell] >= 0:
            continue
        # All stones of the chain, in the order in which they are found.
        count, n, touches = 1, 0, 0
        queue[0] = cell
        point_of[cell] = cell
        while n < count:
            stone = np.int64(queue[n])
            n += 1
            row, column = stone // size, stone % size
            along = row if side == 0 else column
            if along == 0:
                touches |= 1
            if along == size - 1:
                touches |= 2
            place = (row + 1) * width + column + 1
            for direction in range(6):
                beside = place + step_to(direction, width)
                if board[beside] != colour:
                    continue
                row, column = beside // width - 1, beside % width - 1
                if row < 0 or row >= size or column < 0 or column >= size:
                    continue
                other = row * size + column
                if point_of[other] < 0:
                    point_of[other] = cell
                    queue[count] = other
                    count += 1
        if touches == 3:
            return 0
        if touches != 0:
            for n in range(count):
                point_of[queue[n]] = n_cells + touches - 1
        elif n_chains < MOST_ANCHORS - 2:
            anchors[n_chains] = cell
            anchor_of[cell] = n_chains
            n_chains += 1
    for edge in range(2):
        anchors[n_chains + edge] = n_cells + edge
        anchor_of[n_cells + edge] = n_chains + edge
    for cell in range(n_cells):
        if point_of[cell] < 0:
            continue
        row, column = cell // size, cell % size
        point = np.int64(point_of[cell])
        along = row if side == 0 else column
        for edge in range(2):
            if point < n_cells and along == edge * (size - 1):
                put_beside(near, point, n_cells + edge)
        for direction in range(2, 5):
            below = row + 1 if direction > 2 else row
            beside = column + 1 if direction == 2 else column + 3 - direction
            if below < size and 0 <= beside < size:
                other = np.int64(point_of[below * size + beside])
                if other >= 0 and other != point:
                    put_beside(near, point, other)
    return n_chains + 2


@helper
def put_beside(near, point: int, other: int) -> None:
    """Note that two points are neighbours."""
    put(near, point, union(load(near, point), one_cell(other)))
    put(near, other, union(load(near, other), one_cell(point)))


@helper
def free_cells(board, size: int):
    """The empty cells."""
    cells = no_cells()
    for cell in range(size * size):
        if board[(cell // size + 1) * (size + 2) + cell % size + 1] == FREE:
            cells = union(cells, one_cell(cell))
    return cells


@helper
def link_points(free, size: int, memory) -> None:
    """List for each point those beside it and those with two empty cells between: a bridge."""
    near, link_to, n_links = memory[NEAR], memory[LINK_TO], memory[N_LINKS]
    n_points = size * size + 2
    for point in range(n_points):
        mine = load(near, point)
        if is_empty(mine):
            continue
        shared = common(mine, free)
        for other in range(point + 1, n_points):
            between = common(shared, load(near, other))
            if meet(mine, one_cell(other)) or size_of(between) > 1:
                link_to[point, n_links[point]] = other
                link_to[other, n_links[other]] = point
                n_links[point] += 1
                n_links[other] += 1


# ---- plans


@helper
def add_full(full, n_full, point: int, carrier) -> bool:
    """Note a full plan to a point; whether it is new."""
    count = keep(full[point], n_full[point], N_FULL, carrier)
    if count < 0:
        return False
    n_full[point] = count
    return True


@helper
def add_half(half, n_half, full, n_full, point: int, most: int, carrier) -> bool:
    """Note a half plan to a point and the full ones that it completes; whether there are any."""
    for n in range(n_full[point]):
        if is_within(load(full[point], n), carrier):
            return False
    plans = half[point]
    count = keep(plans, n_half[point], most, carrier)
    if count < 0:
        return False
    n_half[point] = count
    completes = False
    shared, whole = carrier, carrier
    for n in range(count):
        plan = load(plans, n)
        if not meet(plan, carrier) and add_full(full, n_full, point, union(plan, carrier)):
            completes = True
        if not is_within(shared, plan):
            shared, whole = common(shared, plan), union(whole, plan)
            if is_empty(shared):
                if add_full(full, n_full, point, whole):
                    completes = True
                shared, whole = carrier, carrier
    return completes


@helper
def enqueue(memory, tail: int, point: int) -> int:
    """Put a point into the queue, unless it waits there; the new end of the queue."""
    queue, queued = memory[QUEUE], memory[QUEUED]
    if queued[point]:
        return tail
    queued[point] = True
    queue[tail] = point
    return tail + 1 if tail + 1 < queue.shape[0] else 0


@helper
def bridge(near, free, point: int, other: int, taken):
    """Two empty cells beside both points, and not taken; no cells where there are not two."""
    between = without(common(common(load(near, point), load(near, other)), free), taken)
    first = first_of(between)
    second = first_of(without(between, first))
    return no_cells() if is_empty(second) else union(first, second)


@helper
def connect_anchor(index: int, free, n_cells: int, most_cells: int, memory) -> None:
    """Find plans from an anchor to all points, given those of the anchors before it."""
    near, link_to, n_links = memory[NEAR], memory[LINK_TO], memory[N_LINKS]
    anchors, anchor_of = memory[ANCHORS], memory[ANCHOR_OF]
    full_of, n_full_of = memory[FULL], memory[FULL_COUNTS]
    half, n_half = memory[HALF], memory[HALF_COUNTS]
    queue, queued = memory[QUEUE], memory[QUEUED]
    full, n_full = full_of[index], n_full_of[index]
    point: Any
    other: Any
    anchor = np.int64(anchors[index])
    for point in range(n_cells + 2):
        n_full[point] = 0
        n_half[point] = 0
        queued[point] = False
    head, tail = 0, 0
    for k in range(n_links[anchor]):
        other = np.int64(link_to[anchor, k])
        between = no_cells()
        if not meet(load(near, anchor), one_cell(other)):
            between = bridge(near, free, anchor, other, no_cells())
        if add_full(full, n_full, other, between):
            tail = enqueue(memory, tail, other)
    for done in range(index):
        other = np.int64(anchors[done])
        for n in range(n_full_of[done, anchor]):
            if add_full(full, n_full, other, load(full_of[done, anchor], n)):
                tail = enqueue(memory, tail, other)
    while head != tail:
        point = np.int64(queue[head])
        head = head + 1 if head + 1 < queue.shape[0] else 0
        queued[point] = False
        if point >= n_cells:
            continue  # nothing leads on through an edge
        bit = one_cell(point)
        is_stone = not meet(bit, free)
        known = np.int64(anchor_of[point])
        if is_stone and 0 <= known < index:
            # And: on from a chain by any of its plans.
            for other in range(n_cells + 2):
                if n_full_of[known, other] == 0 or other in (anchor, point):
                    continue
                for n in range(n_full[point]):
                    carrier = load(full[point], n)
                    if meet(carrier, one_cell(other)):
                        continue
                    for m in range(n_full_of[known, other]):
                        further = load(full_of[known, other], m)
                        if meet(carrier, further):
                            continue
                        further = union(carrier, further)
                        if size_of(further) <= most_cells and add_full(
                            full, n_full, other, further
                        ):
                            tail = enqueue(memory, tail, other)
            continue
        for k in range(n_links[point]):
            other = np.int64(link_to[point, k])
            if other == anchor or (not is_stone and 0 <= anchor_of[other] < index):
                continue
            other_bit = one_cell(other)
            adjacent = meet(load(near, point), other_bit)
            for n in range(n_full[point]):
                carrier = load(full[point], n)
                if meet(carrier, other_bit):
                    continue
                if not adjacent:
                    between = bridge(near, free, point, other, carrier)
                    if is_empty(between):
                        continue
                    carrier = union(carrier, between)
                if is_stone:
                    if size_of(carrier) <= most_cells and add_full(full, n_full, other, carrier):
                        tail = enqueue(memory, tail, other)
                    continue
                carrier = union(carrier, bit)
                if size_of(carrier) <= most_cells and add_half(
                    half, n_half, full, n_full, other, N_HALF, carrier
                ):
                    tail = enqueue(memory, tail, other)
        if is_stone:
            continue
        # And: an empty cell between this anchor and one before it, by any of their plans.
        for done in range(index):
            other = np.int64(anchors[done])
            most = N_WINS if other >= n_cells else N_HALF
            for m in range(n_full_of[done, point]):
                further = load(full_of[done, point], m)
                for n in range(n_full[point]):
                    carrier = load(full[point], n)
                    if meet(carrier, further):
                        continue
                    carrier = union(union(carrier, further), bit)
                    if size_of(carrier) <= most_cells and add_half(
                        half, n_half, full, n_full, other, most, carrier
                    ):
                        tail = enqueue(memory, tail, other)
    for done in range(index):
        other = np.int64(anchors[done])
        for n in range(n_full[other]):
            add_full(full_of[done], n_full_of[done], anchor, load(full[other], n))


@helper
def connect_side(board, side: int, size: int, memory) -> int:
    """Find the plans of one side on a filled board: CONNECTED if its stones join both edges."""
    n_anchors = find_points(board, side, size, memory)
    if n_anchors == 0:
        return CONNECTED
    free = free_cells(board, size)
    link_points(free, size, memory)
    n_cells = size * size
    for index in range(n_anchors):
        most_cells = MOST_CELLS if index < n_anchors - 2 else n_cells
        connect_anchor(index, free, n_cells, most_cells, memory)
    memory[N_ANCHORS][0] = n_anchors
    return OPEN


MEMORY = (
    "Tuple((uint64[:,::1], int16[::1], int16[:,::1], int16[::1], int16[::1], int16[::1],"
    " uint64[:,:,:,::1], int16[:,::1], uint64[:,:,::1], int16[::1], int64[::1], int16[::1],"
    " boolean[::1]))"
)
"""The type of what `new_memory` makes."""


def new_memory(size: int) -> tuple[NDArray[Any], ...]:
    """The arrays that plans of one side are found in."""
    n_points = size * size + 2
    return (
        np.zeros((n_points, WORDS), np.uint64),  # the points beside each point
        np.zeros(size * size, np.int16),  # the point of each cell, or -1
        np.zeros((n_points, n_points), np.int16),  # points that are beside or a bridge away
        np.zeros(n_points, np.int16),  # how many these are
        np.zeros(MOST_ANCHORS, np.int16),  # the points of anchors
        np.zeros(n_points, np.int16),  # the number of the anchor of a point, or -1
        np.zeros((MOST_ANCHORS, n_points, N_FULL, WORDS), np.uint64),  # full plans
        np.zeros((MOST_ANCHORS, n_points), np.int16),
        np.zeros((n_points, N_WINS, WORDS), np.uint64),  # half plans of the last anchor
        np.zeros(n_points, np.int16),
        np.zeros(1, np.int64),  # how many anchors there are
        np.zeros(n_points + 1, np.int16),  # a queue of points
        np.zeros(n_points, np.bool_),  # which points wait there
    )


@kernel(f"UniTuple(int64, 2)(uint64[:,::1], int64, int8[::1], uint64[:,::1], {MEMORY}, {MEMORY})")
def find_plans(stones, size: int, board, captured, red, blue) -> tuple[int, int]:
    """Fill in a board and find the plans of both sides; whether either has connected already."""
    lay_out(stones, size, board)
    fill_in(board, size, captured)
    first = connect_side(board, 0, size, red)
    return first, connect_side(board, 1, size, blue)


@kernel(f"int64(uint64[:,::1], int64, int64, uint64[:,::1], int8[::1], {MEMORY})")
def find_plans_within(stones, size: int, side: int, cells, board, memory) -> int:
    """Find the plans of a side that need only some cells, the first row of `cells`.

    Those of the second row count as its stones, and the other side has every other empty cell.
    CONNECTED if the side's stones join both edges.
    """
    lay_out(stones, size, board)
    inside, filled = load(cells, 0), load(cells, 1)
    for cell in range(size * size):
        place = (cell // size + 1) * (size + 2) + cell % size + 1
        if board[place] == FREE and meet(filled, one_cell(cell)):
            board[place] = 1 << side
        elif board[place] == FREE and not meet(inside, one_cell(cell)):
            board[place] = 2 >> side
    return connect_side(board, side, size, memory)
