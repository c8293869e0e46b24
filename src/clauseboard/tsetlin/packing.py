"""Samples as packed bits: what counts as bits, the features of clauses, and their literals.

Without a window the features are the bits of the sample. With a window, every place of the
window on the sample is a *patch* with features of its own: first the bits "row > t" and
"column > t" that say where the patch lies (t = 0, 1, ...; its top left cell counts), then the
bits of the cells in the window, row by row, column by column, plane by plane (Granmo 2019).

The bits of a sample with `board_shape = (rows, columns, planes)` are read in that order too:
bit (row * columns + column) * planes + plane.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, spmatrix
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from clauseboard.kernels.bits import ONE, ZERO, lowest_ones
from clauseboard.kernels.compiler import helper, kernel
from clauseboard.kernels.simd import LANES

_63 = np.uint64(63)
_CHUNK_BYTES = 1 << 24

Samples: TypeAlias = ArrayLike | spmatrix
"""Rows of bits: an array, a DataFrame or a sparse matrix."""

Bits: TypeAlias = NDArray[np.uint8] | csr_array
"""Checked samples: rows of bytes that are 0 or 1, sparse if they were given so (`as_bits`)."""


class NamedBits(np.ndarray):
    """Rows of bits that know the names of their columns, so that a machine that is fed them does.

    Parts of it and copies know no names; several side by side (`numpy.hstack`) do, as a
    `ColumnTransformer` puts them.
    """

    bit_names: list[str] | None = None

    def __new__(cls, bits: NDArray[np.uint8], bit_names: list[str]) -> NamedBits:
        """Give names to the columns of an array."""
        named = bits.view(cls)
        named.bit_names = bit_names
        return named

    def __array_finalize__(self, base: object) -> None:
        self.bit_names = None

    def __array_function__(self, function: Any, types: Any, given: Any, options: Any) -> Any:
        result = super().__array_function__(function, types, given, options)
        if function is np.hstack:
            of_parts = [getattr(part, "bit_names", None) or [""] for part in given[0]]
            names = [name for part in of_parts for name in part]
            if "" not in names and len(set(names)) == result.shape[-1]:
                return NamedBits(result, names)
        return result

    def __repr__(self) -> str:
        return repr(np.asarray(self))

    def __reduce__(self) -> Any:
        return np.asarray(self).__reduce__()


@dataclass(frozen=True)
class View:
    """How clauses look at a sample: as a whole, or through a window.

    >>> View.of(18, (3, 3, 2), (2, 2))
    View(n_bits=18, board_shape=(3, 3, 2), window=(2, 2))
    >>> View.of(18, (3, 3, 2), (2, 2)).n_features, View.of(18, (3, 3, 2), (2, 2)).n_patches
    (10, 4)
    """

    n_bits: int
    board_shape: tuple[int, int, int] | None = None
    window: tuple[int, int] | None = None

    @classmethod
    def of(
        cls,
        n_bits: int,
        board_shape: tuple[int, ...] | None,
        window: tuple[int, ...] | None,
    ) -> View:
        """Check the shapes against each other and against the number of bits of a sample."""
        if window is None:
            if board_shape is not None:
                _check_shape("board_shape", board_shape, 3)
                _check_bits(n_bits, board_shape)
            return cls(n_bits)
        if board_shape is None:
            raise ValueError(
                f"window={window!r} needs board_shape=(rows, columns, planes), which is None."
            )
        rows, columns, planes = _check_shape("board_shape", board_shape, 3)
        high, wide = _check_shape("window", window, 2)
        _check_bits(n_bits, board_shape)
        if high > rows or wide > columns:
            raise ValueError(
                f"window={window!r} is larger than the grid of {rows} rows and {columns} columns."
            )
        return cls(n_bits, (rows, columns, planes), (high, wide))

    @property
    def n_patches(self) -> int:
        """Places of the window on a sample."""
        if self.board_shape is None or self.window is None:
            return 1
        (rows, columns, _), (high, wide) = self.board_shape, self.window
        return (rows - high + 1) * (columns - wide + 1)

    @property
    def n_features(self) -> int:
        """Bits that a clause sees at a time."""
        if self.board_shape is None or self.window is None:
            return self.n_bits
        (rows, columns, planes), (high, wide) = self.board_shape, self.window
        return (rows - high) + (columns - wide) + high * wide * planes

    @property
    def n_words(self) -> int:
        """64-bit words for the literals, padded to whole lanes."""
        return LANES * -(-2 * self.n_features // (64 * LANES))

    def feature_names(self, bit_names: list[str]) -> list[str]:
        """Names of the features, from the names of a sample's bits.

        The window moves, so that a cell in it has no name of a sample's bit: it is called by its
        place in the window and its plane.

        >>> View.of(4, (2, 2, 1), (1, 2)).feature_names(["a", "b", "c", "d"])
        ['patch row > 0', 'cell (0, 0) plane 0', 'cell (0, 1) plane 0']
        """
        if self.board_shape is None or self.window is None:
            return list(bit_names)
        (rows, columns, planes), (high, wide) = self.board_shape, self.window
        return (
            [f"patch row > {t}" for t in range(rows - high)]
            + [f"patch column > {t}" for t in range(columns - wide)]
            + [
                f"cell ({row}, {column}) plane {plane}"
                for row in range(high)
                for column in range(wide)
                for plane in range(planes)
            ]
        )

    def names_at(self, place: tuple[int, int], bit_names: list[str]) -> dict[str, str]:
        """The features of the patch with this top left cell, and the sample's bits they are there.

        Features that tell where the patch is are none of the sample's bits.

        >>> View.of(4, (2, 2, 1), (1, 2)).names_at((1, 0), ["a", "b", "c", "d"])
        {'cell (0, 0) plane 0': 'c', 'cell (0, 1) plane 0': 'd'}
        """
        assert self.board_shape is not None
        assert self.window is not None
        (rows, columns, planes), (high, wide) = self.board_shape, self.window
        top, left = place
        grid = np.array(bit_names, dtype=object).reshape(rows, columns, planes)
        seen = grid[top : top + high, left : left + wide].reshape(-1)
        cells = self.feature_names(bit_names)[-high * wide * planes :]
        return dict(zip(cells, seen.tolist(), strict=True))

    def patches(self, samples: NDArray[Any]) -> NDArray[Any]:
        """The features of every patch, one byte each: samples × patches × features."""
        if self.board_shape is None or self.window is None:
            return samples[:, None, :]
        (rows, columns, planes), (high, wide) = self.board_shape, self.window
        shaped = samples.reshape(len(samples), rows, columns, planes)
        cells = np.lib.stride_tricks.sliding_window_view(shaped, (high, wide), axis=(1, 2))
        cells = cells.transpose(0, 1, 2, 4, 5, 3).reshape(len(samples), self.n_patches, -1)
        row, column = np.divmod(np.arange(self.n_patches), columns - wide + 1)
        where = np.concatenate(
            [
                row[:, None] > np.arange(rows - high),
                column[:, None] > np.arange(columns - wide),
            ],
            axis=1,
        ).astype(np.uint8)
        where = np.broadcast_to(where, (len(samples), *where.shape))
        return np.concatenate([where, cells], axis=2)

    def pack_features(self, samples: Bits) -> NDArray[np.uint8]:
        """Features as bits, lowest first: samples × patches × bytes."""
        if self.window is None and isinstance(samples, np.ndarray):
            return np.packbits(samples, axis=1, bitorder="little")[:, None, :]
        n_bytes = -(-self.n_features // 8)
        packed = np.empty((samples.shape[0], self.n_patches, n_bytes), np.uint8)
        for part in self.chunks(samples.shape[0]):
            features = self.patches(dense(samples[part]))
            packed[part] = np.packbits(features, axis=2, bitorder="little")
        return packed

    def pack_literals(self, samples: Bits) -> NDArray[np.uint64]:
        """Features and then their negations as bits: samples × patches × words."""
        packed = np.zeros((samples.shape[0], self.n_patches, 8 * self.n_words), np.uint8)
        n_bytes = -(-2 * self.n_features // 8)
        for part in self.chunks(samples.shape[0]):
            features = self.patches(dense(samples[part]))
            literals = np.concatenate([features, features ^ 1], axis=2)
            packed[part, :, :n_bytes] = np.packbits(literals, axis=2, bitorder="little")
        return packed.view(np.uint64)

    def pack_for_training(self, samples: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """Literals as `kernels.train_blocks` reads them: rows of one patch, columns of several."""
        many = self.n_patches > 1
        return self.pack_columns(samples) if many else self.pack_literals(samples)

    def pack_columns(self, samples: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """Literals as words whose bits are the patches on which they are true, for a window.

        Samples × 1 × literals for up to 64 patches, padded to a multiple of four. More patches are
        cut into groups of four words: (samples * groups) × literals × 4, with the groups of a
        sample one after the other.
        """
        assert self.board_shape is not None
        assert self.window is not None
        (rows, columns, planes), (high, wide) = self.board_shape, self.window
        n_groups, n_words = 1, 1
        if self.n_patches > 64:
            n_groups, n_words = -(-self.n_patches // (64 * LANES)), LANES
        n_literals = 2 * self.n_features
        if n_words == 1:
            n_literals = -(-n_literals // LANES) * LANES
        packed = np.zeros((len(samples) * n_groups, n_literals, n_words), np.uint64)
        pack_patches(samples, rows, columns, planes, high, wide, self.n_features, packed)
        return packed if n_words > 1 else packed.transpose(0, 2, 1)

    def real_literals(self) -> NDArray[np.uint64]:
        """A row of words in which the bits of literals are set, and those of padding not."""
        bits = np.zeros(64 * self.n_words, np.uint8)
        bits[: 2 * self.n_features] = 1
        return np.packbits(bits, bitorder="little").view(np.uint64)

    def chunks(self, n_samples: int) -> list[slice]:
        """Samples at a time, so that the unpacked patches stay within a few megabytes."""
        size = max(1, _CHUNK_BYTES // (2 * self.n_patches * self.n_features))
        return [slice(i, i + size) for i in range(0, n_samples, size)]


@helper
def bits_at(words, place: int):
    """64 bits of a row of words from a place on; there is a word behind that of the place."""
    word, shift = np.uint64(place // 64), np.uint64(place % 64)
    return (words[word] >> shift) | (words[word + ONE] << ONE << (_63 - shift))


@helper
def add_bits(words, place: int, bits) -> None:
    """Set some bits from a place on, which are not set yet, nor any behind them."""
    word, shift = np.uint64(place // 64), np.uint64(place % 64)
    words[word] |= bits << shift
    words[word + ONE] = bits >> ONE >> (_63 - shift)


@helper
def enter_literal(
    packed, first_group, group: int, word: int, literal: int, n_features, seen, valid
):
    """Enter on which patches of a word a feature is true, and its negation."""
    patches = valid[np.uint64(group * packed.shape[2] + word)]
    # Unsigned, for an index that might be negative would be looked at each time.
    i, k = first_group + np.uint64(group), np.uint64(word)
    packed[i, np.uint64(literal), k] = seen & patches
    packed[i, np.uint64(literal + n_features), k] = ~seen & patches


@kernel(
    "void(Array(uint8, 2, 'C', readonly=True), int64, int64, int64, int64, int64, int64,"
    " uint64[:,:,::1])"
)
def pack_patches(
    samples, rows: int, columns: int, planes: int, high: int, wide: int, n_features: int, packed
) -> None:
    """Fill `packed` as `View.pack_columns` tells.

    A *strip* is one plane of a sample without the columns that a cell of the window never comes
    to: what the cell sees at all places of the window is a piece of it, as long as there are
    patches, and for the cell below it begins a row later.
    """
    across, down = columns - wide + 1, rows - high + 1
    n_patches, n_words = down * across, packed.shape[2]
    n_where = down + across - 2
    n_groups = packed.shape[0] // max(1, samples.shape[0])
    cells = np.zeros(rows * columns // 64 + 2, np.uint64)
    strip = np.zeros(rows * across // 64 + 2 + n_groups * n_words, np.uint64)
    where = np.zeros((n_where, n_groups * n_words), np.uint64)
    valid = np.zeros(n_groups * n_words, np.uint64)
    rest = lowest_ones(across % 64)
    for patch in range(n_patches):
        bit = ONE << np.uint64(patch % 64)
        valid[patch // 64] |= bit
        for t in range(patch // across):
            where[t, patch // 64] |= bit
        for t in range(patch % across):
            where[down - 1 + t, patch // 64] |= bit
    for sample in range(samples.shape[0]):
        first_group = np.uint64(sample * n_groups)
        for group in range(n_groups):
            for t in range(n_where):
                for word in range(n_words):
                    seen = where[t, group * n_words + word]
                    enter_literal(packed, first_group, group, word, t, n_features, seen, valid)
        for plane in range(planes):
            for first in range(0, rows * columns, 64):
                gathered = ZERO
                for i in range(min(64, rows * columns - first)):
                    bit = np.uint64(samples[sample, (first + i) * planes + plane])
                    gathered |= bit << np.uint64(i)
                cells[first // 64] = gathered
            for column in range(wide):
                strip[0] = ZERO
                for row in range(rows):
                    first, place = row * columns + column, row * across
                    for _ in range(across // 64):
                        add_bits(strip, place, bits_at(cells, first))
                        first, place = first + 64, place + 64
                    add_bits(strip, place, bits_at(cells, first) & rest)
                for row in range(high):
                    literal = n_where + (row * wide + column) * planes + plane
                    for group in range(n_groups):
                        for word in range(n_words):
                            seen = bits_at(strip, row * across + 64 * (group * n_words + word))
                            enter_literal(
                                packed, first_group, group, word, literal, n_features, seen, valid
                            )


def _check_shape(name: str, shape: tuple[int, ...], length: int) -> tuple[int, ...]:
    words = {2: "(rows, columns)", 3: "(rows, columns, planes)"}[length]
    numbers = tuple(shape) if isinstance(shape, tuple | list) else ()
    if len(numbers) != length or not all(
        isinstance(number, int | np.integer) and number > 0 for number in numbers
    ):
        raise ValueError(f"{name} must be {words}, whole numbers above 0; it is {shape!r}.")
    return tuple(int(number) for number in numbers)


def _check_bits(n_bits: int, board_shape: tuple[int, ...]) -> None:
    rows, columns, planes = board_shape
    if rows * columns * planes != n_bits:
        raise ValueError(
            f"board_shape={tuple(board_shape)!r} has {rows} * {columns} * {planes} = "
            f"{rows * columns * planes} bits, but samples have {n_bits}."
        )


_HINT = (
    "A Tsetlin Machine reads bits: booleans, or numbers that are 0 or 1. "
    "ThermometerEncoder turns numbers, texts and missing values into bits with readable names; "
    "try make_pipeline(ThermometerEncoder(), ...)."
)


def as_bits(estimator: BaseEstimator, X: Samples, *, reset: bool) -> Bits:
    """Check X by scikit-learn's conventions and return it as rows of bytes that are 0 or 1.

    A sparse matrix stays sparse: a few rows at a time are unpacked where they are needed.
    """
    checked: Any
    if reset:
        estimator._names_of_X = getattr(X, "bit_names", None)
    if not reset and _is_plain(X) and _is_as_before(estimator, X):
        # Single samples in a loop are spared scikit-learn's fifty microseconds.
        checked = X
    else:
        checked = validate_data(
            estimator,
            X,
            reset=reset,
            accept_sparse="csr",
            dtype=None,
            ensure_all_finite=False,  # `_check_values` also says what to do about missing values.
            ensure_min_features=1,
        )
        if hasattr(checked, "toarray"):
            return _sparse_bits(checked)
        if checked.dtype.kind == "O":
            checked = _numbers_of_objects(checked)
    _check_values(checked)
    if checked.dtype == np.bool_:
        checked = checked.view(np.uint8)
    return np.ascontiguousarray(checked, np.uint8)


def dense(bits: Bits) -> NDArray[np.uint8]:
    """Bits as an array, a byte a bit."""
    if isinstance(bits, np.ndarray):
        return bits
    unpacked: NDArray[np.uint8] = bits.toarray()
    return unpacked


def _sparse_bits(X: Any) -> csr_array:
    """A matrix of compressed sparse rows with bytes for its values, which must be 0 or 1."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    _check_values(X.data)
    return csr_array((X.data.astype(np.uint8), X.indices, X.indptr), X.shape)


