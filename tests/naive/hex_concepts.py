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
