"""How well ladders and life and death are read in Go, on positions whose answer is known.

python benchmarks/go_reading.py --out benchmarks/results/go-reading.json

Ladders: the usual shape at a place drawn at random on 9x9, 13x13 or 19x19, turned, reflected and
with either colour running. In half of them a stone of the runner stands on the way, so that it
escapes; other stones are too far away to matter. Life and death: a group of one chain around an
eye space of 1 to 8 points, closed in without a liberty outside, in the centre or at the side. The
status is the textbook's: one and two points and the square four are dead; three points, the T of
four, the bulky and the crossed five and the flower six live if they move first; all other shapes
live.
"""

from __future__ import annotations

import random
import sys
import time
from typing import Any

import numpy as np

from clauseboard.game import load_game
from clauseboard.games.go import tactics
from clauseboard.games.go.board import names
from clauseboard.games.go.rules import GoPosition, state_of
from stamp import keep, new_parser, stamp

Cell = tuple[int, int]
STATUS = {"dead": tactics.DEAD, "unsettled": tactics.UNSETTLED, "alive": tactics.ALIVE}


def turned(cells: dict[Cell, str], size: int, turn: int, swapped: bool) -> dict[Cell, str]:
    """A board turned by so many quarters, reflected from 4 on, perhaps with colours exchanged."""
    other = {"b": "w", "w": "b"} if swapped else {"b": "b", "w": "w"}
    found = {}
    for (y, x), stone in cells.items():
        for _ in range(turn % 4):
            y, x = x, size - 1 - y
        found[y, size - 1 - x if turn >= 4 else x] = other[stone]
    return found


def moved(cell: Cell, size: int, turn: int) -> Cell:
    """Where a cell comes to."""
    return next(iter(turned({cell: "b"}, size, turn, False)))


def position_of(cells: dict[Cell, str], size: int, to_move: str) -> GoPosition:
    """The position with these stones."""
    rows = ["".join(cells.get((y, x), ".") for x in range(size)) for y in range(size)]
    position = load_game("go", size=size).read_position(f"{'/'.join(rows)} {to_move}")
    assert isinstance(position, GoPosition)
    return position


# ---- ladders


def made_ladder(rng: random.Random) -> tuple[GoPosition, int, bool]:
    """A position, the point of a stone that is chased, and whether it is captured."""
    size = rng.choice((9, 13, 19))
    works = rng.random() < 0.5
    runs = rng.random() < 0.5
    y, x = rng.randrange(1, size - 5), rng.randrange(1, size - 5)
    cells = {(y, x): "b", (y - 1, x): "w", (y, x - 1): "w", (y + 1, x - 1): "w"}
    if runs:
        cells[y, x + 1] = "w"
    steps = range(size)
    way = {(y + k, x + k) for k in steps} | {(y + k + 1, x + k) for k in steps}
    beside = {(y + k, x + k + 1) for k in steps} | {(y + k + 2, x + k) for k in steps}
    if not works:
        most = size - 3 - max(y, x)
        k = rng.randint(2, most)
        cells[y + k, x + k] = "b"
    for _ in range(rng.randint(0, 8)):
        cell = rng.randrange(size), rng.randrange(size)
        far = all(abs(cell[0] - v) + abs(cell[1] - u) > 3 for v, u in (*way, *beside, *cells))
        if far:
            cells[cell] = rng.choice("bw")
    turn, swapped = rng.randrange(8), rng.random() < 0.5
    side = "black" if runs != swapped else "white"
    position = position_of(turned(cells, size, turn, swapped), size, side)
    v, u = moved((y, x), size, turn)
    return position, v * size + u, works


def laddered(position: GoPosition, point: int) -> bool:
    """What our reader says."""
    size = position.game.size
    place = point + point // size + size + 2
    told = tactics.read_ladder(state_of(position), place, tactics.new_room(size))
    return int(told) == tactics.CAPTURED


# ---- life and death


def shape_status(shape: set[Cell]) -> str:
    """The textbook's status of an eye space that is empty and closed in."""

    def degree(cell: Cell) -> int:
        y, x = cell
        return sum(c in shape for c in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)))

    squares = sum({(y, x + 1), (y + 1, x), (y + 1, x + 1)} <= shape for y, x in shape)
    most = max(map(degree, shape))
    if len(shape) <= 2 or (len(shape) == 4 and squares):
        return "dead"
    vital = {
        3: True,
        4: most == 3,
        5: squares == 1 or most == 4,
        6: squares == 1 and most == 4,
    }
    return "unsettled" if vital.get(len(shape)) else "alive"


