"""A classifier used wrongly, and by the tools of scikit-learn."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from clauseboard.tsetlin import (
    AdaptiveEpochs,
    ThermometerEncoder,
    TsetlinMachineClassifier,
)
from small_machines import X_NEW, Y_NEW, X, Y, machine, same

# ------------------------------------------------------------------ wrong use


@pytest.mark.parametrize(
    ("parameter", "values", "allowed"),
    [
        ("n_clauses", [0, -1, 2.0, "many", None, True], ">= 1"),
        ("threshold", [0, 0.5, -3, "high", np.nan, np.inf, 1e300, True], "1 to 1e.15"),
        ("specificity", [0, 0.99, -1, "fine", None, np.nan, np.inf, True], "1 to 1e.15"),
        ("state_bits", [3, 17, 0, 8.0, None], "4 to 16"),
        ("max_literals", [0, -1, 2.5, "few"], ">= 1"),
        ("block_size", [0, 65, 8.0, None, "automatic"], "1 to 64"),
        ("epochs", [0, -1, 1.5, None], ">= 1"),
        ("board_shape", [(3, 4), (3, 4, 0), (3, 4.0, 1), 12, "3x4"], r"\(rows, columns, planes\)"),
    ],
)
def test_bad_parameters_are_named_with_what_is_allowed(parameter, values, allowed):
    for value in values:
        with pytest.raises(ValueError, match=rf"{parameter}.*{allowed}") as caught:
            machine(**{parameter: value}).fit(X, Y)
        assert str(value) in str(caught.value)
        with pytest.raises(ValueError, match=rf"{parameter}.*{allowed}"):
            machine(**{parameter: value}).partial_fit(X, Y)


@pytest.mark.parametrize("window", [(2,), (0, 2), (2, 2, 1), (2.0, 2), 3, "2x2", (4, 2), (2, 5)])
def test_a_bad_window_is_named(window):
    with pytest.raises(ValueError, match=r"window.*(rows|board_shape)") as caught:
        machine(board_shape=(3, 4, 1), window=window).fit(X, Y)
    assert repr(window) in str(caught.value)


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match=r"window.*needs board_shape"):
        machine(window=(2, 2)).fit(X, Y)
    for window in (None, (2, 2)):
        with pytest.raises(ValueError, match=r"board_shape=\(3, 4, 2\).*24 bits.*12"):
            machine(board_shape=(3, 4, 2), window=window).fit(X, Y)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("weighted", "no"),
        ("weighted", None),
        ("boost_true_positive", 3),
        ("n_jobs", 0),
        ("n_jobs", "all"),
        ("n_jobs", 1.5),
        ("random_state", "dice"),
        ("random_state", -1),
        pytest.param("specificity", 10**400, id="specificity-huge"),
    ],
)
def test_other_bad_parameters(parameter, value):
    with pytest.raises(ValueError, match=rf"{parameter}|[Ss]eed"):
        machine(**{parameter: value}).fit(X, Y)


def test_parameters_are_not_looked_at_before_fit():
    odd = machine(n_clauses="many")
    assert odd.get_params()["n_clauses"] == "many"
    assert clone(odd).n_clauses == "many"


@pytest.mark.parametrize(
    "use",
    [
        lambda m: m.predict(X),
        lambda m: m.votes(X),
        lambda m: m.decision_function(X),
        lambda m: m.predict_proba(X),
        lambda m: m.calibrate(X, Y),
        lambda m: m.clauses_of(0),
        lambda m: m.rules(),
        lambda m: m.explain(X[0]),
        lambda m: m.vote_table(),
        lambda m: m.save("nowhere"),
        lambda m: m.score(X, Y),
    ],
)
def test_nothing_works_before_fit(use):
    with pytest.raises(NotFittedError, match="not fitted"):
        use(machine())


@pytest.mark.parametrize(
    ("boards", "labels", "more"),
    [
        (X[:, :8], Y[:5], {}),
        (X[:, :8], Y, {"sample_weight": np.full(300, -1)}),
        (X, Y, {"validation": (X[:, :3], Y)}),
        (X, 1 - Y + 5, {"bit_names": ["a"]}),
    ],
    ids=["few labels", "bad weights", "bad validation", "bad names"],
)
def test_a_fit_that_is_refused_leaves_the_machine_as_it_was(boards, labels, more):
    fitted = machine().fit(X, Y)
    before = fitted.predict(X_NEW)
    with pytest.raises(ValueError, match=r"\w"):
        fitted.fit(boards, labels, **more)
    assert np.array_equal(fitted.predict(X_NEW), before)
    assert len(fitted.history_) == 15


def test_a_first_fit_that_is_refused_leaves_no_machine():
    for attempt in (
        lambda m: m.fit(X, Y, validation=(X[:, :3], Y)),
        lambda m: m.set_params(n_jobs=0).fit(X, Y),
        lambda m: m.partial_fit(X, Y, classes=[0]),
    ):
        learner = machine()
        with pytest.raises(ValueError, match=r"\w"):
            attempt(learner)
        with pytest.raises(NotFittedError):
            learner.predict(X)


def test_validation_that_is_no_pair_is_refused():
    with pytest.raises(ValueError, match="validation"):
        machine().fit(X, Y, validation=X_NEW)


def test_validation_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match=r"500 samples.*3"):
        machine().fit(X, Y, validation=(X_NEW, Y_NEW[:3]))
    with pytest.raises(ValueError, match="ThermometerEncoder"):
        machine().fit(X, Y, validation=(X_NEW * 2, Y_NEW))


def test_explain_and_clauses_of_say_what_is_wrong():
    fitted = machine().fit(X, Y)
    with pytest.raises(ValueError, match="one sample; 2"):
        fitted.explain(X[:2])
    for class_ in (2, "1", None):
        with pytest.raises(ValueError, match=r"no class .*\[0, 1\]"):
            fitted.clauses_of(class_)


# ------------------------------------------------------------------ scikit-learn's tools


def test_clone_makes_an_untrained_machine_with_the_same_parameters():
    fitted = machine(n_clauses=12, max_literals=3).fit(X, Y)
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params()
    assert not hasattr(copy, "banks_")
    assert same(copy.fit(X, Y), fitted)


def test_pickle_keeps_all_and_training_goes_on_the_same():
    fitted = machine().fit(X, Y, bit_names=[f"b{k}" for k in range(12)], validation=(X_NEW, Y_NEW))
    fitted.predict(X)
    copy = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(copy.votes(X_NEW), fitted.votes(X_NEW))
    assert copy.history_ == fitted.history_
    assert copy.bit_names_ == fitted.bit_names_
    assert np.array_equal(copy.predict_proba(X_NEW), fitted.predict_proba(X_NEW))
    for _ in range(3):
        copy.partial_fit(X, Y)
        fitted.partial_fit(X, Y)
    assert same(copy, fitted)
    assert np.array_equal(copy.votes(X_NEW), fitted.votes(X_NEW))


def test_pipeline_with_an_encoder():
    rng = np.random.default_rng(9)
    numbers = rng.normal(size=(500, 3))
    classes = np.where(numbers[:, 0] * numbers[:, 1] > 0, "same", "different")
    pipeline = make_pipeline(ThermometerEncoder(n_bits=8), machine(n_clauses=100, specificity=6.0))
    assert pipeline.fit(numbers, classes).score(numbers, classes) >= 0.9
    names = pipeline[:-1].get_feature_names_out()
    assert any(" > " in clause.literals[0] for clause in pipeline[-1].clauses_of("same", names))


def test_grid_search_and_cross_validation():
    scores = cross_val_score(machine(), X, Y, cv=3)
    assert scores.mean() >= 0.85
    grid = {"n_clauses": [2, 40], "specificity": [2.0, 3.9]}
    search = GridSearchCV(machine(), grid, cv=3, n_jobs=2).fit(X, Y)
    assert search.best_params_["n_clauses"] == 40
    assert search.score(X_NEW, Y_NEW) >= 0.9
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()


# ---- what researchers stumbled over


def test_weights_that_add_up_to_one_teach_as_much_as_others():
    rng = np.random.default_rng(0)
    bits = rng.integers(2, size=(400, 6))
    y = bits[:, 0] & bits[:, 1]
    settings = {"n_clauses": 20, "specificity": 3.0, "epochs": 5, "random_state": 0}
    even = TsetlinMachineClassifier(**settings).fit(bits, y, np.full(400, 1 / 400))
    assert even.score(bits, y) > 0.95
    # Weights of 1 and more, and zeros beside ones, stay as they are.
    for weight in (np.ones(400), np.repeat([1.0, 0.0], 200), np.full(400, 2.0)):
        assert (even._check_weights(weight, bits, y) == weight).all()
    half = even._check_weights(np.repeat([0.5, 0.25], 200), bits, y)
    assert half.mean() == pytest.approx(1.0)
    assert half[0] == 2 * half[-1]


def test_the_best_epoch_is_kept():
    rng = np.random.default_rng(1)
    bits = rng.integers(2, size=(300, 12))
    y = np.where(rng.random(300) < 0.35, rng.integers(2, size=300), bits[:, 0] ^ bits[:, 1])
    machine = TsetlinMachineClassifier(10, specificity=3.0, block_size=8, random_state=3)
    settings = {"validation": (bits[200:], y[200:])}
    machine.fit(bits[:200], y[:200], stop=AdaptiveEpochs(max_epochs=12), **settings)
    scores = [epoch.score for epoch in machine.history_]
    assert max(scores) > scores[-1], "the last epoch must not be the best for this test"
    assert machine.score(bits[200:], y[200:]) == max(scores)
    last = AdaptiveEpochs(max_epochs=12, keep="last")
    machine.fit(bits[:200], y[:200], stop=last, **settings)
    assert machine.score(bits[200:], y[200:]) == scores[-1]
    with pytest.raises(ValueError, match="must be one of 'best', 'last'"):
        AdaptiveEpochs(keep="first")


def test_objects_that_are_bits_are_read():
    bits = np.random.default_rng(0).integers(2, size=(100, 4))
    objects = bits.astype(object)
    objects[:, 1] = [bool(bit) for bit in bits[:, 1]]
    machine = TsetlinMachineClassifier(10, epochs=2, random_state=0)
    votes = machine.fit(bits, bits[:, 0]).votes(bits)
    assert (machine.fit(objects, bits[:, 0]).votes(objects) == votes).all()
    objects[3, 2] = "red"
    with pytest.raises(ValueError, match="values of type object"):
        machine.fit(objects, bits[:, 0])


def test_a_machine_knows_the_names_of_the_encoder_before_it():
    rows = np.random.default_rng(0).normal(size=(200, 2))
    pipeline = make_pipeline(
        ThermometerEncoder(2), TsetlinMachineClassifier(10, epochs=2, random_state=0)
    )
    pipeline.fit(rows, rows[:, 0] > 0)
    assert pipeline[-1].bit_names_ == pipeline[0].get_feature_names_out().tolist()
    assert "x0 > " in str(pipeline[-1].rules())
    assert pipeline.predict(rows).shape == (200,)
    # The next training, with plain bits, knows no names.
    assert pipeline[-1].fit([[0, 1], [1, 0]], [0, 1]).bit_names_ == ["x0", "x1"]


def test_importances_are_those_of_the_bits_that_matter():
    bits = np.random.default_rng(0).integers(2, size=(1000, 6))
    machine = TsetlinMachineClassifier(20, specificity=3.0, max_literals=2, random_state=0)
    importances = machine.fit(bits, bits[:, 2] & bits[:, 4]).feature_importances_
    assert importances.sum() == pytest.approx(1.0)
    assert set(np.argsort(importances)[-2:]) == {2, 4}
    machine.set_params(board_shape=(2, 3, 1), window=(2, 2)).fit(bits, bits[:, 2])
    with pytest.raises(AttributeError, match="patches"):
        machine.feature_importances_  # noqa: B018


@pytest.mark.parametrize("weight", ["balanced", {False: 1.0, True: 9.0}])
def test_a_rare_class_may_count_more(weight, tmp_path):
    rng = np.random.default_rng(0)
    bits = rng.integers(2, size=(1000, 5))
    y = (bits[:, 0] & bits[:, 1] == 1) & (rng.random(1000) < 0.3)
    settings = {"n_clauses": 20, "specificity": 3.0, "random_state": 0}
    plain = TsetlinMachineClassifier(**settings).fit(bits, y)
    other = TsetlinMachineClassifier(**settings, class_weight=weight).fit(bits, y)
    assert other.predict(bits).mean() > plain.predict(bits).mean()
    assert other.predict(bits)[y].mean() > 0.9
    other.save(tmp_path / "some.tm")
    loaded = TsetlinMachineClassifier.load(tmp_path / "some.tm")
    assert (loaded.votes(bits) == other.votes(bits)).all()
    assert loaded.class_weight == weight
    with pytest.raises(ValueError, match="class_weight"):
        TsetlinMachineClassifier(class_weight="heavy").fit(bits, y)
