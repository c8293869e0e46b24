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
from tsetlin_data import MADE_BOARDS, make, read

from clauseboard.learners.tsetlin import AdaptiveEpochs, TsetlinMachineClassifier


def main() -> int:
    """Run the folds asked for and write one JSON file."""
    options = arguments()
    data = read(options.data) if options.data else make(MADE_BOARDS, seed=0)
    X, y, folds = np.unpackbits(data["boards"], axis=1), data["result"], data["fold"]
    wanted = options.folds or sorted(set(folds.tolist()))
    rule = AdaptiveEpochs(version=2, max_epochs=options.max_epochs)
    result = {"settings": {k: str(v) for k, v in vars(options).items()}, "folds": []}
    for fold in wanted:
        test = folds == fold
        machine = TsetlinMachineClassifier(
            n_clauses=options.clauses,
            threshold=options.threshold,
            specificity=options.specificity,
            block_size=options.block_size,
            epochs=options.epochs or 1,
            random_state=options.seed + fold,
            n_jobs=options.jobs,
        )
        machine.fit(
            X[~test],
            y[~test],
            validation=(X[test], y[test]),
            stop=None if options.epochs else rule,
        )
        scores = [epoch.score for epoch in machine.history_]
        seconds = [round(epoch.seconds, 4) for epoch in machine.history_]
        result["folds"].append({"fold": fold, "accuracy": scores, "seconds": seconds})
        print(
            f"fold {fold}: {100 * scores[-1]:.2f} % after {len(scores)} epochs "
            f"(best {100 * max(scores):.2f}), {min(seconds):.3f} s an epoch",
            flush=True,
        )
    last = np.array([fold["accuracy"][-1] for fold in result["folds"]])
    result["mean"], result["spread"] = last.mean(), last.std()
    print(f"mean {100 * last.mean():.2f} %, spread over the folds {100 * last.std():.2f}")
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(result, indent=1) + "\n")
    return 0


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
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
    add("--jobs", type=int, default=-1, help="threads (default: all cores)")
    add("--out", type=Path, help="write a result file")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
