"""Ladders, nets, and life and death in Go, read slowly from whole boards of letters (`naive.go`).

A position is lines of letters, the side to move, and the point that the ko rule forbids.
"""

from naive.go import OTHER, around, is_eye, put, same


def liberties(lines, y, x):
    return {
        p for v, u in same(lines, y, x) for p in around(lines, v, u) if lines[p[0]][p[1]] == "."
    }


def played(lines, side, point, ko=None):
    """The board after a stone and the point that is forbidden then; None if it is not legal."""
    y, x = point
    if lines[y][x] != "." or point == ko:
        return None
    after, taken, lost = put(lines, side, y, x)
    if lost:
        return None
    forbidden = None
    if taken == 1 and len(same(after, y, x)) == 1 and len(liberties(after, y, x)) == 1:
        [forbidden] = liberties(after, y, x)
    return after, forbidden


def takings(lines, y, x):
    """The points that take a chain in atari beside the chain of a stone."""
    enemy = OTHER[lines[y][x]]
    beside = {p for v, u in same(lines, y, x) for p in around(lines, v, u)}
    found = set()
    for v, u in beside:
        if lines[v][u] == enemy and len(liberties(lines, v, u)) == 1:
            found |= liberties(lines, v, u)
    return found


def is_laddered(lines, y, x, side, ko=None):
    """Whether a chain is captured by one atari after the other."""
    free, runner = liberties(lines, y, x), lines[y][x]
    if side != runner:
        if len(free) > 2:
            return False
        tries = [played(lines, side, point, ko) for point in free]
        if len(free) == 1:
            return tries[0] is not None
        return any(is_laddered(t[0], y, x, runner, t[1]) for t in tries if t is not None)
    if len(free) > 1:
        return False
    tries = [played(lines, side, point, ko) for point in free | takings(lines, y, x)]
    return all(is_laddered(t[0], y, x, OTHER[side], t[1]) for t in tries if t is not None)


def catches(lines, y, x, point, ko=None):
    """Whether a move of the other side catches a chain in a net."""
    runner = lines[y][x]
    after = played(lines, OTHER[runner], point, ko)
    if after is None:
        return False
    net, ko = after
    free = liberties(net, y, x)
    if len(free) > 4:
        return False
    steps = free | takings(net, y, x)
    beside = {p for v, u in free for p in around(net, v, u)}
    steps |= {p for p in beside if net[p[0]][p[1]] == "."}
    # A chain that it may join may be made stronger first.
    friends = {p for p in beside if net[p[0]][p[1]] == runner}
    steps |= {step for friend in friends for step in liberties(net, *friend)}
    tries = [played(net, runner, step, ko) for step in steps]
    return all(is_laddered(t[0], y, x, OTHER[runner], t[1]) for t in tries if t is not None)


# ---- captures


def is_captured(lines, y, x, side, left, ko=None, is_first=True):
    """Whether a chain is captured within so many moves; a ladder may follow these."""
    runner, free = lines[y][x], liberties(lines, y, x)
    attacks = side != runner
    if attacks and len(free) == 1:
        taken = played(lines, side, min(free), ko)
        if taken is not None:
            return stays_taken(lines, taken, min(free), side)
    if left <= 0:
        return len(free) <= (2 if attacks else 1) and is_laddered(lines, y, x, side, ko)
    stones = (left + 1) // 2 if attacks else left // 2
    if (attacks and len(free) >= 5) or len(free) > max(stones, 2):
        return False
    free = {point for point in free if played(lines, side, point, ko) is not None}
    beside = {p for v, u in free for p in around(lines, v, u)}
    near = {p for p in beside if lines[p[0]][p[1]] == "."}
    if attacks:
        tries = free | near | (answers(lines, side) if is_first else set())
    else:
        tries = free | takings(lines, y, x)
        if len(liberties(lines, y, x)) > 1:
            tries |= near | threats(lines, y, x)
            own = same(lines, y, x)
            joined = {p for p in beside if lines[p[0]][p[1]] == runner and p not in own}
            tries |= {point for v, u in joined for point in liberties(lines, v, u)}
            if not is_captured(lines, y, x, OTHER[side], left - 1, None, False):
                return False
    after = [played(lines, side, point, ko) for point in tries]
    results = (
        one[0][y][x] != runner or is_captured(one[0], y, x, OTHER[side], left - 1, one[1], False)
        for one in after
        if one is not None
    )
    return any(results) if attacks else all(results)


