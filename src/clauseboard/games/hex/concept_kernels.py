"""Counting the concepts of Hex for both sides of a board; `concepts.py` has their words.

All of them look at the board through `h_search.py`: two points are *joined* if they are neighbours,
a bridge apart, or if a plan connects them whatever the other side does. A path from edge to edge
goes from point to joined point, and costs a move for each empty cell on it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.games.hex import h_search
from clauseboard.games.hex.cell_sets import (
    LARGEST,
    WORDS,
    common,
    is_empty,
    load,
    meet,
    no_cells,
    one_cell,
    put,
    size_of,
    union,
)
from clauseboard.games.hex.h_search import (
    ANCHORS,
    CONNECTED,
    FREE,
    FULL,
    FULL_COUNTS,
    HALF,
    HALF_COUNTS,
    LINK_TO,
    MEMORY,
    N_ANCHORS,
    N_LINKS,
    NEAR,
    POINT_OF,
    QUEUE,
    QUEUED,
    find_plans,
)
from clauseboard.kernels.bits import count_ones
from clauseboard.kernels.compiler import helper, kernel

NAMES = (
    "open", "needs", "ways", "second way", "flow", "edges", "span", "threats", "answers", "free",
    "turn", "ladder", "escape", "both need",
)  # fmt: skip
OPEN_BOARD, NEEDS, WAYS, SECOND, FLOW, EDGES, SPAN, THREATS, ANSWERS, AT_EASE, TURN = range(11)
LADDER, ESCAPE, BOTH_NEED = range(11, 14)
N_CONCEPTS = len(NAMES)

FAR = 40
"""A distance where there is no way, and the number of answers where all are possible."""

MANY = 24
"""Ways beyond these are not counted."""

EVEN_FLOW, STEPS_A_DOUBLING = 32, 8
"""The number of a flow of 1, and how much is added where the flow doubles."""

FEWEST_STEPS = 2
"""What is shorter is no ladder."""

SWEEPS, RELAXATION = 24, 1.5
"""How long a circuit is worked out; see `flow_of`."""

STONE_RESISTANCE, CELL_RESISTANCE = 0.1, 1.0

WIRES = np.array(
    [
        1 / (2 * STONE_RESISTANCE),
        1 / (STONE_RESISTANCE + CELL_RESISTANCE),
        1 / (2 * CELL_RESISTANCE),
    ]
)
"""How well two points conduct of which none, one or both are empty cells."""

FIRST, SECOND_EDGE, FIRST_TWICE, SECOND_TWICE = range(4)
"""Rows of distances: from the first and from the second edge; and with two ways each."""

SCRATCH = (
    f"Tuple((int8[::1], uint64[:,::1], {MEMORY}, {MEMORY}, int64[:,:,::1], uint64[:,::1],"
    " float64[:,::1], int64[::1]))"
)
"""The type of what `new_scratch` makes."""
BOARD, CAPTURED, RED_PLANS, BLUE_PLANS, DISTANCES, JOINED, VOLTAGES, COSTS = range(8)


def new_scratch(size: int) -> tuple[Any, ...]:
    """Room to count in; next to none for boards that are too large for H-search."""
    size = size if size <= LARGEST else 1
    n_points = size * size + 2
    return (
        np.zeros((size + 2) ** 2, np.int8),  # the board with its frame
        np.zeros((2, WORDS), np.uint64),  # captured cells of both sides
        h_search.new_memory(size),
        h_search.new_memory(size),
        np.zeros((2, 4, n_points), np.int64),  # distances of both sides, see above
        np.zeros((n_points, WORDS), np.uint64),  # the points joined to each point
        np.zeros((2, n_points), np.float64),  # the voltages of both circuits
        np.zeros(n_points, np.int64),  # what a point costs: a move if it is an empty cell
    )


@helper
def write_costs(board, size: int, costs) -> None:
    """Write what each point costs: a move if it is an empty cell."""
    for row in range(size):
        for column in range(size):
            is_free = board[(row + 1) * (size + 2) + column + 1] == FREE
            costs[row * size + column] = 1 if is_free else 0
    costs[size * size] = 0
    costs[size * size + 1] = 0


@helper
def join_points(size: int, memory, joined) -> None:
    """Add the pairs that plans connect to the lists of neighbours and bridges."""
    link_to, n_links, anchors = memory[LINK_TO], memory[N_LINKS], memory[ANCHORS]
    n_points = size * size + 2
    for point in range(n_points):
        cells = no_cells()
        for k in range(n_links[point]):
            cells = union(cells, one_cell(np.int64(link_to[point, k])))
        put(joined, point, cells)
    for index in range(memory[N_ANCHORS][0]):
        anchor = np.int64(anchors[index])
        for point in range(n_points):
            if memory[FULL_COUNTS][index, point] == 0 or point == anchor:
                continue
            if not meet(load(joined, anchor), one_cell(point)):
                put(joined, anchor, union(load(joined, anchor), one_cell(point)))
                put(joined, point, union(load(joined, point), one_cell(anchor)))
                link_to[anchor, n_links[anchor]] = point
                link_to[point, n_links[point]] = anchor
                n_links[anchor] += 1
                n_links[point] += 1


@helper
def measure(costs, size: int, edge: int, memory, distance) -> None:
    """Write how many moves it takes to join each point to an edge, its own cell included."""
    link_to, n_links = memory[LINK_TO], memory[N_LINKS]
    queue, queued = memory[QUEUE], memory[QUEUED]
    n_cells = size * size
    start = n_cells + edge
    for other in range(n_cells + 2):
        distance[other] = FAR
        queued[other] = False
    distance[start] = 0
    head, tail = 0, h_search.enqueue(memory, 0, start)
    while head != tail:
        point: Any = np.int64(queue[head])
        head = head + 1 if head + 1 < queue.shape[0] else 0
        queued[point] = False
        if point >= n_cells and point != start:
            continue
        for k in range(n_links[point]):
            next_point: Any = np.int64(link_to[point, k])
            length = distance[point] + costs[next_point]
            if length < distance[next_point]:
                distance[next_point] = length
                tail = h_search.enqueue(memory, tail, next_point)


@helper
def measure_twice(costs, size: int, edge: int, memory, distance) -> None:
    """The same where the other side may take a cell each time: the second best way counts.

    What is joined to a stone is sure; of two empty cells that lead to a point one is sure.
    """
    link_to, n_links, counts = memory[LINK_TO], memory[N_LINKS], memory[QUEUE]
    done = memory[QUEUED]
    n_cells = size * size
    for point in range(n_cells + 2):
        distance[point] = FAR
        counts[point] = 0
        done[point] = False
    distance[n_cells + edge] = 0
    level, left = 0, 1
    while left > 0 and level < FAR:
        changed = True
        while changed:
            changed = False
            for point in range(n_cells + 2):
                if distance[point] != level or done[point]:
                    continue
                done[point] = True
                left -= 1
                changed = True
                if point == n_cells + 1 - edge:
                    continue
                for k in range(n_links[point]):
                    other: Any = np.int64(link_to[point, k])
                    counts[other] += 2 - costs[point]
                    if counts[other] >= 2 and level + costs[other] < distance[other]:
                        if distance[other] == FAR:
                            left += 1
                        distance[other] = level + costs[other]
        level += 1


@helper
def flow_of(costs, size: int, memory, distances, voltages) -> float:
    """The current through the board as a circuit, with a voltage of 1 between the edges.

    Joined points are wires; an empty cell resists more than a stone. The voltages begin with what
    the distances suggest, and each is moved beyond the mean of its neighbours (over-relaxation).
    """
    link_to, n_links = memory[LINK_TO], memory[N_LINKS]
    n_cells = size * size
    first, second = n_cells, n_cells + 1
    for point in range(n_cells):
        near, far = distances[FIRST, point], distances[SECOND_EDGE, point]
        voltages[point] = np.float64(far) / np.float64(max(near + far, 1))
    voltages[first] = 1.0
    voltages[second] = 0.0
    for _ in range(SWEEPS):
        for point in range(n_cells):
            if n_links[point] == 0 or distances[FIRST, point] >= FAR:
                continue
            total, weighted = 0.0, 0.0
            for k in range(n_links[point]):
                other: Any = np.int64(link_to[point, k])
                wire = WIRES[costs[point] + costs[other]]
                total += wire
                weighted += wire * voltages[other]
            voltages[point] += RELAXATION * (weighted / total - voltages[point])
    current = 0.0
    for k in range(n_links[first]):
        other = np.int64(link_to[first, k])
        current += (1.0 - voltages[other]) * WIRES[costs[other]]
    return current


@helper
def flow_number(current: float):
    """A flow as a number from 0 to 63, so that a lead says how many times as much it is."""
    if current <= 1e-4:
        return 0
    number = EVEN_FLOW + STEPS_A_DOUBLING * math.log2(current)
    return np.int64(min(max(math.floor(number + 0.5), 0.0), 63.0))


@helper
def groups_of(side: int, size: int, memory, labels, counts, at: int) -> None:
    """Count the edges and rows of the largest group: chains that are joined, with the edges.

    `labels` is room for a number for each point.
    """
    anchors, n_anchors = memory[ANCHORS], memory[N_ANCHORS][0]
    full_counts, point_of = memory[FULL_COUNTS], memory[POINT_OF]
    n_cells = size * size
    index: Any
    for index in range(n_anchors):
        labels[index] = index
    # Every pair of anchors that is joined gets one label; a pair of edges makes no group.
    changed = True
    while changed:
        changed = False
        for one in range(n_anchors - 2):
            for two in range(n_anchors):
                if full_counts[two, anchors[one]] == 0 and full_counts[one, anchors[two]] == 0:
                    continue
                # An edge has the label of its own, so that it does not join what it touches.
                if two < n_anchors - 2 and labels[one] != labels[two]:
                    lowest = min(labels[one], labels[two])
                    labels[one] = lowest
                    labels[two] = lowest
                    changed = True
    widest, most_edges = 0, 0
    for label in range(n_anchors):
        first, last, edges = size, -1, 0
        for edge in range(2):
            is_edge = label == n_anchors - 2 + edge
            for one in range(n_anchors - 2):
                joined_to = full_counts[n_anchors - 2 + edge, anchors[one]] > 0
                if labels[one] == label and joined_to:
                    is_edge = True
            if is_edge:
                edges |= 1 << edge
        for cell in range(n_cells):
            point: Any = np.int64(point_of[cell])
            if point < 0 or (point == cell and memory[h_search.ANCHOR_OF][cell] < 0):
                continue  # no stone of ours, or an empty cell
            index = np.int64(memory[h_search.ANCHOR_OF][point])
            if index >= 0 and labels[index] == label:
                along = cell // size if side == 0 else cell % size
                first, last = min(first, along), max(last, along)
        if last >= first:
            first = 0 if edges & 1 else first
            last = size - 1 if edges & 2 else last
            widest = max(widest, last - first + 1)
            most_edges = max(most_edges, 2 if edges == 3 else 1 if edges > 0 else 0)
    counts[at + EDGES] = most_edges
    counts[at + SPAN] = widest


# ---- ladders, and the cells that both sides need


@helper
def cell_at(size: int, side: int, edge: int, line: int, along: int) -> int:
    """The cell on a line from an edge (0: at the edge itself), or -1 beyond the board.

    The board is turned so that the two cells below (line, along) are at (line - 1, along) and
    (line - 1, along + 1), whichever edge it is.
    """
    if not (0 <= line < size and 0 <= along < size):
        return -1
    if edge == 1:
        line, along = size - 1 - line, size - 1 - along
    return line * size + along if side == 0 else along * size + line


@helper
def colour_at(board, size: int, cell: int):
    """What is on a cell of a laid-out board."""
    return np.int64(board[(cell // size + 1) * (size + 2) + cell % size + 1])


@helper
def reaches_edge(stone: int, board, size: int, side: int, edge: int, memory, taken, threat) -> bool:
    """Whether a cell has a stone of ours that reaches an edge without the taken cells.

    The other side has to answer a threat on another cell first. So it is enough that the stone is
    connected, or that a move connects it without the cell of that answer.
    """
    if stone < 0 or colour_at(board, size, stone) != 1 << side:
        return False
    n_cells = size * size
    point: Any = np.int64(memory[POINT_OF][stone])
    if point == n_cells + edge:
        return True
    index = memory[N_ANCHORS][0] - 2 + edge
    for n in range(memory[FULL_COUNTS][index, point]):
        if not meet(load(memory[FULL][index, point], n), taken):
            return True
    gone = union(taken, threat)
    free = h_search.free_cells(board, size)
    for k in range(memory[N_LINKS][point]):
        other: Any = np.int64(memory[LINK_TO][point, k])
        if not meet(one_cell(other), free) or meet(one_cell(other), gone):
            continue
        used = gone
        if not meet(load(memory[NEAR], point), one_cell(other)):
            between = h_search.bridge(memory[NEAR], free, point, other, gone)
            if is_empty(between):
                continue
            used = union(gone, between)
        for n in range(memory[FULL_COUNTS][index, other]):
            if not meet(load(memory[FULL][index, other], n), used):
                return True
    return False


@helper
def escape_from(
    board, size: int, side: int, edge: int, along: int, step: int, memory, taken, threat
) -> int:
    """The stone that a ladder's stone on the second line is joined to, and by it to the edge.

    -1 if there is none. `taken` are the cells at the edge that the other side has got by then, and
    `threat` is the one that it has to take next.
    """
    for n in range(3):
        stone = cell_at(size, side, edge, 2, along - n)
        if n == 2:
            stone = cell_at(size, side, edge, 1, along + step)
        if reaches_edge(stone, board, size, side, edge, memory, taken, threat):
            return stone
    for n in range(2):
        # A bridge away: ahead on the third line, and straight above on the fourth.
        stone = cell_at(size, side, edge, 3, along - 1)
        one = cell_at(size, side, edge, 2, along)
        two = cell_at(size, side, edge, 2, along - 1)
        if n == 0:
            stone = cell_at(size, side, edge, 2, along + (1 if step > 0 else -2))
            if step > 0:
                two = cell_at(size, side, edge, 1, along + 1)
            else:
                one = cell_at(size, side, edge, 1, along - 1)
        if one < 0 or two < 0:
            continue
        if colour_at(board, size, one) != FREE or colour_at(board, size, two) != FREE:
            continue
        between = union(one_cell(one), one_cell(two))
        used = union(taken, between)
        if reaches_edge(stone, board, size, side, edge, memory, used, threat):
            return stone
    return -1


@kernel(f"UniTuple(int64, 2)(int8[::1], int64, int64, int64, int64, int64, {MEMORY})")
def run_ladder(
    board, size: int, side: int, edge: int, start: int, step: int, memory
) -> tuple[int, int]:
    """The steps of a ladder on the second line from a place on, and the stone that it escapes to.

    Each step threatens to connect at the edge, and the other side has to answer there. 0 steps if
    no ladder begins there: a chain that is not connected to the edge yet must be beside the
    first cell, and the other side must have what is behind below it. -1 for no escape.
    """
    colour, other = 1 << side, 2 >> side
    first = cell_at(size, side, edge, 1, start)
    behind = cell_at(size, side, edge, 0, start if step > 0 else start + 1)
    if first < 0 or colour_at(board, size, first) != FREE:
        return 0, -1
    if behind >= 0 and colour_at(board, size, behind) != other:
        return 0, -1
    index = memory[N_ANCHORS][0] - 2 + edge
    begins = False
    for n in range(3):
        stone = cell_at(size, side, edge, 2, start - n)
        if n == 2:
            stone = cell_at(size, side, edge, 1, start - step)
        if stone < 0 or colour_at(board, size, stone) != colour:
            continue
        point: Any = np.int64(memory[POINT_OF][stone])
        if point == size * size + edge or memory[FULL_COUNTS][index, point] > 0:
            return 0, -1  # it is connected already
        begins = True
    if not begins:
        return 0, -1
    taken = no_cells()
    along, steps = start, 0
    while True:
        cell = cell_at(size, side, edge, 1, along)
        below = cell_at(size, side, edge, 0, along + 1 if step > 0 else along)
        if cell < 0 or below < 0 or colour_at(board, size, cell) != FREE:
            return steps, -1
        under = colour_at(board, size, below)
        if under == other:
            return steps, -1
        steps += 1
        if under == colour:
            return steps, below
        threat = one_cell(below)
        stone = escape_from(board, size, side, edge, along, step, memory, taken, threat)
        if stone >= 0:
            return steps, stone
        taken = union(taken, threat)
        along += step


@helper
def ladders_of(board, size: int, side: int, memory, counts, at: int) -> None:
    """Count the steps of the longest ladder of a side, and the ladders that have an escape."""
    longest, escapes = 0, 0
    for edge in range(2):
        for step in range(-1, 2, 2):
            escaped = False
            for start in range(size):
                steps, stone = run_ladder(board, size, side, edge, start, step, memory)
                if steps >= FEWEST_STEPS:
                    longest = max(longest, steps)
                    escaped = escaped or stone >= 0
            escapes += 1 if escaped else 0
    counts[at + LADDER] = longest
    counts[at + ESCAPE] = escapes


@helper
def shortest(costs, size: int, distances) -> int:
    """The fewest empty cells on a path from edge to edge; FAR where there is none."""
    least = FAR
    for point in range(size * size):
        if distances[FIRST, point] < FAR and distances[SECOND_EDGE, point] < FAR:
            length = distances[FIRST, point] + distances[SECOND_EDGE, point] - costs[point]
            least = min(least, length)
    return least


@helper
def needed_by_both(costs, size: int, distances) -> int:
    """How many empty cells are on shortest paths of both sides."""
    red = shortest(costs, size, distances[0])
    blue = shortest(costs, size, distances[1])
    if red >= FAR or blue >= FAR:
        return 0
    count = 0
    for point in range(size * size):
        mine = distances[0, FIRST, point] + distances[0, SECOND_EDGE, point] - 1
        theirs = distances[1, FIRST, point] + distances[1, SECOND_EDGE, point] - 1
        if costs[point] == 1 and mine == red and theirs == blue:
            count += 1
    return count


@helper
def count_side(side: int, connected: int, size: int, scratch, memory, counts, at: int) -> None:
    """Put the numbers of a side at a place of `counts`, but for its answers."""
    costs, distances, joined = scratch[COSTS], scratch[DISTANCES][side], scratch[JOINED]
    n_cells = size * size
    full: Any = 1
    if connected != CONNECTED:
        full = np.int64(memory[FULL_COUNTS][memory[N_ANCHORS][0] - 1, n_cells])
    if full > 0:
        counts[at + NEEDS] = 0
        counts[at + WAYS] = MANY
        counts[at + SECOND] = 0
        counts[at + FLOW] = 63
        counts[at + EDGES] = 2
        counts[at + SPAN] = size
        counts[at + THREATS] = MANY
        counts[at + LADDER] = 0
        counts[at + ESCAPE] = 0
        return
    ladders_of(scratch[BOARD], size, side, memory, counts, at)
    groups_of(side, size, memory, distances[FIRST], counts, at)
    join_points(size, memory, joined)
    counts[at + THREATS] = memory[HALF_COUNTS][n_cells]
    for edge in range(2):
        measure(costs, size, edge, memory, distances[edge])
    flow = flow_of(costs, size, memory, distances, scratch[VOLTAGES][side])
    counts[at + FLOW] = flow_number(flow)
    least, ways = FAR, 0
    for point in range(n_cells):
        if distances[FIRST, point] >= FAR or distances[SECOND_EDGE, point] >= FAR:
            continue
        length = distances[FIRST, point] + distances[SECOND_EDGE, point] - costs[point]
        if length < least:
            least, ways = length, 0
        if length == least:
            ways += costs[point]
    counts[at + WAYS] = min(ways // max(least, 1), MANY)
    # Plans that are in each other's way make a path of one move that is no plan.
    counts[at + NEEDS] = 1 if memory[HALF_COUNTS][n_cells] > 0 else max(least, 2)
    for edge in range(2):
        measure_twice(costs, size, edge, memory, distances[FIRST_TWICE + edge])
    least = FAR
    for point in range(n_cells):
        one, two = distances[FIRST_TWICE, point], distances[SECOND_TWICE, point]
        if one < FAR and two < FAR:
            least = min(least, one + two - costs[point])
    counts[at + SECOND] = max(least, counts[at + NEEDS])


@helper
def answers_to(connected: int, board, size: int, memory) -> int:
    """How many moves are left against a side's threats to connect; FAR if it has none."""
    n_cells = size * size
    if connected == CONNECTED or memory[FULL_COUNTS][memory[N_ANCHORS][0] - 1, n_cells] > 0:
        return 0
    if memory[HALF_COUNTS][n_cells] == 0:
        return FAR
    cells = h_search.free_cells(board, size)
    for n in range(memory[HALF_COUNTS][n_cells]):
        cells = common(cells, load(memory[HALF][n_cells], n))
    return min(size_of(cells), FAR)


