"""`clauseboard experiment`: listing, running, going on after kill -9, and bad input."""

from __future__ import annotations

import ctypes
import json
import os
import sqlite3
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from clauseboard.cli import experiment
from clauseboard.cli.experiment import time_estimate
from clauseboard.cli.main import app
from clauseboard.papers.stored_results import Times

COMMAND = [sys.executable, "-m", "clauseboard", "experiment"]


@pytest.fixture
def said(clauseboard):
    """What a command says: on standard error if it is to fail."""

    def said(*words, fails=False):
        done = clauseboard("experiment", *words)
        assert done.returncode == (2 if fails else 0), done.stderr
        return done.stderr if fails else done.stdout

    return said


def test_list():
    result = CliRunner().invoke(app, ["experiment", "list"])
    assert result.exit_code == 0
    told = " ".join(result.stdout.split())
    assert "checkers_5_6 checkers thesis, table 5.6: accuracy on each of ten folds" in told
    listed = json.loads(CliRunner().invoke(app, ["experiment", "list", "--json"]).stdout)
    assert {"name", "source", "table", "title", "where"} == set(listed[0])
    assert "checkers_7_1" in {entry["name"] for entry in listed}


# A table of folds, and one of matches, whose machines are trained first.
@pytest.mark.parametrize(
    "name", ["checkers_5_6", pytest.param("checkers_6_2", marks=pytest.mark.long)]
)
def test_a_run_writes_its_report_and_goes_on_after_a_kill(tmp_path, name, said):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    run = ("run", name, "--quick", "--jobs", "1")
    text = said(*run, "--out", str(whole))
    assert text.startswith("GENERATED DATA")
    assert "Size: quick" in text
    for suffix in ("json", "md", "html"):
        assert (whole / f"{name}.{suffix}").read_text("utf-8")
    program = subprocess.Popen([*COMMAND, *run, "--out", str(killed)], stdout=subprocess.DEVNULL)
    ends = time.monotonic() + 300
    while not ended(killed) and program.poll() is None and time.monotonic() < ends:
        time.sleep(0.005)
    program.kill()
    program.wait()
    assert ended(killed) >= 1
    page = json.loads(said(*run, "--json", "--out", str(killed)))
    assert page["figures"] == json.loads((whole / f"{name}.json").read_text())["figures"]
    assert page["data"][0]["generated"]


def ended(folder):
    try:
        file = sqlite3.connect(f"file:{folder / 'runs.sqlite'}?mode=ro", uri=True)
        return file.execute("SELECT COUNT(*) FROM tasks WHERE result IS NOT NULL").fetchone()[0]
    except sqlite3.Error:
        return 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "checkers_9_9"), "There is no experiment 'checkers_9_9'; there are checkers_4_1,"),
        (("run", "checkers_5_6", "--quick", "--full"), "Choose one of --quick and --full."),
        (("run", "checkers_5_6", "--data", "none.npz"), "There is no file 'none.npz'"),
        (("run", "checkers_5_6", "--device", "tpu"), "neither 'cpu' nor 'gpu'"),
        (("run", "checkers_5_6", "--quick", "--cluster", "x"), "No Dask scheduler answers at 'x'"),
    ],
)
def test_bad_input(tmp_path, words, told, said):
    wrong = said(*words, *(("--out", str(tmp_path)) if words[0] == "run" else ()), fails=True)
    assert told in wrong
    assert "Traceback" not in wrong
    assert len(wrong.strip().splitlines()) == 1


def test_a_folder_that_cannot_be_made(tmp_path, said):
    (tmp_path / "file").write_text("in the way")
    wrong = said("run", "checkers_5_6", "--quick", "--out", str(tmp_path / "file"), fails=True)
    assert "file" in wrong
    assert "Traceback" not in wrong


def test_a_folder_that_cannot_be_written_to(tmp_path, said):
    # Who is root may write anywhere; a folder in the place of the file is as good.
    (tmp_path / "runs.sqlite").mkdir()
    wrong = said("run", "checkers_5_6", "--quick", "--out", str(tmp_path), fails=True)
    assert "it cannot be written; check the permissions" in wrong


