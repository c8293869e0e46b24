"""Threads that do one job together, again and again, and never hang after Ctrl-C.

A Ctrl-C reaches the main thread between any two steps of Python, also inside the standard
library's thread pools, which may then wait for ever. Here the main thread talks to the others by
queues alone, whose calls are single steps. After an interruption it sends one more order, and goes
on only when every thread has answered that.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

Job = Callable[[int], None]


class ThreadTeam:
    """The calling thread, as member 0, and `size - 1` others; `close` ends them."""

    def __init__(self, size: int) -> None:
        self.orders: list[SimpleQueue[Any]] = [SimpleQueue() for _ in range(size - 1)]
        self.answers: SimpleQueue[tuple[int, int, BaseException | None]] = SimpleQueue()
        self.number = 0
        self.threads = [
            threading.Thread(target=self._work, args=(member,), daemon=True)
            for member in range(1, size)
        ]
        for thread in self.threads:
            thread.start()

    def run(self, job: Job, give_up: Callable[[], None]) -> None:
        """Call job(member) in every thread and return when all have ended.

        Members may wait for each other inside the job. If one fails, `give_up` must make the
        others end soon; the first error is raised when they have.
        """
        self.number += 1
        try:
            self._order(job)
            job(0)
            self._wait(give_up)
        except BaseException:
            give_up()
            self._settle()
            raise

    def close(self) -> None:
        """End the threads."""
        for orders in self.orders:
            orders.put(None)
        for thread in self.threads:
            thread.join()

    def _order(self, job: Job) -> None:
        for orders in self.orders:
            orders.put((self.number, job))

    def _wait(self, give_up: Callable[[], None]) -> None:
        """Wait until every thread has answered the last order."""
        waiting = set(range(1, len(self.orders) + 1))
        failed: BaseException | None = None
        while waiting:
            member, number, error = self.answers.get()
            if number == self.number:
                waiting.discard(member)
                if error is not None and failed is None:
                    failed = error
                    give_up()
        if failed is not None:
            raise failed

    def _settle(self) -> None:
        """Wait until every thread is idle, however often Ctrl-C is pressed meanwhile."""
        while True:
            try:
                self.number += 1
                self._order(lambda member: None)
                self._wait(lambda: None)
                return
            except KeyboardInterrupt:
                continue

    def _work(self, member: int) -> None:
        for number, job in iter(self.orders[member - 1].get, None):
            error: BaseException | None = None
            try:
                job(member)
            except BaseException as raised:
                error = raised
            self.answers.put((member, number, error))
