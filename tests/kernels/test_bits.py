"""Words in kernels, held against plain Python integers."""

import numba
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clauseboard.kernels import bits as words
from clauseboard.kernels.compiler import JIT_DISABLED

FEW = settings(max_examples=15 if JIT_DISABLED else 100)
WORD = st.integers(0, 2**64 - 1)
SPARSE = st.sets(st.integers(0, 63), max_size=3).map(lambda bits: sum(1 << bit for bit in bits))


@pytest.fixture(autouse=True, scope="module")
def _words_may_wrap_round():
    """Without the compiler NumPy would warn of what is meant."""
    with np.errstate(over="ignore"):
        yield


@numba.njit
def ones_of(word):
    return words.count_ones(word)


@numba.njit
def lowest_of(word):
    return words.lowest_one(word)


@numba.njit
def nth_of(word, n):
    return words.nth_one(word, n)


@numba.njit
def drawn(counter):
    return words.mixed(counter)


@numba.njit
def next_of(stream):
    stream += words.STREAM_STEP
    return stream


@numba.njit
def turn_round(square):
    words.transpose(square)


@numba.njit
def publish_twice(array, index, value):
    words.publish(array, index, value - 1)
    words.publish(array, index, value)


@numba.njit
def copied(target, source):
    words.copy_into(target, source)


@numba.njit
def looked_at(array, index):
    return words.look(array, index)


@numba.njit
def step_aside_and_count(times):
    done = 0
    for _ in range(times):
        words.step_aside()
        done += 1
    return done


def split_mix_64(counter: int) -> int:
    """Steele, Lea and Flood 2014: the finalizer of SplitMix64, in plain integers."""
    mask = 2**64 - 1
    z = ((counter ^ (counter >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return z ^ (z >> 31)


def test_constants_are_words():
    for name, value in [("ZERO", 0), ("ONE", 1), ("ALL", 2**64 - 1), ("SIX_BITS", 63)]:
        constant = getattr(words, name)
        assert isinstance(constant, np.uint64)
        assert int(constant) == value


@FEW
@given(st.one_of(WORD, SPARSE))
@example(0)
@example(2**64 - 1)
@example(2**63)
def test_count_ones_counts_the_bits(number):
    assert ones_of(np.uint64(number)) == number.bit_count()


@FEW
@given(st.one_of(WORD, SPARSE).filter(bool))
@example(1)
@example(2**63)
@example(2**64 - 1)
def test_lowest_one_is_the_first_one_in_the_binary_number(number):
    assert lowest_of(np.uint64(number)) == bin(number)[::-1].index("1")


@FEW
@given(st.one_of(WORD, SPARSE).filter(bool))
@example(1)
@example(2**63)
@example(2**64 - 1)
def test_nth_one_is_the_nth_in_the_binary_number(number):
    places = [place for place, digit in enumerate(bin(number)[:1:-1]) if digit == "1"]
    nth = [nth_of(np.uint64(number), n) for n in range(1, len(places) + 1)]
    assert nth == places


def test_nth_one_without_an_instruction_for_it():
    if not JIT_DISABLED:
        from clauseboard.kernels import intrinsics

        for number in (1, 0b1011, 2**63 + 2**5, 2**64 - 1):
            for n in range(1, number.bit_count() + 1):
                expected = words.nth_one(np.uint64(number), n)
                assert intrinsics._nth_one(np.uint64(number), n) == expected


@pytest.mark.parametrize("place", range(64))
def test_every_single_bit_is_found(place):
    word = np.uint64(1 << place)
    assert (ones_of(word), lowest_of(word)) == (1, place)


@FEW
@given(WORD)
@example(0)
@example(2**64 - 1)
def test_mixed_is_split_mix_64(counter):
    assert int(drawn(np.uint64(counter))) == split_mix_64(counter)


def test_a_stream_gives_the_published_numbers_of_split_mix_64():
    # The first numbers for seed 1234567 in Vigna's C program, as Rosetta Code lists them.
    stream, seen = np.uint64(1234567), []
    for _ in range(5):
        stream = np.uint64(next_of(stream))
        seen.append(int(drawn(stream)))
    assert seen == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_a_stream_wraps_round_at_64_bits():
    assert int(next_of(np.uint64(2**64 - 1))) == 0x9E3779B97F4A7C15 - 1


def as_square(word_array: np.ndarray) -> np.ndarray:
    """Row i, column j: bit j of word i."""
    return np.unpackbits(word_array.view(np.uint8).reshape(64, 8), axis=1, bitorder="little")


@pytest.mark.parametrize("seed", range(3))
def test_transpose_turns_the_square_of_bits_round(seed):
    square = np.random.default_rng(seed).integers(2**64, size=64, dtype=np.uint64)
    before = as_square(square.copy())
    turn_round(square)
    assert np.array_equal(as_square(square), before.T)


def test_transpose_puts_one_bit_where_it_belongs():
    square = np.zeros(64, np.uint64)
    square[5] = np.uint64(1 << 40)
    turn_round(square)
    assert int(square[40]) == 1 << 5
    assert np.count_nonzero(square) == 1


def test_transpose_twice_changes_nothing():
    square = np.random.default_rng(9).integers(2**64, size=64, dtype=np.uint64)
    before = square.copy()
    turn_round(square)
    turn_round(square)
    assert np.array_equal(square, before)


@pytest.mark.parametrize("value", [0, 1, -7, 2**62])
def test_what_is_published_is_what_others_look_at(value):
    array = np.full(17, 5, np.int64)
    publish_twice(array, 8, value)
    assert looked_at(array, 8) == value
    assert array.tolist() == [5] * 8 + [value] + [5] * 8


def test_stepping_aside_comes_back():
    assert step_aside_and_count(10) == 10


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.uint64])
@pytest.mark.parametrize("shape", [(0,), (5,), (3, 7), (2, 3, 4)])
def test_copies_have_all_items_and_the_source_stays(kind, shape):
    source = np.arange(np.prod(shape)).astype(kind).reshape(shape)
    before, target = source.copy(), np.full(shape, 99, kind)
    copied(target, source)
    assert np.array_equal(target, before)
    target += kind(1)
    assert np.array_equal(source, before)


def test_a_row_of_an_array_is_copied_alone():
    rows = np.arange(12, dtype=np.uint64).reshape(3, 4)
    copied(rows[1], rows[0])
    assert rows.tolist() == [[0, 1, 2, 3], [0, 1, 2, 3], [8, 9, 10, 11]]
