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
        "turn": int(to_move == colour),
    }
