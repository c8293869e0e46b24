"""Settings compared on inner folds: nothing sees the test boards; killed searches go on."""

from __future__ import annotations

import importlib.util
import json
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from clauseboard import tuning
from clauseboard.papers.runner import perform
from clauseboard.papers.training import MachineParameters
from clauseboard.tuning import (
    as_markdown,
    as_text,
    history,
    name_of,
    open_study,
    space,
    trial_rows,
    tune_by_steps,
    tune_by_study,
)

TUNER = Path(__file__).parent / "tuner.py"
_spec = importlib.util.spec_from_file_location("tuner", TUNER)
tuner = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(tuner)


def problem(**changes):
    return tuner.some_problem(**changes)


def start(folder, way, pause=0.0):
    return subprocess.Popen(
        [sys.executable, str(TUNER), str(folder), way, str(pause)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(program):
    said, wrong = program.communicate(timeout=300)
    assert program.returncode == 0, wrong
    return json.loads(said)


def wait_until(found, folder, least, program):
    ends = time.monotonic() + 300
    while found(folder) < least and program.poll() is None:
        assert time.monotonic() < ends, "it does not come so far"
        time.sleep(0.01)


def counted(file, question):
    try:
        known = sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=10)
    except sqlite3.Error:
        return 0
    try:
        return known.execute(question).fetchone()[0]
    except sqlite3.Error:
        return 0
    finally:
        known.close()


def tasks_ended(folder):
    return counted(folder / "runs.sqlite", "SELECT COUNT(*) FROM tasks WHERE result IS NOT NULL")


def trials_ended(folder):
    question = "SELECT COUNT(*) FROM trials WHERE state IN ('COMPLETE', 'PRUNED')"
    return counted(folder / "study.sqlite", question)


# ---- which boards are looked at ---------------------------------------------------------------


@pytest.mark.parametrize("test_fold", [0, 2, 4])
def test_inner_folds_are_all_the_others(test_fold):
    there = problem(test_fold=test_fold)
    inner, whole = there.inner, there.boards
    kept = whole.folds != test_fold
    assert np.array_equal(inner.packed, whole.packed[kept])
    assert inner.n_folds == 4
    assert sorted(set(inner.folds)) == [0, 1, 2, 3]
    # Boards that were together in a fold still are.
    moved = {(old, new) for old, new in zip(whole.folds[kept], inner.folds, strict=True)}
    assert len(moved) == 4


def test_the_search_does_not_depend_on_the_test_boards(tmp_path):
    there = problem()
    changed = there.boards.results.copy()
    test = there.boards.folds == there.test_fold
    changed[test] = (changed[test] + 1) % 3
    other = replace(there, boards=replace(there.boards, results=changed))
    one = tune_by_steps(there, tmp_path / "a", way="doubling", rounds=1)
    two = tune_by_steps(other, tmp_path / "b", way="doubling", rounds=1)
    assert [t["accuracies"] for t in one["trials"]] == [t["accuracies"] for t in two["trials"]]
    assert one["best"]["settings"] == two["best"]["settings"]
    assert one["best"]["tested"] != two["best"]["tested"]


@pytest.mark.parametrize("n_folds", [1, 2, 4])
def test_settings_are_tried_on_as_many_folds_as_told(n_folds):
    tasks = problem(n_folds=n_folds).tasks({"clauses": 8, "T": 10, "s": 4})
    assert [task.settings["fold"] for task in tasks] == list(range(n_folds))
    assert len({task.key for task in tasks}) == n_folds


def test_what_is_not_varied_stays():
    there = replace(problem(), guess=MachineParameters(8, 10, 4, weighted=False, boost=False))
    machine = there.machine({"clauses": 20, "T": 3, "s": 2.5})
    assert machine == MachineParameters(20, 3, 2.5, weighted=False, boost=False)
    assert there.settings == {"clauses": 8, "T": 10, "s": 4}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"test_fold": 5}, "There is no fold 6; there are 1 to 5"),
        ({"test_fold": -1}, "There is no fold 0"),
        ({"n_folds": 5}, "choose from 1 to 4"),
        ({"n_folds": 0}, "choose from 1 to 4"),
        ({"epochs": 0}, "epochs=0 must be an integer"),
    ],
)
def test_wrong_problems(changes, said):
    with pytest.raises(ValueError, match=said):
        problem(**changes)


