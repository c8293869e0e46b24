"""What holds for all tests."""

import contextlib
import gc
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import programs

# Several processes run tests at a time; threads of BLAS that wait for each other take their cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

with contextlib.suppress(ImportError):  # tests for a GPU go without it
    import hypothesis

    # A machine that is busy is slow, and what is slow is not wrong.
    slow = [hypothesis.HealthCheck.too_slow]
    hypothesis.settings.register_profile("patient", deadline=None, suppress_health_check=slow)
    hypothesis.settings.load_profile("patient")


HERE = Path(__file__).parent.resolve()
N_PROCESSES = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))

# No test but those about it makes endgame tables of five pieces, which takes a minute.
os.environ.setdefault("CLAUSEBOARD_ENDGAME_PIECES", "4")


def pytest_configure(config):
    """Listen to Ctrl-C, which some tests send to programs that they start.

    A shell lets what it runs in the background ignore it, and programs hand that on.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if N_PROCESSES > 1 and [Path(each).resolve() for each in config.args] == [HERE]:
        config.args = _files_from(int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw")))


def _files_from(process):
    """All files of tests, but each process begins to read them at another one.

    pytest rewrites the assertions of a file that it reads for the first time, and keeps the result
    for the next process. If all began with the same file, each would rewrite all files itself.
    """
    files = sorted(map(str, HERE.rglob("test_*.py")))
    first = process * len(files) // N_PROCESSES
    return [*files[first:], *files[:first]]


def pytest_terminal_summary(terminalreporter):
    """Say at the end which tests were skipped for want of which program."""
    skipped = terminalreporter.stats.get("skipped", [])
    lines = programs.summary([report.longrepr[2] for report in skipped])
    if lines:
        terminalreporter.section("programs that were missing")
        for line in lines:
            terminalreporter.line(line)


@pytest.fixture
def clauseboard(monkeypatch, capsys):
    """Runs a command as the program does, but in this process, which has loaded everything."""
    from clauseboard.cli.main import run

    def command(*words):
        monkeypatch.setattr(sys, "argv", ["clauseboard", *words])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            run()
        shown = capsys.readouterr()
        return subprocess.CompletedProcess(words, ended.value.code or 0, shown.out, shown.err)

    return command


class TinyDisk:
    """A file system of its own, which can be filled and emptied."""

    def __init__(self, folder):
        self.folder = folder

    def fill(self):
        """Leave no room, not even for one page of a database."""
        with contextlib.suppress(OSError), open(self.folder / "ballast", "ab", 0) as file:
            while file.write(bytes(512)):
                pass

    def empty(self):
        """Make room again."""
        (self.folder / "ballast").unlink()


@pytest.fixture
def tiny_disk(tmp_path):
    """A disk of two megabytes, which is full soon; only root can make one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if sys.platform != "linux" or os.getuid() or subprocess.run(mounting).returncode:
        pytest.skip("only root on Linux can make a small file system")
    yield TinyDisk(folder)
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def pytest_xdist_auto_num_workers():
    """One process more than there are cores, for some tests wait for programs most of the time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) + 1
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish():
    """Garbage collection need not look at ten thousand tests and their modules again and again."""
    gc.collect()
    gc.freeze()


FIRST = ("test_source.py", "test_without_compiler.py")


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config, items):
    """The same tests in the same order in all processes; those that take longest come first."""
    items.sort(key=lambda item: item.path)  # each process has read the files in an order of its own
    yield  # those that are not to run are left out
    _begin_with_the_longest(items)
    for item in items:
        if hasattr(getattr(item, "function", None), "_hypothesis_internal_use_settings"):
            _set_examples(config, item.function)


def _begin_with_the_longest(items):
    """Begin with the tests that take longest, so that no process is left with one at the end.

    Of n processes each begins with its n-th part of the tests. The first begins with the longest
    tests; the second with those in a browser, so that only one of them starts a browser.
    """
    longest = [item for item in items if item.path.name in FIRST]
    in_browser = [item for item in items if item.path.parent.name == "browser"]
    others = [item for item in items if item not in longest and item not in in_browser]
    place = max(len(items) // N_PROCESSES - len(longest), 0)
    items[:] = [*longest, *others[:place], *in_browser, *others[place:]]


# ---- property tests: a few examples every day, all of them now and then


def pytest_addoption(parser):
    parser.addoption(
        "--examples", choices=("few", "all"), default="all",
        help="how many examples property tests try; few: a quarter of them",
    )  # fmt: skip


@pytest.fixture(scope="session")
def n_examples(pytestconfig):
    """How many examples to try, given how many are all."""
    return lambda n_all: _n_examples(pytestconfig, n_all)


def _n_examples(config, n_all):
    return n_all if config.getoption("examples") == "all" else max(n_all // 4, min(n_all, 5))


def _set_examples(config, function):
    # Hypothesis has no other way to change the settings of a test that has its own.
    own = function._hypothesis_internal_use_settings
    n_wanted = _n_examples(config, own.max_examples)
    function._hypothesis_internal_use_settings = hypothesis.settings(own, max_examples=n_wanted)
