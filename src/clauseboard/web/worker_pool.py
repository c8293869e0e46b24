"""Worker processes, so that a long search blocks nobody and a lost process loses no game.

Each process has a thread here that gives it one job after another and waits for the result. A job
that takes too long is ended together with its process; a process that dies is replaced, and its
job is done once more. The first process takes only quick jobs, so that these never wait for long
ones, however many there are. Of the idle ones the first takes a job, for it has most players ready;
those beyond `STARTED` run only while they are needed.
"""

from __future__ import annotations

import asyncio
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
from typing import IO, Any

from clauseboard.evaluation import Limit
from clauseboard.player import Choice
from clauseboard.web import worker
from clauseboard.web.models import Compiling
from clauseboard.web.responses import ApiError
from clauseboard.web.settings import Settings

TERMINATION = 3.0
"""Seconds that a process has to end by itself, and to end the programs that it has started."""
MOST_WAITING = 2000
"""Jobs that may wait."""
TRIES = 2
QUICK = 2.0
"""Seconds up to which a job counts as quick."""
STARTED = 2
"""Processes that are started at once and stay; each has about 200 MB."""
IDLE = 120.0
"""Seconds without a job after which another one is ended."""


class WorkerError(Exception):
    """A job that failed; the text is a sentence for the person.

    `by_player`: the player refused the job itself, so that trying again is of no use.
    """

    def __init__(self, sentence: str, by_player: bool = False) -> None:
        super().__init__(sentence)
        self.by_player = by_player


class JobCancelledError(WorkerError):
    """A job that is not needed any more."""


@dataclass(eq=False)
class Job:
    """A task of `worker` for a process, and how long it may take."""

    task: str
    arguments: dict[str, Any]
    seconds: float
    quick: bool = True
    awaited: bool = True
    """Whether a person waits for it; other jobs come last."""
    is_move: bool = False
    """Whether it is an opponent's move, which comes before questions."""
    result: Future[Any] = field(default_factory=Future)
    cancelled: bool = False
    ready: bool = False
    """Whether the player is ready, and its time runs."""
    process: _Worker | None = None
    thought: Choice | None = None
    """The player's choice so far, where it reports one."""
    compiling: Compiling | None = None
    """The kernel that is being compiled for the player."""


class WorkerPool:
    """A number of processes, and jobs for them."""

    def __init__(self, workers: int, preparing: float = 300.0) -> None:
        self.preparing = preparing
        self._jobs: deque[Job] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._workers = [_Worker() for _ in range(workers)]
        self._idle = set(range(workers))
        self._threads = [
            threading.Thread(target=self._run, args=(number,), daemon=True)
            for number in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job) -> Future[Any]:
        """Start a job; its result comes in time, or is a `WorkerError`."""
        with self._changed:
            if self._closing:
                raise WorkerError("The program is shutting down.")
            if len(self._jobs) >= MOST_WAITING:
                raise WorkerError("Too many games think at once; try again in a moment.")
            # From now on only `cancel` ends it, not a client that stops waiting.
            job.result.set_running_or_notify_cancel()
            self._jobs.append(job)
            self._changed.notify_all()
        return job.result

    def cancel(self, job: Job) -> None:
        """Cancel a job: it is not begun, or its process is ended."""
        with self._changed:
            job.cancelled = True
            if job in self._jobs:
                self._jobs.remove(job)
                job.result.set_exception(JobCancelledError("It is not needed any more."))
                return
            process = job.process
        if process is not None:
            process.end()

    def drop(self, job: Job) -> None:
        """Do not begin a job that nobody waits for any more; one that runs goes on."""
        with self._changed:
            if job not in self._jobs:
                return
            self._jobs.remove(job)
        job.result.set_exception(JobCancelledError("Nobody waits for it any more."))

    def process_ids(self) -> list[int]:
        """The ids of the processes that run."""
        return [pid for process in self._workers if (pid := process.pid) is not None]

    def close(self) -> None:
        """End all processes, and their jobs."""
        with self._changed:
            self._closing = True
            waiting = list(self._jobs)
            self._jobs.clear()
            self._changed.notify_all()
        for job in waiting:
            job.result.set_exception(JobCancelledError("The program is shutting down."))
        # All at once, for each may take a moment.
        ending = [threading.Thread(target=process.retire) for process in self._workers]
        for thread in ending:
            thread.start()
        for thread in (*ending, *self._threads):
            thread.join()

    # ---- in the threads

    def _run(self, number: int) -> None:
        process = self._workers[number]
        if number < STARTED:
            with contextlib.suppress(_Lost):
                process.start()  # its imports take a second
        while True:
            job = self._next(number)
            if job is None:
                process.end()
                if self._closing:
                    return
                continue
            try:
                result = self._done(process, job)
            except WorkerError as error:
                job.result.set_exception(error)
            else:
                job.result.set_result(result)
            finally:
                job.process = None

    def _next(self, number: int) -> Job | None:
        """Wait for the next job of a process; None to end the process."""
        process = self._workers[number]
        ends = time.monotonic() + IDLE if number >= STARTED and process.pid is not None else None
        with self._changed:
            self._idle.add(number)
            while (job := self._fitting(number)) is None and not self._closing:
                left = None if ends is None else ends - time.monotonic()
                if left is not None and left <= 0:
                    break
                self._changed.wait(left)
            self._idle.discard(number)
            if job is not None:
                self._jobs.remove(job)
                job.process = process
            self._changed.notify_all()  # the next job may be another one's now
        return job

    def _fitting(self, number: int) -> Job | None:
        """The next job for a process; None if there is none, or a process before it is idle."""
        fitting = (job for job in self._jobs if self._can_do(number, job))
        job = min(fitting, key=lambda job: (not job.awaited, not job.is_move), default=None)
        if job is None or any(self._can_do(n, job) for n in self._idle if n < number):
            return None
        return job

    def _can_do(self, number: int, job: Job) -> bool:
        return job.quick or number > 0 or len(self._workers) == 1

    def _done(self, process: _Worker, job: Job) -> Any:
        for _ in range(TRIES):
            if job.cancelled or self._closing:
                break
            try:
                return process.ask(job, self.preparing)
            except _Lost:
                process.end()
        if self._closing:
            raise JobCancelledError("The program is shutting down.")
        if job.cancelled:
            raise JobCancelledError("It is not needed any more.")
        raise WorkerError("The worker process ended, twice; try again.")