def test_two_folds_are_too_few():
    there = problem()
    halves = replace(there.boards, folds=there.boards.folds % 2, n_folds=2)
    with pytest.raises(ValueError, match="has 2 folds; tuning needs 3"):
        replace(there, boards=halves)


# ---- one at a time ----------------------------------------------------------------------------


def test_a_page_has_all_that_was_tried(tmp_path):
    heard = []
    page = tune_by_steps(
        problem(), tmp_path / "r", way="doubling", rounds=1,
        progress=lambda done, of: heard.append((done, of)),
    )  # fmt: skip
    trials, best = page["trials"], page["best"]
    assert [trial["settings"] for trial in trials[:3]] == [
        {"clauses": 8, "T": 10, "s": 4.0}, {"clauses": 4, "T": 10, "s": 4.0},
        {"clauses": 16, "T": 10, "s": 4.0},
    ]  # fmt: skip
    assert best["mean"] == max(trial["mean"] for trial in trials)
    top = next(trial for trial in trials if trial["settings"] == best["settings"])
    assert top["mean"] == best["mean"] == pytest.approx(np.mean(top["accuracies"]), abs=1e-3)
    (done,) = perform([problem().test(best["settings"])], None, "cpu")
    assert best["tested"] == pytest.approx(100 * done[1].result["accuracy"], abs=1e-3)
    assert heard[-1] == (1, 1), "the test comes last"
    text = as_text(page)
    assert text.startswith(f"Best of {len(trials)}: ")
    assert f"{best['tested']:.2f} % on fold 2, which was held out" in text
    assert [row[-1] for row in trial_rows(page)].count("best") == 1
    assert "![history](h.png)" in as_markdown(page, ["h.png"])
    picture = history(page)
    assert picture["curves"]["best so far"][-1] == best["mean"]
    assert sorted(picture["curves"]["best so far"]) == picture["curves"]["best so far"]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    return tuner.search(tmp_path_factory.mktemp("whole"), "doubling")


@pytest.mark.parametrize("moment", [2, pytest.param(9, marks=pytest.mark.long)])
def test_a_search_that_is_killed_goes_on_to_the_same_end(tmp_path, undisturbed, moment):
    program = start(tmp_path, "doubling", 0.05)
    wait_until(tasks_ended, tmp_path, moment, program)
    program.kill()
    program.communicate()
    before = tasks_ended(tmp_path)
    assert before >= moment
    assert tuner.search(tmp_path, "doubling") == undisturbed


@pytest.mark.long
def test_two_searches_share_a_record(tmp_path, undisturbed):
    both = [start(tmp_path, "doubling", 0.02), start(tmp_path, "doubling", 0.01)]
    assert [finished(program) for program in both] == [undisturbed, undisturbed]


# ---- Optuna -----------------------------------------------------------------------------------

optuna = pytest.importorskip("optuna")


def test_a_study_finds_settings_and_breaks_off_what_falls_behind(tmp_path):
    heard = []
    page = tune_by_study(
        problem(), tmp_path / "r", tmp_path / "s", trials=10, seed=3,
        progress=lambda done, of: heard.append((done, of)),
    )  # fmt: skip
    states = [trial["state"] for trial in page["trials"]]
    assert len(states) == 10
    assert states[: tuning.STARTUP] == ["done"] * tuning.STARTUP
    assert "pruned" in states
    pruned = [trial for trial in page["trials"] if trial["state"] == "pruned"]
    assert all(trial["epochs"] < 2 * 5 for trial in pruned)
    ended = [trial for trial in page["trials"] if trial["state"] == "done"]
    assert page["best"]["mean"] == max(trial["mean"] for trial in ended)
    assert page["trials"][0]["settings"] == {"clauses": 8, "T": 10, "s": 4}, "first the guess"
    assert page["best"]["mean"] > page["trials"][0]["mean"]
    for name, low, high in space(problem()):
        assert all(low <= trial["settings"][name] <= high for trial in page["trials"])
    assert heard[0] == (0, 10)
    assert "pruned" in as_text(page)
    check_pruned(open_study(problem(), tmp_path / "s").get_trials())
    # The value of a trial is the mean over its folds.
    for trial in ended:
        assert trial["mean"] == pytest.approx(np.mean(trial["accuracies"]), abs=1e-3)