def stays_taken(lines, taken, point, side):
    """Whether a capture is no ko, and at least as many stones are not taken back at once."""
    after, ko = taken
    if ko is not None:
        return False
    chain, free = same(after, *point), liberties(after, *point)
    stones = sum(row.count(OTHER[side]) for row in lines)
    gone = stones - sum(row.count(OTHER[side]) for row in after)
    if len(free) > 1 or len(chain) < gone:
        return True
    return played(after, OTHER[side], min(free)) is None


def answers(lines, side):
    """What gets chains of a side out of atari."""
    found = set()
    for y, line in enumerate(lines):
        for x, what in enumerate(line):
            if what == side and len(liberties(lines, y, x)) == 1:
                found |= liberties(lines, y, x) | takings(lines, y, x)
    return found


def threats(lines, y, x):
    """The liberties of chains of two liberties beside the chain of a stone."""
    beside = {p for v, u in same(lines, y, x) for p in around(lines, v, u)}
    enemies = [p for p in beside if lines[p[0]][p[1]] == OTHER[lines[y][x]]]
    weak = [p for p in enemies if len(liberties(lines, *p)) == 2]
    return {point for p in weak for point in liberties(lines, *p)}


# ---- life and death


def local_points(lines, y, x):
    """The points on which the life of a chain hangs: empty ones, and stones that may be taken."""
    own, enemy = lines[y][x], OTHER[lines[y][x]]
    friends, local = set(same(lines, y, x)), set()
    while True:
        before = len(local), len(friends)
        local |= {p for stone in friends for p in liberties(lines, *stone)}
        for point in list(local):
            if lines[point[0]][point[1]] == ".":
                local |= set(same(lines, *point))
        for v, u in [p for point in local for p in around(lines, *point)]:
            if lines[v][u] == enemy and liberties(lines, v, u) <= local:
                local |= set(same(lines, v, u))
        for v, u in [p for point in local for p in around(lines, *point)]:
            if lines[v][u] == own:
                friends |= set(same(lines, v, u))
        if (len(local), len(friends)) == before:
            return local


def survives(lines, y, x, own, side, local, ko=None, passes=0, path=()):
    """Whether the chain of a stone is there in the end, if both sides play locally or pass."""
    if lines[y][x] != own:
        return False
    if passes == 2:
        return True
    here = (tuple(map(tuple, lines)), side, ko)
    if passes == 0 and here in path:
        return side == own  # the other side brought it about, and may not
    path = (*path, here)
    options = [(None, lines, None)]
    for point in sorted(local):
        after = played(lines, side, point, ko)
        if after is not None and not (side == own and is_eye(lines, own, *point)):
            options.append((point, *after))
    results = (
        survives(
            after, y, x, own, OTHER[side], local, forbidden, passes + 1 if p is None else 0, path
        )
        for p, after, forbidden in options
    )
    return any(results) if side == own else all(results)


def life(lines, y, x):
    """ "dead", "unsettled" or "alive"."""
    own, local = lines[y][x], local_points(lines, y, x)
    if not survives(lines, y, x, own, own, local):
        return "dead"
    return "alive" if survives(lines, y, x, own, OTHER[own], local) else "unsettled"


# ---- eyes


def eye_of(lines, y, x):
    """Whose eye an empty point is and whether it is real; None if it is none."""
    colours = {lines[v][u] for v, u in around(lines, y, x)}
    if lines[y][x] != "." or len(colours) != 1 or colours == {"."}:
        return None
    [colour] = colours
    return colour, is_eye(lines, colour, y, x)
