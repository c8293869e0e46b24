"""A virtual environment for each peer, so that none meets another's NumPy.

They lie in `benchmarks/.peers/`, which git ignores; delete a folder there to have it made
anew. What was installed is written beside it, so a changed requirement is noticed.
"""

import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

from peers.adapter import Library

FOLDER = Path(__file__).resolve().parent.parent / ".peers"


class InstallError(Exception):
    """A peer could not be installed; the message says why, in one line."""


def python_of(library: Library) -> str:
    """Return the interpreter that runs this library's worker."""
    if library.is_ours:
        return sys.executable
    scripts, name = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
    return str(FOLDER / library.distribution / scripts / name)


def install(library: Library) -> bool:
    """Make the library's environment if it is not there yet; True if it was made now."""
    if library.is_ours:
        return False
    folder = FOLDER / library.distribution
    note = folder / "installed.json"
    if note.is_file() and json.loads(note.read_text()) == list(library.requirements):
        return False
    venv.create(folder, clear=True, with_pip=True)
    pip = [python_of(library), "-m", "pip", "--disable-pip-version-check", "install"]
    done = subprocess.run([*pip, *library.requirements], capture_output=True, text=True)
    if done.returncode != 0:
        raise InstallError(last_line(done.stderr) or f"pip ended with status {done.returncode}")
    note.write_text(json.dumps(list(library.requirements)))
    return True


def last_line(text: str) -> str:
    """Return the last line of a program's complaint, without addresses and folders.

    It goes into a stored result, where the layout of somebody's machine has no place.

    >>> last_line("Traceback ...\\nOSError: /home/me/lib/libTM.so: no such file\\n")
    'OSError: libTM.so: no such file'
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    line = (errors or lines or [""])[-1]
    line = re.sub(r"\b\w+://\S+", "…", line)
    return re.sub(r"(?<![\w.])/(?:[^\s/'\"]+/)+", "", line)[:300]
