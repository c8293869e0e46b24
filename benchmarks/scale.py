"""How self-play, folds and matches grow with the workers of a Dask cluster.

    python benchmarks/scale.py [--workers 1 2 4 8 16] [--tasks N] [--only NAME ...] [--add]
                               [--quick] [--out FILE]

A scheduler and so many workers, each a process with one thread, on this machine. Each does the same
work: games of self-play (Hex 11 × 11), folds of a Tsetlin Machine, games of a match (checkers), and
tasks that do nothing. The kernels are loaded on every worker before. For each kind of work:

- tasks a second by the clock, and the efficiency: as a share of what so many times the speed of one
  worker would be. More workers than cores cannot be faster by the clock;
- how busy the workers are: their processors' seconds as a share of those by the clock. The rest is
  time in which they wait for tasks;
- tasks a second when each worker does as many by itself, all at once, and nothing hands them out.
  Cores that share caches, memory or a clock slow each other down without any cluster;
- tasks for each second of the workers' processors, as a share of what one worker has: what is lost
  to each other and to Dask on the workers;
- the seconds of the processor that the scheduler and this process (which hands out tasks, and
  records results) spend for a task: these do not grow with workers, and so bound the cluster.

Every worker gets as many tasks, so that each number of workers is measured for about as long.
--only does some kinds of work alone, and --add keeps what the file has of other kinds and numbers
of workers.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from stamp import keep, new_parser, stamp

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from clauseboard.arena.match import Match, run_matches
from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.games.hex.rules import HexMove
from clauseboard.papers.boards import BoardSet, LabelledBoards
from clauseboard.papers.runner import TaskStore, finish_tasks
from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_task
from clauseboard.parallel import spread
from clauseboard.selfplay.games import LearningStore
from clauseboard.selfplay.running import GAMES_A_TASK, Phase, SelfPlayRun
from clauseboard.selfplay.settings import settings_for
from clusters import cluster

WORKERS = (1, 2, 4, 8, 16)
KINDS = ("self-play", "folds", "matches", "empty")
TASKS = {"self-play": 20, "folds": 60, "matches": 40, "empty": 50}
"""Tasks for each worker; a task of self-play is several games."""
HEX, SMALL_HEX = load_game("hex", size=11), load_game("hex", size=6)
SELF_PLAY = {"begin": "shipped:simulations=10", "search": "mcts,simulations=10"}
BOARDS, EPOCHS, CLAUSES = 1_500, 40, 400
NODES = 10_000


Work = Callable[["str | None", int, int], int]


# ---- the work: each does so many tasks on a cluster, or here, and returns how many


def self_play(address: str | None, n: int, seed: int = 1) -> int:
    """Games of the shipped player against itself."""
    with tempfile.TemporaryDirectory() as folder, LearningStore(Path(folder) / "x.learn") as store:
        settings = settings_for(HEX, {**SELF_PLAY, "games": n * GAMES_A_TASK, "seed": seed})
        run = SelfPlayRun(HEX, settings, store, cluster=address)
        for step in run.steps(1):
            if step.phase is Phase.GAMES and step.done == step.of:
                return n
    raise AssertionError("The games did not come to their end.")


def random_boards(seed: int = 1) -> LabelledBoards:
    """Full Hex boards of random games, and who has won."""
    draw, size = np.random.default_rng(seed), SMALL_HEX.size
    rows, results = [], []
    while len(rows) < BOARDS:
        position = SMALL_HEX.start()
        cells = draw.permutation(size * size)
        for cell in cells:
            position = position.play(HexMove(int(cell) // size, int(cell) % size))
            if position.outcome() is not None:
                break
        rows.append(SMALL_HEX.encode([position])[0])
        results.append(int(position.outcome().winner == "red"))
    packed = np.packbits(np.array(rows, np.uint8), axis=1, bitorder="little")
    folds = (np.arange(BOARDS) % 10).astype(np.uint8)
    kind = BoardSet("hex", "random")
    return LabelledBoards(
        kind, "random games", True, packed, len(rows[0]), np.array(results, np.uint8), folds, 10
    )


def folds(boards: LabelledBoards) -> Work:
    """Cross-validations of a Tsetlin Machine, as experiments do them."""
    machine, course = MachineParameters(CLAUSES, CLAUSES, 5.0), TrainingSchedule(EPOCHS, stop=None)

    def work(address: str | None, n: int, seed: int = 1) -> int:
        tasks = [fold_task(boards, k % 10, machine, course, seed * 1000 + k) for k in range(n)]
        with tempfile.TemporaryDirectory() as folder, TaskStore(Path(folder) / "x") as store:
            return len(finish_tasks(tasks, store, cluster=address))

    return work


def matches(address: str | None, n: int, seed: int = 1) -> int:
    """Games between two of our players."""
    match = Match(
        load_game("checkers"), ("shipped", "material"), n, seed=seed, limit=Limit(nodes=NODES)
    )
    (result,) = run_matches([match], cluster=address)
    return len(result.games)


def empty(address: str | None, n: int, seed: int = 1) -> int:
    """Tasks that do nothing."""
    return sum(1 for _ in spread(abs, ((k,) for k in range(n)), cluster=address))


# ---- measuring


def by_themselves(address: str, work: Work, n: int) -> dict[str, float]:
    """Let every worker do so many tasks by itself, all at once: what the machine can do."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        started = time.perf_counter()
        done = client.run(work, None, n)
        return {"tasks": sum(done.values()), "seconds": time.perf_counter() - started}


