"""Processes that think: answers, failures, time limits, and processes that die."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import queue
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import psutil
import pytest
from web_doubles import PATIENCE, run_apart

from clauseboard.evaluation import Limit
from clauseboard.game import load_game
from clauseboard.kernels.compiler import Progress
from clauseboard.web import worker, worker_pool
from clauseboard.web.settings import Settings
from clauseboard.web.worker_pool import (
    MOST_WAITING,
    Job,
    JobCancelledError,
    WorkerError,
    WorkerPool,
)

GAME = load_game("hex", size=3)


@pytest.fixture(scope="module")
def pool():
    """One that the tests share that leave it as it was."""
    made = WorkerPool(2, preparing=PATIENCE)
    yield made
    made.close()


def choose(line, seconds=PATIENCE, quick=True):
    asked = {"line": line, "position": GAME.start(), "limit": Limit(seconds=0.1)}
    return Job("choose", asked, seconds, quick)


def ended(numbers):
    """Whether these processes end soon."""
    ends = time.monotonic() + PATIENCE
    while any(psutil.pid_exists(number) for number in numbers):
        if time.monotonic() > ends:
            return False
        time.sleep(0.02)
    return True


def test_a_choice_comes_back_without_what_cannot_travel(pool):
    choice = pool.submit(choose("random")).result(PATIENCE)
    assert choice.move in GAME.start().moves()
    assert (choice.explain, choice.value) == (None, 0.0)


def test_what_a_player_thinks_is_known_before_its_choice(pool):
    position = load_game("checkers").start()
    asked = {"line": "material", "position": position, "limit": Limit(depth=4)}
    job = Job("choose", asked, PATIENCE)
    choice = pool.submit(job).result(PATIENCE)
    assert (job.thought.move, job.thought.value) == (choice.move, choice.value)
    assert (job.thought.cost.depth, job.thought.candidates) == (4, ())
    silent = choose("random")
    pool.submit(silent).result(PATIENCE)
    assert silent.thought is None


@pytest.mark.skipif(os.name != "posix", reason="there are no such priorities there")
def test_processes_yield_to_the_server(pool):
    pool.submit(choose("random")).result(PATIENCE)
    own = psutil.Process().nice()
    for number in pool.process_ids():
        assert psutil.Process(number).nice() == min(own + worker.NICE, 19) > own


def test_many_jobs_one_after_the_other(pool):
    results = [pool.submit(choose("random")) for _ in range(50)]
    assert all(found.result(PATIENCE).move in GAME.start().moves() for found in results)
    assert len(pool.process_ids()) <= 2


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("nobody", "There is no player 'nobody'"),
        ("material", "no material to count in hex"),
        ("engine:command=there-is-no-such-program", "cannot be started"),
    ],
)
def test_a_failure_is_a_sentence_and_the_process_stays(pool, line, told):
    pool.submit(choose("random")).result(PATIENCE)
    before = set(pool.process_ids())
    with pytest.raises(WorkerError, match=told) as failed:
        pool.submit(choose(line)).result(PATIENCE)
    assert failed.value.by_player
    assert set(pool.process_ids()) >= before


def test_an_engine_that_offers_nonsense(pool, engine):
    with pytest.raises(WorkerError, match="it offered 'zz99'"):
        pool.submit(choose(engine("answer = 'zz99'"))).result(PATIENCE)
    assert pool.submit(choose("random")).result(PATIENCE).move is not None


def test_what_takes_too_long_is_ended_and_replaced(engine):
    pool = WorkerPool(1, preparing=PATIENCE)
    try:
        pool.submit(choose("random")).result(PATIENCE)
        (first,) = pool.process_ids()
        job = choose(engine("time.sleep(1000)"), seconds=0.3)
        with pytest.raises(WorkerError, match=r"no answer within 0.3 seconds") as late:
            pool.submit(job).result(PATIENCE)
        assert job.ready
        assert not late.value.by_player
        assert ended([first])
        assert pool.submit(choose("random")).result(PATIENCE).move is not None
        assert first not in pool.process_ids()
    finally:
        pool.close()


def test_the_program_of_a_player_is_ended_with_it(engine, tmp_path):
    noted = tmp_path / "number"
    pool = WorkerPool(1, preparing=PATIENCE)
    line = engine(f"import os; open({str(noted)!r}, 'w').write(str(os.getpid())); time.sleep(1000)")
    job = choose(line)
    try:
        pool.submit(job)
        while not noted.exists() or not noted.read_text():
            time.sleep(0.01)
        pool.cancel(job)
        assert ended([int(noted.read_text())])
    finally:
        pool.close()


def test_getting_ready_has_a_limit_too(engine):
    pool = WorkerPool(1, preparing=0.01)
    try:
        with pytest.raises(WorkerError, match=r"within 0.01 seconds"):
            pool.submit(choose("random")).result(PATIENCE)
    finally:
        pool.close()


def test_a_killed_process_is_replaced_and_its_job_done_again(engine, tmp_path):
    # The engine waits at its first genmove, and answers at once when it is asked again.
    mark = tmp_path / "asked"
    line = engine(
        f"import os; again = os.path.exists({str(mark)!r});"
        f" again or open({str(mark)!r}, 'w').write(str(os.getpid()));"
        " again or time.sleep(1000); answer = 'a1'"
    )
    pool = WorkerPool(1, preparing=PATIENCE)
    try:
        found = pool.submit(choose(line))
        while not mark.exists() or not mark.read_text():
            time.sleep(0.01)
        (first,) = pool.process_ids()
        os.kill(first, signal.SIGKILL)
        assert found.result(PATIENCE).move == GAME.start().read_move("a1")
        assert first not in pool.process_ids()
    finally:
        pool.close()
        with contextlib.suppress(ProcessLookupError):  # Linux ends it with its owner
            os.kill(int(mark.read_text()), signal.SIGKILL)


def test_a_job_that_kills_its_process_every_time_is_given_up(pool):
    with pytest.raises(WorkerError, match="ended, twice"):
        pool.submit(Job("choose", {"line": Fatal()}, PATIENCE)).result(PATIENCE)
    assert pool.submit(choose("random")).result(PATIENCE).move is not None


class Fatal:
    """Ends the process that unpickles it, as a fault in compiled code would."""

    def __reduce__(self):
        return os._exit, (1,)


def test_quick_jobs_do_not_wait_for_long_ones(engine):
    pool = WorkerPool(3, preparing=PATIENCE)
    slow = engine("time.sleep(1000)")
    try:
        long = [choose(slow, quick=False) for _ in range(4)]
        for job in long:
            pool.submit(job)
        assert pool.submit(choose("random")).result(PATIENCE).move is not None
        assert not any(job.result.done() for job in long)
        assert sum(job.process is not None for job in long) <= 2
    finally:
        pool.close()


def test_there_are_as_many_processes_as_are_needed(engine, tmp_path, monkeypatch):
    monkeypatch.setattr(worker_pool, "IDLE", 0.01)
    pool = WorkerPool(4, preparing=PATIENCE)
    go_on = tmp_path / "go on"
    slow = engine(
        f"import os; waiting = [time.sleep(0.01) for _ in iter(lambda: os.path.exists("
        f"{str(go_on)!r}), True)]; answer = 'a1'"
    )
    try:
        for _ in range(3):
            pool.submit(choose("random")).result(PATIENCE)
        assert len(pool.process_ids()) <= worker_pool.STARTED
        waiting = [choose(slow) for _ in range(3)]
        for job in waiting:
            pool.submit(job)
        while not all(job.ready for job in waiting):
            time.sleep(0.01)
        assert len(pool.process_ids()) == 3
        go_on.touch()
        assert all(job.result.result(PATIENCE) is not None for job in waiting)
        while len(pool.process_ids()) > worker_pool.STARTED:
            time.sleep(0.01)
        assert pool.submit(choose("random")).result(PATIENCE).move is not None
    finally:
        pool.close()


def test_what_nobody_waits_for_comes_last(engine, tmp_path):
    pool = WorkerPool(1, preparing=PATIENCE)
    try:
        go_on = tmp_path / "go on"
        first = choose(engine(
            f"import os; waiting = [time.sleep(0.01) for _ in iter(lambda: os.path.exists("
            f"{str(go_on)!r}), True)]; answer = 'a1'"
        ))  # fmt: skip
        pool.submit(first)
        while not first.ready:
            time.sleep(0.01)
        order = []
        for name, awaited, is_move in (
            ("background", False, False), ("question", True, False), ("move", True, True)
        ):  # fmt: skip
            job = choose("random")
            job.awaited, job.is_move = awaited, is_move
            job.result.add_done_callback(lambda _, name=name: order.append(name))
            pool.submit(job)
        go_on.touch()
        job.result.result(PATIENCE)
        while len(order) < 3:
            time.sleep(0.01)
        assert order == ["move", "question", "background"]
    finally:
        pool.close()


def test_what_nobody_waits_for_any_more_is_not_begun(engine):
    client = worker_pool.WorkerClient(Settings(workers=1, preparing=PATIENCE))
    slow = choose(engine("time.sleep(1000)"))
    client.pool.submit(slow)
    while not slow.ready:
        time.sleep(0.01)
    later = choose("random")

    async def give_up():
        task = asyncio.ensure_future(client.result(later))
        while later not in client.pool._jobs:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    try:
        run_apart(give_up())
        assert later not in client.pool._jobs
        assert not slow.result.done()  # what runs is not ended: others need its process
    finally:
        client.pool.close()


def test_stopping_what_waits_and_what_runs(engine):
    pool = WorkerPool(1, preparing=PATIENCE)
    slow = engine("time.sleep(1000)")
    try:
        running, waiting = choose(slow), choose(slow)
        pool.submit(running)
        pool.submit(waiting)
        while not running.ready:
            time.sleep(0.01)
        pool.cancel(waiting)
        with pytest.raises(JobCancelledError):
            waiting.result.result(PATIENCE)
        pool.cancel(running)
        with pytest.raises(JobCancelledError):
            running.result.result(PATIENCE)
        assert pool.submit(choose("random")).result(PATIENCE).move is not None
    finally:
        pool.close()


def test_the_end_leaves_nothing_behind(engine):
    pool = WorkerPool(2, preparing=PATIENCE)
    jobs = [choose(engine("time.sleep(1000)")) for _ in range(4)]
    for job in jobs:
        pool.submit(job)
    while not any(job.ready for job in jobs):
        time.sleep(0.01)
    numbers = pool.process_ids()
    assert numbers
    pool.close()
    assert ended(numbers)
    for job in jobs:
        with pytest.raises(JobCancelledError):
            job.result.result(PATIENCE)
    with pytest.raises(WorkerError, match="The program is shutting down"):
        pool.submit(choose("random"))


def test_there_is_a_limit_to_what_waits(engine, monkeypatch):
    assert MOST_WAITING >= 200
    monkeypatch.setattr("clauseboard.web.worker_pool.MOST_WAITING", 2)
    pool = WorkerPool(1, preparing=PATIENCE)
    try:
        slow = engine("time.sleep(1000)")
        first = choose(slow)
        pool.submit(first)
        while first.process is None:
            time.sleep(0.01)
        pool.submit(choose(slow))
        pool.submit(choose(slow))
        with pytest.raises(WorkerError, match="Too many games"):
            pool.submit(choose(slow))
    finally:
        pool.close()


def test_a_process_keeps_few_players():
    players = worker.PlayerCache(print)
    games = [load_game("hex", size=size) for size in range(2, 2 + worker.MOST_PLAYERS + 3)]
    first = players.player("random", games[0])
    assert players.player("random", games[0]) is first
    for game in games[1:]:
        players.player("random", game)
    assert players.player("random", games[0]) is not first
    assert players.player("random", games[-1]) is players.player("random", games[-1])
    players.forget("random", games[-1])
    players.forget("random", games[-1])
    players.close()


def test_between_tasks_a_process_holds_no_trees():
    players = worker.PlayerCache(lambda message: None)
    line, limit = "rollouts:simulations=20", Limit(simulations=20)
    worker.choose(players, line, GAME.start(), limit)
    player = players.player(line, GAME)
    assert player._searches
    players.rest()
    assert not player._searches
    assert players.player(line, GAME) is player
    assert worker.choose(players, line, GAME.start(), limit).move in GAME.start().moves()


def test_the_tree_of_a_search_has_a_bound():
    players = worker.PlayerCache(lambda message: None)
    assert players.player("rollouts", GAME).search.most_nodes == worker.MOST_NODES
    assert players.player("rollouts:most_nodes=5000", GAME).search.most_nodes == 5000
    assert players.player("random", GAME) is not None


def test_a_process_does_not_import_what_players_do_not_need():
    code = (
        "import sys; from clauseboard.web.worker import _import_players as i; i();"
        "print([name in sys.modules for name in ('pandas', 'sklearn', 'fastapi', 'scipy.stats')])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert told.stdout == "[False, False, False, False]\n"


def test_the_kernel_that_is_compiled_is_known():
    sent = []
    worker.PlayerCache(sent.append).compiling(Progress("search for checkers: search", 2, 7))
    answers = queue.Queue()
    for message in (*sent, (worker.DONE, 3)):
        answers.put(message)

    class Compiling(worker_pool._Worker):
        def start(self):
            return SimpleNamespace(stdin=io.BytesIO()), answers

    job = choose("random")
    assert Compiling().ask(job, preparing=1.0) == 3
    assert (job.compiling.done, job.compiling.expected) == (2, 7)
    answers.put((worker.COMPILING, Progress("search for checkers: search", 7, 7)))
    answers.put((worker.DONE, 3))
    Compiling().ask(job, preparing=1.0)
    assert job.compiling is None


def test_compiling_does_not_count_as_thinking():
    """The first time on a machine, what explains a move is compiled when it is asked for."""
    messages = iter(
        [
            (worker.READY, None),
            (worker.COMPILING, Progress("concepts: count", 0, 2)),
            (worker.COMPILING, Progress("concepts: count", 2, 2)),
            (worker.DONE, 3),
        ]
    )
    allowed = []

    class Answers:
        def get(self, timeout):
            allowed.append(round(timeout))
            return next(messages)

    class Compiling(worker_pool._Worker):
        def start(self):
            return SimpleNamespace(stdin=io.BytesIO()), Answers()

    assert Compiling().ask(choose("random", seconds=20.0), preparing=300.0) == 3
    assert allowed == [300, 20, 300, 20]
