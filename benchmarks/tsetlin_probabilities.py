"""Whether the probabilities of a classifier without validation data are right, on five data sets.

`predict_proba` fitted to votes on inner folds (the default), beside one fitted to samples that the
machine learned from (`inner_folds=0`). Every seed is another split into training and test data.

    python benchmarks/tsetlin_probabilities.py --data boards.npz --out probabilities.json

The number of folds and of samples was chosen on other data: Monk 2 and 3, Tic-Tac-Toe, Balance
Scale, LED (see `tsetlin_defaults.py`) and boards that are made up. Boards of checkers come from a
file as in `accuracy.py`, 10,000 of its squares to train on.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from accuracy import Boards
from clauseboard.tsetlin import TsetlinMachineClassifier
from stamp import keep, new_parser, stamp
from tsetlin_data import Split, numbers, read_or_make

SETS = ("iris", "wine", "breast_cancer", "digits", "checkers")
WAYS = {"learned samples": 0, "inner folds": 5}
BOARDS = 10_000
BINS = 10


def checkers(boards: Boards, seed: int) -> Split:
    """Some boards to train on, and all others to test on."""
    order = np.random.default_rng(seed).permutation(len(boards.rows))
    train, test = order[:BOARDS], order[BOARDS:]
    return boards.rows[train], boards.results[train], boards.rows[test], boards.results[test]


def measured(split: Split, seed: int) -> list[dict[str, Any]]:
    """How sure a machine is and how often it is right, by both ways."""
    X, y, test, test_y = split
    rows = []
    for way, inner_folds in WAYS.items():
        machine = TsetlinMachineClassifier(random_state=seed, inner_folds=inner_folds)
        start = time.process_time()
        machine.fit(X, y)
        fitted = time.process_time()
        _ = machine.calibration_
        calibrated = time.process_time()
        chances = machine.predict_proba(test)
        sure = chances.max(axis=1)
        right = machine.classes_[chances.argmax(axis=1)] == test_y
        bins = np.minimum((BINS * sure).astype(int), BINS - 1)
        errors = [(sure - right)[bins == k] for k in np.unique(bins)]
        of_right = chances[np.arange(len(test)), np.searchsorted(machine.classes_, test_y)]
        rows.append(
            {
                "way": way,
                "accuracy": float(right.mean()),
                "sure": float(sure.mean()),
                "error": float(sum(abs(part.sum()) for part in errors) / len(test)),
                "loss": float(-np.log(np.maximum(of_right, 1e-12)).mean()),
                "fit_seconds": round(fitted - start, 3),
                "calibration_seconds": round(calibrated - fitted, 3),
            }
        )
    return rows


def main() -> int:
    """Measure and write the page."""
    options = arguments()
    data, source = read_or_make(options.data)
    boards = Boards.of(data, "squares")
    result: dict[str, Any] = {
        "what": "calibration of probabilities",
        **stamp(),
        "data": source,
        "rows": [],
    }
    measured(numbers("iris", 0), 0)  # compiles the kernels
    for name in SETS:
        for seed in options.seeds:
            split = checkers(boards, seed) if name == "checkers" else numbers(name, seed)
            rows = [{"data": name, "seed": seed, **row} for row in measured(split, seed)]
            result["rows"] += rows
            print(name, seed, [(row["sure"], row["accuracy"]) for row in rows], flush=True)
            keep(result, options.out, page(result))
    print(page(result))
    return 0


def page(result: dict[str, Any]) -> str:
    """The result as Markdown: a row for each data set and way."""
    machine = result["machine"]
    lines = [
        f"Measured {result['date'][:10]} on {machine['cpu']}, one core, Python "
        f"{machine['python']}, by `{result['command']}`; boards of checkers: {result['data']}.",
        "",
        "| data | fitted to | right, % | says, % | calibration error, points | log loss "
        "| seconds to fit | and to calibrate |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name in dict.fromkeys(row["data"] for row in result["rows"]):
        for way in WAYS:
            of = [row for row in result["rows"] if (row["data"], row["way"]) == (name, way)]
            figures = [
                100 * np.array([row[k] for row in of]) for k in ("accuracy", "sure", "error")
            ]
            cells = [f"{part.mean():.1f} ± {part.std():.1f}" for part in figures]
            loss = np.array([row["loss"] for row in of])
            seconds = [
                f"{np.mean([row[k] for row in of]):.2f}"
                for k in ("fit_seconds", "calibration_seconds")
            ]
            lines.append(
                f"| {name.replace('_', ' ')} | {way} | {' | '.join(cells)} "
                f"| {loss.mean():.3f} ± {loss.std():.3f} | {' | '.join(seconds)} |"
            )
    seeds = len({row["seed"] for row in result["rows"]})
    return "\n".join(
        [
            *lines,
            "",
            f"Means and spreads over {seeds} splits; calibration error with {BINS} bins.",
            "",
        ]
    )


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = new_parser(__doc__)
    parser.add_argument("--data", type=Path, help="boards of checkers; without it they are made")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
