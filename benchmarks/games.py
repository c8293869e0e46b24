"""How fast the games are, beside other libraries that Python can call, in one run on one core.

Checkers: sequences of moves counted (perft, without a table of positions) against pydraughts
(English rules) and py-draughts (which is fast, but captures are optional there), and random games
against OpenSpiel. Go and Hex: random games to the end against OpenSpiel, whose random players run
in C++. And boards encoded into packed bits. Seconds are those of the processor, which other
programs on the machine do not lengthen.

    python benchmarks/games.py --out benchmarks/results/games.json
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from clauseboard.game import load_game
from clauseboard.games.checkers import encoding as checkers_encoding
from clauseboard.games.checkers import kernels as checkers_kernels
from clauseboard.games.go import encoding as go_encoding
from clauseboard.games.go.rules import playouts
from clauseboard.games.hex import encoding as hex_encoding
from peers.environments import InstallError, install, last_line, python_of
from stamp import keep, new_parser, stamp

SECONDS = 2.0
"""About how long each thing is measured, three times, of which the best counts."""


def rate(work: Callable[[int], int], seconds: float) -> float:
    """How many things a second `work(n)` does, which is asked for n and says how many it did."""
    size, done, taken = 1, 0, 0.0
    while taken < seconds / 4:
        size *= 2
        start = time.process_time()
        done = work(size)
        taken = time.process_time() - start
    best = done / taken
    for _ in range(2):
        start = time.process_time()
        done = work(size)
        best = max(best, done / (time.process_time() - start))
    return best


# ---- ours ---------------------------------------------------------------------------------


def our_perft(depth: int) -> tuple[int, float]:
    """Sequences of moves and the seconds they take."""
    game = load_game("checkers")
    position = game.start()
    game.perft(position, 2)
    best = np.inf
    for _ in range(3):
        start = time.process_time()
        count = game.perft(position, depth)
        best = min(best, time.process_time() - start)
    return count, best


def our_checkers_games(n: int) -> int:
    """Random games under the official rules."""
    start = checkers_encoding.board_words([load_game("checkers").start()])
    counter = np.uint64(1)
    for _ in range(n):
        _, _, counter = checkers_kernels.playout(start, 0, 0, 0, True, 80, 3, 0, np.uint64(counter))
    return n


def our_go_games(n: int) -> int:
    """Random games on 9x9, to two passes."""
    playouts(load_game("go", size=9).start(), n, seed=1)
    return n


def our_hex_games(n: int) -> int:
    """Random games on 11x11, on a full board."""
    hex_encoding.play_out(load_game("hex", size=11).start(), n, 1)
    return n


# ---- others -------------------------------------------------------------------------------


def spiel_games(name: str) -> Callable[[int], int]:
    """Random games of OpenSpiel, each played in C++ in one call."""
    import pyspiel

    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(2)]

    def play(n: int) -> int:
        for seed in range(n):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return n

    return play


def draughts_nodes(name: str, seconds: float) -> float | None:
    """Nodes a second of a draughts library in an environment of its own; None: not to be had."""
    library: Any = SimpleNamespace(is_ours=False, distribution=name, requirements=(name,))
    try:
        install(library)
    except InstallError as error:
        print(f"{name} cannot be installed: {error}", file=sys.stderr)
        return None
    script = Path(__file__).parent / "peers" / "draughts_nodes.py"
    done = subprocess.run(
        [python_of(library), str(script), name, str(seconds)], capture_output=True, text=True
    )
    if done.returncode != 0:
        print(f"{name} failed: {last_line(done.stderr)}", file=sys.stderr)
        return None
    return float(done.stdout)


# ---- the run ------------------------------------------------------------------------------


def encoded(n: int) -> dict[str, Callable[[int], int]]:
    """Work that packs n boards of each game into bits."""
    rng = np.random.default_rng(0)
    black = rng.integers(2**32, size=n, dtype=np.uint64)
    white = rng.integers(2**32, size=n, dtype=np.uint64) & ~black
    boards = np.stack([black, white, rng.integers(2**32, size=n, dtype=np.uint64)], axis=1)
    stones, more_stones = (rng.integers(3, size=(n, k * k), dtype=np.uint8) for k in (9, 19))
    hex_game, hexes = _hex_boards(11, n)
    large_game, large_hexes = _hex_boards(19, n)

    def times(work: Callable[[], Any], size: int) -> Callable[[int], int]:
        def repeat(n: int) -> int:
            for _ in range(n):
                work()
            return n * size

        return repeat

    return {
        "checkers": times(lambda: checkers_encoding.packed_squares(boards), n),
        "go 9x9": times(lambda: go_encoding.pack(stones), n),
        "go 19x19, turned": times(lambda: go_encoding.pack(more_stones, symmetry=1), n),
        "hex 11x11": times(lambda: hex_encoding.pack(hex_game, hexes), len(hexes)),
        "hex 19x19, reversed": times(
            lambda: hex_encoding.pack(large_game, large_hexes, symmetry=2), len(large_hexes)
        ),
    }


def _hex_boards(size: int, n: int) -> tuple[Any, Any]:
    """A game of this size, and the last boards of a thousand random games over and over."""
    game = load_game("hex", size=size)
    boards = hex_encoding.random_games(game, 1000, 1).boards
    return game, np.ascontiguousarray(np.tile(boards, (n // 1000, 1, 1)))


def main() -> int:
    """Measure, print and perhaps keep it."""
    options = arguments()
    seconds = 0.2 if options.quick else SECONDS
    depth = 8 if options.quick else 10
    count, taken = our_perft(depth)
    rows: list[dict[str, Any]] = []

    def enter(what: str, ours: float, others: dict[str, float | None]) -> None:
        rows.append({"what": what, "clauseboard": ours, "others": others})
        print(line(rows[-1]), flush=True)

    print(f"checkers perft {depth}: {count:,} in {taken:.3f} s", flush=True)
    peers = ("pydraughts", "py-draughts")
    others = {name: draughts_nodes(name, seconds) for name in peers}
    enter("checkers, moves counted", count / taken, others)
    for what, ours, name in (
        ("checkers, random games", our_checkers_games, "checkers"),
        ("go 9x9, random games", our_go_games, "go(board_size=9,komi=7.0)"),
        ("hex 11x11, random games", our_hex_games, "hex(board_size=11)"),
    ):
        try:
            theirs = rate(spiel_games(name), seconds)
        except ImportError:
            theirs = None
        enter(what, rate(ours, seconds), {"OpenSpiel": theirs})
    for what, work in encoded(100_000).items():
        enter(f"{what}, boards encoded", rate(work, seconds), {})
    versions = {}
    for package in ("clauseboard", "open_spiel"):
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = "not installed"
    result = {
        "what": "speed of the games",
        **stamp(),
        "versions": versions,
        "perft": {"depth": depth, "sequences": count, "seconds": taken},
        "rows": rows,
    }
    keep(result, options.out, page(result))
    return 0


def line(row: dict[str, Any]) -> str:
    """A row of the table."""
    cells = []
    for name, theirs in row["others"].items():
        told = f"{name} not to be had" if theirs is None else f"{theirs:,.0f} ({name})"
        cells.append(told)
    best = max((value for value in row["others"].values() if value), default=None)
    times = f"{row['clauseboard'] / best:,.0f}" if best else ""
    return f"| {row['what']} | {row['clauseboard']:,.0f} | {', '.join(cells)} | {times} |"


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    perft = result["perft"]
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    return "\n".join(
        [
            f"Measured {result['date'][:10]} on {result['machine']['cpu']}, one core, Python "
            f"{result['machine']['python']}, by `{result['command']}`; {versions}. Checkers perft "
            f"{perft['depth']} ({perft['sequences']:,}) takes {perft['seconds']:.2f} s.",
            "",
            "| a second | clauseboard | others | times |",
            "|---|---:|---:|---:|",
            *(line(row) for row in result["rows"]),
            "",
        ]
    )


def arguments() -> argparse.Namespace:
    """Read the command line."""
    return new_parser(__doc__, "short runs, to try it").parse_args()


if __name__ == "__main__":
    # One core: what has threads of its own would not be comparable.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
