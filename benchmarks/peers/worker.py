"""Measures one machine of one library, in that library's environment.

Run by `benchmarks/tsetlin.py` as `python -m peers.worker TASK`, TASK being JSON. Each
thing is printed as one line of JSON as soon as it is known, so that whoever reads them
can stop this process at any moment and keep what was measured.
"""

import gc
import importlib
import importlib.metadata
import json
import os
import platform
import resource
import statistics
import sys
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

import peers
from peers.adapter import Library, Settings

WARM_UP_BOARDS = 256


def main() -> None:
    """Do the task given as the only argument."""
    started = perf_counter()
    emit = _emitter()
    task = json.loads(sys.argv[1])
    library = peers.ALL[task["library"]]
    importlib.import_module(library.imports)
    emit(
        "versions",
        library=importlib.metadata.version(library.distribution),
        numpy=np.__version__,
        python=platform.python_version(),
    )
    settings = Settings(**task["settings"])
    data = np.load(task["data"])
    (X, y), (X_test, y_test) = (_fold(library, data, part) for part in ("train", "test"))
    loaded = _memory_mb("VmRSS")

    _warm_up(library, settings, X, y)
    if task["only_warm_up"]:
        return
    gc.collect()  # what compiling left behind, lest the first epoch pays for it
    warm = _memory_mb("VmRSS")
    machine = library.machine(settings)
    if task.get("single_samples"):
        machine.fit_epochs(X, y, task["epochs"])
        milliseconds = _single_samples(machine, X_test, y_test, task["single_samples"])
        emit("single_sample", milliseconds=milliseconds)
        return
    if task.get("one_call"):
        start = process_time()
        machine.fit_epochs(X, y, task["epochs"])
        processor = (process_time() - start) / task["epochs"]
        accuracy = float(np.mean(machine.predict(X_test) == y_test))
        emit("epoch", epoch=task["epochs"], processor=processor, accuracy=accuracy)
        return
    for epoch in range(1, task["epochs"] + 1):
        start = process_time()
        seconds = machine.train_epoch(X, y)
        processor = process_time() - start
        start = perf_counter()
        accuracy = float(np.mean(machine.predict(X_test) == y_test))
        predicting = perf_counter() - start
        emit(
            "epoch",
            epoch=epoch,
            seconds=seconds,
            processor=processor,
            accuracy=accuracy,
            fold_seconds=predicting,
        )
        # Rather an epoch less than a machine whose predictions were never timed.
        if perf_counter() - started + 1.3 * seconds > 0.8 * task["time_limit"]:
            break

    if task.get("only_training"):
        return
    emit("one_board", microseconds=_one_board(machine, X_test, task["one_board_seconds"]))
    for boards, seconds in _batches(machine, X_test, predicting, task):
        emit("batch", boards=boards, seconds=seconds)
    kernel = machine.kernel_microseconds(X_test, task["kernel_boards"])
    if kernel is not None:
        emit("kernel", microseconds=kernel)
    emit("memory", peak_mb=_memory_mb("VmHWM"), loaded_mb=loaded, warm_mb=warm)


def _emitter():
    """Return a function that prints a line of JSON where no library's chatter can reach."""
    private = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)

    def emit(what: str, **values: Any) -> None:
        print(json.dumps({"what": what, **values}), file=private, flush=True)

    return emit


def _fold(library: Library, data: Any, part: str) -> tuple[np.ndarray, np.ndarray]:
    count = int(data["bits"]) if "bits" in data else None
    boards = np.unpackbits(data[f"{part}_boards"], axis=1, count=count)
    prepare = getattr(library.machine, "func", library.machine).prepare
    return prepare(boards), data[f"{part}_result"].astype(np.uint32)


def _warm_up(library: Library, settings: Settings, X: np.ndarray, y: np.ndarray) -> None:
    """Use a small machine once, so that compiling and first allocations are not timed."""
    small = Settings(**{**vars(settings), "clauses": 20, "threshold": 40})
    machine = library.machine(small)
    machine.train_epoch(X[:WARM_UP_BOARDS], y[:WARM_UP_BOARDS])
    machine.predict(X[:WARM_UP_BOARDS])
    machine.predict_one(X, 0)
    machine.kernel_microseconds(X[:WARM_UP_BOARDS], 10)


def _single_samples(machine, X: np.ndarray, y: np.ndarray, calls: int) -> float:
    """Return the median milliseconds of calls that each learn from one sample more."""
    times = []
    for call in range(calls):
        row = call % len(X)
        start = process_time()
        machine.fit_epoch(X[row : row + 1], y[row : row + 1])
        times.append(process_time() - start)
    return 1e3 * statistics.median(times)


def _one_board(machine, X: np.ndarray, seconds: float) -> float:
    """Return the median microseconds of a call, over boards that change with each call."""
    times = []
    end = perf_counter() + seconds
    while len(times) < 5 or (len(times) < 5000 and perf_counter() < end):
        row = len(times) % len(X)
        start = perf_counter()
        machine.predict_one(X, row)
        times.append(perf_counter() - start)
    return statistics.median(times) * 1e6


def _batches(machine, X: np.ndarray, fold_seconds: float, task: dict[str, Any]):
    """Time whole batches: the test fold, repeated to the wanted size where that is quick."""
    copies = -(-task["batch_boards"] // len(X))
    if copies * fold_seconds <= task["batch_seconds"]:
        X = np.tile(X, (copies, 1))
    end = perf_counter() + task["batch_seconds"]
    for _ in range(3):
        start = perf_counter()
        machine.predict(X)
        now = perf_counter()
        yield len(X), now - start
        if now + (now - start) > end:
            break


def _memory_mb(field: str) -> float:
    """Return VmRSS or VmHWM (the peak) of this process.

    The peak that `getrusage` reports is the fallback only: on Linux it starts from what
    the parent process held when it started this one.
    """
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main()
