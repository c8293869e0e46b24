"""Would a judge of checkers that follows moves pay? How much of a search is counting clauses.

Boards are counted anew each time: a row of a table for every four bits, and a sum. A judge could
keep what the parts of the board come to, and count again only the parts that a move changes. This
measures the most that it could bring: the time to count one board, beside the time that the whole
search takes for one, in the same run; and how many parts differ between a board and the one that
the same side sees two moves later.

Seconds are those of the processor.

    python benchmarks/following.py --out benchmarks/results/following.json
"""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.kernels.evaluators import judge_boards
from clauseboard.players import read_player
from searches_alpha_beta import random_positions
from stamp import keep, new_parser, stamp

NODES = 200_000
ROUNDS = 3


def search_nanoseconds(line: str, positions: list[Any], nodes: int) -> float:
    """What a search takes for a board that it visits; the best of some rounds."""
    player = read_player(line, positions[0].game)
    player.choose(positions[0], Limit(nodes=50))
    best = np.inf
    for _ in range(ROUNDS):
        start, visited = time.process_time(), 0
        for position in positions:
            player.begin(position.game, position.to_move, 1)
            visited += player.choose(position, Limit(nodes=nodes)).cost.nodes
        best = min(best, (time.process_time() - start) / visited)
    return 1e9 * best


def count_nanoseconds(line: str, positions: list[Any], boards: int) -> float:
    """What it takes to count the clauses on a board; the best of some rounds."""
    game = positions[0].game
    judge = read_player(line, game).evaluators[game.colours[0]]
    first, second = (part.arguments() for part in judge.compiled())
    rows = np.packbits(game.encode(positions, view="mover"), axis=1, bitorder="little")
    rows = np.ascontiguousarray(np.resize(rows, (boards, rows.shape[1])))
    sides, values = np.zeros(boards, np.int64), np.empty(boards)
    best = np.inf
    for _ in range(ROUNDS):
        start = time.process_time()
        judge_boards(first, second, rows, sides, values)
        best = min(best, (time.process_time() - start) / boards)
    return 1e9 * best


def changed_parts(positions: list[Any], seed: int) -> float:
    """Of every four bits together, how many differ two moves later; the mean over boards."""
    draws, counts = random.Random(seed), []
    for before in positions:
        after = before
        for _ in range(2):
            if after.outcome() is None:
                after = after.play(draws.choice(after.moves()))
        rows = before.game.encode([before, after], view="mover").reshape(2, -1, 4)
        counts.append((rows[0] != rows[1]).any(axis=1).sum())
    return float(np.mean(counts))


def main() -> None:
    """Measure, print and perhaps keep it."""
    parser = new_parser(__doc__, quick="a tenth of the boards")
    told = parser.parse_args()
    game = load_game("checkers")
    positions = random_positions(game, 1000, 1)
    size = NODES // (10 if told.quick else 1)
    whole = search_nanoseconds("shipped", positions[:12], size)
    count = count_nanoseconds("shipped", positions, size)
    result = {
        "what": "a judge that follows moves",
        **stamp(),
        "search_ns": whole,
        "material_ns": search_nanoseconds("material", positions[:12], size),
        "count_ns": count,
        "most_gain": whole / max(whole - count, 1e-9),
        "parts": len(game.bits()) // 4,
        "changed_parts": changed_parts(positions, 1),
    }
    print(page_of(result))
    keep(result, told.out, page_of(result))


def page_of(result: dict[str, Any]) -> str:
    """The figures as text."""
    return (
        f"Measured {result['date'][:10]} on {result['machine']['cpu']}, by "
        f"`{result['command']}`.\n\n"
        "| | |\n|---|---:|\n"
        f"| alpha-beta by the shipped machine, a board visited | {result['search_ns']:.0f} ns |\n"
        f"| the same by counting pieces | {result['material_ns']:.0f} ns |\n"
        f"| counting the clauses on a board | {result['count_ns']:.0f} ns |\n"
        f"| parts of a board, and how many differ two moves later | {result['parts']}, "
        f"{result['changed_parts']:.1f} |\n"
        "| as fast at the most, if every board visited is counted and counting cost nothing | "
        f"{result['most_gain']:.2f} times |\n"
    )


if __name__ == "__main__":
    main()
