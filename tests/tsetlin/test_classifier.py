"""The classifier: what it learns, its parameters, and that a seed is a machine."""

from __future__ import annotations

import doctest
import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import joblib
import numpy as np
import pytest

from clauseboard.tsetlin import (
    TsetlinMachineClassifier,
)
from clauseboard.tsetlin import classifier as module
from naive.problems import multiclass_xor, noisy_xor, planted_boards
from naive.tsetlin import GeneratorDraws, NaiveTsetlinMachine
from small_machines import WINDOW, X_NEW, Y_NEW, X, Y, lengths, machine, same


def test_examples_in_the_docstrings():
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


# ------------------------------------------------------------------ what it learns


def learned(maker, n, noise=0.0, **settings):
    """The accuracy on new boards, the mean of eight machines: single ones go up and down."""
    scores = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        fitted = machine(random_state=seed, **settings).fit(*maker(rng, n, noise=noise))
        scores.append(fitted.score(*maker(rng, 500)))
    return np.mean(scores)


# Board by board takes longest.
BLOCK_SIZES = [pytest.param(1, marks=pytest.mark.long), 8, 64]


@pytest.mark.parametrize("block_size", [1, 8, 64, "auto"])
def test_learns_noisy_xor(block_size):
    plain = {"weighted": False, "boost_true_positive": False, "threshold": 15}
    # With so low a threshold, votes that come late make learning slower.
    least = 0.9 if block_size == 64 else 0.95
    assert learned(noisy_xor, 1000, 0.1, n_clauses=20, block_size=block_size, **plain) >= least


@pytest.mark.parametrize("block_size", BLOCK_SIZES)
def test_learns_multiclass_xor(block_size):
    settings = {"n_clauses": 200, "specificity": 8.0, "epochs": 20}
    assert learned(multiclass_xor, 1500, 0.0, block_size=block_size, **settings) >= 0.95


@pytest.mark.parametrize("block_size", BLOCK_SIZES)
def test_finds_a_planted_pattern_wherever_it_is(block_size):
    settings = {"threshold": 40, "specificity": 8.0, "epochs": 20, **WINDOW}
    assert learned(planted_boards, 600, 0.0, block_size=block_size, **settings) >= 0.97


def test_without_a_window_the_pattern_is_harder_to_find():
    assert learned(planted_boards, 600, specificity=8.0, epochs=20) < 0.95


TWINS = {"n_clauses": 20, "threshold": 15, "specificity": 3.9}
TWINS_BOARDS = noisy_xor(np.random.default_rng(1), 600, noise=0.1)


@pytest.fixture(scope="module")
def naive_accuracy():
    """The mean of some epochs, because it goes up and down from one to the next."""
    naive = NaiveTsetlinMachine(
        n_classes=2,
        n_features=12,
        draws=GeneratorDraws(np.random.default_rng(1)),
        weighted=True,
        boost_true_positive=True,
        **TWINS,
    )
    naive.fit(*TWINS_BOARDS, epochs=6)
    scores = []
    for _ in range(4):
        naive.fit(*TWINS_BOARDS, epochs=1)
        scores.append(np.mean(naive.predict(X_NEW) == Y_NEW))
    return np.mean(scores)


@pytest.mark.parametrize("block_size", [1, 64])
def test_learns_as_well_as_its_naive_twin(naive_accuracy, block_size):
    scores = []
    for seed in range(5):
        fitted = machine(**TWINS, epochs=10, block_size=block_size, random_state=seed)
        fitted.fit(*TWINS_BOARDS, validation=(X_NEW, Y_NEW))
        scores += [epoch.score for epoch in fitted.history_[6:]]
    assert np.mean(scores) == pytest.approx(naive_accuracy, abs=0.08)


