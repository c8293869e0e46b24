"""The thermometer encoder: examples by hand, what is always true, scikit-learn's checks."""

from __future__ import annotations

import doctest
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

from clauseboard.tsetlin import TsetlinMachineClassifier
from clauseboard.tsetlin import encoder as module
from clauseboard.tsetlin.encoder import ThermometerEncoder

BIG = sys.float_info.max
# Larger sums overflow in scikit-learn's own look for NaN, which then warns.
FINITE = st.floats(-1e300, 1e300)
# Few distinct values, whole numbers, floats of all sizes, and floats side by side.
COLUMN = st.one_of(
    st.lists(st.integers(0, 3).map(float), min_size=1, max_size=40),
    st.lists(st.integers(-50, 50).map(float), min_size=1, max_size=40),
    st.lists(FINITE, min_size=1, max_size=40),
    st.lists(st.integers(0, 30).map(lambda k: 1.0 + k * 2.0**-52), min_size=1, max_size=40),
)
STRATEGY = st.sampled_from(["quantile", "uniform"])


def names(column: Sequence[float], **parameters: Any) -> list[str]:
    fitted = ThermometerEncoder(**parameters).fit(np.array(column, dtype=float)[:, np.newaxis])
    return fitted.get_feature_names_out().tolist()


# No exceptions: every check of scikit-learn passes (its array API check skips itself unless
# SCIPY_ARRAY_API is set).
@parametrize_with_checks(
    [
        ThermometerEncoder(),
        ThermometerEncoder(n_bits=1),
        ThermometerEncoder(n_bits=5, strategy="uniform"),
    ]
)
def test_scikit_learn_checks(estimator: ThermometerEncoder, check: Callable[..., None]) -> None:
    check(estimator)


def test_examples_in_the_docstrings() -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


def test_a_bit_column_becomes_one_bit() -> None:
    assert names([0, 1, 1, 0]) == ["x0 > 0.5"]
    assert names([0, 1, 1, 0], n_bits=1) == ["x0 > 0.5"]
    assert names([0, 1, 1, 0], strategy="uniform") == ["x0 > 0.5"]


@pytest.mark.parametrize(
    ("low", "high", "threshold"),
    [
        (1, 2, "1.5"),
        (1, 3, "2"),
        (0, 100, "50"),
        (-1, 1, "0"),
        (-2, -1, "-1.5"),
        (-0.4, 0.3, "0"),  # not "-0"
        (0.25, 0.5, "0.4"),  # midpoint 0.375
        (17, 4000, "2000"),  # midpoint 2008.5
        (974, 1010, "1000"),  # midpoint 992; 990 is nearer, but not as round
        (-1, 1000, "500"),  # 0 would separate, but far from the middle
        (0, 4e-7, "2e-07"),
        (0.1 + 0.2, 0.3, "0.3"),  # neighbours among the floats
        (1e15, 1e15 + 1, "1000000000000000.5"),
        (-BIG, BIG, "0"),
        (1.5e308, 1.79e308, "1.6e+308"),  # midpoint 1.645e308; 2e308 is no float
        (0, 5e-324, "0"),
    ],
)
def test_the_threshold_between_two_values(low: float, high: float, threshold: str) -> None:
    assert names([low, high]) == [f"x0 > {threshold}"]


def test_quantiles_by_hand() -> None:
    # Twelve rows, 3 bits: 3, 6 and 9 rows below the thresholds.
    assert names([*range(1, 13)], n_bits=3) == ["x0 > 3.5", "x0 > 6.5", "x0 > 9.5"]
    # Weighed by rows: 4 of 8 rows are 1, so the middle is between 1 and 2.
    assert names([1, 1, 1, 1, 2, 3, 4, 5], n_bits=1) == ["x0 > 1.5"]


