"""What holds for all tests."""

import contextlib
import signal

with contextlib.suppress(ImportError):  # tests for a GPU go without it
    import hypothesis

    # A machine that is busy is slow, and what is slow is not wrong.
    slow = [hypothesis.HealthCheck.too_slow]
    hypothesis.settings.register_profile("patient", deadline=None, suppress_health_check=slow)
    hypothesis.settings.load_profile("patient")


def pytest_configure(config):
    """Listen to Ctrl-C, which some tests send to programs that they start.

    A shell lets what it runs in the background ignore it, and programs hand that on.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
