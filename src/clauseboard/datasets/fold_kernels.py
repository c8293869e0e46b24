"""Games dealt out to folds, in compiled code: there may be millions of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from clauseboard.kernels.bits import STREAM_STEP, mixed
from clauseboard.kernels.compiler import kernel


@kernel("void(int64[::1], uint64, uint64[::1])")
def draw(games: Any, seed: Any, drawn: Any) -> None:
    """A random word for each game, by the seed and its number, whatever others there are."""
    stream = mixed(seed + STREAM_STEP)
    for n in range(len(games)):
        drawn[n] = mixed(stream + np.uint64(games[n]) * STREAM_STEP)


@kernel("void(int64[:, ::1], int64[::1], uint8[::1], int64[:, ::1])")
def deal(counts: Any, order: Any, folds: Any, held: Any) -> None:
    """The fold of each game, where `counts` has its boards of each result: games × results.

    `held` is folds × (results + 1), all 0: the boards of each result in a fold, and those of all.
    """
    n_folds, n_results = len(held), counts.shape[1]
    totals = np.zeros(n_results, np.int64)
    for game in range(len(counts)):
        for result in range(n_results):
            totals[result] += counts[game, result]
    for place in range(len(order)):
        game = order[place]
        best, least = 0, 0.0
        for fold in range(n_folds):
            # The share of each result that a fold has, weighed by what the game would add to it.
            share = 0.0
            for result in range(n_results):
                if counts[game, result] != 0:
                    share += held[fold, result] * counts[game, result] / totals[result]
            fewer = held[fold, n_results] < held[best, n_results]
            if fold == 0 or share < least or (share == least and fewer):
                best, least = fold, share
        folds[game] = best
        for result in range(n_results):
            held[best, result] += counts[game, result]
            held[best, n_results] += counts[game, result]
