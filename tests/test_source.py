"""The source as a whole is formatted, free of lint, and typed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CHECKS = {
    "formatter": ["ruff", "format", "--check", "."],
    "linter": ["ruff", "check", "."],
    "type checker": ["mypy"],
}


@pytest.mark.parametrize("check", CHECKS)
def test_the_source_passes_the(check):
    name, *words = CHECKS[check]
    program = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    assert program, f"{name} is not installed; `make test` installs it"
    done = subprocess.run([program, *words], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        command = " ".join(CHECKS[check])
        pytest.fail(f"{command} says:\n{done.stdout}{done.stderr}", pytrace=False)
