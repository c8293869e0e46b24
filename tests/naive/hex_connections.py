"""Connections of Hex by plain sets: plans without bounds, and a check of each by playing it out.

Cells are (row, column); a board is two sets of stones. The edges of a side are "first" and
"second": top and bottom for red, left and right for blue.
"""

import functools
import itertools

STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))


def inside(cell, size):
    return 0 <= cell[0] < size and 0 <= cell[1] < size


def ring(cell):
    return [(cell[0] + down, cell[1] + right) for down, right in STEPS]


def choices(place, red, blue, size):
    """The colours that a place can have in the end; beyond the board, whose edge it is."""
    if not 0 <= place[0] < size:
        return "R"
    if not 0 <= place[1] < size:
        return "B"
    return "R" if place in red else "B" if place in blue else "RB"


def is_dead(cell, red, blue, size):
    """Whether no way to fill the places around a cell has four changes of colour."""
    ways = itertools.product(*(choices(place, red, blue, size) for place in ring(cell)))
    return all(sum(way[n] != way[n - 1] for n in range(6)) < 4 for way in ways)


def filled(red, blue, size):
    """Both sides' stones with dead and captured cells, and what each has captured."""
    sides, captured = (set(red), set(blue)), (set(), set())
    cells = [(row, column) for row in range(size) for column in range(size)]

    def free():
        return [cell for cell in cells if cell not in sides[0] | sides[1]]

    while True:
        dead = next((cell for cell in free() if is_dead(cell, *sides, size)), None)
        if dead is not None:
            sides[0].add(dead)
            continue
        before = captured[0] | captured[1]
        for side in range(2):
            for cell, n in itertools.product(cells, (2, 3, 4)):
                pair = {cell, ring(cell)[n]}
                if pair <= set(free()) and _captures(side, *pair, sides, size):
                    sides[side].update(pair)
                    captured[side].update(pair)
            if captured[0] | captured[1] != before:
                break
        else:
            return *sides, captured


def _captures(side, cell, other, sides, size):
    def dead_after(stone, beside):
        after = [set(stones) for stones in sides]
        after[side].add(stone)
        return is_dead(beside, *after, size)

    return dead_after(cell, other) and dead_after(other, cell)


# ---- plans


class Plans:
    """All plans of one side whose one end is a chain or an edge, by the rules of H-search.

    Points are frozensets: a chain, an empty cell, or an edge with the stones that touch it.
    """

    def __init__(self, own, other, side, size):
        self.size, self.side = size, side
        cells = {(row, column) for row in range(size) for column in range(size)}
        self.free = cells - set(own) - set(other)
        self.chains = chains_of(own)
        self.edges = [{"first"}, {"second"}]
        for chain in self.chains:
            for n, edge in enumerate(self.edges):
                if any(cell[side] == n * (size - 1) for cell in chain):
                    edge |= chain
        self.has_chain = bool(self.edges[0] & self.edges[1])
        touching = self.edges[0] | self.edges[1]
        self.edges = [frozenset(edge) for edge in self.edges]
        self.chains = [chain for chain in self.chains if not chain & touching]
        self.points = [*map(frozenset, ([c] for c in self.free)), *self.chains, *self.edges]
        self.near = {point: self._near(point) for point in self.points}
        if not self.has_chain:
            self._find()

    def _near(self, point):
        cells = {n for cell in point if not isinstance(cell, str) for n in ring(cell)}
        for n, name in enumerate(("first", "second")):
            if name in point:
                ends = [cell for cell in self.free if cell[self.side] == n * (self.size - 1)]
                cells |= set(ends)
        return cells & self.free

    def beside(self, a, b):
        return bool(a & self.near[b] or b & self.near[a])

    def _find(self):
        """Repeat both rules until nothing is new; only the smallest carriers are kept."""
        anchors = [*self.chains, *self.edges]
        self.full = {(a, b): set() for a in self.points for b in self.points if a != b}
        self.half = {(a, b): set() for a in anchors for b in self.points if a != b}
        for a, b in self.full:
            between = sorted(self.near[a] & self.near[b])
            if self.beside(a, b):
                self.full[a, b] = {frozenset()}
            else:
                self.full[a, b] = {frozenset(pair) for pair in itertools.combinations(between, 2)}
        changed = True
        while changed:
            changed = False
            for a in anchors:
                for middle in self.points:
                    if middle == a or middle in self.edges:
                        continue
                    for b in self.points:
                        if b not in (a, middle) and self._and(a, middle, b):
                            changed = True
                for b in self.points:
                    if b != a and self._or(a, b):
                        changed = True

    def _and(self, a, middle, b):
        is_empty = middle <= self.free
        changed = False
        for one in list(self.full[a, middle]):
            for two in list(self.full[middle, b]):
                if one & two or (one | two) & (a | b) or one & b:
                    continue
                kind = self.half if is_empty else self.full
                carrier = one | two | middle if is_empty else one | two
                if not is_empty and b in [frozenset([c]) for c in carrier]:
                    continue
                changed |= self._add(kind, a, b, carrier)
        return changed

    def _or(self, a, b):
        changed = False
        plans = list(self.half[a, b])
        unions = {(plan, plan) for plan in plans}
        found = set()
        # Every way to add plans that make the common part smaller.
        while unions:
            nearer = set()
            for shared, whole in unions:
                for plan in plans:
                    if not shared <= plan:
                        if shared & plan:
                            nearer.add((shared & plan, whole | plan))
                        else:
                            found.add(whole | plan)
            unions = nearer
        for carrier in found:
            changed |= self._add(self.full, a, b, carrier)
        return changed

    def _add(self, kind, a, b, carrier):
        changed = False
        for pair in ((a, b), (b, a)):
            if pair not in kind:
                continue
            if any(smaller <= carrier for smaller in kind[pair]):
                continue
            kind[pair] = {c for c in kind[pair] if not carrier <= c} | {carrier}
            changed = True
        return changed

    @property
    def wins(self):
        """Whether the side connects its edges as the second to move, and as the first."""
        if self.has_chain:
            return True, True
        pair = tuple(self.edges)
        return bool(self.full[pair]), bool(self.full[pair] or self.half[pair])


def chains_of(stones):
    left, chains = set(stones), []
    while left:
        front = {left.pop()}
        chain = set(front)
        while front:
            front = {n for cell in front for n in ring(cell)} & left
            left -= front
            chain |= front
        chains.append(frozenset(chain))
    return chains


# ---- a plan played out


def holds(own, carrier, ends, side, size, own_first):
    """Whether a side joins two ends within a carrier, as the first or the second to move.

    The other side has every cell outside the carrier. An end is a set of cells, or "first" or
    "second" for an edge.
    """

    def reaches(stones):
        start, goal = ends
        front = {cell for cell in stones if belongs(cell, start)}
        seen = set(front)
        while front:
            if any(belongs(cell, goal) for cell in front):
                return True
            front = {n for cell in front for n in ring(cell)} & stones - seen
            seen |= front
        return False

    def belongs(cell, end):
        if isinstance(end, str):
            return cell[side] == (0 if end == "first" else size - 1)
        return cell in end

    @functools.cache
    def wins(mine, left, to_move):
        if reaches(frozenset(own) | mine):
            return True
        if not left:
            return False
        if to_move:
            return any(wins(mine | {cell}, left - {cell}, False) for cell in left)
        return all(wins(mine, left - {cell}, True) for cell in left)

    # Not to move in the carrier is never better than to move there.
    return wins(frozenset(), frozenset(carrier), own_first)
