"""Which finder of clauses is best for a classifier of so many clauses, on five data sets.

`ClauseClassifier` with clauses of Tsetlin Machines, of boosted trees, or of both, beside
scikit-learn's gradient-boosted trees and logistic regression on the same bits. Every seed is
another split into training and test data. The penalty is chosen on inner folds of the training
data, once for each split, with a hundred clauses.

    python benchmarks/tsetlin_clauses.py --data boards.npz --out results/tsetlin-clauses.json

Boards of checkers come from a file as in `accuracy.py`: 5,000 to train on, of folds 2 to 7, and the
boards of folds 8 and 9 to test on. Without it they are made up.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from accuracy import Boards
from clauseboard.tsetlin import ClauseClassifier
from stamp import keep, new_parser, stamp
from tsetlin_data import Split, numbers, read_or_make

SETS = ("iris", "wine", "breast_cancer", "digits")
FINDERS = ("machines", "trees", "both")
SIZES = (30, 100, 300, 1000)
BOARDS = 5000


def checkers(boards: Boards, seed: int) -> Split:
    """Some boards of folds 2 to 7 to train on, those of 8 and 9 to test on."""
    known = np.flatnonzero(np.isin(boards.folds, range(2, 8)))
    train = np.random.default_rng(seed).permutation(known)[:BOARDS]
    test = np.isin(boards.folds, (8, 9))
    return boards.rows[train], boards.results[train], boards.rows[test], boards.results[test]


def measured(split: Split, finder: str, seed: int) -> list[dict[str, Any]]:
    """What classifiers of each size get right, with the penalty that is chosen for 100 clauses."""
    X, y, test, test_y = split
    rows: list[dict[str, Any]] = []
    penalty = None
    for size in sorted(SIZES, key=lambda size: size != 100):
        start = time.process_time()
        classifier = ClauseClassifier(
            size,
            finder=finder,
            penalty=penalty,
            inner_folds=0 if penalty else 3,
            random_state=seed,
        ).fit(X, y)
        penalty = classifier.penalty_
        clauses = {rule.literals for rule in classifier.rules()}
        rows.append(
            {
                "size": size,
                "accuracy": classifier.score(test, test_y),
                "clauses": len(clauses),
                "literals": float(np.mean([len(literals) for literals in clauses])),
                "penalty": penalty,
                "seconds": round(time.process_time() - start, 1),
            }
        )
    return rows


def peers(split: Split, seed: int) -> dict[str, float]:
    """What learners that cannot be read as clauses get right on the same bits."""
    X, y, test, test_y = split
    trees = HistGradientBoostingClassifier(random_state=seed, max_iter=100)
    single = LogisticRegression(max_iter=1000)
    return {
        "boosted trees": trees.fit(X, y).score(test, test_y),
        "logistic regression": single.fit(X, y).score(test, test_y),
    }


def main() -> int:
    """Measure what is not measured yet, and write the page."""
    options = arguments()
    data, source = read_or_make(options.data)
    boards = Boards.of(data, "concepts") if "checkers" in options.sets else None
    splits: dict[str, Callable[[int], Split]] = {
        name: (lambda seed, name=name: numbers(name, seed)) for name in SETS
    }
    if boards is not None:
        splits["checkers"] = lambda seed: checkers(boards, seed)
    result: dict[str, Any] = {
        "what": "accuracy by finder of clauses and number of clauses",
        **stamp(),
        "data": source,
        "rows": [],
        "peers": [],
    }
    if options.out and options.out.is_file():
        result = json.loads(options.out.read_text())
    for name, seed in itertools.product(options.sets, options.seeds):
        split = splits[name](seed)
        where = {"data": name, "seed": seed}
        if not any(where.items() <= row.items() for row in result["peers"]):
            result["peers"].append({**where, **peers(split, seed)})
        for finder in FINDERS:
            here = {**where, "finder": finder}
            if any(here.items() <= row.items() for row in result["rows"]):
                continue
            result["rows"] += [{**here, **row} for row in measured(split, finder, seed)]
            print(here, [round(row["accuracy"], 3) for row in result["rows"][-4:]], flush=True)
            keep(result, options.out, page(result))
    print(page(result))
    return 0


def page(result: dict[str, Any]) -> str:
    """The result as Markdown: a row for each data set and finder, a column for each size."""
    rows, machine = result["rows"], result["machine"]
    sizes = " | ".join(f"{size:,} clauses" for size in SIZES)
    lines = [
        f"Measured {result['date'][:10]} on {machine['cpu']}, Python {machine['python']}, by "
        f"`{result['command']}`; boards of checkers: {result['data']}.",
        "",
        f"| data | clauses of | {sizes} | literals | boosted trees | logistic regression |",
        f"|---|---|{'---:|' * len(SIZES)}---:|---:|---:|",
    ]
    names = list(dict.fromkeys(row["data"] for row in rows))
    for name, finder in itertools.product([*names, "mean"], FINDERS):
        of_name = [name] if name != "mean" else names
        here = [row for row in rows if row["finder"] == finder and row["data"] in of_name]
        by_size = [[row for row in here if row["size"] == size] for size in SIZES]
        others = [row for row in result["peers"] if row["data"] in of_name]
        cells = [shown([row["accuracy"] for row in of], name != "mean") for of in by_size]
        literals = np.mean([row["literals"] for row in here]) if here else 0.0
        seen = [shown([row[peer] for row in others], name != "mean") for peer in PEERS]
        lines.append(
            f"| {name.replace('_', ' ')} | {finder} | {' | '.join(cells)} | {literals:.1f} "
            f"| {' | '.join(seen)} |"
        )
    seeds = len({row["seed"] for row in rows})
    return "\n".join([*lines, "", f"Means and spreads over {seeds} splits.", ""])


PEERS = ("boosted trees", "logistic regression")


def shown(shares: list[float], spread: bool) -> str:
    """The mean of some shares in per cent, and how far they are apart."""
    if not shares:
        return ""
    text = f"{100 * np.mean(shares):.1f}"
    return f"{text} ± {100 * np.std(shares):.1f}" if spread else text


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = new_parser(__doc__)
    parser.add_argument("--data", type=Path, help="boards of checkers; without it they are made")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--sets", nargs="+", default=[*SETS, "checkers"])
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
