"""What single calls cost: the import of the library, and a `partial_fit` of one sample.

    python benchmarks/tsetlin_calls.py --out results/tsetlin-calls.json

An import is a process of its own that does nothing else, with its files in the system's cache;
`python` is one that imports nothing. Other libraries run in their environments (see `tsetlin.py`),
and all take turns. Machines for `partial_fit` have this library's defaults, and have learned from
the training data for some epochs; every seed is another split and another machine. green-tsetlin
has no call for one sample.
"""

from __future__ import annotations

import argparse
import itertools
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import peers
from clauseboard.tsetlin import TsetlinMachineClassifier
from peers import environments
from stamp import keep, new_parser, stamp
from tsetlin_data import numbers
from tsetlin_measure import work
from tsetlin_report import three_digits

IMPORTS = {
    "python": ("clauseboard", "pass"),
    "numpy": ("clauseboard", "import numpy"),
    "pandas": ("clauseboard", "import pandas"),
    "sklearn.base": ("clauseboard", "import sklearn.base"),
    "**clauseboard.tsetlin**": (
        "clauseboard",
        "from clauseboard.tsetlin import TsetlinMachineClassifier",
    ),
    "pyTsetlinMachine": ("pyTsetlinMachine", "import pyTsetlinMachine.tm"),
    "green-tsetlin": ("green-tsetlin", "import green_tsetlin"),
    "tmu": ("tmu", "import tmu.models.classification.vanilla_classifier"),
}
"""What is imported, in whose environment."""

DATA = ("iris", "breast_cancer", "digits")
LIBRARIES = ("clauseboard", "pyTsetlinMachine-plain", "pyTsetlinMachineParallel", "tmu")
ROWS, EPOCHS, TIME_LIMIT = 1000, 10, 600.0
"""Calls of which the median is taken, and epochs before them."""


def import_seconds(library: str, code: str) -> dict[str, float]:
    """Seconds of the clock and of the processor of a process that runs this code."""
    command = [environments.python_of(peers.ALL[library]), "-c", code]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"clock": clock, "processor": processor}


def one_row(library: str, data: str, seed: int) -> dict[str, Any]:
    """Milliseconds of the processor for a call with one sample, in a process of its own."""
    X, y, test, test_y = numbers(data, seed)
    defaults = TsetlinMachineClassifier()
    run: dict[str, Any] = {"lines": []}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "samples.npz"
        boards = {"train_boards": np.packbits(X, axis=1), "test_boards": np.packbits(test, axis=1)}
        np.savez(path, **boards, train_result=y, test_result=test_y, bits=X.shape[1])
        order = {
            "library": library,
            "settings": {
                "clauses": defaults.n_clauses,
                "threshold": defaults._default_threshold(),
                "specificity": defaults.specificity,
                "classes": int(np.max(y)) + 1,
                "threads": 1,
                "seed": seed,
            },
            "data": str(path),
            "epochs": EPOCHS,
            "time_limit": TIME_LIMIT,
            "only_warm_up": False,
            "single_samples": ROWS,
        }
        status = work(environments.python_of(peers.ALL[library]), order, TIME_LIMIT, run)
    return {"status": status, "milliseconds": [line["milliseconds"] for line in run["lines"]]}


def main() -> int:
    """Measure in turns and write the page."""
    options = arguments()
    result: dict[str, Any] = {
        "what": "the import of Tsetlin Machine libraries, and partial_fit of one sample",
        **stamp(),
        "imports": [],
        "rows": [],
    }
    ready = set()
    for library in peers.ALL:
        try:
            environments.install(peers.ALL[library])
            ready.add(library)
        except (environments.InstallError, OSError) as error:
            print(f"{library}: passed over, {error}", file=sys.stderr)
    for round_, (name, (library, code)) in itertools.product(
        range(options.rounds), IMPORTS.items()
    ):
        if library in ready:
            seconds = import_seconds(library, code)
            if round_ > 0:  # the first one fills the system's cache
                result["imports"].append({"name": name, **seconds})
    for data, seed, library in itertools.product(DATA, options.seeds, LIBRARIES):
        if library in ready:
            row = {"data": data, "seed": seed, "library": library, **one_row(library, data, seed)}
            result["rows"].append(row)
            print(row, flush=True)
    keep(result, options.out, page(result))
    print(page(result))
    return 0


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    machine = result["machine"]
    lines = [
        f"Measured {result['date'][:10]} on {machine['cpu']}, {machine['cores']} cores, Python "
        f"{machine['python']}, by `{result['command']}`.",
        "",
        "| import | processes | s of the processor | s by the clock, median | at least |",
        "|---|---:|---:|---:|---:|",
    ]
    for name in IMPORTS:
        runs = [row for row in result["imports"] if row["name"] == name]
        if runs:
            processor, clock = ([row[key] for row in runs] for key in ("processor", "clock"))
            lines.append(
                f"| {name} | {len(runs)} | {statistics.median(processor):.2f} ± "
                f"{statistics.pstdev(processor):.2f} | {statistics.median(clock):.2f} | "
                f"{min(clock):.2f} |"
            )
    lines += [
        "",
        "| `partial_fit` of one sample, ms | seeds | " + " | ".join(LIBRARIES) + " |",
        "|---|---:|" + "---:|" * len(LIBRARIES),
    ]
    for data in DATA:
        cells = []
        for library in LIBRARIES:
            times = [
                row["milliseconds"][0]
                for row in result["rows"]
                if row["data"] == data and row["library"] == library and row["milliseconds"]
            ]
            spread = f" ({min(times):.3g} to {max(times):.3g})" if times else ""
            cells.append(three_digits(statistics.median(times)) + spread if times else "")
        seeds = len({row["seed"] for row in result["rows"] if row["data"] == data})
        lines.append(f"| {data.replace('_', ' ')} | {seeds} | " + " | ".join(cells) + " |")
    lines += ["", "Medians, and the least and the most of the seeds; time of the processor."]
    return "\n".join([*lines, ""])


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = new_parser(__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--rounds", type=int, default=11, help="imports of each, and one more")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