def test_quantiles_that_fall_together_leave_no_bit_unused() -> None:
    # 25 rows are 0, then 1..8: the quarters of 33 rows, 8.25, 16.5 and 24.75, all fall on
    # the gap 0|1, which has 25 rows below. The 8 rows above have their middle at 4|5; of
    # the two stretches of 4 rows that leaves, the first is split at 2|3.
    skewed = [0] * 25 + [1, 2, 3, 4, 5, 6, 7, 8]
    assert names(skewed, n_bits=3) == ["x0 > 0.5", "x0 > 2.5", "x0 > 4.5"]


def test_equal_steps_by_hand() -> None:
    # From 0 to 9 in three steps of 3; the crowd at 0 does not matter.
    crowd = [0] * 50 + [*range(10)]
    assert names(crowd, n_bits=2, strategy="uniform") == ["x0 > 3", "x0 > 6"]
    # Ninths, moved by a twentieth of 1/9 at most.
    fine = np.linspace(0, 1, 50).tolist()
    assert names(fine, n_bits=8, strategy="uniform") == [
        f"x0 > {t}" for t in (0.11, 0.22, 0.33, 0.44, 0.56, 0.67, 0.78, 0.89)
    ]
    # More values than bits but over the whole range of floats: no overflow.
    assert names([-BIG, -1, 1, BIG], n_bits=1, strategy="uniform") == ["x0 > 0"]


def test_few_distinct_values_give_a_bit_a_gap() -> None:
    column = [3, 1, 8, 1, 3, 3]
    for strategy in ("quantile", "uniform"):
        assert names(column, strategy=strategy) == ["x0 > 2", "x0 > 6"]
        assert names(column, n_bits=2, strategy=strategy) == ["x0 > 2", "x0 > 6"]


def test_a_constant_column_gets_no_bit() -> None:
    fitted = ThermometerEncoder().fit([[7, 0], [7, 1]])
    assert fitted.get_feature_names_out().tolist() == ["x1 > 0.5"]
    assert [len(t) for t in fitted.thresholds_] == [0, 1]
    assert fitted.transform([[7, 1], [9, 0]]).tolist() == [[1], [0]]


def test_all_columns_constant_leaves_one_bit_that_is_0_on_the_training_data() -> None:
    fitted = ThermometerEncoder().fit([[7, 2], [7, 2]])
    assert fitted.get_feature_names_out().tolist() == ["x0 > 7"]
    assert fitted.transform([[7, 2], [7, 2]]).tolist() == [[0], [0]]
    assert fitted.transform([[8, 2]]).tolist() == [[1]]  # as its name says


def test_bits_are_a_contiguous_uint8_array() -> None:
    rows = np.arange(12, dtype=np.float32).reshape(4, 3)
    bits = ThermometerEncoder().fit_transform(rows)
    assert bits.dtype == np.uint8
    assert bits.flags.c_contiguous
    assert bits.shape == (4, 9)


def test_names_of_a_data_frame() -> None:
    frame = pd.DataFrame({"men": [3, 4, 5], "king": [True, False, True]})
    fitted = ThermometerEncoder().fit(frame)
    assert fitted.feature_names_in_.tolist() == ["men", "king"]
    assert fitted.n_features_in_ == 2
    expected = ["men > 3.5", "men > 4.5", "king > 0.5"]
    assert fitted.get_feature_names_out().tolist() == expected
    with pytest.raises(ValueError, match="input_features"):
        fitted.get_feature_names_out(["kings", "men"])
    table = fitted.set_output(transform="pandas").transform(frame)
    assert isinstance(table, pd.DataFrame)
    assert table.columns.tolist() == expected
    assert table.to_numpy().tolist() == [[0, 0, 1], [1, 0, 0], [1, 1, 1]]
    assert set(table.dtypes) == {np.dtype(np.uint8)}


def test_in_a_pipeline() -> None:
    X = np.arange(20.0)[:, np.newaxis]
    y = (X[:, 0] > 9) & (X[:, 0] < 15)
    model = make_pipeline(ThermometerEncoder(n_bits=19), LogisticRegression(C=1000))
    assert model.fit(X, y).score(X, y) == 1


