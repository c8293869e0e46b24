"""Skips the tests of a GPU where there is none, and keeps a record of their last run."""

import datetime
import os
import platform
from pathlib import Path

import numpy as np
import pytest

from clauseboard.tsetlin import gpu

RECORD = Path(__file__).parents[2] / "docs" / "results" / "gpu-tests.md"


def pytest_collection_modifyitems(items):
    why = gpu.problem()
    for item in items:
        if why is not None and Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.skip(reason=why))


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter):
    """Write what was run, where and how it ended, if `make test-gpu` asks for it."""
    if "CLAUSEBOARD_RECORD_GPU_TESTS" not in os.environ or gpu.problem() is not None:
        return
    import cupy

    counts = {k: len(terminalreporter.stats.get(k, [])) for k in ("passed", "failed", "error")}
    card = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    cuda = cupy.cuda.runtime.runtimeGetVersion()
    RECORD.parent.mkdir(parents=True, exist_ok=True)
    RECORD.write_text(
        f"# Last run of `make test-gpu`\n\n"
        f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}: {counts['passed']} passed, "
        f"{counts['failed'] + counts['error']} failed, on one {card}; Python "
        f"{platform.python_version()}, NumPy {np.__version__}, CuPy {cupy.__version__}, "
        f"CUDA {cuda // 1000}.{cuda % 1000 // 10}.\n"
    )
