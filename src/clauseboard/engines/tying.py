"""Processes that do not outlive who has started them, even where that one is killed (on Linux).

A program that hears the end of its input ends by itself; one that is busy, or sleeps, does not.
"""

from __future__ import annotations

import ctypes
import functools
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

PR_SET_PDEATHSIG = 1
"""The request of `prctl` for a signal when the parent dies (see linux/prctl.h)."""


def end_with_parent() -> None:
    """Have this process killed as soon as the thread that has started it is gone."""
    prctl = _prctl()
    if prctl is not None:
        prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))


def tie() -> Callable[[], None] | None:
    """What a new process does first (`preexec_fn`), to be tied to this one; None where it cannot.

    The system watches the thread that starts a program, so it must be the one that ends last.
    """
    is_main = threading.current_thread() is threading.main_thread()
    return end_with_parent if is_main and _prctl() is not None else None


@functools.cache
def _prctl() -> Any:
    """The system's `prctl`, looked up once: after a fork is no time to load a library."""
    return getattr(ctypes.CDLL(None), "prctl", None) if sys.platform == "linux" else None
