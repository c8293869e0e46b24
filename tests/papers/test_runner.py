"""Runs that are recorded, killed, gone on with, and written by two at once."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from clauseboard.papers import (
    SIZES,
    Computed,
    EpochResult,
    Figure,
    PaperTable,
    Task,
    TaskResult,
    runner,
)
from clauseboard.papers.boards import Run
from clauseboard.papers.report import as_text, missing_rows, processor
from clauseboard.papers.runner import TaskStore, run_table, summary

TINY = Path(__file__).parent / "tiny.py"
QUICK = SIZES["quick"]


def double_work(tasks, told, device):
    for task in tasks:
        told(task, EpochResult(1, 0.25, 0.0))
    return [{"accuracy": task.settings["seed"] / 100} for task in tasks]


def tasks(n=4, work=double_work):
    return tuple(Task(work, {"seed": seed}) for seed in range(n))


def table(figures):
    return PaperTable("999", "1", "nowhere", "test", Computed(lambda run: figures), ("a", "b"))


def start(folder, pause=0.0, before=None):
    return subprocess.Popen(
        [sys.executable, str(TINY), str(folder), str(pause)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=before,
    )


def finished(program):
    said, wrong = program.communicate(timeout=300)
    assert program.returncode == 0, wrong
    return json.loads(said)


def wait_until(has_come, program):
    """Wait until a program has come so far, or has ended."""
    ends = time.monotonic() + 300
    while not has_come() and program.poll() is None:
        assert time.monotonic() < ends, "it does not come so far"
        time.sleep(0.005)


def counts(folder):
    """How many tasks have ended and how many epochs are there, as another program sees it."""
    try:
        file = sqlite3.connect(f"file:{folder / 'runs.sqlite'}?mode=ro", uri=True, timeout=10)
    except sqlite3.Error:
        return 0, 0
    try:
        ended = file.execute("SELECT COUNT(*) FROM tasks WHERE result IS NOT NULL").fetchone()[0]
        return ended, file.execute("SELECT COUNT(*) FROM epochs").fetchone()[0]
    except sqlite3.Error:
        return 0, 0
    finally:
        file.close()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    return finished(start(tmp_path_factory.mktemp("whole")))


@pytest.mark.parametrize(
    "moment",
    [
        (1, 4),
        (5, 22),
        pytest.param((0, 1), marks=pytest.mark.long),
        pytest.param((2, 9), marks=pytest.mark.long),
    ],
)
def test_a_run_that_is_killed_goes_on_with_the_same_numbers(tmp_path, undisturbed, moment):
    program = start(tmp_path, 0.03)
    wait_until(lambda: counts(tmp_path) >= moment, program)
    program.kill()
    program.communicate()
    ended, _ = counts(tmp_path)
    assert ended >= moment[0]
    before = kept_seconds(tmp_path)
    assert finished(start(tmp_path)) == undisturbed
    after = kept_seconds(tmp_path)
    assert before.items() <= after.items(), "what had ended was not done again"
    assert len(after) == 6


def kept_seconds(folder):
    file = sqlite3.connect(folder / "runs.sqlite")
    rows = file.execute("SELECT id, seconds FROM tasks WHERE result IS NOT NULL").fetchall()
    file.close()
    return dict(rows)


def test_killed_again_and_again(tmp_path, undisturbed):
    for n in range(3):
        program = start(tmp_path, 0.02)
        wait_until(lambda n=n: counts(tmp_path)[0] > n, program)
        program.kill()
        program.communicate()
    assert finished(start(tmp_path)) == undisturbed


@pytest.mark.parametrize(
    "room", [52_000, *(pytest.param(room, marks=pytest.mark.long) for room in (40_000, 64_000))]
)
def test_a_disk_that_takes_no_more_loses_nothing(tmp_path, undisturbed, room):
    resource = pytest.importorskip("resource")

    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    program = start(tmp_path, before=little_room)
    _, wrong = program.communicate(timeout=300)
    assert program.returncode != 0
    assert "the disk does not take it; it may be full. The results so far are kept" in wrong
    before = kept_seconds(tmp_path)
    assert len(before) < 6
    assert finished(start(tmp_path)) == undisturbed
    assert before.items() <= kept_seconds(tmp_path).items()


def test_two_processes_write_at_once(tmp_path, undisturbed):
    both = [start(tmp_path, 0.02), start(tmp_path, 0.01)]
    assert [finished(program) for program in both] == [undisturbed, undisturbed]
    assert counts(tmp_path) == (6, 24)


def test_what_is_recorded_is_not_done_again(tmp_path):
    figures = [Figure("a", "b", 1.0, tasks())]
    first = run_table(table(figures), Run(QUICK), tmp_path / "r.sqlite")

    def never(some, told, device):
        raise AssertionError("this was done before")

    never.__module__, never.__qualname__ = double_work.__module__, double_work.__qualname__
    again = [Figure("a", "b", 1.0, tasks(work=never))]
    heard = []
    page = run_table(
        table(again), Run(QUICK), tmp_path / "r.sqlite",
        progress=lambda done, of: heard.append((done, of)),
    )  # fmt: skip
    assert page["figures"] == first["figures"]
    assert heard == [(4, 4)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="children keep their parent there")
def test_a_worker_ends_when_nobody_waits_for_it(monkeypatch):
    ended = []
    monkeypatch.setattr(os, "_exit", ended.append)
    for owner in (None, os.getpid(), os.getppid()):
        runner.end_if_orphaned(owner)
    assert ended == []
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    runner.perform(tasks(1), None, "cpu", gone.pid)
    assert ended == [1, 1], "at the beginning and after the epoch"


def test_an_error_in_a_task_keeps_the_others(tmp_path):
    def breaks(some, told, device):
        if some[0].settings["seed"] == 2:
            raise ValueError("no third one")
        return double_work(some, told, device)

    figures = [Figure("a", "b", 1.0, tasks(work=breaks))]
    with pytest.raises(ValueError, match="no third one"):
        run_table(table(figures), Run(QUICK), tmp_path / "r.sqlite")
    with TaskStore(tmp_path / "r.sqlite") as kept:
        assert len(kept.done(task.key for task in figures[0].tasks)) == 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_figures_do_not_depend_on_jobs(tmp_path, jobs):
    import numpy as np

    from clauseboard.papers.boards import BoardSet, LabelledBoards
    from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_task

    rng = np.random.default_rng(5)
    boards = LabelledBoards(
        BoardSet("checkers", "standard-end", False), "made up", False,
        rng.integers(256, size=(60, 16), dtype=np.uint8), 128,
        rng.integers(3, size=60, dtype=np.uint8), (np.arange(60) % 3).astype(np.uint8), 3,
    )  # fmt: skip
    some = tuple(
        fold_task(boards, fold, MachineParameters(10, 20, 5), TrainingSchedule(2))
        for fold in range(3)
    )
    page = run_table(table([Figure("a", "b", None, some)]), Run(QUICK), tmp_path / "r", jobs=jobs)
    ours = page["figures"][0]["ours"]["values"]
    found = [100 * runner.perform([task], None, "cpu")[0][1].result["accuracy"] for task in some]
    assert ours == [round(value, 4) for value in found]


def test_small_machines_go_together_on_a_gpu_and_each_work_by_itself():
    def other(tasks, told, device):
        return double_work(tasks, told, device)

    sizes = [19_000] * 12 + [2_000] * 30 + [400_000] + [500] * 3
    tasks = [Task(double_work, {"seed": n, "machine": {"clauses": c}}) for n, c in enumerate(sizes)]
    tasks.insert(5, Task(other, {"seed": 0}))
    groups = list(runner.gpu_groups(tasks))
    assert [len(group) for group in groups] == [10, 32, 1, 3, 1]
    assert [task for group in groups for task in group if task.work is double_work] == [
        task for task in tasks if task.work is double_work
    ]
    assert list(runner.gpu_groups([])) == []


def test_on_a_gpu_tasks_go_together_ten_at_a_time(tmp_path, monkeypatch):
    seen = []

    def together(some, told, device):
        seen.append((len(some), device))
        return double_work(some, told, device)

    def alone(some, told, device):
        seen.append((len(some), device))
        return double_work(some, told, device)

    on_gpu = tuple(Task(together, {"seed": n}, on_gpu=True) for n in range(13))
    others = tuple(Task(alone, {"seed": n}) for n in range(2))
    figures = [Figure("a", "b", None, on_gpu), Figure("c", "d", None, others)]
    monkeypatch.setattr(runner, "on_gpu", lambda: "GPU of this test")
    page = run_table(table(figures), Run(QUICK), tmp_path / "r", device="gpu")
    places = {part["place"]: part["tasks"] for part in page["work"]}
    assert places == {"GPU of this test": 13, processor(): 2}
    assert seen == [(10, "gpu"), (3, "gpu"), (1, "cpu"), (1, "cpu")]


def test_a_page_has_published_ours_and_the_difference(tmp_path):
    some = tasks(3)
    figures = [
        Figure("a", "b", 2.5, some, honest=some[:1]),
        Figure("c", "d", None, some[:1], lambda done: [7.0]),
    ]
    page = run_table(table(figures), Run(QUICK), tmp_path / "r.sqlite")
    first, second = page["figures"]
    assert first["ours"] == {"mean": 1.0, "spread": 1.0, "values": [0.0, 1.0, 2.0]}
    assert (first["published"], first["difference"], first["epochs"]) == (2.5, -1.5, 1.0)
    assert first["honest"] == {"mean": 0.0, "spread": None, "values": [0.0]}
    assert (second["published"], second["difference"], second["honest"]) == (None, None, None)
    assert page["headline"] == first
    assert page["seeds"] == [0, 1, 2]
    assert page["size"]["name"] == "quick"
    assert set(page["versions"]) >= {"clauseboard", "numpy", "numba"}


def test_wrong_wishes(tmp_path):
    figures = [Figure("a", "b", None, tasks())]
    with pytest.raises(ValueError, match="neither 'cpu' nor 'gpu'"):
        run_table(table(figures), Run(QUICK), tmp_path / "r", device="tpu")
    with pytest.raises(ValueError, match="leave out --device or --cluster"):
        run_table(table(figures), Run(QUICK), tmp_path / "r", device="gpu", cluster="x:1")
    with pytest.raises(ValueError, match="jobs=0 must be an integer"):
        run_table(table(figures), Run(QUICK), tmp_path / "r", jobs=0)


def test_summary():
    assert summary([2.0]) == {"mean": 2.0, "spread": None, "values": [2.0]}
    assert summary([1.0, 2.0, 3.0])["spread"] == 1.0


# ---- the file ---------------------------------------------------------------------------------


def test_a_record_gives_back_what_it_was_given(tmp_path):
    one, two = tasks(2)
    done = TaskResult(
        {"accuracy": 0.5, "more": [1, 2]},
        (EpochResult(1, 0.25, 0.1), EpochResult(2, 0.5, 0.2)),
        3.5,
        "some processor",
    )
    with TaskStore(tmp_path / "r") as kept:
        kept.begin([one, two])
        kept.begin([one])
        kept.epoch(one, EpochResult(1, 0.9, 1.0))
        kept.epoch(one, EpochResult(7, 0.9, 1.0))
        assert kept.done([one.key]) == {}
        kept.finish(one.key, done)
        kept.finish(one.key, TaskResult({"accuracy": 0.1}))
    with TaskStore(tmp_path / "r") as kept:
        assert kept.done([one.key, two.key]) == {one.key: done}


def finish_all(kept, some):
    epochs = tuple(EpochResult(n, 0.5, 0.1) for n in range(1, 20))
    for task in some:
        kept.finish(task.key, TaskResult({"accuracy": 0.5, "x": "y" * 500}, epochs))


def test_a_full_disk_keeps_what_is_there(tmp_path):
    some = tasks(400)
    with TaskStore(tmp_path / "r") as kept:
        kept.begin(some)
        pages = kept._file.execute("PRAGMA page_count").fetchone()[0]
        kept._file.execute(f"PRAGMA max_page_count = {pages + 3}")
        with pytest.raises(OSError, match="the disk is full; the results so far are kept"):
            finish_all(kept, some)
    with TaskStore(tmp_path / "r") as kept:
        found = kept.done(task.key for task in some)
    assert 0 < len(found) < 400
    assert list(found) == [task.key for task in some[: len(found)]]
    assert all(len(done.epochs) == 19 for done in found.values())


def test_a_file_that_may_only_be_read(tmp_path):
    (one,) = tasks(1)
    with TaskStore(tmp_path / "r") as kept:
        kept.begin([one])
        kept._file.execute("PRAGMA query_only = 1")
        with pytest.raises(OSError, match="it cannot be written; check the permissions"):
            kept.finish(one.key, TaskResult({"accuracy": 0.5}))


def test_files_that_are_none_of_ours(tmp_path):
    from clauseboard.arena.playing import MatchStore

    (tmp_path / "notes").write_text("no database at all " * 50)
    with pytest.raises(OSError, match="it is not an SQLite database"):
        TaskStore(tmp_path / "notes")
    MatchStore(tmp_path / "games").close()
    with pytest.raises(ValueError, match="a database of another program"):
        TaskStore(tmp_path / "games")
    with pytest.raises(OSError, match="there is no folder"):
        TaskStore(tmp_path / "missing" / "r")
    shutil.copy(tmp_path / "games", tmp_path / "other")
    TaskStore(tmp_path / "r").close()
    file = sqlite3.connect(tmp_path / "r")
    file.execute("PRAGMA user_version = 7")
    file.close()
    with pytest.raises(ValueError, match="has results as version 7 kept them"):
        TaskStore(tmp_path / "r")


def test_only_some_rows(tmp_path):
    first, second, third = tasks(3)
    figures = [Figure("one", "b", 1.0, (first,)), Figure("two", "b", 2.0, (second, third))]
    page = run_table(table(figures), Run(QUICK), tmp_path / "runs.sqlite", rows=["tw"])
    assert [row["row"] for row in page["figures"]] == ["two"]
    assert counts(tmp_path)[0] == 2
    assert missing_rows(page) == ["one"]
    assert "Not run: one." in as_text(page)
    with pytest.raises(ValueError, match="No row is called like 'x'; there are 'one', 'two'"):
        run_table(table(figures), Run(QUICK), tmp_path / "runs.sqlite", rows=["x"])


def test_a_row_by_its_whole_name_is_no_other_that_contains_it(tmp_path):
    names = ("two", "two more")
    figures = [Figure(n, "b", 1.0, (t,)) for n, t in zip(names, tasks(2), strict=True)]
    for row, chosen in (("two", ["two"]), ("tw", ["two", "two more"]), ("more", ["two more"])):
        page = run_table(table(figures), Run(QUICK), tmp_path / "runs.sqlite", rows=[row])
        assert [figure["row"] for figure in page["figures"]] == chosen


def test_what_is_done_needs_nothing_any_more(tmp_path):
    """A record without the machines that played is enough for the games."""
    first, second = tasks(2)
    playing = replace(second, needs=(first,))
    run_table(table([Figure("a", "b", None, (playing,))]), Run(QUICK), tmp_path / "runs.sqlite")
    assert counts(tmp_path)[0] == 2
    file = sqlite3.connect(tmp_path / "runs.sqlite")
    file.execute("DELETE FROM tasks WHERE id = ?", (first.key,))
    file.commit()
    file.close()
    seen = []
    page = run_table(
        table([Figure("a", "b", None, (playing,))]), Run(QUICK), tmp_path / "runs.sqlite",
        progress=lambda *n: seen.append(n),
    )  # fmt: skip
    assert counts(tmp_path)[0] == 1
    assert seen == [(1, 1)]
    assert page["figures"][0]["ours"] is not None