@pytest.mark.parametrize(
    ("weighted", "boosted", "convolutional"), list(product([False, True], repeat=3))
)
def test_every_combination_learns(weighted, boosted, convolutional):
    settings = {"weighted": weighted, "boost_true_positive": boosted}
    if convolutional:
        # Without weights, votes near so low a threshold suffer from blocks of 64 boards.
        more = {"n_clauses": 100, "threshold": 10, "specificity": 8.0, "block_size": 8}
        least = 0.97 if weighted else 0.75
        assert learned(planted_boards, 1000, **settings, **WINDOW, **more) >= least
    else:
        # The default threshold without weights is 6 votes, which blocks of 64 reach slowly.
        assert learned(noisy_xor, 1000, 0.05, epochs=40, **settings) >= 0.93


def test_the_defaults_learn():
    fitted = TsetlinMachineClassifier(random_state=0, epochs=5).fit(X, Y)
    assert fitted.score(X_NEW, Y_NEW) >= 0.9


def with_repeats(share):
    """Boards of which a share is one and the same, as first moves are, now won and now lost."""
    rng = np.random.default_rng(0)
    boards = rng.integers(2, size=(4000, 12), dtype=np.uint8)
    classes = boards[:, 0] ^ (boards[:, 1] & boards[:, 2])
    equal = int(share * 4000)
    boards[:equal] = rng.integers(2, size=12)
    classes[:equal] = rng.random(equal) < 0.4
    return boards, classes, equal


@pytest.mark.parametrize("block_size", BLOCK_SIZES)
@pytest.mark.parametrize("share", [0.05, 0.2])
def test_the_same_board_over_and_over(share, block_size):
    boards, classes, equal = with_repeats(share)
    settings = {"n_clauses": 200, "specificity": 5.0, "epochs": 30}
    fitted = machine(**settings, block_size=block_size).fit(boards, classes)
    assert np.abs(fitted.votes(boards)).max() < 40 * 400
    assert fitted.score(boards[equal:], classes[equal:]) >= 0.93


def test_the_same_board_over_and_over_with_a_high_threshold():
    # The default takes smaller blocks where one sample is so common; with 64 weights run away.
    boards, classes, equal = with_repeats(0.4)
    settings = {"n_clauses": 200, "threshold": 2000, "specificity": 5.0, "epochs": 30}
    fitted = machine(**settings).fit(boards, classes)
    assert np.abs(fitted.votes(boards)).max() < 40 * 2000
    assert fitted.score(boards[equal:], classes[equal:]) >= 0.93


# ------------------------------------------------------------------ every parameter


@pytest.mark.parametrize("n_clauses", [1, 7, 100])
def test_any_number_of_clauses(n_clauses):
    fitted = machine(n_clauses=n_clauses).fit(X, Y)
    assert fitted.banks_.automata.shape[:2] == (2, n_clauses)
    assert fitted.score(X_NEW, Y_NEW) >= {1: 0.45, 7: 0.8, 100: 0.95}[n_clauses]
    counted = [[sum(v.clause.votes for v in fitted.explain(x).of(c)) for c in (0, 1)] for x in X]
    assert fitted.votes(X).tolist() == counted


@pytest.mark.parametrize("specificity", [3, 3.9, np.float32(12.5)])
def test_any_specificity(specificity):
    least = 0.9 if specificity < 10 else 0.8
    assert machine(specificity=specificity).fit(X, Y).score(X_NEW, Y_NEW) >= least


def test_a_whole_number_is_as_good_as_a_float():
    assert same(
        machine(specificity=3, threshold=30).fit(X, Y),
        machine(specificity=3.0, threshold=30.0).fit(X, Y),
    )


def mean_length(specificity):
    """How many literals clauses have: those that are forgotten more easily are shorter."""
    fitted = machine(specificity=specificity, epochs=5).fit(X, Y)
    clauses = [clause for class_ in (0, 1) for clause in fitted.clauses_of(class_)]
    return np.mean([len(clause.required) + len(clause.forbidden) for clause in clauses])


def test_the_lower_the_specificity_the_more_is_forgotten():
    lowest, low, middle, high = (mean_length(s) for s in (1.0, 2.0, 6.0, 50.0))
    assert lowest < low < middle < high


def test_specificity_one_is_the_end_of_a_scale():
    assert mean_length(1.0) == pytest.approx(mean_length(1.001), rel=0.2)


