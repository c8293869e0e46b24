"""64-bit words in kernels: counting and finding bits, copies, random words, threads that wait.

Every function here works inside a compiled kernel and, with `NUMBA_DISABLE_JIT=1`, as plain
Python on NumPy scalars. Words are `np.uint64` throughout: Numba turns a mix of `uint64` and
`int64` into a float, so that every constant that meets a word is a word itself.
"""

from __future__ import annotations

import os

import numpy as np

from clauseboard.kernels.compiler import helper, intrinsic

ZERO = np.uint64(0)
ONE = np.uint64(1)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
SIX_BITS = np.uint64(63)

STREAM_STEP = np.uint64(0x9E37_79B9_7F4A_7C15)
_MIX_1 = np.uint64(0xBF58_476D_1CE4_E5B9)
_MIX_2 = np.uint64(0x94D0_49BB_1331_11EB)
_27, _30, _31 = np.uint64(27), np.uint64(30), np.uint64(31)


@intrinsic
def count_ones(word) -> int:
    """The number of set bits."""
    return int(word).bit_count()


@intrinsic
def lowest_one(word) -> int:
    """The place of the lowest set bit; the word must not be zero."""
    number = int(word)
    return (number & -number).bit_length() - 1


@intrinsic
def nth_one(word, n: int) -> int:
    """The place of the n-th lowest set bit, counted from 1; there must be so many."""
    number = int(word)
    for _ in range(n - 1):
        number &= number - 1
    return (number & -number).bit_length() - 1


@intrinsic
def publish(array, index: int, value: int) -> None:
    """Store a value so that other threads see it after all that was stored before."""
    array[index] = value


@intrinsic
def look(array, index: int) -> int:
    """Load a value that another thread may be about to publish."""
    return int(array[index])


@intrinsic
def step_aside() -> None:
    """Let another thread run, where the system has a call for it."""
    if hasattr(os, "sched_yield"):
        os.sched_yield()


@intrinsic
def copy_into(target, source) -> None:
    """Copy all items of an array into another one of the same type and size.

    An assignment to a slice would be compiled with the text of the error for another size.
    """
    target[...] = source


@helper
def lowest_ones(size: int):
    """A word with the lowest `size` bits set."""
    return ALL if size >= 64 else (ONE << np.uint64(size)) - ONE


@helper
def mixed(counter):
    """64 random bits from a stream that is a plain counter, `STREAM_STEP` a draw (SplitMix64)."""
    word = (counter ^ (counter >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)


def mixed_number(counter: int) -> int:
    """The same for Python's own numbers.

    >>> mixed_number(1) == int(mixed(np.uint64(1)))
    True
    """
    word = (counter ^ (counter >> 30)) * int(_MIX_1) % 2**64
    word = (word ^ (word >> 27)) * int(_MIX_2) % 2**64
    return word ^ (word >> 31)


@helper
def transpose(words) -> None:
    """Turn 64 words of 64 bits round in place: bit j of word i becomes bit i of word j."""
    width = 32
    mask = np.uint64(0x0000_0000_FFFF_FFFF)
    while width != 0:
        shift = np.uint64(width)
        i = 0
        while i < 64:
            swap = ((words[i] >> shift) ^ words[i + width]) & mask
            words[i] ^= swap << shift
            words[i + width] ^= swap
            i = (i + width + 1) & ~width
        width >>= 1
        mask ^= mask << np.uint64(width)
