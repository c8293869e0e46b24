"""The concepts of Go counted slowly on boards of letters, given what becomes of chains.

`status` says of every stone "lost", "threatened", "alive" or nothing.
"""

from naive.go import around, is_eye, same
from naive.go_tactics import liberties

OTHER = {"b": "w", "w": "b"}


def points_of(lines):
    return [(y, x) for y in range(len(lines)) for x in range(len(lines))]


def standing(lines, status):
    """The board without lost stones."""
    size = len(lines)
    return [
        ["." if status.get((y, x)) == "lost" else lines[y][x] for x in range(size)]
        for y in range(size)
    ]


def distances(board, colour):
    """The steps from every empty point to the nearest stone of a colour, over empty points."""
    found = {(y, x): 0 for y, x in points_of(board) if board[y][x] == colour}
    front, steps = set(found), 0
    while front:
        steps += 1
        front = {
            p
            for y, x in front
            for p in around(board, y, x)
            if board[p[0]][p[1]] == "." and p not in found
        }
        found |= dict.fromkeys(front, steps)
    return found


def groups(board, colour):
    """Stones and empty points nearer to them, connected."""
    own, other = distances(board, colour), distances(board, OTHER[colour])
    joined = {p for p in own if board[p[0]][p[1]] == colour or own[p] < other.get(p, 99)}
    found = []
    while joined:
        group, waiting = set(), [joined.pop()]
        while waiting:
            y, x = waiting.pop()
            group.add((y, x))
            near = set(around(board, y, x)) & joined
            joined -= near
            waiting += near
        found.append(group)
    return found


def with_races(lines, status, to_move):
    """The status of every stone after races: "dead" chains stand if they touch a dead one of the
    other side with fewer liberties (or as many, if it is their turn), one of which they do not
    share; else they are lost."""
    found = dict(status)
    for y, x in points_of(lines):
        if status.get((y, x)) != "dead":
            continue
        chain, own = same(lines, y, x), lines[y][x]
        rivals = {
            p for v, u in chain for p in around(lines, v, u)
            if lines[p[0]][p[1]] == OTHER[own] and status.get(p) == "dead"
        }  # fmt: skip
        ours = set(liberties(lines, y, x))
        outside = [p for p in rivals if set(liberties(lines, *p)) - ours]
        first = len(ours) + (to_move == own)
        wins = any(len(liberties(lines, *p)) < first for p in outside)
        found[y, x] = "" if wins else "lost"
    return found


def influence(board, colour):
    """The points at which the stones of a colour, halved with each step, outweigh the others."""
    stones = [(y, x) for y, x in points_of(board) if board[y][x] != "."]
    n = 0
    for v, u in points_of(board):
        felt = 0
        for y, x in stones:
            steps = abs(y - v) + abs(x - u)
            weight = 256 // 2**steps if steps <= 8 else 0
            felt += weight if board[y][x] == colour else -weight
        n += felt > 25
    return n


def kept_tenths(board, status, colour):
    """Ten times the points of groups of a colour that it is likely to keep."""
    own, other = distances(board, colour), distances(board, OTHER[colour])
    total = 0
    for group in groups(board, colour):
        border = {
            p for y, x in group for p in around(board, y, x)
            if board[p[0]][p[1]] == "." and own[p] == other.get(p)
        }  # fmt: skip
        empty = [(y, x) for y, x in group if board[y][x] == "."]
        room = len(empty) + len(border)
        tenths = next((t for most, t in ((2, 1), (5, 3), (8, 5), (12, 7)) if room <= most), 9)
        if any(status.get(p) == "alive" for p in group - set(empty)):
            tenths = 10
        total += tenths * len(group)
    return total


def strength(board, status, group, colour):
    """The empty points of a group and those beside it that are as near to the other side."""
    own, other = distances(board, colour), distances(board, OTHER[colour])
    empty = {(y, x) for y, x in group if board[y][x] == "."}
    border = {
        p for y, x in group for p in around(board, y, x)
        if board[p[0]][p[1]] == "." and own[p] == other.get(p)
    }  # fmt: skip
    lives = any(status.get(p) == "alive" for p in group - empty)
    return len(empty) + len(border) + 100 * lives


def lead(board, colour):
    """The points nearer to a colour."""
    own, other = distances(board, colour), distances(board, OTHER[colour])
    return sum(own.get(p, 99) < other.get(p, 99) for p in points_of(board))


def without_weak_groups(board, status, to_move):
    """The board after the weakest group went, again and again, while there are weak ones."""
    board = [list(row) for row in board]
    while True:
        found = []
        for colour in "bw":
            for group in groups(board, colour):
                stones = sorted((y, x) for y, x in group if board[y][x] == colour)
                points = strength(board, status, group, colour)
                if points <= (5 if colour == to_move else 6):
                    found.append((points + 1.5 * (colour == to_move), stones))
        if not found or len({stone for row in board for stone in row} - {"."}) < 2:
            return board
        for y, x in min(found)[1]:
            board[y][x] = "."


