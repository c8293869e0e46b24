"""Try every command with the lowest versions of its dependencies that pyproject.toml allows.

    python tests/lowest_versions.py [PYTHON ...]

For each Python from 3.11 to 3.14 that is at hand this makes a venv in a temporary folder, installs
the lowest versions there, and runs a smoke test. A Python for which the lowest versions cannot be
installed (an old NumPy has no wheel for a new Python) is tried with the newest ones.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
GROUPS = ("data", "experiment")
"""Commands with commands below them."""
SMOKE = (
    ("--version",),
    ("players", "hex"),
    ("perft", "checkers", "--depth", "3"),
    ("match", "hex", "random", "random", "--set", "size=3", "--games", "2"),
    ("explain", "hex", "--set", "size=3", "--player", "random"),
    ("data", "build", "hex", "perfect", "--set", "size=2", "--folds", "2", "--out", "boards.npz"),
    ("data", "show", "boards.npz"),
    ("train", "tsetlin", "hex", "--set", "size=2", "--set", "epochs=1", "--set", "n_clauses=10",
     "--data", "boards.npz", "--out", "machine.tm"),
)  # fmt: skip
PAGE = """
from clauseboard.web.server import create_app
from clauseboard.web.settings import Settings
create_app(Settings(workers=1)).openapi()
"""


def lowest(requirement: str) -> str:
    """A requirement at the lowest version that it allows.

    >>> lowest("numpy>=1.26")
    'numpy==1.26'
    """
    return requirement.partition(";")[0].replace(">=", "==").strip()


def requirements() -> list[str]:
    """What the command and its page need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return [*project["dependencies"], *project["optional-dependencies"]["web"]]


def commands(run: list[str], folder: Path) -> list[tuple[str, ...]]:
    """All commands with --help, from the help of the program itself."""
    found: list[tuple[str, ...]] = []
    for above in ((), *((group,) for group in GROUPS)):
        help_text = subprocess.run(
            [*run, *above, "--help"], cwd=folder, capture_output=True, text=True, check=True
        ).stdout
        listed = help_text.partition("Commands:")[2]
        found += [(*above, name, "--help") for name in re.findall(r"^  (\w+)", listed, re.M)]
    return found


def tried(python: str, folder: Path) -> bool:
    """Install the package for a Python and run every command; whether all went well."""
    subprocess.run([python, "-m", "venv", folder / "venv"], check=True)
    run = str(folder / "venv" / "bin" / "python")
    install = [run, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pinned = [lowest(text) for text in requirements()]
    kind = "lowest"
    if subprocess.run([*install, *pinned], capture_output=True).returncode:
        kind = "newest"
        subprocess.run([*install, *requirements()], check=True)
    subprocess.run([*install, "--no-deps", str(ROOT)], check=True)
    program = [run, "-m", "clauseboard"]
    words = [
        *((*program, *line) for line in (*commands(program, folder), *SMOKE)),
        (run, "-c", PAGE),
    ]
    failed = 0
    for line in words:
        done = subprocess.run(line, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            failed += 1
            print(" ".join(line[1:]), done.stderr.strip().splitlines()[-1:], sep=": ")
    print(f"{python}, {kind} versions: {len(words) - failed} of {len(words)} commands work.")
    return failed == 0


def works(python: str) -> bool:
    """Whether this is a Python that can make a venv, and no stand-in for one."""
    command = [python, "-c", "import ensurepip, venv"]
    return subprocess.run(command, capture_output=True).returncode == 0


def main() -> None:
    """Try the Pythons that are named, or every one at hand."""
    found = [path for version in PYTHONS if (path := shutil.which(f"python{version}"))]
    pythons = sys.argv[1:] or [path for path in found if works(path)]
    results = []
    for python in pythons:
        with tempfile.TemporaryDirectory(prefix="clauseboard-lowest-") as folder:
            results.append(tried(python, Path(folder)))
    sys.exit(0 if results and all(results) else 1)


if __name__ == "__main__":
    main()
