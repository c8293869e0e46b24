"""Memory stays where it was after many fits and predictions, in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("psutil")

PROGRAM = """
import gc
import sys
import numpy as np
import psutil
from clauseboard.tsetlin import TsetlinMachineClassifier

rng = np.random.default_rng(0)
X = rng.integers(2, size=(500, 64), dtype=np.uint8)
y = X[:, 0] ^ X[:, 1]
process = psutil.Process()
n_fits, n_predictions = map(int, sys.argv[1:])

def fit(seed):
    machine = TsetlinMachineClassifier(n_clauses=200, epochs=2, n_jobs=2, random_state=seed)
    machine.fit(X, y, validation=(X, y))
    machine.explain(X[0])
    return machine

def megabytes():
    gc.collect()
    return process.memory_info().rss / 2**20

for seed in range(20):
    machine = fit(seed)
for _ in range(5_000):
    machine.predict(X[:1])
before = megabytes()
for seed in range(n_fits):
    machine = fit(seed)
after_fits = megabytes()
rows = [X[k : k + 1] for k in range(500)]
for k in range(n_predictions):
    machine.predict(rows[k % 500])
print(after_fits - before, megabytes() - after_fits)
"""


@pytest.mark.long
def test_many_fits_and_predictions_leave_nothing_behind():
    n_fits, n_predictions, most = 100, 100_000, 8
    command = [sys.executable, "-c", PROGRAM, str(n_fits), str(n_predictions)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    fits, predictions = map(float, done.stdout.split())
    assert fits < most, f"{n_fits} fits left {fits:.1f} MB behind"
    assert predictions < most, f"{n_predictions:,} predictions left {predictions:.1f} MB behind"
