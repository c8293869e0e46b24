"""Boards as packed bits, held against the textbook's patches and literals."""

import doctest
import tracemalloc

import numpy as np
import pytest
import scipy.sparse
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.kernels.simd import LANES
from clauseboard.tsetlin import TsetlinMachineClassifier, packing
from clauseboard.tsetlin.batches import commonest_share
from clauseboard.tsetlin.packing import NamedBits, View, as_bits
from naive import tsetlin as naive

WHOLE_BOARDS = [1, 4, 5, 31, 32, 33, 64, 127, 128, 129, 130, 300]
WINDOWS = [
    ((1, 1, 1), (1, 1)),
    ((3, 3, 2), (2, 2)),
    ((3, 4, 1), (3, 4)),
    ((2, 5, 3), (1, 2)),
    ((5, 2, 1), (3, 1)),
    ((4, 4, 9), (4, 3)),
    ((8, 8, 4), (3, 5)),
]
VIEWS = [View.of(n_bits, None, None) for n_bits in WHOLE_BOARDS] + [
    View.of(rows * columns * planes, (rows, columns, planes), window)
    for (rows, columns, planes), window in WINDOWS
]


def name_of(view: View) -> str:
    return f"{view.n_bits} bits" if view.window is None else f"{view.board_shape} {view.window}"


every_view = pytest.mark.parametrize("view", VIEWS, ids=name_of)


def random_boards(view: View, n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(2, size=(n, view.n_bits), dtype=np.uint8)


def naive_patches(view: View, boards: np.ndarray) -> np.ndarray:
    if view.board_shape is None or view.window is None:
        return boards.astype(bool)[:, np.newaxis]
    return np.stack([naive.patches(board, view.board_shape, view.window) for board in boards])


def unpacked(packed: np.ndarray) -> np.ndarray:
    """The bits of the last axis, lowest first, one byte each."""
    return np.unpackbits(packed.view(np.uint8), axis=-1, bitorder="little")


# ------------------------------------------------------------------ features


@every_view
def test_patches_are_those_of_the_textbook(view):
    boards = random_boards(view, 7)
    patches = view.patches(boards)
    assert patches.shape == (7, view.n_patches, view.n_features)
    assert patches.dtype == np.uint8
    assert np.array_equal(patches, naive_patches(view, boards))


@settings(max_examples=40)
@given(
    st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(1, 3)),
    st.data(),
    st.integers(0, 2**32 - 1),
)
def test_patches_of_any_shape_are_those_of_the_textbook(shape, data, seed):
    rows, columns, planes = shape
    window = (data.draw(st.integers(1, rows)), data.draw(st.integers(1, columns)))
    view = View.of(rows * columns * planes, shape, window)
    boards = random_boards(view, 2, seed)
    assert np.array_equal(view.patches(boards), naive_patches(view, boards))


@every_view
def test_every_feature_has_a_name_of_its_own(view):
    names = view.feature_names([f"bit {k}" for k in range(view.n_bits)])
    assert len(names) == len(set(names)) == view.n_features


def test_names_say_which_feature_it_is():
    view = View.of(2 * 3 * 2, (2, 3, 2), (1, 2))
    board = np.zeros((2, 3, 2), np.uint8)
    board[1, 2, 1] = 1
    names = view.feature_names([""] * 12)
    seen = [
        [names[k] for k in np.flatnonzero(patch)] for patch in view.patches(board.reshape(1, -1))[0]
    ]
    assert seen == [
        [],
        ["patch column > 0"],
        ["patch row > 0"],
        ["patch row > 0", "patch column > 0", "cell (0, 1) plane 1"],
    ]


# ------------------------------------------------------------------ packed


