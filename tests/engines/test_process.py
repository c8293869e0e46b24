"""Programs that end with the process that has started them."""

from __future__ import annotations

import subprocess
import sys
import threading

import psutil
import pytest

from clauseboard.engines import process

PATIENCE = 30.0
PARENT = """
import subprocess, sys, time
from clauseboard.engines.process import tie
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], preexec_fn=tie())
print(child.pid, flush=True)
time.sleep(1000)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can do it")
def test_a_sleeping_program_ends_with_its_parent():
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    with parent:
        child = psutil.Process(int(parent.stdout.readline()))
        assert child.is_running()
        parent.kill()
    assert psutil.wait_procs([child], timeout=PATIENCE)[1] == []


def test_only_the_last_thread_may_tie():
    found = []
    thread = threading.Thread(target=lambda: found.append(process.tie()))
    thread.start()
    thread.join()
    assert found == [None]


def test_where_it_cannot_be_done(monkeypatch):
    monkeypatch.setattr(process, "_prctl", lambda: None)
    assert process.tie() is None
    process.end_with_parent()
