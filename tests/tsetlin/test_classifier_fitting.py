"""Fitting a classifier: in parts, watched, stopped, interrupted, with weights."""

from __future__ import annotations

import signal
import subprocess
import sys

import numpy as np
import pytest

from clauseboard.tsetlin import (
    AdaptiveEpochs,
    Epoch,
)
from naive.problems import multiclass_xor
from small_machines import X_NEW, Y_NEW, X, Y, machine, same

# ------------------------------------------------------------------ fit and partial_fit


def test_fit_starts_afresh_and_partial_fit_goes_on():
    again = machine().fit(X, 1 - Y).fit(X, Y)
    assert same(again, machine().fit(X, Y))
    assert len(again.history_) == 15
    assert again.partial_fit(X, Y) is again
    assert not same(again, machine().fit(X, Y))
    assert [epoch.number for epoch in again.history_[-2:]] == [15, 16]


def test_fit_starts_afresh_with_other_boards_and_classes():
    rng = np.random.default_rng(0)
    changed = machine().fit(X, Y, bit_names=[f"a{k}" for k in range(12)])
    boards, classes = multiclass_xor(rng, 200)
    changed.fit(boards, classes)
    assert same(changed, machine().fit(boards, classes))
    assert changed.classes_.tolist() == [0, 1, 2]
    assert changed.bit_names_ == [f"x{k}" for k in range(8)]


def test_epochs_of_fit_are_those_of_partial_fit():
    stepwise = machine()
    for _ in range(5):
        stepwise.partial_fit(X, Y)
    assert same(stepwise, machine(epochs=5).fit(X, Y))


def test_partial_fit_on_boards_that_come_bit_by_bit():
    learner = machine()
    for _ in range(15):
        for start in range(0, 300, 50):
            part = slice(start, start + 50)
            learner.partial_fit(X[part], Y[part], classes=[0, 1])
    assert learner.score(X_NEW, Y_NEW) >= 0.9


def test_partial_fit_knows_classes_that_come_later():
    learner = machine().partial_fit(X[Y == 0], Y[Y == 0], classes=[2, 0, 1])
    assert learner.classes_.tolist() == [0, 1, 2]
    learner.partial_fit(X, Y)
    with pytest.raises(ValueError, match=r"class 7.*\[0, 1, 2\].*first call"):
        learner.partial_fit(X, np.full(300, 7))
    with pytest.raises(ValueError, match=r"classes=\[0, 5\].*\[0, 1, 2\]"):
        learner.partial_fit(X, Y, classes=[0, 5])
    with pytest.raises(ValueError, match=r"class '(zero|one)'"):
        learner.partial_fit(X, np.where(Y, "one", "zero"))


# ------------------------------------------------------------------ validation, stop, callback


def test_history_has_the_accuracy_on_the_validation_data():
    fitted = machine(epochs=4).fit(X, Y, validation=(X_NEW, Y_NEW))
    assert all(isinstance(epoch, Epoch) and epoch.seconds > 0 for epoch in fitted.history_)
    assert fitted.history_[-1].score == fitted.score(X_NEW, Y_NEW)
    assert same(fitted, machine(epochs=4).fit(X, Y))
    assert [epoch.score for epoch in machine(epochs=2).fit(X, Y).history_] == [None, None]


def test_validation_boards_of_an_unknown_class_count_as_wrong():
    mixed = np.where(np.arange(500) % 2, Y_NEW, 7)
    fitted = machine(epochs=15).fit(X, Y, validation=(X_NEW, mixed))
    assert 0.4 < fitted.history_[-1].score <= 0.5
    assert np.allclose(fitted.predict_proba(X_NEW).sum(axis=1), 1)


def test_the_callback_hears_of_every_epoch_and_may_end_training():
    heard = []

    def three(epoch):
        heard.append(epoch)
        return len(heard) == 3

    fitted = machine().fit(X, Y, callback=three)
    assert fitted.history_ == heard
    assert same(fitted, machine(epochs=3).fit(X, Y))
    assert len(machine(epochs=5).fit(X, Y, callback=lambda epoch: None).history_) == 5


