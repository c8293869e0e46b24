"""What holds for all tests."""

import contextlib
import os
import signal

import pytest

import programs

with contextlib.suppress(ImportError):  # tests for a GPU go without it
    import hypothesis

    # A machine that is busy is slow, and what is slow is not wrong.
    slow = [hypothesis.HealthCheck.too_slow]
    hypothesis.settings.register_profile("patient", deadline=None, suppress_health_check=slow)
    hypothesis.settings.load_profile("patient")


# No test but those about it makes endgame tables of five pieces, which takes a minute.
os.environ.setdefault("CLAUSEBOARD_ENDGAME_PIECES", "4")


def pytest_configure(config):
    """Listen to Ctrl-C, which some tests send to programs that they start.

    A shell lets what it runs in the background ignore it, and programs hand that on.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter):
    """Say at the end which tests were skipped for want of which program."""
    skipped = terminalreporter.stats.get("skipped", [])
    lines = programs.summary([report.longrepr[2] for report in skipped])
    if lines:
        terminalreporter.section("programs that were missing")
        for line in lines:
            terminalreporter.line(line)


FIRST = ("test_source.py", "test_without_compiler.py")


def pytest_collection_modifyitems(config, items):
    """Begin with the tests that take longest, so that no process is left with one at the end."""
    items.sort(key=lambda item: item.path.name not in FIRST)
    for item in items:
        if hasattr(getattr(item, "function", None), "_hypothesis_internal_use_settings"):
            _set_examples(config, item.function)


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
