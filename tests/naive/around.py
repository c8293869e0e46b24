"""What is seen around a move, slowly: the names of the bits that are set, from positions alone."""

NEIGHBOURS = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)]


def way(down, right):
    words = []
    if down:
        words.append(f"{abs(down)} {'up' if down < 0 else 'down'}")
    if right:
        words.append(f"{abs(right)} {'left' if right < 0 else 'right'}")
    return " ".join(words)


# ---- Hex


def hex_board(position):
    """The cells with stones, as (row, column): "own" or "other", reflected if it is blue's turn."""
    size, board = position.game.size, {}
    for colour, stones in (("red", position.red), ("blue", position.blue)):
        for cell in range(size * size):
            if stones >> cell & 1:
                row, column = divmod(cell, size)
                place = (row, column) if position.to_move == "red" else (column, row)
                board[place] = "own" if colour == position.to_move else "other"
    return board


def hex_around(position, move):
    """The names of the bits that are set for a move of Hex."""
    if not hasattr(move, "row"):
        return {"swaps"}
    size, board = position.game.size, hex_board(position)
    red = position.to_move == "red"
    row, column = (move.row, move.column) if red else (move.column, move.row)

    def at(down, right):
        r, c = row + down, column + right
        in_rows, in_columns = r in range(size), c in range(size)
        if in_rows and in_columns:
            return board.get((r, c), "free")
        return "own" if in_columns else "other" if in_rows else "free"

    names = set()
    for down in range(-2, 3):
        for right in range(-2, 3):
            steps = max(abs(down), abs(right), abs(down + right))
            if steps in (1, 2) and at(down, right) != "free":
                who = "own stone" if at(down, right) == "own" else "other's stone"
                names.add(f"{who} {way(down, right)}")
    ring = [at(*step) for step in NEIGHBOURS]
    thrice = [(ring[k], ring[(k + 1) % 6], ring[(k + 2) % 6]) for k in range(6)]
    if ("own", "other", "own") in thrice:
        names.add("saves a bridge")
    if ("other", "free", "other") in thrice:
        names.add("breaks a bridge")
    bridges = 0
    for k in range(6):
        (a, b), (c, d) = NEIGHBOURS[k], NEIGHBOURS[(k + 1) % 6]
        if at(a + c, b + d) == "own" and ring[k] == ring[(k + 1) % 6] == "free":
            bridges += 1
    names |= {"makes a bridge"} if bridges else set()
    names |= {"makes two bridges"} if bridges > 1 else set()
    for who, many, one in (
        ("own", "joins own stones", "touches an own stone"),
        ("other", "cuts other's stones", "touches other's stone"),
    ):
        runs = sum(ring[k] == who and ring[k - 1] != who for k in range(6))
        names |= {many} if runs > 1 else set()
        names |= {one} if who in ring else set()
    for lines in range(1, 5):
        if row < lines or row >= size - lines:
            names.add(f"own edge within {lines}")
        if column < lines or column >= size - lines:
            names.add(f"other's edge within {lines}")
    if position.last is not None:
        down, right = move.row - position.last // size, move.column - position.last % size
        apart = max(abs(down), abs(right), abs(down + right))
        names |= {f"last move within {steps}" for steps in range(1, 5) if apart <= steps}
    return names


# ---- Go


def go_around(position, move):
    """The names of the bits that are set for a move of Go."""
    size = position.game.size
    last, before = position.last
    names = {"after a pass"} if last == size * size else set()
    if move.point is None:
        return names | {"passes"}
    mine, line, column = position.colour, *divmod(move.point, size)
    on_board = range(size)
    for down in range(-2, 3):
        for right in range(-2, 3):
            y, x = line + down, column + right
            if (down or right) and y in on_board and x in on_board:
                stone = position.board[y * size + x]
                if stone:
                    who = "own stone" if stone == mine else "other's stone"
                    names.add(f"{who} {way(down, right)}")
    for steps in (1, 2):
        for word, far in (
            ("up", line), ("left", column),
            ("down", size - 1 - line), ("right", size - 1 - column),
        ):  # fmt: skip
            if far == steps - 1:
                names.add(f"edge {steps} {word}")
    lowest = 1 + min(line, column, size - 1 - line, size - 1 - column)
    names |= {f"line {n} or lower" for n in range(1, 5) if lowest <= n}

    beside = [
        (y * size + x)
        for y, x in ((line - 1, column), (line + 1, column), (line, column - 1), (line, column + 1))
        if y in on_board and x in on_board
    ]
    friends = {position.chains[p] for p in beside if position.board[p] == mine}
    enemies = {position.chains[p] for p in beside if position.board[p] == 3 - mine}
    taken = 0
    for chain in enemies:
        if len(chain.liberties) == 1:
            taken += len(chain.stones)
            names |= {"takes a chain"} | ({"takes the last stone"} & last_of(chain, last, "takes"))
        elif len(chain.liberties) == 2:
            names |= {"threatens a chain"} | last_of(chain, last, "threatens")
    if taken > 1:
        names.add("takes two stones or more")
    surrounded = all(position.board[p] == 3 - mine for p in beside)
    if taken == 1 and surrounded:
        names.add("takes a ko")
    liberties = {p for p in beside if position.board[p] == 0}
    for chain in friends:
        liberties |= chain.liberties - {move.point}
    count = len(liberties) + (taken > 0)
    names |= {f"{n} liberties or more" for n in (2, 3, 4) if count >= n}
    if count >= 2 and any(len(chain.liberties) == 1 for chain in friends):
        names.add("saves a chain")
    if is_eye(position, line, column):
        names.add("fills an own eye")
    for word, code, limits in (
        ("last move", last, (2, 3, 4, 5, 6, 8)),
        ("move before", before, (2, 3, 4, 6)),
    ):
        if code is not None and code < size * size:
            y, x = abs(line - code // size), abs(column - code % size)
            names |= {f"{word} within {n}" for n in limits if y + x + max(y, x) <= n}
    return names


def last_of(chain, last, verb):
    return {f"{verb} the last stone"} if last in chain.stones else set()


def is_eye(position, line, column):
    size, mine = position.game.size, position.colour

    def at(y, x):
        return position.board[y * size + x] if y in range(size) and x in range(size) else None

    straight = [at(line - 1, column), at(line + 1, column), at(line, column - 1)]
    straight.append(at(line, column + 1))
    if any(stone not in (mine, None) for stone in straight):
        return False
    corners = [at(line + y, column + x) for y in (-1, 1) for x in (-1, 1)]
    return corners.count(3 - mine) + (None in corners) < 2
