"""Work in a thread of its own, so that whoever waits for it may stop waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class Thinking:
    """A function that is being called; its result, or its error, is there when it is done.

    >>> work = Thinking(lambda: 6 * 7)
    >>> work.wait(10), work.result()
    (True, 42)
    """

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self._result: Any = None
        self._error: Exception | None = None
        self._done = threading.Event()
        # A daemon, for nobody waits for it at the end of the program.
        threading.Thread(target=self._run, daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; whether it is done. Ctrl-C ends the waiting, not the work."""
        return self._done.wait(seconds)

    def result(self) -> Any:
        """What came of it; its error is raised here."""
        self._done.wait()
        if self._error is not None:
            raise self._error
        return self._result

    def _run(self) -> None:
        try:
            self._result = self._work()
        except Exception as error:
            self._error = error
        finally:
            self._done.set()
