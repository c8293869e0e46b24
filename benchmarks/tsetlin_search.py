"""A search over settings of the Tsetlin Machine, chosen on inner folds, tested on outer ones.

Sixty settings (clauses, threshold, specificity, literal budget, boost), the published one among
them, are trained for every outer fold on eight of the other folds and measured on the ninth, the
inner one. The setting that does best there is trained on all nine and tested on the outer fold,
which no choice has seen. All machines of the search are trained at once with `fit_many`.

    python benchmarks/tsetlin_search.py --data boards.npz --out docs/results/search.json
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from clauseboard.tsetlin import Fit, TsetlinMachineClassifier, fit_many
from stamp import keep, new_parser, stamp
from tsetlin_data import read_or_make

PUBLISHED = {"n_clauses": 19_000, "threshold": 40_000, "specificity": 9.0}
CLAUSES = (1_000, 2_000, 4_000, 8_000, 19_000)
THRESHOLDS = (0.5, 1.0, 2.0, 4.0)
"""Votes for each clause."""
SPECIFICITIES = (3.0, 5.0, 9.0, 15.0, 25.0)
BUDGETS = (None, 8, 16, 32)
BOOSTS = (True, False)
LATE = 5
"""Epochs at the end whose mean accuracy counts."""


def main() -> int:
    """Search, print and perhaps keep it."""
    options = arguments()
    data, source = read_or_make(options.data)
    X, y, fold = np.unpackbits(data["boards"], axis=1), data["result"], data["fold"]
    settings = choose_settings(options.settings, options.seed)
    folds = sorted(set(fold.tolist()))

    def fit(setting: dict[str, Any], left_out: list[int], watched: int, seed: int) -> Fit:
        """Train without the folds left out, measuring on one of them after every epoch."""
        kept, test = ~np.isin(fold, left_out), fold == watched
        machine = TsetlinMachineClassifier(
            **setting, epochs=options.epochs, random_state=seed, device=options.device
        )
        return Fit(machine, X[kept], y[kept], validation=(X[test], y[test]))

    pairs = list(itertools.product(range(len(settings)), folds))
    start = time.perf_counter()
    machines = fit_many(
        [
            fit(settings[k], [outer, inner(outer, folds)], inner(outer, folds), 1000 * k + outer)
            for k, outer in pairs
        ],
        n_jobs=options.jobs,
    )
    seconds = time.perf_counter() - start
    late = np.array([late_accuracy(machine) for machine in machines])
    inner_accuracy = late.reshape(len(settings), len(folds))
    best_overall = int(inner_accuracy.mean(axis=1).argmax())
    best_by_fold = inner_accuracy.argmax(axis=0)
    tested = fit_many(
        [fit(settings[best_by_fold[i]], [f], f, 500_000 + f) for i, f in enumerate(folds)]
        + [fit(settings[best_overall], [f], f, 600_000 + f) for f in folds]
        + [fit(PUBLISHED, [f], f, 700_000 + f) for f in folds],
        n_jobs=options.jobs,
    )
    outer_accuracy = np.array([late_accuracy(machine) for machine in tested]).reshape(3, -1)
    result = {
        "what": "a search over settings, chosen on inner folds",
        **stamp(),
        "data": source,
        "epochs": options.epochs,
        "seconds": seconds,
        "settings": settings,
        "inner_accuracy": inner_accuracy.tolist(),
        "best": settings[best_overall],
        "best_by_fold": [settings[k] for k in best_by_fold],
        "tested": dict(zip(("by_fold", "best", "published"), outer_accuracy.tolist(), strict=True)),
    }
    text = page(result)
    print(text)
    keep(result, options.out, text)
    return 0


def inner(outer: int, folds: list[int]) -> int:
    """The fold on which settings are compared when `outer` is kept for the test."""
    return folds[(folds.index(outer) + 1) % len(folds)]


def late_accuracy(machine: Any) -> float:
    """The mean accuracy of the last epochs, in per cent: a single one goes up and down."""
    return 100 * float(np.mean([epoch.score for epoch in machine.history_[-LATE:]]))


def choose_settings(count: int, seed: int) -> list[dict[str, Any]]:
    """The published setting and others, drawn from a grid without repetition."""
    grid = list(itertools.product(CLAUSES, THRESHOLDS, SPECIFICITIES, BUDGETS, BOOSTS))
    drawn = np.random.default_rng(seed).permutation(len(grid))[: count - 1]
    settings = [PUBLISHED]
    for clauses, votes, specificity, budget, boost in (grid[i] for i in drawn):
        settings.append(
            {
                "n_clauses": clauses,
                "threshold": votes * clauses,
                "specificity": specificity,
                "max_literals": budget,
                "boost_true_positive": boost,
            }
        )
    return settings


def in_words(setting: dict[str, Any]) -> str:
    """A setting as cells of a table."""
    budget = setting.get("max_literals")
    return (
        f"{setting['n_clauses']:,} | {setting['threshold']:,.0f} | {setting['specificity']:g} "
        f"| {'none' if budget is None else budget} "
        f"| {'yes' if setting.get('boost_true_positive', True) else 'no'}"
    )


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    inner_accuracy = np.array(result["inner_accuracy"])
    means = inner_accuracy.mean(axis=1)
    tested = {name: np.array(values) for name, values in result["tested"].items()}

    def mean(name: str) -> str:
        return f"{tested[name].mean():.2f} ± {tested[name].std():.2f} %"

    lines = [
        f"Measured {result['date'][:10]} by `{result['command']}` on {result['data']}: "
        f"{len(result['settings'])} settings, {inner_accuracy.shape[1]} folds, "
        f"{result['epochs']} epochs each in {result['seconds']:.0f} s. Accuracies are means over "
        f"the last {LATE} epochs.",
        "",
        "Best by the mean over all inner folds:",
        "",
        "| clauses a class | threshold | s | literals | boost | outer folds |",
        "|---:|---:|---:|---:|---|---:|",
        f"| {in_words(result['best'])} | {mean('best')} |",
        "",
        f"Tested on the outer folds: chosen for each fold by its own inner fold, which never saw "
        f"it, {mean('by_fold')}; the best of the table above {mean('best')} (its choice has seen "
        f"every fold as an inner one, so this one flatters it a little); the published setting "
        f"{mean('published')}.",
        "",
        "| clauses a class | threshold | s | literals | boost | inner folds |",
        "|---:|---:|---:|---:|---|---:|",
    ]
    for k in np.argsort(-means):
        spread = inner_accuracy[k].std()
        lines.append(f"| {in_words(result['settings'][k])} | {means[k]:.2f} ± {spread:.2f} % |")
    return "\n".join(lines) + "\n"


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("--data", type=Path, help="boards, results and folds; without it made-up boards are used")
    add("--settings", type=int, default=60, help="how many, the published one included (60)")
    add("--epochs", type=int, default=40, help="epochs of every machine (40)")
    add("--seed", type=int, default=1, help="for the drawing of settings (1)")
    add("--device", default="auto", help="cpu, gpu or auto (default)")
    add("--jobs", type=int, default=-1, help="machines at a time on the CPU (default: all cores)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