@pytest.mark.parametrize("n_bits", [0, -3, 2.5, "8", None, True])
def test_wrong_numbers_of_bits_are_refused(n_bits: object) -> None:
    with pytest.raises(ValueError, match=f"n_bits={n_bits!r} must be an integer >= 1"):
        ThermometerEncoder(n_bits=n_bits).fit([[0], [1]])  # type: ignore[arg-type]


def test_wrong_strategies_are_refused() -> None:
    with pytest.raises(ValueError, match="strategy='kmeans' must be one of 'quantile', 'uniform'"):
        ThermometerEncoder(strategy="kmeans").fit([[0], [1]])


@pytest.mark.parametrize("wrong", [np.inf, -np.inf])
def test_numbers_that_are_none_are_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="contains infinity"):
        ThermometerEncoder().fit([[0.0], [wrong]])
    with pytest.raises(ValueError, match="contains infinity"):
        ThermometerEncoder().fit([[0.0], [1.0]]).transform([[wrong]])


@given(COLUMN, COLUMN, st.integers(1, 12), STRATEGY)
@example([-BIG, BIG, 0.0, 1.0, 2.0], [0.0], 2, "uniform")
def test_bits_say_what_their_names_say(
    seen: list[float], unseen: list[float], n_bits: int, strategy: str
) -> None:
    fitted = ThermometerEncoder(n_bits, strategy).fit(np.array([seen, seen[::-1]]).T)
    rows = np.column_stack([seen + unseen, unseen + seen])
    bits = fitted.transform(rows)
    for position, name in enumerate(fitted.get_feature_names_out()):
        feature, threshold = name.split(" > ")
        column = rows[:, int(feature.removeprefix("x"))].tolist()
        assert bits[:, position].tolist() == [int(x > float(threshold)) for x in column]


@given(COLUMN, st.integers(1, 12), STRATEGY)
@example([1.0 + k * 2.0**-52 for k in range(5)], 2, "uniform")  # two steps meet
@example([k * 5e-324 for k in range(-10, -5)], 3, "uniform")  # the last step overshoots
def test_a_thermometer_fills_from_below(column: list[float], n_bits: int, strategy: str) -> None:
    X = np.sort(column)[:, np.newaxis]
    fitted = ThermometerEncoder(n_bits, strategy).fit(X)
    (thresholds,) = fitted.thresholds_
    bits = fitted.transform(X).astype(int)
    assert (np.diff(thresholds) > 0).all()
    assert ((X[0] <= thresholds) & (thresholds < X[-1])).all() or X[0] == X[-1]
    assert (np.diff(bits, axis=1) <= 0).all()  # in a row: ones, then zeros
    assert (np.diff(bits, axis=0) >= 0).all()  # a greater number has no fewer ones
    equal = np.diff(X[:, 0]) == 0
    assert (bits[1:][equal] == bits[:-1][equal]).all()


@given(COLUMN, st.integers(1, 12))
def test_quantile_bits_are_never_wasted(column: list[float], n_bits: int) -> None:
    X = np.array(column)[:, np.newaxis]
    bits = ThermometerEncoder(n_bits).fit_transform(X)
    distinct = len(np.unique(X))
    if distinct == 1:
        assert bits.tolist() == [[0]] * len(column)
        return
    assert bits.shape[1] == min(n_bits, distinct - 1)
    # Each bit parts the rows otherwise than every other bit, and none is constant.
    assert len(np.unique(bits, axis=1).T) == bits.shape[1]
    assert (np.ptp(bits, axis=0) == 1).all()


@given(COLUMN, STRATEGY)
def test_with_bits_enough_all_distinct_values_are_told_apart(
    column: list[float], strategy: str
) -> None:
    X = np.array(column)[:, np.newaxis]
    bits = ThermometerEncoder(n_bits=40, strategy=strategy).fit_transform(X)
    assert len(np.unique(bits, axis=0)) == len(np.unique(X))


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=40), st.integers(1, 12), STRATEGY)
def test_the_order_of_rows_does_not_matter(column: list[int], n_bits: int, strategy: str) -> None:
    parameters = {"n_bits": n_bits, "strategy": strategy}
    assert names(column, **parameters) == names(column[::-1], **parameters)


