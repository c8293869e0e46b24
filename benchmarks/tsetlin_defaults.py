"""How the default settings of classifier and regressor were chosen, and what they are worth.

Ten data sets for classification and ten for regression, which scikit-learn ships or which are known
by their definition: the Monk's problems, Tic-Tac-Toe endgames, Balance Scale, LED displays, the
Friedman problems. Numbers and texts become bits by `ThermometerEncoder()`.

    python benchmarks/tsetlin_defaults.py --choose --out results/tsetlin-defaults-choice.json
    python benchmarks/tsetlin_defaults.py --out results/tsetlin-defaults.json

With `--choose` a grid of settings is tried on splits of their own: seed 101 for classifiers, 101 to
104 for regressors, for which a wider grid had been tried there before. Without it the defaults,
those before and scikit-learn's gradient-boosted trees are compared on five others.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn import datasets
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.model_selection import train_test_split

from clauseboard.tsetlin import (
    ThermometerEncoder,
    TsetlinMachineClassifier,
    TsetlinMachineRegressor,
)
from stamp import keep, new_parser, stamp

Samples = tuple[np.ndarray, np.ndarray]

MOST_ROWS = 1500
"""To train on: enough to tell settings apart."""


# ---- data sets that are known by their definition


def every_row(*values: int) -> np.ndarray:
    """All combinations of so many values for each attribute, from 1 on."""
    return np.array(list(itertools.product(*(range(1, n + 1) for n in values))))


def monk(number: int, rng: np.random.Generator) -> Samples:
    """One of the Monk's problems (Thrun et al. 1991): 432 robots, six attributes, a concept."""
    robots = every_row(3, 3, 2, 3, 4, 2)
    head, body, _, holding, jacket, _ = robots.T
    if number == 1:
        y = (head == body) | (jacket == 1)
    elif number == 2:
        y = (robots == 1).sum(axis=1) == 2
    else:
        y = ((jacket == 3) & (holding == 1)) | ((jacket != 4) & (body != 3))
        y ^= rng.random(len(y)) < 0.05
    # Attributes are names, not numbers.
    return robots.astype(str).astype(object), y.astype(int)


def tic_tac_toe() -> Samples:
    """The 958 boards on which a game of Tic-Tac-Toe ends; does x, who begins, win?"""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    def won(board: str, player: str) -> bool:
        return any(all(board[cell] == player for cell in line) for line in lines)

    ends, seen, open_boards = {}, set(), ["b" * 9]
    while open_boards:
        board = open_boards.pop()
        if board in seen:
            continue
        seen.add(board)
        if won(board, "x") or won(board, "o") or "b" not in board:
            ends[board] = won(board, "x")
            continue
        player = "x" if board.count("b") % 2 else "o"
        open_boards += [
            board[:cell] + player + board[cell + 1 :] for cell in range(9) if board[cell] == "b"
        ]
    boards = sorted(ends)
    rows = np.array([list(board) for board in boards], object)
    return rows, np.array([int(ends[board]) for board in boards])


def balance_scale() -> Samples:
    """Which way a scale tips, by weights and distances from 1 to 5 (Siegler 1976): 625 rows."""
    rows = every_row(5, 5, 5, 5)
    return rows.astype(float), np.sign(rows[:, 0] * rows[:, 1] - rows[:, 2] * rows[:, 3])


def led(rng: np.random.Generator) -> Samples:
    """Digits on a display of seven lamps, of which each fails in one of ten cases; 17 bits more."""
    lamps = "1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011"
    shown = np.array([[int(lamp) for lamp in digit] for digit in lamps.split()])
    y = rng.integers(10, size=2000)
    X = shown[y] ^ (rng.random((2000, 7)) < 0.1)
    return np.hstack([X, rng.integers(2, size=(2000, 17))]).astype(float), y


def column_of(name: str, column: int) -> Samples:
    """One column of a data set, to be told by the others."""
    rows = getattr(datasets, f"load_{name}")().data
    return np.delete(rows, column, axis=1), rows[:, column]


