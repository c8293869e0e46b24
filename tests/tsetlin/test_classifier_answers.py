"""What a classifier says, and in which terms: votes, labels, boards, names."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from clauseboard.tsetlin import classifier as classifier_module
from naive.problems import multiclass_xor, noisy_xor
from small_machines import X_NEW, Y_NEW, X, Y, machine, same

# ------------------------------------------------------------------ votes and probabilities


@pytest.mark.parametrize("shape", [{}, {"board_shape": (3, 4, 1), "window": (2, 2)}])
def test_votes_are_whole_numbers_and_the_sum_of_the_clauses(shape):
    fitted = machine(n_clauses=33, **shape).fit(X, Y)
    votes = fitted.votes(X)
    assert votes.dtype == np.int64
    view = fitted.banks_.view
    signs = np.where(np.arange(33) % 2, -1, 1)
    for x, counted in zip(X[:100], votes, strict=False):
        patches = view.patches(x[None])[0].astype(bool)
        literals = np.concatenate([patches, ~patches], axis=1)
        for bank in range(2):
            include = np.unpackbits(
                fitted.banks_.include[bank].view(np.uint8), axis=1, bitorder="little"
            )[:, : literals.shape[1]].astype(bool)
            fires = (literals | ~include[:, None]).all(axis=2).any(axis=1) & include.any(axis=1)
            assert counted[bank] == (fires * signs * fitted.banks_.weights[bank]).sum()


@pytest.mark.parametrize(("n_classes", "shape"), [(1, (5, 1)), (2, (5,)), (3, (5, 3))])
def test_shapes_of_the_answers(n_classes, shape):
    fitted = machine(epochs=2).fit(X, np.arange(300) % n_classes)
    assert fitted.decision_function(X[:5]).shape == shape
    assert fitted.votes(X[:5]).shape == (5, n_classes)
    assert fitted.predict_proba(X[:5]).shape == (5, n_classes)
    assert fitted.predict(X[:5]).shape == (5,)


def test_decision_function_agrees_with_predict():
    fitted = machine().fit(X, Y)
    votes = fitted.votes(X_NEW)
    assert np.array_equal(fitted.decision_function(X_NEW), votes[:, 1] - votes[:, 0])
    assert np.array_equal(fitted.predict(X_NEW), (fitted.decision_function(X_NEW) > 0).astype(int))


@pytest.mark.parametrize("threshold", [1, None, 10**9])
@pytest.mark.parametrize("maker", [noisy_xor, multiclass_xor])
def test_probabilities_add_up_and_agree_with_the_prediction(maker, threshold):
    boards, classes = maker(np.random.default_rng(4), 400, noise=0.2)
    fitted = machine(threshold=threshold).fit(boards, classes)
    chances = fitted.predict_proba(boards)
    assert np.allclose(chances.sum(axis=1), 1)
    assert chances.min() >= 0
    assert np.array_equal(chances.argmax(axis=1), fitted.predict(boards))


def calibration_error(fitted, boards, classes):
    """Expected calibration error with ten bins, of the class that is predicted."""
    chances = fitted.predict_proba(boards)
    sure, right = chances.max(axis=1), chances.argmax(axis=1) == classes
    bins = np.minimum((sure * 10).astype(int), 9)
    return sum(
        abs(sure[bins == b].mean() - right[bins == b].mean()) * np.mean(bins == b)
        for b in np.unique(bins)
    )


def noisy_parts(maker=noisy_xor, noise=0.2):
    """Boards to train, to calibrate and to test on, with wrong labels in all of them."""
    rng = np.random.default_rng(5)
    return [maker(rng, n, noise=noise) for n in (1000, 2000, 4000)]


def test_calibrate_does_what_validation_does():
    train, valid, test = noisy_parts()
    fitted = machine(n_clauses=100).fit(*train, validation=valid)
    with_validation = fitted.predict_proba(test[0])
    fitted.calibrate(valid[0], 1 - valid[1])  # boards on which it is mostly wrong
    assert fitted.predict_proba(test[0]).max() < 0.55
    assert fitted.calibrate(*valid) is fitted
    assert np.array_equal(fitted.predict_proba(test[0]), with_validation)
    assert calibration_error(fitted, *test) < 0.12


@pytest.mark.parametrize("maker", [noisy_xor, multiclass_xor])
def test_probabilities_are_calibrated_on_the_validation_data(maker):
    train, valid, test = noisy_parts(maker)
    fitted = machine(n_clauses=100, specificity=8.0).fit(*train, validation=valid)
    assert calibration_error(fitted, *test) < 0.05


def test_without_validation_probabilities_come_from_samples_that_were_held_out():
    train, _, test = noisy_parts(noise=0.2)
    settings = {"n_clauses": 400, "specificity": 8.0}
    fitted = machine(**settings).fit(*train)
    sure_of_itself = machine(**settings, inner_folds=0).fit(*train)
    assert same(fitted, sure_of_itself)
    assert calibration_error(fitted, *test) < 0.05
    assert calibration_error(sure_of_itself, *test) > 0.06


def test_held_out_samples_are_every_fold_once_until_there_are_enough(monkeypatch):
    monkeypatch.setattr(classifier_module, "ENOUGH_HELD_OUT", 150)
    rng = np.random.default_rng(8)
    boards, classes = noisy_xor(rng, 400, noise=0.2)
    weights = rng.integers(3, size=400)
    fitted = machine(epochs=3, inner_folds=4).fit(boards, classes, sample_weight=weights)
    folds = fitted._watched
    used = np.flatnonzero(weights)
    assert len(folds.labels) == len(used)
    votes, labels = folds.held_out_votes(fitted)
    assert len(votes) == len(labels)
    assert 150 <= len(votes) < 150 + -(-len(used) // 4)
    # The first fold, by a machine that learned from the others.
    first = machine(epochs=3, random_state=0)
    order = np.random.default_rng(0).permutation(len(used))
    order = used[order[np.argsort(classes[used][order], kind="stable")]]
    held_out = np.sort(order[::4])
    rest = np.setdiff1d(used, held_out)
    first.fit(boards[rest], classes[rest], sample_weight=weights[rest])
    assert np.array_equal(votes[: len(held_out)], first.votes(boards[held_out]))
    assert np.array_equal(labels[: len(held_out)], classes[held_out])
    shares = np.bincount(labels[: len(held_out)]) / np.bincount(classes[used])
    assert np.allclose(shares, 1 / 4, atol=0.02)


def test_to_pickle_a_machine_trains_no_others(monkeypatch):
    fitted = machine().fit(X, Y)
    with monkeypatch.context() as patched:
        patched.delattr(classifier_module.InnerFolds, "held_out_votes")
        restored = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(restored.predict_proba(X), fitted.predict_proba(X))


def test_a_pickle_holds_training_samples_only_until_probabilities_are_known():
    fitted = machine().fit(X, Y)
    assert pickle.loads(pickle.dumps(fitted))._watched.rows.nbytes == np.packbits(X, axis=1).nbytes
    assert fitted.calibration_.temperature > 0
    assert "_watched" not in vars(pickle.loads(pickle.dumps(fitted)))


def test_a_look_at_a_machine_in_a_notebook_trains_no_others():
    fitted = machine().fit(X, Y)
    assert "rules" in dir(fitted)
    fitted._repr_mimebundle_()
    assert fitted._calibration is None
    fitted.predict_proba(X)
    assert "calibration_" in dir(fitted)


def test_the_samples_may_change_before_probabilities_are_asked_for():
    for make in (np.array, sp.csr_array):
        boards = make(X)
        fitted = machine().fit(boards, Y)
        (boards if isinstance(boards, np.ndarray) else boards.data)[:] = 0
        again = machine().fit(X, Y)
        assert fitted.calibration_ == again.calibration_


@pytest.mark.parametrize("wrong", [1, -1, 2.5, "five", None])
def test_wrong_inner_folds_are_refused(wrong):
    with pytest.raises(ValueError, match="inner_folds"):
        machine(inner_folds=wrong).fit(X, Y)


def test_few_samples_and_single_classes_have_probabilities_too():
    assert machine().fit(X[:9], Y[:9]).predict_proba(X).shape == (300, 2)
    assert (machine().fit(X, np.zeros(300)).predict_proba(X) == 1).all()
    rare = np.where(np.arange(300) == 7, 2, Y)  # once in a class of its own
    chances = machine().fit(X, rare).predict_proba(X)
    assert np.allclose(chances.sum(axis=1), 1)


def test_an_untrainable_problem_gives_even_chances():
    rng = np.random.default_rng(6)
    boards, coin = rng.integers(2, size=(2000, 6)), rng.integers(2, size=2000)
    fitted = machine().fit(boards[:1000], coin[:1000], validation=(boards[1000:], coin[1000:]))
    assert calibration_error(fitted, boards[1000:], coin[1000:]) < 0.05
    assert fitted.predict_proba(boards).max() < 0.75


def test_probabilities_agree_with_the_prediction_even_if_it_is_mostly_wrong():
    fitted = machine().fit(X, Y)
    fitted.calibrate(X, 1 - Y)
    assert np.array_equal(fitted.predict_proba(X).argmax(axis=1), fitted.predict(X))


# ------------------------------------------------------------------ labels


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["loss", "win"]),
        np.array(["loss", "win"], object),
        np.array([False, True]),
        np.array([-3, 10**12]),
        np.array([1, 200], np.uint8),
        np.array([0.0, 2.0]),
        np.array(["weiß", "♚"]),
    ],
    ids=lambda labels: str(labels.dtype),
)
def test_labels_of_any_type(labels):
    labels = np.sort(labels)
    fitted = machine().fit(X, labels[Y])
    assert fitted.classes_.tolist() == labels.tolist()
    assert fitted.classes_.dtype == labels.dtype
    predicted = fitted.predict(X_NEW)
    assert predicted.dtype == labels.dtype
    assert np.mean(predicted == labels[Y_NEW]) >= 0.95
    assert same(fitted, machine().fit(X, Y))
    assert fitted.partial_fit(X.tolist(), labels[Y].tolist()).clauses_of(labels[1])


def test_labels_as_a_list_a_series_and_a_category():
    words = np.where(Y, "win", "loss")
    for labels in (
        words.tolist(),
        pd.Series(words),
        pd.Series(words, index=np.arange(300)[::-1]),
        pd.Series(words).astype("category"),
    ):
        fitted = machine().fit(X, labels)
        assert same(fitted, machine().fit(X, words))
        assert fitted.predict(X[:1]).tolist() in (["win"], ["loss"])


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")  # scikit-learn's own
@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (None, "requires y"),
        (np.full(300, np.nan), "NaN"),
        (np.linspace(0, 1, 300), "continuous"),
        (np.stack([Y, Y], axis=1), "1d"),
        (Y[:20], "300 samples.*20"),
    ],
)
def test_bad_labels_are_refused(labels, words):
    with pytest.raises(ValueError, match=words):
        machine().fit(X, labels)


def test_one_class_only():
    fitted = machine().fit(X, np.full(300, "only"))
    assert set(fitted.predict(X_NEW)) == {"only"}
    assert np.all(fitted.predict_proba(X_NEW) == 1)


def test_twelve_classes():
    rng = np.random.default_rng(8)
    boards = rng.integers(2, size=(3000, 8))
    classes = np.minimum(boards[:, :4] @ [8, 4, 2, 1], 11)
    fitted = machine(n_clauses=60, specificity=6.0, epochs=20).fit(boards, classes)
    assert fitted.classes_.size == 12
    assert fitted.score(boards, classes) >= 0.9


@pytest.mark.parametrize("n_rows", [1, 2, 63, 64, 65, 2047, 2048, 4999])
def test_as_many_answers_as_boards(n_rows):
    fitted = machine(n_jobs=2).fit(X, Y)
    boards = np.resize(X_NEW, (n_rows, 12))
    one_by_one = np.concatenate([fitted.predict(x[None]) for x in boards[:80]])
    assert fitted.predict(boards).shape == (n_rows,)
    assert np.array_equal(fitted.predict(boards)[:80], one_by_one)
    assert np.array_equal(fitted.predict(boards[::-1]), fitted.predict(boards)[::-1])


# ------------------------------------------------------------------ boards


SAME_BITS = {
    "bool": X.astype(bool),
    "int8": X.astype(np.int8),
    "int64": X.astype(np.int64),
    "float16": X.astype(np.float16),
    "float64": X.astype(float),
    "minus zero": np.where(X, 1.0, -0.0),
    "big-endian": X.astype(">f8"),
    "Fortran": np.asfortranarray(X),
    "strided": np.repeat(X, 3, axis=1)[:, ::3],
    "reversed": X[:, ::-1].copy()[:, ::-1],
    "strided bool": np.repeat(X.astype(bool), 2, axis=0)[::2],
    "list": X.tolist(),
    "csr": sp.csr_matrix(X),
    "csc": sp.csc_array(X),
    "coo": sp.coo_array(X.astype(float)),
    "sparse bool": sp.csr_array(X.astype(bool)),
}


@pytest.mark.parametrize("boards", SAME_BITS.values(), ids=SAME_BITS)
def test_bits_of_any_type_are_the_same_bits(boards):
    fitted = machine(epochs=3).fit(boards, Y)
    plain = machine(epochs=3).fit(X, Y)
    assert same(fitted, plain)
    assert np.array_equal(plain.votes(boards), plain.votes(X))


def test_sparse_boards_through_a_window():
    shape = {"board_shape": (3, 4, 1), "window": (2, 2), "epochs": 3}
    fitted, plain = machine(**shape).fit(sp.csr_array(X), Y), machine(**shape).fit(X, Y)
    assert same(fitted, plain)
    assert np.array_equal(fitted.votes(sp.csc_array(X)), plain.votes(X))
    assert fitted.explain(sp.csr_array(X)[[0]]) == plain.explain(X[0])


@pytest.mark.parametrize("shape", [{}, {"board_shape": (3, 4, 1), "window": (2, 2)}])
def test_read_only_boards_and_boards_that_stay_as_they_are(shape):
    boards = X.copy()
    boards.flags.writeable = False
    settings = {"epochs": 3} | shape
    assert same(machine(**settings).fit(boards, Y), machine(**settings).fit(X, Y))
    assert np.array_equal(boards, X)


@pytest.mark.parametrize("wrong", [0.5, 2, -1, 1e300, "text"])
@pytest.mark.parametrize("sparse", [False, True])
def test_what_is_not_a_bit_is_refused(wrong, sparse):
    if wrong == "text":
        boards = X.astype(str)
    else:
        boards = X.astype(float)
        boards[7, 3] = wrong
        boards = sp.csr_array(boards) if sparse else boards
    words = "text|type" if wrong == "text" else re.escape(str(float(wrong)))
    fitted = machine().fit(X, Y)
    for use in (lambda: machine().fit(boards, Y), lambda: fitted.predict(boards)):
        with pytest.raises(ValueError, match=words) as caught:
            use()
        assert "ThermometerEncoder" in str(caught.value)


def test_whole_numbers_that_are_not_bits_are_refused():
    for dtype in (np.uint8, np.int8, np.int64, np.uint32):
        boards = X.astype(dtype)
        boards[0, 0] = 2
        with pytest.raises(ValueError, match=r"such as 2.*ThermometerEncoder"):
            machine().fit(X, Y).votes(boards)


def test_missing_values_are_refused():
    boards = X.astype(float)
    boards[5, 5] = np.nan
    for samples in (boards, sp.csr_array(boards), boards.astype(object), boards.astype(np.float32)):
        with pytest.raises(ValueError, match=r"NaN.*ThermometerEncoder"):
            machine().fit(samples, Y)


def test_a_sum_of_sparse_ones_is_not_a_bit():
    twice = sp.coo_array((np.ones(600), (np.repeat(np.arange(300), 2), np.zeros(600, int))))
    with pytest.raises(ValueError, match=r"such as 2\.0"):
        machine().fit(twice, Y)


@pytest.mark.parametrize("width", [1, 11, 13, 24])
@pytest.mark.parametrize("dtype", [np.uint8, float])
def test_rows_of_another_width_are_refused(width, dtype):
    fitted = machine().fit(X, Y)
    boards = np.zeros((4, width), dtype)
    uses = (fitted.predict, fitted.votes, fitted.predict_proba, lambda b: fitted.explain(b[0]))
    for use in uses:
        with pytest.raises(ValueError, match=rf"{width} features.*12"):
            use(boards)
    with pytest.raises(ValueError, match=rf"{width} features.*12"):
        fitted.partial_fit(boards, [0, 1, 0, 1])


def test_shapes_that_are_no_boards_are_refused():
    fitted = machine().fit(X, Y)
    for boards in (X[0], X.reshape(300, 3, 4), X[:0], None, 3):
        with pytest.raises(ValueError, match=r"2D|dim|sample|array"):
            fitted.predict(boards)
        with pytest.raises(ValueError, match=r"2D|dim|sample|array"):
            machine().fit(boards, Y)


# ------------------------------------------------------------------ names


FRAME = pd.DataFrame(X, columns=[f"square {k}" for k in range(12)])


def test_columns_of_a_frame_become_bit_names():
    fitted = machine().fit(FRAME, Y)
    assert fitted.bit_names_ == list(FRAME.columns)
    assert fitted.feature_names_in_.tolist() == list(FRAME.columns)
    assert same(fitted, machine().fit(X, Y))
    named = {name for clause in fitted.clauses_of(1) for name in clause.required}
    assert named <= set(FRAME.columns)
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.predict(FRAME.rename(columns={"square 3": "other"}))
    with pytest.raises(ValueError, match="same order"):
        fitted.predict(FRAME[FRAME.columns[::-1]])


@pytest.mark.filterwarnings("error::UserWarning")
def test_a_frame_is_no_reason_for_a_warning():
    fitted = machine().fit(FRAME, Y, validation=(FRAME, Y))
    fitted.partial_fit(FRAME, Y)
    fitted.predict(FRAME)


def test_columns_of_several_types():
    mixed = FRAME.astype({"square 0": bool, "square 1": float, "square 2": "Int64"})
    assert same(machine().fit(mixed, Y), machine().fit(X, Y))


def test_bit_names():
    names = [f"b{k}" for k in range(12)]
    fitted = machine().fit(X, Y, bit_names=names)
    assert fitted.bit_names_ == names
    assert machine().fit(X, Y).bit_names_ == [f"x{k}" for k in range(12)]
    assert machine().partial_fit(X, Y, bit_names=names).bit_names_ == names
    clauses = zip(
        fitted.clauses_of(0), fitted.clauses_of(0, [n.upper() for n in names]), strict=True
    )
    for clause, loud in clauses:
        assert tuple(n.upper() for n in clause.required) == loud.required


def test_bit_names_win_over_columns_but_columns_are_still_checked():
    fitted = machine().fit(FRAME, Y, bit_names=[f"b{k}" for k in range(12)])
    assert fitted.bit_names_[0] == "b0"
    fitted.predict(FRAME)
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(FRAME[FRAME.columns[::-1]])


def test_bad_bit_names_are_refused():
    with pytest.raises(ValueError, match=r"2 names.*12 bits"):
        machine().fit(X, Y, bit_names=["a", "b"])
    with pytest.raises(ValueError, match="same name twice"):
        machine().fit(X, Y, bit_names=["a"] * 12)
    fitted = machine().fit(X, Y)
    for read in (
        fitted.rules,
        lambda n: fitted.clauses_of(0, n),
        lambda n: fitted.explain(X[0], n),
    ):
        with pytest.raises(ValueError, match=r"1 names.*12 bits"):
            read(["a"])
