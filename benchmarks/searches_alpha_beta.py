"""How fast alpha-beta is in checkers, on one core: boards visited a second, and how time is kept.

With a material evaluation (a man 1, a king 1.5), and with 2,000 clauses for each of three classes.
The clauses are not trained: each takes 20 literals that hold on a board of a random game, so that
they fire about as seldom as trained ones. Beside them, in the same run: the same search in plain
Python, and moves counted without any search (perft).

Seconds are those of the processor, which other programs on the machine do not lengthen.

    python benchmarks/searches_alpha_beta.py --out benchmarks/results/searches-alpha-beta.json
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import Any

import numpy as np

from clauseboard.evaluation import BitEvaluator, Compiled, Judgements, Limit, linear
from clauseboard.game import load_game
from clauseboard.kernels.clause_table import TILE_WORDS, fill_table
from clauseboard.kernels.evaluators import values_of
from clauseboard.search import load_search
from stamp import keep, new_parser, stamp

N_CLASSES, N_CLAUSES, N_LITERALS = 3, 2000, 20
TARGETS = {"material": 3_000_000, "clauses": 100_000}


class Data(BitEvaluator):
    """An evaluator that is data; `hidden`: searches are not told so."""

    def __init__(self, game: Any, data: Compiled, hidden: bool = False) -> None:
        self.game, self.data, self.hidden, self.view = game, data, hidden, data.view

    def judge_bits(self, bits: Any, sides: Any) -> Judgements:
        """The values of packed boards."""
        return Judgements(values_of((self.data, self.data), bits, sides))

    def compiled(self) -> tuple[Compiled, Compiled] | None:
        """The data, unless hidden."""
        return None if self.hidden else (self.data, self.data)


def random_positions(game: Any, n: int, seed: int) -> list[Any]:
    """Positions of random games, 4 to 40 moves from the start, in which there is a choice."""
    rng = random.Random(seed)
    found: list[Any] = []
    while len(found) < n:
        position = game.start()
        for _ in range(rng.randint(4, 40)):
            if position.moves():
                position = position.play(rng.choice(position.moves()))
        if len(position.moves()) > 1:
            found.append(position)
    return found


def material() -> Compiled:
    """A man 1, a king 1.5."""
    return linear(np.repeat([1, 1.5, -1, -1.5], 32), scale=20)


def clauses(game: Any, seed: int) -> Compiled:
    """Clauses of three classes that each hold on a board of some random game."""
    rng = np.random.default_rng(seed)
    rows = game.encode(random_positions(game, 2000, seed))
    n_bits, total = rows.shape[1], N_CLASSES * N_CLAUSES
    include = np.zeros((total, 2 * n_bits // 64), np.uint64)
    for clause in include:
        row = rows[rng.integers(len(rows))]
        for bit in rng.choice(n_bits, N_LITERALS, replace=False):
            literal = bit if row[bit] else n_bits + bit
            clause[literal // 64] |= np.uint64(1) << np.uint64(literal % 64)
    n_tiles = -(-total // (64 * TILE_WORDS))
    table = np.zeros((n_tiles, 16 * n_bits // 4, TILE_WORDS), np.uint64)
    out = np.full((n_tiles, 1, TILE_WORDS), ~np.uint64(0))
    fill_table(include, np.arange(total), n_bits, table, out)
    weights = np.zeros(n_tiles * TILE_WORDS * 64, np.int64)
    # The clauses against a class count as much as those for it.
    weights[:total] = rng.integers(1, 20, total) * rng.choice([-1, 1], total)
    owners = np.zeros(n_tiles * TILE_WORDS, np.int64)
    return Compiled(
        Compiled.CLAUSES, scale=4000, table=table, out=out, weights=weights, owners=owners
    )


def measure(evaluator: Data, positions: list[Any], nodes: int, rounds: int) -> dict[str, float]:
    """Boards a second over some searches of so many nodes each; the best of some rounds."""
    search = load_search("alpha_beta")
    search.find(positions[0], evaluator, Limit(nodes=50))
    best: dict[str, float] = {"nodes_a_second": 0.0}
    for _ in range(rounds):
        visited, depth = 0, 0
        cpu, clock = time.process_time(), time.perf_counter()
        for position in positions:
            search.begin()
            cost = search.find(position, evaluator, Limit(nodes=nodes)).cost
            visited, depth = visited + cost.nodes, depth + cost.depth
        cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
        if visited / cpu > best["nodes_a_second"]:
            best = {
                "nodes_a_second": visited / cpu,
                "nodes_a_second_by_the_clock": visited / clock,
                "nodes": visited,
                "mean_depth": depth / len(positions),
            }
    return best


def overrun(evaluator: Data, positions: list[Any], seconds: float) -> dict[str, float]:
    """By how many milliseconds searches with a limit on seconds end after it."""
    search = load_search("alpha_beta")
    late = []
    for position in positions:
        cost = search.find(position, evaluator, Limit(seconds=seconds)).cost
        late.append(1000 * (cost.seconds - seconds))
    return {"seconds": seconds, "median_ms": float(np.median(late)), "most_ms": max(late)}


def perft_rate(depth: int) -> float:
    """Moves counted a second."""
    game = load_game("checkers")
    game.perft(game.start(), 2)
    best = 0.0
    for _ in range(3):
        start = time.process_time()
        count = game.perft(game.start(), depth)
        best = max(best, count / (time.process_time() - start))
    return best


def main() -> int:
    """Measure, print and perhaps keep it."""
    options = arguments()
    game = load_game("checkers")
    positions = random_positions(game, 4 if options.quick else 12, 1)
    evaluators = {"material": material(), "clauses": clauses(game, 1)}
    nodes = {"material": 1_000_000, "clauses": 60_000}
    plain_nodes = 1000 if options.quick else 10_000
    rows: dict[str, Any] = {}
    for name, data in evaluators.items():
        size = nodes[name] // (10 if options.quick else 1)
        row: dict[str, Any] = dict(measure(Data(game, data), positions, size, 3))
        # Long enough that full collections of garbage, of 0.06 s each, weigh alike in all runs.
        plain = measure(Data(game, data, hidden=True), positions[:3], plain_nodes, 3)
        row["plain_python"] = plain["nodes_a_second"]
        row["target"] = TARGETS[name]
        row["overrun"] = overrun(Data(game, data), positions, 0.05)
        rows[name] = row
        print(line(name, row), flush=True)
    result = {
        "what": "speed of alpha-beta in checkers",
        **stamp(),
        "perft": perft_rate(8 if options.quick else 10),
        "rows": rows,
    }
    print(f"perft: {result['perft']:,.0f} moves a second")
    keep(result, options.out, page(result))
    return 0


def line(name: str, row: dict[str, Any]) -> str:
    """A row of the table."""
    late = row["overrun"]
    return (
        f"| {name} | {row['nodes_a_second']:,.0f} | {row['target']:,} | {row['mean_depth']:.1f} | "
        f"{row['plain_python']:,.0f} | {row['nodes_a_second'] / row['plain_python']:,.0f} | "
        f"{late['median_ms']:.1f} | {late['most_ms']:.1f} |"
    )


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    head = (
        f"Measured {result['date'][:10]} on {result['machine']['cpu']}, one core, Python "
        f"{result['machine']['python']}, by `{result['command']}`; boards visited a second of the "
        "processor's time, and by how many milliseconds a search of 50 ms ends late, by the clock "
        f"(load of the machine before: {result['load_before'][0]:.1f} on "
        f"{result['machine']['cores']} cores). Moves counted without a search in the same run: "
        f"{result['perft']:,.0f} a second. The clauses are drawn, not trained."
    )
    columns = "evaluation | a second | wanted | depth | plain Python | times | late | at most"
    return "\n".join(
        [
            head,
            "",
            f"| {columns} |",
            "|---|---:|---:|---:|---:|---:|---:|---:|",
            *(line(name, row) for name, row in result["rows"].items()),
            "",
        ]
    )


def arguments() -> argparse.Namespace:
    """Read the command line."""
    return new_parser(__doc__, "short runs, to try it").parse_args()


if __name__ == "__main__":
    sys.exit(main())
