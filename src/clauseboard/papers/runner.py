"""Running an experiment: its tasks, except those that are recorded already, and the page of them.

Tasks are recorded in an SQLite file, each as it ends; a run that is killed resumes from there. The
file can be read with any SQLite program: `tasks` has settings and results, `epochs` the accuracy
after each epoch, written as it ends.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import ClassVar, cast

import numpy as np

from clauseboard.papers import (
    EpochResult,
    Figure,
    Page,
    PaperTable,
    ReadValues,
    Task,
    TaskResult,
)
from clauseboard.papers.boards import Run
from clauseboard.papers.report import TablePage, environment, on_gpu, processor
from clauseboard.parallel import spread
from clauseboard.sqlite_store import Database

DEVICES = ("cpu", "gpu")
GPU_CLAUSES = 190_000
"""Clauses, for each class, of the machines that learn side by side on a GPU.

Ten folds of a large machine, and more of smaller ones: a step takes some time however small they
are. All are recorded when the last one ends."""

ProgressCallback = Callable[[int, int], None]
"""Called with the number of tasks that are done, and of all tasks."""

_TABLES = """
CREATE TABLE IF NOT EXISTS tasks (
    id TEXT PRIMARY KEY,
    work TEXT NOT NULL,
    settings TEXT NOT NULL,
    fold INTEGER,
    boards TEXT,
    result TEXT,
    accuracy REAL,
    seconds REAL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS epochs (
    task TEXT NOT NULL REFERENCES tasks (id),
    number INTEGER NOT NULL,
    accuracy REAL NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (task, number)
) WITHOUT ROWID;
"""


PLACE = "done on"
"""The name under which a record has the place of a task, among the values of its result."""


class TimeUpError(Exception):
    """The time for a run is over; the tasks that have ended are recorded."""

    def __init__(self, n_done: int, n_tasks: int) -> None:
        super().__init__(f"The time is up: {n_done} of {n_tasks} tasks of this table are done.")


class TaskStore(Database):
    """A file of tasks. Close it, or use it in a `with`; results that are stored stay."""

    tables: ClassVar[str] = _TABLES
    mark: ClassVar[int] = 0x436C_6245  # "ClbE"
    version: ClassVar[int] = 1
    content: ClassVar[str] = "results"

    def begin(self, tasks: Iterable[Task]) -> None:
        """Note the tasks to be done; twice is the same as once."""
        with self._together():
            for task in tasks:
                self._run(
                    "INSERT OR IGNORE INTO tasks VALUES (?, ?, ?, ?, ?, NULL, NULL, NULL)",
                    (
                        task.key,
                        task.work_name,
                        json.dumps(task.settings, sort_keys=True),
                        task.settings.get("fold"),
                        None if task.boards is None else task.boards.digest,
                    ),
                )

    def epoch(self, task: Task, epoch: EpochResult) -> None:
        """Store an epoch; a task that is done over again overwrites it."""
        self._run("INSERT OR REPLACE INTO epochs VALUES (?, ?, ?, ?)", (task.key, *epoch))

    def finish(self, key: str, done: TaskResult) -> None:
        """Store the result of a task; if another run was faster, its result stays."""
        with self._together():
            written = self._run(
                "UPDATE tasks SET result = ?, accuracy = ?, seconds = ? "
                "WHERE id = ? AND result IS NULL",
                (
                    json.dumps({**done.result, **({PLACE: done.place} if done.place else {})}),
                    done.result.get("accuracy"),
                    done.seconds,
                    key,
                ),
            )
            if written.rowcount == 1:
                self._run("DELETE FROM epochs WHERE task = ?", (key,))
                for epoch in done.epochs:
                    self._run("INSERT INTO epochs VALUES (?, ?, ?, ?)", (key, *epoch))

    def done(self, keys: Iterable[str]) -> Mapping[str, TaskResult]:
        """The results of those of the tasks that have ended."""
        results: dict[str, TaskResult] = {}
        for key in keys:
            rows = self._rows(
                "SELECT result, seconds FROM tasks WHERE id = ? AND result IS NOT NULL", (key,)
            )
            for result, seconds in rows:
                epochs = self._rows(
                    "SELECT number, accuracy, seconds FROM epochs WHERE task = ? ORDER BY number",
                    (key,),
                )
                with self._undamaged():
                    values = dict(json.loads(result))
                    place = str(values.pop(PLACE, ""))
                    results[key] = TaskResult(
                        values,
                        tuple(EpochResult(int(n), float(a), float(s)) for n, a, s in epochs),
                        float(seconds),
                        place,
                    )
        return results


# ---- a table


def run_table(
    table: PaperTable,
    run: Run,
    record: str | Path,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    device: str = "cpu",
    rows: Sequence[str] = (),
    progress: ProgressCallback | None = None,
    until: float | None = None,
) -> Page:
    """Do the remaining tasks of a table, and return the page of its figures.

    `rows` are names of rows, or parts of them: only those are done then, without plots and
    drawings.
    `until` is the time (of `time.monotonic`) after which no further task begins: `TimeUpError`.

    The numbers depend on the size, the boards and the seeds; on nothing else.
    """
    check_device(device, cluster)
    with TaskStore(record) as store:
        planned = table.contents.figures(run)
        figures = _chosen(planned, rows)
        wanted = [task for figure in figures for task in (*figure.tasks, *figure.honest)]
        done = finish_tasks(
            wanted, store, jobs=jobs, cluster=cluster, device=device, progress=progress,
            until=until,
        )  # fmt: skip
    page = _page(table, run, figures, done)
    rows_published = [figure.row for figure in planned if figure.published is not None]
    page["rows"] = {figure.row: figure.row in rows_published for figure in planned}
    if rows:
        return page

    def results(task: Task) -> TaskResult:
        return done[task.key]

    drawings = table.contents.drawings(run, results)
    page["drawings"] = [asdict(drawing) for drawing in drawings]
    page["pictures"] = [
        {
            **asdict(plot),
            "curves": {name: [round(v, 3) for v in line] for name, line in plot.curves.items()},
            "levels": {name: round(v, 3) for name, v in plot.levels.items()},
        }
        for plot in table.contents.plots(run, results)
    ]
    return page


def _chosen(figures: Sequence[Figure], rows: Sequence[str]) -> list[Figure]:
    whole = {figure.row for figure in figures}
    chosen = [
        figure
        for figure in figures
        if not rows
        or any(figure.row == row or (row in figure.row and row not in whole) for row in rows)
    ]
    if not chosen:
        names = ", ".join(repr(name) for name in dict.fromkeys(f.row for f in figures))
        raise ValueError(f"No row is called like {', '.join(map(repr, rows))}; there are {names}.")
    return chosen


def _page(
    table: PaperTable,
    run: Run,
    figures: Sequence[Figure],
    done: Mapping[str, TaskResult],
) -> Page:
    rows = [_figure_page(figure, done) for figure in figures]
    tasks = [
        task
        for figure in figures
        for wanted in (*figure.tasks, *figure.honest)
        for task in _with_needs(wanted)
    ]
    used = {task.key for task in tasks if task.key in done}
    looked_at = {task.boards.origin for task in tasks if task.boards is not None}
    page: Page = {
        "source": table.document,
        "table": table.number,
        "where": table.where,
        "title": table.title,
        "size": {
            "share_of_clauses" if name == "share" else name: value
            for name, value in asdict(run.size).items()
        },
        "data": [boards.page() for boards in run.used() if boards.digest in looked_at],
        "figures": rows,
        "headline": next((r for r in rows if (r["row"], r["name"]) == table.headline), rows[0]),
        "notes": list(table.notes),
        "over": table.over,
        "pictures": [],
        "drawings": [],
        "seeds": sorted({task.settings["seed"] for task in tasks if "seed" in task.settings}),
        "tasks": len(used),
        "seconds": round(sum(done[key].seconds for key in used), 3),
        "work": work_by_place(done[key] for key in used),
        **environment(),
    }
    return TablePage(page)


def _figure_page(figure: Figure, done: Mapping[str, TaskResult]) -> Page:
    ours = honest = difference = interval = None
    n_games = 0
    if figure.tasks:
        results = [done[task.key] for task in figure.tasks]
        ours = summary(figure.values(results))
        n_games = sum(len(result.result.get("games", ())) for result in results)
    of_games = figure.published_games is not None and n_games > 0
    if ours and ours["spread"] is None and not of_games:
        interval = resampled_interval(figure.values, results, figure.of_seeds)
    if figure.honest:
        read = figure.honest_values or figure.values
        honest = summary(read([done[task.key] for task in figure.honest]))
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
        **({"interval": interval} if interval else {}),
        "settings": figure.settings or shared_settings(figure.tasks),
        "digits": figure.digits,
        "published_spread": figure.published_spread,
        **({"games": {"published": figure.published_games, "ours": n_games}} if of_games else {}),
        "epochs": round(statistics.fmean(epochs), 1) if epochs else None,
    }


def summary(values: Sequence[float]) -> Page:
    """Mean and spread (the standard deviation of a sample); one value has no spread.

    >>> summary([1.0, 3.0])
    {'mean': 2.0, 'spread': 1.4142, 'values': [1.0, 3.0]}
    """
    return {
        "mean": round(statistics.fmean(values), 4),
        "spread": round(statistics.stdev(values), 4) if len(values) > 1 else None,
        "values": [round(value, 4) for value in values],
    }


RESAMPLES = 200


def resampled_interval(
    values: ReadValues, results: Sequence[TaskResult], of_seeds: bool = False
) -> tuple[float, float] | None:
    """The 95 % interval of a figure of games, tested boards or seeds, by drawing those again.

    None where there are none of them, and for what does not depend on them.

    >>> games = [{"won": n < 30} for n in range(100)]
    >>> share = lambda done: [sum(game["won"] for task in done for game in task.result["games"])]
    >>> low, high = resampled_interval(share, [TaskResult({"games": games})])
    >>> low < 30 < high
    True
    """
    draws = np.random.default_rng(1)
    counted = "confusion" in results[0].result
    games = [game for task in results for game in task.result.get("games", ())]
    if not of_seeds and ((len(results) > 1) if counted else not games):
        return None
    seconds = sum(task.seconds for task in results)

    def again() -> Sequence[TaskResult]:
        if of_seeds:
            return [results[n] for n in draws.integers(len(results), size=len(results))]
        part: dict[str, object]
        if counted:
            cells = np.array(results[0].result["confusion"])
            tested = draws.multinomial(cells.sum(), cells.ravel() / cells.sum())
            tested = tested.reshape(cells.shape)
            rate = float(np.trace(tested) / tested.sum())
            part = {"accuracy": rate, "confusion": tested.tolist()}
        else:
            part = {"games": [games[n] for n in draws.integers(len(games), size=len(games))]}
        return [replace(results[0], result={**results[0].result, **part}, seconds=seconds)]

    drawn: list[float] = []
    while len(drawn) < RESAMPLES:
        if len(drawn) == 10 and len(set(drawn)) == 1:
            return None
        drawn.append(values(again())[0])
    low, high = (round(float(bound), 4) for bound in np.percentile(drawn, (2.5, 97.5)))
    return low, high


def work_by_place(done: Iterable[TaskResult]) -> list[Page]:
    """Number and seconds of tasks by the processor or GPU that did them.

    >>> work_by_place([TaskResult({}, seconds=1.5), TaskResult({}, seconds=2.0)])
    [{'place': '', 'tasks': 2, 'seconds': 3.5}]
    """
    places: dict[str, list[float]] = {}
    for task in done:
        places.setdefault(task.place, []).append(task.seconds)
    return [
        {"place": place, "tasks": len(seconds), "seconds": round(sum(seconds), 3)}
        for place, seconds in sorted(places.items())
    ]


NOT_TOLD = ("fold", "seed", "numbers", "keep", "course")
"""Settings in which the tasks of a row differ, or that its page tells otherwise."""


def shared_settings(tasks: Sequence[Task]) -> str:
    """The settings that all tasks of a row have, in words, where its table does not tell them.

    >>> shared_settings([Task(lambda *_: [], {"model": "DTC", "hidden": [8], "fold": 1})])
    'model DTC, hidden 8'
    """

    def words(values: Sequence[object]) -> str:
        if all(isinstance(value, Mapping) for value in values):
            pages = cast("Sequence[Mapping[str, object]]", values)
            names = [name for name in pages[0] if name not in NOT_TOLD]
            parts = {name: words([page.get(name) for page in pages]) for name in names}
            return ", ".join(f"{name} {part}" for name, part in parts.items() if part)
        if values[0] is None or any(value != values[0] for value in values):
            return ""
        if isinstance(values[0], list):
            return " and ".join(map(str, values[0]))
        return str(values[0])

    return words([task.settings for task in tasks]) if tasks else ""


# ---- tasks


def check_device(device: str, cluster: str | None) -> None:
    """Refuse an unknown device, or a GPU together with a cluster."""
    if device not in DEVICES:
        raise ValueError(f"device={device!r} is neither 'cpu' nor 'gpu'.")
    if device == "gpu" and cluster is not None:
        raise ValueError("A cluster works on its CPUs; leave out --device or --cluster.")


def finish_tasks(
    wanted: Iterable[Task],
    store: TaskStore,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    device: str = "cpu",
    progress: ProgressCallback | None = None,
    until: float | None = None,
) -> dict[str, TaskResult]:
    """Do tasks, and those they need, unless they are recorded; all results by key.

    Each is recorded as it ends. After `until`, a time of `time.monotonic`, tasks that are under way
    are given up, and a `TimeUpError` is raised.
    """
    wanted = list(wanted)
    done = dict(store.done({task.key for first in wanted for task in _with_needs(first)}))
    tasks = {task.key: task for first in wanted for task in _with_needs(first, done)}
    store.begin(task for key, task in tasks.items() if key not in done)

    def n_done() -> int:
        return len(done.keys() & tasks.keys())

    if progress is not None:
        progress(n_done(), len(tasks))
    while ready := _ready(tasks, done):
        if until is not None and time.monotonic() > until:
            raise TimeUpError(n_done(), len(tasks))
        results = _performed(ready, store.path, jobs, cluster, device)
        for key, result in results:
            store.finish(key, result)
            # Another run may have been faster; then its result counts.
            done.update(store.done([key]))
            if progress is not None:
                progress(n_done(), len(tasks))
            if until is not None and time.monotonic() > until and n_done() < len(tasks):
                results.close()
                raise TimeUpError(n_done(), len(tasks))
    return done


def _with_needs(task: Task, done: Mapping[str, TaskResult] | None = None) -> Iterator[Task]:
    """A task and all that it needs; what is done needs nothing more."""
    if done is None or task.key not in done:
        for need in task.needs:
            yield from _with_needs(need, done)
    yield task


def _ready(tasks: Mapping[str, Task], done: Mapping[str, TaskResult]) -> list[Task]:
    """The remaining tasks whose needs have ended, with the results of those."""
    return [
        replace(task, given=tuple(done[need.key].result for need in task.needs))
        for key, task in tasks.items()
        if key not in done and all(need.key in done for need in task.needs)
    ]


def _performed(
    tasks: Sequence[Task], record: Path, jobs: int, cluster: str | None, device: str
) -> Generator[tuple[str, TaskResult], None, None]:
    """Do tasks in any order; workers of a cluster cannot write into the file of this machine."""
    owner = os.getpid()
    for together in gpu_groups(task for task in tasks if device == "gpu" and task.on_gpu):
        yield from perform(together, record, device, owner)
    # Each machine gets one core: many tasks are a better use of the others than many threads.
    single = [task for task in tasks if not (device == "gpu" and task.on_gpu)]
    here = (record, "cpu", owner) if cluster is None else (None, "cpu", None)
    for some in spread(perform, (([task], *here) for task in single), jobs, cluster):
        yield from some


def gpu_groups(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    """Tasks of the same work that run side by side on a GPU (`GPU_CLAUSES`)."""
    by_work: dict[str, list[Task]] = {}
    for task in tasks:
        by_work.setdefault(task.work_name, []).append(task)
    for waiting in by_work.values():
        group: list[Task] = []
        clauses = 0
        for task in waiting:
            size = task.settings.get("machine", {}).get("clauses", GPU_CLAUSES // 10)
            if group and clauses + size > GPU_CLAUSES:
                yield group
                group, clauses = [], 0
            group.append(task)
            clauses += size
        yield group


def perform(
    tasks: Sequence[Task], record: Path | None, device: str, owner: int | None = None
) -> list[tuple[str, TaskResult]]:
    """Do tasks of one kind in this process, and record their epochs as they end.

    `owner` is the process that waits for the results: if that was killed, this one ends, too.
    """
    end_if_orphaned(owner)
    epochs: dict[str, list[EpochResult]] = {task.key: [] for task in tasks}
    store = None if record is None else TaskStore(record)

    def epoch_done(task: Task, epoch: EpochResult) -> None:
        end_if_orphaned(owner)
        epochs[task.key].append(epoch)
        if store is not None:
            store.epoch(task, epoch)

    started = time.perf_counter()
    try:
        results = tasks[0].work(tasks, epoch_done, device)
    finally:
        if store is not None:
            store.close()
    seconds = (time.perf_counter() - started) / len(tasks)
    place = on_gpu() if device == "gpu" else processor()
    return [
        (task.key, TaskResult(result, tuple(epochs[task.key]), seconds, place))
        for task, result in zip(tasks, results, strict=True)
    ]


def end_if_orphaned(owner: int | None) -> None:
    """End this process if it is neither the owner nor a child of it any more."""
    if owner is not None and owner not in (os.getpid(), os.getppid()):
        os._exit(1)
