"""Processes that think, so that a long move blocks nobody and a lost process loses no game.

Each process has a thread here that gives it one job after another and waits for the answer. A job
that takes too long is ended together with its process; a process that dies is replaced, and its
job is done once more. The first process takes only quick jobs, so that these never wait for long
ones, however many there are.
"""

from __future__ import annotations

import contextlib
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from clauseboard.web import worker as work

PARTING = 3.0
"""Seconds that a process has to end by itself, and to end the programs that it has started."""
MOST_WAITING = 2000
"""Jobs that may wait."""
TRIES = 2


class WorkerError(Exception):
    """A job that came to nothing; the text is a sentence for the person.

    `by_player`: a player said so, or what it was asked cannot be; it would say so again.
    """

    def __init__(self, sentence: str, by_player: bool = False) -> None:
        super().__init__(sentence)
        self.by_player = by_player


class JobCancelledError(WorkerError):
    """A job that nobody wants any more."""


@dataclass(eq=False)
class Job:
    """Something to be done by a process: a task of `work`, and how long it may take."""

    task: str
    arguments: dict[str, Any]
    seconds: float
    quick: bool = True
    awaited: bool = True
    """Whether a person waits for it; what nobody waits for comes last."""
    result: Future[Any] = field(default_factory=Future)
    stopped: bool = False
    ready: bool = False
    """Whether the player is ready, and its time runs."""
    process: Any = None
    thought: Any = None
    """What the player would choose so far, where it says so."""


class WorkerPool:
    """So many processes, and jobs for them."""

    def __init__(self, workers: int, preparing: float = 300.0) -> None:
        self.preparing = preparing
        self._jobs: deque[Job] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._crew = [_Worker() for _ in range(workers)]
        self._threads = [
            threading.Thread(target=self._run, args=(worker, n == 0 < workers - 1), daemon=True)
            for n, worker in enumerate(self._crew)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job) -> Future[Any]:
        """Have a job done; its result is there in time, or is a `WorkerError`."""
        with self._changed:
            if self._closing:
                raise WorkerError("The program ends.")
            if len(self._jobs) >= MOST_WAITING:
                raise WorkerError("Too many games think at once; try again in a moment.")
            # From now on only `stop` ends it, not whoever stops waiting.
            job.result.set_running_or_notify_cancel()
            self._jobs.append(job)
            self._changed.notify_all()
        return job.result

    def stop(self, job: Job) -> None:
        """Give a job up: it is not begun, or its process is ended."""
        with self._changed:
            job.stopped = True
            if job in self._jobs:
                self._jobs.remove(job)
                job.result.set_exception(JobCancelledError("It is not needed any more."))
                return
            process = job.process
        if process is not None:
            process.end()

    def numbers(self) -> list[int]:
        """The numbers of the processes that run."""
        return [number for worker in self._crew if (number := worker.number) is not None]

    def close(self) -> None:
        """End all processes, and what they do."""
        with self._changed:
            self._closing = True
            waiting = list(self._jobs)
            self._jobs.clear()
            self._changed.notify_all()
        for job in waiting:
            job.result.set_exception(JobCancelledError("The program ends."))
        # All at once, for each may take a moment.
        ending = [threading.Thread(target=worker.retire) for worker in self._crew]
        for thread in ending:
            thread.start()
        for thread in (*ending, *self._threads):
            thread.join()

    # ---- in the threads

    def _run(self, worker: _Worker, quick_only: bool) -> None:
        with contextlib.suppress(_Lost):
            worker.start()  # its imports take a second, which nobody should wait for
        while True:
            with self._changed:
                job = self._fitting(quick_only)
                while job is None:
                    if self._closing:
                        break
                    self._changed.wait()
                    job = self._fitting(quick_only)
                if job is None:
                    break
                self._jobs.remove(job)
                job.process = worker
            try:
                found = self._done(worker, job)
            except WorkerError as error:
                job.result.set_exception(error)
            else:
                job.result.set_result(found)
            finally:
                job.process = None
        worker.end()

    def _fitting(self, quick_only: bool) -> Job | None:
        fitting = (job for job in self._jobs if job.quick or not quick_only)
        return min(fitting, key=lambda job: not job.awaited, default=None)

    def _done(self, worker: _Worker, job: Job) -> Any:
        for _ in range(TRIES):
            if job.stopped or self._closing:
                break
            try:
                return worker.ask(job, self.preparing)
            except _Lost:
                worker.end()
        if self._closing:
            raise JobCancelledError("The program ends.")
        if job.stopped:
            raise JobCancelledError("It is not needed any more.")
        raise WorkerError("The process that was to think has ended, twice; try again.")


class _Lost(Exception):  # noqa: N818
    """A process that is gone."""


class _Worker:
    """One process, started when it is needed, again and again."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.Queue[Any] = queue.Queue()
        self._lock = threading.Lock()
        self._over = False

    @property
    def number(self) -> int | None:
        """The number of the process, if it runs."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def start(self) -> tuple[subprocess.Popen[bytes], queue.Queue[Any]]:
        """Start the process, unless it runs."""
        with self._lock:
            if self._over:
                raise _Lost
            if self._process is None or self._process.poll() is not None:
                self._clear(0.0)
                # In a session of its own, Ctrl-C at the terminal is for the server only. It ends
                # when its input does, also if the server is killed.
                try:
                    process = subprocess.Popen(
                        [sys.executable, "-P", "-m", "clauseboard.web.worker"],
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        start_new_session=True,
                    )
                except OSError:
                    raise _Lost from None
                self._process, self._answers = process, queue.Queue()
                reader = threading.Thread(
                    target=_listen, args=(process.stdout, self._answers), daemon=True
                )
                reader.start()
            return self._process, self._answers

    def ask(self, job: Job, preparing: float) -> Any:
        """What the process answers, in time."""
        process, answers = self.start()
        try:
            work.send(process.stdin, (job.task, job.arguments))
        except (OSError, ValueError):
            # Its input is closed: it is gone, or another thread has ended it.
            raise _Lost from None
        ends, allowed = time.monotonic() + preparing, preparing
        while True:
            try:
                answer = answers.get(timeout=max(0.0, ends - time.monotonic()))
            except queue.Empty:
                self.end()
                raise WorkerError(
                    f"There was no answer within {allowed:g} seconds, so it was ended."
                ) from None
            if answer is None:
                raise _Lost
            kind, found = answer
            if kind == work.READY:
                job.ready = True
                ends, allowed = time.monotonic() + job.seconds, job.seconds
            elif kind == work.THOUGHT:
                job.thought = found
            elif kind == work.DONE:
                return found
            else:
                raise WorkerError(found, by_player=True)

    def end(self) -> None:
        """End the process: it may end by itself, or is killed."""
        with self._lock:
            self._clear(PARTING)

    def retire(self) -> None:
        """End the process, and never start another one."""
        self._over = True
        self.end()

    def _clear(self, seconds: float) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        with contextlib.suppress(OSError):
            process.stdin.close()  # type: ignore[union-attr]


def _listen(stream: Any, answers: queue.Queue[Any]) -> None:
    """Pass on what a process says; None when it says nothing any more."""
    with stream, contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            answers.put(work.receive(stream))
    answers.put(None)
