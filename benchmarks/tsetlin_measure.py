"""Runs the workers of `benchmarks/tsetlin.py` in turn and gathers what they print."""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

import peers
import tsetlin_report
from peers import environments
from peers.adapter import Library
from stamp import stamp

HERE = Path(__file__).resolve().parent


def say(text: str) -> None:
    """Print a line of progress."""
    print(text, file=sys.stderr, flush=True)


class Benchmark:
    """One run over all libraries and settings, and the result that grows meanwhile."""

    def __init__(self, options: argparse.Namespace, fold: dict[str, Any], path: Path) -> None:
        self.options = options
        self.path = path
        self.classes = int(fold["train_result"].max()) + 1
        self.result: dict[str, Any] = {
            "what": "Tsetlin Machine libraries on the same boards, measured in one run",
            **stamp(),
            "seed": options.seed,
            "data": {
                "source": options.data.name if options.data else "made by tsetlin_data.py",
                "fold": options.fold,
                "training_boards": len(fold["train_result"]),
                "test_boards": len(fold["test_result"]),
                "bits": 8 * fold["train_boards"].shape[1],
                "classes": self.classes,
                "commonest_class_in_test": float(
                    np.bincount(fold["test_result"]).max() / len(fold["test_result"])
                ),
            },
            "settings": {
                "specificity": options.specificity,
                "weighted": True,
                "boost_true_positive": True,
                "state_bits": 8,
                "rounds": options.repeats,
                "time_limit": options.time_limit,
            },
            "libraries": {},
            "runs": [],
        }

    def run(self) -> int:
        """Measure everything; return the exit status."""
        status = 0
        try:
            ready = self._prepare()
            self._measure(ready)
        except KeyboardInterrupt:
            say("Interrupted: what was measured so far is kept.")
            self.result["interrupted"] = True
            status = 130
        self.result["load_after"] = os.getloadavg()
        self._write(pictures=True)
        measured = any(run["lines"] for run in self.result["runs"])
        if status == 0 and not measured:
            say("Nothing could be measured; the reasons are above.")
            status = 1
        return status

    def _prepare(self) -> list[Library]:
        """Install and try each library; those that fail are named and passed over."""
        ready = []
        for name in self.options.libraries:
            library = peers.ALL[name]
            entry = {"clauses": library.clauses, "has_threads": library.has_threads}
            self.result["libraries"][name] = entry
            try:
                if environments.install(library):
                    say(f"{name}: installed {', '.join(library.requirements)}")
            except (environments.InstallError, OSError, subprocess.CalledProcessError) as error:
                entry["passed_over"] = f"could not be installed: {error}"
                say(f"{name}: passed over, {entry['passed_over']}")
                continue
            # A trial on a tiny machine also fills caches of compiled code, whose making
            # would otherwise count as the memory of whichever run came first.
            trials: list[dict[str, Any]] = []
            for threads in self._threads(library):
                trial = self._run(library, threads, 20, 40, 1, 0, 120, only_warm_up=True)
                trials.append(trial)
                if trial["status"] != "done":
                    break
            entry["versions"] = trials[-1]["versions"]
            if trials[-1]["status"] == "done":
                ready.append(library)
            else:
                entry["passed_over"] = f"could not be used: {trials[-1]['status']}"
                say(f"{name}: passed over, {entry['passed_over']}")
        return ready

    def _threads(self, library: Library) -> list[int]:
        return self.options.threads if library.has_threads else [1]

    def _measure(self, ready: list[Library]) -> None:
        """Go round all settings and libraries, as often as there are repeats."""
        turns = [
            (round_, clauses, threshold, threads, library)
            for round_ in range(self.options.repeats)
            for clauses, threshold in self.options.clauses
            for threads in self.options.threads
            for library in ready
            if threads in self._threads(library)
        ]
        if not any(threads == 1 for threads in self.options.threads):
            one = [library.name for library in ready if not library.has_threads]
            if one:
                say(f"{', '.join(one)}: one thread only, which was not asked for.")
        spent: dict[tuple, float] = {}
        longest: dict[tuple, float] = {}
        for number, (round_, clauses, threshold, threads, library) in enumerate(turns, start=1):
            key = (clauses, threshold, threads, library.name)
            left = self.options.time_limit - spent.get(key, 0.0)
            title = (
                f"[{number}/{len(turns)}] {library.name}, {clauses:,} clauses, "
                f"{threads} thread{'s' if threads > 1 else ''}, round {round_ + 1}"
            )
            if round_ > 0 and left < longest[key]:
                say(f"{title}: no time left for it")
                continue
            epochs = self.options.epochs or (3 if clauses < 10_000 else 2)
            if library.is_ours and self.options.own_epochs:
                epochs = self.options.own_epochs
            run = self._run(library, threads, clauses, threshold, epochs, round_, left)
            spent[key] = spent.get(key, 0.0) + run["seconds"]
            longest[key] = max(longest.get(key, 0.0), run["seconds"])
            say(f"{title}: {_in_short(run)}")
            self._write(pictures=False)

    def _run(
        self,
        library: Library,
        threads: int,
        clauses: int,
        threshold: int,
        epochs: int,
        round_: int,
        time_limit: float,
        only_warm_up: bool = False,
    ) -> dict[str, Any]:
        """Run one worker and return what it printed, however it ended."""
        quick = self.options.quick
        task = {
            "library": library.name,
            "settings": {
                "clauses": clauses,
                "threshold": threshold,
                "specificity": self.options.specificity,
                "classes": self.classes,
                "threads": threads,
                "seed": self.options.seed + round_,
            },
            "data": str(self.path),
            "epochs": epochs,
            "time_limit": time_limit,
            "one_board_seconds": 0.5 if quick else 3.0,
            "batch_boards": 2_000 if quick else 20_000,
            "batch_seconds": 2.0 if quick else 30.0,
            "kernel_boards": 1_000 if quick else 20_000,
            "only_warm_up": only_warm_up,
        }
        run: dict[str, Any] = {
            "library": library.name,
            "threads": threads,
            "clauses": clauses,
            "threshold": threshold,
            "epochs": epochs,
            "round": round_,
            "status": "interrupted",
            "versions": {},
            "lines": [],
        }
        if not only_warm_up:
            self.result["runs"].append(run)
        start = monotonic()
        try:
            run["status"] = work(environments.python_of(library), task, time_limit, run)
        finally:
            run["seconds"] = round(monotonic() - start, 3)
        return run

    def _write(self, pictures: bool) -> None:
        """Write the result; the picture and table too, where there is something to show."""
        out: Path = self.options.out
        out.parent.mkdir(parents=True, exist_ok=True)
        partial = out.with_suffix(".partial")
        partial.write_text(json.dumps(self.result, indent=1) + "\n")
        partial.replace(out)
        if pictures and any(run["lines"] for run in self.result["runs"]):
            tsetlin_report.write(self.result, out)
            say(f"Wrote {out.name}, {out.stem}.md and {out.stem}.png.")


