"""The random numbers of training: drawn from counters, digit by digit, or from a pool.

A stream of random numbers is a counter whose values are mixed, so that its start
determines every draw (`kernels.py` says which streams there are). Three things are drawn: the
samples of a block that give feedback to a clause, how often each literal is forgotten, and one
patch of many. For the second there is a pool of numbers made beforehand, in which a clause draws
only a place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.kernels.bits import ALL, STREAM_STEP, ZERO, mixed
from clauseboard.kernels.compiler import helper, kernel

CHANCE_DIGITS = 24
"""Binary digits of the probability with which a clause gets feedback."""

CHOICES = 64
"""Sets of samples drawn for each block, of which each clause mixes two."""

COUNT_PLANES = 4
"""Binary digits of a number of forgets."""

MOST_FORGETS = 2**COUNT_PLANES - 1
"""Forgets that are added up before they are taken off at one go."""

FORGET_DIGITS = 20
"""Binary digits of the probability of one forget, 1/specificity."""

POOL_WORDS = 256
"""Words in the pool of forgets at which a draw may start."""

_CHOICES_MASK = np.uint64(CHOICES - 1)
_CHOICES_BITS = np.uint64(6)
_POOL_MASK = np.uint64(POOL_WORDS - 1)
_19, _27, _32 = np.uint64(19), np.uint64(27), np.uint64(32)
_LOW_32 = np.uint64(0xFFFF_FFFF)
_DRAW_FACTOR = np.uint64(747_796_405)
_DRAW_STEP = np.uint64(2_891_336_453)


@helper
def branch(key, number: int):
    """Where a numbered stream begins that branches off another one, of which `key` is mixed."""
    return mixed(key + STREAM_STEP * np.uint64(number))


@helper
def draw_choices(chances, samples, key, choices) -> None:
    """Draw the sets of samples that give feedback, choices[0, n]; choices[1:] is room for it.

    Bit i of chances[k] is the k-th binary digit of sample i's probability. A random number is
    compared with it digit by digit; the first digit in which they differ decides, so that a few
    random words are enough for 64 samples. All sets are at the same digit, so that a processor
    draws for several of them at once.
    """
    for n in range(CHOICES):
        choices[0, n] = ZERO
        choices[1, n] = samples
        choices[2, n] = branch(key, n)
    for digit in range(CHANCE_DIGITS):
        chance = chances[digit]
        undecided = ZERO
        for n in range(CHOICES):
            choices[2, n] += STREAM_STEP
            random = mixed(choices[2, n])
            choices[0, n] |= choices[1, n] & chance & ~random
            choices[1, n] &= ~(chance ^ random)
            undecided |= choices[1, n]
        if undecided == ZERO:
            break


@helper
def choose_samples(choices, key, first_clause: int, chosen) -> None:
    """Choose the samples that give feedback to each clause: sample by sample from one of two sets.

    Each sample keeps its own probability, and hardly two clauses ever meet the same choice.
    chosen[1, k] are the samples of clause first_clause + k, and chosen[0, k] its draws for this
    block.
    """
    for k in range(chosen.shape[1]):
        chosen[0, k] = branch(key, first_clause + k)
        chosen[1, k] = mixed(chosen[0, k] + STREAM_STEP)
    for k in range(chosen.shape[1]):
        begin = chosen[0, k]
        one = choices[0, np.int64(begin & _CHOICES_MASK)]
        other = choices[0, np.int64((begin >> _CHOICES_BITS) & _CHOICES_MASK)]
        chosen[0, k] = begin >> _32
        chosen[1, k] = other ^ ((one ^ other) & chosen[1, k])


@helper
def next_draw(draws):
    """The next of a clause's draws in a block: 32 bits, of which the upper ones are the better.

    A clause draws but a few times a block, and each time only a place in a pool of random
    numbers. That needs no more than this, and `mixed` is ten times the work on a GPU.
    """
    return (draws * _DRAW_FACTOR + _DRAW_STEP) & _LOW_32


@helper
def draw_place(draws) -> tuple[Any, Any, Any]:
    """A place in the pool of forgets and a turn, so that no two draws look alike.

    Without the turn, each literal would always meet the same few bits of the pool and share
    their bias with the same literal of every other clause.
    """
    draws = next_draw(draws)
    return draws, np.int64((draws >> _19) & _POOL_MASK), draws >> _27


@kernel("void(uint64[:,:,::1], float64, uint64[::1], int64, int64)")
def fill_pool(pool, chance: float, streams, bank: int, most: int) -> None:
    """Fill pool[times - 1, plane] with binary digits of how often `times` forgets come.

    Each bit of a mask is set with probability `chance`, drawn digit by digit from the lowest
    one on; the numbers are running sums of the masks. `times` goes up to `most`: a block of few
    samples never asks for more.
    """
    digits = np.int64(chance * (1 << FORGET_DIGITS) + 0.5)
    key = mixed(streams[bank])
    # As long as the lowest digits are zero, so is what is drawn.
    n_zeros = 0
    while n_zeros < FORGET_DIGITS and not (digits >> n_zeros) & 1:
        n_zeros += 1
    n_zeros = n_zeros if digits >> FORGET_DIGITS == 0 else 0
    n_words = pool.shape[2]
    stream = np.empty(n_words, np.uint64)
    carry = np.empty(n_words, np.uint64)
    for word in range(n_words):
        stream[word] = branch(key, word)
    for times in range(most):
        for word in range(n_words):
            carry[word] = ALL if digits >> FORGET_DIGITS else ZERO
            stream[word] += STREAM_STEP * np.uint64(n_zeros)
        # All words are at the same digit, so that a processor draws for several of them at once.
        for digit in range(n_zeros, FORGET_DIGITS):
            either = ALL if (digits >> digit) & 1 or digits >> FORGET_DIGITS else ZERO
            for word in range(n_words):
                stream[word] += STREAM_STEP
                random = mixed(stream[word])
                carry[word] = (carry[word] & random) | ((carry[word] | random) & either)
        for plane in range(COUNT_PLANES):
            for word in range(n_words):
                before = pool[times - 1, plane, word] if times > 0 else ZERO
                pool[times, plane, word] = before ^ carry[word]
                carry[word] &= before
    streams[bank] += STREAM_STEP
