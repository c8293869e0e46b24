"""Tasks on cores and on a cluster: the same results, also when a worker dies."""

from __future__ import annotations

import operator
import os
import signal
import sys
import time

import pytest

from clauseboard.papers import SIZES, Computed, Figure, PaperTable
from clauseboard.papers.boards import Run
from clauseboard.papers.runner import run_table
from clauseboard.papers.training import MachineParameters, TrainingSchedule, fold_task
from clauseboard.parallel import spread
from clusters import cluster


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_all_tasks_are_done(jobs):
    assert sorted(spread(operator.mul, [(n, n) for n in range(10)], jobs)) == [
        n * n for n in range(10)
    ]


def test_no_tasks():
    assert list(spread(operator.mul, [], 1)) == []


@pytest.mark.parametrize("jobs", [0, -1, True, 1.5])
def test_wrong_jobs(jobs):
    with pytest.raises(ValueError, match="must be an integer >= 1"):
        list(spread(operator.mul, [(1, 2)], jobs))


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_come_through(jobs):
    with pytest.raises(ZeroDivisionError):
        list(spread(operator.truediv, [(1, 1), (1, 0)], jobs))


def test_a_process_that_is_killed():
    with pytest.raises(OSError, match="A worker process was killed"):
        list(spread(signal.raise_signal, [(signal.SIGKILL,)] * 4, 2))


def test_without_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ValueError, match=r"pip install 'clauseboard\[cluster\]'"):
        list(spread(operator.mul, [(1, 2)], cluster="tcp://127.0.0.1:1"))


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:9", "127.0.0.1:9", "nowhere", "tcp://x:y", "tcp://:1"]
)
def test_no_scheduler(monkeypatch, address):
    pytest.importorskip("distributed")
    monkeypatch.setattr("clauseboard.parallel.SECONDS_TO_CONNECT", 1)
    with pytest.raises(ValueError, match="No Dask scheduler answers at"):
        list(spread(operator.mul, [(1, 2)], cluster=address))


# ---- a cluster on this machine


def test_a_cluster_of_one_worker_does_the_work(tmp_path):
    pytest.importorskip("distributed")
    with cluster(tmp_path, 1) as (address, workers):
        done = list(spread(os.getpid, [()] * 3, cluster=address))
        assert done == [workers[0].pid] * 3
        with pytest.raises(ZeroDivisionError):
            list(spread(operator.truediv, [(1, 1), (1, 0)], cluster=address))


@pytest.mark.long
def test_a_ten_fold_on_a_cluster_that_loses_a_worker(tmp_path, boards):
    pytest.importorskip("distributed")
    machine, course = MachineParameters(20, 40, 9), TrainingSchedule(5)
    tasks = tuple(fold_task(boards, fold, machine, course) for fold in range(10))
    table = PaperTable(
        "999", "1", "nowhere", "test",
        Computed(lambda run: [Figure("a", "accuracy", 50.0, tasks)]), ("a", "accuracy"),
    )  # fmt: skip
    local = run_table(table, Run(SIZES["quick"]), tmp_path / "local")
    with cluster(tmp_path, 2) as (address, workers):
        killed = []

        def heard(done, of):
            if done == 2:
                workers[0].send_signal(signal.SIGKILL)
                killed.append(done)

        there = run_table(
            table,
            Run(SIZES["quick"]),
            tmp_path / "there",
            cluster=address,
            progress=heard,
        )
        assert killed == [2]
        assert workers[0].wait(timeout=300) == -signal.SIGKILL
        assert workers[1].poll() is None
    assert there["figures"] == local["figures"]
    assert there["tasks"] == 10


def test_a_cluster_without_workers(tmp_path):
    pytest.importorskip("distributed")
    with cluster(tmp_path, 0) as (address, _):
        time.sleep(0.1)
        with pytest.raises(ValueError, match="has no worker; start some"):
            list(spread(operator.mul, [(1, 2)], cluster=address))


def test_processes_that_are_there_already_work_in_the_folder_of_now(tmp_path, monkeypatch):
    for name in ("before", "after"):
        folder = tmp_path / name
        folder.mkdir()
        monkeypatch.chdir(folder)
        assert set(spread(os.getcwd, [()] * 4, jobs=2)) == {str(folder)}
