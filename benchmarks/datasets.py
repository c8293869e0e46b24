"""A million boards of checkers from a file of PDN: the whole command, and reading beside others.

Random games are written to a file. `clauseboard data build` makes a data set of nine
boards a game of it, and one of all boards of part of it, in a fresh process with two more to read.
Then, in this run and on one core: the games a second that are read into boards, beside our
own reader, which makes a position of every move, and pydraughts.

    python benchmarks/datasets.py --out benchmarks/results/datasets.json
"""

from __future__ import annotations

import argparse
import importlib.metadata
import random
import resource
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from clauseboard.games.checkers.datasets import Part, Wanted, extract
from clauseboard.games.checkers.records import Archive
from clauseboard.games.checkers.rules import Checkers
from clauseboard.games.checkers.selfplay import random_game
from stamp import keep, new_parser, stamp

GAMES = 112_000
MOST_MOVES = 100
ROUNDS = 3
RESULTS = {"black": "1-0", "white": "0-1", None: "1/2-1/2"}


def write_games(path: Path, n: int, seed: int = 1) -> int:
    """Random games as PDN, drawn where they are not over after 100 moves; how many moves."""
    rng, start, moves = random.Random(seed), Checkers(quiet_moves=10).start(), 0

    def pick(n_moves: int) -> int:
        return rng.randrange(n_moves)

    with path.open("w") as file:
        for number in range(n):
            texts, outcome = random_game(start, (pick, pick), MOST_MOVES)
            result = RESULTS[outcome.winner if outcome else None]
            words = [
                f"{place // 2 + 1}. {text}" if place % 2 == 0 else text
                for place, text in enumerate(texts)
            ]
            tags = f'[Event "random"]\n[Round "{number}"]\n[Result "{result}"]\n'
            file.write(f"{tags}{textwrap.fill(' '.join([*words, result]), 79)}\n\n")
            moves += len(texts)
    return moves


def build(path: Path, composition: str, jobs: int) -> dict[str, Any]:
    """The command in a process of its own: boards, seconds by the clock and of the processor."""
    out = path.with_name(f"{composition}.npz")
    words = ["data", "build", "checkers", composition, str(path), "--out", str(out)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, "-m", "clauseboard", *words, "--jobs", str(jobs)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    from clauseboard.datasets import load_dataset

    return {
        "boards": len(load_dataset(out)),
        "seconds": seconds,
        "processor_seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "file_bytes": out.stat().st_size,
    }


def ours(path: Path) -> int:
    """The games of a file as boards; how many games."""
    return extract(Part(path), Wanted(rounds=8)).n_games


def ours_by_position(path: Path) -> int:
    """The same through the reader that gives records, and the positions of each."""
    return sum(1 for record in Archive(path) if list(record.positions()))


def pydraughts(path: Path) -> int:
    """The same through pydraughts: its reader, and each move made on its board."""
    from draughts import Board, Move
    from draughts.PDN import PDNReader

    games = PDNReader(filename=str(path)).games
    for game in games:
        board = Board(variant="english")
        for text in game.moves:
            board.push(Move(board, pdn_move=text))
    return len(games)


def measure(work: Callable[[Path], int], path: Path, rounds: int) -> dict[str, float]:
    """Games a second of the processor's time, the best of some rounds."""
    best, n = float("inf"), 0
    for _ in range(rounds):
        start = time.process_time()
        n = work(path)
        best = min(best, time.process_time() - start)
    return {"games": n, "seconds": best, "games_a_second": n / best}


def main() -> int:
    """Measure, print and perhaps keep it."""
    options = arguments()
    n_games = options.games // 20 if options.quick else options.games
    with tempfile.TemporaryDirectory() as folder:
        many, some, few, fewest = (
            Path(folder, f"{name}.pdn") for name in ("many", "some", "few", "fewest")
        )
        moves = write_games(many, n_games)
        # As many games as give a million boards where every move does.
        write_games(some, -(-n_games * 9 * n_games // moves))
        write_games(few, 2000)
        write_games(fewest, 60)
        builds = {
            "end-to-eight": {"games": n_games, **build(many, "end-to-eight", options.jobs)},
            "every-ply": build(some, "every-ply", options.jobs),
        }
        rounds = 1 if options.quick else ROUNDS
        work = {
            "clauseboard": (ours, few),
            "clauseboard, a position a move": (ours_by_position, few),
            "pydraughts": (pydraughts, fewest),
        }
        rows = {}
        for name, (read, path) in work.items():
            try:
                rows[name] = measure(read, path, 1 if name == "pydraughts" else rounds)
            except ImportError as error:
                print(f"{name} is not to be had: {error}", file=sys.stderr)
        result = {
            "what": "a million boards of checkers from PDN",
            **stamp(),
            "versions": {
                name: importlib.metadata.version(name)
                for name in ("clauseboard", "numpy", "joblib", "pydraughts")
            },
            "jobs": options.jobs,
            "moves_a_game": moves / n_games,
            "file_bytes": many.stat().st_size,
            "builds": builds,
            "rows": rows,
        }
    print(page(result))
    keep(result, options.out, page(result))
    return 0


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    lines = [
        f"Measured {result['date'][:10]} on {result['machine']['cpu']}, "
        f"{result['machine']['cores']} cores, Python {result['machine']['python']}, by "
        f"`{result['command']}`; {versions}; load before {result['load_before'][0]:.1f}. "
        f"Random games of {result['moves_a_game']:.0f} moves.",
        "",
        f"| `clauseboard data build checkers`, --jobs {result['jobs']} | boards | seconds | "
        "seconds of the processors | boards a second of these |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, row in result["builds"].items():
        rate = row["boards"] / row["processor_seconds"]
        lines.append(
            f"| {name} | {row['boards']:,} | {row['seconds']:.1f} | "
            f"{row['processor_seconds']:.1f} | {rate:,.0f} |"
        )
    lines += [
        "",
        "| reading and replaying, one core | games | games a second (CPU) | clauseboard is |",
        "|---|---:|---:|---:|",
    ]
    base = result["rows"]["clauseboard"]["games_a_second"]
    for name, row in result["rows"].items():
        rate = row["games_a_second"]
        times = "" if rate == base else f"{base / rate:.1f} times as fast"
        lines.append(f"| {name} | {row['games']:,} | {rate:,.0f} | {times} |")
    return "\n".join([*lines, ""])


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = new_parser(__doc__, "a twentieth of the games, one round")
    parser.add_argument("--games", type=int, default=GAMES, help="games of nine boards each")
    parser.add_argument("--jobs", type=int, default=2, help="processes that read")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
