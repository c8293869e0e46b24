"""The programs of the tests: found, installed, skipped or failed. No apt-get is ever run."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import programs


@pytest.fixture(autouse=True)
def no_real_apt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Leave nothing on the PATH but a folder of the test's own."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    # One program is enough to see what becomes of any.
    only = tuple(program for program in programs.PROGRAMS if program.name == "cc")
    monkeypatch.setattr(programs, "PROGRAMS", only)
    return tmp_path


def put(folder: Path, name: str, status: int = 0) -> str:
    """Put a program in the folder that only ends with a status."""
    path = folder / name
    path.write_text(f"#!/bin/sh\nexit {status}\n")
    path.chmod(0o755)
    return str(path)


class Apt:
    """Stands in for subprocess.run: notes apt-get's calls; installing brings ``brings``."""

    def __init__(self, folder: Path, brings: str = "", status: int = 0, stderr: str = "") -> None:
        self.folder, self.brings, self.status, self.stderr = folder, brings, status, stderr
        self.calls: list[list[str]] = []
        self.frontends: list[str | None] = []

    def __call__(self, command: list[str], **options: object) -> SimpleNamespace:
        if command[0] != "apt-get":
            return SimpleNamespace(returncode=0)  # the trial run of a program that is there
        self.calls.append(command[1:])
        env = options["env"]
        assert isinstance(env, dict)
        self.frontends.append(env.get("DEBIAN_FRONTEND"))
        if "install" in command and self.brings:
            put(self.folder, self.brings)
        return SimpleNamespace(returncode=self.status, stderr=self.stderr)


def on_debian(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    apt: Apt,
    release: dict[str, str] | None = None,
    user: int = 0,
) -> None:
    put(folder, "apt-get")
    monkeypatch.setattr(subprocess, "run", apt)
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: release or {"ID": "debian"})
    monkeypatch.setattr(programs.os, "geteuid", lambda: user, raising=False)


def not_debian(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: {"ID": "fedora"})


def test_need_returns_the_path_of_a_program_that_works(no_real_apt: Path) -> None:
    path = put(no_real_apt, "cc")
    assert programs.need("cc") == path


def test_need_skips_with_one_line_that_names_the_missing_program() -> None:
    with pytest.raises(pytest.skip.Exception, match="cc") as skipped:
        programs.need("cc")
    assert "\n" not in str(skipped.value)


def test_need_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="cc"):
        programs.need("cc")


def test_a_compiler_without_headers_counts_as_missing(no_real_apt: Path) -> None:
    put(no_real_apt, "cc", status=1)
    with pytest.raises(pytest.skip.Exception, match="libc6-dev"):
        programs.need("cc")


def test_a_program_may_lie_in_a_folder_of_its_own(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    assert programs.Program("go-player", packages=("go",)).path() is None
    known = programs.Program("go-player", packages=("go",), folders=(str(games),))
    assert known.path() is None
    path = put(games, "go-player")
    assert known.path() == path


def test_a_better_program_is_taken_where_it_is_there(no_real_apt: Path) -> None:
    known = programs.Program("browser", packages=("browser",), better="browser-shell")
    path = put(no_real_apt, "browser")
    assert known.path() == path
    better = put(no_real_apt, "browser-shell")
    assert known.path() == better


@pytest.mark.parametrize("brings", ["browser-shell", "browser"])
def test_the_better_program_is_installed_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, brings: str
) -> None:
    known = programs.Program("browser", packages=("browser",), better="browser-shell")
    monkeypatch.setattr(programs, "PROGRAMS", (known,))

    class Release(Apt):
        """A release that has one of the two packages."""

        def __call__(self, command: list[str], **options: object) -> SimpleNamespace:
            self.brings = brings if brings in command else ""
            return super().__call__(command, **options)

    apt = Release(tmp_path)
    on_debian(monkeypatch, tmp_path, apt)
    assert programs.main() == 0
    installed = [call[-1] for call in apt.calls if "install" in call]
    assert installed == ["browser-shell", "browser"][: 1 + (brings == "browser")]


def test_a_program_that_the_table_does_not_know_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"'nonesuch'.*knows cc"):
        programs.need("nonesuch")


