"""What scripts share that time Monte-Carlo searches: on one core, in turns, by the best run."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from typing import Any

from clauseboard.evaluation import Evaluator
from clauseboard.search.mcts import MonteCarlo
from stamp import keep, new_parser, stamp

Work = Callable[[int], object]
"""Something to time, which is given a seed."""


def first_move(game: Any, judge: Evaluator, simulations: int, **options: Any) -> Work:
    """Our search for the first move of a game."""
    search = MonteCarlo(simulations=simulations, keep=False, **options)
    return lambda seed: search.find(game.start(), judge, seed=seed)


def seconds_of(work: Work, seed: int) -> float:
    """How much of the processor's time `work(seed)` takes; all searches have one thread."""
    start = time.process_time()
    work(seed)
    return time.process_time() - start


def best_seconds(works: dict[str, Work], repeats: int) -> dict[str, float]:
    """The shortest time of each, by what they are called; they take turns."""
    best = dict.fromkeys(works, math.inf)
    for work in works.values():
        work(0)  # compiled, and warm
    for seed in range(1, repeats + 1):
        for label, work in works.items():
            best[label] = min(best[label], seconds_of(work, seed))
    return best


def how_measured(result: dict[str, Any], beside: str = "") -> str:
    """The sentences above a table: when, where, by which command (and beside what), and how."""
    return (
        f"Measured {result['date'][:10]} on {result['machine']['cpu']}, one core, Python "
        f"{result['machine']['python']}, by `{result['command']}`{beside}. "
        f"{result['simulations']:,} simulations for the first move, by the processor's time, the "
        f"best of {result['repeats']} runs in turns."
    )


def measure_and_keep(
    about: str | None,
    figures: Callable[[int, int], dict[str, Any]],
    report: Callable[[dict[str, Any]], str],
) -> None:
    """Measure on one core, print, and keep; the options say how many simulations and repeats."""
    parser = new_parser(about)
    parser.add_argument("--simulations", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    result = stamp() | {
        "simulations": arguments.simulations,
        "repeats": arguments.repeats,
        **figures(arguments.simulations, arguments.repeats),
    }
    print(report(result))
    keep(result, arguments.out, report(result))
