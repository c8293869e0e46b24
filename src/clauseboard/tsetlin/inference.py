"""Counting the votes of a trained machine, without looking at clauses that do not fire.

The clauses are laid out as a table, which `kernels.clause_table` reads. Clauses without literals
(which vote only while training) and those that need a bit and its negation never fire and are left
out; equal clauses of a class are merged into one, and all are sorted by their weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clauseboard.kernels.bits import count_ones
from clauseboard.kernels.clause_table import TILE_WORDS, count_votes, fill_table
from clauseboard.kernels.compiler import kernel
from clauseboard.tsetlin.packing import View


@dataclass(frozen=True)
class VoteTable:
    """A machine compiled for counting votes. Made by `compile_votes`."""

    view: View
    n_classes: int
    table: NDArray[np.uint64]
    out: NDArray[np.uint64]
    weights: NDArray[np.int64]
    owners: NDArray[np.int64]
    planes: NDArray[np.uint64]
    n_planes: NDArray[np.int64]

    def add_votes(self, features: NDArray[np.uint8], votes: NDArray[np.int64]) -> None:
        """Add the votes of packed samples (`View.pack_features`) to `votes`."""
        count_votes(features, *self.arrays(), votes)

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """The arguments of the kernels of `kernels.clause_table`."""
        return (self.table, self.out, self.weights, self.owners, self.planes, self.n_planes)


def compile_votes(
    view: View, include: NDArray[np.uint64], signed_weights: NDArray[np.int32]
) -> VoteTable:
    """Compile the clauses `include[class, clause, word]` with their signed weights."""
    n_classes = len(include)
    literals, weights, slots, owners = [], [], [], []
    n_words = 0
    for class_ in range(n_classes):
        merged, totals = _merged(include[class_], signed_weights[class_], view)
        literals.append(merged)
        slots.append(64 * n_words + np.arange(len(merged)))
        words = -(-len(merged) // 64)
        padded = np.full(64 * words, totals[-1] if len(totals) else 0, np.int64)
        padded[: len(merged)] = totals
        weights.append(padded)
        owners += [class_] * words
        n_words += words
    n_tiles = max(1, -(-n_words // TILE_WORDS))
    spare = n_tiles * TILE_WORDS - n_words
    table = np.zeros((n_tiles, 16 * 2 * -(-view.n_features // 8), TILE_WORDS), np.uint64)
    out = np.full((n_tiles, 1, TILE_WORDS), ~np.uint64(0))
    fill_table(
        np.ascontiguousarray(np.concatenate(literals)),
        np.concatenate(slots).astype(np.int64),
        view.n_features,
        table,
        out,
    )
    weighed = np.concatenate([*weights, np.zeros(64 * spare, np.int64)])
    planes, n_planes = _planes(weighed)
    return VoteTable(
        view=view,
        n_classes=n_classes,
        table=table,
        out=out,
        weights=weighed,
        owners=np.array(owners + [0] * spare, np.int64),
        planes=planes,
        n_planes=n_planes,
    )


def _planes(weights: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """What the clauses of a word weigh above the first one, which weighs least, in binary digits.

    Tiles × digits × words; and how many digits each word has.
    """
    more = weights.reshape(-1, 64) - weights[::64, None]
    n_planes = np.array([int(most).bit_length() for most in more.max(axis=1)], np.int64)
    digits = (more[:, None, :] >> np.arange(max(1, int(n_planes.max())))[:, None]) & 1
    words = np.packbits(digits.astype(np.uint8), axis=2, bitorder="little").view("<u8")
    by_tile = words[:, :, 0].reshape(-1, TILE_WORDS, words.shape[1]).transpose(0, 2, 1)
    return np.ascontiguousarray(by_tile, np.uint64), n_planes


def _merged(
    include: NDArray[np.uint64], weights: NDArray[np.int32], view: View
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The clauses of one class that can fire, each once, with the sum of its weights."""
    able = can_fire(include, view)
    include, weights = np.ascontiguousarray(include[able]), weights[able]
    if len(include) == 0:
        return include, weights.astype(np.int64)
    whole_rows = include.view(np.dtype((np.void, include.dtype.itemsize * include.shape[1])))
    _, first, group = np.unique(whole_rows.ravel(), return_index=True, return_inverse=True)
    totals = np.bincount(group.ravel(), weights=weights, minlength=len(first))
    # Sorted, so that the weights of a word are much alike.
    kept = np.argsort(totals, kind="stable")
    kept = kept[totals[kept] != 0]
    return include[first][kept], totals[kept].astype(np.int64)


def can_fire(include: NDArray[np.uint64], view: View) -> NDArray[np.bool_]:
    """Which clauses have a literal at all, and none together with its negation."""
    bits = np.unpackbits(include.view(np.uint8), axis=-1, bitorder="little")
    positive = bits[..., : view.n_features]
    negated = bits[..., view.n_features : 2 * view.n_features]
    return np.any(bits, axis=-1) & ~np.any(positive & negated, axis=-1)


@kernel("void(uint64[:,:,::1], uint64[:,:,::1], int64[:,::1], int64[:,::1], int64[:,::1])")
def count_fuzzy_votes(rows, include, weights, strengths, votes) -> None:
    """Add votes of clauses of which some literals may fail to votes[sample, bank].

    `rows` are samples × patches × words (`View.pack_literals`), `include` banks × clauses × words.
    A clause casts its weight as often as its strength is above the number of its literals that
    fail, at the patch where fewest do; strength 0 is for clauses that never vote.
    """
    for sample in range(rows.shape[0]):
        for bank in range(include.shape[0]):
            total = 0
            for clause in range(include.shape[1]):
                most = 0
                for patch in range(rows.shape[1]):
                    left = strengths[bank, clause]
                    for word in range(include.shape[2]):
                        if left <= most:
                            break
                        missing = include[bank, clause, word] & ~rows[sample, patch, word]
                        left -= count_ones(missing)
                    most = max(most, left)
                total += most * weights[bank, clause]
            votes[sample, bank] += total


def strengths_of(include: NDArray[np.uint64], max_misses: int) -> NDArray[np.int64]:
    """How often each clause casts its weight where all its literals hold; 0 for an empty clause."""
    bits = np.unpackbits(include.view(np.uint8), axis=-1)
    return np.minimum(bits.sum(axis=-1, dtype=np.int64), max_misses + 1)
