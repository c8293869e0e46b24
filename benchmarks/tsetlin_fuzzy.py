"""What fuzzy-pattern clauses are worth: digits with ten clauses a class, strict and fuzzy.

    python benchmarks/tsetlin_fuzzy.py --out results/tsetlin-fuzzy.json

The settings of each were chosen on the split of seed 101; five others are reported. Grey values
become bits by `ThermometerEncoder()`; machines with a window, and those beside them, see pixels in
black and white.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np

from clauseboard.tsetlin import TsetlinMachineClassifier
from stamp import keep, new_parser, stamp
from tsetlin_data import numbers
from tsetlin_small import digits

KINDS: dict[str, dict[str, Any]] = {
    "all literals must hold, defaults": {},
    "all literals must hold, s 9, T 20": {"specificity": 9.0, "threshold": 20},
    "10 may fail": {"max_misses": 10, "threshold": 300, "specificity": 2.5},
    "20 may fail": {"max_misses": 20, "threshold": 300, "specificity": 4.0},
}
WINDOW: dict[str, Any] = {"board_shape": (8, 8, 1), "window": (6, 6)}
PIXELS: dict[str, dict[str, Any]] = {
    "pixels, all must hold": {"threshold": 20},
    "pixels, 4 may fail": {"max_misses": 4, "threshold": 100, "specificity": 2.5},
    "pixels, window of 6 by 6, all must hold": {"threshold": 20, **WINDOW},
    "pixels, window of 6 by 6, 2 may fail": {"max_misses": 2, "threshold": 60, **WINDOW},
}
N_CLAUSES, EPOCHS = 10, 60


def main() -> int:
    """Measure and write the page."""
    options = arguments()
    result: dict[str, Any] = {"what": "fuzzy-pattern clauses on digits", **stamp(), "rows": []}
    for seed in options.seeds:
        grey, pixels = numbers("digits", seed), digits(8, seed)
        for kind, settings in (KINDS | PIXELS).items():
            X, y, test, test_y = pixels if kind in PIXELS else grey
            machine = TsetlinMachineClassifier(
                N_CLAUSES, epochs=EPOCHS, random_state=seed, **settings
            )
            start = time.process_time()
            machine.fit(X, y)
            row = {
                "kind": kind,
                "seed": seed,
                "seconds": round(time.process_time() - start, 3),
                "accuracy": round(machine.score(test, test_y), 5),
                "literals": float(np.mean([len(rule.literals) for rule in machine.rules()])),
            }
            result["rows"].append(row)
            print(row, flush=True)
    keep(result, options.out, page(result))
    print(page(result))
    return 0


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    machine, rows = result["machine"], result["rows"]
    lines = [
        f"Measured {result['date'][:10]} on {machine['cpu']}, one core, Python "
        f"{machine['python']}, by `{result['command']}`. Digits, {N_CLAUSES} clauses a class, "
        f"{EPOCHS} epochs.",
        "",
        "| clauses | accuracy, % | literals of a clause | processor seconds |",
        "|---|---:|---:|---:|",
    ]
    for kind in KINDS | PIXELS:
        of = [row for row in rows if row["kind"] == kind]
        scores = [100 * row["accuracy"] for row in of]
        lines.append(
            f"| {kind} | {np.mean(scores):.1f} ± {np.std(scores):.1f} "
            f"| {np.mean([row['literals'] for row in of]):.0f} "
            f"| {np.mean([row['seconds'] for row in of]):.2f} |"
        )
    seeds = len({row["seed"] for row in rows})
    return "\n".join([*lines, "", f"Means and spreads over {seeds} splits.", ""])


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = new_parser(__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