CLASSES: dict[str, Callable[[int], Samples]] = {
    "iris": lambda seed: datasets.load_iris(return_X_y=True),
    "wine": lambda seed: datasets.load_wine(return_X_y=True),
    "breast cancer": lambda seed: datasets.load_breast_cancer(return_X_y=True),
    "digits": lambda seed: datasets.load_digits(return_X_y=True),
    "Monk 1": lambda seed: monk(1, np.random.default_rng(seed)),
    "Monk 2": lambda seed: monk(2, np.random.default_rng(seed)),
    "Monk 3": lambda seed: monk(3, np.random.default_rng(seed)),
    "Tic-Tac-Toe": lambda seed: tic_tac_toe(),
    "Balance Scale": lambda seed: balance_scale(),
    "LED": lambda seed: led(np.random.default_rng(seed)),
}
VALUES: dict[str, Callable[[int], Samples]] = {
    "diabetes": lambda seed: datasets.load_diabetes(return_X_y=True),
    "linnerud, pulse": lambda seed: (
        datasets.load_linnerud().data,
        datasets.load_linnerud().target[:, 2],
    ),
    "Friedman 1": lambda seed: datasets.make_friedman1(1500, noise=1.0, random_state=seed),
    "Friedman 2": lambda seed: datasets.make_friedman2(1500, noise=100.0, random_state=seed),
    "Friedman 3": lambda seed: datasets.make_friedman3(1500, noise=0.1, random_state=seed),
    "sparse uncorrelated": lambda seed: datasets.make_sparse_uncorrelated(1500, random_state=seed),
    "iris, petal width": lambda seed: column_of("iris", 3),
    "wine, alcohol": lambda seed: column_of("wine", 0),
    "breast cancer, smoothness": lambda seed: column_of("breast_cancer", 4),
    "digits, the digit": lambda seed: datasets.load_digits(return_X_y=True),
}

BEFORE: dict[str, Any] = {
    "n_clauses": 2000,
    "specificity": 9.0,
    "max_literals": None,
    "block_size": 64,
}
"""The defaults before: those of checkers; thresholds of 2 and 5 times the clauses."""

GRIDS: dict[str, dict[str, tuple[Any, ...]]] = {
    "classifier": {
        "n_clauses": (200, 600),
        "share": (0.25, 0.5, 1.0, 2.0),
        "specificity": (2.0, 4.0, 9.0),
        "max_literals": (None, 8, 16),
    },
    "regressor": {
        "n_clauses": (600, 2000),
        "share": (5.0, 15.0),
        "specificity": (2.0, 3.0, 4.0),
        "max_literals": (3, 4, 6),
    },
}


def split(samples: Samples, kind: str, seed: int) -> tuple[np.ndarray, ...]:
    """Bits and targets to train on, and to test on: 30 %."""
    rows, y = samples
    X, test, y, test_y = train_test_split(
        rows, y, test_size=0.3, stratify=y if kind == "classifier" else None, random_state=seed
    )
    X, y = X[:MOST_ROWS], y[:MOST_ROWS]
    encoder = ThermometerEncoder().fit(X)
    return encoder.transform(X), y, encoder.transform(test), test_y


def score(kind: str, settings: dict[str, Any], parts: tuple[np.ndarray, ...], seed: int) -> float:
    """Accuracy, or R², of a machine with these settings; "share" is threshold / n_clauses."""
    X, y, test, test_y = parts
    machine = (TsetlinMachineClassifier if kind == "classifier" else TsetlinMachineRegressor)(
        random_state=seed
    )
    known = dict(settings)
    share = known.pop("share", None)
    machine.set_params(**known)
    if share is not None:
        machine.set_params(threshold=max(1, share * machine.n_clauses))
    return float(machine.fit(X, y).score(test, test_y))


def candidates(options: argparse.Namespace, kind: str) -> dict[str, dict[str, Any] | None]:
    """The settings to compare, by a name; None is the trees."""
    if not options.choose:
        threshold = 2.0 if kind == "classifier" else 5.0
        return {"before": {**BEFORE, "share": threshold}, "defaults": {}, "boosted trees": None}
    grid = GRIDS[kind]
    return {
        ", ".join(f"{name} {value}" for name, value in zip(grid, values, strict=True)): dict(
            zip(grid, values, strict=True)
        )
        for values in itertools.product(*grid.values())
    }


