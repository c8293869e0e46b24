"""How fast the Hex solver is: empty boards, all openings, and random positions, on one core.

python benchmarks/hex_solver.py --out benchmarks/results/hex-solver.json
python benchmarks/hex_solver.py --map 7 --out benchmarks/results/hex-map-7.json
"""

from __future__ import annotations

import random
import sys
import time
from typing import Any

import numpy as np

from clauseboard.game import load_game
from clauseboard.games.hex.encoding import boards_of
from clauseboard.games.hex.rules import HexMove, HexPosition, cells_of
from clauseboard.games.hex.solving import LARGEST, Solver
from stamp import keep, new_parser, stamp


def timed(what: str, size: int, work: Any, each: int = 1) -> dict[str, Any]:
    """Do some work with a fresh solver; what came out, in how many seconds and positions."""
    solver = Solver(size)
    start = time.perf_counter()
    found = work(solver)
    seconds = (time.perf_counter() - start) / each
    row = {"what": what, "found": found, "seconds": seconds, "judged": solver.judged // each}
    print(line(row), flush=True)
    return row


def random_positions(size: int, count: int, stones: int | None, seed: int) -> list[HexPosition]:
    """Positions of random games: with so many stones, or any that has 5 or more and no winner."""
    rng, game = random.Random(seed), load_game("hex", size=size)
    found: list[HexPosition] = []
    while len(found) < count:
        order = rng.sample(cells_of(size), size**2)
        position, game_positions = game.start(), []
        for move in order:
            position = position.play(move)
            if position.outcome() is not None:
                break
            game_positions.append(position)
        if stones is None:
            found.append(rng.choice(game_positions[4:] or game_positions))
        elif len(game_positions) >= stones:
            found.append(game_positions[stones - 1])
    return found


def winners(size: int, positions: list[HexPosition]) -> Any:
    """Work that labels positions, and says how often red wins."""
    game = load_game("hex", size=size)
    boards = boards_of(game, positions)
    sides = np.array([position.to_move == "blue" for position in positions], np.int8)

    def work(solver: Solver) -> str:
        return f"red wins {np.mean(solver.label(game, boards, sides) == 0):.1%}"

    return work


def openings(size: int) -> dict[str, Any]:
    """Solve the openings up to the half turn, one after the other with one large table."""
    start = load_game("hex", size=size).start()
    solver = Solver(size, 2**22)
    rows = []
    cells = cells_of(size)[: (size**2 + 1) // 2]
    # From the middle outwards: what is learnt of the easy ones helps with the others.
    for cell in sorted(cells, key=lambda cell: far_out(cell, size)):
        begun, judged = time.perf_counter(), solver.judged
        winner = solver.solve(start.play(cell)).winner
        seconds = time.perf_counter() - begun
        rows.append(
            {
                "what": str(cell),
                "found": winner,
                "seconds": seconds,
                "judged": solver.judged - judged,
            }
        )
        print(line(rows[-1]), flush=True)
    rows.sort(key=lambda row: [str(cell) for cell in cells].index(row["what"]))
    return {"size": size, "rows": rows}


def far_out(cell: HexMove, size: int) -> int:
    """How far a cell is from the middle, on the rhombus: four times the square."""
    down, right = 2 * cell.row - size + 1, 2 * cell.column - size + 1
    return down * down + right * right + down * right


def rhombus(size: int, rows: list[dict[str, Any]]) -> str:
    """The openings as a board: R where red's first stone wins, and a point where it loses."""
    half = ["R" if row["found"] == "red" else "." for row in rows]
    cells = half + half[: size**2 - len(half)][::-1]
    return "\n".join(
        " " * row + " ".join(cells[row * size : row * size + size]) for row in range(size)
    )


def map_page(result: dict[str, Any]) -> str:
    """The map of openings as Markdown."""
    size, rows = result["size"], result["rows"]
    drawn = rhombus(size, rows)
    machine = result["machine"]
    seconds, judged = (sum(row[key] for row in rows) for key in ("seconds", "judged"))
    return "\n".join(
        [
            f"{drawn.count('R')} of the {size**2} openings of {size}x{size} win (R). Those up to "
            f"the middle were solved, in {seconds:.1f} s and {judged:,} positions; the others are "
            "half turns of them.",
            "",
            "```text",
            drawn,
            "```",
            "",
            f"Measured {result['date'][:10]} on {machine['cpu']}, one core, Python "
            f"{machine['python']}, by `{result['command']}`; each opening with the table that the "
            "ones before it have left.",
            "",
            "| opening | winner | seconds | positions judged |",
            "|---|---|---:|---:|",
            *(line(row) for row in rows),
            "",
        ]
    )


def line(row: dict[str, Any]) -> str:
    """A row of the table."""
    return f"| {row['what']} | {row['found']} | {row['seconds']:.4f} | {row['judged']:,} |"


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    machine = result["machine"]
    return "\n".join(
        [
            f"Measured {result['date'][:10]} on {machine['cpu']}, one core, Python "
            f"{machine['python']}, by `{result['command']}`; each row with an empty table at "
            "first. Random positions are those of random games, and the figures are for one.",
            "",
            "| what | found | seconds | positions judged |",
            "|---|---|---:|---:|",
            *(line(row) for row in result["rows"]),
            "",
        ]
    )


def main() -> int:
    """Measure, print and perhaps keep it."""
    parser = new_parser(__doc__, "small boards only, to try it")
    parser.add_argument("--map", type=int, metavar="SIZE", help="solve all openings, and draw them")
    options = parser.parse_args()
    if options.map is not None:
        if not 1 <= options.map <= LARGEST:
            parser.error(f"--map takes sizes from 1 to {LARGEST}, not {options.map}")
        found = {"what": "openings of Hex", **stamp(), **openings(options.map)}
        print(rhombus(options.map, found["rows"]))
        keep(found, options.out, map_page(found))
        return 0
    size = 5 if options.quick else 6
    start = load_game("hex", size=size).start()
    rows = [
        timed(f"empty {size}x{size}", size, lambda solver: solver.solve(start).winner),
        timed(
            f"all openings of {size}x{size}",
            size,
            lambda solver: f"{len(solver.winning_moves(start))} win",
        ),
    ]
    for stones in (None, 5, 8, 12):
        told = "5 or more" if stones is None else str(stones)
        count = 2000 if stones is None else 500
        positions = random_positions(size, count, stones, seed=1)
        what = f"{size}x{size}, {told} stones at random"
        rows.append(timed(what, size, winners(size, positions), count))
    if not options.quick:
        large = load_game("hex", size=7).start()
        rows.append(timed("empty 7x7", 7, lambda solver: solver.solve(large).winner))
    result = {"what": "speed of the Hex solver", **stamp(), "rows": rows}
    keep(result, options.out, page(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