class _Lost(Exception):  # noqa: N818
    """A process that has ended."""


class _Worker:
    """One process, started again whenever it is needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.Queue[Any] = queue.Queue()
        self._lock = threading.Lock()
        self._over = False

    @property
    def pid(self) -> int | None:
        """The id of the process, if it runs."""
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
        """The result of a job, in time."""
        process, answers = self.start()
        try:
            assert process.stdin is not None
            worker.send(process.stdin, (job.task, job.arguments))
        except (OSError, ValueError):
            # Its input is closed: it has ended, or another thread has ended it.
            raise _Lost from None
        ends, allowed = time.monotonic() + preparing, preparing
        while True:
            try:
                answer = answers.get(timeout=max(0.0, ends - time.monotonic()))
            except queue.Empty:
                self.end()
                raise WorkerError(
                    f"There was no answer within {allowed:g} seconds, so the search was ended."
                ) from None
            if answer is None:
                raise _Lost
            kind, content = answer
            if kind == worker.READY:
                job.ready = True
                ends, allowed = time.monotonic() + job.seconds, job.seconds
            elif kind == worker.COMPILING:
                done = content.done >= content.expected
                job.compiling = None if done else Compiling.model_validate(content)
                if job.ready:  # compiling is no part of the job's own time
                    allowed = job.seconds if done else preparing
                    ends = time.monotonic() + allowed
            elif kind == worker.THOUGHT:
                job.thought = content
            elif kind == worker.DONE:
                return content
            else:
                raise WorkerError(content, by_player=True)

    def end(self) -> None:
        """End the process; kill it if it does not end by itself."""
        with self._lock:
            self._clear(TERMINATION)

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


def _listen(stream: IO[bytes], answers: queue.Queue[Any]) -> None:
    """Pass on the messages of a process, and None at the end."""
    with stream, contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            answers.put(worker.receive(stream))
    answers.put(None)


class WorkerClient:
    """Gives jobs to the workers of a server, and waits for them without blocking."""

    def __init__(self, settings: Settings) -> None:
        self.grace = settings.grace
        self.pool = WorkerPool(settings.workers, settings.preparing)

    def job(
        self, task: str, arguments: dict[str, Any], seconds: float, awaited: bool = True
    ) -> Job:
        """A job for a player, within `seconds` and some grace."""
        if task in ("choose", "why", "why_not"):
            arguments = {**arguments, "limit": Limit(seconds=seconds)}
        # An explanation takes a search or two, and pictures.
        times = 1 if task == "choose" else 3
        within = times * seconds + self.grace
        return Job(task, arguments, within, quick=seconds <= QUICK, awaited=awaited)

    async def ask(
        self, task: str, arguments: dict[str, Any], seconds: float, awaited: bool = True
    ) -> Any:
        """The result of a job, or an `ApiError`."""
        return await self.answer(self.job(task, arguments, seconds, awaited))

    async def answer(self, job: Job) -> Any:
        """The result of a job, or an `ApiError`."""
        try:
            return await self.result(job)
        except WorkerError as error:
            raise ApiError(422 if error.by_player else 503, str(error)) from None

    async def result(self, job: Job) -> Any:
        """The result of a job, or a `WorkerError`."""
        try:
            return await asyncio.wrap_future(self.pool.submit(job))
        except asyncio.CancelledError:
            self.pool.drop(job)
            raise
