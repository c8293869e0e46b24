"""What a simulation costs with moves by what is around them, beside one with a random game alone.

One core, by the processor's time; the ways take turns, and the best of several runs counts for
each. The first move of a game, one random game at each leaf: by plain UCT; with all moves alike
(PUCT without votes); with the patterns of the player that comes with the package; with RAVE; and,
in Go, with answers in the random games.

    python benchmarks/patterns.py --out benchmarks/results/patterns.json
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from typing import Any

from clauseboard.game import load_game
from clauseboard.learners.tsetlin.evaluator import loaded
from clauseboard.learners.tsetlin.patterns import PatternEvaluator
from clauseboard.players.shipped import FOLDER, card_for
from clauseboard.search.mcts import MonteCarlo, Rollouts
from stamp import keep, new_parser, stamp

BOARDS = (("Hex 11x11", "hex", 11), ("Go 9x9", "go", 9))
PLAIN = "plain UCT"


def works_of(name: str, size: int, simulations: int) -> dict[str, Callable[[int], object]]:
    """The searches of one board, by what they do."""
    game = load_game(name, size=size)
    machine = loaded(FOLDER / str(card_for(game).moves))
    voting, silent = (PatternEvaluator(game, machine, zero=zero) for zero in (False, True))
    ways: dict[str, tuple[Any, dict[str, float]]] = {
        PLAIN: (Rollouts(game), {}),
        "no votes": (silent, {}),
        "patterns": (voting, {}),
        "patterns, RAVE": (voting, {"rave": 1000.0}),
    }
    if name == "go":
        ways["patterns, RAVE, answers"] = (voting, {"rave": 1000.0, "answers": 1.0})

    def work(judge: Any, options: dict[str, Any]) -> Callable[[int], object]:
        search = MonteCarlo(simulations=simulations, rollouts=1, keep=False, **options)
        return lambda seed: search.find(game.start(), judge, seed=seed)

    return {label: work(*way) for label, way in ways.items()}


def measure(simulations: int, repeats: int) -> dict[str, dict[str, float]]:
    """Microseconds a simulation of everything, in turns."""
    found = {}
    for label, name, size in BOARDS:
        works = works_of(name, size, simulations)
        best = dict.fromkeys(works, math.inf)
        for seed in range(repeats + 1):  # the first run compiles
            for way, work in works.items():
                start = time.process_time()
                work(seed)
                if seed:
                    best[way] = min(best[way], time.process_time() - start)
        found[label] = {way: 1e6 * seconds / simulations for way, seconds in best.items()}
    return found


def report(result: dict[str, Any]) -> str:
    """The costs as a page of Markdown."""
    lines = [
        f"Measured {result['date'][:10]} on {result['machine']['cpu']}, one core, Python "
        f"{result['machine']['python']}, by `{result['command']}`. {result['simulations']:,} "
        f"simulations for the first move, by the processor's time, the best of "
        f"{result['repeats']} runs in turns.",
        "",
        "| | µs a simulation | times plain UCT |",
        "|---|---:|---:|",
    ]
    for label, costs in result["microseconds"].items():
        for way, cost in costs.items():
            lines.append(f"| {label}, {way} | {cost:.2f} | {cost / costs[PLAIN]:.2f} |")
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure, print, and keep."""
    parser = new_parser(__doc__)
    parser.add_argument("--simulations", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    result = stamp() | {
        "simulations": arguments.simulations,
        "repeats": arguments.repeats,
        "microseconds": measure(arguments.simulations, arguments.repeats),
    }
    print(report(result))
    if arguments.out:
        keep(result, arguments.out, report(result))


if __name__ == "__main__":
    main()