def main() -> int:
    """Measure what is not measured yet, and write the page."""
    options = arguments()
    result: dict[str, Any] = {
        "what": "defaults of classifier and regressor",
        **stamp(),
        "rows": [],
    }
    if options.out and options.out.is_file():
        result = {**json.loads(options.out.read_text()), **stamp()}
    known = {(r["kind"], r["data"], r["seed"], r["settings"]) for r in result["rows"]}
    for kind in options.kinds:
        sets = CLASSES if kind == "classifier" else VALUES
        seeds = options.seeds or SEEDS["choose " + kind if options.choose else "compare"]
        for name, seed in itertools.product(sets, seeds):
            parts = split(sets[name](seed), kind, seed)
            for title, settings in candidates(options, kind).items():
                if (kind, name, seed, title) in known:
                    continue
                start = time.process_time()
                if settings is None:
                    trees = (
                        HistGradientBoostingClassifier
                        if kind == "classifier"
                        else HistGradientBoostingRegressor
                    )(random_state=seed)
                    figure = float(trees.fit(parts[0], parts[1]).score(parts[2], parts[3]))
                else:
                    figure = score(kind, settings, parts, seed)
                seconds = round(time.process_time() - start, 3)
                result["rows"].append(
                    {
                        "kind": kind,
                        "data": name,
                        "seed": seed,
                        "settings": title,
                        "score": round(figure, 5),
                        "seconds": seconds,
                    }
                )
            print(kind, name, seed, flush=True)
            keep(result, options.out, page(result, options.choose))
    print(page(result, options.choose))
    return 0


SEEDS = {
    "choose classifier": [101],
    "choose regressor": [101, 102, 103, 104],
    "compare": [1, 2, 3, 4, 5],
}


def page(result: dict[str, Any], choose: bool) -> str:
    """The result as Markdown: settings and their means, or data sets and what they get."""
    machine = result["machine"]
    lines = [
        f"Measured {result['date'][:10]} on {machine['cpu']}, one core, Python "
        f"{machine['python']}, by `{result['command']}`.",
    ]
    for kind in dict.fromkeys(row["kind"] for row in result["rows"]):
        rows = [row for row in result["rows"] if row["kind"] == kind]
        lines += ["", *(_choice(kind, rows) if choose else _comparison(kind, rows))]
    return "\n".join([*lines, ""])


def _choice(kind: str, rows: list[dict[str, Any]]) -> list[str]:
    """The best dozen of the settings, by what they lack to the best on each data set."""
    best: dict[str, float] = {}
    means: dict[str, dict[str, float]] = {}
    for name in dict.fromkeys(row["data"] for row in rows):
        for title in dict.fromkeys(row["settings"] for row in rows):
            of = [r["score"] for r in rows if (r["data"], r["settings"]) == (name, title)]
            if of:
                means.setdefault(title, {})[name] = float(np.mean(of))
                best[name] = max(best.get(name, -np.inf), float(np.mean(of)))
    lost = {
        title: [100 * (best[name] - figure) for name, figure in by_name.items()]
        for title, by_name in means.items()
        if len(by_name) == len(best)
    }
    order = sorted(lost, key=lambda title: np.mean(lost[title]))
    return [
        f"| {kind} | points below the best, mean | at most |",
        "|---|---:|---:|",
        *(f"| {t} | {np.mean(lost[t]):.2f} | {max(lost[t]):.2f} |" for t in order[:12]),
    ]


def _comparison(kind: str, rows: list[dict[str, Any]]) -> list[str]:
    titles = list(dict.fromkeys(row["settings"] for row in rows))
    unit = "accuracy, %" if kind == "classifier" else "R² in %"
    lines = [
        f"| {kind}, {unit} | {' | '.join(titles)} |",
        f"|---|{'---:|' * len(titles)}",
    ]
    names = list(dict.fromkeys(row["data"] for row in rows))
    for name in [*names, "mean", "seconds"]:
        of_name = [name] if name in names else names
        figure = "seconds" if name == "seconds" else "score"
        cells = []
        for title in titles:
            here = [r[figure] for r in rows if r["settings"] == title and r["data"] in of_name]
            if name == "seconds":
                cells.append(f"{np.mean(here):.2f}")
            else:
                spread = f" ± {100 * np.std(here):.1f}" if name != "mean" else ""
                cells.append(f"{100 * np.mean(here):.1f}{spread}")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    seeds = len({row["seed"] for row in rows})
    return [*lines, "", f"Means and spreads over {seeds} split{'s' * (seeds > 1)}."]


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = new_parser(__doc__)
    parser.add_argument("--choose", action="store_true", help="try a grid of settings")
    parser.add_argument("--seeds", type=int, nargs="+")
    parser.add_argument("--kinds", nargs="+", default=["classifier", "regressor"])
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
