"""Where and when a result came to be: date, versions, machine."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
from pathlib import Path
from typing import Any

from clauseboard import __version__

PACKAGES = ("numpy", "numba", "scikit-learn", "joblib")


def surroundings() -> dict[str, Any]:
    """Date, versions and machine, for the foot of a report."""
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "versions": {
            "clauseboard": __version__,
            "python": platform.python_version(),
            **{name: _version(name) for name in PACKAGES},
        },
        "machine": {
            "cpu": _processor(),
            "cores": os.cpu_count(),
            "system": f"{platform.system()} {platform.machine()}",
        },
    }


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
