"""A table whose tasks take a moment each, to be killed; run as a program: FOLDER [PAUSE]."""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path

from clauseboard.papers import (
    SIZES,
    Computed,
    EpochResult,
    Figure,
    PaperTable,
    Task,
)
from clauseboard.papers.boards import Run
from clauseboard.papers.runner import run_table

N_TASKS, N_EPOCHS = 6, 4


def work(tasks, told, device):
    results = []
    for task in tasks:
        rng = random.Random(task.settings["seed"])
        for number in range(1, N_EPOCHS + 1):
            time.sleep(PAUSE)
            accuracy = rng.random()
            told(task, EpochResult(number, accuracy, PAUSE))
        results.append({"accuracy": accuracy})
    return results


PAUSE = float(sys.argv[2]) if __name__ == "__main__" and len(sys.argv) > 2 else 0.0


def plan(run):
    tasks = tuple(Task(work, {"seed": n, "fold": n}) for n in range(N_TASKS))
    singles = [Figure(f"task {n}", "accuracy", 50.0, (task,)) for n, task in enumerate(tasks)]
    mean = Figure("mean", "accuracy", None, tasks, honest=tasks[:2], settings="made up")
    return [*singles, mean]


TABLE = PaperTable(
    "999", "1.1", "nowhere", "a table for tests", Computed(plan), ("mean", "accuracy")
)


if __name__ == "__main__":
    page = run_table(TABLE, Run(SIZES["quick"]), Path(sys.argv[1]) / "runs.sqlite")
    print(json.dumps(page["figures"]))
