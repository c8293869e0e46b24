"""Independent tasks on all cores of this machine (joblib), or on a Dask cluster: one function.

Code with many tasks (folds, settings, seeds, games) gives them to `spread` and takes the results as
they come. Where a task runs makes no difference to its result.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import signal
import socket
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar
from urllib.parse import urlsplit

from clauseboard.checks import whole_number

Result = TypeVar("Result")
Task = tuple[object, ...]
"""The arguments of one call."""

SECONDS_TO_WAIT = 15
"""How long a process waits for another task before it ends."""

SECONDS_BETWEEN_LOOKS = 1.0
"""How soon a process notices that its parent was killed."""

TASKS_AHEAD = 2
"""Tasks of a cluster that are handed out, for each thread of its workers."""

SECONDS_TO_CONNECT = 10
"""How long the scheduler of a cluster may take to answer."""


def spread(
    work: Callable[..., Result],
    tasks: Iterable[Task],
    jobs: int = 1,
    cluster: str | None = None,
) -> Iterator[Result]:
    """Yield `work(*task)` for every task, in the order in which they end.

    With one job they run here, one after the other; with several in as many processes; with a
    `cluster` ("HOST:PORT" of a Dask scheduler) on its workers, as many at a time as they have
    threads. The task of a worker that dies is given to another one.

    >>> sorted(spread(pow, [(2, 3), (3, 2)]))
    [8, 9]
    """
    whole_number("jobs", jobs, 1)
    if cluster is not None:
        yield from _on_cluster(work, tasks, cluster)
    elif jobs == 1:
        for task in tasks:
            yield work(*task)
    else:
        yield from _in_processes(work, tasks, jobs)


def _in_processes(
    work: Callable[..., Result], tasks: Iterable[Task], jobs: int
) -> Iterator[Result]:
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    with parallel_config(backend="loky", idle_worker_timeout=SECONDS_TO_WAIT):
        workers = Parallel(n_jobs=jobs, return_as="generator_unordered")
    try:
        with warnings.catch_warnings():
            # A process that has grown large is replaced by a new one; the user need not know.
            warnings.filterwarnings("ignore", "A worker stopped while some jobs were given")
            with _children_ignore_interrupts():
                folder = os.getcwd()
                here = folder, os.getpid()
                results = workers(delayed(_in_worker)(*here, work, *task) for task in tasks)
            yield from results
    except TerminatedWorkerError:
        raise OSError(
            "A worker process was killed; perhaps the memory ran out. Fewer --jobs need less."
        ) from None


def _in_worker(folder: str, parent: int, work: Callable[..., Result], *task: object) -> Result:
    """Run a task where files are named from this folder: a process may be older than a `chdir`."""
    _end_with(parent)
    os.chdir(folder)
    return work(*task)


@functools.cache
def _end_with(parent: int) -> None:
    """End this process soon after its parent, which may be killed in the midst of a long task."""
    if os.getppid() != parent:
        return  # it was not started by the parent itself, as far as the system says

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS_BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _on_cluster(
    work: Callable[..., Result], tasks: Iterable[Task], cluster: str
) -> Iterator[Result]:
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise ValueError("--cluster needs Dask: pip install 'clauseboard[cluster]'.") from error
    try:
        _check_address(cluster)
        client = Client(cluster, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ValueError(
            f"No Dask scheduler answers at {cluster!r}. Start one with 'dask scheduler', and give "
            "the address that it prints, such as tcp://HOST:8786."
        ) from error
    with client:
        if not client.nthreads():
            raise ValueError(
                f"The scheduler at {cluster} has no worker; start some: 'dask worker {cluster}'."
            )
        try:
            yield from _handed_out(client, work, tasks)
        except KilledWorker as error:
            raise OSError(
                "A task was abandoned: its workers died again and again, perhaps for lack of "
                "memory."
            ) from error


def _handed_out(
    client: Any, work: Callable[..., Result], tasks: Iterable[Task]
) -> Iterator[Result]:
    """Hand out tasks one by one, a few ahead of the workers: what waits takes memory.

    Not by joblib, which does the work here where a cluster has one worker of one thread.
    """
    from distributed import as_completed

    left, given = iter(tasks), as_completed(loop=client.loop)
    threads, looked = 0, 0.0
    running = 0
    while True:
        if time.monotonic() - looked > SECONDS_BETWEEN_LOOKS:  # workers come and go
            threads, looked = sum(client.nthreads().values()), time.monotonic()
        for task in itertools.islice(left, max(TASKS_AHEAD * threads, 1) - running):
            given.add(client.submit(_alone, work, *task, pure=False))
            running += 1
        if not running:
            return
        yield next(given).result()
        running -= 1


def _check_address(address: str) -> None:
    """Try to connect: Dask's client itself takes long to find out that nobody answers."""
    place = urlsplit(address if "://" in address else f"tcp://{address}")
    if place.hostname is None or place.port is None:
        raise ValueError(f"{address!r} has no host and port.")
    socket.create_connection((place.hostname, place.port), SECONDS_TO_CONNECT).close()


def _alone(work: Callable[..., Result], *task: object) -> Result:
    """Run a task on a worker; its own parallel work stays there, not spread over the cluster."""
    from joblib import parallel_config

    with parallel_config(backend="sequential"):
        return work(*task)


@contextlib.contextmanager
def _children_ignore_interrupts() -> Iterator[None]:
    """Start processes that ignore Ctrl-C: this one does not, and ends them quietly."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
