"""Numbers into named bits, because a Tsetlin Machine reads bits and people read names.

A number becomes a thermometer: bit k of a feature says "the feature is greater than
threshold k". The thresholds are learned from the training data and are themselves short
decimals, so that the name of a bit ("x0 > 0.5") is its whole meaning.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from clauseboard.checks import one_of, whole_number
from clauseboard.tsetlin.packing import NamedBits

STRATEGIES = ("quantile", "uniform")


class ThermometerEncoder(TransformerMixin, BaseEstimator):
    """Turn each number into bits "feature > threshold", with ascending thresholds.

    A feature with few distinct values gets one bit for each gap between neighbouring
    values: a 0/1 column becomes exactly one bit, "x0 > 0.5". A feature with more than
    ``n_bits + 1`` distinct values gets ``n_bits`` bits, placed by ``strategy``.

    A threshold between two values is their midpoint, rounded as coarsely as the middle
    half of the gap between them allows, so names are short and equal the thresholds.

    A column of texts gets one bit a text, "colour is red"; a text that was not seen in training
    sets none of them. So does a column of pandas categories, even if these are numbers. A column in
    which values are missing (None, NaN or pandas' NA) gets the bit "age is missing", and sets no
    other bit where that is so.

    A constant column of numbers tells nothing and gets no bit. If every column is constant (one
    training row, say), the first column keeps the one bit "greater than that constant",
    which is 0 on all the training data: what follows in a pipeline needs some column.

    Parameters
    ----------
    n_bits : int, default=8
        The most bits a feature may become; 1 or more.
    strategy : {"quantile", "uniform"}, default="quantile"
        "quantile" puts about equally many training rows between neighbouring thresholds;
        where one value is so common that quantiles fall together, the bits left over
        split the fullest stretches that remain, so that none is wasted. "uniform" makes
        equal steps from the smallest to the largest value, each threshold rounded by at
        most a twentieth of a step.

    Attributes
    ----------
    thresholds_ : list of arrays
        For each feature its ascending thresholds, one a bit.
    categories_ : list of lists
        For each feature its texts, one a bit; empty for numbers.
    missing_ : list of bool
        For each feature whether it has a bit for missing values.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : array of str
        Their names, if the training data had names.

    Examples
    --------
    >>> rows = [[1, 0, 7], [2, 1, 7], [4, 0, 7], [8, 1, 7]]
    >>> encoder = ThermometerEncoder(n_bits=3).fit(rows)
    >>> encoder.get_feature_names_out().tolist()
    ['x0 > 1.5', 'x0 > 3', 'x0 > 6', 'x1 > 0.5']
    >>> encoder.transform(rows)
    array([[0, 0, 0, 0],
           [1, 0, 0, 1],
           [1, 1, 0, 0],
           [1, 1, 1, 1]], dtype=uint8)
    >>> [thresholds.tolist() for thresholds in encoder.thresholds_]
    [[1.5, 3.0, 6.0], [0.5], []]
    """

    thresholds_: list[NDArray[np.float64]]
    categories_: list[list[str]]
    missing_: list[bool]
    n_features_in_: int

    def __init__(self, n_bits: int = 8, strategy: str = "quantile") -> None:
        self.n_bits = n_bits
        self.strategy = strategy

    def fit(self, X: ArrayLike, y: object = None) -> ThermometerEncoder:
        """Learn the thresholds of each column of ``X``; ``y`` is ignored.

        >>> ThermometerEncoder(n_bits=4, strategy="uniform").fit(
        ...     [[age] for age in range(101)]
        ... ).get_feature_names_out(["age"]).tolist()
        ['age > 20', 'age > 40', 'age > 60', 'age > 80']
        """
        whole_number("n_bits", self.n_bits, 1)
        one_of("strategy", self.strategy, STRATEGIES)
        table = validate_data(self, X, dtype=None, ensure_all_finite="allow-nan")
        n_bits = int(self.n_bits)
        self.thresholds_, self.categories_, self.missing_ = [], [], []
        # pandas calls a column of categories so, whether they are texts or numbers.
        kinds = [str(kind) for kind in getattr(X, "dtypes", ())] or [""] * table.shape[1]
        for column, kind in zip(table.T, kinds, strict=True):
            numbers, missing = _numbers(column)
            if numbers is None or kind == "category":
                there = column[~missing] if numbers is None else np.unique(numbers[~missing])
                self.thresholds_.append(np.empty(0))
                texts = dict.fromkeys(map(_text, there))
                self.categories_.append(sorted(texts) if numbers is None else list(texts))
            else:
                self.thresholds_.append(_thresholds(numbers[~missing], n_bits, self.strategy))
                self.categories_.append([])
            self.missing_.append(bool(missing.any()))
        if not len(self.get_feature_names_out()):
            self.thresholds_[0] = np.asarray(table[:1, 0], np.float64) + 0.0
        return self

    def transform(self, X: ArrayLike) -> NDArray[np.uint8]:
        """Return the bits of ``X``, one row a row, 0 or 1 (a DataFrame after ``set_output``).

        >>> encoder = ThermometerEncoder().fit([[0.0], [1.0]])
        >>> encoder.transform([[0.2], [0.5], [0.7]]).tolist()
        [[0], [0], [1]]
        """
        check_is_fitted(self)
        table = validate_data(self, X, dtype=None, ensure_all_finite="allow-nan", reset=False)
        names = self.get_feature_names_out()
        bits = np.zeros((len(table), len(names)), dtype=np.bool_)
        first = 0
        for column, thresholds, categories, missing_bit in zip(
            table.T, self.thresholds_, self.categories_, self.missing_, strict=True
        ):
            numbers, missing = _numbers(column)
            if categories:
                values = column if numbers is None else numbers
                texts = np.array([_text(value) for value in values], object)
                for place, category in enumerate(categories, first):
                    bits[:, place] = (texts == category) & ~missing
            elif len(thresholds):
                if numbers is None:
                    text = next(value for value in column if isinstance(value, str))
                    raise ValueError(f"X has texts where there were numbers: {str(text)!r}.")
                here = slice(first, first + len(thresholds))
                np.greater(numbers[:, np.newaxis], thresholds, out=bits[:, here])
            first += len(thresholds) + len(categories)
            if missing_bit:
                bits[:, first] = missing
                first += 1
        return NamedBits(bits.view(np.uint8), names.tolist())

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Return the name of each bit, in the order of the columns of ``transform``.

        >>> encoder = ThermometerEncoder().fit([[0, 10], [1, 20], [1, 40]])
        >>> encoder.get_feature_names_out(["king", "age"]).tolist()
        ['king > 0.5', 'age > 15', 'age > 30']
        """
        check_is_fitted(self)
        features = _check_feature_names_in(self, input_features)
        names: list[str] = []
        for feature, thresholds, categories, missing in zip(
            features, self.thresholds_, self.categories_, self.missing_, strict=True
        ):
            names += [f"{feature} > {_decimal(threshold)}" for threshold in thresholds]
            names += [f"{feature} is {category}" for category in categories]
            names += [f"{feature} is missing"] if missing else []
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # Bits come out whatever type of number goes in.
        tags.transformer_tags.preserves_dtype = []
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def _numbers(column: NDArray[Any]) -> tuple[NDArray[np.float64] | None, NDArray[np.bool_]]:
    """A column as numbers, None if it holds texts; and where values are missing (None or NaN)."""
    if column.dtype.kind in "biuf":
        # float64 always: a threshold must mean the same for float32 and integer data.
        numbers = column.astype(np.float64)
        return numbers, np.isnan(numbers)
    missing = np.array([_is_missing(value) for value in column], np.bool_)
    there = column[~missing]
    odd = [value for value in there if not isinstance(value, str | bool | float | int | np.generic)]
    if odd:
        raise TypeError(f"argument must be a string or a number, not {type(odd[0]).__name__!r}")
    if any(isinstance(value, str) for value in there):
        return None, missing
    numbers = np.full(len(column), np.nan)
    numbers[~missing] = there.astype(np.float64)
    if np.isinf(numbers).any():
        raise ValueError("Input X contains infinity or a value too large for dtype('float64').")
    return numbers, missing


def _is_missing(value: Any) -> bool:
    # pandas has a value of its own, which is neither equal to itself nor different.
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def _text(value: Any) -> str:
    """A category in words, the same for 1 and 1.0: where values are missing, numbers are floats."""
    number = isinstance(value, float | np.floating)
    return str(int(value)) if number and float(value).is_integer() else str(value)


def _thresholds(column: NDArray[np.float64], n_bits: int, strategy: str) -> NDArray[np.float64]:
    """Return the ascending thresholds of one feature."""
    values, counts = np.unique(column, return_counts=True)
    if len(values) - 1 <= n_bits:
        gaps = np.arange(len(values) - 1)
    elif strategy == "quantile":
        gaps = _even_gaps(np.cumsum(counts), n_bits)
    else:
        return _equal_steps(float(values[0]), float(values[-1]), n_bits)
    return np.array([_between(float(values[g]), float(values[g + 1])) for g in gaps])


def _even_gaps(running: NDArray[np.intp], n_bits: int) -> NDArray[np.intp]:
    """Choose ``n_bits`` gaps with about equally many rows between neighbouring ones.

    ``running[v]`` is the number of rows up to and including the v-th distinct value, which
    is the number of rows below gap v; there are more gaps than ``n_bits``.
    """
    below, n_rows = running[:-1], int(running[-1])
    gaps = np.unique(_nearest(below, n_rows * np.arange(1, n_bits + 1) / (n_bits + 1)))
    while len(gaps) < n_bits:
        # A common value drew several quantiles to one gap. Each bit left over goes to the
        # fullest stretch that still has a gap inside, as near to its middle as can be.
        starts = np.concatenate(([-1], gaps))
        ends = np.concatenate((gaps, [len(below)]))
        rows_to_start = np.concatenate(([0], below[gaps]))
        rows_to_end = np.concatenate((below[gaps], [n_rows]))
        rows = np.where(ends - starts > 1, rows_to_end - rows_to_start, 0)
        fullest = int(np.argmax(rows))
        inside = slice(int(starts[fullest]) + 1, int(ends[fullest]))
        middle = (rows_to_start[fullest] + rows_to_end[fullest]) / 2
        gaps = np.sort(np.append(gaps, inside.start + _nearest(below[inside], middle)))
    return gaps


def _nearest(ascending: NDArray[np.intp], targets: Any) -> Any:
    """Return for each target the index of the nearest entry, the lower one of two."""
    right = np.clip(np.searchsorted(ascending, targets), 0, len(ascending) - 1)
    left = np.maximum(right - 1, 0)
    return np.where(targets - ascending[left] <= ascending[right] - targets, left, right)


def _equal_steps(low: float, high: float, n_bits: int) -> NDArray[np.float64]:
    """Return ``n_bits`` thresholds that cut low..high into equal steps, lightly rounded."""
    # Divided before subtracting, here and below: the range itself may overflow.
    step = high / (n_bits + 1) - low / (n_bits + 1)
    shares = [k / (n_bits + 1) for k in range(1, n_bits + 1)]
    rounded = [_round(low * (1 - share) + high * share, step / 20) for share in shares]
    # Where steps are near the spacing of floats, rounding may leave the range or meet.
    return np.unique(np.clip(rounded, low, math.nextafter(high, low)) + 0.0)


def _between(low: float, high: float) -> float:
    """Return a short decimal t with low < t < high, or low if no float lies between."""
    quarter = high / 4 - low / 4
    threshold = _round(low / 2 + high / 2, quarter)
    return threshold if low <= threshold < high else low + 0.0


def _round(target: float, tolerance: float) -> float:
    """Round ``target`` as coarsely as possible, moving it by ``tolerance`` at most."""
    if tolerance > 0:
        # The tolerance is less than 10 ** coarse. Rounding to steps coarser than
        # 10 ** (coarse + 1) finds nothing more, and steps of 10 ** (coarse - 1) never fail.
        coarse = math.floor(math.log10(tolerance)) + 1
        for power in (coarse + 1, coarse, coarse - 1):
            try:
                rounded = round(target, -power)
            except OverflowError:  # up, past the largest float
                continue
            if abs(rounded - target) <= tolerance:
                return rounded + 0.0  # no minus zero in a name
    return target + 0.0


def _decimal(number: float) -> str:
    """Write a float in the fewest digits that read back as the same float."""
    return repr(float(number)).removesuffix(".0")
