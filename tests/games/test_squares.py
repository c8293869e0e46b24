"""Packed rows of square boards turned round, against NumPy's own reflections of the boards."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.games import squares
from clauseboard.kernels.compiler import JIT_DISABLED

FEW = settings(max_examples=6 if JIT_DISABLED else 100)
EVERY_WAY = list(itertools.product((False, True), repeat=4))


def packed_rows(boards):
    """Boards × colours × lines × columns as words, what is left of the last word being 0."""
    rows = np.packbits(boards.reshape(len(boards), -1), axis=1, bitorder="little")
    return np.pad(rows, ((0, 0), (0, -rows.shape[1] % 8))).view(np.uint64)


def shown(boards, exchange, reflected, mirror, upside_down):
    """The slow twin."""
    if exchange:
        boards = boards[:, ::-1]
    if reflected:
        boards = boards.transpose(0, 1, 3, 2)
    if mirror:
        boards = boards[:, :, :, ::-1]
    if upside_down:
        boards = boards[:, :, ::-1]
    return boards


@pytest.mark.parametrize("size", [1, 2, 8, 9, 16, 17, 19, 32])
def test_every_stone_goes_where_it_should(size):
    cells = np.arange(2 * size * size)
    if JIT_DISABLED:
        cells = cells[:: max(1, len(cells) // 8)]
    one_each = np.zeros((len(cells), 2 * size * size), np.uint8)
    one_each[np.arange(len(cells)), cells] = 1
    boards = one_each.reshape(-1, 2, size, size)
    for way in EVERY_WAY:
        rows = packed_rows(boards)
        squares.show(rows, np.arange(len(rows)), size, *way)
        assert np.array_equal(rows, packed_rows(shown(boards, *way)))


@FEW
@given(
    st.integers(1, squares.LARGEST),
    st.sampled_from([0, 1, 5, squares.BATCH, squares.BATCH + 1, 2 * squares.BATCH + 7]),
    st.sampled_from(EVERY_WAY),
    st.integers(0, 999),
)
def test_chosen_rows_are_changed_and_no_others(size, n, way, seed):
    rng = np.random.default_rng(seed)
    boards = rng.integers(0, 2, (n + 3, 2, size, size)).astype(np.uint8)
    chosen = rng.permutation(n + 3)[:n]
    rows = packed_rows(boards)
    squares.show(rows, chosen, size, *way)
    expected = boards.copy()
    expected[chosen] = shown(boards[chosen], *way)
    assert np.array_equal(rows, packed_rows(expected))
