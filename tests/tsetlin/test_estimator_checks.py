"""Scikit-learn's own checks: of pipelines that begin with an encoder, and of the bare machines.

The checks feed numbers of all kinds, which a bare machine refuses since they are not bits; most
of them can therefore say something only about a pipeline. Those that fail are listed with the
reason, so that any other failure is a failure here.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from clauseboard.tsetlin import (
    ClauseClassifier,
    ThermometerEncoder,
    TsetlinMachineClassifier,
    TsetlinMachineRegressor,
)

# The checks set the random state of an estimator, but not of the steps of a pipeline.
SMALL = {"n_clauses": 100, "epochs": 20, "random_state": 0}

PIPELINE = dict.fromkeys(
    ("check_estimators_overwrite_params", "check_dont_overwrite_parameters"),
    "any Pipeline fits its steps in place, so that its parameter `steps` changes",
) | {"check_estimators_nan_inf": "no Pipeline tells that its encoder takes missing values"}

NUMBERS = "feeds numbers that are not bits, which are refused by design"
ANY_MACHINE = dict.fromkeys(
    (
        "check_all_zero_sample_weights_error",
        "check_dict_unchanged",
        "check_dont_overwrite_parameters",
        "check_estimator_sparse_array",
        "check_estimator_sparse_matrix",
        "check_estimator_sparse_tag",
        "check_estimators_dtypes",
        "check_estimators_fit_returns_self",
        "check_estimators_nan_inf",
        "check_estimators_overwrite_params",
        "check_estimators_partial_fit_n_features",
        "check_estimators_pickle",
        "check_f_contiguous_array_estimator",
        "check_fit2d_1feature",
        "check_fit2d_1sample",
        "check_fit2d_predict1d",
        "check_fit_check_is_fitted",
        "check_fit_idempotent",
        "check_fit_score_takes_y",
        "check_methods_sample_order_invariance",
        "check_methods_subset_invariance",
        "check_n_features_in",
        "check_n_features_in_after_fitting",
        "check_pipeline_consistency",
        "check_positive_only_tag_during_fit",
        "check_readonly_memmap_input",
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weight_equivalence_on_sparse_data",
        "check_sample_weights_list",
        "check_sample_weights_not_an_array",
        "check_sample_weights_not_overwritten",
        "check_sample_weights_pandas_series",
        "check_sample_weights_shape",
        "check_supervised_y_2d",
    ),
    NUMBERS,
) | {"check_dtype_object": "feeds objects; a machine reads booleans and numbers"}
ANY_CLASSIFIER = ANY_MACHINE | dict.fromkeys(
    (
        "check_class_weight_classifiers",
        "check_classifier_data_not_an_array",
        "check_classifiers_classes",
        "check_classifiers_one_label",
        "check_classifiers_one_label_sample_weights",
        "check_classifiers_regression_target",
        "check_classifiers_train",
        "check_decision_proba_consistency",
    ),
    NUMBERS,
)
ANY_REGRESSOR = ANY_MACHINE | dict.fromkeys(
    (
        "check_regressor_data_not_an_array",
        "check_regressors_int",
        "check_regressors_no_decision_function",
        "check_regressors_train",
    ),
    NUMBERS,
)


def expected_failures(estimator):
    if isinstance(estimator, Pipeline):
        return PIPELINE
    if isinstance(estimator, ClauseClassifier):  # which has no partial_fit
        no_partial_fit = {"check_estimators_partial_fit_n_features"}
        return {name: ANY_CLASSIFIER[name] for name in ANY_CLASSIFIER.keys() - no_partial_fit}
    return ANY_REGRESSOR if isinstance(estimator, TsetlinMachineRegressor) else ANY_CLASSIFIER


def encoded(machine):
    return make_pipeline(ThermometerEncoder(), machine)


@parametrize_with_checks(
    [
        encoded(TsetlinMachineClassifier(**SMALL, block_size=1, max_literals=6)),
        encoded(TsetlinMachineRegressor(n_clauses=1000, block_size=8, random_state=0)),
        TsetlinMachineClassifier(),
        TsetlinMachineRegressor(),
        ClauseClassifier(),
    ],
    expected_failed_checks=expected_failures,
)
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")  # scikit-learn's own
def test_scikit_learn_checks(estimator, check, request):
    run(check, estimator, request)


@pytest.mark.long
@parametrize_with_checks(
    [
        encoded(TsetlinMachineClassifier(**SMALL, weighted=False, threshold=20, n_jobs=2)),
        encoded(TsetlinMachineClassifier(random_state=0)),
        encoded(TsetlinMachineRegressor(random_state=0)),
        encoded(ClauseClassifier(30, random_state=0)),
    ],
    expected_failed_checks=expected_failures,
)
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")  # scikit-learn's own
def test_scikit_learn_checks_of_larger_machines(estimator, check, request):
    run(check, estimator, request)


def run(check, estimator, request):
    """Run a check; if its failure is expected, without the traceback, which takes long to write."""
    try:
        check(estimator)
    except Exception as error:
        if request.node.get_closest_marker("xfail") is None:
            raise
        pytest.fail(repr(error), pytrace=False)


# What the listed checks of bare machines would have said, had they fed bits.


BITS = np.random.default_rng(0).integers(2, size=(60, 5), dtype=np.uint8)


@pytest.mark.parametrize("kind", [TsetlinMachineClassifier, TsetlinMachineRegressor])
@pytest.mark.filterwarnings("error")
def test_the_listed_checks_with_bits_instead_of_numbers(kind):
    y = BITS[:, 0] & BITS[:, 1]
    machine = kind(**SMALL)
    before = machine.get_params()
    assert machine.fit(BITS, y) is machine
    assert machine.get_params() == before
    assert machine.n_features_in_ == 5
    changed = {k for k in vars(machine) if not k.startswith("_") and not k.endswith("_")}
    assert changed == set(before)
    state = {name: id(value) for name, value in vars(machine).items() if name != "_table"}
    predicted = machine.predict(BITS)
    assert state == {name: id(value) for name, value in vars(machine).items() if name != "_table"}
    order = np.random.default_rng(1).permutation(60)
    assert np.array_equal(machine.predict(BITS[order]), predicted[order])
    assert np.array_equal(np.concatenate([machine.predict(x[None]) for x in BITS]), predicted)
    assert np.array_equal(machine.fit(BITS, y).predict(BITS), predicted)
    weight = np.ones(60)
    machine.fit(BITS, y, sample_weight=weight.tolist())
    assert (weight == 1).all()
    assert machine.fit(BITS[:, :1], y).predict(BITS[:, :1]).shape == (60,)
    assert machine.fit(BITS[:1], y[:1]).predict(BITS).shape == (60,)