def test_the_callback_may_use_the_machine():
    learner = machine(epochs=5)
    scores = []
    learner.fit(X, Y, callback=lambda epoch: scores.append(learner.score(X_NEW, Y_NEW)))
    assert len(scores) == 5
    assert scores[-1] == learner.score(X_NEW, Y_NEW)


def test_adaptive_epochs_decide_instead_of_epochs():
    stop = AdaptiveEpochs(max_epochs=60)
    fitted = machine(epochs=1).fit(X, Y, validation=(X_NEW, Y_NEW), stop=stop)
    scores = [epoch.score for epoch in fitted.history_]
    assert len(scores) == stop.epochs_run(scores)
    assert len(scores) > 1
    few = machine().fit(X, Y, validation=(X, Y), stop=AdaptiveEpochs(max_epochs=3))
    assert len(few.history_) == 3
    with pytest.raises(ValueError, match="stop needs validation"):
        machine().fit(X, Y, stop=stop)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_leaves_a_machine_that_can_be_used(n_jobs):
    def interrupt(epoch):
        if epoch.number == 6:
            raise KeyboardInterrupt

    learner = machine(n_jobs=n_jobs, n_clauses=64)
    with pytest.raises(KeyboardInterrupt):
        learner.fit(X, Y, callback=interrupt)
    assert len(learner.history_) == 6
    assert same(learner, machine(epochs=6, n_clauses=64).fit(X, Y))
    assert learner.predict_proba(X_NEW).shape == (500, 2)
    learner.partial_fit(X, Y)


INTERRUPT_OFTEN = """
import faulthandler, random, signal
import numpy as np
from clauseboard.tsetlin import TsetlinMachineClassifier

def interrupt(*_):
    raise KeyboardInterrupt

signal.signal(signal.SIGALRM, interrupt)
random.seed(1)
X = np.random.default_rng(0).integers(2, size=(128, 12), dtype=np.uint8)
machine = TsetlinMachineClassifier(n_clauses=64, epochs=10**6)
machine.partial_fit(X, X[:, 0])
faulthandler.dump_traceback_later(240, exit=True)
for _ in range(100):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.005 + 0.01 * random.random())
        machine.fit(X, X[:, 0])
    except KeyboardInterrupt:
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    assert machine.predict_proba(X).shape == (128, 2)
    machine.partial_fit(X, X[:, 0])
print("all answered")
"""