def attacked(board, status, colour):
    """The stones of groups that are weaker than every group of the other side near them."""
    ours, theirs = groups(board, colour), groups(board, OTHER[colour])
    nobodys = set(points_of(board)) - set().union(*ours, *theirs)
    n = 0
    for group in ours:
        beside = {p for y, x in group for p in around(board, y, x)}
        beside |= {p for y, x in beside & nobodys for p in around(board, y, x)}
        near = [strength(board, status, g, OTHER[colour]) for g in theirs if g & beside]
        own = strength(board, status, group, colour)
        if near and own < min(near) and own < 100:
            n += sum(board[y][x] == colour for y, x in group)
    return n


def threats(lines, status, colour):
    """The empty points at which a stone puts a standing chain in atari and is safe."""
    n = 0
    for p in points_of(lines):
        if lines[p[0]][p[1]] != ".":
            continue
        beside = list(around(lines, *p))
        empty = [q for q in beside if lines[q[0]][q[1]] == "."]
        friends = [q for q in beside if lines[q[0]][q[1]] == colour]
        others = [q for q in beside if lines[q[0]][q[1]] == OTHER[colour]]
        safe = len(empty) >= 2 or any(len(liberties(lines, *q)) >= 3 for q in friends)
        n += safe and any(
            len(liberties(lines, *q)) == 2 and status.get(q) != "lost" for q in others
        )
    return n


def largest_gain(lines, board, colour):
    """The most points by which a move near own stones moves the border."""
    own, other = distances(board, colour), distances(board, OTHER[colour])

    def sum_of(found):
        return sum(
            (found.get(p, 99) < other.get(p, 99)) - (found.get(p, 99) > other.get(p, 99))
            for p in points_of(board)
        )

    best = 0
    for y, x in points_of(lines):
        beside = {lines[v][u] for v, u in around(lines, y, x)}
        if lines[y][x] == "." and own.get((y, x), 99) <= 2 and beside & {".", colour}:
            placed = [list(row) for row in board]
            placed[y][x] = colour
            best = max(best, sum_of(distances(placed, colour)) - sum_of(own))
    return best


def counts(lines, status, colour, to_move, komi):
    """The numbers of a colour; `komi` are the points that it is given."""
    own = [(y, x) for y, x in points_of(lines) if lines[y][x] == colour]
    board = standing(lines, status)
    nearer, other = distances(board, colour), distances(board, OTHER[colour])
    stones = [(y, x) for y, x in own if board[y][x] == colour]
    enclosed = 0
    for y, x in points_of(board):
        if board[y][x] == ".":
            region = same(board, y, x)
            touched = {board[b][a] for v, u in region for b, a in around(board, v, u)} - {"."}
            enclosed += touched == {colour}
    rooms = []
    for group in groups(board, colour):
        members = [p for p in group if board[p[0]][p[1]] == colour]
        rooms.append((len(members), len(group) - len(members), members))
    weak = [
        (n, room) for n, room, members in rooms if all(status.get(p) != "alive" for p in members)
    ]
    theirs = 10 * sum(len(group) for group in groups(board, OTHER[colour]))
    theirs -= kept_tenths(board, status, OTHER[colour])
    likely = kept_tenths(board, status, colour) + theirs
    empty = [(y, x) for y, x in points_of(lines) if lines[y][x] == "."]
    cut = [
        p
        for p in empty
        if len({
            min(same(lines, v, u)) for v, u in around(lines, *p) if lines[v][u] == colour
        }) > 1
    ]  # fmt: skip
    return {
        "open": 10 * len(empty) // len(lines) ** 2,
        "area": komi + sum(nearer.get(p, 99) < other.get(p, 99) for p in points_of(lines)),
        "influence": komi + influence(board, colour),
        "likely area": komi + (likely + 5) // 10,
        "sure area": komi + len(stones) + enclosed,
        "stones": len(own),
        "atari": sum(len(liberties(lines, *p)) <= 1 for p in own),
        "two liberties": sum(len(liberties(lines, *p)) <= 2 for p in own),
        "three liberties": sum(len(liberties(lines, *p)) <= 3 for p in own),
        "groups": len(rooms),
        "no room": sum(n for n, room in weak if room <= 3),
        "little room": sum(n for n, room in weak if room <= 7),
        "lost": sum(status.get(p) == "lost" for p in own),
        "threatened": sum(status.get(p) == "threatened" for p in own),
        "alive": sum(status.get(p) == "alive" for p in own),
        "eyes": sum(is_eye(lines, colour, *p) for p in empty),
        "cuts": len(cut),
        "strong area": komi + lead(without_weak_groups(board, status, to_move), colour),
        "attacked": attacked(board, status, colour),
        "sente": threats(lines, status, colour),
        "endgame": largest_gain(lines, board, colour),
        "first line": sum({0, len(lines) - 1} & set(p) != set() for p in stones),
        "turn": int(to_move == colour),
    }
