"""Endgame tables of checkers: how long they take to make, to check and to open, and to look into.

On one core, in seconds of the processor, whatever else runs on the machine. The kernels are
compiled before anything is measured.

    python benchmarks/endgames.py --out benchmarks/results/endgames.json
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from clauseboard.games.checkers import Checkers, CheckersPosition, endgame_kernels
from clauseboard.games.checkers.endgame_kernels import NO_BOARD
from clauseboard.games.checkers.endgame_tables import (
    EndgameTables,
    build_tables,
    open_tables,
    table_path,
)
from clauseboard.games.checkers.rules import CROWNS, SQUARES, WORD
from stamp import keep, new_parser, stamp

PROBES = 2_000_000


def random_boards(pieces: int, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """About n random boards of exactly so many pieces, in random order, and sides to move."""
    rng = np.random.default_rng(seed)
    materials = endgame_kernels.materials(pieces)
    sizes = np.array([material.size for material in materials])
    words = np.array([WORD[square] for square in SQUARES], np.uint64)
    drawn = []
    for material, count in zip(materials, rng.multinomial(n, sizes / sizes.sum()), strict=True):
        placed = words[rng.random((count, len(words)), np.float32).argsort(1)[:, :pieces]]
        ends = np.cumsum([0, material.men, material.other_men, material.kings])
        men, other_men, kings, other_kings = (
            np.bitwise_or.reduce(part, 1) for part in np.split(placed, ends[1:], 1)
        )
        # No man stands where it would be a king.
        whole = (men & np.uint64(CROWNS["black"])) | (other_men & np.uint64(CROWNS["white"])) == 0
        boards = np.stack([men | kings, other_men | other_kings, kings | other_kings], 1)
        drawn.append(boards[whole])
    boards = rng.permutation(np.concatenate(drawn))
    return np.ascontiguousarray(boards), rng.integers(2, size=len(boards))


def seconds(work: Any) -> tuple[float, Any]:
    """How many seconds of the processor something takes, and what it returns."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def probe_times(tables: EndgameTables) -> tuple[float, float]:
    """Seconds a look-up in a kernel, and by the public function, for boards of most pieces."""
    boards, sides = random_boards(tables.pieces, PROBES, 1)
    in_kernel = min(seconds(lambda: tables.look_up(boards, sides))[0] for _ in range(5))
    game = Checkers()
    some = zip(boards[:20_000].tolist(), sides[:20_000].tolist(), strict=True)
    positions = [CheckersPosition(game, *board, game.colours[side]) for board, side in some]
    public = min(seconds(lambda: [tables.probe(p) for p in positions])[0] for _ in range(3))
    return in_kernel / len(boards), public / len(positions)


def measure(pieces: int, folder: Path) -> dict[str, Any]:
    """All that is told of the tables of up to so many pieces."""
    built, tables = seconds(lambda: build_tables(pieces, folder))
    checked, faults = seconds(tables.count_faults)
    opened, _ = seconds(lambda: open_tables(pieces, folder, rebuild=False))
    in_kernel, public = probe_times(tables)
    values = tables.of(pieces)
    counts = np.bincount(values, minlength=256)
    return {
        "pieces": pieces,
        "boards": int(counts[:NO_BOARD].sum()),
        "wins": int(counts[2:NO_BOARD:2].sum()),
        "draws": int(counts[0]),
        "losses": int(counts[1:NO_BOARD:2].sum()),
        "longest": int(np.flatnonzero(counts[:NO_BOARD]).max()) - 1,
        "faults": faults,
        "bytes": len(values),
        "file_bytes": table_path(folder, pieces).stat().st_size,
        "build_seconds": built,
        "check_seconds": checked,
        "open_seconds": opened,
        "kernel_probe_seconds": in_kernel,
        "public_probe_seconds": public,
    }


def line(row: dict[str, Any]) -> str:
    """A row of the table."""
    cells = [
        f"{row['pieces']}",
        *(f"{row[name]:,}" for name in ("boards", "wins", "draws", "losses", "longest")),
        f"{row['file_bytes'] / 1e6:,.2f} MB",
        *(f"{row[name]:.2f} s" for name in ("build_seconds", "check_seconds", "open_seconds")),
        f"{row['kernel_probe_seconds'] * 1e9:,.0f} ns",
        f"{row['public_probe_seconds'] * 1e6:,.1f} µs",
    ]
    return f"| {' | '.join(cells)} |"


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    machine = result["machine"]
    return "\n".join(
        [
            f"Measured {result['date'][:10]} on {machine['cpu']}, one core, in seconds of the "
            f"processor, Python {machine['python']}, by `{result['command']}`. Boards and results "
            "are those of exactly so many pieces, seen by the side to move; files, and times to "
            "build, check and open are for all tables up to there. Look-ups are of random boards "
            "of so many pieces.",
            "",
            "| pieces | boards | wins | draws | losses | longest | file | build | check | open "
            "| in a kernel | `probe` |",
            "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
            *(line(row) for row in result["rows"]),
            "",
        ]
    )


def main() -> int:
    """Measure, print and perhaps keep it."""
    options = arguments()
    result: dict[str, Any] = {"what": "endgame tables of checkers", **stamp(), "rows": []}
    with tempfile.TemporaryDirectory() as name:
        measure(2, Path(name))
        for pieces in range(2, options.pieces + 1):
            result["rows"].append(measure(pieces, Path(name)))
            print(line(result["rows"][-1]), flush=True)
    keep(result, options.out, page(result))
    return 0 if not any(row["faults"] for row in result["rows"]) else 1


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = new_parser(__doc__)
    parser.add_argument("--pieces", type=int, default=5, help="2 to 5; the most pieces (5)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