def check_pruned(trials):
    """Each was below the median of the others that had come as far."""
    for trial in (one for one in trials if one.state.name == "PRUNED"):
        best = max(trial.intermediate_values.values())
        step = max(trial.intermediate_values)
        others = [
            other.intermediate_values[step]
            for other in trials[: trial.number]
            if other.state.name == "COMPLETE" and step in other.intermediate_values
        ]
        assert best < np.median(others)


def test_a_study_goes_on_and_its_trials_are_the_same(tmp_path):
    first = tune_by_study(problem(), tmp_path / "r", tmp_path / "s", trials=2)
    more = tune_by_study(problem(), tmp_path / "r", tmp_path / "s", trials=4)
    assert more["trials"][:2] == first["trials"]
    assert len(more["trials"]) == 4
    again = tune_by_study(problem(), tmp_path / "r", tmp_path / "s", trials=4)
    assert again["trials"] == more["trials"]
    whole = tune_by_study(problem(), tmp_path / "r", tmp_path / "whole", trials=4)
    assert [t["settings"] for t in whole["trials"]] == [t["settings"] for t in more["trials"]]


def test_other_boards_or_guesses_are_other_studies():
    there = problem()
    names = {
        name_of(one)
        for one in (
            there, problem(epochs=6), problem(n_folds=3), problem(test_fold=0),
            problem(most_clauses=10), replace(there, guess=MachineParameters(8, 10, 5)),
            replace(there, boards=there.boards.at_most(100)),
        )
    }  # fmt: skip
    assert len(names) == 7


@pytest.mark.long
def test_a_study_that_is_killed_goes_on(tmp_path):
    program = start(tmp_path, "optuna", 0.1)
    wait_until(trials_ended, tmp_path, 2, program)
    program.kill()
    program.communicate()
    before = trials_ended(tmp_path)
    assert 2 <= before < tuner.TRIALS
    page = tuner.search(tmp_path, "optuna")
    assert len(page["trials"]) == tuner.TRIALS
    assert page["best"]["mean"] == max(t["mean"] for t in page["trials"] if t["state"] == "done")


@pytest.mark.long
def test_two_processes_work_on_one_study(tmp_path):
    both = [start(tmp_path, "optuna", 0.05), start(tmp_path, "optuna", 0.05)]
    pages = [finished(program) for program in both]
    n = trials_ended(tmp_path)
    assert tuner.TRIALS <= n <= tuner.TRIALS + 1
    longest = max(pages, key=lambda page: len(page["trials"]))
    assert len(longest["trials"]) == n
    # Both drew from seeds of their own: hardly any settings came up twice.
    drawn = {json.dumps(trial["settings"]) for trial in longest["trials"]}
    assert len(drawn) >= n - 2


@pytest.mark.long
def test_several_jobs(tmp_path):
    page = tune_by_study(problem(epochs=2), tmp_path / "r", tmp_path / "s", trials=3, jobs=2)
    assert 3 <= len(page["trials"]) <= 4


def test_wrong_wishes(tmp_path):
    for trials in (0, -1, True, 1.5):
        with pytest.raises(ValueError, match="must be an integer"):
            tune_by_study(problem(), tmp_path / "r", tmp_path / "s", trials=trials)
    with pytest.raises(ValueError, match="neither 'cpu' nor 'gpu'"):
        tune_by_study(problem(), tmp_path / "r", tmp_path / "s", device="tpu")
    with pytest.raises(ValueError, match="neither 'cpu' nor 'gpu'"):
        tune_by_steps(problem(), tmp_path / "r", device="tpu")


def test_a_study_that_cannot_be_written(tmp_path):
    (tmp_path / "s").mkdir()
    with pytest.raises(OSError, match="the study cannot be read or written"):
        tune_by_study(problem(), tmp_path / "r", tmp_path / "s", trials=1)
    (tmp_path / "text").write_text("no database at all " * 50)
    with pytest.raises(OSError, match="the study cannot be read or written"):
        tune_by_study(problem(), tmp_path / "r", tmp_path / "text", trials=1)


def test_without_optuna(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(ValueError, match=r"pip install 'clauseboard\[search\]'"):
        tune_by_study(problem(), tmp_path / "r", tmp_path / "s", trials=1)
