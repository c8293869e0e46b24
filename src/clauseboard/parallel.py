"""Independent tasks on all cores of this machine, or on a cluster: one small function over joblib.

Whoever has many tasks (folds, settings, seeds, games) gives them to `spread` and takes the results
as they come. Where they are worked on makes no difference to what comes out.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

SECONDS_TO_WAIT = 15
"""How long a process waits for another task before it ends."""

SECONDS_TO_CONNECT = 10
"""How long the scheduler of a cluster may take to answer."""


def spread(
    work: Callable[..., Any],
    tasks: Iterable[tuple[Any, ...]],
    jobs: int = 1,
    cluster: str | None = None,
) -> Iterator[Any]:
    """Yield `work(*task)` for every task, in the order in which they end.

    With one job that is here, one after the other; with several in as many processes; with a
    `cluster` ("HOST:PORT" of a Dask scheduler) on its workers, as many at a time as they have
    threads. A task of a worker that dies is given to another one.

    >>> sorted(spread(pow, [(2, 3), (3, 2)]))
    [8, 9]
    """
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise ValueError(f"jobs={jobs!r} is no whole number from 1 on.")
    if cluster is not None:
        yield from _on_cluster(work, tasks, cluster)
    elif jobs == 1:
        for task in tasks:
            yield work(*task)
    else:
        yield from _in_processes(work, tasks, jobs)


def _in_processes(
    work: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], jobs: int
) -> Iterator[Any]:
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    # If this process is killed, the others see that nothing comes any more, and end.
    with parallel_config(backend="loky", idle_worker_timeout=SECONDS_TO_WAIT):
        workers = Parallel(n_jobs=jobs, return_as="generator_unordered")
    try:
        with warnings.catch_warnings():
            # One that has grown large is replaced by a new one, which is no concern of the user.
            warnings.filterwarnings("ignore", "A worker stopped while some jobs were given")
            with _deaf_children():
                done = workers(delayed(work)(*task) for task in tasks)
            yield from done
    except TerminatedWorkerError:
        raise OSError(
            "A process that worked on it was ended from outside; perhaps the memory ran out. With "
            "fewer --jobs it needs less."
        ) from None


def _on_cluster(
    work: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], cluster: str
) -> Iterator[Any]:
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise ValueError("--cluster needs Dask: pip install 'clauseboard[cluster]'.") from error
    from joblib import Parallel, delayed, parallel_config

    try:
        _knock(cluster)
        client = Client(cluster, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ValueError(
            f"No Dask scheduler answers at {cluster!r}. Start one with 'dask scheduler', and give "
            "the address that it tells, such as tcp://HOST:8786."
        ) from error
    with client:
        if not client.nthreads():
            raise ValueError(
                f"The scheduler at {cluster} has no worker; start some: 'dask worker {cluster}'."
            )
        with parallel_config(backend="dask", client=client, pure=False):
            # One task at a time: with joblib's larger batches a worker that dies loses more.
            workers = Parallel(return_as="generator_unordered", batch_size=1)
            try:
                yield from workers(delayed(_alone)(work, *task) for task in tasks)
            except KilledWorker as error:
                raise OSError(
                    "A task was given up: the workers that had it died again and again; perhaps "
                    "their memory is too small."
                ) from error


def _knock(address: str) -> None:
    """See that somebody is there; Dask's client itself takes long to find out that nobody is."""
    place = urlsplit(address if "://" in address else f"tcp://{address}")
    if place.hostname is None or place.port is None:
        raise ValueError(f"{address!r} has no host and port.")
    socket.create_connection((place.hostname, place.port), SECONDS_TO_CONNECT).close()


def _alone(work: Callable[..., Any], *task: Any) -> Any:
    """Do a task on a worker; what it does in parallel stays there, not spread over the cluster."""
    from joblib import parallel_config

    with parallel_config(backend="sequential"):
        return work(*task)


@contextlib.contextmanager
def _deaf_children() -> Iterator[None]:
    """Start processes that do not hear Ctrl-C: this one does, and ends them quietly."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heard)
