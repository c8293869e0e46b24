"""Lanes, four words at a time, held against NumPy on the same words."""

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clauseboard.kernels.compiler import JIT_DISABLED
from clauseboard.kernels.simd import (
    LANES,
    any_lane,
    empty_lanes,
    every_lane,
    load_lanes,
    no_lanes,
    raised_lanes,
    store_lanes,
    turned_lanes,
    with_lane,
)

FEW = settings(max_examples=15 if JIT_DISABLED else 100)
WORD = st.integers(0, 2**64 - 1)
FOUR = st.lists(WORD, min_size=LANES, max_size=LANES)

# Lanes exist in kernels only: each of these loads some, does one thing and stores the answer.


@numba.njit
def copy(source, i, j, k, target, at_i, at_j, at_k):
    store_lanes(target, at_i, at_j, at_k, load_lanes(source, i, j, k))


@numba.njit
def combine(left, right, answers):
    a, b = load_lanes(left, 0, 0, 0), load_lanes(right, 0, 0, 0)
    store_lanes(answers, 0, 0, 0, a & b)
    store_lanes(answers, 1, 0, 0, a | b)
    store_lanes(answers, 2, 0, 0, a ^ b)
    store_lanes(answers, 3, 0, 0, ~a)
    store_lanes(answers, 4, 0, 0, a & ~b | (b ^ ~a))


@numba.njit
def combine_in_place(left, right, answers):
    b = load_lanes(right, 0, 0, 0)
    a = load_lanes(left, 0, 0, 0)
    a &= b
    store_lanes(answers, 0, 0, 0, a)
    a = load_lanes(left, 0, 0, 0)
    a |= b
    store_lanes(answers, 1, 0, 0, a)
    a = load_lanes(left, 0, 0, 0)
    a ^= b
    store_lanes(answers, 2, 0, 0, a)


@numba.njit
def turn(source, places, target):
    store_lanes(target, 0, 0, 0, turned_lanes(load_lanes(source, 0, 0, 0), places))


@numba.njit
def has_any(source):
    return any_lane(load_lanes(source, 0, 0, 0))


@numba.njit
def which_are_empty(source):
    return empty_lanes(load_lanes(source, 0, 0, 0))


@numba.njit
def fill(word, target):
    store_lanes(target, 0, 0, 0, every_lane(word))
    store_lanes(target, 1, 0, 0, no_lanes())


@numba.njit
def replace(source, k, word, target):
    store_lanes(target, 0, 0, 0, with_lane(load_lanes(source, 0, 0, 0), k, word))


@numba.njit
def raise_some(source, amount, where, target):
    store_lanes(target, 0, 0, 0, raised_lanes(load_lanes(source, 0, 0, 0), amount, where))


@numba.njit
def first_or_none(source, wanted, target):
    """Lanes are values: a variable may hold one or the other."""
    lanes = load_lanes(source, 0, 0, 0) if wanted else no_lanes()
    store_lanes(target, 0, 0, 0, lanes)


def words_of(numbers) -> np.ndarray:
    return np.array(numbers, np.uint64).reshape(1, 1, -1)


def blank(shape=(1, 1, LANES)) -> np.ndarray:
    return np.full(shape, 0x5A5A, np.uint64)


@pytest.mark.parametrize("place", [(0, 0, 0), (1, 2, 4), (2, 0, 8), (1, 1, 1), (2, 2, 7)])
def test_load_and_store_touch_four_words_and_no_more(place):
    source = np.arange(3 * 3 * 12, dtype=np.uint64).reshape(3, 3, 12)
    i, j, k = place
    target = blank((3, 3, 12))
    copy(source, i, j, k, target, j, i, 12 - LANES - k)
    expected = blank((3, 3, 12))
    expected[j, i, 12 - LANES - k : 12 - k] = source[i, j, k : k + LANES]
    assert np.array_equal(target, expected)


