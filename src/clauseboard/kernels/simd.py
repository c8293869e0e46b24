"""Four 64-bit words side by side as one value in a kernel.

Most of what a Tsetlin Machine does to its automata is the same few word operations on a whole
row of words. Numba leaves it to the compiler to find that out, and mostly it does not. A *lanes*
value says it outright: in compiled code it is one vector of four words, which takes `& | ^ ~`
like a word does, and LLVM turns it into whatever the processor has for it.

With `NUMBA_DISABLE_JIT=1` lanes are NumPy arrays of four words, and the same code runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.kernels.compiler import intrinsic

LANES = 4
"""Words in a lanes value; rows of words are padded to a multiple of it."""


@intrinsic
def load_lanes(array: Any, i: int, j: int, k: int) -> Any:
    """The words array[i, j, k : k + 4]."""
    return array[i, j, k : k + LANES].copy()


@intrinsic
def store_lanes(array: Any, i: int, j: int, k: int, lanes: Any) -> None:
    """Store into array[i, j, k : k + 4]."""
    array[i, j, k : k + LANES] = lanes


@intrinsic
def turned_lanes(lanes: Any, places: Any) -> Any:
    """Either half of every word rotated to the left by the same number of places."""
    halves = lanes.view(np.uint32)
    left = np.uint32(int(places) % 32)
    turned = (halves << left) | (halves >> (np.uint32(32 - left) % np.uint32(32)))
    return turned.view(np.uint64)


@intrinsic
def any_lane(lanes: Any) -> bool:
    """Whether any bit is set."""
    return bool(np.any(lanes))


@intrinsic
def empty_lanes(lanes: Any) -> Any:
    """Which words are zero, a bit for each, the first one lowest."""
    return np.uint64(sum(1 << k for k in range(LANES) if lanes[k] == 0))


@intrinsic
def raised_lanes(lanes: Any, amount: int, where: Any) -> Any:
    """The same lanes, but with an amount added to those whose bits are set in a word."""
    bits = np.array([int(where) >> k & 1 for k in range(LANES)], bool)
    return lanes + np.where(bits, amount, 0).astype(lanes.dtype)


@intrinsic
def no_lanes() -> Any:
    """Lanes without a bit set."""
    return np.zeros(LANES, np.uint64)


@intrinsic
def every_lane(word: Any) -> Any:
    """The same word four times."""
    return np.full(LANES, word, np.uint64)


@intrinsic
def with_lane(lanes: Any, k: int, word: Any) -> Any:
    """The same lanes, but for lane k."""
    changed = lanes.copy()
    changed[k] = word
    return changed