@pytest.mark.parametrize("state_bits", [4, 8, 16])
def test_any_number_of_state_bits(state_bits):
    # An automaton of eight states a side forgets what it knows after a few bad boards.
    fitted = machine(state_bits=state_bits, epochs=30).fit(X, Y)
    assert fitted.banks_.automata.shape[2] == state_bits
    assert fitted.score(X_NEW, Y_NEW) >= (0.65 if state_bits == 4 else 0.9)


def test_shorter_clauses_if_asked_for():
    # Two boards of 40 bits with a few bits flipped: clauses get as long as they may.
    rng = np.random.default_rng(2)
    classes = rng.integers(2, size=500)
    boards = rng.integers(2, size=(2, 40))[classes] ^ (rng.random((500, 40)) < 0.05)
    mean = {
        most: lengths(machine(max_literals=most, specificity=10.0).fit(boards, classes)).mean()
        for most in (1, 4, None)
    }
    assert mean[1] + 1 < mean[4]
    assert mean[4] + 1 < mean[None]
    assert mean[1] <= 3
    assert mean[4] <= 6
    assert machine(max_literals=2).fit(X, Y).score(X_NEW, Y_NEW) >= 0.85


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("threshold", [1, 1.5, 20, 10**9])
def test_any_threshold(threshold, weighted):
    fitted = machine(threshold=threshold, weighted=weighted, epochs=30).fit(X, Y)
    assert fitted.banks_.weights.min() >= 1
    if not weighted:
        assert fitted.banks_.weights.max() == 1
    assert np.abs(fitted.votes(X)).max() <= fitted.banks_.weights.sum()
    # Both extremes of it cost accuracy: one vote is soon won, a thousand million are never.
    assert fitted.score(X_NEW, Y_NEW) >= (0.8 if threshold == 20 else 0.6)


def test_the_default_threshold_is_the_one_that_is_documented():
    weighted = {"n_clauses": 49, "threshold": None}
    assert same(machine(**weighted).fit(X, Y), machine(n_clauses=49, threshold=70).fit(X, Y))
    plain = {"weighted": False, "n_clauses": 49}
    assert same(machine(**plain).fit(X, Y), machine(**plain, threshold=7).fit(X, Y))


def test_the_defaults_are_those_that_are_documented():
    fresh = TsetlinMachineClassifier()
    assert (fresh.n_clauses, fresh.specificity, fresh.max_literals) == (600, 4.0, None)
    assert fresh._threshold() == 245
    assert fresh.block_size == "auto"


@pytest.mark.parametrize("block_size", [1, 5, 64])
@pytest.mark.parametrize("n_boards", [1, 5, 64, 300])
def test_any_size_of_blocks(block_size, n_boards):
    fitted = machine(block_size=block_size, epochs=20).fit(X[:n_boards], Y[:n_boards])
    assert fitted.predict(X_NEW).shape == (500,)
    if n_boards == 300:
        assert fitted.score(X_NEW, Y_NEW) >= 0.9


@pytest.mark.parametrize("epochs", [1, 2, np.int64(7)])
def test_as_many_epochs_as_asked_for(epochs):
    fitted = machine(epochs=epochs).fit(X, Y)
    assert [epoch.number for epoch in fitted.history_] == list(range(1, epochs + 1))


def test_a_board_shape_without_a_window_changes_nothing():
    assert same(machine(board_shape=(3, 4, 1)).fit(X, Y), machine().fit(X, Y))


def test_a_window_of_the_whole_board_learns_the_same_as_none():
    whole = machine(board_shape=(3, 4, 1), window=(3, 4)).fit(X, Y)
    assert np.array_equal(whole.votes(X_NEW), machine().fit(X, Y).votes(X_NEW))


# ------------------------------------------------------------------ one seed, one machine


