"""What the scripts share: their options, what a result says of itself, and how it is kept."""

import argparse
import datetime
import json
import os
import platform
import shlex
import sys
from pathlib import Path
from typing import Any


def new_parser(about: str | None, quick: str | None = None) -> argparse.ArgumentParser:
    """A parser with the options that scripts share: --out, and --quick if it is said what it does.

    `about` is the docstring of the script, which --help shows as it is.
    """
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    if quick is not None:
        parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--out", type=Path, help="a JSON file; a page (.md) is put beside it")
    return parser


def stamp() -> dict[str, Any]:
    """Date, command and machine, for the head of a result file."""
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "command": command(),
        "machine": machine(),
        "load_before": os.getloadavg(),
    }


def machine() -> dict[str, Any]:
    """The processor, its cores, the memory and the system."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "memory_gb": memory_gb(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def memory_gb() -> float | None:
    """The machine's memory, where the system tells."""
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (AttributeError, ValueError, OSError):
        return None


def command() -> str:
    """Return the command line with folders left out: they are nobody else's business."""
    words = [Path(word).name if os.sep in word else word for word in sys.argv[1:]]
    return shlex.join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *words])


def keep(result: dict[str, Any], path: Path | None, page: str | None = None) -> None:
    """Write a result as JSON, and a page of Markdown beside it if there is one; None is no file."""
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=1) + "\n")
    if page is not None:
        path.with_suffix(".md").write_text(page)