INTERRUPT_ONE_THREAD = """
import faulthandler, time
import numpy as np
from clauseboard.tsetlin import TsetlinMachineClassifier, training

whole = training.train_blocks

def interrupted(*arguments):
    if arguments[-3] == 0:  # the number of the thread
        time.sleep(0.1)
        raise KeyboardInterrupt
    whole(*arguments)

training.train_blocks = interrupted
X = np.random.default_rng(0).integers(2, size=(128, 12), dtype=np.uint8)
machine = TsetlinMachineClassifier(n_clauses=96, n_jobs=3)
faulthandler.dump_traceback_later(240, exit=True)
try:
    machine.fit(X, X[:, 0])
except KeyboardInterrupt:
    assert machine.predict_proba(X).shape == (128, 2)
    print("all answered")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="needs the alarms of POSIX")
@pytest.mark.parametrize(
    "program",
    [
        pytest.param(INTERRUPT_OFTEN, id="any", marks=pytest.mark.long),
        pytest.param(INTERRUPT_ONE_THREAD, id="start"),
    ],
)
def test_ctrl_c_at_any_moment(program):
    # In the second program it comes when one thread has not begun and the others wait for it.
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300
    )
    assert done.stdout.strip() == "all answered", done.stderr[-2000:]


def test_an_interrupt_of_the_first_partial_fit_leaves_a_machine_that_can_be_used(monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    learner = machine()
    monkeypatch.setattr("clauseboard.tsetlin.training.BankTrainer._train", interrupt)
    with pytest.raises(KeyboardInterrupt):
        learner.partial_fit(X, Y)
    assert learner.predict(X).shape == (300,)
    assert learner.predict_proba(X).shape == (300, 2)


@pytest.mark.parametrize("progress", [True, False, None])
def test_the_progress_bar_shows_itself_if_asked_for(progress, capsys):
    shown = machine(epochs=3).fit(X, Y, progress=progress, validation=(X_NEW, Y_NEW))
    said = capsys.readouterr()
    assert said.out == ""
    assert ("epoch 3/3" in said.err and "accuracy" in said.err) == (progress is True)
    assert same(shown, machine(epochs=3).fit(X, Y))


def test_trains_without_a_standard_error(monkeypatch):
    # Under pythonw there is none.
    monkeypatch.setattr(sys, "stderr", None)
    machine(epochs=1).fit(X, Y)


# ------------------------------------------------------------------ sample_weight


def test_a_board_of_weight_zero_is_as_good_as_left_out():
    wrong = np.concatenate([Y, 1 - Y, 1 - Y])
    weight = np.repeat([1.0, 0.0, 0.0], 300)
    fitted = machine().fit(np.tile(X, (3, 1)), wrong, sample_weight=weight)
    assert fitted.score(X_NEW, Y_NEW) >= 0.95
    assert machine().fit(np.tile(X, (3, 1)), wrong).score(X_NEW, Y_NEW) < 0.5


def test_weights_decide_between_boards_that_disagree():
    X2, y2 = np.concatenate([X, X]), np.concatenate([Y, 1 - Y])
    for right, wrong in ((2.0, 0.5), (0.9, 0.1), (30, 3)):
        weight = np.repeat([right, wrong], 300)
        assert machine().fit(X2, y2, weight).score(X_NEW, Y_NEW) >= 0.9
        assert machine().fit(X2, y2, weight[::-1]).score(X_NEW, Y_NEW) <= 0.1


def test_weight_two_is_twice_in_expectation():
    # Rare boards of class 1 win against 1.5 times as many of class 0 if they count twice.
    boards = np.ones((250, 3), np.uint8)
    classes = np.repeat([1, 0], [100, 150])
    twice = np.concatenate([boards, boards[:100]]), np.concatenate([classes, classes[:100]])
    weight = np.where(classes, 2.0, 1.0)
    leads = {"plain": [], "weighted": [], "repeated": []}
    for seed in range(12):
        # Blocks of 64 equal boards push too far: see the test of repeated boards.
        settings = {"n_clauses": 20, "threshold": 100, "random_state": seed, "block_size": 8}
        leads["plain"].append(machine(**settings).fit(boards, classes))
        leads["weighted"].append(machine(**settings).fit(boards, classes, sample_weight=weight))
        leads["repeated"].append(machine(**settings).fit(*twice))
    mean = {
        name: np.mean([m.decision_function(boards[:1])[0] for m in fitted])
        for name, fitted in leads.items()
    }
    assert mean["plain"] < 0 < mean["repeated"]
    assert mean["weighted"] == pytest.approx(mean["repeated"], abs=0.5 * abs(mean["repeated"]) + 15)


def test_weights_below_one_are_shares_of_epochs():
    heard = []
    weight = np.full(300, 0.25)
    machine(epochs=40).fit(X, Y, weight, callback=lambda epoch: heard.append(epoch.number))
    assert len(heard) == 40
    assert machine(epochs=40).fit(X, Y, weight).score(X_NEW, Y_NEW) >= 0.8


def test_partial_fit_takes_weights_too():
    learner = machine()
    X2, y2 = np.concatenate([X, X]), np.concatenate([Y, 1 - Y])
    for _ in range(15):
        learner.partial_fit(X2, y2, sample_weight=np.repeat([1, 0], 300))
    assert learner.score(X_NEW, Y_NEW) >= 0.95


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        (np.full(300, -1.0), "[Nn]egative"),
        (np.full(300, np.nan), "NaN"),
        (np.full(300, np.inf), "infinity"),
        (np.zeros(300), "weight"),
        (np.ones(3), "sample_weight"),
        (np.ones((300, 2)), "weights"),
        ("heavy", "heavy"),
    ],
)
def test_bad_weights_are_refused(weight, words):
    with pytest.raises(ValueError, match=words):
        machine().fit(X, Y, sample_weight=weight)
    with pytest.raises(ValueError, match=words):
        machine().fit(X, Y).partial_fit(X, Y, sample_weight=weight)
