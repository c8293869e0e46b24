"""A search for settings on made-up boards, to be killed; run as a program: FOLDER WAY [PAUSE]."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np

from clauseboard import tuning
from clauseboard.papers import training
from clauseboard.papers.boards import BoardSet, LabelledBoards
from clauseboard.papers.training import MachineParameters
from clauseboard.tuning import TuningProblem, tune_by_steps, tune_by_study

TRIALS = 6


def some_boards():
    """300 boards of 16 bits in five folds; who wins shows in two of the bits, mostly."""
    rng = np.random.default_rng(1)
    X = rng.integers(2, size=(300, 16), dtype=np.uint8)
    results = np.where(rng.random(300) < 0.1, rng.integers(3, size=300), X[:, 0] + X[:, 9])
    return LabelledBoards(
        BoardSet("checkers", "standard-end", False), "made up", False,
        np.packbits(X, axis=1, bitorder="little"), 16, results.astype(np.uint8),
        (np.arange(300) % 5).astype(np.uint8), 5,
    )  # fmt: skip


def some_problem(**changes):
    return TuningProblem(
        some_boards(),
        MachineParameters(8, 10, 4),
        **{"epochs": 5, "n_folds": 2, "test_fold": 1, **changes},
    )


def slowly(pause):
    """Let every task take a while longer, so that there is time to kill it."""
    train = training.train

    def slow(tasks, told, device):
        time.sleep(pause)
        return train(tasks, told, device)

    slow.recorded_name = train.recorded_name  # it is part of the keys of tasks
    training.train = tuning.train = slow


def search(folder, way):
    """Search to the end, going on with what is in the folder; what was found, without times."""
    record = folder / "runs.sqlite"
    if way == "optuna":
        page = tune_by_study(some_problem(), record, folder / "study.sqlite", trials=TRIALS)
    else:
        page = tune_by_steps(some_problem(), record, way=way, rounds=1)
    for trial in page["trials"]:
        del trial["seconds"]
    return json.loads(json.dumps({"trials": page["trials"], "best": page["best"]}))


if __name__ == "__main__":
    slowly(float(sys.argv[3]) if len(sys.argv) > 3 else 0.0)
    print(json.dumps(search(Path(sys.argv[1]), sys.argv[2])))
