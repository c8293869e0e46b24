"""The Tsetlin Machine on a GPU: time, share of the memory bandwidth, accuracy.

Ten folds are trained side by side for a fixed number of epochs, and once more stopped by adaptive
epochs (version 2, by the accuracy on the test fold, as Bråten 2020 does). Then votes are counted on
many boards, by a machine of 2,000 clauses a class.

    python benchmarks/tsetlin_gpu.py --data boards.npz --out docs/results/gpu.json

The share of the bandwidth counts only what training cannot do without: each clause's automata
read and written once a block.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from clauseboard.tsetlin import AdaptiveEpochs, Fit, TsetlinMachineClassifier, fit_many, gpu
from stamp import keep, new_parser, stamp
from tsetlin_data import read_or_make


def main() -> int:
    """Measure, print and perhaps keep it."""
    options = arguments()
    if gpu.problem() is not None:
        print(f"tsetlin_gpu.py: {gpu.problem()}.", file=sys.stderr)
        return 2
    data, source = read_or_make(options.data)
    import cupy

    card = cupy.cuda.runtime.getDeviceProperties(0)
    result = {
        "what": "the Tsetlin Machine on a GPU",
        **stamp(),
        "gpu": card["name"].decode(),
        "cupy": cupy.__version__,
        "data": source,
        "bandwidth_gb_s": copy_bandwidth(),
        "training": [],
    }
    # Kernels are compiled once a machine's kind, and then kept on disk.
    train(data, 100, 200, epochs=1)
    for clauses, threshold, epochs in ((19_000, 40_000, 60), (2_000, 4_000, 15)):
        for folds in (range(10), [3]):
            result["training"].append(train(data, clauses, threshold, epochs=epochs, folds=folds))
            print(line(result["training"][-1], result), flush=True)
    for seed in range(1, options.seeds + 1):
        result["training"].append(train(data, 19_000, 40_000, seed=seed))
        print(line(result["training"][-1], result), flush=True)
    result["votes"] = [count_votes(data, clauses) for clauses in (2_000, 19_000)]
    for votes in result["votes"]:
        print(vote_line(votes), flush=True)
    keep(result, options.out, page(result))
    return 0


def copy_bandwidth() -> float:
    """Gigabytes a second, read and written, that a plain copy on the device reaches."""
    import cupy

    source = cupy.zeros(1 << 28, np.uint64)
    target = cupy.empty_like(source)
    best = np.inf
    for _ in range(5):
        cupy.cuda.Device().synchronize()
        start = time.perf_counter()
        cupy.copyto(target, source)
        cupy.cuda.Device().synchronize()
        best = min(best, time.perf_counter() - start)
    return 2 * source.nbytes / best / 1e9


def train(
    data: dict[str, np.ndarray],
    clauses: int,
    threshold: float,
    epochs: int | None = None,
    folds: Any = range(10),
    seed: int = 1,
) -> dict[str, Any]:
    """Train folds side by side; without `epochs` they are adaptive."""
    X, y = np.unpackbits(data["boards"], axis=1), data["result"]
    fits = []
    for fold in folds:
        test = data["fold"] == fold
        machine = TsetlinMachineClassifier(
            clauses, threshold, epochs=epochs or 1, random_state=100 * seed + fold, device="gpu"
        )
        stop = None if epochs else AdaptiveEpochs(version=2, keep="last")
        validation = (X[test], y[test])
        fits.append(Fit(machine, X[~test], y[~test], validation=validation, stop=stop))
    start = time.perf_counter()
    machines = fit_many(fits, progress=False)
    seconds = time.perf_counter() - start
    scores = [[epoch.score for epoch in machine.history_] for machine in machines]
    longest = max(machines, key=lambda machine: len(machine.history_))
    blocks = sum(
        len(machine.history_) * -(-2 * np.count_nonzero(data["fold"] != fold) // 3 // 64)
        for machine, fold in zip(machines, folds, strict=True)
    )
    words = machines[0].banks_.automata
    return {
        "clauses": clauses,
        "threshold": threshold,
        "folds": len(machines),
        "seed": seed,
        "epochs": [len(history) for history in scores],
        "adaptive": epochs is None,
        "seconds": seconds,
        "seconds_an_epoch": [epoch.seconds for epoch in longest.history_],
        "automata_gb": 2 * words.nbytes * blocks / 1e9,
        "accuracy": 100 * float(np.mean([history[-1] for history in scores])),
        "spread": 100 * float(np.std([history[-1] for history in scores])),
        "last_five": 100 * float(np.mean([np.mean(history[-5:]) for history in scores])),
    }


def count_votes(data: dict[str, np.ndarray], clauses: int) -> dict[str, Any]:
    """How many boards a second a machine judges: from Python, and on the device alone."""
    import cupy

    X, y = np.unpackbits(data["boards"], axis=1), data["result"]
    machine = TsetlinMachineClassifier(
        clauses, 2 * clauses, epochs=5, random_state=1, device="gpu"
    ).fit(X, y, progress=False)
    few, many = X[:4096], np.tile(X, (1 + 4_000_000 // len(X), 1))
    assert np.array_equal(machine.votes(few), machine.set_params(device="cpu").votes(few))
    machine.set_params(device="gpu")
    table = gpu.GpuVotes(machine.banks_, machine.both_signs)
    boards = gpu.GpuSamples(table.view, gpu.COUNT_PLANES, many)
    device, whole = np.inf, np.inf
    for _ in range(3):
        cupy.cuda.Device().synchronize()
        start = time.perf_counter()
        boards.votes(table.include, 2 * table.view.n_words, table.weights, table.both_signs)
        cupy.cuda.Device().synchronize()
        device = min(device, time.perf_counter() - start)
        start = time.perf_counter()
        machine.votes(many)
        whole = min(whole, time.perf_counter() - start)
    return {
        "clauses": clauses,
        "boards": len(many),
        "boards_a_second_on_the_device": len(many) / device,
        "boards_a_second": len(many) / whole,
    }


def line(row: dict[str, Any], result: dict[str, Any]) -> str:
    """One row of the table of training runs."""
    runs = row["epochs"]
    epochs = f"adaptive, {min(runs)} to {max(runs)}" if row["adaptive"] else f"{runs[0]}"
    trained = sum(row["seconds_an_epoch"])
    share = row["automata_gb"] / trained / result["bandwidth_gb_s"]
    return (
        f"| {row['clauses']:,} | {row['threshold']:,} | {row['folds']} | {row['seed']} | {epochs} "
        f"| {row['seconds']:.2f} | {1e3 * np.median(row['seconds_an_epoch']):.1f} "
        f"| {100 * share:.0f} % | {row['accuracy']:.2f} ± {row['spread']:.2f} % "
        f"| {row['last_five']:.2f} % |"
    )


def vote_line(votes: dict[str, Any]) -> str:
    """One row of the table of votes."""
    return (
        f"| {votes['clauses']:,} | {votes['boards_a_second_on_the_device'] / 1e6:.1f} million "
        f"| {votes['boards_a_second'] / 1e6:.1f} million |"
    )


def page(result: dict[str, Any]) -> str:
    """The result as Markdown."""
    head = (
        f"Measured {result['date'][:10]} on one {result['gpu']}, CuPy {result['cupy']}, Python "
        f"{result['machine']['python']}, by `{result['command']}`, on {result['data']}. A plain "
        f"copy on the device moves {result['bandwidth_gb_s']:,.0f} GB a second."
    )
    training = [line(row, result) for row in result["training"]]
    return "\n".join(
        [
            head,
            "",
            "| clauses a class | threshold | folds | seed | epochs | s in all | ms an epoch "
            "| bandwidth | accuracy | last five |",
            "|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|",
            *training,
            "",
            "All folds are trained at once, and the seconds have everything in them: sending the "
            "boards, measuring the accuracy after every epoch, bringing back the machines. The "
            "share of the bandwidth counts what cannot be avoided, each clause's automata read and "
            "written once a block.",
            "",
            "| clauses a class | boards a second on the device | from Python and back |",
            "|---:|---:|---:|",
            *(vote_line(votes) for votes in result["votes"]),
            "",
        ]
    )


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = new_parser(__doc__)
    parser.add_argument("--data", type=Path, help="boards, results and folds; else made-up boards")
    parser.add_argument("--seeds", type=int, default=3, help="adaptive runs (default 3)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
