"""The concepts of Hex by plain graphs, given which points are joined.

A board is a list of points: "first" and "second" for the edges, other points by their numbers, with
`free` those that are empty cells; `joined` are pairs of points.
"""

import math

import numpy as np

FAR = 40


def neighbours(joined, points):
    near = {point: set() for point in points}
    for one, two in joined:
        near[one].add(two)
        near[two].add(one)
    return near


def distances(start, stop, near, free):
    """The fewest empty cells on a path from an edge to each point, itself included."""
    found = {start: 0}
    changed = True
    while changed:
        changed = False
        for point, others in near.items():
            if point not in found or point == stop:
                continue
            for other in others:
                length = found[point] + (other in free)
                if length < found.get(other, FAR):
                    found[other] = length
                    changed = True
    return found


def second_distances(start, stop, near, free):
    """The same with the second-best of ways over empty cells, and the best over a stone.

    By definition: the smallest numbers such that each point has the least over its joined stones,
    or the second least over its joined empty cells, and one more if it is empty itself.
    """
    found = dict.fromkeys(near, FAR)
    found[start] = 0
    for _ in range(len(near) + 2):
        after = dict(found)
        for point, others in near.items():
            if point == start:
                continue
            values = sorted(found[o] for o in others if o in free)
            sure = [found[o] for o in others if o not in free and o != stop]
            best = min([*sure, *values[1:2], FAR])
            after[point] = min(best + (point in free), FAR)
        if after == found:
            break
        found = after
    return found


def flow(near, free, reached):
    """The current between the edges, by solving the equations of the circuit."""

    def resistance(point):
        return 1.0 if point in free else 0.1

    inner = [p for p in near if p not in ("first", "second") and p in reached]
    place = {point: n for n, point in enumerate(inner)}
    matrix, right = np.zeros((len(inner), len(inner))), np.zeros(len(inner))
    for point in inner:
        for other in near[point]:
            wire = 1 / (resistance(point) + resistance(other))
            matrix[place[point], place[point]] += wire
            if other in place:
                matrix[place[point], place[other]] -= wire
            elif other == "first":
                right[place[point]] += wire
    voltage = dict(zip(inner, np.linalg.solve(matrix, right), strict=True))
    voltage |= {"first": 1.0, "second": 0.0}
    return sum((1 - voltage[o]) / (resistance("first") + resistance(o)) for o in near["first"])


def flow_number(current):
    if current <= 1e-4:
        return 0.0
    return min(max(32 + 8 * math.log2(current), 0.0), 63.0)


def counts(joined, points, free, half):
    """Needs, ways, second way and the flow of a side that is not connected yet."""
    near = neighbours(joined, points)
    one = distances("first", "second", near, free)
    two = distances("second", "first", near, free)
    inner = [p for p in points if p in one and p in two and not isinstance(p, str)]
    lengths = {p: one[p] + two[p] - (p in free) for p in inner}
    least = min(lengths.values(), default=FAR)
    ways = sum(p in free for p in inner if lengths[p] == least)
    needs = 1 if half else max(least, 2)
    one_twice = second_distances("first", "second", near, free)
    two_twice = second_distances("second", "first", near, free)
    again = [
        one_twice[p] + two_twice[p] - (p in free)
        for p in points
        if not isinstance(p, str) and one_twice[p] < FAR and two_twice[p] < FAR
    ]
    return {
        "needs": needs,
        "ways": min(ways // max(least, 1), 24),
        "second way": max(min(again, default=FAR), needs),
        "flow": flow_number(flow(near, free, one)),
    }


# ---- ladders, by cells as (row, column)

STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))


def beside(cell):
    return {(cell[0] + row, cell[1] + column) for row, column in STEPS}


def ladder_steps(own, other, free, line_of, plans_of):
    """Every ladder as (steps, whether it has an escape), by following it cell by cell.

    `line_of(cell)` is 0 at the edge; `plans_of(cell)` are the carriers that connect a cell, or the
    chain of a stone, to the edge, and None if the stone touches it.
    """

    def below(cell):
        return {near for near in beside(cell) if line_of(near) == line_of(cell) - 1}

    def reaches(stone, gone, answered):
        plans = plans_of(stone)
        if plans is None or any(not plan & gone for plan in plans):
            return True
        chain, queue = {stone}, [stone]
        while queue:
            found = beside(queue.pop()) & own - chain
            chain |= found
            queue += found
        near = set().union(*map(beside, chain))
        for move in free - gone - answered:
            between = (near & beside(move) & free) - gone - answered
            if move in near:
                carriers = [set()]
            elif len(between) >= 2:
                carriers = [set(sorted(between)[:2])]
            else:
                continue
            for plan in plans_of(move) or []:
                if any(not plan & (gone | answered | carrier) for carrier in carriers):
                    return True
        return False

    def escapes(cell, behind, gone, answered):
        stones = [near for near in beside(cell) & own if near != behind and line_of(near) > 0]
        if any(reaches(stone, gone, answered) for stone in stones):
            return True
        for stone in own:
            between = beside(cell) & beside(stone)
            apart = stone not in beside(cell) and len(between) == 2 and line_of(stone) > 1
            apart = apart and behind not in between and between <= free
            if apart and reaches(stone, gone | between, answered):
                return True
        return False

    def follow(cell, threat, steps, gone):
        if cell not in free or threat in other or not on_board(threat):
            return steps, False
        if threat in own:
            return steps + 1, True
        # The cell behind is the one on the same line that is not beside the threat.
        same = {near for near in beside(cell) if line_of(near) == line_of(cell)}
        behind = next(near for near in same if near not in beside(threat))
        if escapes(cell, behind, gone, {threat}):
            return steps + 1, True
        ahead = next(near for near in same if near in beside(threat))
        after = next(iter(below(ahead) - {threat}))
        return follow(ahead, after, steps + 1, gone | {threat})

    def on_board(cell):
        return cell in own or cell in other or cell in free

    found = []
    for cell in free:
        if line_of(cell) != 1:
            continue
        for threat in below(cell):
            behind_below = next(iter(below(cell) - {threat}))
            same = {near for near in beside(cell) if line_of(near) == 1}
            ahead = next(near for near in same if near in beside(threat))
            stones = [n for n in beside(cell) & own if line_of(n) > 0 and n != ahead]
            if on_board(behind_below) and behind_below not in other:
                continue
            if stones and all(plans_of(stone) == [] for stone in stones):
                found.append(follow(cell, threat, 0, set()))
    return found