def test_texts_and_missing_values_become_bits_with_names():
    rows = np.array(
        [["red", 20, None], ["blue", None, "a"], ["red", 40.0, "a"], [np.nan, 60, "a"]], object
    )
    encoder = ThermometerEncoder().fit(rows)
    names = encoder.get_feature_names_out(["colour", "age", "kind"]).tolist()
    assert names == [
        "colour is blue", "colour is red", "colour is missing",
        "age > 30", "age > 50", "age is missing",
        "kind is a", "kind is missing",
    ]  # fmt: skip
    assert encoder.transform(rows).tolist() == [
        [0, 1, 0, 0, 0, 0, 0, 1],
        [1, 0, 0, 0, 0, 1, 1, 0],
        [0, 1, 0, 1, 0, 0, 1, 0],
        [0, 0, 1, 1, 1, 0, 1, 0],
    ]
    # A text of which nothing is known sets no bit; numbers must stay numbers.
    assert encoder.transform(np.array([["green", 70, "b"]], object)).tolist() == [
        [0, 0, 0, 1, 1, 0, 0, 0]
    ]
    with pytest.raises(ValueError, match="texts where there were numbers: 'old'"):
        encoder.transform(np.array([["red", "old", "a"]], object))


def test_pandas_categories_and_missing_values():
    frame = pd.DataFrame(
        {
            "kind": pd.Categorical([10, 2, None, 10]),
            "colour": pd.Categorical(["red", None, "blue", "red"]),
            "age": pd.array([20, None, 40, 40], dtype="Int64"),
            "text": pd.array(["a", "a", None, "b"], dtype="string"),
            "child": pd.array([True, False, None, True], dtype="boolean"),
        }
    )
    encoder = ThermometerEncoder().fit(frame)
    assert encoder.get_feature_names_out().tolist() == [
        "kind is 2", "kind is 10", "kind is missing",
        "colour is blue", "colour is red", "colour is missing",
        "age > 30", "age is missing",
        "text is a", "text is b", "text is missing",
        "child > 0.5", "child is missing",
    ]  # fmt: skip
    assert encoder.transform(frame).tolist() == [
        [0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0],
        [1, 0, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0],
        [0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 1],
        [0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0],
    ]
    # Without missing values the same numbers are integers.
    assert encoder.transform(frame[:1]).tolist() == [[0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0]]


def test_missing_numbers_do_not_move_thresholds():
    column = np.array([[1.0], [2.0], [np.nan], [4.0], [8.0]])
    encoder = ThermometerEncoder(3).fit(column)
    assert encoder.thresholds_[0].tolist() == [1.5, 3.0, 6.0]
    assert encoder.transform(column)[2].tolist() == [0, 0, 0, 1]


def test_names_behind_a_column_transformer():
    frame = pd.DataFrame({"age": [1, 2, 3, 4] * 9, "kind": ["a", "b", "a", "b"] * 9})
    y = [0, 0, 1, 1] * 9

    def names(*parts):
        machine = TsetlinMachineClassifier(4, epochs=1, random_state=0)
        return make_pipeline(ColumnTransformer(list(parts)), machine).fit(frame, y)[-1].bit_names_

    age, kind = ("a", ThermometerEncoder(1), ["age"]), ("k", ThermometerEncoder(), ["kind"])
    assert names(age, kind) == ["age > 2.5", "kind is a", "kind is b"]
    # The same names twice, or a part without names, are no names.
    assert names(age, ("again", ThermometerEncoder(1), ["age"])) == ["x0", "x1"]
    bare = FunctionTransformer(lambda part: part.to_numpy() > 2)
    assert names(age, ("bare", bare, ["age"])) == ["x0", "x1"]
