"""Memory stays where it was after many fits and predictions, in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("psutil")

PROGRAM = """
import gc
import numpy as np
import psutil
from clauseboard.tsetlin import TsetlinMachineClassifier

rng = np.random.default_rng(0)
X = rng.integers(2, size=(500, 64), dtype=np.uint8)
y = X[:, 0] ^ X[:, 1]
process = psutil.Process()

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
for seed in range(100):
    machine = fit(seed)
after_fits = megabytes()
rows = [X[k : k + 1] for k in range(500)]
for k in range(100_000):
    machine.predict(rows[k % 500])
print(after_fits - before, megabytes() - after_fits)
"""


def test_a_hundred_fits_and_a_hundred_thousand_predictions():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=300, check=True
    )
    fits, predictions = map(float, done.stdout.split())
    assert fits < 8, f"100 fits left {fits:.1f} MB behind"
    assert predictions < 8, f"100,000 predictions left {predictions:.1f} MB behind"
