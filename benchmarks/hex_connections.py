"""How fast H-search is on Hex boards, and how much it decides; on one core.

python benchmarks/hex_connections.py --out benchmarks/results/hex-connections.json

Boards of middle games: those of the shipped player against itself, after every move from the 20th
to the 60th. Each time both sides' connections are found anew. Beside it stands what all concepts of
the board take, the search for connections included, and what an incremental search could reuse: the
share of the points whose plans to an anchor are the same as before the last move, for both sides,
and the share of an anchor's points all of which are. What it decides is measured on small
boards of random games against the solver: the share of positions in which it names the winner, and
how often it names the wrong one, which must be never.
"""

from __future__ import annotations

import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.games.hex import h_search
from clauseboard.games.hex.chains import Workspace
from clauseboard.games.hex.concept_kernels import counted
from clauseboard.games.hex.encoding import boards_of
from clauseboard.games.hex.rules import HexPosition, cells_of
from clauseboard.games.hex.solving import Solver
from clauseboard.players import load_player
from stamp import keep, new_parser, stamp

REPEATS = 20


def middle_games(size: int, games: int, seed: int) -> list[HexPosition]:
    """Boards of games of the shipped player against itself, with two random moves at first."""
    game = load_game("hex", size=size)
    player = load_player("shipped", game)
    first, last = size * size // 6, size * size // 2
    rng, boards = random.Random(seed), []
    for _ in range(games):
        position = game.start()
        for count in range(last):
            move = rng.choice(position.moves())
            if count >= 2:
                move = player.choose(position, Limit(simulations=100)).move
            position = position.play(move)
            if position.outcome() is not None:
                break
            if count >= first:
                boards.append(position)
    return boards


def timed(size: int, games: int) -> dict[str, Any]:
    """Milliseconds of the processor a board for both sides: median, 95 of 100, and the longest."""
    positions = middle_games(size, games, seed=271828)
    room, milliseconds = Workspace(size), []
    boards = boards_of(positions[0].game, positions)
    room.find(boards[0])
    for board in boards:
        start = time.process_time()
        for _ in range(REPEATS):
            room.find(board)
        milliseconds.append((time.process_time() - start) / REPEATS * 1000)
    median, most = np.percentile(milliseconds, [50, 95])
    start, sides = time.process_time(), np.zeros(len(boards), np.int64)
    for _ in range(REPEATS):
        counted(boards, sides, size)
    counting = (time.process_time() - start) / REPEATS / len(boards) * 1000
    return {
        "size": size, "boards": len(boards), "median_ms": float(median), "p95_ms": float(most),
        "longest_ms": max(milliseconds), "mean_ms": float(np.mean(milliseconds)),
        "concepts_mean_ms": counting, **kept_by_a_move(positions),
    }  # fmt: skip


def kept_by_a_move(positions: list[HexPosition]) -> dict[str, float]:
    """The share of the plans that are the same before and after a move of a game."""
    size, same, lists, whole, anchors = positions[0].game.size, 0, 0, 0, 0
    plans = [plans_of(position) for position in positions]
    for position, before, after in zip(positions[1:], plans, plans[1:], strict=False):
        if position.red.bit_count() + position.blue.bit_count() <= size * size // 6 + 1:
            continue  # the first board of a game
        for key, of_point in after.items():
            alike = [before.get(key, {}).get(point) == held for point, held in of_point.items()]
            same, lists = same + sum(alike), lists + len(alike)
            whole, anchors = whole + all(alike), anchors + 1
    return {"points_kept": same / max(lists, 1), "anchors_kept": whole / max(anchors, 1)}


def plans_of(position: HexPosition) -> dict[tuple[int, int], dict[int, bytes]]:
    """By side and anchor, the plans to each point."""
    room, found = Workspace(position.game.size), {}
    room.find(boards_of(position.game, [position])[0])
    for side, memory in enumerate(room.sides):
        for index in range(memory[h_search.N_ANCHORS][0]):
            counts = memory[h_search.FULL_COUNTS][index]
            found[side, int(memory[h_search.ANCHORS][index])] = {
                int(point): memory[h_search.FULL][index, point, : counts[point]].tobytes()
                for point in np.flatnonzero(counts)
            }
    return found


def decided(size: int, count: int, least: int, most: int) -> dict[str, Any]:
    """How many random positions are decided without search, and how many of them wrongly."""
    rng, game = random.Random(314159), load_game("hex", size=size)
    positions: list[HexPosition] = []
    while len(positions) < count:
        position = game.start()
        for move in rng.sample(cells_of(size), rng.randint(least, most)):
            if position.outcome() is None:
                position = position.play(move)
        if position.outcome() is None:
            positions.append(position)
    boards = boards_of(game, positions)
    movers = np.array([position.to_move == "blue" for position in positions], np.int8)
    winners = Solver(size, 2**21).label(game, boards, movers)
    room, right, wrong = Workspace(size), 0, 0
    for board, mover, winner in zip(boards, movers, winners, strict=True):
        connected = room.find(board)
        for side in (int(mover), 1 - int(mover)):
            full = connected[side] or len(room.full_plans(side, 1, size * size))
            if full or (side == mover and len(room.half_wins(side))):
                right += int(side == winner)
                wrong += int(side != winner)
                break
    stones = f"{least} to {most}"
    return {"size": size, "positions": count, "stones": stones, "right": right, "wrong": wrong}


def page(result: dict[str, Any]) -> str:
    """The results as Markdown."""
    lines = ["# Connections of Hex", "", "| board | boards | median | 95 of 100 | longest |"]
    lines.append("|---|---:|---:|---:|---:|")
    lines += [
        f"| {row['size']}x{row['size']}, middle game | {row['boards']} | "
        f"{row['median_ms']:.2f} ms | {row['p95_ms']:.2f} ms | {row['longest_ms']:.2f} ms |"
        for row in result["timed"]
    ]
    lines += ["", "| board | connections, mean | all concepts, mean | points kept by a move | "
              "whole anchors |", "|---|---:|---:|---:|---:|"]  # fmt: skip
    lines += [
        f"| {row['size']}x{row['size']} | {row['mean_ms']:.2f} ms | "
        f"{row['concepts_mean_ms']:.2f} ms | {row['points_kept']:.0%} | {row['anchors_kept']:.0%} |"
        for row in result["timed"]
    ]
    lines += ["", "| random positions | stones | decided | wrongly |", "|---|---|---:|---:|"]
    lines += [
        f"| {row['positions']} of {row['size']}x{row['size']} | {row['stones']} | "
        f"{(row['right'] + row['wrong']) / row['positions']:.1%} | {row['wrong']} |"
        for row in result["decided"]
    ]
    return "\n".join([*lines, ""])


def main(argv: list[str] | None = None) -> int:
    """Measure, print the page and keep the result."""
    parser = new_parser(__doc__, "fewer boards")
    parser.add_argument("--jobs", type=int, default=1, help="processes to measure in")
    arguments = parser.parse_args(argv)
    quick = arguments.quick
    with ProcessPoolExecutor(arguments.jobs) as pool:
        times = [pool.submit(timed, size, 2 if quick else 8) for size in (11, 14)]
        shares = [
            pool.submit(decided, size, 100 if quick else 1000, 8, 20)
            for size in ((5, 6) if quick else (6, 7))
        ]
        result = {
            **stamp(),
            "timed": [one.result() for one in times],
            "decided": [one.result() for one in shares],
        }
    text = page(result)
    print(text)
    keep(result, arguments.out, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
