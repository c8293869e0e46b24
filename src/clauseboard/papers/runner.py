"""Running an experiment: its tasks, less those that are recorded already, and the page of them."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from clauseboard.papers.experiment import EpochResult, Figure, PaperTable, RunSize, Task, TaskResult
from clauseboard.papers.materials import BoardSource
from clauseboard.papers.recording import TaskStore
from clauseboard.papers.surroundings import surroundings
from clauseboard.parallel import spread

DEVICES = ("cpu", "gpu")
GPU_TASKS = 10
"""Tasks that learn side by side on a GPU; what is recorded is recorded ten by ten then."""

ProgressCallback = Callable[[int, int], None]
"""Told how many tasks are done, and of how many."""


def run_table(
    table: PaperTable,
    size: RunSize,
    source: BoardSource,
    record: str | Path,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    device: str = "cpu",
    rows: Sequence[str] = (),
    heard: ProgressCallback | None = None,
) -> dict[str, Any]:
    """Do what is left of a table's tasks, and return the page of its figures.

    `rows` are parts of the names of rows: then only those are done, and no pictures are made.

    The numbers depend on the size, the boards and the seeds; on nothing else.
    """
    check_device(device, cluster)
    with TaskStore(record) as kept:
        figures = _chosen(table.plan(size, source), rows)
        wanted = [task for figure in figures for task in (*figure.tasks, *figure.honest)]
        done = finish_tasks(
            wanted, kept, jobs=jobs, cluster=cluster, device=device, heard=heard
        )  # fmt: skip
    page = _page(table, size, source, figures, done)
    if rows:
        page["only_rows"] = list(rows)
        page["notes"].append(f"Only rows with {' or '.join(map(repr, rows))} in their names.")
        return page
    if table.drawings is not None:
        drawings = table.drawings(size, source, lambda task: done[task.key])
        page["drawings"] = [asdict(drawing) for drawing in drawings]
    if table.pictures is not None:
        pictures = table.pictures(size, source, lambda task: done[task.key])
        page["pictures"] = [
            {
                "name": picture.name,
                "title": picture.title,
                "x_label": picture.x_label,
                "y_label": picture.y_label,
                "start": picture.start,
                "curves": {k: [round(v, 3) for v in line] for k, line in picture.curves.items()},
                "levels": {k: round(v, 3) for k, v in picture.levels.items()},
            }
            for picture in pictures
        ]
    return page


def _chosen(figures: Sequence[Figure], rows: Sequence[str]) -> list[Figure]:
    chosen = [f for f in figures if not rows or any(part in f.row for part in rows)]
    if not chosen:
        names = ", ".join(repr(name) for name in dict.fromkeys(f.row for f in figures))
        raise ValueError(f"No row is called like {', '.join(map(repr, rows))}; there are {names}.")
    return chosen


def check_device(device: str, cluster: str | None) -> None:
    """Refuse what cannot be worked on, or not together."""
    if device not in DEVICES:
        raise ValueError(f"device={device!r} is neither 'cpu' nor 'gpu'.")
    if device == "gpu" and cluster is not None:
        raise ValueError("A cluster works on its CPUs; leave out --device or --cluster.")


def finish_tasks(
    wanted: Iterable[Task],
    kept: TaskStore,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    device: str = "cpu",
    heard: ProgressCallback | None = None,
) -> dict[str, TaskResult]:
    """Do those of some tasks, and of the tasks they need, that are not recorded yet; all results.

    Each is recorded as it ends.
    """
    tasks = {task.key: task for one in wanted for task in _with_needs(one)}
    done = dict(kept.done(tasks))
    kept.begin(task for key, task in tasks.items() if key not in done)
    if heard is not None:
        heard(len(done), len(tasks))
    while ready := _ready(tasks, done):
        for key, found in _performed(ready, kept.path, jobs, cluster, device):
            kept.finish(key, found)
            # Another run may have been faster; then its result counts.
            done.update(kept.done([key]))
            if heard is not None:
                heard(len(done), len(tasks))
    return done


def _tasks_of(figure: Figure) -> Iterator[Task]:
    for task in (*figure.tasks, *figure.honest):
        yield from _with_needs(task)


def _with_needs(task: Task) -> Iterator[Task]:
    for need in task.needs:
        yield from _with_needs(need)
    yield task


def _ready(tasks: Mapping[str, Task], done: Mapping[str, TaskResult]) -> list[Task]:
    """The tasks left whose needs have ended, with what came out of those."""
    return [
        replace(task, given=tuple(done[need.key].result for need in task.needs))
        for key, task in tasks.items()
        if key not in done and all(need.key in done for need in task.needs)
    ]


def _performed(
    tasks: Sequence[Task], record: Path, jobs: int, cluster: str | None, device: str
) -> Iterator[tuple[str, TaskResult]]:
    """Do tasks in any order; workers of a cluster cannot write into the file of this machine."""
    owner = os.getpid()
    together = [task for task in tasks if device == "gpu" and task.on_gpu]
    for first in range(0, len(together), GPU_TASKS):
        yield from perform(together[first : first + GPU_TASKS], record, device, owner)
    # Each machine gets one core: many tasks are a better use of the others than many threads.
    single = [task for task in tasks if not (device == "gpu" and task.on_gpu)]
    here = (record, "cpu", owner) if cluster is None else (None, "cpu", None)
    for some in spread(perform, (([task], *here) for task in single), jobs, cluster):
        yield from some


def perform(
    tasks: Sequence[Task], record: Path | None, device: str, owner: int | None = None
) -> list[tuple[str, TaskResult]]:
    """Do some tasks of one kind here and now, and record their epochs as they end.

    `owner` is the process that asked for it: if that was killed, so that nobody waits for what
    comes out, this one ends, too.
    """
    end_if_orphaned(owner)
    epochs: dict[str, list[EpochResult]] = {task.key: [] for task in tasks}
    kept = None if record is None else TaskStore(record)

    def told(task: Task, epoch: EpochResult) -> None:
        end_if_orphaned(owner)
        epochs[task.key].append(epoch)
        if kept is not None:
            kept.epoch(task, epoch)

    started = time.perf_counter()
    try:
        results = tasks[0].work(tasks, told, device)
    finally:
        if kept is not None:
            kept.close()
    seconds = (time.perf_counter() - started) / len(tasks)
    return [
        (task.key, TaskResult(result, tuple(epochs[task.key]), seconds))
        for task, result in zip(tasks, results, strict=True)
    ]


def end_if_orphaned(owner: int | None) -> None:
    """End this process if it is neither the owner nor a child of it any more."""
    if owner is not None and owner not in (os.getpid(), os.getppid()):
        os._exit(1)


def _page(
    table: PaperTable,
    size: RunSize,
    source: BoardSource,
    figures: Sequence[Figure],
    done: dict[str, TaskResult],
) -> dict[str, Any]:
    rows = [_figure_page(figure, done) for figure in figures]
    tasks = [task for figure in figures for task in _tasks_of(figure)]
    used = {task.key for task in tasks}
    settings = [task.settings for task in tasks]
    looked_at = {task.boards.origin for task in tasks if task.boards is not None}
    return {
        "source": table.source,
        "table": table.number,
        "where": table.where,
        "title": table.title,
        "size": {
            "name": size.name,
            "boards": size.boards,
            "folds": size.folds,
            "share_of_clauses": size.share,
            "epochs": size.epochs,
            "runs": size.runs,
            "games": size.games,
        },
        "data": [boards.page() for boards in source.used() if boards.digest in looked_at],
        "figures": rows,
        "headline": next((r for r in rows if (r["row"], r["name"]) == table.headline), rows[0]),
        "notes": list(table.notes),
        "pictures": [],
        "drawings": [],
        "seeds": sorted({one["seed"] for one in settings if "seed" in one}),
        "tasks": len(used),
        "seconds": round(sum(done[key].seconds for key in used), 3),
        **surroundings(),
    }


def _figure_page(figure: Figure, done: dict[str, TaskResult]) -> dict[str, Any]:
    ours = None
    if figure.tasks:
        ours = summary(figure.values([done[task.key] for task in figure.tasks]))
    honest = None
    if figure.honest:
        read = figure.honest_values or figure.values
        honest = summary(read([done[task.key] for task in figure.honest]))
    difference = None
    if figure.published is not None and ours is not None:
        difference = round(ours["mean"] - figure.published, 4)
    epochs = [len(done[task.key].epochs) for task in figure.tasks if done[task.key].epochs]
    return {
        "row": figure.row,
        "name": figure.name,
        "published": figure.published,
        "ours": ours,
        "difference": difference,
        "honest": honest,
        "settings": figure.settings,
        "digits": figure.digits,
        "published_spread": figure.published_spread,
        "epochs": round(statistics.fmean(epochs), 1) if epochs else None,
    }


def summary(values: Sequence[float]) -> dict[str, Any]:
    """Mean and spread (the standard deviation of a sample); one value has no spread.

    >>> summary([1.0, 3.0])
    {'mean': 2.0, 'spread': 1.4142, 'values': [1.0, 3.0]}
    """
    return {
        "mean": round(statistics.fmean(values), 4),
        "spread": round(statistics.stdev(values), 4) if len(values) > 1 else None,
        "values": [round(value, 4) for value in values],
    }
