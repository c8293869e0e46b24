"""What holds for all tests."""

import signal


def pytest_configure(config):
    """Listen to Ctrl-C, which some tests send to programs that they start.

    A shell lets what it runs in the background ignore it, and programs hand that on.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