def work(python: str, task: dict[str, Any], time_limit: float, run: dict[str, Any]) -> str:
    """Run one worker, adding its lines to `run` as they come; return how it ended."""
    threads = str(task["settings"]["threads"])
    names = ("OMP", "OPENBLAS", "MKL", "NUMBA")
    environment = {**os.environ, **{f"{name}_NUM_THREADS": threads for name in names}}
    if python != sys.executable:
        environment.pop("PYTHONPATH", None)  # another NumPy may lie there
    with tempfile.TemporaryFile("w+") as complaints:
        process = subprocess.Popen(
            [python, "-m", "peers.worker", json.dumps(task)],
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            env=environment,
            cwd=HERE,
            start_new_session=True,  # Ctrl-C reaches this process alone, which ends the worker
        )

        def read() -> None:
            for line in process.stdout:
                values = json.loads(line)
                if values["what"] == "versions":
                    run["versions"] = {k: v for k, v in values.items() if k != "what"}
                else:
                    run["lines"].append(values)

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        try:
            process.wait(timeout=time_limit)
        except subprocess.TimeoutExpired:
            return f"time limit of {time_limit:.0f} s"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            reader.join(timeout=10)
        complaints.seek(0)
        if process.returncode < 0:
            return f"ended by {signal.Signals(-process.returncode).name}"
        if process.returncode > 0:
            return environments.last_line(complaints.read()) or "failed without a word"
        return "done"


def _in_short(run: dict[str, Any]) -> str:
    epochs = [line for line in run["lines"] if line["what"] == "epoch"]
    parts = [] if run["status"] == "done" else [run["status"]]
    if epochs:
        best = min(line["seconds"] for line in epochs)
        parts.append(f"{best:.3g} s an epoch, {100 * epochs[-1]['accuracy']:.1f} % right")
    return "; ".join(parts) or "nothing measured"
