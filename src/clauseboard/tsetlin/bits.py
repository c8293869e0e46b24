"""What counts as a matrix of bits, and what is said when something else is given."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

_HINT = (
    "A Tsetlin Machine reads bits: booleans, or numbers that are 0 or 1. "
    "ThermometerEncoder turns other numbers into bits with readable names; "
    "try make_pipeline(ThermometerEncoder(), ...)."
)


def as_bits(estimator: Any, X: Any, *, reset: bool) -> NDArray[np.uint8]:
    """Check X by scikit-learn's conventions and return it as rows of bytes that are 0 or 1."""
    if not reset and _is_plain(X) and X.shape[1] == estimator.n_features_in_:
        # The usual case while playing: no need for scikit-learn's fifty microseconds.
        dense = X
    else:
        dense = validate_data(
            estimator,
            X,
            reset=reset,
            accept_sparse="csr",
            dtype=None,
            ensure_min_features=1,
        )
        if hasattr(dense, "toarray"):
            _check_values(dense.data)
            dense = dense.toarray()
    _check_values(dense)
    if dense.dtype == np.bool_:
        dense = dense.view(np.uint8)
    return np.ascontiguousarray(dense, np.uint8)


def _is_plain(X: Any) -> bool:
    return type(X) is np.ndarray and X.ndim == 2 and len(X) > 0 and X.dtype in (bool, np.uint8)


def _check_values(values: NDArray[Any]) -> None:
    if values.dtype.kind == "b" or values.size == 0:
        return
    if values.dtype.kind not in "iuf":
        raise ValueError(f"The boards have values of type {values.dtype}. {_HINT}")
    if values.dtype.kind == "u":
        fine = values.max() <= 1
    else:
        fine = bool(((values == 0) | (values == 1)).all())
    if not fine:
        odd = values[(values != 0) & (values != 1)][0]
        raise ValueError(f"The boards have values such as {odd!s}. {_HINT}")