def test_nothing_is_said_when_nothing_is_missing(
    no_real_apt: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(no_real_apt, "cc")
    assert programs.main() == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("ci", "status"), [("", 0), ("false", 0), ("true", 1)])
def test_elsewhere_one_line_names_what_is_missing(
    ci: str, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    not_debian(monkeypatch)
    monkeypatch.setenv("CI", ci)
    assert programs.main() == status
    (line,) = capsys.readouterr().out.splitlines()
    assert "cc" in line
    assert "gcc libc6-dev" in line


@pytest.mark.parametrize(
    "release",
    [{"ID": "debian"}, {"ID": "ubuntu"}, {"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}],
)
def test_root_on_debian_updates_then_installs(
    release: dict[str, str], no_real_apt: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apt = Apt(no_real_apt, brings="cc")
    on_debian(monkeypatch, no_real_apt, apt, release)
    monkeypatch.setenv("CI", "true")
    assert programs.main() == 0
    assert apt.calls == [
        ["-qq", "update"],
        ["-qq", "install", "--yes", "--no-install-recommends", "gcc", "libc6-dev"],
    ]
    assert apt.frontends == ["noninteractive", "noninteractive"]


@pytest.mark.parametrize(("ci", "status"), [("", 0), ("true", 1)])
def test_an_installation_that_fails_is_told_in_one_line(
    ci: str,
    status: int,
    no_real_apt: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    apt = Apt(no_real_apt, status=100, stderr="W: hm\nE: Unable to locate package gcc\n")
    on_debian(monkeypatch, no_real_apt, apt)
    monkeypatch.setenv("CI", ci)
    assert programs.main() == status
    announced, line = capsys.readouterr().out.splitlines()
    assert announced.startswith("installing gcc")
    assert "missing program: cc" in line
    assert "E: Unable to locate package gcc" in line


def test_a_user_who_is_not_root_installs_nothing(
    no_real_apt: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apt = Apt(no_real_apt, brings="cc")
    on_debian(monkeypatch, no_real_apt, apt, user=1000)
    assert programs.main() == 0
    assert apt.calls == []


def test_a_system_without_os_release_installs_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent() -> dict[str, str]:
        raise OSError("no os-release")

    monkeypatch.setattr(platform, "freedesktop_os_release", absent)
    assert programs.main() == 0
    assert "cc" in capsys.readouterr().out


def test_nothing_is_installed_when_told_not_to(
    no_real_apt: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    apt = Apt(no_real_apt, brings="cc")
    on_debian(monkeypatch, no_real_apt, apt)
    assert programs.main("no") == 0
    assert apt.calls == []
    assert "missing program: cc" in capsys.readouterr().out


def test_a_switch_that_is_neither_yes_nor_no_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert programs.main("never") == 2
    assert "PROGRAMS is 'never'" in capsys.readouterr().out


def test_an_installation_is_announced_with_the_switch_that_prevents_it(
    no_real_apt: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_debian(monkeypatch, no_real_apt, Apt(no_real_apt, brings="cc"))
    assert programs.main() == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert "gcc libc6-dev" in line
    assert "make test PROGRAMS=no" in line


def test_the_end_of_a_run_counts_the_tests_that_missed_a_program() -> None:
    with pytest.raises(pytest.skip.Exception) as skipped:
        programs.need("cc")
    reason = f"Skipped: {skipped.value}"
    assert programs.summary(["Skipped: no GPU"]) == []
    (line,) = programs.summary([reason, "Skipped: no GPU"])
    assert line.startswith("1 test was skipped because cc is missing")
    (line,) = programs.summary([reason, reason])
    assert line.startswith("2 tests were skipped because cc is missing")
    assert line.endswith("apt-get install gcc libc6-dev")


def test_a_run_of_tests_ends_with_the_programs_that_were_missing(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "from programs import need\ndef test_it():\n    need('chromium')\n"
    )
    tests = Path(__file__).parent
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "-o", f"pythonpath={tests}"),
            *("--confcutdir", str(tests), "-p", "conftest", str(tmp_path)),
        ],
        env={"PATH": "", "PYTHONPATH": str(tests)},
        capture_output=True,
        text=True,
    )
    *_, line, last = done.stdout.splitlines()
    assert line.startswith("1 test was skipped because chromium is missing"), done.stdout
    assert "1 skipped" in last
