"""Programs that end with the process that has started them."""

from __future__ import annotations

import subprocess
import sys
import threading

import psutil
import pytest

from clauseboard.engines import process

PATIENCE = 300
PARENT = """
import subprocess, sys, time
from clauseboard.engines.process import tie
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], preexec_fn=tie())
print(child.pid, flush=True)
time.sleep(1000)
"""
TERMINATED_AS_IT_FORKS = """
import os, signal, sys
from clauseboard.engines.process import EngineProcess
signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
os.register_at_fork(after_in_parent=lambda: signal.raise_signal(signal.SIGTERM))
EngineProcess([sys.executable, "-c", "import time; time.sleep(1000)"])
print("It goes on.")
"""
STARTED_TOO_LATE = """
import os, subprocess, sys
from clauseboard.engines.process import tie
tied = tie()

def in_the_new_process():
    first = os.getpid()
    if os.fork():
        os._exit(0)
    while os.getppid() == first:
        pass
    tied()

subprocess.Popen([sys.executable, "-c", "print('It runs.')"], preexec_fn=in_the_new_process)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can do it")
def test_a_sleeping_program_ends_with_its_parent():
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    with parent:
        child = psutil.Process(int(parent.stdout.readline()))
        assert child.is_running()
        parent.kill()
    assert psutil.wait_procs([child], timeout=PATIENCE)[1] == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no Python runs at a fork")
def test_a_signal_at_the_start_of_a_program_waits_until_it_can_be_ended():
    """What a handler raises while Python forks was printed, and forgotten."""
    command = [sys.executable, "-c", TERMINATED_AS_IT_FORKS]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stdout, ended.stderr) == (7, "", "")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can do it")
def test_a_program_is_not_begun_when_its_parent_is_gone_already():
    command = [sys.executable, "-c", STARTED_TOO_LATE]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.stdout, ended.stderr) == ("", "")


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