@kernel(f"void(uint64[:,::1], int64, int64, {SCRATCH}, int64[::1])")
def count_concepts(stones, size: int, to_move: int, scratch, counts) -> None:
    """Fill `counts`: the numbers of red, then those of blue. `stones` has both sides' words."""
    board = scratch[BOARD]
    red, blue = find_plans(
        stones, size, board, scratch[CAPTURED], scratch[RED_PLANS], scratch[BLUE_PLANS]
    )
    write_costs(board, size, scratch[COSTS])
    total = 0
    for word in range(stones.shape[1]):
        total += count_ones(stones[0, word]) + count_ones(stones[1, word])
    for side in range(2):
        at = side * N_CONCEPTS
        counts[at + OPEN_BOARD] = 10 * (size * size - total) // (size * size)
        counts[at + TURN] = 1 if to_move == side else 0
    counts[ANSWERS] = answers_to(blue, board, size, scratch[BLUE_PLANS])
    counts[N_CONCEPTS + ANSWERS] = answers_to(red, board, size, scratch[RED_PLANS])
    for side in range(2):
        at = side * N_CONCEPTS
        counts[at + AT_EASE] = 1 if counts[at + ANSWERS] == FAR else 0
    count_side(0, red, size, scratch, scratch[RED_PLANS], counts, 0)
    count_side(1, blue, size, scratch, scratch[BLUE_PLANS], counts, N_CONCEPTS)
    both = 0
    if counts[NEEDS] > 0 and counts[N_CONCEPTS + NEEDS] > 0:
        both = min(needed_by_both(scratch[COSTS], size, scratch[DISTANCES]), MANY)
    counts[BOTH_NEED] = both
    counts[N_CONCEPTS + BOTH_NEED] = both


@kernel(f"void(uint64[:,:,::1], int64, int64[::1], {SCRATCH}, int64[:,::1])")
def count_boards(boards, size: int, sides, scratch, rows) -> None:
    """The numbers of each board, with this side to move."""
    for n in range(boards.shape[0]):
        count_concepts(boards[n], size, sides[n], scratch, rows[n])


def counted(boards: NDArray[np.uint64], sides: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """The numbers of boards: boards × sides × concepts."""
    rows = np.empty((len(boards), 2 * N_CONCEPTS), np.int64)
    count_boards(np.ascontiguousarray(boards), size, sides, new_scratch(size), rows)
    return rows.reshape(-1, 2, N_CONCEPTS)
