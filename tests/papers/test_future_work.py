"""What the documents leave to future work: which boards, which constants, which players."""

from __future__ import annotations

import numpy as np
import pytest

from clauseboard.papers import EpochResult, RunSize, TaskResult, load_experiment
from clauseboard.papers.boards import Run
from clauseboard.papers.checkers_thesis import ENDS
from clauseboard.papers.future_work import (
    PATIENCES,
    WINDOWS,
    Decided,
    chosen_elsewhere,
    chosen_on_the_next,
    decided_accuracy,
    right_side,
    stopped_after,
)
from clauseboard.papers.report import as_text
from clauseboard.papers.runner import run_table


def test_decided_boards_keep_their_folds(plain_file):
    run = Run(RunSize("quick", boards=None, folds=2, share=1.0, epochs=3), [plain_file])
    whole, some = run.boards(ENDS), Decided(ENDS).take(run)
    kept = whole.results != 2
    assert 0 < kept.sum() < len(whole)
    assert np.array_equal(some.X, whole.X[kept])
    assert np.array_equal(some.folds, whole.folds[kept])
    assert set(np.unique(some.results)) == {0, 1}
    assert some.origin == whole.digest


def test_scores_of_decided_boards():
    done = [TaskResult({"confusion": [[6, 2, 2], [1, 7, 2], [5, 5, 90]]})]
    assert decided_accuracy(done) == [100 * 13 / 20]
    assert right_side(done) == [100 * 13 / 16]


@pytest.mark.parametrize(
    ("window", "patience", "epochs"), [(1, 1, 4), (1, 5, 10), (2, 3, 7), (20, 5, 10)]
)
def test_rules_stop_when_the_best_mean_is_so_old(window, patience, epochs):
    accuracies = [0.1, 0.2, 0.6, 0.5, 0.4, 0.3, 0.2, 0.7, 0.3, 0.3]
    assert stopped_after(accuracies, window, patience) == epochs


def test_constants_of_a_fold_are_chosen_on_the_others():
    n_epochs = 80
    late = stopped_after([0.5] * n_epochs, WINDOWS[0], PATIENCES[-1])
    assert late == n_epochs, "equal means go on"
    falls = [0.9] * 12 + [0.1] * (n_epochs - 12)
    epochs = tuple(EpochResult(n, a, 0.0) for n, a in enumerate(falls, 1))
    shortest = stopped_after(falls, WINDOWS[0], PATIENCES[0])
    # Late epochs are better on the test boards of all folds but the first.
    good_late = [0.2] * shortest + [0.8] * (n_epochs - shortest)
    good_early = [0.8] * shortest + [0.2] * (n_epochs - shortest)
    done = [
        TaskResult({"tested": good_early if fold == 0 else good_late}, epochs) for fold in range(5)
    ]
    (mean,) = chosen_elsewhere(5)(done)
    assert mean == pytest.approx(100 * (0.2 + 4 * 0.8) / 5)
    assert chosen_elsewhere(5)(done * 2) == pytest.approx([mean, mean])


def test_settings_of_a_fold_are_chosen_without_its_boards():
    def ran(watched, tested):
        return TaskResult(
            {"tested": [0.0] * 5 + [tested] * 10},
            tuple(EpochResult(n, 0.9 if n <= 5 else watched, 0.0) for n in range(1, 16)),
        )

    first, second = [ran(0.5, 0.1), ran(0.7, 0.2)], [ran(0.6, 0.3), ran(0.6, 0.9)]
    assert chosen_on_the_next(2)([*first, *second]) == pytest.approx([30, 20])


@pytest.mark.parametrize("name", ["future_1", "future_2", "future_3"])
def test_quick_tables(name, plain_file, tmp_path):
    table = load_experiment(name)
    run = Run(table.sizes["quick"], [plain_file])
    rows = ["learned", "weighted", "epochs", "constants"]
    page = run_table(table, run, tmp_path / "r", rows=rows)
    assert page["figures"]
    assert all(figure["published"] is None for figure in page["figures"])
    assert all(0 <= figure["ours"]["mean"] <= 100 for figure in page["figures"])
    assert f"Asked for: checkers thesis, section 8.2: {table.where[30:]}" in as_text(page)


@pytest.mark.parametrize(
    ("name", "n_figures"), [("future_4", 10), ("future_5", 18), ("future_6", 10)]
)
def test_tables_of_go_are_planned(name, n_figures):
    table = load_experiment(name)
    figures = table.contents.figures(Run(table.sizes["quick"]))
    assert len(figures) == n_figures
    assert table.headline in {(figure.row, figure.name) for figure in figures}
