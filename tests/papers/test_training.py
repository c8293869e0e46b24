"""The work of tables: which boards are learned, watched and tested, and what comes out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clauseboard.papers import SIZES, EpochResult, TaskResult
from clauseboard.papers.checkers_boards import planes
from clauseboard.papers.shapes import SCORES, score, scores
from clauseboard.papers.training import (
    MachineParameters,
    TrainingSchedule,
    accuracy_and_confusion,
    fold_task,
    fold_tasks,
    train,
)
from clauseboard.tsetlin import AdaptiveEpochs, TsetlinMachineClassifier

MACHINE = MachineParameters(20, 40, 9)


def trained(task):
    """What a task gives, and its epochs."""
    epochs = []
    (result,) = train([task], lambda told, epoch: epochs.append((told.key, epoch)), "cpu")
    assert {key for key, _ in epochs} == {task.key}
    return result, [epoch for _, epoch in epochs]


def by_hand(boards, fold, learned, watched, course, y):
    """The same without the frame."""
    X, settings = boards.X, {"random_state": fold + 1, "block_size": 64}
    machine = TsetlinMachineClassifier(20, 40, 9.0, epochs=course.epochs, **settings)
    stop = AdaptiveEpochs(course.stop, course.epochs, "last") if course.stop else None
    machine.fit(X[learned], y[learned], validation=(X[watched], y[watched]), stop=stop)
    test = boards.folds == fold
    return machine.score(X[test], y[test]), [epoch.score for epoch in machine.history_]


@pytest.mark.parametrize("fold", [0, 4, 9])
def test_as_published_all_but_the_test_fold_is_learned_and_that_is_watched(boards, fold):
    course = TrainingSchedule(4)
    result, epochs = trained(fold_task(boards, fold, MACHINE, course))
    test = boards.folds == fold
    accuracy, curve = by_hand(boards, fold, ~test, test, course, boards.results)
    assert result["accuracy"] == accuracy == curve[-1]
    assert [epoch.accuracy for epoch in epochs] == curve
    assert [epoch.number for epoch in epochs] == [1, 2, 3, 4]


@pytest.mark.parametrize("stop", [None, 2])
def test_both_folds_are_watched_in_one_training(boards, stop):
    course = TrainingSchedule(14, stop).honest
    watched, epochs = trained(fold_task(boards, 4, MACHINE, course))
    both, same = trained(fold_task(boards, 4, MACHINE, replace(course, watch="both")))
    assert [epoch.accuracy for epoch in same] == [epoch.accuracy for epoch in epochs]
    _, tested = trained(fold_task(boards, 4, MACHINE, replace(course, watch="test", stop=None)))
    assert both == {**watched, "tested": [epoch.accuracy for epoch in tested][: len(same)]}


@pytest.mark.parametrize(("fold", "following"), [(0, 1), (4, 5), (9, 0)])
def test_the_honest_way_never_sees_the_test_boards(boards, fold, following):
    course = TrainingSchedule(4).honest
    result, epochs = trained(fold_task(boards, fold, MACHINE, course))
    test, kept = boards.folds == fold, boards.folds == following
    accuracy, curve = by_hand(boards, fold, ~test & ~kept, kept, course, boards.results)
    assert result["accuracy"] == accuracy
    assert [epoch.accuracy for epoch in epochs] == curve


def test_the_honest_curve_does_not_depend_on_the_test_boards(boards):
    from dataclasses import replace

    changed = boards.results.copy()
    test = boards.folds == 3
    changed[test] = (changed[test] + 1) % 3
    other = replace(boards, results=changed)
    one, curve = trained(fold_task(boards, 3, MACHINE, TrainingSchedule(4).honest))
    two, same = trained(fold_task(other, 3, MACHINE, TrainingSchedule(4).honest))
    assert [e.accuracy for e in curve] == [e.accuracy for e in same]
    assert one["accuracy"] != two["accuracy"]


def test_training_stops_by_the_rule(boards):
    course = TrainingSchedule(60, stop=2)
    _, epochs = trained(fold_task(boards, 1, MACHINE, course))
    curve = [epoch.accuracy for epoch in epochs]
    assert AdaptiveEpochs(2, max_epochs=60).epochs_run(curve) == len(curve)
    _, all_epochs = trained(fold_task(boards, 1, MACHINE, TrainingSchedule(60, stop=None)))
    assert len(all_epochs) == 60
    assert [epoch.accuracy for epoch in all_epochs[: len(curve)]] == curve


def test_white_has_wins_and_losses_inverted(boards):
    black, _ = trained(fold_task(boards, 2, MACHINE, TrainingSchedule(3)))
    white, _ = trained(fold_task(boards, 2, MACHINE, TrainingSchedule(3, side="white")))
    there = [sum(row) for row in black["confusion"]]
    assert [sum(row) for row in white["confusion"]] == [there[1], there[0], there[2]]


def test_several_tasks_at_once_are_as_one_by_one(boards):
    tasks = [fold_task(boards, fold, MACHINE, TrainingSchedule(3)) for fold in (0, 1)]
    together = train(tasks, lambda task, epoch: None, "cpu")
    assert together == [trained(task)[0] for task in tasks]


def test_windows_see_the_squares_as_they_lie(boards):
    X = boards.X
    seen, shape = planes(X)
    seen = seen.reshape(len(X), *shape)
    for row, column, piece in ((0, 0, 0), (3, 2, 1), (7, 3, 3)):
        assert np.array_equal(seen[:, row, column, piece], X[:, 32 * piece + 4 * row + column])
    result, _ = trained(
        fold_task(boards, 0, MachineParameters(20, 40, 9, window=2), TrainingSchedule(2))
    )
    assert 0 <= result["accuracy"] <= 1


def test_small_sizes_keep_the_ratio_of_threshold_to_clauses():
    machine = MachineParameters(19_000, 40_000, 9)
    assert machine.at(SIZES["full"]) == machine
    small = machine.at(SIZES["default"])
    assert (small.clauses, small.T) == (950, 2000)
    assert MachineParameters(12_000, 50, 27).at(SIZES["quick"]).T == 10


def test_runs_and_folds_have_seeds_of_their_own(boards):
    size = SIZES["full"]
    seeds = {
        task.settings["seed"]
        for run in range(10)
        for task in fold_tasks(boards, size, MACHINE, TrainingSchedule(1), run)
    }
    assert len(seeds) == 100


def test_a_task_is_known_by_what_it_does(boards):
    same = [fold_task(boards, 0, MACHINE, TrainingSchedule(3)).key for _ in range(2)]
    assert same[0] == same[1]
    others = [
        fold_task(boards, 1, MACHINE, TrainingSchedule(3)),
        fold_task(boards, 0, MachineParameters(22, 40, 9), TrainingSchedule(3)),
        fold_task(boards, 0, MACHINE, TrainingSchedule(4)),
        fold_task(boards, 0, MACHINE, TrainingSchedule(3), run=1),
        fold_task(boards.at_most(100), 0, MACHINE, TrainingSchedule(3)),
    ]
    assert len({same[0], *(task.key for task in others)}) == 6


def test_scores_by_hand():
    # Of 10 losses 6 are found, 2 taken for wins; 3 boards are taken for losses wrongly.
    confusion = [[6, 2, 2], [1, 4, 0], [2, 1, 7]]
    found = scores(confusion, "loss")
    assert found["precision"] == pytest.approx(100 * 6 / 9)
    assert found["recall"] == pytest.approx(60)
    assert found["F"] == pytest.approx(2 * (200 / 3) * 60 / (200 / 3 + 60))
    assert scores([[0, 1, 0], [0, 0, 0], [0, 0, 3]], "loss") == dict.fromkeys(SCORES, 0.0)
    done = TaskResult({"confusion": confusion}, (EpochResult(1, 0.5, 0.1),))
    assert score("loss", "recall")([done, done]) == [found["recall"]] * 2


def test_scores_agree_with_scikit_learn():
    from sklearn.metrics import precision_recall_fscore_support

    rng = np.random.default_rng(3)
    truth, said = rng.integers(3, size=200), rng.integers(3, size=200)
    result = accuracy_and_confusion(truth, said)
    assert result["accuracy"] == pytest.approx((truth == said).mean())
    expected = precision_recall_fscore_support(truth, said)
    for place, name in enumerate(("loss", "win", "draw")):
        found = scores(result["confusion"], name)
        for row, what in enumerate(SCORES):
            assert found[what] == pytest.approx(100 * expected[row][place])