def _numbers_of_objects(values: NDArray[Any]) -> NDArray[Any]:
    """Objects that are all 0, 1 or booleans as numbers; others stay as they are."""
    if all(isinstance(value, int | float | np.number | np.bool_) for value in values.flat):
        return values.astype(np.float64)
    return values


def _is_plain(X: Samples) -> TypeGuard[NDArray[Any]]:
    # No other subclass: one of NumPy's own has values that are masked.
    if not isinstance(X, np.ndarray) or type(X) not in (np.ndarray, NamedBits):
        return False
    return X.ndim == 2 and len(X) > 0 and X.dtype.kind in "biuf"


def _is_as_before(estimator: BaseEstimator, X: NDArray[Any]) -> bool:
    """Whether scikit-learn would find nothing to say about the columns of an array."""
    named = hasattr(estimator, "feature_names_in_")
    return not named and bool(X.shape[1] == estimator.n_features_in_)


def _check_values(values: NDArray[Any]) -> None:
    if values.dtype.kind == "b" or values.size == 0:
        return
    if values.dtype.kind not in "iuf":
        raise ValueError(f"X has values of type {values.dtype}. {_HINT}")
    if values.dtype.kind == "u":
        fine = values.max() <= 1
    else:
        fine = bool(((values == 0) | (values == 1)).all())
    if not fine:
        odd = values[(values != 0) & (values != 1)][0]
        if odd != odd:
            raise ValueError(f"X has missing values (NaN). {_HINT}")
        raise ValueError(f"X has values such as {odd!s}. {_HINT}")
