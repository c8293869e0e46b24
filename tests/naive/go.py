"""Go from its rules, slowly: lists of letters, and every question answered from the whole board.

The steps of a play are those of the rules: put the stone; take off the enemy's chains that have no
liberty; take off one's own. Ko is told by comparing boards, not by looking at shapes.
"""

OTHER = {"b": "w", "w": "b"}


def from_bytes(board, size):
    """The lists of letters for a board of 0, 1 and 2."""
    return [[".bw"[board[y * size + x]] for x in range(size)] for y in range(size)]


def flat(lines):
    return "".join("".join(line) for line in lines)


def around(lines, y, x):
    size = len(lines)
    for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        if 0 <= y + dy < size and 0 <= x + dx < size:
            yield y + dy, x + dx


def same(lines, y, x):
    """All points connected to one through points that hold the same."""
    found = [(y, x)]
    for v, u in found:
        for b, a in around(lines, v, u):
            if lines[b][a] == lines[y][x] and (b, a) not in found:
                found.append((b, a))
    return found


def has_liberty(lines, y, x):
    return any(lines[b][a] == "." for v, u in same(lines, y, x) for b, a in around(lines, v, u))


def take_off(lines, colour):
    """Remove every chain of a colour that has no liberty; how many stones that were."""
    size = len(lines)
    dead = [
        (y, x)
        for y in range(size)
        for x in range(size)
        if lines[y][x] == colour and not has_liberty(lines, y, x)
    ]
    for y, x in dead:
        lines[y][x] = "."
    return len(dead)


def put(lines, colour, y, x):
    """The board after a stone, how many enemies it took, and how many of its own it lost."""
    after = [list(line) for line in lines]
    after[y][x] = colour
    taken = take_off(after, OTHER[colour])
    lost = take_off(after, colour)
    return after, taken, lost


def is_eye(lines, colour, y, x):
    """An empty point that playouts do not fill."""
    if lines[y][x] != "." or any(lines[b][a] != colour for b, a in around(lines, y, x)):
        return False
    size = len(lines)
    corners = [(y + 1, x + 1), (y + 1, x - 1), (y - 1, x + 1), (y - 1, x - 1)]
    on_board = [(b, a) for b, a in corners if 0 <= b < size and 0 <= a < size]
    enemies = sum(lines[b][a] == OTHER[colour] for b, a in on_board)
    return enemies <= (1 if len(on_board) == 4 else 0)


def owner(lines, y, x):
    """Whose a point is: the colour of its stone, or the only one its empty region touches."""
    if lines[y][x] != ".":
        return lines[y][x]
    touched = {lines[b][a] for v, u in same(lines, y, x) for b, a in around(lines, v, u)} - {"."}
    return touched.pop() if len(touched) == 1 else "."


def area(lines):
    """Black's points, and white's."""
    owners = [owner(lines, y, x) for y in range(len(lines)) for x in range(len(lines))]
    return owners.count("b"), owners.count("w")


class Game:
    """A game from the empty board on, with all its boards."""

    def __init__(self, size, superko=False, suicide=False):
        self.size, self.superko, self.suicide = size, superko, suicide
        self.boards = [[["."] * size for _ in range(size)]]
        self.side = "b"
        self.passes = 0
        self.taken = {"b": 0, "w": 0}

    @property
    def lines(self):
        return self.boards[-1]

    def is_legal(self, y, x):
        if self.lines[y][x] != ".":
            return False
        after, taken, lost = put(self.lines, self.side, y, x)
        if lost and not self.suicide:
            return False
        # Ko: a stone that takes may not bring back the board before the opponent's move.
        if taken and len(self.boards) > 1 and after == self.boards[-2]:
            return False
        return not (self.superko and after in self.boards)

    def legal(self):
        """The legal points as numbers, line by line from the top."""
        points = range(self.size**2)
        return [point for point in points if self.is_legal(*divmod(point, self.size))]

    def play(self, point):
        if point is None:
            self.boards.append(self.lines)
            self.passes += 1
        else:
            after, taken, lost = put(self.lines, self.side, *divmod(point, self.size))
            self.boards.append(after)
            self.taken[self.side] += taken
            self.taken[OTHER[self.side]] += lost
            self.passes = 0
        self.side = OTHER[self.side]
