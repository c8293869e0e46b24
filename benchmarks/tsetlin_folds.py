"""Accuracy of the Tsetlin Machine over folds, stopped by adaptive epochs as Bråten (2020) does.

For every fold the machine is trained on the others and measured on it after each epoch; the
accuracy of the epoch in which the rule stops counts. (The rule thus sees the test fold. That is
how the published figures were made, and the reason for it here; for figures of one's own,
choose the epoch on inner folds.) With `--epochs` a fixed number of epochs is run instead.

    python benchmarks/tsetlin_folds.py --data boards.npz --clauses 19000 --threshold 40000
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from clauseboard.tsetlin import AdaptiveEpochs, Fit, TsetlinMachineClassifier, fit_many
from stamp import keep, new_parser, stamp
from tsetlin_data import read_or_make

LATE = 5
"""Epochs at the end whose mean accuracy is reported too: a single epoch goes up and down."""


def main() -> int:
    """Run the folds asked for, write a result file and the page over all of them."""
    options = arguments()
    data, source = read_or_make(options.data)
    result = {
        "what": "accuracy of the Tsetlin Machine over folds",
        **stamp(),
        "data": source,
        "settings": {
            name: getattr(options, name)
            for name in ("clauses", "threshold", "specificity", "block_size", "epochs", "seed")
        },
        "folds": [],
    }
    folds = options.folds or sorted(set(data["fold"].tolist()))
    machines = fit_many([fit(data, fold, options) for fold in folds], n_jobs=options.jobs)
    result["folds"] = [
        {
            "fold": fold,
            "accuracy": [epoch.score for epoch in machine.history_],
            "seconds": [round(epoch.seconds, 4) for epoch in machine.history_],
        }
        for fold, machine in zip(folds, machines, strict=True)
    ]
    last = 100 * np.array([fold["accuracy"][-1] for fold in result["folds"]])
    late = 100 * np.array([np.mean(fold["accuracy"][-LATE:]) for fold in result["folds"]])
    result["mean"], result["spread"], result["late_mean"] = last.mean(), last.std(), late.mean()
    print(f"mean {last.mean():.2f} %, spread over the folds {last.std():.2f}")
    if options.out:
        keep(result, options.out)
        write_page(options.out.parent)
    return 0


def fit(data: dict[str, np.ndarray], fold: int, options: argparse.Namespace) -> Fit:
    """Training on the other folds, measured on this one after every epoch."""
    X, y, test = np.unpackbits(data["boards"], axis=1), data["result"], data["fold"] == fold
    machine = TsetlinMachineClassifier(
        n_clauses=options.clauses,
        threshold=options.threshold,
        specificity=options.specificity,
        block_size=options.block_size,
        epochs=options.epochs or 1,
        random_state=options.seed + fold,
        device=options.device,
    )
    rule = AdaptiveEpochs(version=2, max_epochs=options.max_epochs, keep="last")
    return Fit(
        machine,
        X[~test],
        y[~test],
        validation=(X[test], y[test]),
        stop=None if options.epochs else rule,
    )


def write_page(folder: Path) -> None:
    """Put all results of this kind in a folder into one Markdown table, folds.md."""
    lines = [
        "| clauses a class | threshold | block size | seed | epochs | accuracy | last five |",
        "|---:|---:|---:|---:|---|---:|---:|",
    ]
    results = [json.loads(path.read_text()) for path in folder.glob("folds-*.json")]
    key = ("clauses", "epochs", "block_size", "seed")
    for one in sorted(results, key=lambda r: [r["settings"][k] or 0 for k in key]):
        settings, lengths = one["settings"], [len(fold["accuracy"]) for fold in one["folds"]]
        epochs = settings["epochs"] or f"adaptive, {min(lengths)} to {max(lengths)}"
        lines.append(
            f"| {settings['clauses']:,} | {settings['threshold']:,.0f} | {settings['block_size']} "
            f"| {settings['seed']} | {epochs} | {one['mean']:.2f} ± {one['spread']:.2f} % "
            f"| {one['late_mean']:.2f} % |"
        )
    sources = sorted({(one["data"], len(one["folds"])) for one in results})
    lines.append("")
    lines.append(
        "Mean and spread over "
        + ", ".join(f"{count} folds of {data}" for data, count in sources)
        + "; weighted, boosted, s 9. By `benchmarks/tsetlin_folds.py`."
    )
    (folder / "folds.md").write_text("\n".join(lines) + "\n")


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("--data", type=Path, help="boards, results and folds; without it made-up boards are used")
    add("--clauses", type=int, default=2000, help="clauses a class (default 2000)")
    add("--threshold", type=float, default=4000, help="default 4000")
    add("--specificity", type=float, default=9.0, help="default 9")
    add("--block-size", type=int, default=64, help="default 64")
    add("--epochs", type=int, help="a fixed number of epochs instead of adaptive ones")
    add("--max-epochs", type=int, default=500, help="the most that adaptive epochs run")
    add("--folds", type=int, nargs="+", help="only these folds")
    add("--seed", type=int, default=1, help="the fold's number is added to it (default 1)")
    add("--jobs", type=int, default=-1, help="folds at a time on the CPU (default: all cores)")
    add("--device", default="auto", help="cpu, gpu or auto (default): the results are the same")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
