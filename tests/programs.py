"""Programs that tests need and pip cannot bring.

``python tests/programs.py`` (``make test`` runs it first) installs the missing ones when run
as root on Debian or Ubuntu, unless its argument is ``no``, and names them otherwise. A test
asks ``need("cc")`` for the path and is skipped where the program is missing, except that with
CI=true nothing is skipped: what is missing there is a failure.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """A program, the Debian packages that bring it, and a trial run that must succeed."""

    name: str
    packages: tuple[str, ...]
    trial: tuple[str, ...] = ()
    trial_input: str = ""
    folders: tuple[str, ...] = ()
    """Where to look besides the PATH."""
    better: str = ""
    """A program that does the same in less time, and the name of its package: taken if it is there,
    and installed first where neither is."""

    def path(self) -> str | None:
        """Return where the program is, or None if it is missing or its trial fails."""
        if self.better and (path := self._path(self.better)) is not None:
            return path
        return self._path(self.name)

    def _path(self, name: str) -> str | None:
        path = shutil.which(name)
        if path is None and self.folders:
            path = shutil.which(name, path=os.pathsep.join(self.folders))
        if path is None or not self.trial:
            return path
        try:
            trial = subprocess.run(
                [path, *self.trial],
                input=self.trial_input,
                text=True,
                capture_output=True,
                timeout=60,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return path if trial.returncode == 0 else None


PROGRAMS = (
    # Debian's gcc comes without the C library's headers, which the trial includes.
    Program(
        "cc",
        packages=("gcc", "libc6-dev"),
        trial=("-fsyntax-only", "-x", "c", "-"),
        trial_input="#include <stdio.h>\n",
    ),
    # The page is tested in a real browser; without the windows that nobody sees, a page takes two
    # thirds of the processor time.
    Program(
        "chromium",
        packages=("chromium",),
        trial=("--version",),
        better="chromium-headless-shell",
    ),
    # Debian keeps games in a folder that root's PATH does not have.
    Program("gnugo", packages=("gnugo",), trial=("--version",), folders=("/usr/games",)),
)


def need(program: str) -> str:
    """Return the path of a program; without it skip the test, or fail it with CI=true."""
    import pytest

    known = {each.name: each for each in PROGRAMS}
    if program not in known:
        raise ValueError(
            f"program is {program!r}; tests/programs.py knows {', '.join(known)}: add it there."
        )
    path = known[program].path()
    if path is not None:
        return path
    if _in_ci():
        pytest.fail(f"{_describe([known[program]])}, and CI=true skips nothing", pytrace=False)
    pytest.skip(_describe([known[program]]))


def main(install: str = "yes") -> int:
    """Install what is missing, unless told "no", or name it; return the exit status."""
    if install not in ("yes", "no"):
        print(f"PROGRAMS is {install!r}; it must be yes (install by apt-get) or no.")
        return 2
    missing = [program for program in PROGRAMS if program.path() is None]
    trouble = ""
    if missing and install == "yes" and _can_install():
        first = [[each.better] if each.better else each.packages for each in missing]
        trouble = _install([package for packages in first for package in packages])
        missing = [program for program in missing if program.path() is None]
        if any(program.better for program in missing):  # older releases have no such package
            trouble = _install([package for program in missing for package in program.packages])
            missing = [program for program in missing if program.path() is None]
    if not missing:
        return 0
    consequence = "CI=true needs it" if _in_ci() else "tests that need it are skipped"
    print(f"{_describe(missing)}; {consequence}{trouble and f' ({trouble})'}")
    return 1 if _in_ci() else 0


def summary(reasons: Sequence[str]) -> list[str]:
    """Say for each missing program how many tests were skipped for want of it.

    ``reasons`` are those of all skipped tests; other reasons than ``need``'s are left out.
    """
    counts = Counter(reason.removeprefix("Skipped: ") for reason in reasons)
    lines = []
    for program in PROGRAMS:
        n_tests = counts[_describe([program])]
        if n_tests:
            tests = "1 test was" if n_tests == 1 else f"{n_tests} tests were"
            packages = " ".join(program.packages)
            lines.append(
                f"{tests} skipped because {program.name} is missing; "
                f"on Debian or Ubuntu: apt-get install {packages}"
            )
    return lines


def _in_ci() -> bool:
    return os.environ.get("CI") == "true"


def _describe(missing: Sequence[Program]) -> str:
    listed = ", ".join(
        f"{program.name} (on Debian: apt-get install {' '.join(program.packages)})"
        for program in missing
    )
    return f"missing program: {listed}"


def _can_install() -> bool:
    """Say whether this is root on Debian, Ubuntu or a descendant of theirs, with apt-get."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return False
    family = {release.get("ID", ""), *release.get("ID_LIKE", "").split()}
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return is_root and bool(family & {"debian", "ubuntu"}) and shutil.which("apt-get") is not None


def _install(packages: Sequence[str]) -> str:
    """Install Debian packages; return what went wrong in one line, or nothing."""
    listed = " ".join(packages)
    print(f"installing {listed} by apt-get; `make test PROGRAMS=no` does not", flush=True)
    # A failed update is no reason to stop: one broken source among several, or lists
    # that are already there, still let the installation succeed.
    _apt_get("update")
    return _apt_get("install", "--yes", "--no-install-recommends", *packages)


def _apt_get(*arguments: str) -> str:
    """Run apt-get without questions; return its last words if it fails, or nothing."""
    try:
        done = subprocess.run(
            ["apt-get", "-qq", *arguments],
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            text=True,
            capture_output=True,
            timeout=600,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"apt-get {arguments[0]}: {error}"
    if done.returncode == 0:
        return ""
    last = (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[-1]
    return f"apt-get {arguments[0]}: {last}"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