def bound_by_rights():
    """Let rights count for root, too: give up the capability to write anywhere."""
    libc = ctypes.CDLL(None, use_errno=True)
    header, rights = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    libc.capget(header, rights)
    rights[0] &= ~0b10  # CAP_DAC_OVERRIDE: effective, then permitted
    rights[1] &= ~0b10
    libc.prctl(24, 1)  # nor is it had back when the program begins: PR_CAPBSET_DROP
    if libc.capset(header, rights):
        raise OSError(ctypes.get_errno(), "capset")


@pytest.mark.skipif(sys.platform != "linux", reason="root may write anywhere elsewhere")
def test_a_folder_that_may_only_be_read(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out").chmod(0o555)
    words = ("run", "checkers_5_6", "--quick", "--out", str(tmp_path / "out"))
    done = subprocess.run(
        [*COMMAND, *words], capture_output=True, text=True, timeout=300, preexec_fn=bound_by_rights
    )
    assert done.returncode == 2
    assert "it cannot be written; check the permissions of the file" in done.stderr
    (tmp_path / "out").chmod(0o755)
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full disk")
def test_a_report_that_finds_no_room_loses_no_results(tmp_path, said):
    (tmp_path / "checkers_5_6.md").symlink_to("/dev/full")
    run = ("run", "checkers_5_6", "--quick", "--jobs", "1", "--out", str(tmp_path))
    wrong = said(*run, fails=True)
    assert "No space left on device" in wrong
    assert "Traceback" not in wrong
    ends = ended(tmp_path)
    assert ends > 0
    (tmp_path / "checkers_5_6.md").unlink()
    assert said(*run).startswith("GENERATED DATA")
    assert ended(tmp_path) == ends


def test_no_gpu(tmp_path, monkeypatch):
    from clauseboard.tsetlin import gpu

    def none(device):
        raise RuntimeError("no GPU here")

    monkeypatch.setattr(gpu, "chosen", none)
    words = ["experiment", "run", "checkers_5_6", "--device", "gpu", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, words)
    assert isinstance(result.exception, ValueError)
    assert str(result.exception) == "no GPU here"


def test_all_tables_of_a_document_are_run_one_after_the_other(tmp_path, clauseboard):
    done = clauseboard("experiment", "run", "temporal", "--quick", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("2 tables at quick size.")
    assert "2 of 2: temporal_section_5" in done.stderr
    assert (tmp_path / "temporal_section_4.json").is_file()
    assert (tmp_path / "temporal_section_5.html").is_file()


def test_a_run_stops_when_its_time_is_up_and_goes_on(tmp_path, clauseboard):
    run = ("experiment", "run", "checkers_5_6", "--quick", "--jobs", "1", "--out", str(tmp_path))
    done = clauseboard(*run, "--minutes", "0")
    assert done.returncode == 0, done.stderr
    assert "The time is up: 0 of" in done.stderr
    assert "resumes from there" in done.stderr
    assert not (tmp_path / "checkers_5_6.json").exists()
    assert clauseboard(*run).returncode == 0
    assert (tmp_path / "checkers_5_6.json").is_file()


def test_the_time_of_a_run_of_all_tables_is_told(monkeypatch):
    assert "For " not in time_estimate(("checkers_4_1",), "quick", 2, "cpu")
    times = {"go_8_2": Times(60, 600), "go_8_3": Times(60, 600), "go_8_7": Times(0, 1200)}
    monkeypatch.setattr(experiment, "measured_times", lambda size: times)
    text = time_estimate((*times, "future_4"), "full", 10, "gpu")
    assert text.startswith("4 tables at full size. For 3 of them the stored results took 1 minutes")
    assert "30 minutes of single cores" in text
    assert "with 10 cores 4 minutes or more." in text
    assert text.endswith("1 have not been run at this size before.")
    assert "far more without a GPU" in time_estimate(("go_8_2",), "full", 10, "cpu")
    assert "far more" not in time_estimate(("go_8_7",), "full", 10, "cpu")
