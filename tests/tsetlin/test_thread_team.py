"""Threads that work together: all are called, errors come through, interruptions end well."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from clauseboard.tsetlin.training import ThreadTeam


@pytest.fixture(params=[1, 2, 5])
def crew(request):
    made = ThreadTeam(request.param)
    yield made
    before = threading.active_count()
    made.close()
    assert threading.active_count() == before - (request.param - 1)


def size(crew):
    return len(crew.orders) + 1


def nothing():
    pass


def test_every_member_is_called_once_a_job(crew):
    for _ in range(20):
        called = []
        crew.run(called.append, nothing)
        assert sorted(called) == list(range(size(crew)))


def test_members_may_wait_for_each_other(crew):
    barrier = threading.Barrier(size(crew))
    crew.run(lambda member: barrier.wait(timeout=300) and None, nothing)


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt])
def test_an_error_of_the_main_thread_waits_for_the_others(crew, kind):
    gone, ended = threading.Event(), []

    def job(member):
        if member == 0:
            raise kind("mine")
        gone.wait(timeout=300)
        time.sleep(0.05)
        ended.append(member)

    with pytest.raises(kind, match="mine"):
        crew.run(job, gone.set)
    assert sorted(ended) == list(range(1, size(crew)))
    called = []
    crew.run(called.append, nothing)
    assert sorted(called) == list(range(size(crew)))


def test_an_error_of_another_thread_comes_through():
    crew = ThreadTeam(3)
    gone = threading.Event()

    def job(member):
        if member == 1:
            raise ValueError("its own")
        if member == 2:
            gone.wait(timeout=300)

    with pytest.raises(ValueError, match="its own"):
        crew.run(job, gone.set)
    called = []
    crew.run(called.append, nothing)
    assert sorted(called) == [0, 1, 2]
    crew.close()


HAMMERED = """
import signal, sys, time
from clauseboard.tsetlin.training import ThreadTeam

def interrupt(number, frame):
    # Only where it matters: this script itself is not made to be interrupted.
    while frame is not None:
        if frame.f_code is ThreadTeam.run.__code__:
            raise KeyboardInterrupt
        frame = frame.f_back

crew, interrupted, done = ThreadTeam(3), 0, 0
signal.signal(signal.SIGINT, interrupt)
print("ready", flush=True)
while interrupted < int(sys.argv[1]) or not done:
    try:
        crew.run(lambda member: time.sleep(0.0005), lambda: None)
        done += 1
    except KeyboardInterrupt:
        interrupted += 1
signal.signal(signal.SIGINT, signal.SIG_IGN)
called = []
crew.run(called.append, lambda: None)
crew.close()
print(interrupted, done, sorted(called))
"""


def hammer(times):
    """Send Ctrl-C every few milliseconds to a team at work, until it was interrupted so often."""
    child = subprocess.Popen(
        [sys.executable, "-c", HAMMERED, str(times)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    while child.poll() is None:
        os.kill(child.pid, signal.SIGINT)
        time.sleep(0.004)
    out, _ = child.communicate(timeout=300)
    interrupted, done, called = out.split(" ", 2)
    assert int(interrupted) >= times
    assert int(done) > 0
    assert called.strip() == "[0, 1, 2]"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_ctrl_c_again_and_again_does_not_hang():
    hammer(100)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_ctrl_c_ten_thousand_times_does_not_hang():
    hammer(10_000)