@pytest.mark.parametrize("shape", [{}, {"board_shape": (3, 4, 1), "window": (2, 3)}])
@pytest.mark.parametrize("n_clauses", [100, 33])
def test_one_seed_gives_one_machine_on_any_number_of_threads(shape, n_clauses):
    rng = np.random.default_rng(2)
    boards, classes = multiclass_xor(rng, 500, n_features=12)
    trained = [
        machine(n_clauses=n_clauses, epochs=4, n_jobs=n_jobs, **shape).fit(boards, classes)
        for n_jobs in (1, 2, 3)
    ]
    many = np.tile(boards, (9, 1))
    for other in trained[1:]:
        assert same(trained[0], other)
        assert np.array_equal(trained[0].votes(many), other.votes(many))


def test_another_seed_gives_another_machine():
    assert same(machine().fit(X, Y), machine().fit(X, Y))
    assert not same(machine().fit(X, Y), machine(random_state=1).fit(X, Y))


@pytest.mark.parametrize("n_jobs", [-1, 64])
def test_any_number_of_threads(n_jobs):
    assert same(machine(n_jobs=n_jobs, epochs=2).fit(X, Y), machine(epochs=2).fit(X, Y))


def test_no_random_state_is_fine_and_gives_different_machines():
    one, other = (machine(random_state=None).fit(X, Y) for _ in range(2))
    assert not same(one, other)
    assert min(one.score(X_NEW, Y_NEW), other.score(X_NEW, Y_NEW)) >= 0.85


def test_a_random_state_object_is_used_up_a_little_by_each_fit():
    source = np.random.RandomState(5)
    one = machine(random_state=source).fit(X, Y)
    other = machine(random_state=source).fit(X, Y)
    assert not same(one, other)
    assert same(one, machine(random_state=np.random.RandomState(5)).fit(X, Y))


def test_the_global_random_state_is_left_alone():
    np.random.seed(3)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    machine().fit(X, Y).predict(X)
    assert np.array_equal(np.random.get_state()[1], before)  # noqa: NPY002


def test_interleaved_machines_do_not_disturb_each_other():
    alone = [machine(random_state=seed) for seed in (1, 2)]
    for one in alone:
        for _ in range(4):
            one.partial_fit(X, Y)
    together = [machine(random_state=seed) for seed in (1, 2)]
    for _ in range(4):
        for one in together:
            one.partial_fit(X, Y)
            one.predict(X)
    assert same(alone[0], together[0])
    assert same(alone[1], together[1])


def test_predicting_does_not_change_what_is_learned():
    quiet, asked = machine(), machine()
    for _ in range(3):
        quiet.partial_fit(X, Y)
        asked.partial_fit(X, Y)
        asked.predict_proba(X)
        asked.explain(X[0])
        asked.rules()
    assert same(quiet, asked)


def test_fits_in_several_threads_at_once():
    def train(seed):
        return machine(random_state=seed, n_clauses=128, n_jobs=2, epochs=4).fit(X, Y)

    alone = [train(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as executor:
        together = list(executor.map(train, range(4)))
    assert all(map(same, alone, together))


def test_predictions_in_several_threads_at_once():
    fitted = pickle.loads(pickle.dumps(machine().fit(X, Y)))
    expected = fitted.votes(X_NEW)
    fresh = pickle.loads(pickle.dumps(fitted))  # without its table: all threads want it made
    with ThreadPoolExecutor(4) as executor:
        for votes in executor.map(fresh.votes, [X_NEW] * 16):
            assert np.array_equal(votes, expected)


@pytest.mark.long
def test_several_processes():
    tasks = [joblib.delayed(machine(random_state=seed, n_jobs=2).fit)(X, Y) for seed in range(3)]
    for seed, trained in enumerate(joblib.Parallel(n_jobs=2)(tasks)):
        assert same(trained, machine(random_state=seed).fit(X, Y))


@pytest.mark.parametrize("action", ["predict", "partial_fit"])
def test_a_machine_in_read_only_memory(tmp_path, action):
    # joblib maps arrays of more than a megabyte into its workers like this.
    joblib.dump(machine().fit(X, Y), tmp_path / "machine")
    mapped = joblib.load(tmp_path / "machine", mmap_mode="r")
    if action == "predict":
        assert np.array_equal(mapped.predict(X), machine().fit(X, Y).predict(X))
    else:
        assert same(mapped.partial_fit(X, Y), machine().fit(X, Y).partial_fit(X, Y))
