"""Another program that reads and writes lines: started, asked, and ended for certain.

Two threads read what it writes, so that it is never stuck with a full pipe; a caller waits for an
answer, but only until a deadline. The program runs in a process group of its own, all of which is
killed in the end, and nothing else ever is.

On Linux it also ends with the process that started it, even if that is killed (`tie`). A program
that reads the end of its input ends by itself; one that is busy, or sleeps, does not.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any

from clauseboard.engines import EngineError, Reply, read_reply

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
    if not _in_main_thread() or _prctl() is None:
        return None
    parent = os.getpid()

    def tied() -> None:
        end_with_parent()
        if os.getppid() != parent:  # it is gone already
            os._exit(1)

    return tied


@contextlib.contextmanager
def signals_wait() -> Iterator[None]:
    """Handle signals afterwards: Python drops what a handler raises while it forks.

    A program that was just started would not be known, and run on.
    """
    arrived: list[int] = []
    handlers = {
        number: signal.signal(number, lambda number, _: arrived.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
        if _in_main_thread() and callable(signal.getsignal(number))
    }
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for each in arrived:
            signal.raise_signal(each)


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@functools.cache
def _prctl() -> Any:
    """The system's `prctl`, looked up once: after a fork is no time to load a library."""
    return getattr(ctypes.CDLL(None), "prctl", None) if sys.platform == "linux" else None


GAMES = os.pathsep.join(("/usr/games", "/usr/local/games"))
"""Where Debian keeps games, and where a root user does not look."""
LONGEST_LINE = 1 << 16
"""Bytes of a line; what is longer is cut, and is no reply."""
MOST_LINES = 10_000
"""Lines that a reply may have, and that may lie unread."""
PARTING = 1.0
"""Seconds that a program has to end by itself."""
DYING = 5.0
"""Seconds that a program which closed its output has to end, and its last words to be read."""


def find_program(word: str) -> str | None:
    """Where the program is that a command begins with; None if there is none that may be run."""
    return shutil.which(word) or shutil.which(word, path=GAMES)


class EngineProcess:
    """A running program that speaks the Go Text Protocol."""

    def __init__(self, words: Sequence[str]) -> None:
        self._running = True
        self._greeted = False
        self._number = 0
        self._lines: queue.Queue[bytes] = queue.Queue(MOST_LINES)
        self._errors: deque[bytes] = deque(maxlen=5)
        program = find_program(words[0]) or words[0]
        with signals_wait():
            try:
                self._process = subprocess.Popen(
                    [program, *words[1:]],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                    preexec_fn=tie(),
                )
            except OSError as error:
                raise EngineError(f"{words[0]!r} cannot be started: {error.strerror}") from None
            # Also without a call of `close`, when the interpreter ends.
            self._end = weakref.finalize(self, _kill, self._process)
        self._threads = [
            threading.Thread(target=_read, args=arguments, daemon=True)
            for arguments in (
                (self._process.stdout, self._lines.put),
                (self._process.stderr, self._errors.append),
            )
        ]
        self._error_reader = self._threads[1]
        for thread in self._threads:
            thread.start()

    @property
    def number(self) -> int:
        """The number of the process."""
        return self._process.pid

    def ask(self, command: str, seconds: float) -> Reply:
        """Send a command and wait so long for its reply; an `EngineError` if none comes."""
        if not self._running:
            raise EngineError(f"it does not run any more, and cannot be asked {command!r}")
        self._number += 1
        deadline = time.monotonic() + seconds
        try:
            self._send(f"{self._number} {command}\n")
            return self._receive(command, seconds, deadline)
        except OSError:
            raise EngineError(self._died(command)) from None
        except EngineError:
            self.close(politely=False)
            raise

    def close(self, politely: bool = True) -> None:
        """End the program: with `quit`, and by force if it does not go."""
        if not self._running:
            return
        self._running = False
        if politely:
            with contextlib.suppress(OSError):
                self._send("quit\n")
                self._process.stdin.close()  # type: ignore[union-attr]
            _ends(self._process, PARTING)
        self._end()
        # A thread may wait for room in the queue, or still have lines to read.
        for thread in self._threads:
            ends = time.monotonic() + PARTING
            while thread.is_alive() and time.monotonic() < ends:
                with contextlib.suppress(queue.Empty):
                    while True:
                        self._lines.get_nowait()
                thread.join(0.01)
        if not any(thread.is_alive() for thread in self._threads):
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                with contextlib.suppress(OSError):
                    stream.close()  # type: ignore[union-attr]

    def _send(self, text: str) -> None:
        stream = self._process.stdin
        assert stream is not None
        stream.write(text.encode())
        stream.flush()

    def _receive(self, command: str, seconds: float, deadline: float) -> Reply:
        lines: list[str] = []
        n_lines, said = 0, ""
        while True:
            try:
                raw = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                heard = f"; it said {said!r}" if said else ""
                raise EngineError(
                    f"it hangs: no answer to {command!r} within {seconds:g} s{heard}"
                ) from None
            if not raw:
                raise EngineError(self._died(command))
            n_lines += 1
            if n_lines > MOST_LINES or len(raw) >= LONGEST_LINE:
                raise EngineError(f"it floods: {command!r} was answered without an end")
            line = raw.decode("utf-8", "replace").rstrip("\r\n")
            said = said or line[:80]
            if not line.strip():
                if lines:
                    return self._checked(command, lines)
            elif lines or line.startswith(("=", "?")):
                lines.append(line)
            elif self._greeted:
                raise EngineError(f"it answered {line[:80]!r} to {command!r}: no reply at all")
            # Otherwise it is a greeting: many programs say something before they are asked.

    def _checked(self, command: str, lines: list[str]) -> Reply:
        reply = read_reply(lines)
        if reply is None or reply.number != str(self._number):
            raise EngineError(
                f"it answered {lines[0][:80]!r} to {command!r}: no reply to command {self._number}"
            )
        self._greeted = True
        return reply

    def _died(self, command: str) -> str:
        """How it ended, and what it last said on its error output; all of it is ended then."""
        ended = _ends(self._process, DYING)
        self._end()
        # On a busy machine the thread that reads them may not have run yet.
        self._error_reader.join(DYING)
        self.close(politely=False)
        code = self._process.returncode
        how = f"signal {-code}" if code < 0 else f"exit status {code}"
        status = f"it died with {how}" if ended else "it closed its output"
        last = b"".join(self._errors).decode("utf-8", "replace").strip().splitlines()
        words = f"; its last words: {last[-1][:200]}" if last else ""
        return f"{status} at {command!r}{words}"


def _read(stream: IO[bytes], keep: Callable[[bytes], None]) -> None:
    """Keep every line of a stream, and an empty one for its end."""
    for line in iter(lambda: stream.readline(LONGEST_LINE), b""):
        keep(line)
    keep(b"")


def _ends(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether a process ends within so many seconds.

    It is left as a dead one, so that its number cannot become another's before `_kill`.
    """
    deadline = time.monotonic() + seconds
    while True:
        if hasattr(os, "waitid"):
            flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
            ended = os.waitid(os.P_PID, process.pid, flags) is not None
        else:
            ended = process.poll() is not None
        if ended or time.monotonic() >= deadline:
            return ended
        time.sleep(0.002)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with all its children, and take note of its end."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
