"""Other processes that compile kernels into the cache for this one.

Numba compiles one kernel at a time in a process, and keeps hundreds of megabytes.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterable


class CompilerProcess:
    """Another process, which compiles kernels into the cache; it ends with this one."""

    def __init__(self) -> None:
        code = "from clauseboard.kernels.compiler import compile_for_parent as c; c()"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", code],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._waiting = 0

    def begin(self, names: Iterable[str]) -> None:
        """Have the kernels of these names compiled."""
        lines = [f"{name}\n" for name in names]
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it has ended
            self._process.stdin.write("".join(lines).encode())
            self._process.stdin.flush()
        self._waiting += len(lines)

    def wait(self) -> None:
        """Wait until all are done, or it has failed: then they are compiled here, or fail here."""
        assert self._process.stdout is not None
        while self._waiting and self._process.stdout.readline():
            self._waiting -= 1

    @property
    def has_ended(self) -> bool:
        """Whether it has ended by itself, having failed."""
        return self._process.poll() is not None

    def end(self) -> None:
        """End it."""
        self._process.kill()
        # This closes its pipes, with an error if something was not read, and waits.
        with contextlib.suppress(OSError), self._process:
            pass


_started: dict[int, CompilerProcess] = {}
_lock = threading.RLock()


def compiler_process(number: int) -> CompilerProcess | None:
    """The process of this number, started if need be; None if it cannot be."""
    with _lock:
        if number in _started and _started[number].has_ended:
            _started.pop(number).end()
        if number not in _started:
            try:
                _started[number] = CompilerProcess()
            except OSError:
                return None
        return _started[number]


def end_compiler_processes() -> None:
    """End all of them."""
    with _lock:
        while _started:
            _started.popitem()[1].end()
