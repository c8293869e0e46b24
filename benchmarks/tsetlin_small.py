"""Small machines and machines with a window beside the other libraries.

    python benchmarks/tsetlin_small.py --out results/tsetlin-small.json

Every library gets the same samples, clauses a class, threshold and specificity. Each measurement
is a process of its own with one thread, and the libraries take turns; the others are installed as
by `tsetlin.py`. Time is that of the processor. With a window every epoch is a call of its own, with
all that it does, such as packing the samples. Without one, all epochs are one call, since a call
costs as much as an epoch of so small a machine. Every seed is another split and another machine.
This project is measured with `block_size="auto"` and with the textbook's blocks of one sample.
Measurements are written as they come; the same command goes on where it was.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import itertools
import json
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.ndimage import zoom
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import peers
from peers import environments
from stamp import keep, new_parser, stamp
from tsetlin_blocks import noisy_xor, noisy_xor_2d
from tsetlin_data import Split, numbers
from tsetlin_measure import work
from tsetlin_report import ACCURATE_WITHIN, as_times, three_digits

TIME_LIMIT = 600.0


def digits(side: int, seed: int) -> Split:
    """Scikit-learn's digits in black and white, of 8 by 8 pixels or enlarged to 28 by 28."""
    rows, classes = load_digits(return_X_y=True)
    pictures = rows.reshape(-1, 8, 8)
    if side > 8:
        pictures = zoom(pictures, (1, side / 8, side / 8), order=1)
    X = (pictures > 7).astype(np.uint8).reshape(len(rows), -1)
    X, test, y, test_y = train_test_split(
        X, classes, test_size=0.3, stratify=classes, random_state=seed
    )
    return X, y, test, test_y


@dataclasses.dataclass(frozen=True)
class Task:
    """A data set, the settings of a machine for it, and for how many epochs it is trained."""

    split: Callable[[int], Split]
    settings: dict[str, Any]
    epochs: int


PLAIN = {"weighted": False, "boost": False, "specificity": 3.9}
TABLE = {"clauses": 100, "threshold": 100, "specificity": 4.0}
TASKS = {
    "noisy XOR, 20 clauses": Task(noisy_xor, {"clauses": 20, "threshold": 15, **PLAIN}, 30),
    "iris, 100 clauses": Task(functools.partial(numbers, "iris"), TABLE, 20),
    "2-D noisy XOR, 40 clauses, window 2 by 2": Task(
        noisy_xor_2d,
        {"clauses": 40, "threshold": 60, **PLAIN, "grid": (4, 4), "window": (2, 2)},
        20,
    ),
    "digits 8 by 8, 100 clauses, window 4 by 4": Task(
        functools.partial(digits, 8), {**TABLE, "grid": (8, 8), "window": (4, 4)}, 20
    ),
    "digits 28 by 28, 100 clauses, window 10 by 10": Task(
        functools.partial(digits, 28), {**TABLE, "grid": (28, 28), "window": (10, 10)}, 5
    ),
    "digits 28 by 28, 500 clauses, window 10 by 10": Task(
        functools.partial(digits, 28),
        {
            "clauses": 500,
            "threshold": 500,
            "specificity": 4.0,
            "grid": (28, 28),
            "window": (10, 10),
        },
        2,
    ),
}


def measured(task: Task, library: str, block_size: int | str, seed: int) -> dict[str, Any]:
    """Train a machine in a process of its own: accuracy and seconds of the processor by epoch."""
    X, y, test, test_y = task.split(seed)
    run: dict[str, Any] = {"lines": []}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "samples.npz"
        boards = {"train_boards": np.packbits(X, axis=1), "test_boards": np.packbits(test, axis=1)}
        np.savez(path, **boards, train_result=y, test_result=test_y, bits=X.shape[1])
        order = {
            "library": library,
            "settings": {
                **task.settings,
                "classes": int(np.max(y)) + 1,
                "threads": 1,
                "seed": seed,
                "block_size": block_size,
            },
            "data": str(path),
            "epochs": task.epochs,
            "time_limit": TIME_LIMIT,
            "only_warm_up": False,
            "only_training": True,
            "one_call": "window" not in task.settings,
        }
        python = environments.python_of(peers.ALL[library])
        status = work(python, order, TIME_LIMIT, run)
    return {
        "status": status,
        "versions": run.get("versions", {}),
        "accuracies": [line["accuracy"] for line in run["lines"]],
        "seconds": [line["processor"] for line in run["lines"]],
    }