def processor_seconds(pids: list[int]) -> float:
    """What these processes have computed so far."""
    times = [psutil.Process(pid).cpu_times() for pid in pids]
    return sum(one.user + one.system for one in times)


def measured(
    work: Work, address: str | None, n: int, workers: list[int], scheduler: int
) -> dict[str, float]:
    """Do so many tasks; the seconds that they took, by the clock and of which processors."""
    groups = {"workers": workers, "scheduler": [scheduler], "client": [os.getpid()]}
    before = {name: processor_seconds(pids) for name, pids in groups.items()}
    started = time.perf_counter()
    done = work(address, n, 1)
    taken = time.perf_counter() - started
    tick = 1 / os.sysconf("SC_CLK_TCK")  # nothing less is counted
    spent = {
        name: max(processor_seconds(pids) - before[name], tick) for name, pids in groups.items()
    }
    return {"tasks": done, "seconds": taken, **spent}


def loaded(boards: LabelledBoards) -> None:
    """Do a task of each kind here: kernels are loaded."""
    for work in (self_play, folds(boards), matches):
        work(None, 1, 2)


def pids_of(address: str, boards: LabelledBoards | None) -> tuple[int, list[int]]:
    """The processes of a cluster, scheduler and workers; given boards, they load the kernels."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        if boards is not None:
            client.run(loaded, boards)
        workers = list(client.run(os.getpid).values())
        return int(client.run_on_scheduler(os.getpid)), [int(pid) for pid in workers]


def row(runs: dict[int, dict[str, Any]]) -> list[dict[str, float]]:
    """What one kind of work took with each number of workers, beside the first number."""
    (first, one), *_ = runs.items()
    rows = []
    for n, run in runs.items():
        rate, rate_of_one = run["tasks"] / run["seconds"], one["tasks"] / one["seconds"]
        by_processor, alone = run["tasks"] / run["workers"], run.get("alone")
        rows.append(
            {
                "workers": n,
                "tasks": run["tasks"],
                "seconds": round(run["seconds"], 2),
                "tasks a second": round(rate, 3),
                "efficiency by the clock": round(rate / rate_of_one * first / n, 3),
                "busy": round(run["workers"] / run["seconds"] / n, 3),
                **({"alone": round(alone["tasks"] / alone["seconds"], 3)} if alone else {}),
                "seconds of a worker's processor a task": round(run["workers"] / run["tasks"], 4),
                "efficiency by the processor": round(
                    by_processor / (one["tasks"] / one["workers"]), 3
                ),
                "milliseconds of the scheduler a task": round(
                    1000 * run["scheduler"] / run["tasks"], 2
                ),
                "milliseconds of the client a task": round(1000 * run["client"] / run["tasks"], 2),
            }
        )
    return rows


def sizes(boards: LabelledBoards) -> dict[str, int]:
    """Bytes of what goes to a worker with a task."""
    fold = fold_task(boards, 0, MachineParameters(CLAUSES, CLAUSES, 5.0), TrainingSchedule(EPOCHS))
    match = Match(load_game("checkers"), ("shipped", "material"), 2, limit=Limit(nodes=NODES))
    return {"fold": len(pickle.dumps(fold)), "game of a match": len(pickle.dumps(match))}


def bounds(result: dict[str, Any]) -> list[str]:
    """How many workers one scheduler and one client can keep busy with tasks of each length.

    What a task costs them is that of an empty one, with as many workers as were measured: the first
    of the two whose processor is full bounds the cluster.
    """
    if "empty" not in result["work"]:
        return []
    most = result["work"]["empty"][-1]
    costs = [most[f"milliseconds of the {who} a task"] for who in ("scheduler", "client")]
    lines = [
        f"An empty task costs the scheduler {costs[0]:g} ms and the client {costs[1]:g} ms, with "
        f"{most['workers']} workers. So many workers can be kept busy at most:",
        "",
        "| a task of | workers |",
        "|---:|---:|",
    ]
    for seconds in (0.1, 1, 10, 100):
        lines.append(f"| {seconds:g} s | {int(1000 * seconds / max(costs)):,} |")
    return lines


def page(result: dict[str, Any]) -> str:
    """The tables."""
    lines = []
    heads = {
        "tasks a second": "tasks a second", "efficiency by the clock": "efficiency by the clock",
        "busy": "workers are busy", "alone": "tasks a second without a cluster",
        "efficiency by the processor": "by the processor",
        "seconds of a worker's processor a task": "worker s a task",
        "milliseconds of the scheduler a task": "scheduler ms a task",
        "milliseconds of the client a task": "client ms a task",
    }  # fmt: skip
    lines.append(f"| work | workers | {' | '.join(heads.values())} |")
    lines.append("|---|---:" + "|---:" * len(heads) + "|")
    for name, rows in result["work"].items():
        for one in rows:
            cells = [
                "" if key not in one
                else f"{100 * one[key]:.0f} %" if key.startswith(("efficiency", "busy"))
                else f"{one[key]:g}"
                for key in heads
            ]  # fmt: skip
            lines.append(f"| {name} | {one['workers']} | {' | '.join(cells)} |")
    lines += ["", *bounds(result)]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure and keep."""
    parser = new_parser(
        __doc__, quick="two tasks of each kind for each worker, with one and two workers"
    )
    parser.add_argument("--workers", type=int, nargs="+", default=list(WORKERS))
    parser.add_argument("--tasks", type=int, help="tasks of each kind for each worker")
    parser.add_argument("--only", nargs="+", choices=KINDS, default=KINDS, help="kinds of work")
    parser.add_argument("--add", action="store_true", help="to what the file has already")
    options = parser.parse_args()
    counts = [1, 2] if options.quick else options.workers
    boards = random_boards()
    if options.only != ["empty"]:
        loaded(boards)
    work: dict[str, Work] = {
        "self-play": self_play, "folds": folds(boards), "matches": matches, "empty": empty,
    }  # fmt: skip
    runs: dict[str, dict[int, dict[str, Any]]] = {name: {} for name in work}
    if options.add and options.out is not None and options.out.exists():
        kept = json.loads(options.out.read_text())["runs"]
        runs = {name: {int(n): run for n, run in kept[name].items()} for name in work}
    for n in counts:
        with tempfile.TemporaryDirectory() as folder, cluster(Path(folder), n) as (address, _):
            scheduler, workers = pids_of(address, None if options.only == ["empty"] else boards)
            for name in options.only:
                some = work[name]
                each = 2 if options.quick else options.tasks or TASKS[name]
                some(address, n, 3)  # what is imported and built once is not counted
                runs[name][n] = measured(some, address, each * n, workers, scheduler)
                if name != "empty":
                    runs[name][n]["alone"] = by_themselves(address, some, max(each // 2, 1))
                print(n, name, runs[name][n], flush=True)
    result = {
        **stamp(),
        "games a task of self-play": GAMES_A_TASK,
        "bytes": sizes(boards),
        "work": {name: row(dict(sorted(some.items()))) for name, some in runs.items() if some},
        "runs": runs,
    }
    print(page(result))
    keep(result, options.out, page(result))


if __name__ == "__main__":
    main()
