"""What blocks of samples cost in accuracy and save in time, on eleven tasks.

The same machine is trained with several block sizes, for as many epochs: the textbook algorithm
(1), the largest blocks (64) and what `block_size="auto"` chooses. Every seed is another split into
training and test data, or another fold of the boards of checkers.

    python benchmarks/tsetlin_blocks.py --data boards.npz --out results/tsetlin-blocks.json

Each measurement is written to the file as it comes; the same command goes on where it was. Time is
that of the processor, one thread. The rule behind "auto" was chosen with `--seeds 101 102 103 104`
(folds 8 and 9 of the boards), which are not reported.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import itertools
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from accuracy import Boards
from clauseboard.tsetlin import TsetlinMachineClassifier
from stamp import keep, new_parser, stamp
from tsetlin_data import Split, numbers, read_or_make

TUNING_SEED = 100
"""Seeds above it are for choosing the rule: of the boards of checkers they see folds 8 and 9."""


def noisy_xor(seed: int) -> Split:
    """Two of twelve bits decide; 40 % of the labels to train on are wrong (Granmo 2018)."""
    rng = np.random.default_rng(seed)
    X = rng.integers(2, size=(10_000, 12), dtype=np.uint8)
    y = X[:, 0] ^ X[:, 1]
    noisy = np.where(rng.random(5000) < 0.4, 1 - y[:5000], y[:5000])
    return X[:5000], noisy, X[5000:], y[5000:]


def noisy_xor_2d(seed: int) -> Split:
    """Boards of 4 by 4 with a line in the upper right corner (after Granmo et al. 2019).

    A diagonal there is class 1, a line along or across class 0; the other cells are random. 40 % of
    the labels to train on are wrong.
    """
    rng = np.random.default_rng(seed)
    boards = rng.integers(2, size=(10_000, 4, 4), dtype=np.uint8)
    y = rng.integers(2, size=10_000)
    diagonals = np.array([[[1, 0], [0, 1]], [[0, 1], [1, 0]]])
    lines = np.array([[[1, 1], [0, 0]], [[0, 0], [1, 1]], [[1, 0], [1, 0]], [[0, 1], [0, 1]]])
    corner = np.where(
        y[:, None, None] == 1,
        diagonals[rng.integers(2, size=10_000)],
        lines[rng.integers(4, size=10_000)],
    )
    boards[:, :2, 2:] = corner
    noisy = np.where(rng.random(5000) < 0.4, 1 - y[:5000], y[:5000])
    X = boards.reshape(10_000, 16)
    return X[:5000], noisy, X[5000:], y[5000:]


def of_fold(boards: Boards, seed: int) -> Split:
    """The boards of one fold to test on, the others to train on."""
    fold = seed % 2 + 8 if seed > TUNING_SEED else seed % 8
    test = boards.folds == fold
    return boards.rows[~test], boards.results[~test], boards.rows[test], boards.results[test]


@dataclasses.dataclass(frozen=True)
class Task:
    """A data set, a machine for it, and for how many epochs it is trained."""

    split: Callable[[int], Split]
    settings: dict[str, Any]
    epochs: int


def all_tasks(data: dict[str, np.ndarray]) -> dict[str, Task]:
    """The tasks by name."""

    @functools.cache
    def boards(bits: str) -> Boards:
        return Boards.of(data, bits)

    plain = {"weighted": False, "boost_true_positive": False, "specificity": 3.9}
    tasks = {
        "noisy XOR": Task(noisy_xor, {"n_clauses": 20, "threshold": 15, **plain}, 30),
        "2-D noisy XOR": Task(
            noisy_xor_2d,
            {"n_clauses": 40, "threshold": 60, "board_shape": (4, 4, 1), "window": (2, 2), **plain},
            30,
        ),
    }
    for name in ("iris", "wine", "breast_cancer", "digits"):
        tasks[name.replace("_", " ")] = Task(
            functools.partial(numbers, name),
            {"n_clauses": 100, "threshold": 100, "specificity": 4.0},
            20,
        )
    for n_clauses in (100, 300):
        tasks[f"checkers concepts, {n_clauses} clauses"] = Task(
            lambda seed: of_fold(boards("concepts"), seed),
            {"n_clauses": n_clauses, "threshold": 2 * n_clauses, "specificity": 5.0},
            10,
        )
    for n_clauses, threshold, epochs in ((200, 400, 15), (2000, 4000, 10), (19_000, 40_000, 2)):
        tasks[f"checkers squares, {n_clauses:,} clauses"] = Task(
            lambda seed: of_fold(boards("squares"), seed),
            {"n_clauses": n_clauses, "threshold": threshold, "specificity": 9.0},
            epochs,
        )
    return tasks


def measured(task: Task, block_size: int | str, seed: int) -> dict[str, Any]:
    """The accuracy after each epoch, and seconds of the processor for each."""
    X, y, test, test_y = task.split(seed)
    machine = TsetlinMachineClassifier(
        **task.settings, block_size=block_size, epochs=task.epochs, random_state=seed
    )
    seconds = []
    start = time.process_time()

    def note(epoch: Any) -> bool:
        nonlocal start
        seconds.append(round(time.process_time() - start, 4))
        accuracies.append(round(machine.score(test, test_y), 5))
        start = time.process_time()
        return False

    accuracies: list[float] = []
    machine.fit(X, y, callback=note)
    return {"accuracies": accuracies, "seconds": seconds}


def warm_up() -> None:
    """Compile the kernels, so that no run is timed with it."""
    X = np.random.default_rng(0).integers(2, size=(200, 16), dtype=np.uint8)
    for window in (None, (2, 2)):
        machine = TsetlinMachineClassifier(4, board_shape=(4, 4, 1), window=window, epochs=1)
        machine.fit(X, X[:, 0]).predict(X)


def main() -> int:
    """Measure what is not measured yet, and write the page."""
    options = arguments()
    data, source = read_or_make(options.data)
    tasks = all_tasks(data)
    unknown = [name for name in options.tasks or () if name not in tasks]
    if unknown:
        known = "; ".join(tasks)
        print(f"tsetlin_blocks.py: there is no task {unknown[0]!r}, only {known}.", file=sys.stderr)
        return 2
    result: dict[str, Any] = {
        "what": "accuracy and time by block size",
        **stamp(),
        "data": source,
        "rows": [],
    }
    if options.out and options.out.is_file():
        result = {**json.loads(options.out.read_text()), **stamp()}
    warm_up()
    for name, seed, block in itertools.product(
        options.tasks or tasks, options.seeds, options.blocks
    ):
        here = {"task": name, "seed": seed, "block_size": block}
        if any(here.items() <= row.items() for row in result["rows"]):
            continue
        row = {**here, **measured(tasks[name], block, seed)}
        result["rows"].append(row)
        print(here, row["accuracies"][-1], sum(row["seconds"]), flush=True)
        keep(result, options.out, page(result))
    print(page(result))
    return 0


def page(result: dict[str, Any]) -> str:
    """The result as Markdown: a row for each task, columns for each block size."""
    rows, machine = result["rows"], result["machine"]
    blocks = list(dict.fromkeys(row["block_size"] for row in rows))
    heads = [f"block {block}" for block in blocks]
    others = [block for block in blocks if block != 1]
    lines = [
        f"Measured {result['date'][:10]} on {machine['cpu']}, one core, Python "
        f"{machine['python']}, by `{result['command']}`; boards of checkers: {result['data']}.",
        "",
        "**Accuracy after the last epoch, in per cent**",
        "",
        f"| task | seeds | epochs | {' | '.join(heads)} | "
        f"{' | '.join(f'{b} - 1' for b in others)} |",
        f"|---|---:|---:|{'---:|' * (len(heads) + len(others))}",
    ]
    names = list(dict.fromkeys(row["task"] for row in rows))
    runs = {
        name: {
            block: {r["seed"]: r for r in rows if (r["task"], r["block_size"]) == (name, block)}
            for block in blocks
        }
        for name in names
    }
    for name in names:
        of = runs[name]
        epochs = max(len(run["accuracies"]) for by_seed in of.values() for run in by_seed.values())
        cells = [shown([run["accuracies"][-1] for run in of[b].values()]) for b in blocks]
        lines.append(
            f"| {name} | {len(of[blocks[0]])} | {epochs} | {' | '.join(cells)} | "
            f"{' | '.join(difference(of[b], of.get(1, {}), last) for b in others)} |"
        )
    lines += [
        "",
        "**Mean accuracy over all epochs, less that of block 1, in points; seconds an epoch**",
        "",
        f"| task | {' | '.join(f'{b} - 1' for b in others)} | {' | '.join(heads)} |",
        f"|---|{'---:|' * (len(heads) + len(others))}",
    ]
    for name in names:
        of = runs[name]
        cells = [
            f"{np.mean([np.mean(r['seconds']) for r in of[b].values()]):.3f}" if of[b] else ""
            for b in blocks
        ]
        lines.append(
            f"| {name} | {' | '.join(difference(of[b], of.get(1, {}), mean) for b in others)} | "
            f"{' | '.join(cells)} |"
        )
    return "\n".join(
        [
            *lines,
            "",
            "Means and standard deviations over the seeds; differences with the standard "
            "error of their mean.",
            "",
        ]
    )


def last(run: dict[str, Any]) -> float:
    """The accuracy after the last epoch."""
    return float(run["accuracies"][-1])


def mean(run: dict[str, Any]) -> float:
    """The mean accuracy of all epochs: how fast a machine learns."""
    return float(np.mean(run["accuracies"]))


def difference(
    these: dict[int, Any], those: dict[int, Any], figure: Callable[[dict[str, Any]], float]
) -> str:
    """How much better these runs are than those of the same seeds, in points, and the error."""
    pairs = [(figure(these[seed]), figure(those[seed])) for seed in these if seed in those]
    if len(pairs) < 2:
        return ""
    gains = 100 * np.subtract(*np.transpose(pairs))
    return f"{gains.mean():+.2f} ± {gains.std(ddof=1) / len(gains) ** 0.5:.2f}"


def shown(shares: list[float]) -> str:
    """The mean of some shares in per cent, and how far they are apart."""
    return f"{100 * np.mean(shares):.1f} ± {100 * np.std(shares):.1f}" if shares else ""


def _block(text: str) -> int | str:
    return text if text == "auto" else int(text)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = new_parser(__doc__)
    parser.add_argument("--data", type=Path, help="boards of checkers; without it they are made")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--blocks", type=_block, nargs="+", default=[1, 64, "auto"])
    parser.add_argument("--tasks", nargs="+", help="only these")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
