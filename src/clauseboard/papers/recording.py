"""Where the tasks of experiments are recorded: an SQLite file, into which each goes as it ends.

A run that is killed goes on from there. The tables can be read with any SQLite program: `tasks`
has the settings and what came out, `epochs` the accuracy after each epoch, written as it ends.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import ClassVar

from clauseboard.papers.experiment import EpochResult, Task, TaskResult
from clauseboard.sqlite_store import Database

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


class TaskStore(Database):
    """A file of tasks. Close it, or use it in a `with`; what was kept stays, whatever happens."""

    tables: ClassVar[str] = _TABLES
    mark: ClassVar[int] = 0x436C_6245  # "ClbE"
    version: ClassVar[int] = 1
    content: ClassVar[str] = "results"

    def begin(self, tasks: Iterable[Task]) -> None:
        """Note what is to be done; twice is the same as once."""
        with self._together():
            for task in tasks:
                self._run(
                    "INSERT OR IGNORE INTO tasks VALUES (?, ?, ?, ?, ?, NULL, NULL, NULL)",
                    (
                        task.key,
                        f"{task.work.__module__}.{task.work.__qualname__}",
                        json.dumps(task.settings, sort_keys=True),
                        task.settings.get("fold"),
                        None if task.boards is None else task.boards.digest,
                    ),
                )

    def epoch(self, task: Task, epoch: EpochResult) -> None:
        """Keep what is known after an epoch; a task that is done over again writes over it."""
        self._run(
            "INSERT OR REPLACE INTO epochs VALUES (?, ?, ?, ?)",
            (task.key, epoch.number, epoch.accuracy, epoch.seconds),
        )

    def finish(self, key: str, done: TaskResult) -> None:
        """Keep what came out of a task; if another run was faster, its result stays."""
        with self._together():
            written = self._run(
                "UPDATE tasks SET result = ?, accuracy = ?, seconds = ? "
                "WHERE id = ? AND result IS NULL",
                (json.dumps(done.result), done.result.get("accuracy"), done.seconds, key),
            )
            if written.rowcount == 1:
                self._run("DELETE FROM epochs WHERE task = ?", (key,))
                for epoch in done.epochs:
                    self._run(
                        "INSERT INTO epochs VALUES (?, ?, ?, ?)",
                        (key, epoch.number, epoch.accuracy, epoch.seconds),
                    )

    def done(self, keys: Iterable[str]) -> Mapping[str, TaskResult]:
        """What came out of those of the tasks that have ended."""
        found: dict[str, TaskResult] = {}
        for key in keys:
            rows = self._rows(
                "SELECT result, seconds FROM tasks WHERE id = ? AND result IS NOT NULL", (key,)
            )
            for result, seconds in rows:
                epochs = self._rows(
                    "SELECT number, accuracy, seconds FROM epochs WHERE task = ? ORDER BY number",
                    (key,),
                )
                found[key] = TaskResult(
                    json.loads(result), tuple(EpochResult(*epoch) for epoch in epochs), seconds
                )
        return found
