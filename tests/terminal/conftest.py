"""A program at a real pseudo-terminal: what is typed, and what is seen."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time

import psutil
import pytest

PLAY = [sys.executable, "-m", "clauseboard", "play"]
CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
PATIENCE = 300  # seconds; only a program that hangs, or compiles kernels, takes so long


class Terminal:
    """A program whose input and output are a terminal of its own, so many columns wide."""

    def __init__(self, command, folder, columns=100, **environment):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        known = {name: text for name, text in os.environ.items() if name != "NO_COLOR"}
        known |= {"TERM": "xterm-256color", "PYTHONUNBUFFERED": "1"}
        for name in ("COLUMNS", "LINES", "INPUTRC"):
            known.pop(name, None)
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env={**known, **environment},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            # The terminal is the program's own, so that Ctrl-C reaches it.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)
        self.file = ours
        self.raw = ""
        self._seen = 0

    @property
    def text(self):
        """All that was shown up to now, without colours."""
        return CODES.sub("", self.raw).replace("\r\n", "\n").replace("\r", "\n")

    def type(self, line):
        self.send(f"{line}\n")

    def send(self, keys):
        if keys == "\x03":
            # Ctrl-C between the prompt and the first wait for a key is seen only at the next key,
            # which is Python's; nobody presses it that fast.
            self._wait_until_it_waits()
        os.write(self.file, keys.encode())

    def _wait_until_it_waits(self):
        """Wait until the program does next to nothing any more."""
        program = psutil.Process(self.process.pid)
        deadline = time.monotonic() + PATIENCE
        before, now = -1.0, 0.0
        while now - before > 0.02 or program.status() != psutil.STATUS_SLEEPING:
            assert time.monotonic() < deadline, f"it still works after:\n{self.text}"
            time.sleep(0.1)
            before, now = now, sum(program.cpu_times()[:2])

    def expect(self, pattern):
        """Wait until a pattern is shown, after what was expected before; what it matched."""
        deadline = time.monotonic() + PATIENCE
        while True:
            found = re.compile(pattern).search(self.text, self._seen)
            if found:
                self._seen = found.end()
                return found
            assert self._more(deadline), f"{pattern!r} is not in:\n{self.text[self._seen :]}"

    def end(self):
        """Wait for the end of the program; what it showed last, and its exit status."""
        deadline = time.monotonic() + PATIENCE
        while self._more(deadline):
            pass
        assert "Traceback" not in self.text
        return self.text[self._seen :], self.process.wait(PATIENCE)

    def _more(self, deadline):
        """Read what is there; False at the end."""
        ready, _, _ = select.select([self.file], [], [], max(deadline - time.monotonic(), 0))
        assert ready, f"nothing more came after:\n{self.text}"
        try:
            found = os.read(self.file, 65536)
        except OSError:  # how a terminal ends
            return False
        self.raw += found.decode("utf-8", "replace")
        return bool(found)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.file)


@pytest.fixture
def terminal(tmp_path):
    """Starts programs at terminals, in an empty folder."""
    opened = []

    def start(*words, command=None, **options):
        opened.append(Terminal([*(command or PLAY), *words], tmp_path, **options))
        return opened[-1]

    yield start
    for one in opened:
        one.close()