def ring(cells: set[Cell], size: int) -> set[Cell]:
    """The cells around some others, diagonals among them."""
    near = {(y + v, x + u) for y, x in cells for v in (-1, 0, 1) for u in (-1, 0, 1)}
    return {(y, x) for y, x in near - cells if 0 <= y < size and 0 <= x < size}


def made_group(rng: random.Random) -> tuple[GoPosition, int, str]:
    """A position, the point of a stone of a group that is closed in, and the group's status."""
    size = 13
    while True:
        shape = {(rng.randrange(0, size), rng.randrange(2, size - 2))}
        wanted = rng.choice((1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8))
        while len(shape) < wanted:
            y, x = rng.choice(sorted(shape))
            v, u = rng.choice(((0, 1), (1, 0), (0, -1), (-1, 0)))
            if 0 <= y + v < size and 2 <= x + u < size - 2:
                shape.add((y + v, x + u))
        wall = ring(shape, size)
        outside = ring(shape | wall, size)
        corners = {(0, 0), (0, size - 1), (size - 1, 0), (size - 1, size - 1)}
        if corners & (shape | wall):
            continue
        cells = dict.fromkeys(wall, "b") | dict.fromkeys(outside, "w")
        turn, swapped = rng.randrange(8), rng.random() < 0.5
        try:
            position = position_of(turned(cells, size, turn, swapped), size, "black")
        except ValueError:
            continue
        v, u = moved(min(wall), size, turn)
        point = v * size + u
        if len(position.chains[point].stones) == len(wall):
            return position, point, shape_status(shape)


def status_of(position: GoPosition, point: int) -> int:
    """What our reader says."""
    size = position.game.size
    place = point + point // size + size + 2
    room = tactics.new_room(size)
    return int(tactics.read_life(state_of(position), place, tactics.LIFE_NODES, room))


# ---- the page


def measured(count: int, seed: int) -> dict[str, Any]:
    """Shares of right answers, the time of one, and what was answered wrongly."""
    rng = random.Random(seed)
    made_ladders = [made_ladder(rng) for _ in range(count)]
    groups = [made_group(rng) for _ in range(count)]
    laddered(*made_ladders[0][:2])
    status_of(*groups[0][:2])
    result: dict[str, Any] = {"positions": count, "seed": seed}
    wrong, times = [], []
    for position, point, works in made_ladders:
        begun = time.perf_counter()
        right = laddered(position, point) == works
        times.append(time.perf_counter() - begun)
        if not right:
            wrong.append(f"{names(position.game.size)[point]} {works} {position!r}")
    broken = float(np.mean([not works for *_, works in made_ladders]))
    result["ladders"] = {
        "right": 1 - len(wrong) / count, "broken": broken,
        "microseconds": 1e6 * float(np.median(times)), "wrong": wrong,
    }  # fmt: skip
    wrong, times = [], []
    for position, point, status in groups:
        begun = time.perf_counter()
        told = status_of(position, point)
        times.append(time.perf_counter() - begun)
        if told != STATUS[status]:
            wrong.append(f"{names(position.game.size)[point]} {status} {told} {position!r}")
    kinds = [status for *_, status in groups]
    result["life"] = {
        "right": 1 - len(wrong) / count, "kinds": {kind: kinds.count(kind) for kind in STATUS},
        "microseconds": 1e6 * float(np.median(times)), "wrong": wrong,
    }  # fmt: skip
    return result


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    ladders, life = result["ladders"], result["life"]
    kinds = ", ".join(f"{n} {kind}" for kind, n in life["kinds"].items())
    return "\n".join([
        "| positions | right | time of one, with its setting up |",
        "|---|---:|---:|",
        f"| {result['positions']} ladders, {ladders['broken']:.0%} of them broken |"
        f" {ladders['right']:.1%} | {ladders['microseconds']:.0f} µs |",
        f"| {result['positions']} closed groups: {kinds} |"
        f" {life['right']:.1%} | {life['microseconds']:.0f} µs |",
    ])  # fmt: skip


def main() -> int:
    """Measure and write."""
    parser = new_parser(__doc__)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=31)
    arguments = parser.parse_args()
    result = {**stamp(), **measured(arguments.positions, arguments.seed)}
    text = page(result)
    print(text)
    for kind in ("ladders", "life"):
        for line in result[kind]["wrong"]:
            print("wrong:", line)
    keep(result, arguments.out, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