@every_view
def test_packed_features_are_the_features(view):
    boards = random_boards(view, 9)
    packed = view.pack_features(boards)
    assert packed.shape == (9, view.n_patches, -(-view.n_features // 8))
    assert packed.flags.c_contiguous
    bits = unpacked(packed)
    assert np.array_equal(bits[..., : view.n_features], naive_patches(view, boards))
    assert not bits[..., view.n_features :].any()


@every_view
def test_packed_literals_are_the_features_and_their_negations(view):
    boards = random_boards(view, 9)
    packed = view.pack_literals(boards)
    assert packed.shape == (9, view.n_patches, view.n_words)
    assert packed.dtype == np.uint64
    assert packed.flags.c_contiguous
    bits = unpacked(packed)
    expected = naive.literals_of(naive_patches(view, boards))
    assert np.array_equal(bits[..., : 2 * view.n_features], expected)
    assert not bits[..., 2 * view.n_features :].any()


@settings(max_examples=40)
@given(
    st.tuples(st.integers(1, 9), st.integers(1, 20), st.integers(1, 3)),
    st.data(),
    st.integers(0, 2**32 - 1),
)
@example((20, 15, 1), None, 3)  # 300 patches: two groups
def test_columns_of_patches_are_the_literals_turned_round(shape, data, seed):
    rows, columns, planes = shape
    window = (1, 1)
    if data is not None:
        window = (data.draw(st.integers(1, rows)), data.draw(st.integers(1, columns)))
    view = View.of(rows * columns * planes, shape, window)
    boards = random_boards(view, 3, seed)
    packed = view.pack_columns(boards)
    assert packed.flags.c_contiguous
    if view.n_patches <= 64:
        n_literals = 2 * view.n_features
        assert packed.shape == (3, 1, -(-n_literals // LANES) * LANES)
        assert not packed[..., n_literals:].any()
        words = packed[..., :n_literals].transpose(0, 2, 1)
    else:
        n_groups = len(packed) // 3
        assert packed.shape == (3 * n_groups, 2 * view.n_features, LANES)
        words = (
            packed.reshape(3, n_groups, -1, LANES)
            .transpose(0, 2, 1, 3)
            .reshape(3, 2 * view.n_features, -1)
        )
    bits = unpacked(np.ascontiguousarray(words))
    expected = naive.literals_of(naive_patches(view, boards)).transpose(0, 2, 1)
    assert np.array_equal(bits[..., : view.n_patches], expected)
    assert not bits[..., view.n_patches :].any()


@every_view
def test_rows_are_padded_to_whole_lanes_and_no_further(view):
    assert view.n_words % LANES == 0
    assert 0 <= 64 * view.n_words - 2 * view.n_features < 64 * LANES
    bits = unpacked(view.real_literals())
    assert bits[: 2 * view.n_features].all()
    assert not bits[2 * view.n_features :].any()


@pytest.mark.parametrize("chunk_boards", [1, 2, 3, 5])
@pytest.mark.parametrize("n_boards", [0, 1, 5, 6, 7])
@pytest.mark.parametrize("view", [VIEWS[2], VIEWS[len(WHOLE_BOARDS) + 1]], ids=name_of)
def test_boards_in_chunks_are_the_boards_at_once(view, n_boards, chunk_boards, monkeypatch):
    boards = random_boards(view, n_boards)
    features, literals = view.pack_features(boards), view.pack_literals(boards)
    a_board = 2 * view.n_patches * view.n_features
    monkeypatch.setattr(packing, "_CHUNK_BYTES", chunk_boards * a_board + a_board - 1)
    assert len(view.chunks(n_boards)) == -(-n_boards // chunk_boards)
    assert np.array_equal(view.pack_features(boards), features)
    assert np.array_equal(view.pack_literals(boards), literals)


def test_a_board_larger_than_a_chunk_goes_alone(monkeypatch):
    view = View.of(100, None, None)
    boards = random_boards(view, 3)
    literals = view.pack_literals(boards)
    monkeypatch.setattr(packing, "_CHUNK_BYTES", 1)
    assert len(view.chunks(3)) == 3
    assert np.array_equal(view.pack_literals(boards), literals)


# ------------------------------------------------------------------ shapes that are wrong


@pytest.mark.parametrize(
    "board_shape", [(), (3, 3), (3, 3, 1, 1), (3, 3, 0), (3, -3, 1), (3, 3.0, 1), "331", 9]
)
@pytest.mark.parametrize("window", [None, (1, 1)])
def test_a_board_shape_that_is_none_is_named(board_shape, window):
    with pytest.raises(ValueError, match="whole numbers above 0") as error:
        View.of(9, board_shape, window)
    assert str(error.value) == (
        "board_shape must be (rows, columns, planes), whole numbers above 0; "
        f"it is {board_shape!r}."
    )


@pytest.mark.parametrize("window", [(), (1,), (1, 1, 1), (0, 1), (1, -1), (1.5, 1), "11", 1])
def test_a_window_that_is_none_is_named(window):
    with pytest.raises(ValueError, match="whole numbers above 0") as error:
        View.of(9, (3, 3, 1), window)
    assert str(error.value) == (
        f"window must be (rows, columns), whole numbers above 0; it is {window!r}."
    )


@pytest.mark.parametrize("window", [None, (2, 2)])
def test_a_board_of_another_size_is_named(window):
    with pytest.raises(ValueError, match="bits, but samples have") as error:
        View.of(17, (3, 3, 2), window)
    assert str(error.value) == (
        "board_shape=(3, 3, 2) has 3 * 3 * 2 = 18 bits, but samples have 17."
    )


@pytest.mark.parametrize("window", [(4, 1), (1, 5), (9, 9)])
def test_a_window_larger_than_the_board_is_named(window):
    with pytest.raises(ValueError, match="larger than the grid") as error:
        View.of(12, (3, 4, 1), window)
    assert str(error.value) == (
        f"window={window!r} is larger than the grid of 3 rows and 4 columns."
    )


def test_a_window_without_a_board_shape_is_named():
    with pytest.raises(ValueError, match="needs board_shape") as error:
        View.of(9, None, (2, 2))
    assert str(error.value) == (
        "window=(2, 2) needs board_shape=(rows, columns, planes), which is None."
    )


def test_shapes_may_be_lists_and_numpy_numbers():
    view = View.of(18, [3, np.int64(3), 2], [np.uint8(2), 2])
    assert view == View.of(18, (3, 3, 2), (2, 2))
    assert repr(view) == "View(n_bits=18, board_shape=(3, 3, 2), window=(2, 2))"


def test_a_board_shape_without_a_window_is_only_checked():
    assert View.of(18, (3, 3, 2), None) == View.of(18, None, None) == View(18)


def test_examples_in_the_docstrings():
    assert doctest.testmod(packing).failed == 0


# ------------------------------------------------------------------ sparse


def sparse_rows(n_samples, n_bits, ones, seed=0):
    """Rows of floats with so many ones each, in random columns."""
    rng = np.random.default_rng(seed)
    columns = [np.sort(rng.choice(n_bits, ones, replace=False)) for _ in range(n_samples)]
    starts = np.arange(n_samples + 1) * ones
    values = np.ones(n_samples * ones)
    return scipy.sparse.csr_matrix((values, np.concatenate(columns), starts), (n_samples, n_bits))


def peak_of(work):
    """The most bytes that were in use at a time while this ran, besides those before."""
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    work()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak - before


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_sparse_samples_have_the_bits_of_dense_ones(data):
    view = data.draw(st.sampled_from(VIEWS))
    n_samples, seed = data.draw(st.integers(1, 20)), data.draw(st.integers(0, 99))
    dense = random_boards(view, n_samples, seed) & random_boards(view, n_samples, seed + 1)
    kind = data.draw(st.sampled_from(["csr", "csc", "coo", "lil"]))
    dtype = data.draw(st.sampled_from([np.float64, np.float32, np.int64, np.uint8, bool]))
    X = scipy.sparse.coo_array(dense.astype(dtype)).asformat(kind)
    sparse = as_bits(TsetlinMachineClassifier(), X, reset=True)
    assert sparse.dtype == np.uint8
    assert np.array_equal(view.pack_features(sparse), view.pack_features(dense))
    assert np.array_equal(view.pack_literals(sparse), view.pack_literals(dense))
    assert commonest_share(sparse, None) == commonest_share(dense, None)


def test_stored_zeros_are_zeros_and_a_matrix_stays_as_it_is():
    X = scipy.sparse.csr_array((np.array([1.0, 0.0, 1.0]), [2, 0, 1], [0, 2, 3]), (2, 3))
    before = X.copy()
    bits = as_bits(TsetlinMachineClassifier(), X, reset=True)
    assert bits.toarray().tolist() == [[0, 0, 1], [0, 1, 0]]
    assert np.array_equal(X.indices, before.indices)
    assert np.array_equal(X.data, before.data)


@pytest.mark.skipif(JIT_DISABLED, reason="so many bits take minutes without the compiler")
@pytest.mark.parametrize("kind", ["csr", "csc"])
def test_a_machine_learns_and_answers_without_unpacking_sparse_samples(kind, monkeypatch):
    monkeypatch.setattr(packing, "_CHUNK_BYTES", 1 << 20)
    rows = sparse_rows(1000, 20_000, 20)
    y = np.arange(1000) % 2
    X = rows.asformat(kind)
    machine = TsetlinMachineClassifier(n_clauses=4, epochs=1, random_state=0)
    machine.fit(X[:, :10], y).predict(X[:, :10])  # compiled by now
    a_byte_a_bit = 1000 * 20_000
    # The literals of all samples, in bits, are a quarter of that.
    assert peak_of(lambda: machine.fit(X, y)) < 0.6 * a_byte_a_bit
    assert peak_of(lambda: machine.partial_fit(X, y)) < 0.6 * a_byte_a_bit
    machine.predict(X[:1])  # makes the table of the clauses
    assert peak_of(lambda: machine.predict(X)) < 0.4 * a_byte_a_bit
    assert peak_of(lambda: machine.rules(X=X, y=y)) < 0.4 * a_byte_a_bit
    assert peak_of(lambda: machine.explain(rows[:1])) < 0.4 * a_byte_a_bit
    dense = TsetlinMachineClassifier(n_clauses=4, epochs=1, random_state=0)
    dense.fit(rows.toarray(), y).partial_fit(rows.toarray(), y)
    assert np.array_equal(dense.banks_.automata, machine.banks_.automata)
    assert np.array_equal(dense.votes(rows.toarray()), machine.votes(X))
    assert dense.rules(X=rows.toarray(), y=y) == machine.rules(X=X, y=y)
    assert dense.explain(rows.toarray()[0]) == machine.explain(rows[:1])


@pytest.mark.parametrize("kind", [bool, np.uint8, np.int64, np.float32, np.float64])
def test_rows_of_numbers_are_spared_scikit_learns_checks(monkeypatch, kind):
    X = np.random.default_rng(0).integers(0, 2, (60, 5))
    machine = TsetlinMachineClassifier(4, epochs=2, random_state=0).fit(X, X[:, 0])
    expected = machine.predict(X)
    monkeypatch.setattr(packing, "validate_data", None)
    assert machine.predict(X.astype(kind)).tolist() == expected.tolist()
    assert machine.predict(NamedBits(X.astype(np.uint8), list("abcde"))).tolist() == list(expected)
    machine.partial_fit(X[:1].astype(kind), X[:1, 0])
    for odd in (2 * X, X - 1, X * np.nan):
        with pytest.raises(ValueError, match="X has"):
            machine.predict(odd)


def test_arrays_for_a_machine_that_learned_named_columns_are_warned_of():
    pandas = pytest.importorskip("pandas")
    X = np.random.default_rng(0).integers(0, 2, (60, 2)).astype(np.uint8)
    machine = TsetlinMachineClassifier(4, epochs=1).fit(
        pandas.DataFrame(X, columns=["sun", "wind"]), X[:, 0]
    )
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        machine.predict(X)


def test_masked_values_are_not_taken_for_bits():
    X = np.random.default_rng(0).integers(0, 2, (60, 2))
    machine = TsetlinMachineClassifier(4, epochs=1).fit(X, X[:, 0])
    masked = np.ma.masked_array(X, mask=True)
    assert not packing._is_plain(masked)
    assert packing._is_plain(X)
    assert machine.predict(X).shape == (60,)
