"""The `doctor` command: what is there, what is missing, and what to do about it."""

import importlib.metadata
import json

import pytest
from typer.testing import CliRunner

from clauseboard.cli import doctor
from clauseboard.cli.main import app


def run(*arguments):
    return CliRunner().invoke(app, ["doctor", *arguments])


def findings(*arguments):
    done = run("--no-speed", "--json", *arguments)
    assert done.exit_code in (0, 1)
    return {each["name"]: each for each in json.loads(done.stdout)["findings"]}


def test_what_is_there_is_said():
    done = run("--no-speed")
    assert done.exit_code == 0
    assert "  ok  packages  " in done.stdout
    assert f"numpy {importlib.metadata.version('numpy')}" in done.stdout
    assert "shipped for checkers, go 9x9" in done.stdout
    assert "Speed" not in done.stdout


def test_all_extras_but_those_for_developers_are_looked_at():
    extras = {doctor.extra_of(each) for each in importlib.metadata.requires("clauseboard")}
    assert extras - {"gpu", "bench", "dev", "docs"} == set(doctor.PURPOSES)


def version_without(missing, versions=None):
    real = importlib.metadata.version

    def version(name):
        if name == missing:
            raise importlib.metadata.PackageNotFoundError(name)
        return (versions or {}).get(name) or real(name)

    return version


def test_an_extra_that_is_missing_is_no_failure(monkeypatch):
    monkeypatch.setattr(importlib.metadata, "version", version_without("fastapi"))
    web = findings()["web"]
    assert not web["ok"]
    assert "fastapi is missing" in web["text"]
    assert web["todo"] == "pip install 'clauseboard[web]'"
    shown = run("--no-speed")
    assert shown.exit_code == 0
    assert "What you can do:\n" in shown.stdout
    assert "  web: pip install 'clauseboard[web]'\n" in shown.stdout


@pytest.mark.parametrize(
    ("version", "told"),
    [
        (version_without("numba"), "numba is missing"),
        (version_without("", {"numba": "0.9.9"}), "numba 0.9.9 is older than 0.62"),
    ],
)
def test_what_everything_needs_is(monkeypatch, version, told):
    monkeypatch.setattr(importlib.metadata, "version", version)
    done = run("--no-speed")
    assert done.exit_code == 1
    assert "  NO  packages " in done.stdout
    assert told in done.stdout


def test_without_an_installation_packages_cannot_be_checked(monkeypatch):
    def requires(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "requires", requires)
    assert "is not installed" in findings()["packages"]["text"]


def test_a_compiler_that_is_off_is_told(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert findings()["compiler"]["todo"] == "unset NUMBA_DISABLE_JIT"


def test_kernels_that_cannot_be_kept_are_told(monkeypatch):
    monkeypatch.setattr(doctor, "cache_folder", lambda: None)
    assert "CLAUSEBOARD_CACHE" in findings()["kernels"]["todo"]


def test_speeds_are_shown(monkeypatch):
    rates = [("checkers moves", 1234567.0, "checkers moves counted a second")]
    monkeypatch.setattr(doctor, "speeds", lambda: rates)
    assert "      1,234,567  checkers moves counted a second\n" in run().stdout
    assert json.loads(run("--json").stdout)["speeds"] == {"checkers moves": 1234567.0}


@pytest.mark.long
def test_speeds_are_measured():
    assert all(rate > 0 for _, rate, _ in doctor.speeds())