def main() -> int:
    """Measure what is not measured yet, and write the page."""
    options = arguments()
    result: dict[str, Any] = {
        "what": "small machines and windows, beside other libraries",
        **stamp(),
        "rows": [],
    }
    if options.out and options.out.is_file():
        result["rows"] = json.loads(options.out.read_text())["rows"]
    ready = []
    for name, library in peers.ALL.items():
        try:
            environments.install(library)
            ready.append(name)
        except (environments.InstallError, OSError) as error:
            print(f"{name}: passed over, {error}", file=sys.stderr)
    for name, seed, library in itertools.product(TASKS, options.seeds, ready):
        task = TASKS[name]
        if not serves(library, "window" in task.settings):
            continue
        for block in ("auto", 1) if peers.ALL[library].is_ours else ("auto",):
            here = {"task": name, "library": library, "block_size": block, "seed": seed}
            if any(here.items() <= row.items() for row in result["rows"]):
                continue
            row = {**here, **measured(task, library, block, seed)}
            result["rows"].append(row)
            print(here, row["status"], row["accuracies"][-1:], sum(row["seconds"]), flush=True)
            keep(result, options.out, page(result))
    keep(result, options.out, page(result))
    print(page(result))
    return 0


def serves(library: str, window: bool) -> bool:
    """Whether a library is to be measured: if it can, and not the slower of two ways of using it.

    Without a window the index slows pyTsetlinMachine down, and tmu takes thirty times as long.
    """
    if window:
        return peers.ALL[library].has_windows and library != "pyTsetlinMachine-plain"
    return library not in ("pyTsetlinMachine", "tmu")


def page(result: dict[str, Any]) -> str:
    """The result as Markdown: a table a task, with the times of the others over ours."""
    rows, machine = result["rows"], result["machine"]
    versions = {
        f"{peers.ALL[row['library']].distribution} {row['versions']['library']}"
        for row in rows
        if row["versions"]
    }
    lines = [
        f"Measured {result['date'][:10]} on {machine['cpu']}, one core, Python "
        f"{machine['python']}, by `{result['command']}`; {', '.join(sorted(versions))}.",
    ]
    lines += [
        "",
        "| task | seeds | epochs | library | ms an epoch | accuracy, % | / auto | / block 1 |",
        "|---|---:|---:|---|---:|---:|---:|---:|",
    ]
    summary = []
    for name in dict.fromkeys(row["task"] for row in rows):
        kinds: dict[tuple[str, Any], list[dict[str, Any]]] = {}
        for row in rows:
            if row["task"] == name and row["status"] == "done":
                kinds.setdefault((row["library"], row["block_size"]), []).append(row)
        own = {block: _ms(runs) for (lib, block), runs in kinds.items() if peers.ALL[lib].is_ours}
        best = max(_accuracy(runs).mean() for runs in kinds.values())
        fastest: tuple[float, str] = (np.inf, "")
        for (library, block), runs in kinds.items():
            accuracies, ms = _accuracy(runs), _ms(runs)
            ours = peers.ALL[library].is_ours
            low = bool(accuracies.mean() < best - ACCURATE_WITHIN)
            if not ours and not low:
                fastest = min(fastest, (ms, library))
            shown = f"**{library}**, block {block}" if ours else library + " †" * low
            lines.append(
                f"| {name} | {len(runs)} | {TASKS[name].epochs} | {shown} | "
                f"{three_digits(ms)} | "
                f"{100 * accuracies.mean():.1f} ± {100 * accuracies.std():.1f} | "
                + " | ".join("" if ours else as_times(ms / own[b]) for b in ("auto", 1) if b in own)
                + " |"
            )
        if fastest[1] and len(own) == 2:
            summary.append(
                f"| {name} | {fastest[1]} | {as_times(fastest[0] / own['auto'])} | "
                f"{as_times(fastest[0] / own[1])} |"
            )
    points = f"{100 * ACCURATE_WITHIN:g}"
    lines += [
        "",
        "Milliseconds of the processor, the mean over all epochs, and of the seeds the median; "
        f"accuracies with their spread over the seeds. † is more than {points} points below the "
        "best and is not compared below.",
        "",
        "| task | fastest accurate peer | its time over ours, auto | over ours, block 1 |",
        "|---|---|---:|---:|",
        *summary,
    ]
    return "\n".join([*lines, ""])


def _ms(runs: list[dict[str, Any]]) -> float:
    return 1e3 * statistics.median(statistics.fmean(run["seconds"]) for run in runs)


def _accuracy(runs: list[dict[str, Any]]) -> np.ndarray:
    return np.array([run["accuracies"][-1] for run in runs])


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = new_parser(__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