def test_what_was_loaded_does_not_change_with_its_array():
    source = words_of([1, 2, 3, 4])
    copy(source, 0, 0, 0, source, 0, 0, 0)
    assert source.ravel().tolist() == [1, 2, 3, 4]
    target = blank()
    copy(source, 0, 0, 0, target, 0, 0, 0)
    source[:] = 9
    assert target.ravel().tolist() == [1, 2, 3, 4]


@FEW
@given(FOUR, FOUR)
def test_operators_work_word_by_word(left, right):
    a, b = words_of(left), words_of(right)
    answers = blank((5, 1, LANES))
    combine(a, b, answers)
    expected = [a & b, a | b, a ^ b, ~a, a & ~b | (b ^ ~a)]
    assert np.array_equal(answers, np.concatenate(expected))
    combine_in_place(a, b, answers)
    assert np.array_equal(answers[:3], np.concatenate(expected[:3]))
    assert (a.ravel().tolist(), b.ravel().tolist()) == (left, right)


@FEW
@given(FOUR, WORD)
def test_turning_rotates_both_halves_of_every_word_to_the_left(numbers, places):
    target = blank()
    turn(words_of(numbers), np.uint64(places), target)
    shift = places % 32
    halves = [half for number in numbers for half in (number % 2**32, number >> 32)]
    assert target.view(np.uint32).ravel().tolist() == [
        (half << shift | half >> (32 - shift)) % 2**32 for half in halves
    ]


@pytest.mark.parametrize("places", [0, 1, 31, 32, 33, 2**53 - 1])
def test_turning_by_the_places_that_matter(places):
    target = blank()
    turn(words_of([1, 2**63, 2**64 - 1, 0]), np.uint64(places), target)
    shift = places % 32
    upper = 1 << 32 + (shift + 31) % 32
    assert target.ravel().tolist() == [1 << shift, upper, 2**64 - 1, 0]


@pytest.mark.parametrize("place", range(0, 64 * LANES, 17))
def test_any_lane_sees_every_bit(place):
    numbers = [0] * LANES
    numbers[place // 64] = 1 << place % 64
    assert bool(has_any(words_of(numbers)))


def test_any_lane_of_nothing_is_false():
    assert not has_any(words_of([0] * LANES))


@pytest.mark.parametrize("empty", range(2**LANES))
def test_empty_lanes_are_told(empty):
    numbers = [0 if empty >> k & 1 else 1 << (20 * k) for k in range(LANES)]
    assert which_are_empty(words_of(numbers)) == empty


@pytest.mark.parametrize("word", [0, 1, 2**63, 2**64 - 1])
def test_every_lane_and_no_lanes(word):
    target = blank((2, 1, LANES))
    fill(np.uint64(word), target)
    assert target.reshape(2, LANES).tolist() == [[word] * LANES, [0] * LANES]


@pytest.mark.parametrize("wanted", [True, False])
def test_a_variable_may_hold_one_or_other_lanes(wanted):
    target = blank()
    first_or_none(words_of([1, 2, 3, 4]), wanted, target)
    assert target.ravel().tolist() == ([1, 2, 3, 4] if wanted else [0] * LANES)


@pytest.mark.parametrize("k", range(LANES))
def test_one_lane_is_replaced(k):
    source, target = words_of([1, 2, 3, 4]), blank()
    replace(source, k, np.uint64(2**64 - 1), target)
    expected = [1, 2, 3, 4]
    expected[k] = 2**64 - 1
    assert target.ravel().tolist() == expected
    assert source.ravel().tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("amount", [7, -3, 2**40])
@pytest.mark.parametrize("where", [0, 1, 6, 15, 16 + 8])
def test_chosen_lanes_are_raised(amount, where):
    source, target = words_of([1, 2**63, 0, 2**64 - 1]), blank()
    raise_some(source, amount, np.uint64(where), target)
    assert target.ravel().tolist() == [
        (number + amount * (where >> k & 1)) % 2**64
        for k, number in enumerate(source.ravel().tolist())
    ]
