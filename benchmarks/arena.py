"""A thousand random games of checkers, every move written down: the arena beside other libraries.

In one run on one core: the whole command in a fresh process, its games alone, the same games move
by move through the positions, and plain loops over OpenSpiel and pydraughts, whose rules for draws
differ a little, so that moves a second are compared. Each is the best of several rounds, and of the
loops the processor's time counts, so that other programs disturb little.

    python benchmarks/arena.py --out benchmarks/results/arena.json
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from clauseboard.arena.match import Match, run_matches
from clauseboard.game import load_game
from clauseboard.games.plugins import RANDOM_GAMES
from stamp import keep, new_parser, stamp

GAMES = 1000
ROUNDS = 5
COMMAND = ["match", "checkers", "random", "random", "--games", str(GAMES)]


def whole_command() -> tuple[float, float]:
    """The command in a process of its own: seconds by the clock, and of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "clauseboard", *COMMAND], check=True, stdout=subprocess.DEVNULL
    )
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ours(n: int) -> int:
    """Games of the arena; how many moves they have."""
    (result,) = run_matches([Match(load_game("checkers"), ("random", "random"), n)])
    return sum(len(game.moves) for game in result.games)


def ours_by_move(n: int) -> int:
    """The same games, each player asked for each move."""
    find = RANDOM_GAMES.find
    RANDOM_GAMES.find = lambda game: None  # type: ignore[method-assign]
    try:
        return ours(n)
    finally:
        RANDOM_GAMES.find = find  # type: ignore[method-assign]


def open_spiel(n: int) -> int:
    """A plain loop over OpenSpiel's states, with the moves as text."""
    import pyspiel

    game, draw, moves = pyspiel.load_game("checkers"), random.Random(1).random, 0
    for _ in range(n):
        state, texts = game.new_initial_state(), []
        while not state.is_terminal():
            legal = state.legal_actions()
            action = legal[int(draw() * len(legal))]
            texts.append(state.action_to_string(action))
            state.apply_action(action)
        moves += len(texts)
    return moves


def pydraughts(n: int) -> int:
    """A plain loop over the boards of pydraughts, with the moves as text."""
    import draughts

    draw, moves = random.Random(1).random, 0
    for _ in range(n):
        board, texts = draughts.Board(variant="english"), []
        while legal := [] if board.is_over() else board.legal_moves():
            move = legal[int(draw() * len(legal))]
            texts.append(move.pdn_move)
            board.push(move)
        moves += len(texts)
    return moves


def measure(work: Callable[[int], int], n: int, rounds: int) -> dict[str, Any]:
    """Games and moves a second of the processor's time, of the best round."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        moves = work(n)
        best = min(best, time.process_time() - start)
    return {"games": n, "moves": moves, "seconds": best, "moves_a_second": moves / best}


def main() -> int:
    """Measure, print and perhaps keep it."""
    options = arguments()
    rounds = 1 if options.quick else ROUNDS
    ours(10)
    commands = [whole_command() for _ in range(rounds)]
    work = {
        "clauseboard": (ours, GAMES),
        "clauseboard, move by move": (ours_by_move, GAMES // 5),
        "OpenSpiel": (open_spiel, GAMES // 5),
        "pydraughts": (pydraughts, GAMES // 100),
    }
    rows = {}
    for name, (loop, n) in work.items():
        try:
            rows[name] = measure(loop, n, 1 if name == "pydraughts" else rounds)
        except ImportError as error:
            print(f"{name} is not to be had: {error}", file=sys.stderr)
    versions = {name: importlib.metadata.version(name) for name in ("clauseboard", "numpy")}
    for name in ("open_spiel", "pydraughts"):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = "not installed"
    result = {
        "what": "random games of checkers in the arena",
        **stamp(),
        "versions": versions,
        "measured_command": " ".join(["clauseboard", *COMMAND]),
        "command_seconds": min(seconds for seconds, _ in commands),
        "command_processor_seconds": min(used for _, used in commands),
        "rows": rows,
    }
    print(page(result))
    keep(result, options.out, page(result))
    return 0


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    base = result["rows"]["clauseboard"]["moves_a_second"]
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    lines = [
        f"Measured {result['date'][:10]} on {result['machine']['cpu']}, one core, Python "
        f"{result['machine']['python']}, by `{result['command']}`; {versions}; load before "
        f"{result['load_before'][0]:.1f}.",
        "",
        f"`{result['measured_command']}`: {result['command_seconds']:.2f} s by the clock, "
        f"{result['command_processor_seconds']:.2f} s of the processor, starting Python included.",
        "",
        "| random games, moves as text | games | moves | moves a second (CPU) | clauseboard is |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, row in result["rows"].items():
        rate = row["moves_a_second"]
        times = "" if rate == base else f"{base / rate:.1f} times as fast"
        lines.append(f"| {name} | {row['games']:,} | {row['moves']:,} | {rate:,.0f} | {times} |")
    return "\n".join([*lines, ""])


def arguments() -> argparse.Namespace:
    """Read the command line."""
    return new_parser(__doc__, "one round, to try it").parse_args()


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
